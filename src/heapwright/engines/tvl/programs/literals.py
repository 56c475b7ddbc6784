"""What conditions and assertions over pointers and shapes say in logic."""

from __future__ import annotations

from heapwright.engines.tvl.programs.names import (
    ENDED,
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
from heapwright.logic.formulas import HALF, TRUE, And, Exists, Formula, Not, Or
from heapwright.program.expressions import (
    Compare,
    Const,
    Literal,
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
            equal = heap.tags.same(left, right)
            unsure = Or((is_junk(left), is_junk(right), _dangling(left, right)))
            decided = equal if op == "==" else Not(equal)
            return Or((And((Not(unsure), decided)), And((unsure, HALF))))
        case ShapeLiteral("acyclic", (Var(name),), (field,), negated):
            acyclic = _acyclic(heap, name, field)
            return (Not(acyclic) if negated else acyclic) if acyclic is not None else HALF
    told = [found for family in heap.families if (found := family.meaning(literal)) is not None]
    return told[0] if told else HALF


def _ended(node: str) -> Formula:
    return Or((atom(FREED, node), atom(ENDED, node)))


def _dangling(left: Pointer, right: Pointer) -> Formula:
    """A block that has ended may have had the address of another one."""
    one = Exists(("v",), And((points_to(left, "v"), _ended("v"), Not(points_to(right, "v")))))
    other = Exists(("v",), And((points_to(right, "v"), _ended("v"), Not(points_to(left, "v")))))
    return Or((And((one, not_null(right))), And((other, not_null(left)))))


def _acyclic(heap: HeapVocabulary, variable: str, field: str) -> Formula | None:
    if not {cycle_name(field), reach_name(variable, field)} <= heap.vocabulary.by_name.keys():
        return None
    bad = Or((atom(cycle_name(field), "v"), _ended("v"), atom(junk(field), "v")))
    reached = atom(reach_name(variable, field), "v")
    return And((Not(atom(junk(variable))), Not(Exists(("v",), And((reached, bad))))))
