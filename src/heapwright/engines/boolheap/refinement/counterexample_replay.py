"""Whether an alarm is real: runs of the program along the abstract one.

Only the edges of the abstract run are kept, so that a random run that goes on at all goes where the alarm is. What is
found here decides only whether more predicates are worth while; a violation is told by those who show its run.

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
LONGER = 4  # a run may take so many times the steps of the abstract one


def is_feasible(program: Program, check: str, path: Sequence[int]) -> bool:
    """Whether one of some runs along the path breaks the check, and rests on inputs alone."""
    if check not in {one.id for one in program.checks}:
        return False  # a claim about ghosts, which no run has
    kept, graph = frozenset(path), program.graph
    edges = tuple(edge for number, edge in enumerate(graph.edges) if number in kept)
    part = replace(program, graph=Graph(graph.locations, edges, graph.entry))
    goal = Goal(only=frozenset((check,)))
    for seed in range(RUNS):
        found = run(part, goal, RandomChoices(seed), max_steps=LONGER * len(path))
        if found.violation is not None and found.violation.check.id == check and found.exact:
            return True
    return False
