"""Assumed shapes as formulas over the heap before a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heapwright.engines.infer.heaps.steps import Shape
from heapwright.smt.terms import conj, disj, for_all, implies, negation

if TYPE_CHECKING:
    from heapwright.engines.infer.heaps.prover.encoding import Encoding


def shaped(encoding: Encoding, shape: Shape) -> Any:
    view, x, along = encoding.view, encoding.any[0], shape.field
    reach = [view.reach(k, x, along) for k in shape.variables]
    match shape.predicate:
        case "reach":
            one, two = shape.variables
            return implies(view.there[two], view.reach(one, view.where[two], along))
        case "disjoint":
            return for_all([x], negation(conj(*reach)))
        case "covered":
            return for_all([x], implies(encoding.alloc(x), disj(*reach)))
        case "ordered":
            one, two, start = shape.variables
            onward = view.paths[along](view.where[one], view.where[two])
            return negation(conj(view.there[one], view.there[two], view.reach(start, view.where[one], along), onward))
    raise ValueError(f"no shape {shape.predicate!r}")
