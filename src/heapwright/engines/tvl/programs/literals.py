"""What conditions and assertions over pointers and shapes say in logic."""

from __future__ import annotations

from heapwright.engines.tvl.programs.names import (
    FREED,
    atom,
    cycle_name,
    is_junk,
    junk,
    not_null,
    points_to,
    reach_name,
)
from heapwright.engines.tvl.programs.vocabulary import HeapVocabulary
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
        case Compare(op, Const() as left, Const() as right):
            return TRUE if compare(op, left.value, right.value) else Not(TRUE)
        case PointerCompare(op, left, right) if op in ("==", "!="):
            equal = same(left, right)
            unsure = Or((is_junk(left), is_junk(right), _dangling(left, right)))
            decided = equal if op == "==" else Not(equal)
            return Or((And((Not(unsure), decided)), And((unsure, HALF))))
        case ShapeLiteral("acyclic", (Var(name),), (field,), negated):
            acyclic = _acyclic(heap, name, field)
            return (Not(acyclic) if negated else acyclic) if acyclic is not None else HALF
    told = [found for family in heap.families if (found := family.meaning(literal)) is not None]
    return told[0] if told else HALF


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
    if not {cycle_name(name), reach_name(variable, name)} <= heap.vocabulary.by_name.keys():
        return None
    bad = Or((atom(cycle_name(name), "v"), atom(FREED, "v"), atom(junk(name), "v")))
    reached = atom(reach_name(variable, name), "v")
    return And((Not(atom(junk(variable))), Not(Exists(("v",), And((reached, bad))))))
