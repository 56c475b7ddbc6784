"""Hostile usage: one sentence, exit code 2, no traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from cli.hand_made import Heapwright

from heapwright import __version__
from heapwright.cli import COMMANDS, COMMON_EXITS

WRONG = [
    ([], "no command given"),
    (["chekc"], "unknown command 'chekc', did you mean 'check'?"),
    (["--colour"], "unknown option '--colour'"),
    (["check"], "FILE.c"),
    (["check", "a.c", "--tiemout", "3"], "unknown option '--tiemout', did you mean '--timeout'?"),
    (["check", "a.c", "--timeout"], "--timeout"),
    (["check", "-q", "--", "-none.c"], "'./-none.c' does not exist"),
    (["check", "a.c", "--timeout", "soon"], "'timeout' must be a non-negative number, not 'soon'"),
    (["check", "a.c", "--timeout", "-1"], "timeout"),
    (["check", "a.c", "--timeout", "nan"], "'timeout' must be"),
    (["check", "a.c", "--steps", "2.5"], "'steps' must be a non-negative integer, not '2.5'"),
    (["check", "a.c", "--engine", "magic"], "unknown engine 'magic' (engines: auto"),
    (["check", "a.c", "--engine", "infer"], "'infer' infers preconditions and checks no program (heapwright infer"),
    (["check", "a.c", "--property", "beauty"], "unknown property 'beauty'"),
    (["check", "a.c", "--property", "none.prp"], "cannot read 'none.prp': No such file"),
    (["check", "a.c", "--data-model", "LLP64"], "'data-model' must be one of LP64, ILP32"),
    (["check", "a.c", "--color", "red"], "'color' must be one of auto, always, never"),
    (["check", "a.c", "-q", "-v"], "not allowed with"),
    (["check", "a.c", "--json", "-", "--sarif", "-"], "--json - cannot be combined with --sarif -"),
    (["check", "a.c", "--json", "nowhere/out.json"], "cannot write 'nowhere/out.json'"),
    (["check", "a.c", "--json", "."], "cannot write '.'"),
    (["check", "a.c", "--witness", "a.c"], "not a directory"),
    (["check", "a.c", "--config", "none.toml"], "cannot read 'none.toml'"),
    (["check", "none.c"], "'none.c' does not exist"),
    (["check", "."], "'.' is a directory"),
    (["check", "a.c", "a\0b.c"], "cannot read"),
    (["lower", "none.c"], "'none.c' does not exist"),
    (["lower", "."], "'.' is a directory"),
    (["run", "none.c"], "'none.c' does not exist"),
    (["run", "a.c", "--seed", "x"], "--seed"),
    (["run", "a.c", "--choices", "1,two"], "'choices' must be integers separated by commas"),
]


@pytest.mark.parametrize(("arguments", "expected"), WRONG, ids=[" ".join(map(repr, w[0])) for w in WRONG])
def test_wrong_usage(heapwright: Heapwright, arguments: list[str], expected: str) -> None:
    Path("a.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    said = heapwright(*arguments)
    assert said.code == 2
    assert said.out == ""
    assert expected in said.err
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err


def test_unreadable_file(heapwright: Heapwright, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is unreadable to a superuser, so that the refusal of the system is played."""
    Path("a.c").write_text("", encoding="utf-8")
    system_open = Path.open

    def refusing_open(path: Path, *arguments: Any, **options: Any) -> Any:
        if path.name == "a.c":
            raise PermissionError(13, "Permission denied")
        return system_open(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", refusing_open)
    said = heapwright("check", "a.c")
    assert (said.code, said.err) == (2, "heapwright: error: cannot read 'a.c': Permission denied\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tiemout = 3", "unknown setting 'tiemout' (did you mean 'timeout'?)"),
        ("timeout = 'soon'", "'timeout' must be a non-negative number, not 'soon'"),
        ("timeout = true", "'timeout' must be a non-negative number, not True"),
        ("include = 3", "'include' must be a list of paths, not 3"),
        ("json = 'x'", "heapwright.toml:1:1: error: 'json' cannot be set in a file, only on the command line"),
        ("\n'confirm'=true", "heapwright.toml:2:1: error: 'confirm' cannot be set in a file"),
        ("timeout = ", "is not valid TOML"),
    ],
)
def test_wrong_configuration(heapwright: Heapwright, text: str, expected: str) -> None:
    Path("a.c").write_text("", encoding="utf-8")
    Path("heapwright.toml").write_text(text, encoding="utf-8")
    said = heapwright("check", "a.c")
    assert said.code == 2
    assert expected in said.err
    assert said.err.count("\n") == 1


def test_version(heapwright: Heapwright) -> None:
    assert heapwright("--version").out == f"heapwright {__version__}\n"


def test_help_lists_the_commands_that_there_are(heapwright: Heapwright) -> None:
    said = heapwright("--help")
    assert said.code == 0
    assert re.findall(r"^  (\w[\w-]*)  +", said.out, re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_commands(heapwright: Heapwright, command: str) -> None:
    said = heapwright(command, "--help")
    assert said.code == 0
    text = " ".join(said.out.split())
    codes = {**import_module(COMMANDS[command][0]).EXITS, **COMMON_EXITS}
    for code, meaning in codes.items():
        assert f"{code} {meaning}" in text


def test_exit_codes_differ_by_command(heapwright: Heapwright) -> None:
    said = " ".join(heapwright("run", "--help").out.split())
    assert "exit codes: 0 the run violates no check, 1 the run violates a check, 2 usage error" in said
    assert "proved" not in said.partition("exit codes")[2]


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("check", "--help")])
def test_a_closed_pipe_is_no_error(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "heapwright", *arguments]
    answer = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    os.close(writer)
    assert (answer.returncode, answer.stderr) == (141, "")
