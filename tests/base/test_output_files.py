"""Output files: whole or not at all, and never through a symbolic link."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from heapwright.base.errors import InputError
from heapwright.base.output_files import make_folder, write_whole


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_file_and_a_replaced_one(folder: Path) -> None:
    before = os.umask(0o022)
    try:
        write_whole("a.txt", "one")
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path("a.txt").stat().st_mode) == 0o644
    Path("a.txt").chmod(0o600)
    write_whole("a.txt", "two")
    assert (Path("a.txt").read_text(), stat.S_IMODE(Path("a.txt").stat().st_mode)) == ("two", 0o600)
    assert [path.name for path in folder.iterdir()] == ["a.txt"]


def test_a_full_disk_leaves_what_was_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_whole("a.txt", "one")

    def full(old: str, new: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    for path in ("a.txt", "b.txt"):
        with pytest.raises(InputError, match=f"cannot write '{path}': No space left on device"):
            write_whole(path, "two")
    assert [(path.name, path.read_text()) for path in folder.iterdir()] == [("a.txt", "one")]


def test_devices_are_written_directly() -> None:
    write_whole("/dev/null", "text")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    with pytest.raises(InputError, match="cannot write '/dev/full': No space left on device"):
        write_whole("/dev/full", "text")


@pytest.mark.parametrize("target", ["there.txt", "nowhere.txt"])
def test_links_are_not_followed(target: str) -> None:
    Path("there.txt").write_text("mine")
    Path("link.txt").symlink_to(target)
    with pytest.raises(InputError, match=r"cannot write 'link.txt': 'link.txt' is a symbolic link"):
        write_whole("link.txt", "theirs")
    assert (Path("there.txt").read_text(), Path("nowhere.txt").exists()) == ("mine", False)


def test_linked_folders_are_not_followed(folder: Path) -> None:
    Path("real").mkdir()
    Path("link").symlink_to("real")
    for path in ("link/a.txt", str(folder / "link" / "a.txt")):
        with pytest.raises(InputError, match="'link' is a symbolic link"):
            write_whole(path, "text")
    with pytest.raises(InputError, match="'link' is a symbolic link"):
        make_folder("link/more")
    assert not list(Path("real").iterdir())


def test_a_working_directory_behind_a_link(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links that lead to the working directory are those of the user."""
    Path("real").mkdir()
    Path("link").symlink_to("real")
    monkeypatch.chdir(folder / "link")
    write_whole("a.txt", "text")
    write_whole(str(folder / "real" / "b.txt"), "text")
    assert len(list((folder / "real").iterdir())) == 2


def test_a_file_that_may_not_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.txt").write_text("mine")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # a superuser may write everything
    with pytest.raises(InputError, match=r"cannot write 'a.txt': Permission denied"):
        write_whole("a.txt", "theirs")
    assert Path("a.txt").read_text() == "mine"


def test_names_in_messages_are_one_line() -> None:
    with pytest.raises(InputError, match=r"cannot write 'no\\nwhere/a.txt'"):
        write_whole("no\nwhere/a.txt", "text")
