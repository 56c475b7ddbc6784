"""Types of the objects that pointers lead to: flow-sensitive for variables, one set for each field of a type.

`malloc` behind a wrapper returns `void *`; what a variable points to is what flows in. An untyped block gets the type
at which it is accessed, if that is one. Pointers that arithmetic has moved are marked, for they may point beside their
object.

    types = ObjectTypes(program)
    types.at(location, "p")           # frozenset({"node"})
    types.is_moved(location, "p")     # False
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from heapwright.program import commands as c
from heapwright.program.dataflow.liveness import defined
from heapwright.program.expressions import Const, Expr, Pointer, Var
from heapwright.program.graph import Edge, Program
from heapwright.program.types import Field, ObjectType, ValueKind

ANYTHING = "?"  # an object of which nothing is known
MOVED = "+"  # not the type of an object: arithmetic may have moved the pointer
UNTYPED = "?block "  # prefix of blocks without a type, by the edge that allocates them
CELL = "[]"  # the name of all cells of an array
NOTHING: frozenset[str] = frozenset()

Known = dict[str, frozenset[str]]  # by variable
Accessing = c.Load | c.Store | c.LoadData | c.StoreData | c.Scramble
AccessingCells = c.LoadCell | c.StoreCell | c.LoadDataCell | c.StoreDataCell


def is_still(offset: Expr) -> bool:
    return isinstance(offset, Const) and offset.value == 0


@dataclass
class ObjectTypes:
    program: Program
    resolved: dict[str, str] = field(default_factory=dict)  # types of untyped blocks
    cells: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    known: list[Known] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._demanded: dict[str, set[str]] = {}
        while True:
            self._solve()
            more = {site: next(iter(found)) for site, found in self._demanded.items() if len(found) == 1}
            more = {site: type for site, type in more.items() if self._fits(site, type)}
            if more.keys() <= self.resolved.keys():
                return
            self.resolved.update(more)

    def at(self, location: int, variable: str) -> frozenset[str]:
        """The types of the objects that a variable may point to, without those that are moved."""
        return self.known[location].get(variable, NOTHING) - {MOVED}

    def is_moved(self, location: int, variable: str) -> bool:
        return not self.known[location].get(variable, NOTHING).isdisjoint((MOVED, ANYTHING))

    def everywhere(self, variable: str) -> frozenset[str]:
        return NOTHING.union(*(known.get(variable, NOTHING) for known in self.known)) - {MOVED}

    def type_of(self, site: int) -> str:
        """The type of the block that an edge allocates, "" if it has none."""
        command = self.program.graph.edges[site].command
        assert isinstance(command, c.New)
        return command.type or self.resolved.get(f"{UNTYPED}{site}", "")

    def field_at(self, declared: str, name: str, kind: ValueKind, type: str) -> Field | None:
        """The scalar of an object that an access of `name` through a pointer to `declared` means; None if there is none
        of its kind and size at that byte."""
        object, pattern = self.program.types.get(type), self.program.types.get(declared)
        if object is None or object.cells is not None:
            return None
        wanted = None if pattern is None else pattern.field(name)
        if declared == type or wanted is None:
            found = object.field(name)
            return found if found is not None and found.kind is kind and pattern in (None, object) else None
        same = [one for one in object.fields if one.offset == wanted.offset and _alike(one, wanted)]
        return same[0] if len(same) == 1 and not object.overlaps else None

    # --- the fixpoint --------------------------------------------------------------------------------------------

    def _solve(self) -> None:
        graph = self.program.graph
        self._demanded.clear()
        self._inputs()
        while True:
            before = dict(self.cells)
            self.known = [{} for _ in graph.locations]
            reached, waiting = {graph.entry}, [graph.entry]
            numbers: dict[int, list[int]] = {}
            for number, edge in enumerate(graph.edges):
                numbers.setdefault(edge.source, []).append(number)
            while waiting:
                location = waiting.pop()
                for number in numbers.get(location, ()):
                    edge = graph.edges[number]
                    after = self._after(number, edge)
                    if self._merge(edge.target, after) or edge.target not in reached:
                        reached.add(edge.target)
                        waiting.append(edge.target)
            if self.cells == before:
                return

    def _merge(self, location: int, more: Known) -> bool:
        here, changed = self.known[location], False
        for variable, found in more.items():
            old = here.get(variable, NOTHING)
            if not found <= old:
                here[variable], changed = old | found, True
        return changed

    def _after(self, number: int, edge: Edge[c.Command]) -> Known:
        here, command = self.known[edge.source], edge.command
        if isinstance(command, c.Store | c.StoreCell):
            value = self._held(here, command.value)
            for cell in self._cells_of(here, command):
                self.cells[cell] = self.cells.get(cell, NOTHING) | value
        elif isinstance(command, Accessing | AccessingCells):
            list(self._cells_of(here, command))  # what is accessed gets a type
        target = defined(command)
        if target is None or self.program.variables[target].kind is not ValueKind.POINTER:
            return here
        return {**here, target: self._made(number, command, here)}

    def _made(self, number: int, command: c.Command, here: Known) -> frozenset[str]:
        """The types of the objects that a pointer may lead to which a command has made."""
        match command:
            case c.Assign(_, value):
                return self._held(here, value)
            case c.New():
                return frozenset((self.type_of(number) or f"{UNTYPED}{number}",))
            case c.AnyPointer(_, type):
                return frozenset((ANYTHING if command.environment or command.count else type,))
            case c.Load() | c.LoadCell():
                return NOTHING.union(*(self.cells.get(cell, NOTHING) for cell in self._cells_of(here, command)))
            case c.Shift(_, base, offset):
                return here.get(base, NOTHING) if is_still(offset) else here.get(base, NOTHING) | {MOVED}
            case c.Reinterpret(_, base, type):
                self._demand(here.get(base, NOTHING), type)
                return here.get(base, NOTHING)
        return frozenset((ANYTHING,))

    def _held(self, here: Known, value: Pointer) -> frozenset[str]:
        return here.get(value.name, NOTHING) if isinstance(value, Var) else NOTHING

    def _cells_of(self, here: Known, command: Accessing | AccessingCells) -> Iterator[tuple[str, str]]:
        """The cells, by type and field, that a command may access."""
        declared = self.program.variables[command.base].target
        found = here.get(command.base, NOTHING)
        self._demand(found, declared)
        for type in found:
            if type == ANYTHING:
                yield (ANYTHING, CELL)
            if isinstance(command, c.Load | c.Store):
                cell = self.field_at(declared, command.field, ValueKind.POINTER, type)
                yield (type, CELL if cell is None else cell.name)
            elif isinstance(command, c.LoadCell | c.StoreCell):
                yield (type, CELL)

    def _demand(self, found: frozenset[str], type: str) -> None:
        if type in self.program.types:
            for one in found:
                if one.startswith(UNTYPED):
                    self._demanded.setdefault(one, set()).add(type)

    def _fits(self, site: str, type: str) -> bool:
        """Whether one object of the type fills the block, and no second one has room."""
        command = self.program.graph.edges[int(site.removeprefix(UNTYPED))].command
        size = command.size if isinstance(command, c.New) else None
        wanted = self.program.types[type]
        return isinstance(size, Const) and wanted.cells is None and wanted.size <= size.value < 2 * wanted.size

    def _inputs(self) -> None:
        """The pointer fields of input objects lead to input objects of the declared type."""
        waiting = [one.command.type for one in self.program.graph.edges if isinstance(one.command, c.AnyPointer)]
        seen: set[str] = set()
        while waiting:
            type = self.program.types.get(waiting.pop())
            if type is None or type.name in seen:
                continue
            seen.add(type.name)
            for one in type.fields:
                if one.kind is ValueKind.POINTER:
                    leads = one.target if is_plain(self.program.types.get(one.target)) else ANYTHING
                    cell = (type.name, one.name)
                    self.cells[cell] = self.cells.get(cell, NOTHING) | {leads}
                    waiting.append(one.target)


def is_plain(type: ObjectType | None) -> bool:
    """Whether objects of a type consist of fields alone."""
    return type is not None and not type.parts and type.cells is None


def _alike(one: Field, other: Field) -> bool:
    whole = one.type is None or other.type is None or (one.type.bits == other.type.bits == 8 * one.size)
    return one.kind is other.kind and one.size == other.size and whole
