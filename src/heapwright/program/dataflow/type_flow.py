"""Type flow: the types of the blocks that pointers lead to, where their declarations do not tell.

A container declares its payload `void *`; what the program puts into it is of one type, and an engine for which fields
belong to types has to know it. Inclusion-based and flow-insensitive like `pointer_flows`, with one cell for each field
of each type (Andersen 1994, field-based).

    retyped(program).types["node"].field("data").target    # "item", where `n->data = i` is all that there is
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from heapwright.program import commands as c
from heapwright.program.expressions import UNKNOWN, Pointer, Var
from heapwright.program.graph import Program
from heapwright.program.types import RECORD, ValueKind

ANY = "*"  # any type
Place = tuple[str, str]  # ("", variable) or (type, field)

CELLS = c.LoadDataCell | c.StoreDataCell
FOLLOWED = (
    c.Assign
    | c.Load
    | c.Store
    | c.New
    | c.Free
    | c.Leave
    | c.AnyPointer
    | c.Compute
    | c.LoadData
    | c.StoreData
    | CELLS
    | c.Havoc
    | c.Assume
    | c.Assert
    | c.Inspect
    | c.Protect
    | c.Skip
)


def retyped(program: Program) -> Program:
    """The program, with `void *` declared to lead to what alone it leads to. Where memory is written otherwise than
    field by field, each by its own name, the program is left as it is."""
    if any(type.overlaps for type in program.types.values()):
        return program
    if not all(isinstance(edge.command, FOLLOWED) for edge in program.graph.edges):
        return program
    flow = _Flow(program)
    if flow.mixed:
        return program
    cells = {edge.command.base for edge in program.graph.edges if isinstance(edge.command, CELLS)}
    only = {
        place: next(iter(types))
        for place, types in flow.types.items()
        if len(types) == 1 and not (place[0] == "" and place[1] in cells)
    }

    def target(place: Place, declared: str) -> str:
        found = "" if declared else only.get(place, "")
        return found if _is_object(program, found) else declared

    variables = {
        name: replace(variable, target=target(("", name), variable.target))
        for name, variable in program.variables.items()
    }
    types = {
        name: replace(
            type,
            fields=tuple(
                replace(field, target=target((name, field.name), field.target))
                if field.kind is ValueKind.POINTER
                else field
                for field in type.fields
            ),
        )
        for name, type in program.types.items()
    }
    if variables == program.variables and types == program.types:
        return program
    return replace(program, variables=variables, types=types)


def _is_object(program: Program, type: str) -> bool:
    """Whether it is a type of the program's objects with fields: pointers into arrays are more than their type, and
    activation records are found by the declarations of what holds them."""
    return type in program.types and program.types[type].cells is None and not type.startswith(RECORD)


class _Flow:
    """The types that may be behind each place, to a fixpoint. `mixed`: an object may be written as one of another
    type."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.types: dict[Place, set[str]] = {}
        self.mixed = False
        self.changed = True
        while self.changed:
            self.changed = False
            for edge in program.graph.edges:
                self._follow(edge.command)

    def _add(self, place: Place, types: Iterable[str]) -> None:
        known = self.types.setdefault(place, set())
        new = {type or ANY for type in types} - known
        if new:
            known |= new
            self.changed = True

    def _follow(self, command: c.Command) -> None:
        match command:
            case c.Assign(target, value):
                self._add(("", target), self._of(value))
            case c.New(target, type):
                self._add(("", target), (type,))
            case c.AnyPointer(target, type, environment):
                self._add(("", target), (ANY if environment else type,))
                for name in self.program.types:
                    for field in self.program.types[name].fields:
                        if field.kind is ValueKind.POINTER:  # a field of an input is one, of the type that it declares
                            self._add((name, field.name), (field.target,))
            case c.Load(target, base, field):
                for place in self._cells(base, field):
                    self._add(("", target), self.types.get(place, ()))
                if not all(self._is_own(base, field, name) for name in self._of(Var(base))):
                    self._add(("", target), (ANY,))
            case c.Store(base, field, value):
                self._write(base, field)
                for place in self._cells(base, field):
                    self._add(place, self._of(value))
            case c.StoreData(base, field, _):
                self._write(base, field)

    def _write(self, base: str, field: str) -> None:
        self.mixed |= not all(self._is_own(base, field, name) for name in self._of(Var(base)))

    def _is_own(self, base: str, field: str, name: str) -> bool:
        """Whether an access through a pointer to an object of a type means the field of this name there: an object that
        is accessed as one of another type has what it has at that byte."""
        type = self.program.types.get(name)
        found = None if type is None else type.field(field)
        declared = self.program.types.get(self.program.variables[base].target)
        meant = found if declared is None else declared.field(field)
        if found is None or meant is None:
            return False
        return (found.kind, found.offset, found.size) == (meant.kind, meant.offset, meant.size)

    def _of(self, value: Pointer) -> Iterable[str]:
        """The types behind a pointer. Null and junk lead to nothing, unless junk stands for what may be a pointer, as
        where an integer is converted to one."""
        if isinstance(value, Var):
            return self.types.get(("", value.name), ())
        return (ANY,) if value == UNKNOWN else ()

    def _cells(self, base: str, field: str) -> Iterator[Place]:
        """The cells that an access may mean."""
        for name in self._of(Var(base)):
            if name in self.program.types:
                yield name, field
