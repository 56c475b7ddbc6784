"""What the literals of conditions and assertions say in logic."""

from __future__ import annotations

from heapwright.engines.tvl.programs.data import equality
from heapwright.engines.tvl.programs.predicates import (
    FREED,
    HeapVocabulary,
    atom,
    cycle_name,
    equals,
    junk,
    reach_name,
)
from heapwright.logic.formulas import HALF, TRUE, And, Exists, ForAll, Formula, Iff, Not, Or
from heapwright.program.expressions import (
    Compare,
    Const,
    Literal,
    Null,
    Pointer,
    PointerCompare,
    ShapeLiteral,
    Var,
    compare,
)


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
