"""Reachability for provers without transitive closure: the incremental axiomatisation of section 4.3 of the paper.

The field is a relation between objects, and reachability another one, under first-order axioms that are sound for
closures but not complete. So proofs are sound, and a model need not be a heap: its reachability may not be the closure
of its field. The reachability of a model is that of some heap, which is used if a run from it violates the assertion.

The axioms are added in stages, as far as a query needs them. First come the universal ones: order and transitivity,
that edges are paths, and that a successor reaches what its predecessor reaches. Then a path that is not empty begins
with an edge (4), then it ends with one (5). Each query also has the consequences of the structure: nodes that no edges
connect are not connected (`unchanged_regions.unconnected`), and where a write does not change reachability
(`unchanged_regions.regions`). Both depend on definite values, so that a structure is sharpened until it is stable.

    encoding = EdgeEncoding(vocabulary)
    encoding.stages(step)       # additional axioms, stage by stage
"""

from __future__ import annotations

from typing import Any

from heapwright.engines.infer.heaps.prover.encoding import Encoding, View
from heapwright.engines.infer.heaps.prover.reachability_updates import RegionUpdate, Relation, between
from heapwright.engines.infer.heaps.prover.unchanged_regions import Change, unconnected
from heapwright.engines.infer.heaps.steps import Plain, Release, Write
from heapwright.engines.infer.heaps.structure import Structure, Vocabulary
from heapwright.smt.terms import conj, exists, for_all, implies, ite, negation

Ties = tuple[Relation, Relation]  # a field, and reachability along it


class EdgeEncoding(Encoding):
    def __init__(self, vocabulary: Vocabulary, *, dangling: bool = False) -> None:
        super().__init__(vocabulary, dangling=dangling, update=RegionUpdate())
        self.fields = tuple(self._between(f"field {field}") for field in range(vocabulary.fields))

    # --- axioms ----------------------------------------------------------------------------------------------------

    def axioms(self) -> list[Any]:
        tied = [formula for ties in self._before() for formula in self._tied(*ties)]
        return [*super().axioms(), *tied]

    def stages(self, step: Plain) -> list[list[Any]]:
        first = [*self._before(), *self._after(step)]
        begins = [self._begins(*ties) for ties in first]
        return [[], begins, [*begins, *(self._ends(*ties) for ties in first)]]

    def _before(self) -> list[Ties]:
        return list(zip(self.fields, self.paths, strict=True))

    def _after(self, step: Plain) -> list[Ties]:
        match step:
            case Write(base, value, field):
                return [(self._later(field, base, value), self.later_path(field))]
            case Release(base):
                fields = range(self.vocabulary.fields)
                return [(self._later(field, base, None), self.later_path(field)) for field in fields]
            case _:
                return []

    def _tied(self, field: Relation, path: Relation) -> list[Any]:
        """Universal axioms of a field and its closure."""
        x, y, z = self.any
        return [
            for_all([x, y, z], implies(conj(field(x, y), field(x, z)), y == z)),
            for_all([x, y], implies(field(x, y), conj(path(x, y), x != y))),
            for_all([x, y, z], implies(conj(field(x, y), path(x, z), x != z), path(y, z))),
        ]

    def _begins(self, field: Relation, path: Relation) -> Any:
        x, y, z = self.any
        some = exists([z], conj(field(x, z), path(z, y)))
        return for_all([x, y], implies(conj(path(x, y), x != y), some))

    def _ends(self, field: Relation, path: Relation) -> Any:
        x, y, z = self.any
        some = exists([z], conj(path(x, z), field(z, y)))
        return for_all([x, y], implies(conj(path(x, y), x != y), some))

    # --- steps -----------------------------------------------------------------------------------------------------

    def step(self, step: Plain, before: Structure, after: Structure) -> tuple[list[Any], View]:
        formulas, view = super().step(step, before, after)
        for field, path in enumerate(self.paths):
            apart = unconnected(before, field)
            formulas += between(self, before, apart, lambda x, y, path=path: negation(path(x, y)))  # type: ignore[misc]  # the path of this turn
        return formulas, view

    def successor(self, here: Any, there: Any, where: Any, field: int = 0) -> Any:
        x, leads = self.any[0], self.fields[field]
        return ite(there, leads(here, where), for_all([x], negation(leads(here, x))))

    def leads(self, change: Change) -> Any:
        later = self._later(change.field, change.base, change.value)
        return conj(*self._tied(later, self.later_path(change.field)))

    def _later(self, field: int, base: int, value: int | None) -> Relation:
        """The field after a write, exactly."""
        here, old = self.view.where[base], self.fields[field]
        if value is None:
            return lambda x, y: conj(x != here, old(x, y))
        there, new = self.view.there[value], self.view.where[value]
        return lambda x, y: ite(x == here, conj(there, y == new), old(x, y))
