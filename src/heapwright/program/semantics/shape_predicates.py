"""The predicates of heapwright.h on concrete heaps: `acyclic(x, next)`, `dll(x, next, prev)` and others.

A predicate that would read freed or uninitialised memory is false.

    holds(state, "acyclic", (x,), ("next",), "node", span)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Literal

from heapwright.base.source import Span
from heapwright.program.semantics.access import AccessType, check_alive, locate, read_data, read_pointer
from heapwright.program.semantics.byte_memory.storage import ScalarRef
from heapwright.program.semantics.links import part_of
from heapwright.program.semantics.objects import NULL, PARTIAL, IntValue, PointerValue, is_pointer, object_of
from heapwright.program.semantics.state import Fault, State, Stop
from heapwright.program.semantics.symbolic_inputs import decide
from heapwright.program.trace import Ending
from heapwright.program.types import Storage, ValueKind


class _Heap:
    """Reads of the state under test; `Fault` means that the memory is not valid."""

    def __init__(self, state: State, type: str, span: Span) -> None:
        self.state = state
        self.layout = state.context.layouts.get(type)
        self.span = span

    def _scalar(self, pointer: PointerValue, name: str, kind: ValueKind) -> ScalarRef:
        """A field; `link$/next` is the field `next` of the part `link`, `key$/[0]` the first cell of an array."""
        layout = self.layout
        path, _, last = name.rpartition("/")
        for part in path.split("/") if path else ():
            check_alive(self.state, pointer)
            if layout is None or part.rstrip("$") not in layout.part_slots:
                raise Stop(Ending.CUT, f"a shape predicate needs the part {part}, which the object does not have")
            pointer = part_of(self.state, pointer, layout, part.rstrip("$"))
            layout = self.state.objects[object_of(pointer)].layout
        if last == "[0]":
            return locate(self.state, pointer, AccessType(None, None, last, kind, cell=True))
        name = last
        slot = layout.slots.get(name) if layout is not None else None
        field = layout.fields[slot] if layout is not None and slot is not None else None
        return locate(self.state, pointer, AccessType(layout if field else None, field, name, kind))

    def next(self, pointer: PointerValue, name: str) -> PointerValue:
        return read_pointer(self.state, self._scalar(pointer, name, ValueKind.POINTER), self.span)

    def data(self, pointer: PointerValue, name: str) -> IntValue:
        return read_data(self.state, self._scalar(pointer, name, ValueKind.DATA), self.span)

    def chain(self, start: PointerValue, name: str) -> Iterator[PointerValue]:
        """The objects from `start` on, each once; ends at null or where the chain comes back to itself."""
        seen: set[PointerValue] = set()
        current = start
        while current != NULL and current not in seen:
            seen.add(current)
            following = self.next(current, name)
            yield current
            current = following

    def ends(self, start: PointerValue, name: str) -> bool:
        """Whether the chain ends at null."""
        nodes = list(self.chain(start, name))
        return not nodes or self.next(nodes[-1], name) == NULL


def _sorted(heap: _Heap, start: PointerValue, link: str, key: str, relation: Literal["<=", ">="]) -> bool:
    """`relation`: of a key to the one after it."""
    if not heap.ends(start, link):
        return False
    keys = [heap.data(node, key) for node in heap.chain(start, link)]
    return all(decide(heap.state, relation, one, following) for one, following in itertools.pairwise(keys))


def _doubly_linked(heap: _Heap, start: PointerValue, forward: str, backward: str) -> bool:
    if not heap.ends(start, forward):
        return False
    nodes = list(heap.chain(start, forward))
    return all(heap.next(second, backward) == first for first, second in itertools.pairwise(nodes))


def _cyclic(heap: _Heap, start: PointerValue, link: str) -> bool:
    if start == NULL:
        return True
    nodes = list(heap.chain(start, link))
    return heap.next(nodes[-1], link) == start


def _tree(heap: _Heap, start: PointerValue, left: str, right: str) -> bool:
    seen: set[PointerValue] = set()
    pending = [start]
    while pending:
        node = pending.pop()
        if node == NULL:
            continue
        if node in seen:
            return False
        seen.add(node)
        pending += [heap.next(node, left), heap.next(node, right)]
    return True


def _all_reachable(heap: _Heap, starts: tuple[PointerValue, ...], link: str) -> bool:
    """Every live heap object of the type is on one of the chains."""
    reached = {object_of(node) for start in starts for node in heap.chain(start, link)}
    state = heap.state
    return all(
        number in reached
        for number, obj in state.objects.items()
        if obj.layout is heap.layout and obj.status <= PARTIAL and state.blocks[obj.block].storage is Storage.HEAP
    )


def holds(
    state: State, predicate: str, pointers: tuple[PointerValue, ...], fields: tuple[str, ...], type: str, span: Span
) -> bool:
    """Whether a predicate holds of pointers to objects of `type`."""
    heap = _Heap(state, type, span)
    if any(not is_pointer(pointer) and pointer != NULL for pointer in pointers):
        return False
    first = pointers[0]
    try:
        match predicate:
            case "acyclic":
                return heap.ends(first, fields[0])
            case "reach":
                return (pointers[1] == NULL and heap.ends(first, fields[0])) or pointers[1] in heap.chain(
                    first, fields[0]
                )
            case "disjoint":
                return not set(heap.chain(first, fields[0])) & set(heap.chain(pointers[1], fields[0]))
            case "sorted":
                return _sorted(heap, first, fields[0], fields[1], "<=")
            case "sorted_down":
                return _sorted(heap, first, fields[0], fields[1], ">=")
            case "dll":
                return _doubly_linked(heap, first, fields[0], fields[1])
            case "cyclic":
                return _cyclic(heap, first, fields[0])
            case "tree":
                return _tree(heap, first, fields[0], fields[1])
            case "all_reachable":
                return _all_reachable(heap, pointers, fields[0])
    except Fault:
        return False
    raise ValueError(f"no predicate {predicate!r}")
