"""A heap from what z3 leaves open where a question is not entailed: most often one that shows why.

z3 gives values to the terms of a question and does not look whether every axiom holds of them, so that the heap is a
guess, to be evaluated before it is believed. Objects are the values of terms. A field that the question does not name
leads to the nearest object on the path from its object, or to null where there is none. What a model says of arguments
that z3 never looked at is an accident; so models are kept as the tables of what it did look at (`COMPLETE_TABLES`).

    heap, v = candidate(prover, solver.model(), formulas)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import z3

from heapwright.engines.boolheap.concrete.small_heaps import DEAD, LIVE, UNBORN, Heap, signature_of
from heapwright.engines.boolheap.logic.formulas import (
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

if TYPE_CHECKING:
    from heapwright.engines.boolheap.prover.entailment import Prover

COMPLETE_TABLES = ("model.compact", False)  # for z3.set_param, before a context is made: it is no option of solvers
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
        named: dict[Term, int] = {term: self._value(prover.term(term)).get_id() for term in self.terms}
        last = [named[term] for term in (FRESH, NULL, JUNK)]
        order = [one for one in dict.fromkeys(named.values()) if one not in last] + last
        places = {value: place for place, value in enumerate(order)}
        self.number = {term: places[value] for term, value in named.items()}
        self.size = len(order) - 2
        self.distinct = len(set(last)) == len(last)
        self.tables = {one.name(): self._table(model[one], places) for one in model.decls() if one.arity()}

    def _value(self, expression: Z3) -> Z3:
        return self.model.eval(expression, model_completion=True)

    def _table(self, found: Z3, places: dict[int, int]) -> dict[tuple[int, ...], Z3]:
        """A function as far as the model had to decide it; what it says of the rest is an accident."""
        table = {}
        for entry in map(found.entry, range(found.num_entries())):
            objects = tuple(places.get(entry.arg_value(one).get_id(), -1) for one in range(entry.num_args()))
            table[objects] = entry.value()
        return table

    def _says(self, function: str, *objects: int) -> bool | None:
        value = self.tables.get(function, {}).get(objects)
        return None if value is None else bool(z3.is_true(value))

    def candidate(self) -> Candidate | None:
        if not self.distinct:
            return None
        size = self.size
        live = [self._says("alive", one) is not False for one in range(size - 1)]
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
                name: frozenset(one for one in range(size + 2) if self._says(f"mark {name}", one))
                for name in consists.marks
            },
        )
        return heap, self.number[V]

    def _target(self, field: str, known: int | None, object: int, has_paths: bool) -> int:
        """Where a field leads: the nearest of the objects that it must reach, or else the first end that it may."""
        size = self.size
        if known is not None:
            return known if known != size - 1 else size + 1
        if not has_paths:
            return size
        path = f"path {field}"
        others = [one for one in range(size + 2) if one not in (object, size - 1)]
        ahead = [one for one in others if self._says(path, object, one, one)]
        if ahead:
            return max(ahead, key=lambda one: sum(self._before(path, object, one, other) for other in ahead))
        return next((end for end in (size, size + 1) if self._says(path, object, end, end) is not False), object)

    def _before(self, path: str, start: int, one: int, other: int) -> bool:
        """Whether one comes before another on the way from the start."""
        told = self._says(path, start, one, other)
        return bool(self._says(path, one, other, other)) if told is None else told

    def _integer(self, expression: Z3) -> int:
        found: int = self._value(expression).as_long()
        return found

    def _data(self, names: Sequence[str]) -> dict[str, tuple[int, ...]]:
        found = {name: [0] * (self.size + 2) for name in names}
        for atom in self.atoms:
            if isinstance(atom, Less | Same):
                for side in map(bare, (atom.left, atom.right)):
                    if isinstance(side, Data):
                        base: Term = side.base
                        found[side.field][self.number[base]] = self._integer(self.prover.number(side))
        return {name: tuple(numbers) for name, numbers in found.items()}
