"""Integer precision heuristic: variables and fields that are assigned constants and tested for equality with few of
them, and flags.

A flag is a variable that is set to the truth value of a comparison, or that is tested in several places: in

    if (locked) p = malloc(1); ... if (locked) free(p);

the tests have the same outcome, whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.program.commands import Assert, Assume, Command, Compute, LoadData, StoreData
from heapwright.program.expressions import (
    COMPARISONS,
    NEGATED,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    IntVar,
    Unary,
)
from heapwright.program.graph import Program

MOST_CONSTANTS = 4  # integers that are compared with more values than this are not tracked


class CellName(str):
    """A field that an engine has resolved already: it stands for itself, whatever the variable is declared as."""

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
    """(variable, constant, whether they are equal) of an equality test."""
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


def comparison(expr: Expr) -> Compare | None:
    """The condition of which an expression is the truth value, 0 or 1."""
    match expr:
        case Convert(operand, type) if type.maximum >= 1:
            return comparison(operand)
        case Binary(op, left, right, _) if op in COMPARISONS:
            return Compare(op, left, right)
        case Unary("!", operand, _):
            inner = comparison(operand)
            return None if inner is None else Compare(NEGATED[inner.op], inner.left, inner.right)
    return None


class Groups:
    """Names that belong together: union and find."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def find(self, name: str) -> str:
        """The name that stands for the group."""
        self._parent.setdefault(name, name)
        while self._parent[name] != name:
            name = self._parent[name]
        return name

    def join(self, one: str, other: str) -> None:
        self._parent[self.find(one)] = self.find(other)

    def names(self) -> list[str]:
        return sorted(self._parent)


def tracked_constants(program: Program) -> dict[str, tuple[int, ...]]:
    """Variables and fields that copies connect form a group; a group that is set to constants or truth values
    somewhere and tested against a few is tracked, and so is a flag."""
    groups = Groups()
    constants: dict[str, set[int]] = {}
    written: set[str] = set()
    edges = program.graph.edges
    for edge in edges:
        match edge.command:
            case Compute(target, value) if isinstance(bare(value), Const) or comparison(value) is not None:
                written.add(target)
            case Compute(target, value):
                source = bare(value)
                if isinstance(source, IntVar):
                    groups.join(target, source.name)
            case LoadData(target, base, field):
                groups.join(target, field_name(program, base, field))
            case StoreData(base, field, value):
                name, source = field_name(program, base, field), bare(value)
                if isinstance(source, Const):
                    written.add(name)
                elif isinstance(source, IntVar):
                    groups.join(name, source.name)
    places: dict[str, set[int]] = {}
    for edge in edges:
        for tested, constant in comparisons(edge.command):
            constants.setdefault(groups.find(tested), set()).add(constant)
            places.setdefault(tested, set()).add(edge.source)
    fields = {groups.find(name) for name in groups.names() if name not in program.variables}
    flags = {name for name, sources in places.items() if len(sources) > 1 and groups.find(name) not in fields}
    interesting = {groups.find(name) for name in written | flags}
    return {
        name: tuple(sorted(constants[groups.find(name)]))
        for name in groups.names()
        if groups.find(name) in interesting and 0 < len(constants.get(groups.find(name), ())) <= MOST_CONSTANTS
    }
