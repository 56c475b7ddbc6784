"""Values of formulas on a sample of heaps, as bit masks, to refute entailments without the prover.

Bit i is the i-th pair of a heap and one of its objects. A cube is a candidate implicant of a goal if no pair satisfies
it and not the goal; only then is the prover queried, so that nearly all its queries succeed.

>>> from heapwright.engines.boolheap.logic.formulas import NULL, V, eq, name, reach
>>> from heapwright.engines.boolheap.concrete.small_heaps import Signature, sample
>>> samples = Samples(sample(Signature(("x",), ("next",)), 40))
>>> samples.mask(eq(name("x"), V)) & ~samples.mask(reach("next", name("x"), V))
0
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from heapwright.engines.boolheap.concrete import small_heaps
from heapwright.engines.boolheap.logic.formulas import Formula
from heapwright.logic.connectives import Not

TRIES = 160  # mutations in the search for a counterexample


class Samples:
    """A sample of heaps. Heaps that are added are completed to the `signature`."""

    def __init__(self, heaps: Sequence[small_heaps.Heap], signature: small_heaps.Signature | None = None) -> None:
        self.signature = signature
        self.heaps = list(heaps)
        self.pairs = [(heap, v) for heap in heaps for v in heap.everything]
        self.everything = (1 << len(self.pairs)) - 1
        self._masks: dict[Formula, tuple[int, int]] = {}  # and for how many pairs
        self._evaluators: dict[Formula, small_heaps.Evaluator] = {}

    def __len__(self) -> int:
        return len(self.pairs)

    def add(self, heap: small_heaps.Heap) -> None:
        if self.signature is not None:
            heap = small_heaps.completion(heap, self.signature, self._chance())
        self.heaps.append(heap)
        self.pairs += [(heap, v) for v in heap.everything]
        self.everything = (1 << len(self.pairs)) - 1

    def search(
        self, formulas: Sequence[Formula], start: tuple[small_heaps.Heap, int] | None = None
    ) -> small_heaps.Heap | None:
        """Local search for a heap with an object that satisfies all formulas. It starts from the given pair, or else
        from the pair that satisfies most of them, and keeps a random mutation unless it satisfies fewer."""
        heap, v = start or self._nearest(formulas)
        small = small_heaps.signature_of(formulas)
        wanted = [self._evaluator(formula) for formula in formulas]
        best, chance = sum(holds(heap, v) for holds in wanted), self._chance()
        for _ in range(TRIES):
            if best == len(wanted):
                return heap
            other = small_heaps.changed(heap, small, chance)
            at = v if chance.random() < 0.8 else chance.choice(other.everything)
            score = sum(holds(other, at) for holds in wanted)
            if score >= best:
                heap, v, best = other, at, score
        return None

    def _chance(self) -> random.Random:
        """A random generator that depends on the sample alone, not on whether its heaps come from a cache."""
        return random.Random(len(self.pairs))

    def _nearest(self, formulas: Sequence[Formula]) -> tuple[small_heaps.Heap, int]:
        together = self.everything
        for formula in reversed(formulas):
            fewer = together & self.mask(formula)
            together = fewer or together
        return self.pairs[(together & -together).bit_length() - 1]

    def _evaluator(self, formula: Formula) -> small_heaps.Evaluator:
        found = self._evaluators.get(formula)
        if found is None:
            found = self._evaluators[formula] = small_heaps.evaluator(formula)
        return found

    def mask(self, formula: Formula) -> int:
        """The pairs that satisfy a formula."""
        if isinstance(formula, Not):
            return self.everything & ~self.mask(formula.operand)
        found, count = self._masks.get(formula, (0, 0))
        if count < len(self.pairs):
            holds = self._evaluator(formula)
            text = "".join("1" if holds(heap, v) else "0" for heap, v in reversed(self.pairs[count:]))
            found |= int(text, 2) << count
            self._masks[formula] = (found, len(self.pairs))
        return found


def shrink(masks: Sequence[int], bad: int) -> list[int]:
    """Indices of a minimal subset of the masks whose conjunction is disjoint from `bad`, dropping the first masks
    first. The conjunction of all masks must be disjoint from it.

    >>> shrink([0b1110, 0b0111, 0b0011], 0b1000)
    [2]
    """
    rest = [0] * len(masks) + [-1]
    for index in range(len(masks) - 1, -1, -1):
        rest[index] = rest[index + 1] & masks[index]
    kept, together = [], bad
    for index, mask in enumerate(masks):
        if together & rest[index + 1]:
            kept.append(index)
            together &= mask
    return kept
