"""Conditions and assertions over pointers and shapes as formulas."""

from __future__ import annotations

from heapwright.engines.tvl.encoding.actions.shape_formulas import shape
from heapwright.engines.tvl.encoding.predicate_names import ENDED, FREED, is_junk, not_null, points_to
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.logic.formulas import HALF, TRUE, And, Exists, Formula, Not, Or, atom
from heapwright.program.expressions import Compare, Const, Literal, Pointer, PointerCompare, ShapeLiteral, compare


def meaning(heap: HeapVocabulary, literal: Literal) -> Formula:
    """The formula of a literal; 1/2 if the vocabulary does not support it."""
    match literal:
        case Compare(op, Const() as left, Const() as right):
            return TRUE if compare(op, left.value, right.value) else Not(TRUE)
        case PointerCompare(op, left, right) if op in ("==", "!="):
            equal = heap.tags.same(left, right)
            unsure = Or((is_junk(left), is_junk(right), _dangling(left, right)))
            decided = equal if op == "==" else Not(equal)
            return Or((And((Not(unsure), decided)), And((unsure, HALF))))
        case ShapeLiteral() if (found := shape(heap, literal)) is not None:
            return found
    told = [found for family in heap.families if (found := family.meaning(literal)) is not None]
    return told[0] if told else HALF


def _ended(node: str) -> Formula:
    return Or((atom(FREED, node), atom(ENDED, node)))


def _dangling(left: Pointer, right: Pointer) -> Formula:
    """A block whose lifetime has ended may have had the address of another one."""
    one = Exists(("v",), And((points_to(left, "v"), _ended("v"), Not(points_to(right, "v")))))
    other = Exists(("v",), And((points_to(right, "v"), _ended("v"), Not(points_to(left, "v")))))
    return Or((And((one, not_null(right))), And((other, not_null(left)))))
