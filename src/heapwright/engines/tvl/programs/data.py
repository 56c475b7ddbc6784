"""Which integers are worth tracking: those that are set to constants and tested against a few."""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.program.commands import Assert, Assume, Command, Compute, LoadData, StoreData
from heapwright.program.expressions import Compare, Const, Convert, Expr, IntVar
from heapwright.program.graph import Program

MOST_CONSTANTS = 4  # integers that are compared with more values than this are not tracked


class CellName(str):
    """The name of the predicate of a cell, where a command has a field."""

    __slots__ = ()


def field_name(program: Program, base: str, field: str) -> str:
    """The name of a cell; before it is known which one, that of a field of what a variable is declared to point to."""
    return field if isinstance(field, CellName) else f"{program.variables[base].target}.{field}"


def comparisons(command: Command) -> Iterator[tuple[str, int]]:
    """Variables that a command compares with constants for equality."""
    if isinstance(command, Assume | Assert) and isinstance(command.literal, Compare):
        found = equality(command.literal)
        if found is not None:
            yield found[0], found[1]


def equality(literal: Compare) -> tuple[str, int, bool] | None:
    """(variable, constant, whether they are equal) of a test that says so."""
    left, right = bare(literal.left), bare(literal.right)
    if isinstance(left, Const) and isinstance(right, IntVar):
        left, right = right, left
    if isinstance(left, IntVar) and isinstance(right, Const) and literal.op in ("==", "!="):
        return left.name, right.value, literal.op == "=="
    return None


def bare(expr: Expr) -> Expr:
    """An expression without conversions that keep every value."""
    while isinstance(expr, Convert):
        inner = expr.operand.type
        if not (expr.type.minimum <= inner.minimum and inner.maximum <= expr.type.maximum):
            break
        expr = expr.operand
    return expr


def tracked_constants(program: Program) -> dict[str, tuple[int, ...]]:
    """Variables and fields that copies connect form a group; a group that is set to a constant somewhere and tested
    against a few is tracked."""
    parent: dict[str, str] = {}

    def find(name: str) -> str:
        parent.setdefault(name, name)
        while parent[name] != name:
            name = parent[name]
        return name

    constants: dict[str, set[int]] = {}
    written: set[str] = set()
    edges = program.graph.edges
    for edge in edges:
        match edge.command:
            case Compute(target, value) if isinstance(bare(value), Const):
                written.add(target)
            case Compute(target, value):
                source = bare(value)
                if isinstance(source, IntVar):
                    parent[find(target)] = find(source.name)
            case LoadData(target, base, field):
                parent[find(target)] = find(field_name(program, base, field))
            case StoreData(base, field, value):
                name, source = field_name(program, base, field), bare(value)
                if isinstance(source, Const):
                    written.add(name)
                elif isinstance(source, IntVar):
                    parent[find(name)] = find(source.name)
    for tested, constant in (found for edge in edges for found in comparisons(edge.command)):
        find(tested)
        constants.setdefault(tested, set()).add(constant)
    groups: dict[str, set[int]] = {}
    for name, values in constants.items():
        groups.setdefault(find(name), set()).update(values)
    interesting = {find(name) for name in written}
    return {
        name: tuple(sorted(groups[find(name)]))
        for name in sorted(parent)
        if find(name) in interesting and 0 < len(groups.get(find(name), ())) <= MOST_CONSTANTS
    }
