"""Options by their former names: accepted, with a note on standard error, and named alike on all commands."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from heapwright.cli import COMMANDS, main
from heapwright.cli.parser import Parser
from heapwright.settings.config_files import load

SOURCE = """#include <stdlib.h>
struct node { struct node *next; };
int main(void) {
    struct node *list = malloc(sizeof *list);
    list->next = 0;
    free(list);
    return 0;
}
"""


def parser_of(command: str) -> Parser:
    parser = Parser(prog=f"heapwright {command}")
    import_module(COMMANDS[command][0]).add_arguments(parser)
    return parser


@pytest.mark.parametrize(
    ("command", "files", "former", "present", "value"),
    [
        ("check", ["a.c"], "--predicates", "--predicate-file", "more.tvp"),
        ("check", ["a.c"], "--refine", "--focus", "meet"),
        ("show", ["a.c"], "--predicates", "--predicate-file", "more.tvp"),
        ("audit", ["a.c"], "--refine", "--focus", "meet"),
        ("tvp", ["a", "b"], "--refine", "--focus", "meet"),
        ("boolheap", ["a.c"], "--refine", "--refinements", "3"),
        ("fuzz", ["a.c"], "--engines", "--engine", "tvl,fesa"),
        ("run", ["a.c"], "--max-steps", "--steps", "9"),
    ],
)
def test_a_former_name_means_the_present_one(
    command: str, files: list[str], former: str, present: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = parser_of(command).parse_all([*files, present, value])
    assert capsys.readouterr().err == ""
    for arguments in ([former, value], [f"{former}={value}"]):
        assert parser_of(command).parse_all([*files, *arguments]) == expected
        assert capsys.readouterr().err == f"heapwright: note: '{former}' is now called '{present}'\n"


@pytest.mark.parametrize("former", ["--engines", "--max-steps", "--predicates", "--refine"])
def test_no_command_lists_a_former_name(former: str) -> None:
    for command in COMMANDS:
        assert former not in parser_of(command)._option_string_actions


def test_one_name_has_one_meaning() -> None:
    """Options of the same name take the same kind of value on all commands."""
    metavars: dict[str, set[tuple[str, ...]]] = {}
    for command in COMMANDS:
        for name, action in parser_of(command)._option_string_actions.items():
            if name in ("--predicate", "--predicate-file", "--refinements"):
                metavars.setdefault(name, set()).add((str(action.metavar),))
    assert metavars == {"--predicate": {("P",)}, "--predicate-file": {("FILE",)}, "--refinements": {("N",)}}


def test_a_former_way_to_ask_for_predicates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(SOURCE, encoding="utf-8")
    assert main(["check", "a.c", "--show-predicates"]) == 0
    now = capsys.readouterr()
    assert "list(v)" in now.out
    assert main(["check", "a.c", "--predicates", "show"]) == 0
    before = capsys.readouterr()
    assert before.out == now.out
    assert "'--predicates' is now called '--predicate-file'" in before.err


def test_a_former_name_in_a_configuration_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "heapwright.toml"
    path.write_text('refine = "meet"\n', encoding="utf-8")
    assert load(path) == {"focus": "meet"}
    assert capsys.readouterr().err == f"heapwright: note: 'refine' in '{path}' is now called 'focus'\n"
