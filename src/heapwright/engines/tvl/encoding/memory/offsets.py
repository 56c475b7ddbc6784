"""Where in a block a pointer points: places, and what address arithmetic makes of them.

A node of a structure is a whole block, with all its parts. Which of its objects a pointer means is a *place*: an
address in a block of the same kind that is allocated here once, as the interpreter would do it. What follows from a
place (the part that a link leads to, the object that a cast means) is then asked of the interpreter itself:

    places = Places(program)
    start = places.created(New("p", "item", Storage.HEAP), site)     # p = malloc(sizeof *p)
    link = places.linked(start, "item", "link", up=False)           # &p->link
    places.offset(link)                                             # 8

Elements of an array beyond the first have one place together, and so have positions beyond the first in an array of
scalars. What cannot be told is `lost`: somewhere in the block.
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

Place = objects.PointerValue
LOST = 1 << 40  # the index of a place somewhere in a block
BEYOND = 1  # the index that stands for every one but 0
SOMEWHERE_NEAR_NULL = objects.near_null(1 << 38)
DEEPEST = 2  # owners of objects that have none, of which the next is taken to be somewhere
MOST_NEAR_NULL = 2  # addresses computed from null that are told apart
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


class Places:
    """One block of each kind. `site` tells the allocations of untyped blocks apart; `typed` says which type they get,
    and `wanted` collects by site which ones they are used as."""

    def __init__(self, program: Program, typed: dict[int, str] | None = None) -> None:
        self.program = program
        self.typed = typed or {}
        self.wanted: dict[int, set[str]] = {}
        self.kinds: list[Kind] = []
        self._state = Machine(program, Goal()).start(RecordedChoices(()))
        self._context = self._state.context
        self._by_key: dict[object, Place] = {}
        self._by_block: dict[int, Kind] = {}
        self._sites: dict[int, int] = {}
        self._depth: dict[int, int] = {}
        self._near: set[Place] = set()
        self._passed: dict[str, tuple[Place, ...]] = {}

    # --- blocks ---------------------------------------------------------------------------------------------------

    def created(self, command: New, site: int) -> Place:
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

    def passed(self, type: str) -> tuple[Place, ...]:
        """The addresses that an input pointer to a type may hold: that of a block by itself, and those of parts of
        that type. Arrays have any number of cells."""
        if type not in self._passed:
            self._passed[type] = tuple(self._passed_objects(type))
        return self._passed[type]

    def _passed_objects(self, type: str) -> Iterator[Place]:
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
                            self.linked(place, owner.name, part.name, up=False) for place in self.passed(owner.name)
                        )

    def _typed(self, type: str, count: int | None, size: int | None, sized: bool, counted: bool) -> Place:
        layout = self._context.layouts[type]
        if not sized:
            if counted and count is None:
                count = 3
            size = ROOM + layout.stride * (count or 1) + layout.size
        start = allocate(self._state, layout, Storage.STATIC, NOWHERE, count=count, size=size)
        self._known(start, type, sized)
        return start

    def _untyped(self, site: int, size: int | None) -> Place:
        room = ROOM if size is None else size
        passed = site == PASSED
        start = allocate(self._state, self._context.untyped, Storage.STATIC, NOWHERE, size=room, input=passed)
        kind = self._known(start, f"block {site}", size is not None)
        self._sites[kind.block] = site
        wanted = self._context.layouts.get(self.typed.get(site, ""))
        if wanted is not None and (size is not None or wanted.cells is not None or site == PASSED):
            retype(self._state, kind.block, wanted)
        return start

    def _known(self, start: Place, name: str, sized: bool) -> Kind:
        block = self._state.objects[objects.object_of(start)].block
        taken = sum(1 for kind in self.kinds if kind.name.partition("#")[0] == name)
        kind = Kind(f"{name}#{taken + 1}" if taken else name, block, self._state.blocks[block].root, sized)
        self.kinds.append(kind)
        self._by_block[block] = kind
        return kind

    def kind(self, place: Place) -> Kind:
        return self._by_block[self._object(place).block]

    def _object(self, place: Place) -> objects.MemoryObject:
        return self._state.objects[objects.object_of(place)]

    def type_of(self, place: Place) -> str:
        """The type of the object at a place."""
        return self._object(place).layout.name

    def count(self, place: Place) -> int | None:
        """The number of cells of the array at a place."""
        return self._object(place).count

    def lost(self, place: Place) -> Place:
        return (self.kind(place).root, LOST)

    def is_lost(self, place: Place) -> bool:
        return objects.index_of(place) == LOST

    # --- arithmetic -----------------------------------------------------------------------------------------------

    def from_null(self, place: Place) -> tuple[Place, ...]:
        """An address that was computed from null. Of many different ones no more is known than that."""
        if place != objects.NULL and place not in self._near and len(self._near) == MOST_NEAR_NULL:
            return (SOMEWHERE_NEAR_NULL, objects.NULL)
        self._near |= {place} - {objects.NULL}
        return (place,)

    def followed(self, place: Place, owner: str, part: str, up: bool) -> tuple[Place, ...]:
        if place == SOMEWHERE_NEAR_NULL:
            return (SOMEWHERE_NEAR_NULL, objects.NULL)
        if not objects.is_pointer(place):
            return self.from_null((owner_of if up else part_of)(self._state, place, self._context.layouts[owner], part))
        return (self.linked(place, owner, part, up),)

    def linked(self, place: Place, owner: str, part: str, up: bool) -> Place:
        """The part of an object, or its owner."""
        layout = self._context.layouts[owner]
        move = owner_of if up else part_of
        if not isinstance(place, int) or (self._is_untyped(place) and self._want(place, owner)):
            return self.lost(place)
        depth = self._depth.get(place, 0)
        found = move(self._state, place, layout, part)
        if (
            self._object(found).status == objects.OUTSIDE
            and self._depth.setdefault(objects.object_of(found), depth + 1) > DEEPEST
        ):
            return self.lost(place)
        return self._normal(found)

    def reinterpreted(self, place: Place, type: str) -> Place:
        if not objects.is_pointer(place) or self.is_lost(place):
            return place
        if self._is_untyped(place):
            self._want(place, type)
            return place if type not in self._context.layouts else self.lost(place)
        return self._normal(reinterpreted(self._state, place, type))

    def moved(self, place: Place, offset: Expr, unit: int) -> tuple[Place, ...]:
        """place + offset"""
        distance = constant(offset)
        if distance == 0 or self.is_lost(place):
            return (place,)
        if not objects.is_pointer(place):
            near = objects.offset_from_null(place)
            if distance is None or near is None or place == SOMEWHERE_NEAR_NULL:
                return (SOMEWHERE_NEAR_NULL, objects.NULL)
            return self.from_null(shifted(self._state, place, distance, unit))
        number, obj = objects.object_of(place), self._object(place)
        array = self._array_of(place, unit)
        if array is not None:
            first, others = self._elements(array)
            stays = distance is None or first != number
            return tuple(p for p in (first if stays else None, others, (array, BEYOND)) if p is not None)
        if unit in (0, obj.layout.stride):
            beyond = (number, BEYOND)
            return (number, beyond) if distance is None or place == beyond else (beyond,)
        if distance is None or not isinstance(place, int) or self.offset(place) is None:
            return (self.lost(place),)
        try:
            return (self._normal(shifted(self._state, place, distance, unit)),)
        except Stop:
            return (self.lost(place),)

    def _array_of(self, place: Place, unit: int) -> int | None:
        """The array of objects among whose elements a pointer moves."""
        obj = self._object(place)
        if obj.elements is not None:
            return objects.object_of(place) if unit in (0, obj.layout.stride) else None
        if objects.index_of(place) or not obj.owner:
            return None
        array = self._state.objects[obj.owner]
        if array.elements is None or not (array.layout.stride == unit or (not unit and obj.layout.cells is None)):
            return None
        return obj.owner

    def _elements(self, array: int) -> tuple[Place | None, Place | None]:
        """The first element, and the one that stands for the others."""
        count = self._state.objects[array].count or 0
        first = self._normal(element(self._state, array, 0)) if count else None
        return first, self._normal(element(self._state, array, 1)) if count > 1 else None

    def _normal(self, place: Place) -> Place:
        """The place that stands for an address."""
        if not objects.is_pointer(place):
            return place
        number = self._normal_object(objects.object_of(place))
        return (number, BEYOND) if objects.index_of(place) else number

    def _normal_object(self, number: int) -> int:
        obj = self._state.objects[number]
        if not obj.owner:
            return number
        owner = self._normal_object(obj.owner)
        above = self._state.objects[owner]
        if above.elements is not None:
            return element(self._state, owner, min(obj.position, 1))
        return above.parts[obj.position]

    def offset(self, place: Place) -> int | None:
        """The distance from the start of the block in bytes."""
        if not isinstance(place, int) or self._position(place) != 0:
            return None
        return self._object(place).offset

    def _position(self, number: int) -> int | None:
        """The index of the element that an object is part of, if it is in an array and that is not the first one."""
        obj = self._state.objects[number]
        while obj.owner:
            above = self._state.objects[obj.owner]
            if above.elements is not None and obj.position:
                return obj.position
            obj = above
        return 0

    def same(self, one: Place, other: Place) -> bool | None:
        """Whether two places of one block are one address."""
        left, right = self.offset(one), self.offset(other)
        return None if left is None or right is None else left == right

    def _is_untyped(self, place: Place) -> bool:
        return self._object(place).layout is self._context.untyped

    def _want(self, place: Place, type: str) -> bool:
        if type in self._context.layouts:
            self.wanted.setdefault(self._sites[self.kind(place).block], set()).add(type)
        return True

    # --- names ----------------------------------------------------------------------------------------------------

    def path(self, number: int) -> str:
        obj = self._state.objects[number]
        if not obj.owner:
            return ""
        above = self._state.objects[obj.owner]
        step = f"[{obj.position}]" if above.elements is not None else above.layout.parts[obj.position].name
        return ".".join(filter(None, (self.path(obj.owner), step)))

    def tag(self, place: Place) -> str:
        """The name of a place; the start of a block has none."""
        if not objects.is_pointer(place):
            return f"null{(objects.offset_from_null(place) or 0):+}"
        if self.is_lost(place):
            return "?"
        number = objects.object_of(place)
        if self._state.objects[number].status == objects.OUTSIDE:
            source, owner, part, up = next(key for key, value in self._state.outside.items() if value == number)
            name = f"{self.tag(source)}{'^' if up else '>'}{owner}.{part}"
        else:
            name = self.path(number)
        return f"{name}+" if objects.index_of(place) else name
