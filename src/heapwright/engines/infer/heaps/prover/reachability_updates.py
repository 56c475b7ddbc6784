"""Reachability after a write, in the two encodings of section 4.3.1 of the paper.

    encoding = Encoding(vocabulary, update=RegionUpdate())
    updated = encoding.update.written(encoding, change)      # reachability after the write, and its axioms

Update formulas define it over reachability before, exactly on acyclic fields. Regions state where it has not changed
(`unchanged_regions`) and the successor of the written object; the rest follows from the axioms of reachability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from heapwright.engines.infer.heaps.prover.unchanged_regions import Change, NodePairs, regions
from heapwright.smt.terms import conj, disj, for_all, implies, negation

if TYPE_CHECKING:
    from heapwright.engines.infer.heaps.prover.encoding import Encoding
    from heapwright.engines.infer.heaps.structure import Structure

Relation = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class PathUpdate:
    """Reachability after a write, and the axioms that relate it to the one before."""

    path: Relation
    formulas: tuple[Any, ...] = ()


class ReachabilityUpdate(Protocol):
    exact: bool  # whether every model of the formulas is a step between heaps

    def written(self, encoding: Encoding, change: Change) -> PathUpdate: ...


class ExactUpdate:
    exact = True

    def written(self, encoding: Encoding, change: Change) -> PathUpdate:
        view, path = encoding.view, encoding.paths[change.field]
        here = view.where[change.base]

        def kept(x: Any, y: Any) -> Any:
            """A path without the edge of base."""
            return conj(path(x, y), disj(negation(path(x, here)), path(y, here)))

        if change.value is None:
            return PathUpdate(kept)
        there, new = view.there[change.value], view.where[change.value]
        return PathUpdate(lambda x, y: disj(kept(x, y), conj(there, path(x, here), path(new, y))))


class RegionUpdate:
    exact = False

    def written(self, encoding: Encoding, change: Change) -> PathUpdate:
        field = change.field
        old, new = encoding.paths[field], encoding.later_path(field)
        found = regions(change)
        formulas = encoding.reachability(new)
        formulas.append(encoding.leads(change))
        formulas += between(encoding, change.before, found.before, lambda x, y: negation(old(x, y)))
        formulas += between(encoding, change.before, found.after, lambda x, y: negation(new(x, y)))
        both = found.kept & found.old
        formulas += between(encoding, change.before, both, lambda x, y: old(x, y) == new(x, y))
        formulas += between(encoding, change.before, found.kept - both, lambda x, y: implies(old(x, y), new(x, y)))
        formulas += between(encoding, change.before, found.old - both, lambda x, y: implies(new(x, y), old(x, y)))
        return PathUpdate(new, tuple(formulas))


def between(encoding: Encoding, structure: Structure, pairs: NodePairs, claim: Relation) -> Iterable[Any]:
    """A claim about all objects of the paired nodes, with one formula for each set of second nodes."""
    x, y, _ = encoding.any
    size = len(structure.nodes)
    kinds = [encoding.of_node(structure, i) for i in range(size)]
    rows: dict[frozenset[int], list[int]] = {}
    for i in range(size):
        rows.setdefault(frozenset(j for j in range(size) if (i, j) in pairs), []).append(i)

    def among(numbers: Iterable[int], z: Any) -> list[Any]:
        chosen = sorted(numbers)
        return [] if len(chosen) == size else [disj(*(kinds[i](z) for i in chosen))]

    for seconds, firsts in rows.items():
        if seconds:
            premises = [*among(firsts, x), *among(seconds, y)]
            yield for_all([x, y], implies(conj(*premises), claim(x, y)) if premises else claim(x, y))
