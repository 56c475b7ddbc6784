"""What a write does to reachability, in either of the two ways of section 4.3.1 of the paper.

    words = Words(vocabulary, tracking=ByRegions())
    told = words.tracking.written(words, change)      # reachability after the write, and what is known of it

Update formulas say it in terms of reachability before: exactly, on acyclic fields. Regions say where it has not changed
(`unchanged_regions`), and what is at the object that is written; the rest is left to the axioms that reachability has
at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from heapwright.engines.infer.heaps.unchanged_regions import Change, Places, regions
from heapwright.smt.terms import conj, disj, for_all, implies, negation

if TYPE_CHECKING:
    from heapwright.engines.infer.heaps.prover.encoding import Words
    from heapwright.engines.infer.heaps.structure import Structure

Relation = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Told:
    """The meaning of paths after a write, and formulas that hold of them."""

    path: Relation
    formulas: tuple[Any, ...] = ()


class Tracking(Protocol):
    exact: bool  # whether every model of the formulas is a step of heaps

    def written(self, words: Words, change: Change) -> Told: ...


class ByUpdates:
    exact = True

    def written(self, words: Words, change: Change) -> Told:
        view, path = words.view, words.paths[change.field]
        here = view.where[change.base]

        def kept(x: Any, y: Any) -> Any:
            """A path that does not leave base."""
            return conj(path(x, y), disj(negation(path(x, here)), path(y, here)))

        if change.value is None:
            return Told(kept)
        there, new = view.there[change.value], view.where[change.value]
        return Told(lambda x, y: disj(kept(x, y), conj(there, path(x, here), path(new, y))))


class ByRegions:
    exact = False

    def written(self, words: Words, change: Change) -> Told:
        field = change.field
        old, new = words.paths[field], words.later_path(field)
        found = regions(change)
        formulas = words.reachability(new)
        formulas.append(words.leads(change))
        formulas += between(words, change.before, found.before, lambda x, y: negation(old(x, y)))
        formulas += between(words, change.before, found.after, lambda x, y: negation(new(x, y)))
        both = found.kept & found.old
        formulas += between(words, change.before, both, lambda x, y: old(x, y) == new(x, y))
        formulas += between(words, change.before, found.kept - both, lambda x, y: implies(old(x, y), new(x, y)))
        formulas += between(words, change.before, found.old - both, lambda x, y: implies(new(x, y), old(x, y)))
        return Told(new, tuple(formulas))


def between(words: Words, structure: Structure, places: Places, claim: Relation) -> Iterable[Any]:
    """That something is true of all objects of nodes that are paired, with one formula for each set of second nodes."""
    x, y, _ = words.any
    size = len(structure.nodes)
    kinds = [words.of_node(structure, i) for i in range(size)]
    rows: dict[frozenset[int], list[int]] = {}
    for i in range(size):
        rows.setdefault(frozenset(j for j in range(size) if (i, j) in places), []).append(i)

    def among(numbers: Iterable[int], z: Any) -> list[Any]:
        chosen = sorted(numbers)
        return [] if len(chosen) == size else [disj(*(kinds[i](z) for i in chosen))]

    for seconds, firsts in rows.items():
        if seconds:
            premises = [*among(firsts, x), *among(seconds, y)]
            yield for_all([x, y], implies(conj(*premises), claim(x, y)) if premises else claim(x, y))
