"""Formulas under a changing universe: how their values depend on nodes that are added or removed.

A node is isolated when no core predicate holds of it. Allocation adds an isolated node, and deallocation
isolates a node and then removes it. Many formulas do not depend on isolated nodes: their quantifiers range over nodes
of which some core predicate holds. For those, differencing may ignore the change of the universe; others are
re-evaluated.

>>> from heapwright.logic.vocabulary import Predicate
>>> vocabulary = Vocabulary((Predicate("x", 1), Predicate("n", 2)))
>>> ignores_isolated(vocabulary, f.Exists(("u",), f.And((f.Atom("x", ("u",)), f.Atom("n", ("u", "v"))))))
True
>>> ignores_isolated(vocabulary, f.Exists(("u",), f.Not(f.Atom("x", ("u",)))))
False
"""

from __future__ import annotations

from heapwright.engines.tvl.formulas.rewriting import make_and, renamed, simplified
from heapwright.logic import formulas as f
from heapwright.logic.actions import Action, Update
from heapwright.logic.vocabulary import Vocabulary

BUILT_IN = ("sm", "ac", "isNew", "instance")


def ignores_isolated(vocabulary: Vocabulary, formula: f.Formula) -> bool:
    """Does the formula keep its values, for nodes that were there before, when an isolated node comes or goes?"""
    match formula:
        case f.Truth() | f.Atom() | f.Equal():
            return True
        case f.Not(operand):
            return ignores_isolated(vocabulary, operand)
        case f.And(operands) | f.Or(operands):
            return all(ignores_isolated(vocabulary, operand) for operand in operands)
        case f.Iff(first, second):
            return ignores_isolated(vocabulary, first) and ignores_isolated(vocabulary, second)
        case f.IfThenElse(condition, then, other):
            return all(ignores_isolated(vocabulary, part) for part in (condition, then, other))
        case f.Exists(variables, body):
            return ignores_isolated(vocabulary, body) and all(
                at_isolated(vocabulary, body, v) == f.FALSE for v in variables
            )
        case f.ForAll(variables, body):
            return ignores_isolated(vocabulary, body) and all(
                at_isolated(vocabulary, body, v) == f.TRUE for v in variables
            )
        case f.TransitiveClosure(_, _, source, target, body):
            no_way = (
                at_isolated(vocabulary, body, source) == f.FALSE or at_isolated(vocabulary, body, target) == f.FALSE
            )
            return no_way and ignores_isolated(vocabulary, body)


def at_isolated(vocabulary: Vocabulary, formula: f.Formula, variable: str) -> f.Formula:
    """The formula, simplified for an isolated node as the value of one variable and of no other."""

    def go(part: f.Formula) -> f.Formula:
        match part:
            case f.Truth():
                return part
            case f.Equal(left, right):
                if left == right:
                    return f.TRUE
                return f.FALSE if variable in (left, right) else part
            case f.Atom(name, arguments):
                if variable not in arguments or name in BUILT_IN:
                    return part
                predicate = vocabulary[name]
                if predicate.definition is None:
                    return f.FALSE
                names = dict(zip(predicate.parameters, arguments, strict=True))
                return at_isolated(vocabulary, renamed(predicate.definition, names), variable)
            case f.Not(operand):
                return f.Not(go(operand))
            case f.And(operands):
                return f.And(tuple(map(go, operands)))
            case f.Or(operands):
                return f.Or(tuple(map(go, operands)))
            case f.Iff(first, second):
                return f.Or((f.And((go(first), go(second))), f.And((f.Not(go(first)), f.Not(go(second))))))
            case f.IfThenElse(condition, then, other):
                return f.IfThenElse(go(condition), go(then), go(other))
            case f.Exists(variables, body):
                return part if variable in variables else f.Exists(variables, go(body))
            case f.ForAll(variables, body):
                return part if variable in variables else f.ForAll(variables, go(body))
            case f.TransitiveClosure(left, right, source, target, body):
                if left == variable and at_isolated(vocabulary, body, source) == f.FALSE:
                    return f.FALSE
                if right == variable and at_isolated(vocabulary, body, target) == f.FALSE:
                    return f.FALSE
                return part

    return simplified(go(formula))


def isolating(vocabulary: Vocabulary, action: Action) -> tuple[Update, ...]:
    """Updates of all core predicates that also isolate the nodes that an action does not retain."""
    if action.retain is None:
        return ()
    variable, retained = action.retain
    supplied = {update.predicate: update for update in action.updates}
    result = []
    for predicate in vocabulary.predicates:
        if predicate.definition is None and predicate.arity > 0:
            update = supplied.get(predicate.name)
            parameters = ("#u", "#v")[: predicate.arity]
            value: f.Formula = f.Atom(predicate.name, parameters)
            if update is not None and update.formula is not None:
                value = renamed(update.formula, dict(zip(update.parameters, parameters, strict=True)))
            stays = [renamed(retained, {variable: parameter}) for parameter in parameters]
            result.append(Update(predicate.name, parameters, make_and(value, *stays)))
    return tuple(result)
