"""Enumeration of the concrete heaps of a few blocks in an abstract state, by membership queries alone.

Blocks are chosen first: their number, kind and lifetime. Then variables and fields are assigned one by one, and after
each assignment membership of the partial heap is queried: a negative answer prunes all completions of the partial heap.
So few heaps are visited that are not in the state, without any knowledge of its representation. Blocks of one kind that
are not distinguished yet are interchangeable (symmetry reduction), and only the first is tried.

    for found in HeapEnumerator(machine, states, expired, also).at(location, objects=3):
        found.state, found.heap, found.decided

A pointer holds null, junk, or the address of an object of its target type; for a dead variable null and junk are the
same, unless states distinguish them. The lifetime of a block has ended only at locations that a command which ends one
may precede. With pointer arithmetic, a pointer into an array may have any index. A pointer of an input heap may be
unread, if states distinguish that. Integers that the state does not distinguish, and those in arrays, stay symbolic in
the interpreter; others take the representative values of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

from heapwright.engines.api import ProofStates
from heapwright.program.choices import SymbolicChoices
from heapwright.program.commands import AnyPointer, Free, Leave, New, Shift
from heapwright.program.expressions import linear
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import (
    ANY_ADDRESS,
    JUNK_ADDRESS,
    NULL_ADDRESS,
    UNDECIDED_ADDRESS,
    Address,
    HeapObject,
    Snapshot,
    snapshot,
)
from heapwright.program.semantics.input_heap import input_types
from heapwright.program.semantics.memory import allocate, end
from heapwright.program.semantics.objects import FREED, JUNK, LEFT, UNSET, PointerValue
from heapwright.program.semantics.state import ChoicePoint, State
from heapwright.program.types import Storage, ValueKind
from heapwright.proof.assignment import Cell, assigned, assigned_number
from heapwright.proof.dead_roots import DeadRoots

LENGTHS = (0, 1, 2, 3, 4)  # of arrays without a constant length
MOST_CELLS = 64  # cells of a zero-initialised array that may have been overwritten


@dataclass(frozen=True, slots=True)
class BlockTemplate:
    """A block to create: its allocation site (edge number), its number of cells if it is an array, and whether its
    lifetime has ended; or a block of the input heap with the type `input`."""

    site: int
    ended: bool
    count: int | None = None
    input: str = ""


@dataclass(frozen=True)
class EnumeratedHeap:
    """A heap, with the interpreter's state; `decided` is False if its membership is undecided."""

    state: State
    heap: Snapshot
    decided: bool


def not_enumerable(program: Program) -> str:
    """The reason why the heaps of a program are not enumerated; "" if they are."""
    if any(type.overlaps for type in program.types.values()):
        return "unions"
    for edge in program.graph.edges:
        command = edge.command
        if isinstance(command, New):
            if command.size is not None or command.type not in program.types:
                return f"blocks without a type ({edge.span})"
            if not _plain(program, command.type):
                return f"arrays of pointers or of objects ({edge.span})"
    return next(filter(None, (_inputs_not_enumerable(program, name) for name in _input_types(program))), "")


def _input_types(program: Program) -> list[str]:
    """Input types with fields; the interpreter reports a read of a pointer to another type."""
    return [name for name in input_types(program) if name in program.types]


def _inputs_not_enumerable(program: Program, name: str) -> str:
    """The reason why input blocks of a type are not enumerated: in the interpreter they are single objects."""
    if program.types[name].cells is not None or not _plain(program, name):
        return f"arrays as inputs ({name})"
    if any(part.type == name for other in program.types.values() for part in other.parts):
        return f"parts of other objects as inputs ({name})"
    return ""


def _plain(program: Program, name: str) -> bool:
    """Whether all cells of a type are integers."""
    type = program.types[name]
    if type.cells is not None:
        return type.cells.field is not None and type.cells.field.kind is ValueKind.DATA
    return all(_plain(program, part.type) for part in type.parts)


def has_variable_lengths(program: Program) -> bool:
    """Whether there are arrays of variable length, or of a length over the maximum that is enumerated."""
    counts = [_counts(program, edge.command) for edge in program.graph.edges if isinstance(edge.command, New)]
    return any(len(lengths) > 1 or (lengths[0] or 0) > LENGTHS[-1] for lengths in counts)


def _counts(program: Program, command: New) -> tuple[int | None, ...]:
    """Possible numbers of cells of a block; (None,) if it is not an array."""
    cells = program.types[command.type].cells if command.type in program.types else None
    if cells is None or command.count is None:
        return (cells.count if cells else None,)
    count = linear(command.count)
    return (count.constant,) if count is not None and not count.terms else LENGTHS


class HeapEnumerator:
    """`also`: pointer variables at a location that are assigned beside those that the states distinguish."""

    def __init__(
        self, machine: Machine, states: ProofStates, expired: Callable[[], None], also: Callable[[int], Sequence[str]]
    ) -> None:
        self.machine = machine
        self.program = machine.program
        self.states = states
        self.expired = expired  # raises DeadlineExceeded after the deadline
        self.slots = {name: slot for slot, name in enumerate(self.program.variables)}
        self.fields = states.fields()
        self.also = also
        self.makes = tuple(self._makes())
        self.shifts = any(isinstance(edge.command, Shift) for edge in self.program.graph.edges)
        freed = self._after(Free)
        self.ended = {Storage.HEAP: freed, Storage.STATIC: freed, Storage.STACK: self._after(Leave)}

    def _after(self, kind: type) -> frozenset[int]:
        """Locations that a command of some kind may precede."""
        graph = self.program.graph
        return graph.after(edge.target for edge in graph.edges if isinstance(edge.command, kind))

    def _makes(self) -> Iterator[BlockTemplate]:
        """One template for each kind of block."""
        seen: set[Hashable] = set()
        for site, edge in enumerate(self.program.graph.edges):
            command = edge.command
            for count in _counts(self.program, command) if isinstance(command, New) else ():
                assert isinstance(command, New)
                key = (command.type, command.storage, command.zeroed, self.states.kind(site), count)
                if key not in seen:
                    seen.add(key)
                    yield BlockTemplate(site, ended=False, count=count)
                    if command.storage is not Storage.STATIC or self.program.closes:
                        yield BlockTemplate(site, ended=True, count=count)
        for site, edge in enumerate(self.program.graph.edges):
            if isinstance(edge.command, AnyPointer):
                for name in _input_types(self.program):
                    yield from (BlockTemplate(site, ended, input=name) for ended in (False, True))
                return

    def at(self, location: int, objects: int) -> Iterator[EnumeratedHeap]:
        """The heaps of exactly that many blocks in the state at a location."""
        for made in combinations_with_replacement(self.makes, objects):
            if self._possible(location, made):
                yield from _HeapSearch(self, location, made).found()

    def _possible(self, location: int, made: tuple[BlockTemplate, ...]) -> bool:
        storages = {one: self._storage(one) for one in made}
        static = [one for one in made if storages[one] is Storage.STATIC]
        ended = {storage for one, storage in storages.items() if one.ended}
        return len(set(static)) == len(static) and all(location in self.ended[storage] for storage in ended)

    def _storage(self, one: BlockTemplate) -> Storage:
        return Storage.HEAP if one.input else _new(self.program.graph.edges[one.site].command).storage


def _new(command: object) -> New:
    assert isinstance(command, New)
    return command


class _HeapSearch:
    """Search for the heaps with given blocks at one location."""

    def __init__(self, heaps: HeapEnumerator, location: int, made: tuple[BlockTemplate, ...]) -> None:
        self.heaps = heaps
        self.location = location
        self.program = heaps.program
        self.states = heaps.states
        self.template, self.alike = self._blocks(made)
        self.variables = tuple(dict.fromkeys((*heaps.states.pointers(location), *heaps.also(location))))
        self.roots = DeadRoots(heaps.machine, heaps.states, heaps.also, location)
        self.numbers = dict(heaps.states.numbers(location))

    def _blocks(self, made: tuple[BlockTemplate, ...]) -> tuple[State, dict[int, BlockTemplate]]:
        """A state with the blocks alone. Blocks whose lifetime has ended come first, so that later blocks may reuse
        their addresses and a comparison of addresses is nondeterministic. Input blocks coexist."""
        state = self.heaps.machine.start(SymbolicChoices(ChoicePoint))
        state.location = self.location
        alike = self._inputs(state, [one for one in made if one.input])
        others = [one for one in made if not one.input]
        for one in sorted(others, key=lambda one: (not one.ended, one.site, one.count or 0)):
            edge = self.program.graph.edges[one.site]
            command = _new(edge.command)
            layout = state.context.layouts[command.type]
            root = allocate(state, layout, command.storage, edge.span, count=one.count, zeroed=command.zeroed)
            block = state.objects[root].block
            if one.count is not None and command.zeroed:  # they may have been overwritten
                state.own(root).cells = dict.fromkeys(range(min(one.count, MOST_CELLS)), UNSET)
            alike[block] = one
            if one.ended:
                end(state, block, FREED if command.storage is Storage.HEAP else LEFT, edge.span)
        return state, alike

    def _inputs(self, state: State, made: Sequence[BlockTemplate]) -> dict[int, BlockTemplate]:
        alike: dict[int, BlockTemplate] = {}
        for one in made:
            span = self.program.graph.edges[one.site].span
            root = allocate(state, state.context.layouts[one.input], Storage.HEAP, span, input=True)
            alike[state.objects[root].block] = one
        for block, one in alike.items():
            if one.ended:
                end(state, block, FREED, self.program.graph.edges[one.site].span)
        return alike

    def found(self) -> Iterator[EnumeratedHeap]:
        bare = snapshot(self.program, self.template)
        undecided_heaps = {
            number: replace(item, pointers=self._untold(number, item)) for number, item in bare.objects.items()
        }
        start = Snapshot(
            {**bare.pointers, **dict.fromkeys(self.variables, ANY_ADDRESS)},
            dict.fromkeys(bare.data),
            undecided_heaps,
        )
        if self._may(start) is not False:
            yield from self._decide(start, ())

    def _untold(self, number: int, item: HeapObject) -> dict[str, Address]:
        """The pointers of an object before assignment: those that the states distinguish are open."""
        if item.status != "live":
            return {}
        names = [field.name for field in self.template.objects[number].layout.fields if field.kind is ValueKind.POINTER]
        matter = {name for name in names if (item.type, name) in self.heaps.fields}
        return {
            name: ANY_ADDRESS if name in matter else item.pointers[name]
            for name in names
            if name in matter or name in item.pointers
        }

    def _may(self, heap: Snapshot) -> bool | None:
        self.heaps.expired()
        return self.states.contains(self.location, heap)

    # --- pointers ----------------------------------------------------------------------------------------------------

    def _decide(self, heap: Snapshot, touched: tuple[int, ...]) -> Iterator[EnumeratedHeap]:
        """Assigns all values to the next cell. `touched` are the blocks that are distinguished from others, in the
        order in which they were reached."""
        cell, touched = self._next(heap, touched)
        if cell is None:
            yield from self._count(heap, self._open_numbers(heap))
            return
        for address, after in self._options(heap, cell, touched):
            decided = assigned(heap, cell, address)
            if self._may(decided) is not False:
                yield from self._decide(decided, after)

    def _next(self, heap: Snapshot, touched: tuple[int, ...]) -> tuple[Cell | None, tuple[int, ...]]:
        """The next open cell: variables, then fields of touched blocks, then fields of other blocks."""
        for name in self.variables:
            if heap.pointers[name] == ANY_ADDRESS:
                return (0, name), touched
        for block in touched:
            cell = self._undecided(heap, block)
            if cell is not None:
                return cell, touched
        for block in self.alike:
            if block not in touched:
                cell = self._undecided(heap, block)
                if cell is not None:
                    return cell, (*touched, block)
        return None, touched

    def _undecided(self, heap: Snapshot, block: int) -> Cell | None:
        for number, item in heap.objects.items():
            if self.template.objects[number].block == block:
                for name, address in item.pointers.items():
                    if address == ANY_ADDRESS:
                        return number, name
        return None

    def _options(
        self, heap: Snapshot, cell: Cell, touched: tuple[int, ...]
    ) -> Iterator[tuple[Address, tuple[int, ...]]]:
        number, name = cell
        if number or name in self.roots.with_null:
            yield NULL_ADDRESS, touched
        yield JUNK_ADDRESS, touched
        dead = not number and name in self.roots.role
        first = self.roots.first(heap, name, self.template, touched) if dead else 0
        if number:
            block, layout = self.template.objects[number].block, self.template.objects[number].layout
            if self.alike[block].input and self.states.undecided():
                yield UNDECIDED_ADDRESS, touched
            target = layout.fields[layout.slots[name]].target
        else:
            target = self.program.variables[name].target
        fresh: set[tuple[BlockTemplate, int]] = set()
        for other, obj in self.template.objects.items():
            if target in self.program.types and obj.layout.name != target:
                continue
            position = touched.index(obj.block) if obj.block in touched else len(touched)
            if dead and not self.roots.allows(self.template, obj.block, position, first):
                continue
            indices = _indices(obj.count or 0) if self.heaps.shifts and obj.layout.cells is not None else (0,)
            if obj.block in touched:
                yield from ((Address(other, index), touched) for index in indices)
            elif (self.alike[obj.block], obj.offset) not in fresh:
                fresh.add((self.alike[obj.block], obj.offset))
                yield from ((Address(other, index), (*touched, obj.block)) for index in indices)

    # --- numbers -----------------------------------------------------------------------------------------------------

    def _open_numbers(self, heap: Snapshot) -> list[tuple[Cell, tuple[int, ...]]]:
        found: list[tuple[Cell, tuple[int, ...]]] = [((0, name), tries) for name, tries in self.numbers.items()]
        data = self.states.data()
        for number, item in heap.objects.items():
            found += [((number, name), data[item.type, name]) for name in item.data if (item.type, name) in data]
        return found

    def _count(self, heap: Snapshot, left: list[tuple[Cell, tuple[int, ...]]]) -> Iterator[EnumeratedHeap]:
        if left:
            (cell, tries), *others = left
            for value in tries:
                decided = assigned_number(heap, cell, value)
                if self._may(decided) is not False:
                    yield from self._count(decided, others)
            return
        contained = self._may(heap)
        if contained is not False and not self._smaller(heap):
            yield EnumeratedHeap(self._state(heap), heap, contained is True)

    def _smaller(self, heap: Snapshot) -> bool:
        """Whether the heap without ended blocks that no pointer refers to is in the state and is visited itself: the
        two are indistinguishable, unless an unread input pointer may point to such a block."""
        referred = {address.object for address in heap.pointers.values()}
        referred |= {address.object for item in heap.objects.values() for address in item.pointers.values()}
        kept = {self.template.objects[number].block for number in referred if number > 0}
        forgotten = {block for block, one in self.alike.items() if not one.input or not self.states.undecided()}
        gone = {block for block in forgotten if self.alike[block].ended and block not in kept}
        if not gone:
            return False
        rest = {n: item for n, item in heap.objects.items() if self.template.objects[n].block not in gone}
        return self._may(Snapshot(heap.pointers, heap.data, rest)) is True

    def _state(self, heap: Snapshot) -> State:
        state = self.template.copy()
        slots = self.heaps.slots
        for name in self.variables:
            state.vars[slots[name]] = _value(heap.pointers[name])
        for name in self.numbers:
            state.vars[slots[name]] = heap.data[name]
        data = self.states.data()
        for number, item in heap.objects.items():
            if item.status == "live":
                obj = state.own(number)
                for name, address in item.pointers.items():
                    obj.fields[obj.layout.slots[name]] = _value(address)
                for name, value in item.data.items():
                    if (item.type, name) in data:
                        obj.fields[obj.layout.slots[name]] = value
        return state


def _indices(count: int) -> Sequence[int]:
    """Indices of a pointer into an array: all, or those near the ends of a long one."""
    return range(count + 1) if count <= LENGTHS[-1] else (0, 1, count - 1, count)


def _value(address: Address) -> PointerValue:
    if address == JUNK_ADDRESS:
        return JUNK
    return (address.object, address.index) if address.index else address.object
