"""Writes to read-only memory: the writes to which addresses of protected blocks may flow. A write of a scalar cannot
hit a block that has no scalar of its size and kind.

A write of a scalar cannot hit a block that has no scalar of its size and kind.

    writes_to_protected(program)    # {identity of an invalid-deref check: the reason why it is not proved}
"""

from __future__ import annotations

from heapwright.program.checks import CheckKind
from heapwright.program.commands import New, Protect, Scramble, Store, StoreCell, StoreData, StoreDataCell
from heapwright.program.dataflow.pointer_flows import held_by
from heapwright.program.graph import Program
from heapwright.program.types import Field, ValueKind

Scalar = tuple[ValueKind, int]  # kind and size


def writes_to_protected(program: Program) -> dict[str, str]:
    """The checks of writes that may be to protected memory, each with the reason why it is not proved."""
    made = [edge.command.base for edge in program.graph.edges if isinstance(edge.command, Protect)]
    if not made:
        return {}
    held = held_by(program, made)
    scalars = {base: _scalars(program, program.variables[base].target) for base in made}
    protected = {base: _where_protected(program, base) for base in made}
    reasons: dict[str, str] = {}
    for edge in program.graph.edges:
        command = edge.command
        if not isinstance(command, Store | StoreData | StoreCell | StoreDataCell | Scramble):
            continue
        written = _written(program, command)
        if any(
            edge.source in protected[base] and (written is None or written in scalars[base])
            for base in held.get(command.base, ())
        ):
            for check in edge.checks:
                if check.kind is CheckKind.INVALID_DEREF:
                    reasons[check.id] = "it may write to read-only memory, which this engine does not follow"
    return reasons


def _where_protected(program: Program, base: str) -> frozenset[int]:
    """The locations at which a block is protected: behind that step, up to the next allocation of the block."""
    waiting = [edge.target for edge in program.graph.edges if edge.command == Protect(base)]
    seen = set(waiting)
    while waiting:
        for edge in program.graph.successors[waiting.pop()]:
            again = isinstance(edge.command, New) and edge.command.target == base
            if not again and edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    return frozenset(seen)


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
