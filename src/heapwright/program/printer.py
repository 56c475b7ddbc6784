"""Programs as text: one line per edge, in the notation of the design.

>>> format_command(Load("x", "y", "next"))
'x = y.next'
"""

from __future__ import annotations

from collections.abc import Callable

from heapwright.program.commands import (
    AnyPointer,
    Assert,
    Assign,
    Assume,
    Command,
    Compute,
    Copy,
    Distance,
    External,
    Fill,
    FloatingPoint,
    Follow,
    Free,
    Havoc,
    Inspect,
    Leave,
    Length,
    Load,
    LoadCell,
    LoadData,
    LoadDataCell,
    New,
    Protect,
    Reinterpret,
    Scramble,
    Shift,
    Skip,
    Store,
    StoreCell,
    StoreData,
    StoreDataCell,
)
from heapwright.program.expressions import (
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    IntVar,
    Literal,
    Pointer,
    PointerCompare,
    Unary,
    Var,
)
from heapwright.program.graph import Edge, Program
from heapwright.program.types import ObjectType, Variable

Names = Callable[[str], str]


def as_written(name: str) -> str:
    return name


def format_expr(expr: Expr, names: Names = as_written, *, conversions: bool = True, inner: bool = False) -> str:
    """`conversions` shows casts, which a user who did not write them does not expect."""
    match expr:
        case Const(value, _):
            return str(value)
        case IntVar(name, _):
            return names(name)
        case Unary(op, operand, _):
            return f"{op}{format_expr(operand, names, conversions=conversions, inner=True)}"
        case Binary(op, left, right, _):
            first = format_expr(left, names, conversions=conversions, inner=True)
            text = f"{first} {op} {format_expr(right, names, conversions=conversions, inner=True)}"
            return f"({text})" if inner else text
        case Convert(operand, type):
            if not conversions:
                return format_expr(operand, names, conversions=False, inner=inner)
            return f"({type}) {format_expr(operand, names, inner=True)}"


def format_pointer(pointer: Pointer, names: Names = as_written) -> str:
    return names(pointer.name) if isinstance(pointer, Var) else str(pointer)


def format_literal(literal: Literal, names: Names = as_written, *, conversions: bool = True) -> str:
    match literal:
        case Compare(op, left, right):
            first = format_expr(left, names, conversions=conversions, inner=True)
            return f"{first} {op} {format_expr(right, names, conversions=conversions, inner=True)}"
        case PointerCompare(op, first_pointer, second_pointer):
            return f"{format_pointer(first_pointer, names)} {op} {format_pointer(second_pointer, names)}"
        case _:
            arguments = [format_pointer(pointer, names) for pointer in literal.pointers] + list(literal.fields)
            return f"{'!' if literal.negated else ''}{literal.predicate}({', '.join(arguments)})"


def _format_new(command: New) -> str:
    words = [f"{command.target} = new {command.type or 'untyped'}"]
    if command.count is not None:
        words[0] += f"[{format_expr(command.count)}]"
    if command.size is not None:
        words.append(f"of {format_expr(command.size)} bytes")
    words.append(f"in {command.storage.value}")
    if command.zeroed:
        words.append("zeroed")
    if command.may_fail:
        words.append("or null")
    return " ".join(words)


def _format_havoc(command: Havoc) -> str:
    if isinstance(command, FloatingPoint):
        operands = ", ".join(format_expr(operand) for operand in command.operands)
        return f"{command.target} = {command.operation}{8 * command.size}({operands})"
    text = f"havoc {command.target}: {command.type}"
    if command.low is not None or command.high is not None:
        low = command.type.minimum if command.low is None else command.low
        high = command.type.maximum if command.high is None else command.high
        text += f" in {low}..{high}"
    if command.source:
        text += f" from {command.source}"
    return text + (" (approximate)" if command.approximate else "")


def format_command(command: Command) -> str:
    """One command on one line."""
    match command:
        case Load() | LoadData() | LoadCell() | LoadDataCell() | Store() | StoreData() | StoreCell() | StoreDataCell():
            return _format_access(command)
        case Assign(target, value):
            return f"{target} = {format_pointer(value)}"
        case Follow(target, base, owner, part, up):
            return f"{target} = {base}.{f'owner${owner}.{part}' if up else f'{part}$'}"
        case Shift(target, base, offset):
            return f"{target} = {base} + {format_expr(offset, inner=True)}"
        case Reinterpret(target, base, type):
            return f"{target} = ({type} *) {base}"
        case New():
            return _format_new(command)
        case Free() | Leave() | Copy() | Fill() | Protect() | Inspect():
            return _format_block(command)
        case AnyPointer(target, _, _, count) if count:
            return f"{target} = {count} strings"
        case AnyPointer(target, type, environment, _, fresh):
            return f"{target} = any {'new ' if fresh else ''}{type}{' of the environment' if environment else ''}"
        case External(function, pointers, lent):
            return f"{function}({', '.join((*pointers, *(f'const {pointer}' for pointer, _ in lent)))})"
        case Compute(target, expr):
            return f"{target} = {format_expr(expr)}"
        case Havoc():
            return _format_havoc(command)
        case Scramble(base, field):
            return f"scramble {base}.{field}"
        case Distance(target, left, right):
            return f"{target} = {left} - {right}"
        case Length(target, base):
            return f"{target} = length {base}"
        case Assume() | Assert() | Skip():
            return _format_control(command)


def _format_control(command: Assume | Assert | Skip) -> str:
    match command:
        case Assume(literal):
            return f"assume {format_literal(literal)}"
        case Assert(literal, _):
            return f"assert {format_literal(literal)}"
        case Skip(note, _, unmodelled):
            return f"unmodelled ({unmodelled})" if unmodelled else f"skip ({note})" if note else "skip"


def _format_block(command: Free | Leave | Copy | Fill | Protect | Inspect) -> str:
    match command:
        case Free(base, closes):
            return f"{'close' if closes else 'free'} {base}"
        case Leave(base):
            return f"leave {base}"
        case Copy(base, source, size):
            return f"copy {base}, {source}, {'all' if size is None else format_expr(size)}"
        case Fill(base, value, size):
            return f"fill {base}, {format_expr(value)}, {format_expr(size)}"
        case Inspect(base):
            return f"inspect {base}"
        case Protect(base):
            return f"protect {base}"


def _format_access(
    command: Load | LoadData | LoadCell | LoadDataCell | Store | StoreData | StoreCell | StoreDataCell,
) -> str:
    match command:
        case Load(target, base, field) | LoadData(target, base, field):
            return f"{target} = {base}.{field}"
        case LoadCell(target, base, index) | LoadDataCell(target, base, index):
            return f"{target} = {base}[{format_expr(index)}]"
        case Store(base, field, pointer):
            return f"{base}.{field} = {format_pointer(pointer)}"
        case StoreData(base, field, expr):
            return f"{base}.{field} = {format_expr(expr)}"
        case StoreCell(base, index, pointer):
            return f"{base}[{format_expr(index)}] = {format_pointer(pointer)}"
        case StoreDataCell(base, index, expr):
            return f"{base}[{format_expr(index)}] = {format_expr(expr)}"


def format_edge(edge: Edge[Command]) -> str:
    checks = [check.kind.value + ("(cleanup)" if check.cleanup else "") for check in edge.checks]
    if isinstance(edge.command, Assert):
        checks.append(edge.command.check.kind.value)
    text = f"L{edge.source} --[ {format_command(edge.command)} ]--> L{edge.target}"
    text += f"   {edge.span.file}:{edge.span.line}"
    return text + (f"   checks: {', '.join(checks)}" if checks else "")


def _format_type(type: ObjectType) -> list[str]:
    if type.cells is not None:
        cell = type.cells.object or (str(type.cells.field.type or "pointer") if type.cells.field else "?")
        count = "" if type.cells.count is None else str(type.cells.count)
        return [f"type {type.name}: array [{count}] of {cell}, stride {type.cells.stride}"]
    lines = [f"type {type.name}: {type.size} bytes"]
    for field in type.fields:
        what = str(field.type) if field.type else f"-> {field.target or 'void'}"
        lines.append(f"    {field.offset:4} {field.name}: {what}")
    lines += [f"    {part.offset:4} {part.name}$: part {part.type}" for part in type.parts]
    return lines


def _format_variable(variable: Variable) -> str:
    what = str(variable.type) if variable.type else f"-> {variable.target or 'void'}"
    origin = f"   {variable.source_name} of {variable.function or 'the program'}" if variable.source_name else ""
    return f"var {variable.name}: {what}{origin}"


def format_program(program: Program) -> str:
    """A readable listing: types, variables, then the edges in order of their source location."""
    lines = [line for type in program.types.values() for line in _format_type(type)]
    lines += [_format_variable(variable) for variable in program.variables.values()]
    lines.append(f"entry L{program.graph.entry} ({program.entry.function})")
    lines += [format_edge(edge) for edges in program.graph.successors for edge in edges]
    return "\n".join(lines) + "\n"
