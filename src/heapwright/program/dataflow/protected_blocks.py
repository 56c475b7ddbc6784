"""Which writes may be to read-only memory: inclusion-based points-to analysis of the addresses of protected blocks.

Flow-insensitive, with one cell for all of memory (Andersen 1994, collapsed). A write of a scalar cannot hit a block
that has no scalar of its size and kind.

    writes_to_protected(program)    # {identity of an invalid-deref check: the reason why it is not proved}
"""

from __future__ import annotations

from heapwright.program.checks import CheckKind
from heapwright.program.commands import (
    AnyPointer,
    Assign,
    Command,
    External,
    Follow,
    Load,
    LoadCell,
    New,
    Protect,
    Reinterpret,
    Scramble,
    Shift,
    Store,
    StoreCell,
    StoreData,
    StoreDataCell,
)
from heapwright.program.expressions import Var
from heapwright.program.graph import Program
from heapwright.program.types import Field, ValueKind

MEMORY = ""  # the one cell for all that is in memory
Scalar = tuple[ValueKind, int]  # kind and size


def writes_to_protected(program: Program) -> dict[str, str]:
    """The checks of writes that may be to protected memory, each with the reason why it is not proved."""
    made = [edge.command.base for edge in program.graph.edges if isinstance(edge.command, Protect)]
    if not made:
        return {}
    held = _held(program, made)
    scalars = {base: _scalars(program, program.variables[base].target) for base in made}
    places = {base: _where_protected(program, base) for base in made}
    reasons: dict[str, str] = {}
    for edge in program.graph.edges:
        command = edge.command
        if not isinstance(command, Store | StoreData | StoreCell | StoreDataCell | Scramble):
            continue
        written = _written(program, command)
        if any(
            edge.source in places[base] and (written is None or written in scalars[base])
            for base in held.get(command.base, ())
        ):
            for check in edge.checks:
                if check.kind is CheckKind.INVALID_DEREF:
                    reasons[check.id] = "it may write to read-only memory, which this engine does not follow"
    return reasons


def _where_protected(program: Program, base: str) -> frozenset[int]:
    """The locations at which a block is protected: behind that step, up to where the block is made anew."""
    waiting = [edge.target for edge in program.graph.edges if edge.command == Protect(base)]
    seen = set(waiting)
    while waiting:
        for edge in program.graph.successors[waiting.pop()]:
            again = isinstance(edge.command, New) and edge.command.target == base
            if not again and edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    return frozenset(seen)


def _held(program: Program, made: list[str]) -> dict[str, set[str]]:
    """The protected blocks that each variable, or memory, may have the address of."""
    flows: dict[str, set[str]] = {}
    for edge in program.graph.edges:
        for source, target in _flows(edge.command):
            flows.setdefault(source, set()).add(target)
    held: dict[str, set[str]] = {base: {base} for base in made}
    waiting = list(made)
    while waiting:
        source = waiting.pop()
        for target in flows.get(source, ()):
            new = held[source] - held.setdefault(target, set())
            if new:
                held[target] |= new
                waiting.append(target)
    return held


def _flows(command: Command) -> list[tuple[str, str]]:
    match command:
        case Assign(target, Var(source)):
            return [(source, target)]
        case Load(target) | LoadCell(target):
            return [(MEMORY, target)]
        case Store(_, _, Var(source)) | StoreCell(_, _, Var(source)):
            return [(source, MEMORY)]
        case External(_, pointers):
            return [(pointer, MEMORY) for pointer in pointers]
        case AnyPointer(target, environment=True):
            return [(MEMORY, target)]
        case Follow(target, base) | Shift(target, base) | Reinterpret(target, base):
            return [(base, target)]
    return []


def _written(program: Program, command: Store | StoreData | StoreCell | StoreDataCell | Scramble) -> Scalar | None:
    """The scalar that a command writes, None if its declared type does not say."""
    type = program.types.get(program.variables[command.base].target)
    field: Field | None = None
    if type is not None and isinstance(command, Store | StoreData | Scramble):
        field = type.field(command.field)
    elif type is not None and type.cells is not None:
        field = type.cells.field
    elif type is not None and len(type.fields) == 1:
        field = type.fields[0]
    return None if field is None else (field.kind, field.size)


def _scalars(program: Program, name: str) -> set[Scalar]:
    """The scalars of an object of a type."""
    type = program.types[name]
    found = {(field.kind, field.size) for field in type.fields}
    if type.cells is not None:
        cell = type.cells.field
        found |= {(cell.kind, cell.size)} if cell is not None else _scalars(program, type.cells.object)
    for part in type.parts:
        found |= _scalars(program, part.type)
    return found
