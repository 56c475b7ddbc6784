"""The state of a run: variables, objects in blocks, symbolic inputs, and the choices made so far.

Objects are shared between copies of a state and copied on write (each object has the token of the copy that may write
it):

    twin = state.copy()             # cheap: no object is copied
    twin.own(number).fields[0] = 7  # now one is
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple, Protocol

from heapwright.base.source import Span
from heapwright.program.checks import Check, CheckKind
from heapwright.program.choices import ChoiceRequest, ChoiceSource
from heapwright.program.commands import Command
from heapwright.program.graph import Edge
from heapwright.program.semantics.objects import (
    NULL,
    Block,
    Layout,
    MemoryObject,
    Number,
    PointerValue,
    Symbol,
)
from heapwright.program.trace import Choice, Ending
from heapwright.program.types import ValueKind


class Range(NamedTuple):
    """The range of a symbolic input. `splits` counts how often it was narrowed, `used` whether it was read; `parts` are
    the inputs that are its bytes, if it was split into them."""

    low: int
    high: int
    excluded: frozenset[int] = frozenset()
    used: bool = False
    splits: int = 0
    request: ChoiceRequest | None = None
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of a search; None: no bound."""

    objects: int | None = None
    input_objects: int | None = None
    values: int = 2
    splits: int = 16  # comparisons with different constants that narrow one symbolic input before it gets a value


class Garbage(Enum):
    """Lost blocks that stay in a state, for the few features that read them: cleanup checks, `all_reachable`, and
    pictures."""

    NONE = "none"
    ONE_OF_EACH_TYPE = "one of each type"
    ALL = "all"


class Console(Protocol):
    """The surroundings of a program that is executed."""

    def request(self, name: str, text: bytes, operands: Sequence[int]) -> None: ...


@dataclass
class SearchContext:
    """Data that all states of one search share. `hits` has each bound that was reached, with the span of the first
    hit."""

    layouts: Mapping[str, Layout]
    untyped: Layout
    view: Layout  # of the bytes of a block
    arrays_of_objects: Mapping[str, Layout]
    arrays_of_scalars: Mapping[tuple[ValueKind, int], Layout]
    bounds: Bounds
    constants: Mapping[tuple[str, str], tuple[int, ...]]  # by ("", variable), (type, field) or (type, "[]")
    pointer_variables: tuple[int, ...]
    source_pointers: tuple[int, ...] = ()  # those that are no temporaries
    garbage: Garbage = Garbage.NONE
    leaks_matter: bool = True  # whether leaks are looked for
    overlapping: bool = False  # inputs may point to globals and into one another
    hits: dict[str, Span] = field(default_factory=dict)
    misread: set[tuple[str, str]] = field(default_factory=set)  # (type, field): read, but canonical forms ignore it
    console: Console | None = None  # of a program that is executed

    @property
    def of_bytes(self) -> tuple[Layout, Layout]:
        """The layouts of memory that has no type."""
        return self.untyped, self.view

    def hit(self, bound: str, span: Span) -> None:
        self.hits.setdefault(bound, span)


class ChoicePoint(Exception):
    """Raised by a step that needs a choice of the search: one of the `options` of a request, or one of several
    refinements of a symbolic input. The step can be repeated."""

    def __init__(
        self,
        request: ChoiceRequest | None = None,
        options: tuple[int, ...] = (),
        refinements: tuple[tuple[int, Range], ...] = (),
    ) -> None:
        super().__init__()
        self.request = request
        self.options = options
        self.refinements = refinements

    @property
    def count(self) -> int:
        """The number of alternatives."""
        return len(self.refinements) or len(self.options)

    def decide(self, state: State, number: int) -> None:
        """Makes the choice of that number in a state."""
        if self.refinements:
            symbol, refined = self.refinements[number]
            state.symbols[symbol] = refined
        else:
            assert self.request is not None
            state.record(self.request, self.options[number])
            state.answers = (*state.answers, self.options[number])


class Fault(Exception):
    """A check fails and ends the run: its kind, and the offending pointer. Which check of the edge it is follows from
    the kind, unless it is given."""

    def __init__(self, kind: CheckKind, pointer: PointerValue = NULL, *, check: Check | None = None) -> None:
        super().__init__(kind.value)
        self.kind = kind
        self.pointer = pointer
        self.check = check
        self.edge: Edge[Command] | None = None  # on which it happens, where several leave the location


class Stop(Exception):
    """The run ends here without a verdict: an assumption does not hold, or a bound is reached."""

    def __init__(self, ending: Ending, reason: str = "") -> None:
        super().__init__(reason)
        self.ending = ending
        self.reason = reason


# A list of choices, newest first: (older ones, request, value).
History = tuple[Any, ChoiceRequest, Number] | None
# Symbolic inputs that are dead, with their ranges, newest first.
Settled = tuple[Any, int, Range] | None


class Leak(NamedTuple):
    """A leak during a run, which continues: the check that fails, the block, its type, and the choices up to it. Later
    choices do not concern it."""

    check: Check
    identity: int
    block: Block
    type: str
    approximate: bool
    history: History
    symbols: Mapping[int, Range]
    settled: Settled

    def choices(self) -> tuple[Choice, ...]:
        return choices_of(self.history, self.symbols, self.settled)


class State:
    """State of a run. Mutable; `copy` before it is branched."""

    __slots__ = (
        "answers",
        "approximate",
        "asked",
        "blocks",
        "called",
        "clock",
        "context",
        "decisions",
        "escaped",
        "garbage",
        "heap_count",
        "history",
        "inputs",
        "leaks",
        "location",
        "lost",
        "next_id",
        "objects",
        "outside",
        "settled",
        "source",
        "steps",
        "suspects",
        "symbols",
        "token",
        "vars",
    )

    def __init__(self, context: SearchContext, source: ChoiceSource, variables: list[Any], location: int) -> None:
        self.context = context
        self.source = source
        self.location = location
        self.vars = variables
        self.objects: dict[int, MemoryObject] = {}
        self.blocks: dict[int, Block] = {}
        self.symbols: dict[int, Range] = {}
        self.outside: dict[tuple[PointerValue, str, str, bool], PointerValue] = {}
        self.inputs: tuple[int, ...] = ()  # the blocks of the input heap in the order of their creation
        self.escaped: tuple[int, ...] = ()  # the blocks that the environment knows
        self.called = 0  # the time of the last call of the environment
        self.history: History = None
        self.settled: Settled = None
        self.leaks: tuple[Leak, ...] = ()  # so far, the first one of each check
        self.garbage: frozenset[int] = frozenset()  # blocks that were lost and are kept
        self.suspects: frozenset[int] = frozenset()  # blocks that may be lost, because data held them
        self.lost = False  # whether blocks were lost on the way
        self.clock = 0
        self.next_id = 1
        self.heap_count = 0
        self.steps = 0
        self.decisions = 0
        self.approximate = False  # whether the run so far depends on an approximation
        self.token = object()
        self.answers: tuple[int, ...] = ()
        self.asked = 0

    def copy(self) -> State:
        twin = State.__new__(State)
        twin.context = self.context
        twin.source = self.source
        twin.location = self.location
        twin.vars = self.vars[:]
        twin.objects = self.objects.copy()
        twin.blocks = self.blocks.copy()
        twin.symbols = self.symbols.copy()
        twin.outside = self.outside.copy()
        twin.inputs = self.inputs
        twin.escaped = self.escaped
        twin.called = self.called
        twin.history = self.history
        twin.settled = self.settled
        twin.leaks = self.leaks
        twin.garbage = self.garbage
        twin.lost = self.lost
        twin.suspects = self.suspects
        twin.clock = self.clock
        twin.next_id = self.next_id
        twin.heap_count = self.heap_count
        twin.steps = self.steps
        twin.decisions = self.decisions
        twin.approximate = self.approximate
        twin.answers = self.answers
        twin.asked = self.asked
        twin.token = object()
        self.token = object()  # neither may write what both now share
        return twin

    def own(self, number: int) -> MemoryObject:
        """The object, as one that this state may write."""
        obj = self.objects[number]
        if obj.token is not self.token:
            obj = self.objects[number] = obj.copy(self.token)
        return obj

    # --- decisions ---------------------------------------------------------------------------------------------------

    def fresh(self, request: ChoiceRequest) -> Number:
        """A new input number."""
        value = self.source.value(request)
        if value is not None and not request.approximate:
            self.history = (self.history, request, value)
            return value
        low, high = (request.low, request.high) if value is None else (value, value)
        symbol = Symbol(self.next_id, 0)
        self.next_id += 1
        self.symbols[symbol.id] = Range(low, high, request=request)
        self.history = (self.history, request, symbol)
        return symbol

    def choose(self, request: ChoiceRequest, options: tuple[int, ...], *, lasting: bool = False) -> int:
        """One of the options. A step may be repeated after a choice; then the choices come in the same order. The
        caller keeps the effect of a `lasting` one at once, so that a repetition does not request it again."""
        if self.asked < len(self.answers):
            answer = self.answers[self.asked]
            if lasting:
                self.answers = self.answers[: self.asked] + self.answers[self.asked + 1 :]
            else:
                self.asked += 1
            return answer
        answer = self.source.pick(request, options)
        self.record(request, answer)
        return answer

    def record(self, request: ChoiceRequest, answer: int) -> None:
        self.history = (self.history, request, answer)
        if request.rests(answer):
            self.approximate = True

    def choices(self) -> tuple[Choice, ...]:
        """All choices in the order of their requests; inputs that are still symbolic get a value."""
        return choices_of(self.history, self.symbols, self.settled)

    def leaked(self, check: Check, identity: int) -> None:
        """Records a leak, unless the check has failed before."""
        if all(leak.check.id != check.id for leak in self.leaks):
            block = self.blocks[identity]
            type = self.objects[block.root].layout.name
            found = Leak(
                check, identity, block, type, self.approximate, self.history, self.symbols.copy(), self.settled
            )
            self.leaks = (*self.leaks, found)


def choices_of(history: History, symbols: Mapping[int, Range], settled: Settled) -> tuple[Choice, ...]:
    known = dict(symbols)
    while settled is not None:
        settled, symbol, settled_range = settled
        known[symbol] = settled_range
    found: list[Choice] = []
    while history is not None:
        history, request, answer = history
        if isinstance(answer, Symbol):
            range = known[answer.id]
            digits = bytes(sample(known[part]) for part in range.parts)
            value = int.from_bytes(digits, "little", signed=range.low < 0) if digits else sample(range)
            found.append(request.answered(value, range.used))
        else:
            found.append(request.answered(answer))
    return tuple(reversed(found))


Execute = Callable[[State], int]  # a compiled command: changes the state and gives the next location


def sample(range: Range) -> int:
    """The number of the range nearest to 0."""
    value = min(max(0, range.low), range.high)
    step = 0
    while True:
        for candidate in (value + step, value - step):
            if range.low <= candidate <= range.high and candidate not in range.excluded:
                return candidate
        step += 1
