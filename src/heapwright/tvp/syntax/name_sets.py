"""Names and sets of names under an environment, which binds the variables of `foreach` and the parameters of actions.

All identifiers of an environment are replaced at once, so that `swap(y, x)` of an action `swap(x, y)` substitutes
simultaneously. Variables of formulas are not names and stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from heapwright.base.errors import InputError
from heapwright.tvp.preprocessing.tokens import Token
from heapwright.tvp.syntax.tree import Comprehension, Foreach, Members, Name, SetExpression, SetName, SetOperation

T = TypeVar("T")
Environment = Mapping[str, Name]
Sets = Mapping[str, tuple[Name, ...]]


def resolve(name: Name, environment: Environment) -> Name:
    """The name with its identifiers replaced, also inside its parameters."""
    parameters = name.parameters
    if parameters:
        parameters = tuple(resolve(parameter, environment) for parameter in parameters)
    stands_for = environment.get(name.head)
    if stands_for is None:
        return name if parameters == name.parameters else Name(name.head, parameters, name.token)
    if not parameters:
        return Name(stands_for.head, stands_for.parameters, name.token)
    if stands_for.parameters:
        span = name.token.span if name.token else None
        raise InputError(f"{name.head} stands for {stands_for}, which cannot have more parameters", span)
    return Name(stands_for.head, parameters, name.token)


def members(expression: SetExpression, environment: Environment, sets: Sets) -> tuple[Name, ...]:
    """The members of a set in the order in which they were first named."""
    match expression:
        case SetName(token):
            found = sets.get(token.text)
            if found is None:
                raise InputError(f"set {token.text} is not declared", token.span)
            return found
        case Members(names):
            return tuple(dict.fromkeys(resolve(name, environment) for name in names))
        case Comprehension(names, variable, inner):
            return tuple(
                dict.fromkeys(
                    resolve(name, bind(environment, variable, member))
                    for member in members(inner, environment, sets)
                    for name in names
                )
            )
        case SetOperation(operator, left, right):
            first, second = members(left, environment, sets), members(right, environment, sets)
            if operator == "+":
                return tuple(dict.fromkeys((*first, *second)))
            return tuple(name for name in first if (name in second) == (operator == "&"))


def bind(environment: Environment, variable: Token, member: Name) -> Environment:
    """The environment with one more identifier; it may not hide another."""
    if variable.text in environment:
        raise InputError(f"{variable.text} already stands for {environment[variable.text]} here", variable.span)
    return {**environment, variable.text: member}


def unroll(items: Sequence[T | Foreach[T]], environment: Environment, sets: Sets) -> Iterator[tuple[T, Environment]]:
    """The items with every `foreach` unrolled, each with the environment that it stands in."""
    for item in items:
        if isinstance(item, Foreach):
            for member in members(item.members, environment, sets):
                yield from unroll(item.items, bind(environment, item.variable, member), sets)
        else:
            yield item, environment
