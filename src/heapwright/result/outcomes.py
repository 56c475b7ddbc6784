"""Results of an engine: a verdict per check, with assumptions.

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
    from heapwright.result.explanation import Picture, Topic


NO_RUNS = ""  # value of `Result.dropped` when every run was analysed


class Verdict(Enum):
    """Verdict on one check. Proved: no run violates it. Masked: no run reaches it, and a check before it is violated or
    unknown; engines do not give this verdict, `analysis/judgement.py` derives it."""

    PROVED = "proved"
    VIOLATED = "violated"
    MASKED = "masked"
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
    """The verdict on one check. A `violated` check has an exact run: all its choices are inputs. An `unknown` check has
    a `reason`, and may have a run that depends on approximations. An alarm has an abstract counterexample: `path` lists
    the numbers of its edges, `trace` its steps for people, each with the abstract state before it."""

    check: Check
    verdict: Verdict
    engine: str
    run: Run | None = None
    reason: str = ""
    path: tuple[int, ...] = ()
    trace: tuple[TraceStep, ...] = ()


@dataclass(frozen=True, slots=True)
class LocationInvariant:
    """The invariant of a proof at one location: its formula over integers and pointers; a C expression that it implies
    ("" if there is none); and the number of 3-valued structures beside it."""

    location: int
    span: Span
    function: str
    invariant: str
    expression: str
    structures: int
    loop_head: bool


@dataclass(frozen=True, slots=True)
class RefinementStep:
    """One refinement: the lines of a spurious counterexample, an interpolant per location, and the precision that was
    added."""

    check: str
    lines: tuple[int, ...]
    interpolants: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof of an engine that refines: its refinements, its shape precision, and the invariant per location."""

    refinements: tuple[RefinementStep, ...]
    shape_precision: tuple[str, ...]
    invariants: tuple[LocationInvariant, ...]


class States(Protocol):
    """Abstract states per location, in the process of the engine."""

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        """Membership of a concrete heap in the concretisation of the states at a location; None if undecided."""
        ...


def contained(states: States, location: int, heap: Snapshot) -> bool | None:
    """Membership of a concrete heap in states; undecided where an engine excludes it and it has members that share
    bytes."""
    answer = states.contains(location, heap)
    return None if answer is False and heap.overlaid else answer


@runtime_checkable
class PrintableStates(Protocol):
    """Abstract states that are printed as text, by an engine without pictures."""

    def lines(self, location: int) -> list[str]: ...


@dataclass(frozen=True)
class Section:
    """The section of one engine in a certificate: the checks that it claims proved, and its invariant as plain data
    (docs/certificates.md). The invariant is the conjunction of `parts`: a heap must be in each."""

    engine: str
    claims: tuple[str, ...]
    parts: tuple[Mapping[str, Any], ...]


def section_of(engine: str, outcomes: Iterable[Outcome], parts: Iterable[Mapping[str, Any]]) -> tuple[Section, ...]:
    """The section of an engine; empty if it proved nothing."""
    claims = tuple(outcome.check.id for outcome in outcomes if outcome.verdict is Verdict.PROVED)
    return (Section(engine, claims, tuple(parts)),) if claims else ()


@dataclass(frozen=True)
class Result:
    """The result of an engine. `dropped` names the runs that the analysis left out (`NO_RUNS`: none) and must be given.
    `complete`: the analysis reached its fixpoint. `limit` names the limit that was reached, and where. `unselected` has
    the verdicts on checks that are not selected but end a run if they fail. `unreached` has the locations that no run
    reaches (the engine has no state there); it counts only if the result is sound and complete, and an engine that
    cannot tell leaves it empty. `invariants` maps locations to pictures of their abstract states, if the goal requests
    them and the engine draws; they cover all reachable heaps if the result is sound and complete.
    `predecessors` has for each of these pictures all pictures that a step makes it from; it is empty if they are not
    known. `topics` is what the engine says of its proof, if the goal requests pictures."""

    engine: str
    outcomes: tuple[Outcome, ...]
    _: KW_ONLY
    dropped: str
    unselected: tuple[Outcome, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    stats: Mapping[str, float | int | str] = field(default_factory=dict)
    complete: bool = True
    limit: str = ""
    unreached: frozenset[int] = frozenset()
    invariants: Mapping[int, tuple[HeapPicture, ...]] = field(default_factory=dict)
    predecessors: Mapping[int, tuple[tuple[Picture, ...], ...]] = field(default_factory=dict)
    topics: tuple[Topic, ...] = ()
    states: States | None = None  # if the goal requests an audit
    proof: Proof | None = None  # of an engine that refines
    sections: tuple[Section, ...] = ()  # if the goal requests a certificate
    remarks: tuple[tuple[str, str], ...] = ()  # of a merged result: each engine, and what it left open and why

    @property
    def sound(self) -> bool:
        """Whether no run was dropped."""
        return not self.dropped

    @property
    def verdict(self) -> ProgramVerdict:
        return verdict_of((outcome.verdict for outcome in self.outcomes), self.sound)

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        """Membership of a concrete heap in the states at a location; None if undecided. False for a heap of a run is
        unsound: audits test for it."""
        return None if self.states is None else contained(self.states, location, heap)


def verdict_of(verdicts: Iterable[Verdict], sound: bool) -> ProgramVerdict:
    found = set(verdicts)
    if Verdict.VIOLATED in found:
        return ProgramVerdict.UNSAFE
    return ProgramVerdict.SAFE if sound and found <= {Verdict.PROVED} else ProgramVerdict.UNKNOWN
