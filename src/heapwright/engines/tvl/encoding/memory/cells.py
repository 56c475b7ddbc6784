"""Cells: the scalars of blocks, by the names of their predicates, and the cell that an access refers to.

    blocks = Blocks(program)
    start = blocks.created(New("p", "item", Storage.HEAP), site)       # p = malloc(sizeof *p)
    link = blocks.linked(start, "item", "link", up=False)             # &p->link
    blocks.field(link, "list_head", "next", ValueKind.POINTER)        # finds 'list_head.next'

Objects of one type have cells of the same names, whatever they are part of; of several in one block the first does.
Elements of an array share theirs, and so do the scalars of an array that is not small.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from heapwright.engines.tvl.encoding.memory.offsets import BlockAddress, Kind, RepresentativeBlocks
from heapwright.program.checks import CheckKind
from heapwright.program.graph import Program
from heapwright.program.semantics.access import AccessType, locate
from heapwright.program.semantics.byte_memory.storage import ScalarRef
from heapwright.program.semantics.memory import element
from heapwright.program.semantics.objects import OUTSIDE, Layout, index_of, object_of
from heapwright.program.semantics.state import Fault, Stop
from heapwright.program.types import Field, ValueKind

MOST_CELLS_APART = 12  # arrays of pointers up to this length have a cell for each index
MOST_DATA_APART = 8  # and arrays of integers


@dataclass(frozen=True, slots=True)
class Cell:
    """A scalar of blocks, by the name of its predicate. `many`: one of several that have the name together."""

    name: str
    field: Field
    many: bool


@dataclass(frozen=True, slots=True)
class Access:
    """The effect of an access at an offset: it refers to a cell, or fails. `bounds`: it may be out of bounds;
    `confused`: the cell cannot be determined. `overlapped` are cells that a write leaves in an unknown state."""

    cell: Cell | None = None
    fault: CheckKind | None = None
    bounds: bool = False
    confused: bool = False
    overlapped: tuple[Cell, ...] = ()
    index: int | None = None  # the index, if that of the command is not constant; ANY, OTHER than the first ones
    among: int = 0  # how many first ones


def most_apart(cell: Field) -> int:
    return MOST_CELLS_APART if cell.kind is ValueKind.POINTER else MOST_DATA_APART


ANY, OTHER = -1, -2
UNKNOWN = Access(bounds=True, confused=True)


class Blocks(RepresentativeBlocks):
    def __init__(self, program: Program, typed: dict[int, str] | None = None) -> None:
        super().__init__(program, typed)
        self._cells: dict[tuple[int, int, int], Cell] = {}

    # --- accesses -------------------------------------------------------------------------------------------------

    def field(self, address: BlockAddress, declared: str, name: str, kind: ValueKind) -> tuple[Access, ...]:
        """address.name, where the pointer is declared to point to an object of a type ("": it does not say)."""
        layout = self._context.layouts.get(declared)
        slot = layout.slots.get(name) if layout is not None else None
        if layout is None or slot is None:
            return self._accesses(address, AccessType(None, None, name, kind), 0)
        return self._accesses(address, AccessType(layout, layout.fields[slot], name, kind), 0)

    def kind_of_field(self, declared: str, name: str) -> ValueKind:
        layout = self._context.layouts.get(declared)
        slot = layout.slots.get(name) if layout is not None else None
        return layout.fields[slot].kind if layout is not None and slot is not None else ValueKind.DATA

    def element(self, address: BlockAddress, declared: str, index: int | None, kind: ValueKind) -> tuple[Access, ...]:
        """address[index]; None: any index."""
        layout = self._context.layouts.get(declared)
        field: Field | None = None
        if layout is not None and layout.cells is not None:
            field = layout.cells.field
        elif layout is not None and len(layout.fields) == 1:
            field = layout.fields[0]
        if field is not None and field.kind is not kind:
            return (UNKNOWN,)
        return self._accesses(
            address, AccessType(layout if field is not None else None, field, "[]", kind, cell=True), index
        )

    def _accesses(self, address: BlockAddress, want: AccessType, index: int | None) -> tuple[Access, ...]:
        if self.is_lost(address):
            return (UNKNOWN,)
        obj = self._object(address)
        if self._is_untyped(address) and obj.status != OUTSIDE:
            self._want(address, want.layout.name if want.layout is not None else "")
            return (UNKNOWN,)
        if index is not None and not index_of(address):
            return (self._exact(object_of(address), want, index),)
        if obj.elements is not None:
            return (Access(fault=CheckKind.BOUNDS) if self._tight(address) else UNKNOWN,)
        return tuple(self._anywhere(address, want))

    def _exact(self, number: int, want: AccessType, index: int) -> Access:
        sized = self.kind(number).sized
        try:
            found = locate(self._state, number, want, index)
        except Fault as fault:
            if fault.kind is CheckKind.BOUNDS and (not sized or self._repeated(number)):
                return self._perhaps_beyond(number, want, index)
            return Access(fault=fault.kind)
        except Stop:
            return UNKNOWN
        if self._position(found.number) != self._position(number):
            return UNKNOWN
        cell = self._cell_of(found.number, found)
        return Access(cell, bounds=not sized, overlapped=tuple(self._overlapped(found, want)))

    def _perhaps_beyond(self, number: int, want: AccessType, index: int) -> Access:
        """An access beyond the cells that represent an array of any length: all have one name, so it is like the
        first."""
        first = self._exact(number, want, 0) if index > 0 else None
        if first is not None and first.cell is not None and first.cell.many and not self._repeated(number):
            return replace(first, bounds=True)
        return Access(bounds=True, confused=index >= 0 or not self._tight(number))

    def _anywhere(self, address: BlockAddress, want: AccessType) -> Iterator[Access]:
        """An access at an unknown index. In an array whose cells have names it finds one of them."""
        number, obj = object_of(address), self._object(address)
        start = self._exact(number, want, 0)
        exact = not index_of(address)
        field = obj.layout.cells.field if obj.layout.cells is not None else None
        if field is not None and start.cell is not None and start.cell.field is field:
            behind = not want.cell and self._has_room(self.kind(address))
            if start.cell.many:
                yield Access(start.cell, bounds=True, confused=behind)
                return
            for key in range(obj.count or 0):
                cell = self._cell_of(number, ScalarRef(number, key, True, field))
                yield Access(cell, index=key if exact else ANY)
            other = Access(bounds=True, confused=behind, index=ANY)
            yield replace(other, index=OTHER, among=obj.count or 0) if exact else other
            return
        beside = Access(bounds=True, confused=not self._tight(address))
        if exact:
            yield replace(start, index=0)
            beside = replace(beside, index=OTHER, among=1)
        yield beside

    def _tight(self, address: BlockAddress) -> bool:
        """Whether a position beside an object, or beyond an array, is outside of the block."""
        kind, obj = self.kind(address), self._object(address)
        if obj.owner and self._state.objects[obj.owner].elements is not None:
            obj = self._state.objects[obj.owner]
        if obj.owner:
            return False
        extent = obj.layout.size if obj.count is None else obj.layout.stride * obj.count
        return extent == self._state.blocks[kind.block].size or (obj.count is not None and not kind.sized)

    def _has_room(self, kind: Kind) -> bool:
        """Whether a block may be larger than its type."""
        root = self._state.objects[kind.root]
        extent = root.layout.size if root.count is None else root.layout.stride * root.count
        return extent < self._state.blocks[kind.block].size and (kind.sized or root.count is None)

    def _repeated(self, address: BlockAddress) -> bool:
        obj = self._object(address)
        while obj.owner:
            above = self._state.objects[obj.owner]
            if above.elements is not None and above.count != 1:
                return True
            obj = above
        return False

    def _overlapped(self, found: ScalarRef, want: AccessType) -> Iterator[Cell]:
        """Other members of a union whose bytes a write through another type changes."""
        if found.cell or found.field == want.field:
            return
        obj = self._state.objects[found.number]
        start, end = found.field.extent
        for slot, field in enumerate(obj.layout.fields):
            if slot != found.key and field.extent[0] < end and start < field.extent[1]:
                yield self._cell_of(found.number, ScalarRef(found.number, slot, False, field))

    # --- names ----------------------------------------------------------------------------------------------------

    def _cell_of(self, number: int, found: ScalarRef) -> Cell:
        key = (number, found.key if not found.cell else -1 - found.key, int(found.cell))
        if key not in self._cells:
            self._cells[key] = self._named(number, found)
        return self._cells[key]

    def _named(self, number: int, found: ScalarRef) -> Cell:
        obj = self._state.objects[number]
        repeated = self._repeated(number)
        if found.cell:
            alone = not repeated and self._by_block[obj.block].sized and (obj.count or 0) <= most_apart(found.field)
            name = f"{obj.layout.name}{self._suffix(number)}"
            return Cell(f"{name}[{found.key}]" if alone else f"{name}[]", found.field, not alone)
        name = f"{obj.layout.name}.{found.field.name}{self._suffix(number)}"
        return Cell(f"{name}[]" if repeated else name, found.field, repeated)

    def _suffix(self, number: int) -> str:
        """A suffix that distinguishes objects of one type in a block; the first has none."""
        obj = self._state.objects[number]
        if self._repeated(number):
            return ""
        alike = [n for n in self._apart(self._by_block[obj.block].root) if self._layout(n) is obj.layout]
        return f"#{self.path(number)}" if number in alike[1:] else ""

    def _layout(self, number: int) -> Layout:
        return self._state.objects[number].layout

    def _apart(self, number: int) -> Iterator[int]:
        """The objects of a block outside its arrays."""
        yield number
        obj = self._state.objects[number]
        for part in obj.parts:
            yield from self._apart(part)
        if obj.elements is not None and obj.count == 1:
            yield from self._apart(element(self._state, number, 0))

    def cells(self, kind: Kind) -> tuple[Cell, ...]:
        """All scalars of blocks of a kind that have names."""
        return tuple(dict.fromkeys(self._cells_in(kind.root)))

    def inside(self, number: int, name: str) -> int:
        """The part of that name in an object, or the element that represents the one at that index."""
        obj = self._state.objects[number]
        if obj.elements is not None:
            return element(self._state, number, min(int(name), 1))
        return obj.parts[obj.layout.part_slots[name]]

    def scalars(self, number: int) -> dict[str, Cell]:
        """The fields of an object as cells."""
        fields = self._state.objects[number].layout.fields
        return {f.name: self._cell_of(number, ScalarRef(number, slot, False, f)) for slot, f in enumerate(fields)}

    def at_index(self, number: int, index: int) -> Cell | None:
        """The cell of an array of scalars; None if it is none."""
        cells = self._state.objects[number].layout.cells
        if cells is None or cells.field is None:
            return None
        return self._cell_of(number, ScalarRef(number, index, True, cells.field))

    def untouched(self, number: int) -> tuple[Cell, ...]:
        """The cells of any one element of an array of objects."""
        obj = self._state.objects[number]
        return tuple(self._cells_in(element(self._state, number, 0))) if obj.elements is not None and obj.count else ()

    def _cells_in(self, number: int) -> Iterator[Cell]:
        obj = self._state.objects[number]
        for slot, field in enumerate(obj.layout.fields):
            yield self._cell_of(number, ScalarRef(number, slot, False, field))
        for part in obj.parts:
            yield from self._cells_in(part)
        if obj.layout.cells is not None and obj.layout.cells.field is not None:
            for index in range(min(obj.count or 0, most_apart(obj.layout.cells.field) + 1)):
                yield self._cell_of(number, ScalarRef(number, index, True, obj.layout.cells.field))
        if obj.elements is not None and obj.count:
            yield from self._cells_in(element(self._state, number, 0))
