"""The program as the engine follows it: one function per field name, objects without parts, arrays without contents.

Locations, edges and checks stay. Variables are typed by what flows into them, so that `void *` is no obstacle, and
fields are named as in the objects that are accessed. An array of scalars is an object without fields: what is read from
it is anything. A command that is not followed becomes a step that is not modelled, and nothing behind it is proved.

    followed = FollowedProgram(program)
    followed.program                     # for translation and suggestions; runs are runs of the original
    followed.uncertain                   # checks that the engine cannot prove, by identity
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from heapwright.engines.boolheap.typing.object_types import ANYTHING, ObjectTypes, is_plain, is_still
from heapwright.program import commands as c
from heapwright.program.checks import CheckKind
from heapwright.program.dataflow.unmodelled_steps import unprovable_checks
from heapwright.program.explanation.source_words import source_of
from heapwright.program.expressions import JUNK, Compare, Const, Expr, Literal, PointerCompare, Unary, Var
from heapwright.program.graph import Edge, Program
from heapwright.program.types import IntType, Storage, ValueKind, Variable

FOLLOWED = (
    c.Assign
    | c.Free
    | c.Leave
    | c.Compute
    | c.Havoc
    | c.Assume
    | c.Assert
    | c.Skip
    | c.Inspect
    | c.Load
    | c.Store
    | c.LoadData
    | c.StoreData
    | c.New
    | c.AnyPointer
)
UNCLEAR = c.Skip("an undetermined comparison")
INT = IntType(64, True)
ZERO = Const(0, INT)


def unknown(type: IntType | None) -> Expr:
    """An expression whose value the engine does not know."""
    return Unary("~", Const(0, type or INT), type or INT)


@dataclass(frozen=True)
class FollowedProgram:
    original: Program

    @cached_property
    def types(self) -> ObjectTypes:
        return ObjectTypes(self.original)

    @cached_property
    def program(self) -> Program:
        graph = self.original.graph
        edges = tuple(replace(edge, command=self._command(number, edge)) for number, edge in enumerate(graph.edges))
        variables = {name: self._variable(one) for name, one in self.original.variables.items()}
        return replace(self.original, graph=replace(graph, edges=edges), variables=variables)

    @cached_property
    def stops(self) -> tuple[Edge[c.Command], ...]:
        """The edges whose commands are not followed."""
        return tuple(
            edge
            for edge, old in zip(self.program.graph.edges, self.original.graph.edges, strict=True)
            if isinstance(edge.command, c.Skip) and edge.command.unmodelled and edge.command != old.command
        )

    @property
    def first_stop(self) -> str:
        """Where the engine stops to follow the program, "" if it follows all of it."""
        for edge in self.stops:
            return f"{edge.span}: '{source_of(self.original, edge.span)}' is not supported"
        return ""

    @cached_property
    def uncertain(self) -> frozenset[str]:
        """Checks that depend on where in an object a pointer points, how large the object is, or where it is stored."""
        found = set()
        for edge in self.original.graph.edges:
            base = getattr(edge.command, "base", "")
            moved = bool(base) and self.types.is_moved(edge.source, base)
            for check in edge.checks:
                misplaced = check.kind is CheckKind.INVALID_FREE and (moved or not self._on_heap(edge))
                if misplaced or (check.kind is CheckKind.BOUNDS and (moved or self._may_exceed(edge))):
                    found.add(check.id)
        return frozenset(found)

    @property
    def is_exact(self) -> bool:
        """Whether objects have in this program what they have in the original."""
        makes_opaque = any(map(self._is_opaque, self.original.graph.edges))
        return not makes_opaque and all(
            old.command == new.command or isinstance(old.command, c.Reinterpret)
            for old, new in zip(self.original.graph.edges, self.program.graph.edges, strict=True)
        )

    # --- variables and blocks ------------------------------------------------------------------------------------

    def _variable(self, variable: Variable) -> Variable:
        found = self.types.everywhere(variable.name)
        if variable.kind is not ValueKind.POINTER or not found:
            return variable
        (target, *others) = sorted(found)
        return replace(variable, target="" if others or target not in self.original.types else target)

    @cached_property
    def _short(self) -> frozenset[str]:
        """Types of which some object may be smaller than its type."""
        found = set()
        for site, edge in enumerate(self.original.graph.edges):
            command = edge.command
            if isinstance(command, c.New) and command.size is not None:
                type = self.original.types.get(self.types.type_of(site))
                if type is not None and not (isinstance(command.size, Const) and command.size.value >= type.size):
                    found.add(type.name)
        return frozenset(found)

    @cached_property
    def _elsewhere(self) -> frozenset[str]:
        """Types of which some object is not on the heap."""
        return frozenset(
            self.types.type_of(site)
            for site, edge in enumerate(self.original.graph.edges)
            if isinstance(edge.command, c.New) and edge.command.storage is not Storage.HEAP
        )

    def _on_heap(self, edge: Edge[c.Command]) -> bool:
        """Whether what a command frees is on the heap, or need not be."""
        if not isinstance(edge.command, c.Free | c.Inspect):
            return False
        found = self.types.at(edge.source, edge.command.base)
        closes = isinstance(edge.command, c.Free) and edge.command.closes
        return closes or (found.isdisjoint(self._elsewhere) and ANYTHING not in found)

    def _may_exceed(self, edge: Edge[c.Command]) -> bool:
        if isinstance(edge.command, c.Load | c.Store | c.LoadData | c.StoreData | c.Scramble):
            found = self.types.at(edge.source, edge.command.base)
            return not found <= self.original.types.keys() - self._short or any(map(self._is_array, found))
        return True

    def _is_array(self, type: str) -> bool:
        known = self.original.types.get(type)
        return known is not None and known.cells is not None

    def _is_opaque(self, edge: Edge[c.Command]) -> bool:
        """Whether a block is made that has no fields in this program, but has something."""
        return isinstance(edge.command, c.New) and (not edge.command.type or self._is_array(edge.command.type))

    # --- commands ------------------------------------------------------------------------------------------------

    def _command(self, number: int, edge: Edge[c.Command]) -> c.Command:
        followed = self._followed(number, edge)
        if followed is not None:
            return followed
        if isinstance(edge.command, c.Assert):  # the check stays, and is open
            return replace(edge.command, literal=Compare("==", unknown(INT), ZERO))
        return c.Skip(unmodelled=f"the engine boolheap does not follow '{source_of(self.original, edge.span)}'")

    def _followed(self, number: int, edge: Edge[c.Command]) -> c.Command | None:
        """The command as the engine follows it, None if it does not."""
        command, here = edge.command, edge.source
        match command:
            case c.New():
                return self._new(number, command)
            case c.AnyPointer(_, type):
                plain = is_plain(self.original.types.get(type))
                return command if plain and not command.environment and not command.count else None
            case c.Load() | c.Store() | c.LoadData() | c.StoreData():
                return self._access(here, command)
            case c.Scramble():
                return self._scrambled(here, command)
            case c.LoadCell() | c.StoreCell():
                return command if self._arrays(here, command.base, ValueKind.POINTER) else None
            case c.LoadDataCell() | c.StoreDataCell():
                return command if self._arrays(here, command.base, ValueKind.DATA) else None
            case c.Shift(target, base, offset):
                whole = is_still(offset) or all(map(self._is_array, self.types.at(here, base)))
                return c.Assign(target, Var(base)) if whole else None
            case c.Reinterpret(target, base):
                return None if ANYTHING in self.types.at(here, base) else c.Assign(target, Var(base))
            case c.Distance(target) | c.Length(target):
                return c.Havoc(target, self.original.variables[target].type or INT)
            case c.Assume(literal):
                return command if self._is_clear(here, literal) else UNCLEAR
            case c.Assert(literal):
                return command if self._is_clear(here, literal) else None
            case c.Free(base) | c.Leave(base) | c.Inspect(base):
                return None if ANYTHING in self.types.at(here, base) else command
        return command if isinstance(command, FOLLOWED) else None

    def _new(self, number: int, command: c.New) -> c.Command | None:
        type = self.types.type_of(number)
        object = self.original.types.get(type)
        if command.replaces or (type and object is None):
            return None
        if object is not None and (object.parts or (object.cells is not None and object.cells.field is None)):
            return None
        if object is not None and object.cells is None and command.count is not None:
            return None
        return c.New(command.target, type, command.storage, zeroed=command.zeroed, may_fail=command.may_fail)

    def _access(self, here: int, command: c.Load | c.Store | c.LoadData | c.StoreData) -> c.Command | None:
        found = sorted(self.types.at(here, command.base))
        declared = self.original.variables[command.base].target
        kind = ValueKind.POINTER if isinstance(command, c.Load | c.Store) else ValueKind.DATA
        if not found or found == [declared]:
            return command if not found or self.types.field_at(declared, command.field, kind, declared) else None
        if isinstance(command, c.LoadData | c.StoreData) and self._arrays(here, command.base, kind):
            if isinstance(command, c.LoadData):
                return c.LoadDataCell(command.target, command.base, ZERO)
            return c.StoreDataCell(command.base, ZERO, ZERO)
        fields = [self.types.field_at(declared, command.field, kind, type) for type in found]
        names = {one.name for one in fields if one is not None}
        if None in fields or len(names) != 1:
            return None
        named = replace(command, field=names.pop())
        if isinstance(named, c.LoadData):
            return c.LoadDataCell(named.target, named.base, ZERO)
        return replace(named, value=unknown(None)) if isinstance(named, c.StoreData) else named

    def _scrambled(self, here: int, command: c.Scramble) -> c.Command | None:
        declared = self.original.variables[command.base].target
        object = self.original.types.get(declared)
        field = None if object is None else object.field(command.field)
        if field is None or not self.types.at(here, command.base) <= {declared}:
            return None
        if field.kind is ValueKind.POINTER:
            return c.Store(command.base, command.field, JUNK)
        return c.StoreData(command.base, command.field, unknown(field.type))

    def _arrays(self, here: int, base: str, kind: ValueKind) -> bool:
        """Whether a pointer leads to nothing but arrays of such scalars."""
        for type in self.types.at(here, base):
            known = self.original.types.get(type)
            if known is None or known.cells is None or known.cells.field is None or known.cells.field.kind is not kind:
                return False
        return True

    def _is_clear(self, here: int, literal: Literal) -> bool:
        """Whether a literal says of objects what it says of pointers, and fields mean the same in all objects on a
        path."""
        if isinstance(literal, Compare):
            return True
        pointers = (literal.left, literal.right) if isinstance(literal, PointerCompare) else literal.pointers
        names = [one.name for one in pointers if isinstance(one, Var)]
        if any(self.types.is_moved(here, one) for one in names):
            return False
        return isinstance(literal, PointerCompare) or all(self._has_shape(here, one, literal.fields) for one in names)

    def _has_shape(self, here: int, pointer: str, links: tuple[str, ...]) -> bool:
        declared = self.original.variables[pointer].target
        leads = self.types.at(here, pointer).union(*(self.types.cells.get((declared, link), ()) for link in links))
        return leads <= {declared}


def unsupported(followed: FollowedProgram) -> str:
    """Why a program is not supported, "" if it is."""
    if followed.original.entry.overlapping:
        return "inputs that point to globals or into one another are not supported"
    program = followed.program
    open = unprovable_checks(program)
    if followed.stops and all(check.id in open for check in program.checks):
        return followed.first_stop
    return ""
