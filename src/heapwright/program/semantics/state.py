"""The state of a run: variables, objects in blocks, open inputs, and the decisions made so far.

A pointer is a plain value: 0 is null, -1 is junk, an object's number is its address, and a pair (object, index) is a
position in an array or outside of it. An integer is an int, or a `Symbol` while it is open. Objects are shared between
copies of a state and copied when one of them writes (each object knows the copy that may write it):

    twin = state.copy()             # cheap: no object is copied
    twin.own(number).fields[0] = 7  # now one is
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from heapwright.base.source import Span
from heapwright.program.checks import Check, CheckKind
from heapwright.program.choices import ChoiceRequest, ChoiceSource
from heapwright.program.commands import Command
from heapwright.program.graph import Edge
from heapwright.program.trace import Choice, Ending
from heapwright.program.types import Field, ObjectType, Part, Storage, ValueKind

PointerValue = int | tuple[int, int]
NULL = 0
JUNK = -1
UNREAD = -2  # only in fields of input objects: nobody has looked yet
NEAR_NULL = -(1 << 40)  # plus an offset: an address computed from null, where there is as little as at null


def near_null(offset: int) -> int:
    """The address so many bytes from null."""
    return NEAR_NULL + offset if offset else NULL


def offset_from_null(pointer: object) -> int | None:
    """The distance of an address near null from null; None for all others."""
    if not isinstance(pointer, int) or (pointer != NULL and pointer > NEAR_NULL // 2):
        return None
    return pointer - NEAR_NULL if pointer else 0


def is_pointer(value: object) -> bool:
    """Whether a variable's value is the address of something."""
    return type(value) is tuple or (type(value) is int and value > 0)


def object_of(pointer: PointerValue) -> int:
    return pointer if isinstance(pointer, int) else pointer[0]


def index_of(pointer: PointerValue) -> int:
    return 0 if isinstance(pointer, int) else pointer[1]


class Symbol(NamedTuple):
    """An open input plus an offset."""

    id: int
    offset: int


IntValue = int | Symbol


class _Unset:
    """An integer that nobody wrote: it becomes an input when it is read."""

    def __repr__(self) -> str:
        return "unset"


class _Scrambled:
    """An integer of which nothing is known because overlapping bytes were written."""

    def __repr__(self) -> str:
        return "scrambled"


UNSET = _Unset()
SCRAMBLED = _Scrambled()

# What happened to an object's block. Everything but LIVE takes the careful path of an access.
LIVE, PARTIAL, FREED, LEFT, OUTSIDE = range(5)


class Layout:
    """An object type, prepared for access by slot. `read` names the integer fields that the program reads."""

    __slots__ = (
        "blank",
        "cells",
        "data_slots",
        "fields",
        "holds_pointers",
        "index",
        "name",
        "part_slots",
        "parts",
        "pointer_slots",
        "size",
        "slots",
        "undecided",
        "zero",
    )

    def __init__(self, type: ObjectType, index: int, read: frozenset[tuple[str, str]]) -> None:
        self.name = type.name
        self.size = type.size
        self.index = index
        self.fields: tuple[Field, ...] = type.fields
        self.parts: tuple[Part, ...] = type.parts
        self.cells = type.cells
        self.slots = {f.name: slot for slot, f in enumerate(type.fields)}
        self.part_slots = {part.name: slot for slot, part in enumerate(type.parts)}
        pointers = [f.kind is ValueKind.POINTER for f in type.fields]
        self.data_slots = tuple(
            slot for slot, f in enumerate(type.fields) if not pointers[slot] and (type.name, f.name) in read
        )
        self.pointer_slots = tuple(slot for slot, pointer in enumerate(pointers) if pointer)
        cell = type.cells.field if type.cells else None
        self.holds_pointers = cell is not None and cell.kind is ValueKind.POINTER
        self.blank: list[Any] = [JUNK if pointer else UNSET for pointer in pointers]
        self.zero: list[Any] = [0 for _ in pointers]
        self.undecided: list[Any] = [UNREAD if pointer else UNSET for pointer in pointers]

    @property
    def stride(self) -> int:
        return self.cells.stride if self.cells else max(self.size, 1)


class MemoryObject:
    """One object. `place` is its slot among the owner's parts, or its index in the array that owns it; `fields` holds
    the scalars of a struct, `cells` the written scalars of an array, `elements` the objects of an array as they are
    first needed."""

    __slots__ = (
        "block",
        "cells",
        "count",
        "elements",
        "fields",
        "layout",
        "offset",
        "owner",
        "parts",
        "place",
        "status",
        "token",
    )

    def __init__(self, token: object, layout: Layout, block: int, owner: int, place: int, offset: int) -> None:
        self.token = token
        self.layout = layout
        self.block = block
        self.owner = owner
        self.place = place
        self.offset = offset
        self.status = LIVE
        self.fields: list[Any] = []
        self.cells: dict[int, Any] | None = None
        self.count: int | None = None
        self.parts: tuple[int, ...] = ()
        self.elements: dict[int, int] | None = None

    def copy(self, token: object) -> MemoryObject:
        twin = MemoryObject(token, self.layout, self.block, self.owner, self.place, self.offset)
        twin.status = self.status
        twin.fields = self.fields[:]
        twin.cells = None if self.cells is None else self.cells.copy()
        twin.count = self.count
        twin.parts = self.parts
        twin.elements = None if self.elements is None else self.elements.copy()
        return twin


class Block(NamedTuple):
    """One allocation. `number` counts heap blocks from 0, and is -1 elsewhere; `birth` and `end` are times."""

    number: int
    storage: Storage
    root: int
    size: int
    status: int
    birth: int
    allocated: Span
    zeroed: bool = False
    input: bool = False
    end: int = -1
    freed: Span | None = None
    name: str = ""  # the variable that a stack or static block is


class Range(NamedTuple):
    """What is known of an open input. `splits` counts how often it was narrowed, `used` whether anything looked."""

    low: int
    high: int
    excluded: frozenset[int] = frozenset()
    used: bool = False
    splits: int = 0
    request: ChoiceRequest | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a search goes; None: no bound."""

    objects: int | None = None
    input_objects: int | None = None
    values: int = 2
    splits: int = 16  # comparisons with different constants that narrow one open input before it gets a value


@dataclass
class SearchContext:
    """What all states of one analysis share. `hits` notes each bound that was reached, with the first place."""

    layouts: Mapping[str, Layout]
    untyped: Layout
    arrays_of_objects: Mapping[str, Layout]
    arrays_of_scalars: Mapping[tuple[ValueKind, int], Layout]
    bounds: Bounds
    constants: Mapping[tuple[str, str], tuple[int, ...]]  # by ("", variable), (type, field) or (type, "[]")
    pointer_variables: tuple[int, ...]
    hits: dict[str, Span] = field(default_factory=dict)
    misread: set[tuple[str, str]] = field(default_factory=set)  # (type, field): read, but canonical forms ignore it

    def hit(self, bound: str, span: Span) -> None:
        self.hits.setdefault(bound, span)


class ChoicePoint(Exception):
    """Raised by a step that needs a decision which the search makes: either one of the `options` of a request, or
    one of several refinements of an open input. Nothing is lost: what the step did so far may be done again."""

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
        """How many ways there are to decide."""
        return len(self.refinements) or len(self.options)

    def decide(self, state: State, place: int) -> None:
        """Makes the decision of that number in a state."""
        if self.refinements:
            symbol, refined = self.refinements[place]
            state.symbols[symbol] = refined
        else:
            assert self.request is not None
            state.record(self.request, self.options[place])
            state.answers = (*state.answers, self.options[place])


class Fault(Exception):
    """A check fails: its kind, and the pointer that is to blame. Which check of the edge it is follows from the kind,
    unless it is given."""

    def __init__(
        self, kind: CheckKind, pointer: PointerValue = NULL, *, block: int = 0, check: Check | None = None
    ) -> None:
        super().__init__(kind.value)
        self.kind = kind
        self.pointer = pointer
        self.block = block  # of a leak
        self.check = check
        self.edge: Edge[Command] | None = None  # on which it happens, where several leave the location


class Stop(Exception):
    """The run ends here without a verdict: an assumption does not hold, or a bound is reached."""

    def __init__(self, ending: Ending, reason: str = "") -> None:
        super().__init__(reason)
        self.ending = ending
        self.reason = reason


# A list of decisions, newest first: (older ones, request, answer).
History = tuple[Any, ChoiceRequest, IntValue] | None


class State:
    """Mutable; `copy` before two ways are followed."""

    __slots__ = (
        "answers",
        "approximate",
        "asked",
        "blocks",
        "clock",
        "context",
        "decisions",
        "heap_count",
        "history",
        "inputs",
        "location",
        "next_id",
        "objects",
        "outside",
        "settled",
        "source",
        "steps",
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
        self.history: History = None
        self.settled: tuple[Any, int, Range] | None = None  # inputs that are out of use, with what was known of them
        self.clock = 0
        self.next_id = 1
        self.heap_count = 0
        self.steps = 0
        self.decisions = 0
        self.approximate = False  # whether the run so far rests on an approximation
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
        twin.history = self.history
        twin.settled = self.settled
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

    def fresh(self, request: ChoiceRequest) -> IntValue:
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
        """One of the options. A step may be started again after a decision; then the answers come in the same order.
        The caller keeps the effect of a `lasting` one at once, so that a second start does not ask again."""
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
        """All decisions in the order in which their questions came up; what is still open gets a value."""
        known = dict(self.symbols)
        settled = self.settled
        while settled is not None:
            settled, symbol, settled_range = settled
            known[symbol] = settled_range
        found: list[Choice] = []
        history = self.history
        while history is not None:
            history, request, answer = history
            if isinstance(answer, Symbol):
                range = known[answer.id]
                found.append(request.answered(sample(range), range.used))
            else:
                found.append(request.answered(answer))
        return tuple(reversed(found))


def sample(range: Range) -> int:
    """The number nearest to 0 that is left."""
    value = min(max(0, range.low), range.high)
    step = 0
    while True:
        for candidate in (value + step, value - step):
            if range.low <= candidate <= range.high and candidate not in range.excluded:
                return candidate
        step += 1
