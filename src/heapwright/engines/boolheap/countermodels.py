"""A heap from what z3 leaves open where a question is not entailed: most often one that shows why.

z3 gives values to the terms of a question and does not look whether every axiom holds of them, so that the heap is a
guess, to be evaluated before it is believed. Objects are the values of terms. A field that the question does not name
leads to the nearest object on the path from its object, or back to it where there is none.

    heap, v = candidate(prover, solver.model(), formulas)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import z3

from heapwright.engines.boolheap.formulas import (
    FRESH,
    JUNK,
    NULL,
    Between,
    Data,
    Field,
    Formula,
    Less,
    Name,
    Number,
    Same,
    Term,
    V,
    atoms,
    bare,
    subterms,
)
from heapwright.engines.boolheap.heaps import DEAD, LIVE, UNBORN, Heap, signature_of

if TYPE_CHECKING:
    from heapwright.engines.boolheap.prover import Prover

Z3 = Any  # z3 has no types that help
Candidate = tuple[Heap, int]


def candidate(prover: Prover, model: Z3, formulas: Sequence[Formula]) -> Candidate | None:
    """A heap and an object of which the formulas may hold; None where the values make no heap."""
    return _Values(prover, model, formulas).candidate()


class _Values:
    """What a model says of the terms of formulas; objects by number, in the order of the terms."""

    def __init__(self, prover: Prover, model: Z3, formulas: Sequence[Formula]) -> None:
        self.prover, self.model = prover, model
        self.formulas = formulas
        self.atoms = list(dict.fromkeys(atom for formula in formulas for atom in atoms(formula)))
        self.terms = subterms(self.atoms)
        named = {term: self._value(prover.term(term)) for term in self.terms}
        values = list(dict.fromkeys(str(one) for one in named.values()))
        last = [str(named[term]) for term in (FRESH, NULL, JUNK)]
        order = [one for one in values if one not in last] + last
        self.number = {term: order.index(str(value)) for term, value in named.items()}
        self.values: list[Z3] = [None] * len(order)
        for term, value in named.items():
            self.values[self.number[term]] = value
        self.distinct = len(set(last)) == len(last)

    def _value(self, expression: Z3) -> Z3:
        return self.model.eval(expression, model_completion=True)

    def _true(self, expression: Z3) -> bool:
        return bool(z3.is_true(self._value(expression)))

    def candidate(self) -> Candidate | None:
        if not self.distinct:
            return None
        size = len(self.values) - 2
        live = [self._true(self.prover.alive(one)) for one in self.values[: size - 1]]
        status = (*(LIVE if one else DEAD for one in live), UNBORN)
        consists = signature_of(self.formulas)
        paths = {atom.field for atom in self.atoms if isinstance(atom, Between)}
        fields = {}
        for name in consists.fields:
            known = {
                self.number[t.base]: self.number[t] for t in self.terms if isinstance(t, Field) and t.field == name
            }
            fields[name] = tuple(
                self._target(name, known.get(one), one, name in paths) if one < size - 1 and live[one] else size + 1
                for one in range(size)
            )
        heap = Heap(
            size,
            status,
            {name: self.number[Name(name)] for name in consists.variables},
            fields,
            {name: self._integer(self.prover.number(Number(name))) for name in consists.numbers},
            self._data(consists.data),
            {
                name: frozenset(n for n, one in enumerate(self.values) if self._true(self.prover.mark(name, one)))
                for name in consists.marks
            },
        )
        return heap, self.number[V]

    def _target(self, field: str, known: int | None, object: int, has_paths: bool) -> int:
        size = len(self.values) - 2
        if known is not None:
            return known if known != size - 1 else size + 1
        if not has_paths:
            return size
        path = self.prover.path(field)
        here = self.values[object]
        ahead = [
            number
            for number, one in enumerate(self.values)
            if number not in (object, size - 1) and self._true(path(here, one, one))
        ]
        for number in ahead:
            if all(self._true(path(here, self.values[number], self.values[other])) for other in ahead):
                return number
        return ahead[0] if ahead else object

    def _integer(self, expression: Z3) -> int:
        found: int = self._value(expression).as_long()
        return found

    def _data(self, names: Sequence[str]) -> dict[str, tuple[int, ...]]:
        found = {name: [0] * len(self.values) for name in names}
        for atom in self.atoms:
            if isinstance(atom, Less | Same):
                for side in map(bare, (atom.left, atom.right)):
                    if isinstance(side, Data):
                        base: Term = side.base
                        found[side.field][self.number[base]] = self._integer(self.prover.number(side))
        return {name: tuple(numbers) for name, numbers in found.items()}
