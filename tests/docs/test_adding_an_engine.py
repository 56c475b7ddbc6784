"""The engine in docs/adding-an-engine.md works as it stands there."""

from __future__ import annotations

import re
from typing import Any

from support.paths import ROOT

from heapwright.analysis.judgement import run_engine
from heapwright.base.source import Span
from heapwright.engines.api import Engine, Limits, NullProgress
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.commands import Command, Free, Skip
from heapwright.program.graph import Edge, Entry, Graph, Location, Program
from heapwright.result.outcomes import Verdict

DOCUMENT = ROOT / "docs" / "adding-an-engine.md"


def documented_engine() -> Engine:
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    (code,) = [block for block in blocks if "class Reach(" in block]
    names: dict[str, Any] = {}
    exec(compile(code, str(DOCUMENT), "exec"), names)
    engine: Engine = names["Reach"]()
    return engine


def program() -> Program:
    """A free that is reached, and one that is not."""
    checks = [Check(CheckKind.DOUBLE_FREE, Span("a.c", line, 1), "main", "x") for line in (1, 2)]
    locations = tuple(Location(i, Span("a.c", i + 1, 1), "main") for i in range(3))
    edges: tuple[Edge[Command], ...] = (
        Edge(0, Free("x"), 1, (checks[0],)),
        Edge(2, Free("x"), 1, (checks[1],)),
        Edge(0, Skip(), 1),
    )
    return Program(Graph(locations, edges, 0), {}, {}, Entry())


def test_the_documented_engine() -> None:
    engine = documented_engine()
    result = run_engine(engine, program(), Goal(), Limits(), NullProgress())
    assert engine.name == "reach"
    assert [outcome.verdict for outcome in result.outcomes] == [Verdict.UNKNOWN, Verdict.PROVED]
