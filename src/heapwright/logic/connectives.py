"""Connectives, which all formulas share; atoms are those of each engine.

>>> list(atoms(And((Not("p"), Or(("q", TRUE))))))
['p', 'q']
>>> flattened(["p", And(("q", "p")), TRUE], And), flattened(["p", FALSE], And)
(['p', 'q'], None)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

from heapwright.base.immutable import Immutable

F = TypeVar("F")


class Truth(Immutable):
    value: bool


class Not(Immutable, Generic[F]):
    operand: F


class And(Immutable, Generic[F]):
    operands: tuple[F, ...]


class Or(Immutable, Generic[F]):
    operands: tuple[F, ...]


TRUE, FALSE = Truth(True), Truth(False)


def flattened(formulas: Iterable[F], kind: type[And[F] | Or[F]]) -> list[F] | None:
    """The operands of a conjunction or disjunction without repetitions and what changes nothing; None where one of them
    decides it."""
    found: dict[F, None] = {}
    for formula in formulas:
        for operand in formula.operands if isinstance(formula, kind) else (formula,):
            if not isinstance(operand, Truth):
                found[operand] = None
            elif operand.value is (kind is Or):
                return None
    return list(found)


def atoms(formula: Any) -> Iterator[Any]:
    """Everything that is no connective, in the order of the text."""
    match formula:
        case Truth():
            pass
        case Not(operand):
            yield from atoms(operand)
        case And(operands) | Or(operands):
            for operand in operands:
                yield from atoms(operand)
        case _:
            yield formula
