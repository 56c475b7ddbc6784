"""Formulas under a changing universe: what happens to their values when nodes come or go.

A node is isolated when no core predicate holds of it. Allocation adds an isolated node, and deallocation may be seen as
isolating a node and then taking it away. Many formulas do not notice isolated nodes: their quantifiers range over nodes
that something is said of. For those, differencing may ignore the change of the universe; others are evaluated anew.

>>> from heapwright.logic.vocabulary import Predicate
>>> vocabulary = Vocabulary((Predicate("x", 1), Predicate("n", 2)))
>>> ignores_isolated(vocabulary, Exists(("u",), And((Atom("x", ("u",)), Atom("n", ("u", "v"))))))
True
>>> ignores_isolated(vocabulary, Exists(("u",), Not(Atom("x", ("u",)))))
False
"""

from __future__ import annotations

from heapwright.engines.tvl.formulas.rewriting import make_and, renamed, simplified
from heapwright.logic.actions import Action, Update
from heapwright.logic.formulas import (
    FALSE,
    TRUE,
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Formula,
    Iff,
    IfThenElse,
    Not,
    Or,
    TransitiveClosure,
    Truth,
)
from heapwright.logic.vocabulary import Vocabulary

BUILT_IN = ("sm", "ac", "isNew", "instance")


def ignores_isolated(vocabulary: Vocabulary, formula: Formula) -> bool:
    """Does the formula keep its values, for nodes that were there before, when an isolated node comes or goes?"""
    match formula:
        case Truth() | Atom() | Equal():
            return True
        case Not(operand):
            return ignores_isolated(vocabulary, operand)
        case And(operands) | Or(operands):
            return all(ignores_isolated(vocabulary, operand) for operand in operands)
        case Iff(first, second):
            return ignores_isolated(vocabulary, first) and ignores_isolated(vocabulary, second)
        case IfThenElse(condition, then, other):
            return all(ignores_isolated(vocabulary, part) for part in (condition, then, other))
        case Exists(variables, body):
            return ignores_isolated(vocabulary, body) and all(
                at_isolated(vocabulary, body, v) == FALSE for v in variables
            )
        case ForAll(variables, body):
            return ignores_isolated(vocabulary, body) and all(
                at_isolated(vocabulary, body, v) == TRUE for v in variables
            )
        case TransitiveClosure(_, _, source, target, body):
            no_way = at_isolated(vocabulary, body, source) == FALSE or at_isolated(vocabulary, body, target) == FALSE
            return no_way and ignores_isolated(vocabulary, body)


def at_isolated(vocabulary: Vocabulary, formula: Formula, variable: str) -> Formula:
    """The formula, simplified by what is known if a variable stands for an isolated node and no other one does."""

    def go(f: Formula) -> Formula:
        match f:
            case Truth():
                return f
            case Equal(left, right):
                if left == right:
                    return TRUE
                return FALSE if variable in (left, right) else f
            case Atom(name, arguments):
                if variable not in arguments or name in BUILT_IN:
                    return f
                predicate = vocabulary[name]
                if predicate.definition is None:
                    return FALSE
                names = dict(zip(predicate.parameters, arguments, strict=True))
                return at_isolated(vocabulary, renamed(predicate.definition, names), variable)
            case Not(operand):
                return Not(go(operand))
            case And(operands):
                return And(tuple(map(go, operands)))
            case Or(operands):
                return Or(tuple(map(go, operands)))
            case Iff(first, second):
                return Or((And((go(first), go(second))), And((Not(go(first)), Not(go(second))))))
            case IfThenElse(condition, then, other):
                return IfThenElse(go(condition), go(then), go(other))
            case Exists(variables, body):
                return f if variable in variables else Exists(variables, go(body))
            case ForAll(variables, body):
                return f if variable in variables else ForAll(variables, go(body))
            case TransitiveClosure(left, right, source, target, body):
                if left == variable and at_isolated(vocabulary, body, source) == FALSE:
                    return FALSE
                if right == variable and at_isolated(vocabulary, body, target) == FALSE:
                    return FALSE
                return f

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
            value: Formula = Atom(predicate.name, parameters)
            if update is not None and update.formula is not None:
                value = renamed(update.formula, dict(zip(update.parameters, parameters, strict=True)))
            stays = [renamed(retained, {variable: parameter}) for parameter in parameters]
            result.append(Update(predicate.name, parameters, make_and(value, *stays)))
    return tuple(result)
