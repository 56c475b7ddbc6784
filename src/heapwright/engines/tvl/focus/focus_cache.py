"""Focus cache: memoises the focus formulas of an action.

The result of focus depends only on the predicates of its formulas, of which there are few; the others are merely copied
where nodes are split or removed. So a structure is projected to those predicates and focused there, and for each result
the cache keeps the origin of each node and the values of the predicates. They are applied to the next structure with
the same values.

>>> from heapwright.logic.formulas import Atom
>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> signature = Signature(Vocabulary((Predicate("x", 1, unique=True), Predicate("p", 1))))
>>> draft = Draft.empty(signature, 1)
>>> draft.may[4], draft.may[SUMMARY] = 1, 1          # a summary node; x = 1/2
>>> [(each.n, each.may[4]) for each in FocusCache(signature, [Atom("x", ("v",))]).apply(draft.freeze())]
[(1, 0), (1, 1), (2, 2)]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heapwright.engines.kit.deadline import NO_LIMIT, Deadline
from heapwright.engines.tvl.focus.focus import Focus
from heapwright.engines.tvl.structures.bit_sets import CACHE_SIZE, bits, picker
from heapwright.engines.tvl.structures.renumbering import Renumbering
from heapwright.engines.tvl.structures.structure import BUILT_IN, SUMMARY, Draft, Signature, Structure
from heapwright.logic.formulas import Formula
from heapwright.logic.vocabulary import Predicate, Vocabulary

__all__ = ["SUMMARY", "FocusCache"]

MOST_BITS = 6  # a node's number, written in unary predicates: one for each bit


class CachedResult:
    """From a structure to one of those that focus makes of it. `values` has predicates that change by more than that
    nodes do, with `may` and `must`."""

    __slots__ = ("n", "renumbering", "split", "touched", "values")

    def __init__(
        self,
        n: int,
        renumbering: Renumbering | None,  # None: the nodes are the same
        values: Sequence[tuple[int, int, int]],
        touched: int,
        split: bool,
    ) -> None:
        self.n = n
        self.renumbering = renumbering
        self.values = values
        self.touched = touched
        self.split = split


def focused(formulas: Sequence[Focus], draft: Draft) -> list[Draft]:
    drafts = [draft]
    for formula in formulas:
        drafts = formula.apply(drafts)
    return drafts


class FocusCache:
    """The focus formulas of an action, one after another."""

    def __init__(
        self, signature: Signature, formulas: Sequence[Formula], *, decides: bool = True, deadline: Deadline = NO_LIMIT
    ) -> None:
        self.signature = signature
        self._watch = deadline
        self._plain = [Focus(signature, formula, decides=decides, deadline=deadline) for formula in formulas]
        found = {step.predicate for focus in self._plain for steps in focus.conjunctions for step in steps}
        self._numbers = [*range(len(BUILT_IN)), *sorted(p for p in found if p >= len(BUILT_IN))]
        origin = [Predicate(f"origin {bit}", 1) for bit in range(MOST_BITS)]  # a name that no formula can have
        own = [signature.predicates[p] for p in self._numbers[len(BUILT_IN) :]]
        self._small = Signature(Vocabulary((*own, *origin)))
        self._focus = [Focus(self._small, formula, decides=decides, deadline=deadline) for formula in formulas]
        self._pick = picker(self._numbers)
        self._rest = [p for p in signature.unary if p not in self._numbers]
        self._rest_binary = [p for p in signature.binary if p not in self._numbers]
        self._renumberings: dict[tuple[int, tuple[int, ...]], Renumbering] = {}
        self._bits: dict[int, list[int]] = {}
        self._known: dict[object, list[CachedResult]] = {}

    def apply(self, structure: Structure) -> Iterator[Draft]:
        if structure.n >= 1 << MOST_BITS:
            yield from focused(self._plain, structure.draft())
            return
        may, must = structure.may, structure.must
        key = (structure.n, self._pick(may), self._pick(must))
        ways = self._known.get(key)
        if ways is None:
            if len(self._known) >= CACHE_SIZE:
                self._known.clear()
            ways = self._known[key] = self._find(structure)
        for way in ways:
            yield self._go(way, structure)

    def _go(self, way: CachedResult, structure: Structure) -> Draft:
        may, must = list(structure.may), list(structure.must)
        nodes = way.renumbering
        if nodes is not None:
            sets, relations = nodes.sets, nodes.relations
            for p in self._rest:
                value = may[p]
                if value:
                    may[p] = sets.get(value) or nodes.set_of(value)
                    value = must[p]
                    must[p] = sets.get(value) or nodes.set_of(value)
            for p in self._rest_binary:
                value = may[p]
                if value:
                    may[p] = relations.get(value) or nodes.relation_of(value)
                    value = must[p]
                    must[p] = relations.get(value) or nodes.relation_of(value)
        for p, holds, certain in way.values:
            may[p] = holds
            must[p] = certain
        return Draft(way.n, may, must, way.touched, way.split)

    def _find(self, structure: Structure) -> list[CachedResult]:
        """Focus a structure that has only the predicates of the formulas, and of each node its number."""
        n, first = structure.n, len(self._numbers)
        may = [structure.may[p] for p in self._numbers]
        must = [structure.must[p] for p in self._numbers]
        may += self._numbered(n)
        must += self._numbered(n)
        return [self._way(n, draft, first, structure) for draft in focused(self._focus, Draft(n, may, must))]

    def _numbered(self, n: int) -> list[int]:
        """The nodes whose number has a bit, for each bit."""
        found = self._bits.get(n)
        if found is None:
            found = [sum((node >> bit & 1) << node for node in range(n)) for bit in range(MOST_BITS)]
            self._bits[n] = found
        return found

    def _way(self, n: int, draft: Draft, first: int, structure: Structure) -> CachedResult:
        self._watch.check()
        renumbering = None
        if draft.split or draft.touched < 0:
            origins = [0] * draft.n
            for bit in range(n.bit_length()):
                for node in bits(draft.may[first + bit]):
                    origins[node] |= 1 << bit
            key = n, tuple(origins)
            renumbering = self._renumberings.get(key)
            if renumbering is None:
                renumbering = self._renumberings[key] = Renumbering(*key)
        values = [
            (p, draft.may[i], draft.must[i])
            for i, p in enumerate(self._numbers)
            if (draft.may[i], draft.must[i]) != (structure.may[p], structure.must[p])
        ]
        touched = draft.touched
        if touched > 0:
            touched = 0
            for i, p in enumerate(self._numbers):
                touched |= (draft.touched >> 2 * i & 3) << 2 * p
        return CachedResult(draft.n, renumbering, values, touched, draft.split)
