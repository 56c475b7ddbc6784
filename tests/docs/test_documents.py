"""What documents say is there is there: files that they link to, settings, exit codes, targets."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from support.paths import ROOT

from heapwright.program.checks import CheckKind
from heapwright.settings.table import SETTINGS

DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links(document: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for groups in re.findall(r'\]\(([^)#:]+)\)|src(?:set)?="([^":]+)"', prose):
        assert (document.parent / "".join(groups)).exists(), groups


def _exists(path: str) -> bool:
    """Whether a file or folder of the project, or of its source, has a path that ends in this one."""
    last = path.rstrip("/").rpartition("/")[2]
    found = (str(one) for folder in ("src", "tests", "tools", "bench", "docs") for one in (ROOT / folder).rglob(last))
    return (ROOT / path).exists() or any(one.endswith("/" + path.rstrip("/")) for one in found)


@pytest.mark.parametrize(
    "document", [ROOT / "ARCHITECTURE.md", *(ROOT / "docs" / "engines").glob("*.md")], ids=lambda path: path.stem
)
def test_paths(document: Path) -> None:
    """Modules and folders that the documents for developers name are there."""
    text = document.read_text(encoding="utf-8")
    paths = re.findall(r"`([\w./]+(?:\.py|\.json|\.h|/))`|(\btests/[\w/]+\.py)", text)
    assert paths
    assert [path for pair in paths for path in pair if path and not _exists(path)] == []


def test_the_user_guide_has_every_setting_and_kind() -> None:
    guide = (ROOT / "docs" / "user-guide.md").read_text(encoding="utf-8")
    for setting in SETTINGS.values():
        assert f"`{setting.name}`" in guide or f"--{setting.name}" in guide, setting.name
    for kind in CheckKind:
        assert f"`{kind.value}`" in guide


def test_the_readme_has_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "```\nmake demo\nmake test\n```" in readme


def test_the_output_in_the_readme_is_real(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from heapwright.cli import main

    monkeypatch.chdir(ROOT)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```\n\$ heapwright (check .*?)\n(.*?)```", readme, re.DOTALL)
    assert main(shown[0].split()) == 1
    seconds = re.compile(r", [\d.]+ s\)")
    assert seconds.sub(")", shown[1]) == seconds.sub(")", capsys.readouterr().out)


def test_the_picture_in_the_readme_is_real(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from heapwright.cli import main

    monkeypatch.chdir(ROOT)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```\n\$ heapwright (show .*?)\n(.*?)```", readme, re.DOTALL)
    assert main(shown[0].split()) == 0
    assert shown[1] == capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("document", ["user-guide.md"])
def test_outputs_in_documents_are_real(
    document: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands on files of examples/ print what is shown; … stands for lines that are left out."""
    from heapwright.cli import main

    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    shown = re.findall(r"```\n\$ heapwright ([^\n]*examples/[^\n]*)\n(.*?)```", text, re.DOTALL)
    assert shown
    for command, output in shown:
        main(shlex.split(command))
        printed = capsys.readouterr().out
        for part in re.split(r"^\s*(?:…|\.\.\.)\n", output, flags=re.MULTILINE):
            assert part.strip("\n") in printed, command


@pytest.mark.slow
def test_commands_in_chapters_of_engines_write_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from heapwright.cli import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    commands = []
    for chapter in sorted((ROOT / "docs" / "engines").glob("*.md")):
        commands += re.findall(r"`heapwright ([^`]* --html \w+\.html)` writes", chapter.read_text(encoding="utf-8"))
    assert len(commands) == 6
    for command in commands:
        arguments = shlex.split(command)
        assert main(arguments) in (0, 1)
        assert 'id="page-data"' in Path(arguments[-1]).read_text(encoding="utf-8")


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 100


def test_the_lock_file_has_nothing_but_versions() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert all(re.fullmatch(r"#.*||[\w.-]+==[\w.]+", line) for line in lines)


def test_pre_commit_runs_what_make_lint_runs() -> None:
    (lint,) = re.findall(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    run = set(re.findall(r"entry: .venv/bin/([\w-]+)", hooks))
    assert run == set(re.findall(r"\$\(BIN\)/([\w-]+)", lint))
