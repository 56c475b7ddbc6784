"""Dependencies: predicates of formulas and definitions, and the order in which definitions can be evaluated.

>>> from heapwright.logic.formulas import Atom, Exists
>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> below = Exists(("u",), Atom("n", ("u", "v")))
>>> sorted(predicates_of(below))
['n']
>>> vocabulary = Vocabulary((Predicate("s", 1, definition=below, parameters=("v",)), Predicate("n", 2)))
>>> [predicate.name for predicate in definition_order(vocabulary)]
['s']
"""

from __future__ import annotations

from functools import cache

from heapwright.base.errors import InputError
from heapwright.logic import formulas as f
from heapwright.logic.vocabulary import Predicate, Vocabulary


@cache
def predicates_of(formula: f.Formula) -> frozenset[str]:
    match formula:
        case f.Truth() | f.Equal():
            return frozenset()
        case f.Atom(predicate, _):
            return frozenset((predicate,))
        case f.Not(operand):
            return predicates_of(operand)
        case f.And(operands) | f.Or(operands):
            return frozenset[str]().union(*(predicates_of(operand) for operand in operands))
        case f.Iff(first, second):
            return predicates_of(first) | predicates_of(second)
        case f.IfThenElse(condition, then, other):
            return predicates_of(condition) | predicates_of(then) | predicates_of(other)
        case f.Exists(_, body) | f.ForAll(_, body):
            return predicates_of(body)
        case f.TransitiveClosure(_, _, _, _, body):
            return predicates_of(body)


def definition_order(vocabulary: Vocabulary) -> tuple[Predicate, ...]:
    """Instrumentation predicates, each after those that its definition uses."""
    ordered: list[Predicate] = []
    waiting = {p.name: p for p in vocabulary.predicates if p.definition is not None}
    needs = {name: set(predicates_of(p.definition or f.FALSE)) & waiting.keys() for name, p in waiting.items()}
    while waiting:
        ready = [p for name, p in waiting.items() if not needs[name] & waiting.keys()]
        if not ready:
            first = min(waiting)
            raise InputError(f"the definition of {first} depends on itself", waiting[first].span)
        ordered.extend(ready)
        for predicate in ready:
            del waiting[predicate.name]
    return tuple(ordered)
