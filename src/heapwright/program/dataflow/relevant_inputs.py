"""Relevant inputs: the constants that a value is compared with, and the fields that are read.

Variables, fields and array cells that copies connect form a group, and so do two that are compared with each other.
An input of a group whose members are only compared with constants never gets a value during a search, because each
comparison just splits its range; where a value is needed after all, the group's constants are tried.

    constants_of(program)[("", "x")]           # of a variable
    constants_of(program)[("node", "data")]    # of a field
    constants_of(program)[("int[]", "[]")]     # of the cells of an array type
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.program import commands as c
from heapwright.program.expressions import Binary, Compare, Const, Convert, Expr, IntVar, ShapeLiteral, Unary, Var
from heapwright.program.graph import Program

CellKey = tuple[str, str]
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
COMMUTATIVE = frozenset(("+", "*"))
LONGEST_SHIFT = 64
MOST_CONSTANTS = 16  # of one group; more would make every decision too wide


class _Groups:
    """Union-find over variables, fields and cells, with the constants of each group."""

    def __init__(self) -> None:
        self.parent: dict[CellKey, CellKey] = {}
        self.constants: dict[CellKey, set[int]] = {}

    def find(self, key: CellKey) -> CellKey:
        self.parent.setdefault(key, key)
        while self.parent[key] != key:
            self.parent[key] = self.parent[self.parent[key]]
            key = self.parent[key]
        return key

    def join(self, one: CellKey, other: CellKey) -> None:
        first, second = self.find(one), self.find(other)
        if first != second:
            self.parent[second] = first
            self.constants.setdefault(first, set()).update(self.constants.pop(second, ()))

    def compared(self, key: CellKey, constant: int) -> None:
        self.constants.setdefault(self.find(key), set()).add(constant)


def _bare(expr: Expr) -> Expr:
    while isinstance(expr, Convert):
        expr = expr.operand
    return expr


def _compare(groups: _Groups, left: Expr, right: Expr) -> None:
    one, other = _bare(left), _bare(right)
    if isinstance(one, Const):
        one, other = other, one
    if isinstance(other, Const):
        _solve(groups, one, other.value)
    elif isinstance(one, IntVar) and isinstance(other, IntVar):
        groups.join(("", one.name), ("", other.name))


def _solve(groups: _Groups, expr: Expr, value: int) -> None:
    """Records for the variable of an expression the values with which the expression is near `value`: `n * 4 < 64`
    compares n with 16."""
    match _bare(expr):
        case IntVar(name):
            groups.compared(("", name), value)
        case Binary(op, left, right, _):
            first, second = _bare(left), _bare(right)
            if isinstance(second, Const):
                for operand in _operands(op, second.value, value):
                    _solve(groups, first, operand)
            elif isinstance(first, Const) and op in COMMUTATIVE:
                for operand in _operands(op, first.value, value):
                    _solve(groups, second, operand)
        case _:
            pass


def _operands(op: str, constant: int, value: int) -> tuple[int, ...]:
    """Operands `x` for which `x op constant` is `value` or next to it."""
    match op:
        case "+":
            return (value - constant,)
        case "-":
            return (value + constant,)
        case "*" if constant:
            return (value // constant, -(-value // constant))
        case "<<" if 0 <= constant < LONGEST_SHIFT:
            return (value >> constant, -(-value >> constant))
        case "/":
            return (value * constant, (value + 1) * constant - 1)
        case ">>" if 0 <= constant < LONGEST_SHIFT:
            return (value << constant, ((value + 1) << constant) - 1)
        case "%":
            return (value, value + constant)
        case _:
            return ()


def _scan(groups: _Groups, expr: Expr) -> None:
    """Comparisons inside an expression; `!x` compares with 0."""
    match expr:
        case Unary(op, operand, _):
            if op == "!":
                _compare(groups, operand, Const(0, operand.type))
            _scan(groups, operand)
        case Binary(op, left, right, _):
            if op in COMPARISONS:
                _compare(groups, left, right)
            _scan(groups, left)
            _scan(groups, right)
        case Convert(operand, _):
            _scan(groups, operand)
        case _:
            pass


def _expressions(command: c.Command) -> Iterator[Expr]:
    match command:
        case c.Compute(_, value) | c.StoreData(_, _, value):
            yield value
        case c.StoreDataCell(_, index, value):
            yield index
            yield value
        case c.LoadDataCell(_, _, index) | c.LoadCell(_, _, index) | c.Shift(_, _, index) | c.StoreCell(_, index, _):
            yield index
        case c.Copy(_, _, expr):
            yield from () if expr is None else (expr,)
        case c.Fill(_, value, expr):
            yield value
            yield expr
        case c.New(_, _, _, count, size):
            yield from (expr for expr in (count, size) if expr is not None)
        case c.Assume(literal) | c.Assert(literal, _):
            yield from (literal.left, literal.right) if isinstance(literal, Compare) else ()
        case c.Assign() | c.Load() | c.Store() | c.Follow() | c.Reinterpret() | c.AnyPointer() | c.LoadData():
            pass
        case c.Free() | c.Leave() | c.Havoc() | c.Scramble() | c.Distance() | c.Length():
            pass
        case c.External() | c.Protect() | c.Inspect() | c.Skip():
            pass


def _copy(groups: _Groups, target: CellKey, value: Expr) -> None:
    source = _bare(value)
    if isinstance(source, IntVar):
        groups.join(target, ("", source.name))


def constants_of(program: Program) -> dict[CellKey, tuple[int, ...]]:
    """The constants of every variable, field or cell that has some."""
    groups = _Groups()

    def type_of(base: str) -> str:
        return program.variables[base].target

    for edge in program.graph.edges:
        command = edge.command
        match command:
            case c.Compute(target, value):
                _copy(groups, ("", target), value)
            case c.LoadData(target, base, field):
                groups.join(("", target), (type_of(base), field))
            case c.StoreData(base, field, value):
                _copy(groups, (type_of(base), field), value)
            case c.LoadDataCell(target, base, _):
                groups.join(("", target), (type_of(base), "[]"))
            case c.StoreDataCell(base, _, value):
                _copy(groups, (type_of(base), "[]"), value)
            case c.Assume(Compare(_, left, right)) | c.Assert(Compare(_, left, right), _):
                _compare(groups, left, right)
            case _:
                pass
        for expr in _expressions(command):
            _scan(groups, expr)
    found: dict[CellKey, tuple[int, ...]] = {}
    for key in groups.parent:
        constants = groups.constants.get(groups.find(key))
        if constants:
            found[key] = tuple(sorted(constants, key=lambda value: (abs(value), value))[:MOST_CONSTANTS])
    return found


def fields_read(program: Program) -> frozenset[CellKey]:
    """The integer fields that some command reads, by declared type and name; nothing depends on the others. Where the
    declaration does not say, the name counts for all types. An access that finds its field in an object of another type
    is noticed when it happens (`SearchContext.misread`)."""
    found: set[CellKey] = set()

    def reads(base: str, field: str) -> None:
        declared = program.types.get(program.variables[base].target)
        named = [declared] if declared is not None and declared.field(field) else program.types.values()
        found.update((type.name, field) for type in named)

    for edge in program.graph.edges:
        match edge.command:
            case c.LoadData(_, base, field):
                reads(base, field)
            case c.Assume(ShapeLiteral(_, pointers, fields)) | c.Assert(ShapeLiteral(_, pointers, fields), _):
                for pointer in pointers:
                    if isinstance(pointer, Var):
                        for field in fields:
                            reads(pointer.name, field.rpartition("/")[2])
            case _:
                pass
    return frozenset(found)
