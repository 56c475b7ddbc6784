"""Addresses in blocks, and address arithmetic on them.

A node of a structure is a whole block, with all its parts. The object in it that a pointer refers to is given by a
*block address*: an address in a representative block of the same kind, which is allocated here once by the
interpreter's memory model. Address arithmetic (the part that a link leads to, the object of a cast) is then computed by
the interpreter:

    blocks = RepresentativeBlocks(program)
    start = blocks.created(New("p", "item", Storage.HEAP), site)    # p = malloc(sizeof *p)
    link = blocks.linked(start, "item", "link", up=False)           # &p->link
    blocks.offset(link)                                             # 8

Elements of an array beyond the first share one address, and so do indices beyond the first in an array of scalars. An
unknown offset is `lost`: somewhere in the block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heapwright.base.source import NOWHERE
from heapwright.program.checks import Goal
from heapwright.program.choices import RecordedChoices
from heapwright.program.commands import New
from heapwright.program.expressions import Expr, evaluate, variables_of
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.semantics import objects
from heapwright.program.semantics.links import owner_of, part_of, reinterpreted
from heapwright.program.semantics.memory import allocate, element, retype, shifted
from heapwright.program.semantics.state import Stop
from heapwright.program.types import Storage

BlockAddress = objects.PointerValue
LOST = 1 << 40  # the index of an address somewhere in a block
BEYOND = 1  # the index that represents every one but 0
SOMEWHERE_NEAR_NULL = objects.near_null(1 << 38)
DEEPEST = 2  # owners of objects that have none, of which the next is taken to be somewhere
MOST_NEAR_NULL = 2  # distinguished addresses computed from null
PASSED = -2  # the site of input blocks
ROOM = 1 << 12  # of a block of unknown size


@dataclass(frozen=True, slots=True)
class Kind:
    """Blocks of one type and size. `sized`: the number of bytes and cells is known."""

    name: str
    block: int
    root: int
    sized: bool


def constant(expr: Expr | None) -> int | None:
    """The value of an expression without variables."""
    return evaluate(expr, {}) if expr is not None and not variables_of(expr) else None


class RepresentativeBlocks:
    """One representative block of each kind. `site` distinguishes the allocations of untyped blocks; `typed` has the
    types that they get, and `wanted` collects by site which ones they are used as."""

    def __init__(self, program: Program, typed: dict[int, str] | None = None) -> None:
        self.program = program
        self.typed = typed or {}
        self.wanted: dict[int, set[str]] = {}
        self.kinds: list[Kind] = []
        self._state = Machine(program, Goal()).start(RecordedChoices(()))
        self._context = self._state.context
        self._by_key: dict[object, BlockAddress] = {}
        self._by_block: dict[int, Kind] = {}
        self._sites: dict[int, int] = {}
        self._depth: dict[int, int] = {}
        self._near: set[BlockAddress] = set()
        self._passed: dict[str, tuple[BlockAddress, ...]] = {}

    # --- blocks ---------------------------------------------------------------------------------------------------

    def created(self, command: New, site: int) -> BlockAddress:
        """The address that an allocation gives."""
        count, size = constant(command.count), constant(command.size)
        sized = (count is not None or command.count is None) and (size is not None or command.size is None)
        key = (command.type, count, size, sized, site if not command.type else -1)
        if key not in self._by_key:
            if command.type:
                self._by_key[key] = self._typed(command.type, count, size, sized, command.count is not None)
            else:
                self._by_key[key] = self._untyped(site, size)
        return self._by_key[key]

    def passed(self, type: str) -> tuple[BlockAddress, ...]:
        """The addresses that an input pointer to a type may hold: that of a block by itself, and those of parts of
        that type. Arrays have any number of cells."""
        if type not in self._passed:
            self._passed[type] = tuple(self._passed_objects(type))
        return self._passed[type]

    def _passed_objects(self, type: str) -> Iterator[BlockAddress]:
        layout = self._context.layouts.get(type)
        key = ("input", type)
        if key not in self._by_key:
            if layout is None:
                self._by_key[key] = self._untyped(PASSED, None)
            elif layout.cells is not None and layout.cells.count is None:
                self._by_key[key] = self._typed(type, None, None, sized=False, counted=True)
            else:
                self._by_key[key] = self.created(New("", type, Storage.HEAP), PASSED)
        yield self._by_key[key]
        if layout is not None:
            for owner in self._context.layouts.values():
                for part in owner.parts:
                    if part.type == type:
                        yield from (
                            self.linked(address, owner.name, part.name, up=False) for address in self.passed(owner.name)
                        )

    def _typed(self, type: str, count: int | None, size: int | None, sized: bool, counted: bool) -> BlockAddress:
        layout = self._context.layouts[type]
        if not sized:
            if counted and count is None:
                count = 3
            size = ROOM + layout.stride * (count or 1) + layout.size
        start = allocate(self._state, layout, Storage.STATIC, NOWHERE, count=count, size=size)
        self._known(start, type, sized)
        return start

    def _untyped(self, site: int, size: int | None) -> BlockAddress:
        room = ROOM if size is None else size
        passed = site == PASSED
        start = allocate(self._state, self._context.untyped, Storage.STATIC, NOWHERE, size=room, input=passed)
        kind = self._known(start, f"block {site}", size is not None)
        self._sites[kind.block] = site
        wanted = self._context.layouts.get(self.typed.get(site, ""))
        if wanted is not None and (size is not None or wanted.cells is not None or site == PASSED):
            retype(self._state, kind.block, wanted)
        return start

    def _known(self, start: BlockAddress, name: str, sized: bool) -> Kind:
        block = self._state.objects[objects.object_of(start)].block
        taken = sum(1 for kind in self.kinds if kind.name.partition("#")[0] == name)
        kind = Kind(f"{name}#{taken + 1}" if taken else name, block, self._state.blocks[block].root, sized)
        self.kinds.append(kind)
        self._by_block[block] = kind
        return kind

    def kind(self, address: BlockAddress) -> Kind:
        return self._by_block[self._object(address).block]

    def _object(self, address: BlockAddress) -> objects.MemoryObject:
        return self._state.objects[objects.object_of(address)]

    def type_of(self, address: BlockAddress) -> str:
        """The type of the object at an address."""
        return self._object(address).layout.name

    def count(self, address: BlockAddress) -> int | None:
        """The number of cells of the array at an address."""
        return self._object(address).count

    def lost(self, address: BlockAddress) -> BlockAddress:
        return (self.kind(address).root, LOST)

    def is_lost(self, address: BlockAddress) -> bool:
        return objects.index_of(address) == LOST

    # --- arithmetic -----------------------------------------------------------------------------------------------

    def from_null(self, address: BlockAddress) -> tuple[BlockAddress, ...]:
        """An address that was computed from null; beyond a maximum number, such addresses are not distinguished."""
        if address != objects.NULL and address not in self._near and len(self._near) == MOST_NEAR_NULL:
            return (SOMEWHERE_NEAR_NULL, objects.NULL)
        self._near |= {address} - {objects.NULL}
        return (address,)

    def followed(self, address: BlockAddress, owner: str, part: str, up: bool) -> tuple[BlockAddress, ...]:
        if address == SOMEWHERE_NEAR_NULL:
            return (SOMEWHERE_NEAR_NULL, objects.NULL)
        if not objects.is_pointer(address):
            return self.from_null(
                (owner_of if up else part_of)(self._state, address, self._context.layouts[owner], part)
            )
        return (self.linked(address, owner, part, up),)

    def linked(self, address: BlockAddress, owner: str, part: str, up: bool) -> BlockAddress:
        """The part of an object, or its owner."""
        layout = self._context.layouts[owner]
        move = owner_of if up else part_of
        if not isinstance(address, int) or (self._is_untyped(address) and self._want(address, owner)):
            return self.lost(address)
        depth = self._depth.get(address, 0)
        found = move(self._state, address, layout, part)
        if (
            self._object(found).status == objects.OUTSIDE
            and self._depth.setdefault(objects.object_of(found), depth + 1) > DEEPEST
        ):
            return self.lost(address)
        return self._normal(found)

    def reinterpreted(self, address: BlockAddress, type: str) -> BlockAddress:
        if not objects.is_pointer(address) or self.is_lost(address):
            return address
        if self._is_untyped(address):
            self._want(address, type)
            return address if type not in self._context.layouts else self.lost(address)
        return self._normal(reinterpreted(self._state, address, type))

    def moved(self, address: BlockAddress, offset: Expr, unit: int) -> tuple[BlockAddress, ...]:
        """address + offset"""
        distance = constant(offset)
        if distance == 0 or self.is_lost(address):
            return (address,)
        if not objects.is_pointer(address):
            near = objects.offset_from_null(address)
            if distance is None or near is None or address == SOMEWHERE_NEAR_NULL:
                return (SOMEWHERE_NEAR_NULL, objects.NULL)
            return self.from_null(shifted(self._state, address, distance, unit))
        number, obj = objects.object_of(address), self._object(address)
        array = self._array_of(address, unit)
        if array is not None:
            first, others = self._elements(array)
            stays = distance is None or first != number
            return tuple(p for p in (first if stays else None, others, (array, BEYOND)) if p is not None)
        if unit in (0, obj.layout.stride):
            beyond = (number, BEYOND)
            return (number, beyond) if distance is None or address == beyond else (beyond,)
        if distance is None or not isinstance(address, int) or self.offset(address) is None:
            return (self.lost(address),)
        try:
            return (self._normal(shifted(self._state, address, distance, unit)),)
        except Stop:
            return (self.lost(address),)

    def _array_of(self, address: BlockAddress, unit: int) -> int | None:
        """The array of objects among whose elements a pointer moves."""
        obj = self._object(address)
        if obj.elements is not None:
            return objects.object_of(address) if unit in (0, obj.layout.stride) else None
        if objects.index_of(address) or not obj.owner:
            return None
        array = self._state.objects[obj.owner]
        if array.elements is None or not (array.layout.stride == unit or (not unit and obj.layout.cells is None)):
            return None
        return obj.owner

    def _elements(self, array: int) -> tuple[BlockAddress | None, BlockAddress | None]:
        """The first element, and the one that represents the others."""
        count = self._state.objects[array].count or 0
        first = self._normal(element(self._state, array, 0)) if count else None
        return first, self._normal(element(self._state, array, 1)) if count > 1 else None

    def _normal(self, address: BlockAddress) -> BlockAddress:
        """The address that represents an address."""
        if not objects.is_pointer(address):
            return address
        number = self._normal_object(objects.object_of(address))
        return (number, BEYOND) if objects.index_of(address) else number

    def _normal_object(self, number: int) -> int:
        obj = self._state.objects[number]
        if not obj.owner:
            return number
        owner = self._normal_object(obj.owner)
        above = self._state.objects[owner]
        if above.elements is not None:
            return element(self._state, owner, min(obj.position, 1))
        return above.parts[obj.position]

    def offset(self, address: BlockAddress) -> int | None:
        """The distance from the start of the block in bytes."""
        if not isinstance(address, int) or self._position(address) != 0:
            return None
        return self._object(address).offset

    def _position(self, number: int) -> int | None:
        """The index of the element that an object is part of, if it is in an array and that is not the first one."""
        obj = self._state.objects[number]
        while obj.owner:
            above = self._state.objects[obj.owner]
            if above.elements is not None and obj.position:
                return obj.position
            obj = above
        return 0

    def same(self, one: BlockAddress, other: BlockAddress) -> bool | None:
        """Whether two addresses of one block are one address."""
        left, right = self.offset(one), self.offset(other)
        return None if left is None or right is None else left == right

    def _is_untyped(self, address: BlockAddress) -> bool:
        return self._object(address).layout is self._context.untyped

    def _want(self, address: BlockAddress, type: str) -> bool:
        if type in self._context.layouts:
            self.wanted.setdefault(self._sites[self.kind(address).block], set()).add(type)
        return True

    # --- names ----------------------------------------------------------------------------------------------------

    def path(self, number: int) -> str:
        obj = self._state.objects[number]
        if not obj.owner:
            return ""
        above = self._state.objects[obj.owner]
        step = f"[{obj.position}]" if above.elements is not None else above.layout.parts[obj.position].name
        return ".".join(filter(None, (self.path(obj.owner), step)))

    def tag(self, address: BlockAddress) -> str:
        """The name of an address; the start of a block has none."""
        if not objects.is_pointer(address):
            return f"null{(objects.offset_from_null(address) or 0):+}"
        if self.is_lost(address):
            return "?"
        number = objects.object_of(address)
        if self._state.objects[number].status == objects.OUTSIDE:
            source, owner, part, up = next(key for key, value in self._state.outside.items() if value == number)
            name = f"{self.tag(source)}{'^' if up else '>'}{owner}.{part}"
        else:
            name = self.path(number)
        return f"{name}+" if objects.index_of(address) else name
