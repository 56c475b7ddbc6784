"""The interface of engines: an engine turns a program and a goal into a result, within limits, and reports progress.

The smallest engine proves nothing:

    class Shrug(Declaration):
        name = "shrug"
        proves = frozenset()
        def analyze(self, program, goal, limits, progress):
            return Result(self.name, (), dropped=NO_RUNS)

An engine gives a verdict on every check that `goal.includes`; a check without a verdict is unknown. Its
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

if TYPE_CHECKING:  # the analysis of TVP specifications does not load the program representation
    from heapwright.program.checks import CheckKind, Goal
    from heapwright.program.graph import Program
    from heapwright.program.runs.snapshot import Snapshot
    from heapwright.result.outcomes import Outcome, Result


OptionKind = Literal["word", "path", "count", "flag", "list"]
OptionValue = str | int | bool | tuple[str, ...] | None


class Option(Immutable):
    """An option of an engine: a setting of users, and a keyword of the engine's constructor. `kind` is the type of its
    values: a `word` is one of the `choices`, a `count` a non-negative integer, a `flag` is on or off, a `list` is a
    tuple of texts; for a `path` the engine is given the parsed contents of the file."""

    name: str
    kind: OptionKind
    default: OptionValue
    help: str
    metavar: str = ""
    choices: tuple[str, ...] = ()
    former: str = ""  # its former name, which is still accepted

    @property
    def keyword(self) -> str:
        return self.name.replace("-", "_")

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
    interprets: ClassVar[bool] = False  # follows every command; others get a program without those of bytes
    draws: ClassVar[bool] = False  # has pictures of its invariant (`Result.invariants`)
    explains: ClassVar[bool] = False  # has topics on its proof (`Result.topics`)
    writes: ClassVar[bool] = False  # its topics say in their text what is known at a line
    reads_certificate: ClassVar[str | None] = None  # dotted path: a program and a part of a section to `ProofStates`
    implementation: ClassVar[str | None] = None


STEPS, OBJECTS = 10_000, 40


class Limits(Immutable):
    """Limits that an engine observes by itself. `deadline` is on the clock of `time.monotonic`; time and memory are
    also enforced from outside its process. The others are bounds of the concrete search; without them a run is bounded
    from its first choice on, by `STEPS` and `OBJECTS`."""

    deadline: float | None = None
    steps: int | None = None  # commands in one run
    objects: int | None = None  # heap blocks alive or referenced in one run
    input_objects: int = 4  # objects of an input heap
    values: int = 2  # integer inputs are tried from -values to values, and around constants of the program
    states: int = 2_000_000

    def expired(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline


class Progress(Protocol):
    """Progress reports of an engine. `update` is the current activity, `note` a line for verbose output; `found`
    reports an outcome immediately, so that it survives a limit."""

    def update(self, message: str) -> None: ...

    def note(self, message: str) -> None: ...

    def found(self, outcome: Outcome) -> None: ...


class NullProgress:
    """A progress that discards messages and collects outcomes."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    def update(self, message: str) -> None:
        pass

    def note(self, message: str) -> None:
        pass

    def found(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)


class ProofStates(Protocol):
    """An invariant from a certificate, and what its states distinguish: variables per location, fields of objects, and
    representative integer values of these."""

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        """Membership of a heap in the states at a location; None if undecided. False for a partial heap (pointers or
        integers without a value) is false for all its completions."""
        ...

    def undecided(self) -> bool:
        """Whether states distinguish unread input pointers from others. If not, `contains` is queried only for heaps
        without unread input pointers."""
        ...

    def pointers(self, location: int) -> tuple[str, ...]:
        """Pointer variables that the states at a location distinguish."""
        ...

    def nulls(self, location: int) -> tuple[str, ...]:
        """Dead pointer variables of which the states tell null from junk."""
        ...

    def numbers(self, location: int) -> Mapping[str, tuple[int, ...]]:
        """Integer variables that the states at a location distinguish, with representative values."""
        ...

    def fields(self) -> frozenset[tuple[str, str]]:
        """Pointer fields, by type and name."""
        ...

    def data(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        """Integer fields, by type and name, with representative values."""
        ...

    def kind(self, site: int) -> Hashable:
        """A key that is equal for allocation sites whose blocks the states do not distinguish."""
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
    def interprets(self) -> bool: ...

    @property
    def draws(self) -> bool: ...

    @property
    def reads_certificate(self) -> str | None: ...

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result: ...
