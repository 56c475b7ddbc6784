"""Tests in conditions: which integers are compared with which constants, and what a literal says in logic."""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.engines.tvl.programs.predicates import (
    FREED,
    HeapVocabulary,
    atom,
    bare,
    cycle_name,
    equals,
    junk,
    reach_name,
)
from heapwright.logic.formulas import HALF, TRUE, And, Exists, ForAll, Formula, Iff, Not, Or
from heapwright.program.commands import Assert, Assume, Command
from heapwright.program.expressions import (
    Compare,
    Const,
    IntVar,
    Literal,
    Null,
    Pointer,
    PointerCompare,
    ShapeLiteral,
    Var,
)


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


def meaning(heap: HeapVocabulary, literal: Literal) -> Formula:
    """When a literal holds, or may hold: unknown where the vocabulary does not tell."""
    match literal:
        case Compare():
            return _compare(heap, literal)
        case PointerCompare(op, left, right) if op in ("==", "!="):
            equal = same(left, right)
            unsure = Or((is_junk(left), is_junk(right), _dangling(left, right)))
            decided = equal if op == "==" else Not(equal)
            return Or((And((Not(unsure), decided)), And((unsure, HALF))))
        case ShapeLiteral("acyclic", (Var(name),), (field,), negated):
            acyclic = _acyclic(heap, name, field)
            return (Not(acyclic) if negated else acyclic) if acyclic is not None else HALF
    return HALF


def _compare(heap: HeapVocabulary, literal: Compare) -> Formula:
    if isinstance(literal.left, Const) and isinstance(literal.right, Const):
        from heapwright.program.expressions import compare

        return TRUE if compare(literal.op, literal.left.value, literal.right.value) else Not(TRUE)
    found = equality(literal)
    if found is None or found[1] not in heap.constants.get(found[0], ()):
        return HALF
    holds = atom(equals(found[0], found[1]))
    return holds if found[2] else Not(holds)


def points_to(pointer: Pointer, node: str) -> Formula:
    return atom(pointer.name, node) if isinstance(pointer, Var) else Not(TRUE)


def is_junk(pointer: Pointer) -> Formula:
    if isinstance(pointer, Var):
        return atom(junk(pointer.name))
    return Not(TRUE) if isinstance(pointer, Null) else TRUE


def not_null(pointer: Pointer) -> Formula:
    return Exists(("v",), points_to(pointer, "v"))


def same(left: Pointer, right: Pointer) -> Formula:
    if isinstance(right, Null):
        return Not(not_null(left))
    if isinstance(left, Null):
        return Not(not_null(right))
    return ForAll(("v",), Iff(points_to(left, "v"), points_to(right, "v")))


def _dangling(left: Pointer, right: Pointer) -> Formula:
    """A freed object may have the address of another one."""
    one = Exists(("v",), And((points_to(left, "v"), atom(FREED, "v"), Not(points_to(right, "v")))))
    other = Exists(("v",), And((points_to(right, "v"), atom(FREED, "v"), Not(points_to(left, "v")))))
    return Or((And((one, not_null(right))), And((other, not_null(left)))))


def _acyclic(heap: HeapVocabulary, variable: str, field: str) -> Formula | None:
    name = heap.field(variable, field)
    if name not in heap.fields:
        return None
    bad = Or((atom(cycle_name(name), "v"), atom(FREED, "v"), atom(junk(name), "v")))
    reached = atom(reach_name(variable, name), "v")
    return And((Not(atom(junk(variable))), Not(Exists(("v",), And((reached, bad))))))
