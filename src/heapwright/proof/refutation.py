"""What the check of a section found: how far it went, and the step that shows that it is no proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heapwright.program.checks import Check
from heapwright.program.commands import Command
from heapwright.program.graph import Edge, Program
from heapwright.program.semantics.state import State


class DeadlineExceeded(Exception):
    """The deadline has passed."""


@dataclass(frozen=True)
class Refutation:
    """Why a section is no proof. `before` steps over `edge` into `after`, which the state at its location does not
    contain, or breaks `check` on it; without an edge, `after` is the heap at the entry."""

    engine: str
    before: State | None
    edge: Edge[Command] | None
    after: State
    check: Check | None = None

    @staticmethod
    def missing_heap(program: Program, engine: str, before: State | None, after: State) -> Refutation:
        edges = program.graph.successors[before.location] if before is not None else ()
        return Refutation(engine, before, next((e for e in edges if e.target == after.location), None), after)


@dataclass(frozen=True)
class SectionCheck:
    """How far a section was checked: `upto` says, of each location from which something leads on, up to how many
    objects (-1: not even the empty heap)."""

    engine: str
    claims: tuple[str, ...]
    upto: Mapping[int, int] = field(default_factory=dict)
    heaps: int = 0
    steps: int = 0
    untold: int = 0  # heaps of which the engine does not tell whether they may be there
    failure: Refutation | None = None
    beyond: str = ""  # what was looked at instead of all heaps, and why
    some_numbers: bool = False  # of numbers that matter only some were tried
    late: bool = False

    def locations(self, objects: int) -> int:
        """How many were checked up to so many objects."""
        return sum(reached >= objects for reached in self.upto.values())

    def whole(self, objects: int) -> bool:
        """Whether nothing was left out."""
        return self.failure is None and not self.beyond and not self.late and self.locations(objects) == len(self.upto)
