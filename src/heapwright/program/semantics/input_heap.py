"""Lazily initialised input heaps (Khurshid, Pasareanu, Visser 2003): a pointer field becomes null, a known object or a
fresh one when it is first read.

pointer = any_pointer(state, "node", span)      # null, a new object, or an earlier one
ways = decided(state, number, slot, most=4)     # each initialisation of a cell of such an object
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from heapwright.base.source import Span
from heapwright.program.choices import ChoiceRequest
from heapwright.program.commands import AnyPointer
from heapwright.program.graph import Program
from heapwright.program.semantics.memory import allocate, first_element, objects_of
from heapwright.program.semantics.objects import NULL, Layout, Number, PointerValue, Symbol
from heapwright.program.semantics.state import State
from heapwright.program.trace import ChoiceKind
from heapwright.program.types import FUNCTION_OBJECT, Field, Storage, ValueKind

LONGEST = (1 << 31) - 1  # string


def input_types(program: Program, follow: Callable[[str, Field], bool] = lambda type, field: True) -> list[str]:
    """The types of objects that inputs lead to through those pointer fields, of them and of their parts, that are
    followed."""
    found: set[str] = set()
    waiting = [edge.command.type for edge in program.graph.edges if isinstance(edge.command, AnyPointer)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            fields = _pointers(program, name)
            waiting += [field.target for owner, field in fields if follow(owner, field)]
    return sorted(found)


def _pointers(program: Program, name: str) -> Iterator[tuple[str, Field]]:
    """The pointer fields of a type and of its parts, each with the type that has it."""
    type = program.types.get(name)
    if type is not None:
        yield from ((name, field) for field in type.fields if field.kind is ValueKind.POINTER)
        for part in type.parts:
            yield from _pointers(program, part.type)


def any_pointer(
    state: State,
    type: str,
    span: Span,
    block: int = -1,
    offset: int = 0,
    size: int = 0,
    *,
    environment: bool = False,
    fresh: bool = False,
) -> PointerValue:
    """Initialises a pointer of an input heap: null, a new object, or an existing one. The caller stores it at once. The
    numbers identify the field, if it is one. With `environment` it is one that the environment has written; a `fresh`
    one leads to a new object."""
    existing = [] if fresh else _escaped(state, type) if environment else _known(state, type)
    owners = _owners(state, type) if state.context.overlapping and not environment and not fresh else []
    options = [0, *range(2, 2 + len(existing))]
    bound = state.context.bounds.input_objects
    if bound is None or len(state.inputs) + len(state.escaped) < bound:
        options.insert(1, 1)
        options += range(2 + len(existing), 2 + len(existing) + len(owners))
    else:
        state.context.hit("input objects", span)
    targets = [(-1, 0), (state.heap_count, 0)]
    for number in existing:
        obj = state.objects[number]
        targets.append((state.blocks[obj.block].number, obj.offset))
    targets += [(state.heap_count, owner.parts[slot].offset) for owner, slot in owners]
    request = ChoiceRequest(
        ChoiceKind.INPUT,
        "input pointer",
        span,
        block=block,
        offset=offset,
        size=size,
        targets=tuple(targets),
        type=type,
    )
    answer = state.choose(request, tuple(options), lasting=True)
    if answer == 0:
        return NULL
    if 1 < answer < 2 + len(existing):
        return existing[answer - 2]
    if answer > 1:
        owner, slot = owners[answer - 2 - len(existing)]
        made = allocate(state, owner, Storage.HEAP, span, input=True)
        return first_element(state, state.objects[made].parts[slot])
    layout = state.context.layouts.get(type)
    _record_incompleteness(state, layout, span)
    storage = Storage.STATIC if environment or type == FUNCTION_OBJECT else Storage.HEAP
    if layout is None:
        untyped = state.context.untyped
        return allocate(state, untyped, storage, span, size=1 << 16, input=True, environment=environment)
    return allocate(state, layout, storage, span, input=True, environment=environment)


def any_strings(state: State, type: str, count: Number, span: Span) -> PointerValue:
    """An array of so many strings and a null."""
    layout = state.context.layouts[type]
    return _terminated(state, layout, count, span)


def any_string(state: State, type: str, span: Span) -> PointerValue:
    """A string of any length."""
    request = ChoiceRequest(ChoiceKind.INPUT, "length of an argument", span, 0, LONGEST)
    return _terminated(state, state.context.layouts[type], state.fresh(request), span)


def _terminated(state: State, layout: Layout, length: Number, span: Span) -> PointerValue:
    made = allocate(state, layout, Storage.STATIC, span, count=1, size=1 << 48, input=True, environment=True)
    obj = state.own(made)
    obj.count, obj.length = None, length
    return made


def not_zero(state: State, value: Number) -> Number:
    """A character of a string before its end."""
    if isinstance(value, Symbol):
        known = state.symbols[value.id]
        state.symbols[value.id] = known._replace(excluded=known.excluded | {0})
        return value
    return value or 1


def _owners(state: State, type: str) -> list[tuple[Layout, int]]:
    """The types that have a part of a type, and its slot: an input may point into an object that is met later."""
    layouts = state.context.layouts.values()
    return [(one, slot) for one in layouts for slot, part in enumerate(one.parts) if part.type == type]


def _globals(state: State) -> list[int]:
    """The blocks of global variables."""
    statics = ((identity, block) for identity, block in state.blocks.items() if block.storage is Storage.STATIC)
    return [one for one, block in statics if block.name and not block.name.startswith("string ")]


def _known(state: State, type: str) -> list[int]:
    """The existing input objects of a type; globals are some of them if inputs may overlap."""
    return [
        number
        for identity in (*state.inputs, *(_globals(state) if state.context.overlapping else ()))
        for number in objects_of(state, state.blocks[identity].root)
        if state.objects[number].layout.name == type and state.objects[number].elements is None
    ]


def _escaped(state: State, type: str) -> list[int]:
    """The objects of a type that the environment could write at its last call; a `void *` may be each."""
    found: list[int] = []
    for identity in state.escaped:
        block = state.blocks.get(identity)
        if block is None or 0 <= block.end < state.called:
            continue
        for number in objects_of(state, block.root):
            obj = state.objects[number]
            if obj.elements is not None:
                state.context.hit("pointers into escaped arrays were left out", block.allocated)
            elif obj.layout.name == type or (not type and number == block.root):
                found.append(number)
    return found


def decided(state: State, number: int, slot: int, most: int) -> Iterator[State]:
    """The states after each initialisation of an unread pointer field; a new object is created only if there are fewer
    blocks than `most`. They are for inspection, not for runs: no choice is recorded."""
    field = state.objects[number].layout.fields[slot]
    layout = state.context.layouts.get(field.target)
    for value in (NULL, *_known(state, field.target)):
        twin = state.copy()
        twin.own(number).fields[slot] = value
        yield twin
    if layout is not None and len(state.blocks) < most:
        twin = state.copy()
        span = state.blocks[state.objects[number].block].allocated
        twin.own(number).fields[slot] = allocate(twin, layout, Storage.HEAP, span, input=True)
        yield twin


def _record_incompleteness(state: State, layout: Layout | None, span: Span) -> None:
    """Input objects are separate: arrays have one cell, and no object is part of another. Where that matters, the
    search is recorded as not exhaustive."""
    if layout is None:
        state.context.hit("input blocks without a type have one size only", span)
    elif layout.cells is not None and layout.cells.count is None:
        state.context.hit("input arrays of more than one cell were left out", span)
    elif state.context.overlapping and any(one.cells is not None for one in state.context.layouts.values()):
        state.context.hit("inputs that point into arrays were left out", span)
    elif state.context.overlapping:
        return
    elif any(part.type == layout.name for other in state.context.layouts.values() for part in other.parts):
        state.context.hit(f"input objects of type {layout.name} that are part of others were left out", span)
