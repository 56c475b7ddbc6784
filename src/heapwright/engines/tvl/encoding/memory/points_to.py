"""Flow-insensitive points-to analysis: for each pointer, the (block kind, offset) pairs that it may hold.

A value flows from where it is made to variables and cells that it is copied to. In

    struct list_head *pos = head.next;
    struct item *it = container_of(pos, struct item, link);

`pos` may hold the start of a `list_head` and the part `link` of an `item`; then `it` holds the start of the `item`, or
of the owner that the `list_head` does not have. Null counts as an address, junk does not: any pointer may hold it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from heapwright.engines.tvl.encoding.memory.cells import Access, Blocks
from heapwright.engines.tvl.encoding.memory.offsets import BlockAddress, constant
from heapwright.engines.tvl.encoding.predicate_names import FRESH, KNOWN, OPEN
from heapwright.program import commands as c
from heapwright.program.expressions import Null, Pointer, Var
from heapwright.program.graph import Program
from heapwright.program.semantics.objects import NULL, is_pointer
from heapwright.program.types import ValueKind

Arithmetic = c.Follow | c.Reinterpret | c.Shift
Accessing = (
    c.Load
    | c.Store
    | c.LoadData
    | c.StoreData
    | c.Scramble
    | c.LoadCell
    | c.StoreCell
    | c.LoadDataCell
    | c.StoreDataCell
)


@dataclass(frozen=True)
class PointsTo:
    """`values` has the addresses of variables and of cells by their names; `inputs` has the cells of input blocks, with
    the types that they are declared to point to."""

    blocks: Blocks
    values: Mapping[str, frozenset[BlockAddress]]
    inputs: Mapping[str, str] = field(default_factory=dict)

    def of(self, name: str) -> frozenset[BlockAddress]:
        return self.values.get(name, frozenset())

    def pointers(self, name: str) -> tuple[BlockAddress, ...]:
        """The addresses of a variable or cell that are in blocks, in a fixed order."""
        return tuple(sorted((address for address in self.of(name) if is_pointer(address)), key=self._order))

    def near_null(self, name: str) -> tuple[BlockAddress, ...]:
        return tuple(sorted(p for p in self.of(name) if isinstance(p, int) and p < 0))

    def _order(self, address: BlockAddress) -> tuple[int, int]:
        return (address, 0) if isinstance(address, int) else address


def flow_of(program: Program) -> PointsTo:
    """Untyped blocks get the type at which they are accessed, if it is unique."""
    typed: dict[int, str] = {}
    while True:
        blocks = Blocks(program, typed)
        flow = _Solver(program, blocks).solve()
        found = {site: next(iter(types)) for site, types in blocks.wanted.items() if len(types) == 1}
        new = {site: type for site, type in found.items() if site not in typed}
        if not new:
            return flow
        typed = {**typed, **new}


def arrived(blocks: Blocks, command: Arithmetic, address: BlockAddress) -> tuple[BlockAddress, ...]:
    """The result of address arithmetic on an address."""
    match command:
        case c.Follow(_, _, owner, part, up):
            return blocks.followed(address, owner, part, up)
        case c.Reinterpret(_, _, type):
            return (blocks.reinterpreted(address, type),)
        case c.Shift(_, _, offset, unit):
            return blocks.moved(address, offset, unit)


def accesses(program: Program, blocks: Blocks, command: Accessing, address: BlockAddress) -> tuple[Access, ...]:
    """The access of a command whose base points to an address."""
    declared = program.variables[command.base].target
    match command:
        case c.Load(_, _, name) | c.Store(_, name, _):
            return blocks.field(address, declared, name, ValueKind.POINTER)
        case c.LoadData(_, _, name) | c.StoreData(_, name, _):
            return blocks.field(address, declared, name, ValueKind.DATA)
        case c.Scramble(_, name):
            return blocks.field(address, declared, name, blocks.kind_of_field(declared, name))
        case c.LoadCell(_, _, index) | c.StoreCell(_, index, _):
            return blocks.element(address, declared, constant(index), ValueKind.POINTER)
        case c.LoadDataCell(_, _, index) | c.StoreDataCell(_, index, _):
            return blocks.element(address, declared, constant(index), ValueKind.DATA)


class _Solver:
    def __init__(self, program: Program, blocks: Blocks) -> None:
        self.program = program
        self.blocks = blocks
        self.values: dict[str, set[BlockAddress]] = {}
        self.inputs: dict[str, str] = {}
        self.changed = False

    def solve(self) -> PointsTo:
        self.changed = True
        while self.changed:
            self.changed = False
            for site, edge in enumerate(self.program.graph.edges):
                self._step(edge.command, site)
        values = {name: frozenset(addresses) for name, addresses in self.values.items()}
        return PointsTo(self.blocks, values, self.inputs)

    def _add(self, name: str, addresses: Iterable[BlockAddress]) -> None:
        known = self.values.setdefault(name, set())
        new = set(addresses) - known
        if new:
            known |= new
            self.changed = True

    def _of(self, pointer: Pointer) -> Iterable[BlockAddress]:
        match pointer:
            case Var(name):
                return tuple(self.values.get(name, ()))
            case Null():
                return (NULL,)
        return ()

    def _step(self, command: c.Command, site: int) -> None:
        match command:
            case c.Assign(target, value):
                self._add(target, self._of(value))
            case c.New():
                self._new(command, site)
            case c.AnyPointer(target, type):
                self._add(target, (*self._passed(type), NULL))
            case c.Follow() | c.Reinterpret() | c.Shift():
                for address in self._of(Var(command.base)):
                    self._add(command.target, arrived(self.blocks, command, address))
            case c.Load() | c.LoadCell():
                for access in self._accesses(command):
                    if access.cell is not None:
                        self._add(command.target, tuple(self.values.get(access.cell.name, ())))
            case c.Store() | c.StoreCell():
                for access in self._accesses(command):
                    if access.cell is not None:
                        self._add(access.cell.name, self._of(command.value))
            case c.LoadData() | c.StoreData() | c.LoadDataCell() | c.StoreDataCell() | c.Scramble():
                self._accesses(command)
            case c.Free() | c.Leave() | c.Compute() | c.Havoc() | c.Distance() | c.Length():
                pass  # no pointer moves
            case c.Assume() | c.Assert() | c.Skip() | c.Inspect() | c.External() | c.Copy() | c.Fill() | c.Protect():
                pass  # programs with the last are refused
            case _:
                assert_never(command)

    def _accesses(self, command: Accessing) -> list[Access]:
        """Computes all accesses, which determine the types of untyped blocks."""
        addresses = [address for address in self._of(Var(command.base)) if is_pointer(address)]
        return [access for address in addresses for access in accesses(self.program, self.blocks, command, address)]

    def _passed(self, type: str) -> tuple[BlockAddress, ...]:
        """The targets of an input pointer; objects that it reaches are inputs too."""
        addresses = self.blocks.passed(type)
        for name in (FRESH, KNOWN, OPEN):
            self._add(name, addresses)
        for kind in {self.blocks.kind(address): None for address in addresses}:
            for cell in self.blocks.cells(kind):
                if cell.field.kind is ValueKind.POINTER and cell.name not in self.inputs:
                    self.inputs[cell.name] = cell.field.target
                    self._add(cell.name, (*self._passed(cell.field.target), NULL))
        return addresses

    def _new(self, command: c.New, site: int) -> None:
        start = self.blocks.created(command, site)
        self._add(command.target, (start, NULL) if command.may_fail else (start,))
        if command.zeroed:
            for cell in self.blocks.cells(self.blocks.kind(start)):
                if cell.field.kind is ValueKind.POINTER:
                    self._add(cell.name, (NULL,))
