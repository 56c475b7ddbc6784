"""What an engine answers: a verdict per check, with what it rests on.

>>> verdict_of([], sound=True).value
'safe'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from heapwright.base.source import Span
from heapwright.program.checks import Check
from heapwright.program.graph import Assumption
from heapwright.program.heap_picture import HeapPicture
from heapwright.program.trace import Run, TraceStep

if TYPE_CHECKING:
    from heapwright.program.runs.snapshot import Snapshot


NO_RUNS = ""  # dropped: none


class Verdict(Enum):
    """Of one check."""

    PROVED = "proved"
    VIOLATED = "violated"
    UNKNOWN = "unknown"


class ProgramVerdict(Enum):
    SAFE = "safe"
    UNSAFE = "unsafe"
    UNKNOWN = "unknown"

    @property
    def exit_code(self) -> int:
        return {ProgramVerdict.SAFE: 0, ProgramVerdict.UNSAFE: 1, ProgramVerdict.UNKNOWN: 3}[self]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict on one check. `violated` comes with a run that rests on inputs alone; an `unknown` may come with a
    run that rests on approximations, and says why nothing better is known. An alarm of an abstraction has a `path`: the
    numbers of the program's edges on an abstract run that ends where the check may fail; and a `trace`: the same run
    for people, each step with what is known before it."""

    check: Check
    verdict: Verdict
    engine: str
    run: Run | None = None
    reason: str = ""
    path: tuple[int, ...] = ()
    trace: tuple[TraceStep, ...] = ()


@dataclass(frozen=True, slots=True)
class LocationInvariant:
    """What a proof knows at a location: an invariant over integers and pointers, as text; what C can say of it, ""
    where that is nothing; and how many structures tell the rest."""

    location: int
    span: Span
    function: str
    invariant: str
    expression: str
    structures: int
    loop_head: bool


@dataclass(frozen=True, slots=True)
class RefinementStep:
    """A path to a check that no run takes: its lines, what excludes it at each of its locations, and what was added to
    what is tracked."""

    check: str
    lines: tuple[int, ...]
    interpolants: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """How an analysis that refines found its proof, what it tracks of the heap, and what holds at each location."""

    refinements: tuple[RefinementStep, ...]
    tracked: tuple[str, ...]
    known: tuple[LocationInvariant, ...]


class States(Protocol):
    """What an engine knew at each location, as long as it is in the same process."""

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        """Whether a concrete heap is among those that may be there; None where that is not told."""
        ...


@runtime_checkable
class PrintableStates(Protocol):
    """States of an engine that does not draw what it knows, but can say it."""

    def lines(self, location: int) -> list[str]: ...


@dataclass(frozen=True)
class Section:
    """What an engine needs to have its proof checked by others: the checks that it proved, and its invariant as plain
    data (see docs/certificates.md), which goes from process to process and into a file. Each part is an invariant of
    its own; a heap must be in all of them."""

    engine: str
    claims: tuple[str, ...]
    parts: tuple[Mapping[str, Any], ...]


def section_of(engine: str, outcomes: Iterable[Outcome], parts: Iterable[Mapping[str, Any]]) -> tuple[Section, ...]:
    """The section of what an engine proved; none where that is nothing."""
    claims = tuple(outcome.check.id for outcome in outcomes if outcome.verdict is Verdict.PROVED)
    return (Section(engine, claims, tuple(parts)),) if claims else ()


@dataclass(frozen=True)
class Result:
    """`dropped` says which runs of the program the analysis left out, `NO_RUNS` if it followed all; no engine may leave
    that open. `complete`: the analysis reached its fixpoint. `limit` says what was cut and where. `unselected` has
    verdicts on checks that the goal does not select, but on which those depend that it does. `invariants` holds, per
    location, pictures of its abstract states, where the goal asks for them and the engine has them: the heaps that no
    picture stands for cannot be there, if the result is sound and complete."""

    engine: str
    outcomes: tuple[Outcome, ...]
    _: KW_ONLY
    dropped: str
    unselected: tuple[Outcome, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    stats: Mapping[str, float | int | str] = field(default_factory=dict)
    complete: bool = True
    limit: str = ""
    invariants: Mapping[int, tuple[HeapPicture, ...]] = field(default_factory=dict)
    states: States | None = None  # where the goal asks for an audit
    proof: Proof | None = None  # of an engine that refines
    sections: tuple[Section, ...] = ()  # where the goal asks for a certificate

    @property
    def sound(self) -> bool:
        """Whether no run was dropped."""
        return not self.dropped

    @property
    def verdict(self) -> ProgramVerdict:
        return verdict_of((outcome.verdict for outcome in self.outcomes), self.sound)

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        """Whether a concrete heap may be there; None where the engine does not tell. An audit asks this of the heaps
        of real runs: no is a wrong answer."""
        return None if self.states is None else self.states.contains(location, heap)


def verdict_of(verdicts: Iterable[Verdict], sound: bool) -> ProgramVerdict:
    found = set(verdicts)
    if Verdict.VIOLATED in found:
        return ProgramVerdict.UNSAFE
    return ProgramVerdict.SAFE if sound and Verdict.UNKNOWN not in found else ProgramVerdict.UNKNOWN
