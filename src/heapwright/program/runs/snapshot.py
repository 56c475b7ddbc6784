"""Concrete heap snapshots, for membership queries against engine states.

    for location, heap in snapshots(Machine(program, Goal()), RandomChoices(1)):
        assert result.contains(location, heap) is not False

A pointer is null or so many bytes from it, junk, or an object and an index in it. A number is None where it may be
anything. An unread pointer field of an input object is left out, and an unread cell of an input array is undecided. A
pointer that is left out may be anything: an engine that rejects such a heap rejects each completion of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from heapwright.base.source import Span
from heapwright.program.choices import ChoiceSource
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.semantics.memory import objects_of
from heapwright.program.semantics.objects import (
    FREED,
    LEFT,
    NULL,
    OUTSIDE,
    UNKNOWN,
    UNREAD,
    Bytes,
    MemoryObject,
    index_of,
    is_pointer,
    number_in,
    object_of,
    offset_from_null,
)
from heapwright.program.semantics.state import Fault, State, Stop
from heapwright.program.types import Storage, ValueKind


@dataclass(frozen=True, slots=True)
class Address:
    """`object` 0 is null, with the distance from it as index, -1 junk, -2 an unread input pointer, -3 unknown."""

    object: int
    index: int = 0


NULL_ADDRESS = Address(0)
JUNK_ADDRESS = Address(-1)
UNDECIDED_ADDRESS = Address(-2)
ANY_ADDRESS = Address(-3)


@dataclass(frozen=True, slots=True)
class HeapObject:
    """`owner` is the object that it is a part or an element of, 0 if there is none, `position` the part's name or the
    element's index; an object that is outside has no owner, but the root of a block near which it would be. Cells and
    elements of arrays that were never accessed are missing: they are as at the beginning."""

    type: str
    storage: Storage
    status: str  # live, freed, ended or outside
    pointers: Mapping[str, Address] = field(default_factory=dict)
    data: Mapping[str, int | None] = field(default_factory=dict)
    owner: int = 0
    position: str = ""
    count: int | None = None
    root: int = 0
    cells: Mapping[int, Address | int | None] = field(default_factory=dict)  # of an array, by index
    start: Address = JUNK_ADDRESS  # what pointers held at the beginning
    allocated: Span | None = None  # by which statement; None of objects that were there before


@dataclass(frozen=True)
class Snapshot:
    """`lost`: whether blocks were lost before, which are not in it; None if that is not known. `overlaid`: whether
    there are members that share bytes. What one holds after another was written, engines approximate, so that they
    cannot exclude such a heap."""

    pointers: Mapping[str, Address]
    data: Mapping[str, int | None]
    objects: Mapping[int, HeapObject]
    lost: bool | None = None
    overlaid: bool = False


def snapshot(program: Program, state: State) -> Snapshot:
    """The variables and all objects of a state, without those that were lost; freed ones that nothing refers to may be
    among them."""
    garbage = state.garbage
    views = frozenset(number for number, obj in state.objects.items() if obj.layout is state.context.view)
    pointers: dict[str, Address] = {}
    data: dict[str, int | None] = {}
    for slot, (name, variable) in enumerate(program.variables.items()):
        value = state.vars[slot]
        if variable.kind is ValueKind.POINTER:
            dead = garbage and is_pointer(value) and state.objects[object_of(value)].block in garbage
            pointers[name] = JUNK_ADDRESS if dead else _address(value, views)
        else:
            data[name] = _number(value)
    objects = {
        number: _object(state, state.objects[number], views)
        for identity, block in state.blocks.items()
        if identity not in garbage
        for number in objects_of(state, block.root)
    }
    for number, obj in state.objects.items():
        if number not in objects and obj.block not in garbage and number not in views:
            objects[number] = _object(state, obj, views)
    overlaid = any(state.objects[number].layout.overlaps for number in objects)
    return Snapshot(pointers, data, objects, True if state.leaks else None, overlaid)


def _address(value: object, views: frozenset[int]) -> Address:
    if value == NULL:
        return NULL_ADDRESS
    if isinstance(value, Bytes) or value == UNKNOWN or number_in(value) is not None:
        return ANY_ADDRESS
    if is_pointer(value):
        assert isinstance(value, int | tuple)
        if object_of(value) in views:
            return ANY_ADDRESS
        return Address(object_of(value), index_of(value))
    near = offset_from_null(value)
    if near is not None:
        return Address(0, near)
    return UNDECIDED_ADDRESS if value == UNREAD else JUNK_ADDRESS


def _object(state: State, obj: MemoryObject, views: frozenset[int]) -> HeapObject:
    block = state.blocks[obj.block]
    status = "outside" if obj.status == OUTSIDE else {FREED: "freed", LEFT: "ended"}.get(block.status, "live")
    pointers: dict[str, Address] = {}
    data: dict[str, int | None] = {}
    cells: dict[int, Address | int | None] = {}
    if status == "live":
        for slot, item in enumerate(obj.layout.fields):
            value = obj.fields[slot]
            if item.kind is ValueKind.POINTER and value == UNREAD:
                continue
            if item.kind is ValueKind.POINTER:
                pointers[item.name] = _address(value, views)
            else:
                data[item.name] = _number(value)
        for index, value in (obj.cells or {}).items():
            cells[index] = _address(value, views) if obj.layout.holds_pointers else _number(value)
    owner = state.objects.get(obj.owner)
    position = ""
    if owner is not None:
        position = owner.layout.parts[obj.position].name if owner.parts else str(obj.position)
    return HeapObject(
        obj.layout.name,
        block.storage,
        status,
        pointers,
        data,
        obj.owner,
        position,
        obj.count,
        block.root,
        cells,
        NULL_ADDRESS if block.zeroed else UNDECIDED_ADDRESS if block.input else JUNK_ADDRESS,
        None if block.input else block.allocated,
    )


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


def snapshots(machine: Machine, choices: ChoiceSource, *, max_steps: int = 2_000) -> Iterator[tuple[int, Snapshot]]:
    """The heap at each location of a run, before the command there."""
    state = machine.start(choices)
    try:
        for _ in range(max_steps):
            yield state.location, replace(snapshot(machine.program, state), lost=state.lost)
            state.location = machine.steps[state.location](state)
            state.steps += 1
    except (Stop, Fault):
        return
