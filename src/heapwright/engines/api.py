"""The interface of engines: an engine turns a program and a goal into a result, within limits, and reports progress.

The smallest engine proves nothing:

    class Shrug(Declaration):
        name = "shrug"
        proves = frozenset()
        def analyze(self, program, goal, limits, progress):
            return Result(self.name, (), dropped=NO_RUNS)

An engine answers for every check that the goal asks about (`goal.asks`); one that it is silent about is unknown. Its
capabilities and options are class data (`Declaration`). They are known without importing the analysis if the registry
names a declaration in a module of its own, of which the engine is a subclass:

    class ShrugDeclaration(Declaration):
        name = "shrug"
        proves = frozenset()
        options = (Option("shoulders", "count", 2, "how many are shrugged"),)
        implementation = "shrug.engine:Shrug"
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from heapwright.base.immutable import Immutable

if TYPE_CHECKING:  # specifications are analysed without what programs are made of
    from heapwright.program.checks import CheckKind, Goal
    from heapwright.program.graph import Program
    from heapwright.program.runs.snapshot import Snapshot
    from heapwright.result.outcomes import Outcome, Result


OptionKind = Literal["word", "path", "count", "flag", "list"]
OptionValue = str | int | bool | tuple[str, ...] | None


class Option(Immutable):
    """Something that an engine can be tuned with: a setting of users, and a keyword of the engine's constructor. `kind`
    is the type of its values: a `word` is one of the `choices`, a `count` a whole number from 0, a `flag` is on or off,
    a `list` is a tuple of texts; of a `path` the engine is given what was read from there."""

    name: str
    kind: OptionKind
    default: OptionValue
    help: str
    metavar: str = ""
    choices: tuple[str, ...] = ()

    def accepts(self, value: object) -> bool:
        """Whether the value has the type of the option.

        >>> option = Option("shoulders", "count", 2, "how many are shrugged")
        >>> option.accepts(1), option.accepts("1")
        (True, False)
        """
        match self.kind, value:
            case ("flag", bool()) | ("path", _):
                return True
            case "count", int():
                return not isinstance(value, bool) and value >= 0
            case "list", tuple():
                return all(isinstance(one, str) for one in value)
            case "word", str():
                return value in self.choices
        return value is self.default


class Declaration:
    """Capabilities and options of an engine, as class data. The engine is a subclass: the declaration itself, or, where
    the declaration must be cheap to import, another class, whose dotted path is the `implementation`."""

    name: ClassVar[str]
    proves: ClassVar[frozenset[CheckKind]]  # checks of other kinds stay unknown
    options: ClassVar[tuple[Option, ...]] = ()
    draws: ClassVar[bool] = False  # has pictures of its invariant (`Result.invariants`)
    reads_certificate: ClassVar[str | None] = None  # dotted path: a program and a part of a section to `ProofStates`
    implementation: ClassVar[str | None] = None


class Limits(Immutable):
    """Bounds that an engine keeps by itself. `deadline` is on the clock of `time.monotonic`; the process that runs an
    engine also enforces time and memory from outside. The rest bounds a search."""

    deadline: float | None = None
    steps: int = 10_000  # commands in one run
    objects: int = 40  # heap blocks alive or referenced in one run
    input_objects: int = 4  # objects of an input heap
    values: int = 2  # integer inputs are tried from -values to values, and around constants of the program
    states: int = 2_000_000

    def expired(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline


class Progress(Protocol):
    """Where an engine tells what it does. `note` is of a step that deserves a line of its own where a user asked for
    details. `found` passes on an outcome at once, so that it survives a limit."""

    def update(self, message: str) -> None: ...

    def note(self, message: str) -> None: ...

    def found(self, outcome: Outcome) -> None: ...


class NullProgress:
    """A progress that keeps what was found and shows nothing."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    def update(self, message: str) -> None:
        pass

    def note(self, message: str) -> None:
        pass

    def found(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)


class ProofStates(Protocol):
    """An invariant that was read back from a certificate, and what it distinguishes: which variables matter at a
    location, which fields of objects do, and which numbers of those are worth a try."""

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        """Whether a heap may be there; None where that is not told. No to a heap with pointers that are not told or
        numbers that may be anything is a no to all that it may become."""
        ...

    def undecided(self) -> bool:
        """Whether states tell pointers of an input heap that nobody has looked at from others. If not, `contains` is
        asked only about heaps without such pointers."""
        ...

    def pointers(self, location: int) -> tuple[str, ...]: ...

    def numbers(self, location: int) -> Mapping[str, tuple[int, ...]]: ...

    def fields(self) -> frozenset[tuple[str, str]]:
        """Pointer fields, by type and name."""
        ...

    def data(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        """Integer fields, with numbers."""
        ...

    def kind(self, site: int) -> Hashable:
        """What matters of the blocks that the edge of that number makes."""
        ...


class Engine(Protocol):
    """A declaration (see `Declaration`) with an analysis."""

    @property
    def name(self) -> str: ...

    @property
    def proves(self) -> frozenset[CheckKind]: ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    @property
    def draws(self) -> bool: ...

    @property
    def reads_certificate(self) -> str | None: ...

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result: ...
