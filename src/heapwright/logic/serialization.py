"""JSON serialisation of formulas and defined predicates: the name of the node class, and its fields.

>>> from heapwright.logic.formulas import Atom, Exists, Not
>>> last = Not(Exists(("w",), Atom("n", ("v", "w"))))
>>> written(last)
['Not', ['Exists', ['w'], ['Atom', 'n', ['v', 'w']]]]
>>> read(written(last)) == last
True
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heapwright.logic import formulas as f
from heapwright.logic.vocabulary import Predicate


def written(formula: f.Formula) -> list[Any]:
    match formula:
        case f.Truth(value):
            return ["Truth", value.value]
        case f.Atom(predicate, arguments):
            return ["Atom", predicate, list(arguments)]
        case f.Equal(left, right):
            return ["Equal", left, right]
        case f.Not(operand):
            return ["Not", written(operand)]
        case f.And(operands):
            return ["And", [written(one) for one in operands]]
        case f.Or(operands):
            return ["Or", [written(one) for one in operands]]
        case f.Iff(one, other):
            return ["Iff", written(one), written(other)]
        case f.IfThenElse(condition, then, other):
            return ["IfThenElse", written(condition), written(then), written(other)]
        case f.Exists(variables, body):
            return ["Exists", list(variables), written(body)]
        case f.ForAll(variables, body):
            return ["ForAll", list(variables), written(body)]
        case f.TransitiveClosure(left, right, source, target, body):
            return ["TransitiveClosure", left, right, source, target, written(body)]


def read(data: Any) -> f.Formula:
    """A ValueError says that it is no formula."""
    match data:
        case ["Truth", value]:
            return f.Truth(f.Kleene(value))
        case ["Atom", str(predicate), list(arguments)]:
            return f.Atom(predicate, _names(arguments))
        case ["Equal", str(left), str(right)]:
            return f.Equal(left, right)
        case ["Not", operand]:
            return f.Not(read(operand))
        case ["And", list(operands)]:
            return f.And(tuple(map(read, operands)))
        case ["Or", list(operands)]:
            return f.Or(tuple(map(read, operands)))
        case ["Iff", one, other]:
            return f.Iff(read(one), read(other))
        case ["IfThenElse", condition, then, other]:
            return f.IfThenElse(read(condition), read(then), read(other))
        case ["Exists", list(variables), body]:
            return f.Exists(_names(variables), read(body))
        case ["ForAll", list(variables), body]:
            return f.ForAll(_names(variables), read(body))
        case ["TransitiveClosure", str(left), str(right), str(source), str(target), body]:
            return f.TransitiveClosure(left, right, source, target, read(body))
    raise ValueError("it is no formula")


def _names(items: list[Any]) -> tuple[str, ...]:
    return tuple(map(str, items))


def written_predicate(predicate: Predicate) -> dict[str, Any]:
    """A predicate with a definition."""
    assert predicate.definition is not None
    return {
        "name": predicate.name,
        "parameters": list(predicate.parameters),
        "definition": written(predicate.definition),
    }


def read_predicate(data: Mapping[str, Any]) -> Predicate:
    parameters = _names(data["parameters"])
    definition = read(data["definition"])
    if len(parameters) > 2 or not f.free_variables(definition) <= set(parameters):
        raise ValueError(f"{data['name']} is no predicate of its parameters")
    return Predicate(str(data["name"]), len(parameters), definition, parameters)
