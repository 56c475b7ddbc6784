"""Assumed shapes as formulas over the heap before a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from heapwright.engines.infer.heaps.steps import Shape
from heapwright.smt.terms import conj, disj, for_all, implies, negation

if TYPE_CHECKING:
    from heapwright.engines.infer.heaps.prover.encoding import Encoding


def endless(encoding: Encoding, there: Any, reached: Any, x: Any) -> Any:
    """That following a field from an object never ends; `reached`: whether x is reached."""
    return conj(there, for_all([x], negation(conj(reached, encoding.ends(x)))))


def circular(encoding: Encoding, there: Any, where: Any) -> Any:
    """That an object is on a cycle of the first field: all that it reaches leads back to it."""
    x, path = encoding.any[0], encoding.view.path
    return conj(there, for_all([x], implies(path(where, x), conj(path(x, where), negation(encoding.ends(x))))))


def shaped(encoding: Encoding, shape: Shape) -> Any:
    view, x, along = encoding.view, encoding.any[0], shape.field
    reach = [view.reach(k, x, along) for k in shape.variables]
    match shape.predicate:
        case "reach":
            one, two = shape.variables
            leads = implies(view.there[two], view.reach(one, view.where[two], along))
            if not encoding.vocabulary.cyclic:
                return leads
            return conj(leads, disj(view.there[two], negation(endless(encoding, view.there[one], reach[0], x))))
        case "acyclic":
            return negation(endless(encoding, view.there[shape.variables[0]], reach[0], x))
        case "cyclic":
            there, where = view.there[shape.variables[0]], view.where[shape.variables[0]]
            return disj(negation(there), circular(encoding, there, where))
        case "disjoint":
            return for_all([x], negation(conj(*reach)))
        case "covered":
            return for_all([x], implies(encoding.alloc(x), disj(*reach)))
        case "ordered":
            one, two, start = shape.variables
            onward = view.paths[along](view.where[one], view.where[two])
            return negation(conj(view.there[one], view.there[two], view.reach(start, view.where[one], along), onward))
    raise ValueError(f"no shape {shape.predicate!r}")
