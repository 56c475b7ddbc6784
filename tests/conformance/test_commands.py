"""Every engine handles or refuses every kind of command by name.

A `case _` that forgets makes a new kind of command a step that changes nothing, and then proofs are wrong. So the suite
has programs with every kind of command, a command that no engine has heard of stops each of them, and their sources
have no dispatch over commands that ends in a wildcard.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import pytest
from support.assembler import assemble

import heapwright
from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import build
from heapwright.engines import ENGINES, load_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.program.commands import Command, Skip
from heapwright.program.graph import Graph
from heapwright.result.outcomes import Verdict
from heapwright.testing.conformance import PROGRAMS
from heapwright.testing.expectations import read

PACKAGE = Path(heapwright.__file__).parent
KINDS = frozenset(kind.__name__ for kind in get_args(Command))
BYTES = frozenset(("Copy", "Fill"))  # steps that are not modelled for engines that are no interpreters
QUESTION = len(KINDS) // 3  # a match that names no more kinds asks about these, and is no dispatch


def test_the_programs_of_the_suite_have_every_kind_of_command() -> None:
    found: set[str] = set()
    for path in PROGRAMS:
        program = build(read(path).input(path), phase=lambda message: None)
        found |= {type(edge.command).__name__ for edge in program.graph.edges}
    assert found == KINDS - BYTES


# --- an unknown command ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unheard:
    """Changes `target`, in a way that no engine has heard of."""

    target: str


TEXT = """
type node 16: next@0 -> node, data@8: i32
var p -> node
var i: i32
p = new node
skip here
p.data = 1
i = p.data
free p
"""


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_a_kind_that_an_engine_has_not_heard_of_proves_nothing(engine: str) -> None:
    program = assemble(TEXT)
    known = run_engine(load_engine(engine), program, Goal(), Limits(), NullProgress())
    assert Verdict.PROVED in {outcome.verdict for outcome in known.outcomes}
    foreign: Any = Unheard("p")
    edges = tuple(
        replace(edge, command=foreign) if isinstance(edge.command, Skip) and edge.command.note == "here" else edge
        for edge in program.graph.edges
    )
    assert edges != program.graph.edges
    strange = replace(program, graph=Graph(program.graph.locations, edges, program.graph.entry))
    try:
        result = run_engine(load_engine(engine), strange, Goal(), Limits(), NullProgress())
    except Exception:
        return  # an internal error is no answer
    assert Verdict.PROVED not in {outcome.verdict for outcome in result.outcomes}


# --- what the sources say --------------------------------------------------------------------------------------------


def kinds_of(pattern: ast.pattern) -> frozenset[str] | None:
    """The kinds of commands that a pattern names; None if it is about something else."""
    match pattern:
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return kinds_of(inner)
        case ast.MatchOr(patterns=patterns):
            parts = [kinds_of(one) for one in patterns]
            named = [part for part in parts if part is not None]
            return frozenset().union(*named) if len(named) == len(parts) else None
        case ast.MatchClass(cls=ast.Name(id=name) | ast.Attribute(attr=name)) if name in KINDS:
            return frozenset({name})
    return None


def dispatches(text: str) -> Iterator[tuple[int, frozenset[str], bool]]:
    """The matches over commands: line, the kinds that they name, and whether there is a wildcard."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Match):
            continue
        wild = [case for case in node.cases if isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None]
        named = [kinds_of(case.pattern) for case in node.cases if case not in wild]
        if named and None not in named:
            yield node.lineno, frozenset().union(*(one for one in named if one is not None)), bool(wild)


def forgetful(text: str) -> list[int]:
    """Lines of dispatches that end in a wildcard without naming every kind."""
    return [line for line, named, wild in dispatches(text) if wild and QUESTION < len(named) < len(KINDS)]


def sources(engine: str) -> list[Path]:
    """The modules in which the commands of an engine are interpreted; those of `explore` are the semantics itself."""
    folder = ENGINES[engine].split(".")[2]
    return sorted((PACKAGE / ("program/semantics" if engine == "explore" else f"engines/{folder}")).rglob("*.py"))


@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_dispatches_name_every_kind(engine: str) -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in sources(engine)}
    assert any(named == KINDS for text in texts.values() for _, named, _ in dispatches(text)), "no dispatch is total"
    assert not {str(path): lines for path, text in texts.items() if (lines := forgetful(text))}


def test_classical_analyses_name_every_kind() -> None:
    for path in sorted((PACKAGE / "program" / "dataflow").rglob("*.py")):
        assert not forgetful(path.read_text(encoding="utf-8")), path


def test_a_dispatch_that_forgets_is_found() -> None:
    cases = "".join(f"        case {kind}():\n            return 1\n" for kind in sorted(KINDS)[:-1])
    text = f"def f(command):\n    match command:\n{cases}        case _:\n            return 0\n"
    assert forgetful(text) == [2]
    assert forgetful(text.replace("case _", f"case {max(KINDS)}()")) == []
