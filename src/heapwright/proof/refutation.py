"""The result of checking a section: its extent, and a refutation if the invariant is not inductive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heapwright.program.checks import Check
from heapwright.program.commands import Command
from heapwright.program.graph import Edge, Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.semantics.state import State


class DeadlineExceeded(Exception):
    """The deadline has passed."""


@dataclass(frozen=True)
class Refutation:
    """A counterexample to an invariant: the step over `edge` from `before`, which is in it, to `after`, which is not,
    or which violates the claimed `check`. Without an edge, `after` is the heap at the entry."""

    engine: str
    before: State | None
    edge: Edge[Command] | None
    after: State
    check: Check | None = None

    @staticmethod
    def missing_heap(program: Program, engine: str, before: State | None, after: State) -> Refutation:
        edges = program.graph.successors[before.location] if before is not None else ()
        return Refutation(engine, before, next((e for e in edges if e.target == after.location), None), after)

    @staticmethod
    def failed_check(machine: Machine, engine: str, before: State, after: State, check: Check) -> Refutation:
        edges = machine.program.graph.successors[before.location]
        edge = next((e for e in edges if check in e.checks or getattr(e.command, "check", None) == check), edges[0])
        return Refutation(engine, before, edge, after, check)


@dataclass(frozen=True)
class SectionCheck:
    """The extent to which a section was checked: `checked_objects` maps each location with successors to the largest
    number of objects up to which all heaps were checked (-1: none)."""

    engine: str
    claims: tuple[str, ...]
    checked_objects: Mapping[int, int] = field(default_factory=dict)
    heaps: int = 0
    steps: int = 0
    undecided_heaps: int = 0  # heaps whose membership the engine does not decide
    refutation: Refutation | None = None
    incomplete: str = ""  # why not all heaps were enumerated
    sampled_integers: bool = False  # not all integer values were tried
    timed_out: bool = False

    def locations(self, objects: int) -> int:
        """The number of locations that were checked up to that many objects."""
        return sum(reached >= objects for reached in self.checked_objects.values())

    def whole(self, objects: int) -> bool:
        """Whether all heaps of up to that many objects were checked at all locations."""
        return (
            self.refutation is None
            and not self.incomplete
            and not self.timed_out
            and self.locations(objects) == len(self.checked_objects)
        )
