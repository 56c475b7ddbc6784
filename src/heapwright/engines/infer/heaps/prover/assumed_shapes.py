"""Assumed shapes, and the types of objects, as formulas over the heap before a step."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from heapwright.engines.infer.heaps.steps import Shape
from heapwright.smt.terms import conj, disj, for_all, implies, negation

if TYPE_CHECKING:
    from heapwright.engines.infer.heaps.prover.encoding import Encoding


def forked(encoding: Encoding, where: Any, left: int, right: int) -> Any:
    """Of an object that is a tree by two fields: what it reaches along one, and then along the other, it does not reach
    along the other alone, nor does that lead along the first to what the object reaches along the first."""
    found: list[Any] = []
    for along, aside in ((left, right), (right, left)):
        (x, y, z), spine, other = encoding.any, encoding.view.paths[along], encoding.view.paths[aside]
        beyond = conj(spine(where, x), other(x, y), x != y)
        found.append(for_all([x, y], implies(conj(beyond, x != where), negation(other(where, y)))))
        found.append(for_all([x, y, z], implies(conj(beyond, spine(y, z)), negation(spine(where, z)))))
    return conj(*found)


def doubly_linked(encoding: Encoding, where: Any, field: int, back: int) -> Any:
    """Of an object whose list by a field is doubly linked: what follows on it leads back, and what an object on it
    leads back to is before it, or is what the first one leads back to. By reachability, as fields are acyclic."""
    (x, y, _), along, aside = encoding.any, encoding.view.paths[field], encoding.view.paths[back]
    on = along(where, x)
    returns = for_all([x, y], implies(conj(on, along(x, y)), aside(y, x)))
    before = disj(conj(along(where, y), along(y, x)), aside(where, y))
    return conj(returns, for_all([x, y], implies(conj(on, aside(x, y)), before)))


def typed(encoding: Encoding) -> list[Any]:
    """No object has two types; those of variables and of the ends of fields are known."""
    vocabulary, view, (x, y, _) = encoding.vocabulary, encoding.view, encoding.any
    if not vocabulary.edges:
        return []
    count = 1 + max(*vocabulary.kinds, *(kind for edge in vocabulary.edges for kind in edge))
    types = [encoding.symbols.relation(f"of type {kind}", encoding.sort) for kind in range(count)]
    found = [for_all([x], negation(conj(one(x), two(x)))) for one, two in itertools.combinations(types, 2)]
    for path, (source, target) in zip(encoding.paths, vocabulary.edges, strict=True):
        ends = conj(types[source](x), types[target](y))
        found.append(for_all([x, y], implies(conj(path(x, y), x != y), ends)))
    for there, where, kind in zip(view.there, view.where, vocabulary.kinds, strict=True):
        found.append(implies(there, types[kind](where)))
    return found


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
        case "tree":
            root, *ghosts = shape.variables
            apart = forked(encoding, view.where[root], shape.field, shape.other)
            return conj(implies(view.there[root], apart), *(negation(view.there[ghost]) for ghost in ghosts))
        case "dll":
            (root,) = shape.variables
            return implies(view.there[root], doubly_linked(encoding, view.where[root], along, shape.other))
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
