"""Standard output that is full, closed or gone: one sentence, the right exit code, nothing left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

C = "int main(void) { return 0; }\n"
COMMANDS = [
    ("check", "a.c", "--engine", "explore"),
    ("lower", "a.c"),
    ("run", "a.c", "--choices", ""),
    ("--help",),
    ("--version",),
]


def called(folder: Path, *arguments: str, shell: str) -> subprocess.CompletedProcess[str]:
    """The command line under a shell that redirects its streams."""
    (folder / "a.c").write_text(C, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = ["sh", "-c", f'"$@" {shell}', "sh", sys.executable, "-m", "heapwright", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda one: one[0])
def test_a_full_disk(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended = called(tmp_path, *arguments, shell=">/dev/full")
    assert (ended.returncode, ended.stderr) == (
        2,
        "heapwright: error: cannot write the output: No space left on device\n",
    )


@pytest.mark.parametrize("arguments", [*COMMANDS, ("check", "none.c")], ids=" ".join)
def test_streams_that_cannot_be_written_at_all(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended = called(tmp_path, *arguments, shell=">/dev/full 2>&1")
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", "")


@pytest.mark.parametrize("shell", [">&-", "<&- >&- 2>&-"])
def test_closed_streams(tmp_path: Path, shell: str) -> None:
    ended = called(tmp_path, "check", "a.c", "--engine", "explore", "--json", "out.json", shell=shell)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert '"verdict": "safe"' in (tmp_path / "out.json").read_text(encoding="utf-8")


def test_errors_with_closed_streams(tmp_path: Path) -> None:
    assert called(tmp_path, "check", "none.c", shell="<&- >&- 2>&-").returncode == 2


@pytest.mark.parametrize("option", ["--json", "--sarif", "--proof"])
def test_a_full_disk_under_an_output_file(tmp_path: Path, option: str) -> None:
    (tmp_path / "b.c").write_text("int main(void) { int *p = 0; return p == 0 ? 0 : *p; }\n", encoding="utf-8")
    ended = called(tmp_path, "check", "b.c", "--engine", "tvl", option, "/dev/full", shell="")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "heapwright: error: cannot write '/dev/full': No space left on device" in ended.stderr


@pytest.mark.parametrize("option", ["--json", "--sarif", "--proof", "--witness", "--keep-evidence"])
def test_no_output_follows_a_link(tmp_path: Path, option: str) -> None:
    (tmp_path / "precious").mkdir() if option == "--witness" else (tmp_path / "precious").write_text("mine")
    (tmp_path / "link").symlink_to("precious")
    ended = called(tmp_path, "check", "a.c", option, "link", shell="")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "cannot write 'link': 'link' is a symbolic link" in ended.stderr


def test_nothing_is_written_unasked(tmp_path: Path) -> None:
    called(tmp_path, "check", "a.c", shell="")
    called(tmp_path, "show", "a.c", shell="")
    assert [path.name for path in tmp_path.iterdir()] == ["a.c"]
