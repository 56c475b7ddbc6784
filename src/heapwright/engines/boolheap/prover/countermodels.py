"""Candidate counterexample heaps from the z3 model of a query that is not entailed; evaluated before use.

z3 assigns values to the terms of a query without checking every instance of the axioms, so that a heap is a candidate.
Objects are the values of terms. A field that is not a term of the query leads to the nearest object on the path from
its object, or to null. Only interpretations at instantiated arguments are meaningful, so models are complete tables of
these.

    heap, v = candidate(prover, query.model(complete=True), formulas)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heapwright.engines.boolheap.concrete.small_heaps import DEAD, LIVE, UNBORN, Heap, signature_of
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.smt.session import Model

if TYPE_CHECKING:
    from heapwright.engines.boolheap.prover.entailment import Prover

Candidate = tuple[Heap, int]


def candidate(prover: Prover, model: Model, formulas: Sequence[f.Formula]) -> Candidate | None:
    """A heap and an object that may satisfy the formulas; None if the model has no heap."""
    return _Values(prover, model, formulas).candidate()


class _Values:
    """Values of the terms of formulas in a model; objects are numbered in the order of the terms."""

    def __init__(self, prover: Prover, model: Model, formulas: Sequence[f.Formula]) -> None:
        self.prover, self.model = prover, model
        self.formulas = formulas
        self.atoms = list(dict.fromkeys(atom for formula in formulas for atom in f.atoms(formula)))
        self.terms = f.subterms(self.atoms)
        named: dict[f.Term, int] = {term: model.value(prover.term(term)).get_id() for term in self.terms}
        last = [named[term] for term in (f.FRESH, f.NULL, f.JUNK)]
        order = [one for one in dict.fromkeys(named.values()) if one not in last] + last
        indices = {value: index for index, value in enumerate(order)}
        self.number = {term: indices[value] for term, value in named.items()}
        self.size = len(order) - 2
        self.distinct = len(set(last)) == len(last)
        self.tables = {
            name: {tuple(indices.get(one, -1) for one in row): value for row, value in rows.items()}
            for name, rows in model.relations().items()
        }

    def _says(self, relation: str, *objects: int) -> bool | None:
        return self.tables.get(relation, {}).get(objects)

    def candidate(self) -> Candidate | None:
        if not self.distinct:
            return None
        size = self.size
        live = [self._says("alive", one) is not False for one in range(size - 1)]
        status = (*(LIVE if one else DEAD for one in live), UNBORN)
        consists = signature_of(self.formulas)
        paths = {atom.field for atom in self.atoms if isinstance(atom, f.Between)}
        fields = {}
        for name in consists.fields:
            known = {
                self.number[t.base]: self.number[t] for t in self.terms if isinstance(t, f.Field) and t.field == name
            }
            fields[name] = tuple(
                self._target(name, known.get(one), one, name in paths) if one < size - 1 and live[one] else size + 1
                for one in range(size)
            )
        heap = Heap(
            size,
            status,
            {name: self.number[f.Name(name)] for name in consists.variables},
            fields,
            {name: self.model.number(self.prover.number(f.Number(name))) for name in consists.numbers},
            self._data(consists.data),
            {
                name: frozenset(one for one in range(size + 2) if self._says(f"mark {name}", one))
                for name in consists.marks
            },
        )
        return heap, self.number[f.V]

    def _target(self, field: str, known: int | None, object: int, has_paths: bool) -> int:
        """The target of a field: the nearest object that it must reach, or else the first end that it may reach."""
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
        """Whether one object is before another on the path from the start."""
        known = self._says(path, start, one, other)
        return bool(self._says(path, one, other, other)) if known is None else known

    def _data(self, names: Sequence[str]) -> dict[str, tuple[int, ...]]:
        found = {name: [0] * (self.size + 2) for name in names}
        for atom in self.atoms:
            if isinstance(atom, f.Less | f.Same):
                for side in map(f.bare, (atom.left, atom.right)):
                    if isinstance(side, f.Data):
                        base: f.Term = side.base
                        found[side.field][self.number[base]] = self.model.number(self.prover.number(side))
        return {name: tuple(numbers) for name, numbers in found.items()}
