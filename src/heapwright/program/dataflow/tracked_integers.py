"""Integer precision heuristic: variables and fields that are assigned constants and tested for equality with few of
them, and flags.

A flag is a variable that is set to the truth value of a comparison, or that is tested at several locations: in

    if (locked) p = malloc(1); ... if (locked) free(p);

the tests have the same outcome, whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heapwright.program.commands import Assert, Assume, Command, Compute, Havoc, LoadData, StoreData
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
from heapwright.program.graph import Edge, Program

MOST_CONSTANTS = 4  # integers that are compared with more values than this are not tracked


class CellName(str):
    """A field that an engine has resolved already, whatever the declared type of the variable."""

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


def compared(literal: Compare) -> tuple[str, str] | None:
    """The two variables of which a test asks whether they are equal."""
    left, right = bare(literal.left), bare(literal.right)
    if isinstance(left, IntVar) and isinstance(right, IntVar) and literal.op in ("==", "!="):
        return left.name, right.name
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
        case Binary("==" | "!=" as op, left, right, _) if (
            _is_constant(right, 0) and (inner := comparison(left)) is not None
        ):
            return inner if op == "!=" else _negated(inner)
        case Binary(op, left, right, _) if op in COMPARISONS:
            return Compare(op, left, right)
        case Unary("!", operand, _):
            inner = comparison(operand)
            return Compare("==", operand, Const(0, operand.type)) if inner is None else _negated(inner)
    return None


def _negated(test: Compare) -> Compare:
    return Compare(NEGATED[test.op], test.left, test.right)


def _is_constant(expr: Expr, *values: int) -> bool:
    source = bare(expr)
    return isinstance(source, Const) and source.value in values


class Groups:
    """Names that belong together: union and find."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def find(self, name: str) -> str:
        """The representative of the group."""
        self._parent.setdefault(name, name)
        while self._parent[name] != name:
            name = self._parent[name]
        return name

    def join(self, one: str, other: str) -> None:
        self._parent[self.find(one)] = self.find(other)

    def names(self) -> list[str]:
        return sorted(self._parent)


def tracked_constants(program: Program, *, truth_values: bool = False) -> dict[str, tuple[int, ...]]:
    """Variables and fields that copies connect form a group; a group that is set to constants or truth values
    somewhere and tested against a few is tracked, and so is a flag. With `truth_values`, so is a field that holds truth
    values and is tested at several locations, and it is a test of `b` that `a` becomes `!b`, if `a` is tested."""
    groups = Groups()
    written: set[str] = set()
    others: set[str] = set()  # what takes values that are no truth values
    edges = program.graph.edges
    for edge in edges:
        match edge.command:
            case LoadData(target, base, field):
                groups.join(target, field_name(program, base, field))
            case Havoc(target, _, _, _, low, high) if (low, high) != (0, 1):
                others.add(target)
        for name, value in _values(program, edge.command):
            source, truth = bare(value), comparison(value) is not None
            if isinstance(source, IntVar):
                groups.join(name, source.name)
            elif isinstance(source, Const) or (truth and (truth_values or isinstance(edge.command, Compute))):
                written.add(name)
            if not truth and not isinstance(source, IntVar) and not _is_constant(source, 0, 1):
                others.add(name)
    tests = _Tests(groups)
    for edge in edges:
        for tested, constant in comparisons(edge.command):
            tests.add(tested, constant, edge.source)
    mixed = {groups.find(name) for name in others}
    if truth_values:
        _compare_truth(edges, tests, mixed)
    while truth_values and any(_passed_on(program, edge, tests) for edge in edges):
        pass
    fields = {groups.find(name) for name in groups.names() if name not in program.variables}
    flags = {name for name, at in tests.locations.items() if len(at) > 1 and groups.find(name) not in fields}
    interesting = {groups.find(name) for name in written | flags}
    if truth_values:
        interesting |= {group for group in fields - mixed if len(tests.of_group(group)) > 1}
    return {
        name: tuple(sorted(tests.constants[groups.find(name)]))
        for name in groups.names()
        if groups.find(name) in interesting and 0 < len(tests.constants.get(groups.find(name), ())) <= MOST_CONSTANTS
    }


class _Tests:
    """The constants that groups are compared with, and the locations of the comparisons of each name."""

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.constants: dict[str, set[int]] = {}
        self.locations: dict[str, set[int]] = {}

    def add(self, name: str, constant: int, location: int) -> bool:
        """Whether the comparison is new."""
        constants = self.constants.setdefault(self.groups.find(name), set())
        locations = self.locations.setdefault(name, set())
        known = constant in constants and location in locations
        constants.add(constant)
        locations.add(location)
        return not known

    def of_group(self, group: str) -> set[int]:
        return set().union(*(at for name, at in self.locations.items() if self.groups.find(name) == group))


def _compare_truth(edges: Iterable[Edge[Command]], tests: _Tests, mixed: set[str]) -> None:
    """A comparison of two truth values is a test of both against 0 and 1; `mixed` are the groups of other values."""
    for edge in edges:
        if isinstance(edge.command, Assume | Assert) and isinstance(edge.command.literal, Compare):
            names = compared(edge.command.literal) or ()
            if not {tests.groups.find(name) for name in names} & mixed:
                for name in names:
                    tests.add(name, 0, edge.source)
                    tests.add(name, 1, edge.source)


def _values(program: Program, command: Command) -> Iterator[tuple[str, Expr]]:
    """The variables and fields that take the value of an expression."""
    match command:
        case Compute(target, value):
            yield target, value
        case StoreData(base, field, value):
            yield field_name(program, base, field), value


def _passed_on(program: Program, edge: Edge[Command], tests: _Tests) -> bool:
    """Something that is tested takes the truth value of a comparison with a constant: a test as well."""
    for name, value in _values(program, edge.command):
        test = comparison(value)
        found = equality(test) if test is not None else None
        if found is not None and tests.constants.get(tests.groups.find(name)):
            return tests.add(found[0], found[1], edge.source)
    return False
