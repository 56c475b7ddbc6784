"""Integers that are read for the next step are read in that step.

Lowering turns `assert(x->data > k)` into `$2 = x.data` and a comparison of `$2` and `k`, and no predicate is about
`$2`. Its weakest precondition over both commands at once is about `x.data`: a location that one edge leads to, which
only gives a value to an integer, is passed without executing the edge, and every edge from there executes both.

    steps, waiting = folded(graph, steps)
    waiting[location].set, waiting[location].read       # what does not have its value there, and what it is read from
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heapwright.engines.boolheap.abstraction.obligations import Obligation
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.command_translation import Alternatives
from heapwright.engines.boolheap.logic.heap_commands import Count, HeapCommand, Suppose
from heapwright.engines.boolheap.logic.weakest_preconditions import hwp
from heapwright.logic.connectives import TRUE
from heapwright.program.commands import Command
from heapwright.program.graph import Graph

LONGEST = 6  # commands that wait at a location


@dataclass(frozen=True, slots=True)
class FoldedStep:
    alternatives: Alternatives
    obligations: tuple[Obligation, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """The integers that do not have their values yet, and the variables that they are read from."""

    set: frozenset[str]
    read: frozenset[str]


def folded(
    graph: Graph[Command], steps: Sequence[FoldedStep], longest: int = LONGEST
) -> tuple[tuple[FoldedStep, ...], tuple[Waiting, ...]]:
    """The steps, folded, and what waits at each location."""
    into: list[list[int]] = [[] for _ in graph.locations]
    for number, edge in enumerate(graph.edges):
        into[edge.target].append(number)
    waiting: dict[int, tuple[HeapCommand, ...]] = {graph.entry: ()}

    def at(location: int) -> tuple[HeapCommand, ...]:
        chain = []
        while location not in waiting:
            chain.append(location)
            edges = into[location]
            if len(edges) != 1 or not _reads(steps[edges[0]]) or graph.edges[edges[0]].source in chain:
                waiting[location] = ()
                break
            location = graph.edges[edges[0]].source
        for one in reversed(chain):
            if one not in waiting:
                (number,) = into[one]
                before = waiting[graph.edges[number].source]
                waiting[one] = () if len(before) > longest else (*before, *steps[number].alternatives[0])
        return waiting[chain[0] if chain else location]

    found = []
    for edge, step in zip(graph.edges, steps, strict=True):
        before, after = at(edge.source), at(edge.target)
        found.append(_after(before, step, drops=bool(after)))
    return tuple(found), tuple(_waiting(at(location)) for location in range(len(graph.locations)))


def _waiting(commands: tuple[HeapCommand, ...]) -> Waiting:
    read: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()
    for command in commands:
        match command:
            case Count(variable, value):
                written |= {variable}
                read |= frozenset() if value is None else f.names_of(f.Same(value, f.Constant(0)))
            case Suppose(formula):
                read |= f.names_of(formula)
    return Waiting(written, read - written)


def _reads(step: FoldedStep) -> bool:
    """Whether a step does nothing but give a value to an integer."""
    if len(step.alternatives) != 1 or any(one.after for one in step.obligations):
        return False
    counts = [one for one in step.alternatives[0] if not isinstance(one, Suppose)]
    return len(counts) == 1 and isinstance(counts[0], Count)


def _after(before: tuple[HeapCommand, ...], step: FoldedStep, drops: bool) -> FoldedStep:
    """The step behind the commands that wait before it. If it `drops` what it reads, that waits, too, and so do they:
    then the step only supposes what it supposes."""
    obligations = tuple(_before(before, one) for one in step.obligations)
    alternatives = tuple((*before, *commands) for commands in step.alternatives)
    if drops:
        alternatives = tuple((Suppose(hwp(commands, TRUE).supposed),) for commands in alternatives)
    return FoldedStep(alternatives, obligations)


def _before(commands: tuple[HeapCommand, ...], obligation: Obligation) -> Obligation:
    if not commands or obligation.after:
        return obligation
    closed, everywhere = hwp(commands, obligation.closed), hwp(commands, obligation.everywhere)
    return replace(
        obligation,
        closed=f.implies(closed.supposed, closed.formula),
        everywhere=f.implies(everywhere.supposed, everywhere.formula),
    )
