"""Alarm feasibility: random concrete runs restricted to the edges of the abstract counterexample.

The result decides only whether to refine; violations are reported by other engines, with their runs.

    is_feasible(program, "list.c:9:5:null-deref", alarm.path())
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Graph, Program
from heapwright.program.runs.interpreter import run

RUNS = 40
LONGER = 4  # maximum length of a run, as a multiple of the path


def is_feasible(program: Program, check: str, path: Sequence[int]) -> bool:
    """Whether a random run along the path violates the check without approximate choices."""
    if check not in {one.id for one in program.checks}:
        return False  # a claim about ghost predicates, which concrete states do not have
    kept, graph = frozenset(path), program.graph
    edges = tuple(edge for number, edge in enumerate(graph.edges) if number in kept)
    part = replace(program, graph=Graph(graph.locations, edges, graph.entry))
    goal = Goal(only=frozenset((check,)))
    for seed in range(RUNS):
        found = run(part, goal, RandomChoices(seed), max_steps=LONGER * len(path))
        if any(violation.check.id == check and made.exact for violation, made in found.failures):
            return True
    return False
