"""Pictures of a state: the variables, the objects reachable from them, and their contents.

picture(program, state, names, "main").nodes
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.program.explanation.failed_checks import Names, quoted
from heapwright.program.graph import Program
from heapwright.program.heap_picture import HeapArrow, HeapNode, HeapPicture
from heapwright.program.semantics.objects import (
    FREED,
    LEFT,
    NULL,
    OUTSIDE,
    UNREAD,
    MemoryObject,
    PointerValue,
    Symbol,
    index_of,
    is_pointer,
    object_of,
)
from heapwright.program.semantics.state import State
from heapwright.program.types import Storage, ValueKind

MOST_OBJECTS = 60
MOST_CELLS = 8


class _Drawing:
    def __init__(self, state: State, names: Names) -> None:
        self.state = state
        self.names = names
        self.nodes: dict[int, HeapNode] = {}
        self.arrows: list[HeapArrow] = []
        self.pending: list[int] = []

    def target(self, pointer: PointerValue) -> int | str:
        if pointer == NULL:
            return "null"
        if not is_pointer(pointer):
            return "anything" if pointer == UNREAD else "junk"
        number = object_of(pointer)
        self.pending.append(number)
        return self.names.number(number)

    def arrow(self, source: str | int, label: str, pointer: PointerValue) -> None:
        index = index_of(pointer)
        self.arrows.append(HeapArrow(source, f"{label}[{index}]" if index else label, self.target(pointer)))

    def draw_pending(self) -> None:
        """Targets of the arrows so far, nearest first."""
        index = 0
        while index < len(self.pending):
            number = self.pending[index]
            index += 1
            if self.names.number(number) not in self.nodes and len(self.nodes) < MOST_OBJECTS:
                self.draw(number)

    def draw(self, number: int) -> None:
        obj = self.state.objects[number]
        block = self.state.blocks[obj.block]
        identity = self.names.number(number)
        status = "outside" if obj.status == OUTSIDE else {FREED: "freed", LEFT: "ended"}.get(block.status, "live")
        freed = block.freed if block.status == FREED else None
        allocated = block.allocated if block.allocated.line else None
        self.nodes[identity] = HeapNode(
            identity,
            obj.layout.name,
            block.storage.value,
            status,
            data_in(obj, self.state, self.names),
            allocated,
            freed,
            obj.count,
        )
        if status != "outside":
            for label, pointer in pointers_in(obj, live=status == "live"):
                self.arrow(identity, label, pointer)


def pointers_in(obj: MemoryObject, *, live: bool = True) -> Iterator[tuple[str, PointerValue]]:
    """The successors of an object: its parts and elements, and of a live one its fields and cells."""
    for part, link in zip(obj.parts, obj.layout.parts, strict=True):
        yield link.down, part
    for index in sorted(obj.elements or ())[:MOST_CELLS]:
        yield f"[{index}]", (obj.elements or {})[index]
    if live:
        for slot in obj.layout.pointer_slots:
            yield obj.layout.fields[slot].name, obj.fields[slot]
        if obj.layout.holds_pointers:
            for index in sorted(obj.cells or ())[:MOST_CELLS]:
                yield f"[{index}]", (obj.cells or {})[index]


def data_in(obj: MemoryObject, state: State, names: Names) -> tuple[tuple[str, str], ...]:
    """The integers that an object holds; those that were never written stay out."""
    found: list[tuple[str, str]] = []
    if obj.status > 1:
        return ()
    for slot, field in enumerate(obj.layout.fields):
        if field.kind is ValueKind.DATA and isinstance(obj.fields[slot], int | Symbol):
            found.append((field.name, names.data(state, obj.fields[slot], field.type)))
    text = _text(obj)
    if text:
        found.append(text)
    elif obj.cells and not obj.layout.holds_pointers:
        type = obj.layout.cells.field.type if obj.layout.cells and obj.layout.cells.field else None
        for index in sorted(obj.cells)[:MOST_CELLS]:
            found.append((f"[{index}]", names.data(state, obj.cells[index], type)))
    return tuple(found)


def _text(obj: MemoryObject) -> tuple[str, str] | None:
    """The cells of an array of characters as one string, if they are known up to its end."""
    cells = obj.cells or {}
    if not obj.layout.name.startswith("char[") or not cells:
        return None
    known: list[int] = []
    while isinstance(cell := cells.get(len(known)), int) and cell:
        known.append(cell)
    if not known or cells.get(len(known)) != 0:
        return None
    return f"[0..{len(known)}]", quoted(known)


def picture(program: Program, state: State, names: Names, function: str) -> HeapPicture:
    """The heap as the function sees it: its variables, then those of its callers, then globals."""
    drawing = _Drawing(state, names)
    data: list[tuple[str, str]] = []
    for slot, variable in enumerate(program.variables.values()):
        value = state.vars[slot]
        if variable.temporary or " " in variable.source_name:  # the latter have no source name
            continue
        shown = variable.source_name
        if variable.function and variable.function != function:
            shown = f"{variable.function}:{shown}"
        if variable.kind is ValueKind.POINTER:
            if value == NULL or is_pointer(value):
                drawing.arrow(shown, "", value)
        elif isinstance(value, int | Symbol) and variable.function in ("", function):
            data.append((shown, names.data(state, value, variable.type)))
    drawing.draw_pending()
    for block in state.blocks.values():  # unreachable blocks: leaks are shown
        if block.storage is Storage.HEAP and block.status < FREED and names.number(block.root) not in drawing.nodes:
            drawing.pending.append(block.root)
    drawing.draw_pending()
    return HeapPicture(tuple(drawing.nodes.values()), tuple(drawing.arrows), tuple(data))
