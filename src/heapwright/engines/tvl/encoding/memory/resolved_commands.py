"""Resolved commands: cells instead of fields of declared types, for families of predicates.

The offset of a pointer determines the cell of an access, so that a command becomes one or more cases. `pos->next`
with `pos` at the part `link` of an item or at a list head is a load of the cell `list_head.next` in one case; with two
such parts in an item, there are two. Address arithmetic keeps to its block, so for the families it is an assignment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from heapwright.engines.tvl.encoding.memory.cells import Access, Cell
from heapwright.engines.tvl.encoding.memory.offsets import BlockAddress
from heapwright.engines.tvl.encoding.memory.points_to import Accessing, PointsTo, accesses
from heapwright.program import commands as c
from heapwright.program.dataflow.tracked_integers import CellName
from heapwright.program.expressions import JUNK, Const, Expr, IntVar, Literal, Pointer, ShapeLiteral, Unary, Var
from heapwright.program.graph import Graph, Program
from heapwright.program.semantics.objects import is_pointer
from heapwright.program.types import IntType, ValueKind

INT = IntType(64, True)
ZERO = Const(0, INT)
NOWHERE = CellName("")  # the cell of a shape literal, if it is not unique


@dataclass(frozen=True, slots=True)
class Case:
    """A command in the case that its base points to some addresses, as a sequence of resolved commands, one after
    another. `access` None: there is no base, or it does not matter where it points."""

    commands: tuple[c.Command, ...]
    addresses: tuple[BlockAddress, ...] = ()
    access: Access | None = None


def anything(type: IntType | None) -> Expr:
    """An unknown value."""
    return Unary("~", IntVar("", type or INT), type or INT)


@dataclass(frozen=True)
class Resolver:
    program: Program
    flow: PointsTo

    def resolved(self) -> tuple[Program, tuple[tuple[Case, ...], ...]]:
        """The program with an edge for each command of each case, and the cases of each of its own edges."""
        cases = tuple(tuple(self.cases(edge.command)) for edge in self.program.graph.edges)
        graph = self.program.graph
        edges = tuple(
            replace(edge, command=command)
            for edge, known in zip(graph.edges, cases, strict=True)
            for case in known or (Case((c.Skip(),)),)
            for command in case.commands
        )
        return replace(self.program, graph=Graph(graph.locations, edges, graph.entry)), cases

    def cases(self, command: c.Command) -> Iterator[Case]:
        match command:
            case c.Load() | c.Store() | c.LoadData() | c.StoreData() | c.Scramble():
                yield from self._accessing(command)
            case c.LoadCell() | c.StoreCell() | c.LoadDataCell() | c.StoreDataCell():
                yield from self._accessing(command)
            case c.Follow(target, base) | c.Reinterpret(target, base) | c.Shift(target, base):
                yield Case((c.Assign(target, Var(base)),))
            case c.Distance(target) | c.Length(target):
                yield Case((c.Havoc(target, self.program.variables[target].type or INT),))
            case c.Assume(literal):
                yield Case((c.Assume(self.literal(literal)),))
            case c.Assert(literal, check):
                yield Case((c.Assert(self.literal(literal), check),))
            case (
                c.Assign()
                | c.New()
                | c.Free()
                | c.Leave()
                | c.AnyPointer()
                | c.Compute()
                | c.Havoc()
                | c.Skip()
                | c.Inspect()
            ):
                yield Case((command,))
            case c.External() | c.Copy() | c.Fill() | c.Protect():
                yield Case((command,))
            case _:
                assert_never(command)

    # --- accesses -------------------------------------------------------------------------------------------------

    def _accessing(self, command: Accessing) -> Iterator[Case]:
        groups: dict[Access, list[BlockAddress]] = {}
        for address in self.flow.pointers(command.base):
            for access in accesses(self.program, self.flow.blocks, command, address):
                groups.setdefault(access, []).append(address)
        for access, addresses in groups.items():
            yield Case(tuple(self._commands(command, access)), tuple(addresses), access)

    def _commands(self, command: Accessing, access: Access) -> Iterator[c.Command]:
        cell = access.cell
        if cell is None:
            return
        match command:
            case c.Load(target, base) | c.LoadCell(target, base):
                yield self._load(target, base, cell)
                return
            case c.LoadData(target, base) | c.LoadDataCell(target, base):
                yield self._load_data(target, base, cell, self._declared(command))
                return
            case c.Store(base, _, value) | c.StoreCell(base, _, value):
                yield self._store(base, cell, value)
            case c.StoreData(base, _, expr) | c.StoreDataCell(base, _, expr):
                known = cell.field.type == self._declared(command)
                yield self._store_data(base, cell, expr if known else anything(cell.field.type))
            case c.Scramble(base):
                yield self._scramble(base, cell)
        yield from (self._scramble(base, other) for other in access.overlapped)

    def _declared(self, command: c.LoadData | c.LoadDataCell | c.StoreData | c.StoreDataCell) -> IntType | None:
        """The type of the integer that is accessed."""
        type = self.program.types.get(self.program.variables[command.base].target)
        if type is None:
            return None
        if isinstance(command, c.LoadData | c.StoreData):
            field = type.field(command.field)
        elif type.cells is not None:
            field = type.cells.field
        else:
            field = type.fields[0] if len(type.fields) == 1 else None
        return field.type if field is not None else None

    def _load(self, target: str, base: str, cell: Cell) -> c.Command:
        return c.LoadCell(target, base, ZERO) if cell.many else c.Load(target, base, CellName(cell.name))

    def _load_data(self, target: str, base: str, cell: Cell, declared: IntType | None) -> c.Command:
        if cell.many or cell.field.type != declared:
            return c.Havoc(target, self.program.variables[target].type or INT)
        return c.LoadData(target, base, CellName(cell.name))

    def _store(self, base: str, cell: Cell, value: Pointer) -> c.Command:
        return c.StoreCell(base, ZERO, value) if cell.many else c.Store(base, CellName(cell.name), value)

    def _store_data(self, base: str, cell: Cell, value: Expr) -> c.Command:
        return c.Skip() if cell.many else c.StoreData(base, CellName(cell.name), value)

    def _scramble(self, base: str, cell: Cell) -> c.Command:
        if cell.field.kind is ValueKind.POINTER:
            return self._store(base, cell, JUNK)
        return self._store_data(base, cell, anything(cell.field.type))

    # --- literals -------------------------------------------------------------------------------------------------

    def literal(self, literal: Literal) -> Literal:
        """A shape literal over cells; `NOWHERE` if objects on the path have different ones."""
        if not isinstance(literal, ShapeLiteral):
            return literal
        variables = [pointer.name for pointer in literal.pointers if isinstance(pointer, Var)]
        declared = self.program.variables[variables[0]].target if variables else ""
        addresses = {address for name in variables for address in self.flow.of(name) if address}
        cells: dict[str, str] = {}
        while True:
            for field in literal.fields:
                cells[field] = self._common_cell(addresses, declared, field)
            more = addresses.union(*(self.flow.of(cell) for cell in cells.values())) - {0}
            if more == addresses or NOWHERE in cells.values():
                break
            addresses = more
        return replace(literal, fields=tuple(CellName(cells[field]) for field in literal.fields))

    def _common_cell(self, addresses: set[BlockAddress], declared: str, field: str) -> str:
        """The cell of `field` at each of some addresses. `link$/next` is the field `next` of the part `link`."""
        if not all(is_pointer(address) for address in addresses):
            return NOWHERE
        kinds = {self.flow.blocks.kind(address) for address in addresses}
        found = {self._cell_at(address, declared, field) for address in addresses}
        return found.pop() if len(found) == 1 and len(kinds) == len(addresses) else NOWHERE

    def _cell_at(self, address: BlockAddress, declared: str, field: str) -> str:
        blocks = self.flow.blocks
        *parts, last = field.split("/")
        for part in parts:
            type = self.program.types.get(declared)
            if type is None or type.part(part.rstrip("$")) is None:
                return NOWHERE
            address = blocks.linked(address, declared, part.rstrip("$"), up=False)
            declared = blocks.type_of(address)
        (access, *others) = blocks.field(address, declared, last, blocks.kind_of_field(declared, last))
        if others or access.cell is None or access.cell.many or access.bounds:
            return NOWHERE
        return access.cell.name
