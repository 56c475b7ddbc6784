"""Points-to analysis by allocation sites: flow-sensitive for variables, flow-insensitive for cells.

Objects that one pointer may point to, and objects that point to one another, form a component; no pointer leads from
one component to another. So components are tracked separately, and two disjoint lists of one type are two components,
even if one variable traverses both in turn. `over_live` leaves out pointers that are dead: a temporary that lists share
does not join them.

    aliases = Aliases(HeapVocabulary(program))
    aliases.component(location, "p")    # the number of a component, or None: p is null or junk there
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import assert_never

from heapwright.engines.lazy.heap.uninitialized_cells import UninitializedCells
from heapwright.engines.tvl.api import HeapVocabulary
from heapwright.program import commands as c
from heapwright.program.explanation.source_words import source_of
from heapwright.program.expressions import Null, Pointer, PointerCompare, Var
from heapwright.program.graph import Edge
from heapwright.program.types import Storage, ValueKind

NULL, JUNK = -1, -2  # besides the numbers of the edges that allocate
SEVERAL = -1  # in place of a component: a dead pointer that may point into more than one
Sites = frozenset[int]
NOTHING: Sites = frozenset()


def unsupported(heap: HeapVocabulary) -> str:
    """Why the cells of a program are not supported, "" if they are: a pointer must be determined by its block, at
    offset 0."""
    for name in (*heap.variables, *heap.fields):
        if heap.tags.tags(name) or heap.tags.offsets(name):
            return f"'{name}' may point to several offsets in a block"
    if heap.arrays:
        return "there are arrays"
    for number, edge in enumerate(heap.program.graph.edges):
        if _is_unsupported(heap, number, edge):
            return f"{edge.span}: '{source_of(heap.program, edge.span)}' is not supported"
    return ""


def _is_unsupported(heap: HeapVocabulary, number: int, edge: Edge[c.Command]) -> bool:
    command = edge.command
    match command:
        case c.AnyPointer() | c.Shift() | c.Scramble() | c.External() | c.Copy() | c.Fill() | c.Protect():
            return True
        case c.LoadCell() | c.StoreCell() | c.LoadDataCell() | c.StoreDataCell():
            return True
        case c.New():
            return command.count is not None or command.size is not None or not command.type
        case c.Free(base):
            blocks = heap.flow.blocks
            return any(blocks.offset(address) != 0 for address in heap.flow.pointers(base))
        case c.Assume(literal) | c.Assert(literal, _):
            return isinstance(literal, PointerCompare) and not _comparable(heap, literal)
        case c.Load() | c.Store() | c.LoadData() | c.StoreData():
            found = [case.access for case in heap.cases[number]]
            if len(found) > 1:
                return True
            for access in found:
                if access is None or access.cell is None or access.fault or access.bounds or access.confused:
                    return True
                if access.cell.many or access.overlapped:
                    return True
                (case,) = heap.cases[number]
                if not isinstance(case.commands[0], type(command)):
                    return True  # accessed as an integer of another type
            return False
        case c.Assign() | c.Follow() | c.Reinterpret() | c.Leave() | c.Compute() | c.Havoc():
            return False
        case c.Distance() | c.Length() | c.Skip() | c.Inspect():
            return False


def _comparable(heap: HeapVocabulary, literal: PointerCompare) -> bool:
    """Whether the pointers are equal if and only if they point to one block."""
    if literal.op not in ("==", "!="):
        return False
    if not isinstance(literal.left, Var) or not isinstance(literal.right, Var):
        return True
    blocks = heap.flow.blocks
    return all(
        blocks.kind(one) != blocks.kind(other) or blocks.same(one, other)
        for one in heap.flow.pointers(literal.left.name)
        for other in heap.flow.pointers(literal.right.name)
    )


class Aliases:
    coarse = False  # whether there are no points-to facts
    live_only = False  # whether components are joined by live pointers alone

    def __init__(self, heap: HeapVocabulary) -> None:
        self.heap = heap
        self.program = heap.program
        self.graph = heap.program.graph
        self._fields: dict[tuple[int, str], Sites] = {}
        self._at: dict[int, dict[str, Sites]] = {}
        self._ends: dict[type[c.Free | c.Leave], Sites] = {}
        self._initial: dict[tuple[int, str], Sites] = {}
        self._needed: Callable[[int], Iterable[str]] = lambda location: self._at[location]
        self._solve()

    # --- what is known ---------------------------------------------------------------------------------------------

    def at(self, location: int, name: str) -> Sites:
        return self._at.get(location, {}).get(name, NOTHING)

    def reached(self, location: int) -> bool:
        return location in self._at

    def may_be_junk(self, location: int, name: str) -> bool:
        return JUNK in self.at(location, name)

    def may_be_null(self, location: int, name: str) -> bool:
        return NULL in self.at(location, name)

    def may_be_freed(self, location: int, name: str) -> bool:
        """Whether the variable may point to a freed object."""
        return not self.ended(c.Free).isdisjoint(self.at(location, name))

    def may_be_left(self, location: int, name: str) -> bool:
        """Whether the variable may point to an object whose scope has ended."""
        return not self.ended(c.Leave).isdisjoint(self.at(location, name))

    def on_heap(self, location: int, name: str) -> bool:
        """Whether all targets of the variable are heap blocks."""
        commands = (self.graph.edges[site].command for site in self.at(location, name) if site >= 0)
        return all(isinstance(command, c.New) and command.storage is Storage.HEAP for command in commands)

    def cell(self, number: int) -> str:
        """The cell that an edge reads or writes."""
        cases = self.heap.cases[number]
        if not cases:
            return "#nowhere"  # the pointer has no target there
        access = cases[0].access
        assert access is not None
        assert access.cell is not None
        return access.cell.name

    def cells_of(self, number: int) -> list[tuple[str, bool]]:
        """The cells of what an edge allocates, and whether they hold pointers."""
        command = self.graph.edges[number].command
        assert isinstance(command, c.New)
        blocks = self.heap.flow.blocks
        found = blocks.cells(blocks.kind(blocks.created(command, number)))
        return [(one.name, one.field.kind is ValueKind.POINTER) for one in found]

    def held(self, site: int, cell: str) -> Sites:
        """The points-to set of a cell of the objects of a site."""
        return self._fields.get((site, cell), NOTHING)

    def may_hold(self, site: int, cell: str) -> Sites:
        """... with the value that it has before it is set, even if nothing reads that."""
        return self.held(site, cell) | self._initial.get((site, cell), NOTHING)

    def ended(self, kind: type[c.Free | c.Leave]) -> Sites:
        """The objects whose lifetime commands of a kind may end."""
        found = self._ends.get(kind)
        if found is None:
            found = self._ends[kind] = frozenset(
                site
                for edge in self.graph.edges
                if isinstance(edge.command, kind)
                for site in self.at(edge.source, edge.command.base)
                if site >= 0
            )
        return found

    def loaded(self, number: int, base: Sites) -> Sites:
        """The points-to set of a load from some objects."""
        cell = self.cell(number)
        return NOTHING.union(*(self.held(site, cell) for site in base))

    def plain(self, number: int, cells: frozenset[str]) -> bool:
        """Whether an edge accesses one of some cells."""
        return self.cell(number) in cells

    # --- components ------------------------------------------------------------------------------------------------

    def over_live(self, loads: Callable[[int], Mapping[str, tuple[str, str]]]) -> Aliases:
        """The same facts, with components that are joined by live pointers alone, and by those whose loaded data is
        live. What is dead may hold an object of any component."""
        found = copy.copy(self)
        found.__dict__.pop("_component_of", None)
        liveness = self.heap.liveness

        def needed(location: int) -> Iterable[str]:
            live = liveness.at(location)
            read = {base for name, (base, _) in loads(location).items() if live & liveness.bit(name)}
            return (name for name in self._at[location] if name in read or live & liveness.bit(name))

        found._needed = needed  # of the same class
        found.live_only = True
        return found

    @cached_property
    def _component_of(self) -> dict[int, int]:
        parent: dict[int, int] = {}

        def find(site: int) -> int:
            parent.setdefault(site, site)
            while parent[site] != site:
                parent[site] = parent[parent[site]]
                site = parent[site]
            return site

        def join(sites: Iterable[int]) -> None:
            objects = [site for site in sites if site >= 0]
            for other in objects:
                one, two = find(objects[0]), find(other)
                parent[max(one, two)] = min(one, two)

        for location, known in self._at.items():
            for name in self._needed(location):
                join(known[name])
        for site, edge in enumerate(self.graph.edges):
            if isinstance(edge.command, c.New):
                parent.setdefault(site, site)
        for (site, _), sites in self._fields.items():
            join((site, *sites))
        for edge in self.graph.edges:
            if isinstance(edge.command, c.Assume | c.Assert) and isinstance(edge.command.literal, PointerCompare):
                literal = edge.command.literal
                join(
                    site
                    for one in (literal.left, literal.right)
                    if isinstance(one, Var)
                    for site in self.at(edge.source, one.name)
                )
        return {site: find(site) for site in parent}

    @property
    def components(self) -> tuple[int, ...]:
        return tuple(sorted(set(self._component_of.values())))

    def component_of_site(self, site: int) -> int:
        return self._component_of.get(site, site)

    def component(self, location: int, name: str) -> int | None:
        found = {self._component_of[site] for site in self.at(location, name) if site >= 0}
        return None if not found else SEVERAL if len(found) > 1 else found.pop()

    # --- solving ---------------------------------------------------------------------------------------------------

    def _solve(self) -> None:
        before = None
        while before != self._fields:
            before = dict(self._fields)
            start = {name: frozenset((JUNK,)) for name in self.heap.variables}
            self._at = {self.graph.entry: start}
            waiting = [self.graph.entry]
            while waiting:
                location = waiting.pop()
                for edge in self.graph.successors[location]:
                    after = self._after(edge, self._at[location])
                    if after is not None and self._join(edge.target, after):
                        waiting.append(edge.target)

    def _join(self, location: int, state: dict[str, Sites]) -> bool:
        old = self._at.get(location)
        if old is None:
            self._at[location] = state
            return True
        joined = {name: sites | state[name] for name, sites in old.items()}
        if joined == old:
            return False
        self._at[location] = joined
        return True

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {id(edge): number for number, edge in enumerate(self.graph.edges)}

    def _after(self, edge: Edge[c.Command], state: dict[str, Sites]) -> dict[str, Sites] | None:
        command, number = edge.command, self._numbers[id(edge)]
        after = dict(state)
        if isinstance(command, c.Load | c.Store | c.LoadData | c.StoreData):
            after[command.base] = state[command.base] - {NULL, JUNK}
        elif isinstance(command, c.Inspect):
            after[command.base] = state[command.base] - {JUNK}
        if isinstance(command, c.Load | c.Store | c.LoadData | c.StoreData | c.Inspect) and not after[command.base]:
            return None  # every run ends there
        match command:
            case c.Assign(target, value):
                after[target] = self._of(state, value)
            case c.Follow(target, base) | c.Reinterpret(target, base):
                after[target] = state[base]
            case c.New(target):
                self._create(number, command)
                after[target] = frozenset((number, NULL) if command.may_fail else (number,))
            case c.Load(target):
                after[target] = self.loaded(number, after[command.base])
            case c.Store(base, _, value):
                for site in after[base]:
                    self._hold(site, self.cell(number), self._of(state, value))
            case c.Assume(PointerCompare() as literal) | c.Assert(PointerCompare() as literal, _):
                return self._filtered(literal, after)
            case c.Free() | c.Leave() | c.LoadData() | c.StoreData() | c.Compute() | c.Havoc() | c.Distance():
                pass  # no pointer moves
            case c.Length() | c.Assume() | c.Assert() | c.Skip() | c.Inspect():
                pass
            case c.AnyPointer() | c.Shift() | c.Scramble() | c.External() | c.Copy() | c.Fill() | c.Protect():
                raise AssertionError("refused by `unsupported`")
            case c.LoadCell() | c.StoreCell() | c.LoadDataCell() | c.StoreDataCell():
                raise AssertionError("refused by `unsupported`")
            case _:
                assert_never(command)
        return after

    def _of(self, state: dict[str, Sites], value: Pointer) -> Sites:
        match value:
            case Var(name):
                return state[name]
            case Null():
                return frozenset((NULL,))
        return frozenset((JUNK,))

    def _create(self, number: int, command: c.New) -> None:
        for name, is_pointer in self.cells_of(number):
            if is_pointer:
                start = self._initial[number, name] = frozenset((NULL if command.zeroed else JUNK,))
                if command.zeroed or (number, name) in self._uninitialized.readable:
                    self._hold(number, name, start)

    @cached_property
    def _uninitialized(self) -> UninitializedCells:
        def created(number: int) -> Iterable[str]:
            return (name for name, is_pointer in self.cells_of(number) if is_pointer)

        return UninitializedCells(self.graph, self.heap.liveness, created, self.cell)

    def _hold(self, site: int, cell: str, values: Sites) -> None:
        known = self._fields.get((site, cell), NOTHING)
        if not values <= known:
            self._fields[site, cell] = known | values

    def _filtered(self, literal: PointerCompare, state: dict[str, Sites]) -> dict[str, Sites] | None:
        """The points-to set after a comparison with null; junk may have either outcome."""
        ends = (literal.left, literal.right)
        if not any(isinstance(one, Null) for one in ends):
            return state
        for one in ends:
            if isinstance(one, Var):
                kept = state[one.name] & {NULL, JUNK} if literal.op == "==" else state[one.name] - {NULL}
                if not kept:
                    return None
                state[one.name] = kept
        return state
