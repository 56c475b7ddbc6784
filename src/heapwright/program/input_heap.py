"""Input heaps: objects that are there before the program starts, decided piece by piece as they are first read.

pointer = any_pointer(state, "node", span)      # null, a new object, or one that an earlier answer made
"""

from __future__ import annotations

from heapwright.program.choices import Question
from heapwright.program.memory import allocate, objects_of
from heapwright.program.state import NULL, Layout, PointerValue, State
from heapwright.program.trace import ChoiceKind
from heapwright.program.types import Region
from heapwright.source import Span


def any_pointer(state: State, type: str, span: Span, block: int = -1, offset: int = 0, size: int = 0) -> PointerValue:
    """A pointer of an input heap: null, a new object, or one that is there already. The caller keeps it at once. The
    numbers say which field it is, if it is one."""
    existing: list[int] = []
    for identity in state.inputs:
        for number in [*objects_of(state, state.blocks[identity].root)]:
            obj = state.objects[number]
            if obj.layout.name == type and obj.elements is None:
                existing.append(number)
    options = [0, *range(2, 2 + len(existing))]
    bound = state.world.bounds.input_objects
    if bound is None or len(state.inputs) < bound:
        options.insert(1, 1)
    else:
        state.world.hit("input objects", span)
    targets = [(-1, 0), (state.heap_count, 0)]
    for number in existing:
        obj = state.objects[number]
        targets.append((state.blocks[obj.block].number, obj.offset))
    question = Question(
        ChoiceKind.INPUT,
        "input pointer",
        span,
        block=block,
        offset=offset,
        size=size,
        targets=tuple(targets),
        type=type,
    )
    answer = state.choose(question, tuple(options), lasting=True)
    if answer == 0:
        return NULL
    if answer > 1:
        return existing[answer - 2]
    layout = state.world.layouts.get(type)
    _note_what_is_left_out(state, layout, span)
    if layout is None:
        return allocate(state, state.world.untyped, Region.HEAP, span, size=1 << 16, input=True)
    return allocate(state, layout, Region.HEAP, span, input=True)


def _note_what_is_left_out(state: State, layout: Layout | None, span: Span) -> None:
    """An input object stands by itself: arrays have one cell, and nothing is part of something else. Where that
    matters, the search is not exhaustive."""
    if layout is None:
        state.world.hit("input blocks without a type have one size only", span)
    elif layout.cells is not None and layout.cells.count is None:
        state.world.hit("input arrays of more than one cell were left out", span)
    elif any(part.type == layout.name for other in state.world.layouts.values() for part in other.parts):
        state.world.hit(f"input objects of type {layout.name} that are part of others were left out", span)
