"""Runs as data: the choices that determine a run, its steps and its heaps.

Everything here can be pickled and written to JSON. A run is replayed from its choices alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from heapwright.base.source import Span
from heapwright.program.checks import Check
from heapwright.program.heap_picture import HeapPicture


class ChoiceKind(Enum):
    INPUT = "input"  # a nondeterministic value, a failing malloc, an uninitialised scalar, an input heap
    APPROXIMATE = "approximate"  # replaces a value that lowering or the memory model leaves open


@dataclass(frozen=True, slots=True)
class Choice:
    """One nondeterministic choice. `source` is its origin: a function's name (`__VERIFIER_nondet_int`), `malloc` (1: it
    fails), `uninitialised`, `address` (a comparison that may go either way), `address of realloc` (0: the old one),
    `input pointer` (0 null, 1 a new object, 2.. the (value-2)nd input object of that type), `input data`, or
    `approximation`."""

    kind: ChoiceKind
    source: str
    value: int
    span: Span
    block: int = -1  # of an uninitialised or input field: number of the heap block, counted from 0 as allocated
    offset: int = 0  # ... and byte offset and size in it
    size: int = 0
    target: int = -1  # of an input pointer that is not null: number of the heap block that it points to
    target_offset: int = 0  # ... the byte offset in it, where it points to a part
    type: str = ""  # ... and the type of the object that was created for it


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step at a source line. `text` describes it in source terms, `notes` lists relevant values."""

    span: Span
    function: str
    text: str
    notes: tuple[str, ...] = ()
    choice: Choice | None = None
    heap: HeapPicture | None = None
    important: bool = False  # kept when the run is folded


@dataclass(frozen=True, slots=True)
class Violation:
    """`message` describes the failure; the spans are those of allocation and end of lifetime, `holder` is the variable
    or field that held the pointer."""

    check: Check
    message: str
    holder: str = ""
    allocated: Span | None = None
    freed: Span | None = None
    block: int = -1  # number of the heap block concerned


class Ending(Enum):
    EXIT = "exit"  # main returned, or exit() was called
    VIOLATION = "violation"
    BLOCKED = "blocked"  # no edge could be taken: an assumption did not hold
    CUT = "cut"  # a bound was reached


@dataclass(frozen=True, slots=True)
class Run:
    """`violation` is the failure of a selected check at which the run ends, or at which it is cut. A leak does not end
    a run: `leaks` has the run up to the first leak of each check on the way, with its choices and without its steps."""

    choices: tuple[Choice, ...]
    steps: tuple[TraceStep, ...]
    ending: Ending
    violation: Violation | None = None
    reason: str = ""  # of BLOCKED and CUT
    leaks: tuple[Run, ...] = ()
    length: int = 0  # the number of steps of the interpreter, if the run was traced

    @property
    def exact(self) -> bool:
        """Whether the run depends on inputs alone, and on no approximation."""
        return all(choice.kind is ChoiceKind.INPUT for choice in self.choices)

    @property
    def failures(self) -> tuple[tuple[Violation, Run], ...]:
        """All violations of the run, each with the run up to it."""
        found = [(one.violation, one) for one in (*self.leaks, self)]
        return tuple((violation, run) for violation, run in found if violation is not None)
