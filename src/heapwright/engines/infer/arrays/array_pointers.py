"""Pointers into the arrays of a function: the parameters, and the pointers derived from each.

A pointer into an array is an index. One without arithmetic points to the first cell; a *moving* one has an index
variable. Every pointer is into one array, and two parameters may be the same array.

    int length(const char *s) { const char *p = s; while (*p) p++; ... }      # s is fixed, p is moving
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.engines.infer.function_body import is_parameter
from heapwright.program.commands import Assert, Assign, Assume, Command, Distance, LoadDataCell, Shift, StoreDataCell
from heapwright.program.expressions import Junk, Null, PointerCompare, Var
from heapwright.program.graph import Edge, Program
from heapwright.program.types import IntType

HINT = "preconditions are found for functions over one list type, or over arrays of integers"
Access = LoadDataCell | StoreDataCell


@dataclass(frozen=True, slots=True)
class Pointers:
    """`array` is the parameter that accesses go through, `cell` the type of a cell."""

    array: str
    cell: IntType
    fixed: frozenset[str]
    moving: frozenset[str]

    @property
    def within(self) -> frozenset[str]:
        return self.fixed | self.moving


def pointers_of(
    program: Program, edges: list[Edge[Command]], bound: list[tuple[str, str]], start: int
) -> tuple[Pointers, ...]:
    """The pointers into each accessed array, in the order of parameters."""
    source = _sources(program, edges, bound)
    bases = {edge.command.base for edge in edges if isinstance(edge.command, Access)}
    arrays = {source.get(base, "") for base in bases}
    if "" in arrays:
        raise UnsupportedError("a precondition over an array that is no parameter", hint=HINT)
    if not arrays:
        raise InputError("the function accesses no array: it needs no precondition")
    _initialised(edges, start, {target for target, _ in bound if target in source})
    origins = [name for name in dict.fromkeys(name for _, name in bound) if name in arrays]
    return tuple(_into(program, edges, bound, source, origin) for origin in origins)


def _into(
    program: Program,
    edges: list[Edge[Command]],
    bound: list[tuple[str, str]],
    source: dict[str, str],
    origin: str,
) -> Pointers:
    array = next(target for target, name in bound if name == origin and is_parameter(program, target))
    type_ = program.types.get(program.variables[array].target)
    cells = None if type_ is None else type_.cells
    cell = None if cells is None else cells.field
    if cells is None or cells.count or cell is None or cell.type is None:
        raise UnsupportedError(f"a precondition over '{program.variables[array].source_name}', no block of integers")
    within = {name for name, of in source.items() if of == origin}
    for edge in edges:
        command = edge.command
        if isinstance(command, Shift | Distance) and command.unit not in (0, cells.stride):
            base = command.base if isinstance(command, Shift) else command.left
            if base in within:
                raise UnsupportedError("a pointer that moves by parts of a cell", edge.span, hint=HINT)
    moving = _moving(edges) & within
    return Pointers(array, cell.type, frozenset(within - moving), frozenset(moving))


def _copies(edges: list[Edge[Command]]) -> Iterator[tuple[str, str, Edge[Command]]]:
    """Pointers that come from others."""
    for edge in edges:
        match edge.command:
            case Assign(target, Var(name)) | Shift(target, name):
                yield target, name, edge
            case Assign(_, Null()):
                raise UnsupportedError("a pointer that is set to null", edge.span, hint=HINT)
            case _:
                pass


def _sources(program: Program, edges: list[Edge[Command]], bound: list[tuple[str, str]]) -> dict[str, str]:
    """The input that each pointer comes from."""
    source = {target: name for target, name in bound if program.variables[target].target}
    copies, changed = list(_copies(edges)), True
    while changed:
        changed = False
        for target, name, edge in copies:
            if name in source and source.setdefault(target, source[name]) != source[name]:
                raise UnsupportedError("a pointer that may point into several arrays", edge.span, hint=HINT)
        changed = any(name in source and target not in source for target, name, _ in copies)
    for target, name, edge in copies:
        if target in source and name not in source:
            raise UnsupportedError("a pointer that may point into several arrays", edge.span, hint=HINT)
    return source


def _moving(edges: list[Edge[Command]]) -> set[str]:
    moving = {edge.command.target for edge in edges if isinstance(edge.command, Shift)}
    while True:
        more = {target for target, name, _ in _copies(edges) if name in moving} - moving
        if not more:
            return moving
        moving |= more


def _used(command: Command) -> Iterator[str]:
    """The pointers that a command uses, other than to copy them."""
    match command:
        case LoadDataCell(_, base) | StoreDataCell(base) | Shift(_, base):
            yield base
        case Distance(_, left, right):
            yield from (left, right)
        case Assume(PointerCompare(_, left, right)) | Assert(PointerCompare(_, left, right)):
            yield from (pointer.name for pointer in (left, right) if isinstance(pointer, Var))
        case _:
            pass


def _initialised(edges: list[Edge[Command]], start: int, pointers: set[str]) -> None:
    """Rejects a program that may use an uninitialised pointer."""
    leaving: dict[int, list[Edge[Command]]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    valid: dict[int, frozenset[str]] = {start: frozenset(pointers)}
    pending = [start]
    while pending:
        location = pending.pop()
        for edge in leaving.get(location, ()):
            here = valid[location]
            if any(name not in here for name in _used(edge.command)):
                raise UnsupportedError("a pointer that may be used before it has a value", edge.span)
            match edge.command:
                case Assign(target, Junk()):
                    here = here - {target}
                case Assign(target, Var(name)) | Shift(target, name):
                    here = here | {target} if name in here else here - {target}
                case _:
                    pass
            old = valid.get(edge.target)
            new = here if old is None else old & here
            if new != old:
                valid[edge.target] = new
                pending.append(edge.target)
