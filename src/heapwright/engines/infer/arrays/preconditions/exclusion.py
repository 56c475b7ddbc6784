"""Whether a claim is inconsistent with an abstract array (no store in its concretisation satisfies it).

    Excluder(task, prover).excludes(element, claim)      # proved; False where the answer is unknown

Elements of a claim are unknowns of their own, constrained like the node of their position; a universal claim is
instantiated at the sample of each node. Both are implied by the claim, so that "unsat" proves the exclusion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from heapwright.engines.infer.algorithm import ProverResult
from heapwright.engines.infer.arrays.abstract_arrays import ANY, Element
from heapwright.engines.infer.arrays.encoding import Names, between, masked
from heapwright.engines.infer.arrays.preconditions import claims as array_claims
from heapwright.engines.infer.arrays.program_translation import Task
from heapwright.engines.infer.arrays.solver import ArrayProver
from heapwright.engines.infer.arrays.stores import LENGTH, ZERO
from heapwright.smt.terms import conj, implies, negation

_MASKS = {"<": 1, "=": 2, "≤": 3, ">": 4, "≠": 5, "≥": 6}


@dataclass(frozen=True)
class Excluder:
    task: Task
    prover: ArrayProver

    def excludes(self, element: Element, claim: array_claims.Claim) -> bool:
        def condition(names: Names) -> list[Any]:
            types = self.task.vocabulary.spots
            ranges = [bound for k in self.task.spots for bound in between(names.spots[k], types[k][1])]
            return [*ranges, *_ClaimEncoding(self.prover, element, names).claim(claim)]

        return self.prover.possible(element, condition) is ProverResult.UNSAT


@dataclass(frozen=True)
class _ClaimEncoding:
    prover: ArrayProver
    element: Element
    names: Names

    def claim(self, claim: array_claims.Claim) -> list[Any]:
        names = self.names
        match claim:
            case array_claims.NullTest(truth):
                return [negation(names.null) if truth else names.null]
            case array_claims.Compared(op, left, right):
                return [masked(_MASKS[op], self._index(left), self._index(right))]
            case array_claims.Inside(spot):
                return [names.spots[spot] >= 0, names.spots[spot] < names.length]
            case array_claims.Quantified(some, op, low, high, term):
                given, value = self._term(term)
                if not some:
                    return [*given, *self._every(op, low, high, value)]
                position, witness = self._unknown("some")
                there = self._cell(position, witness)
                inside = [position >= self._index(low), position < self._index(high)]
                found = [*given, *there, *inside, masked(_MASKS[op], witness, value)]
                return [*found, *self._alike((position, witness), term, value)]

    def _index(self, index: array_claims.Index) -> Any:
        base = self.names.length if index.base == LENGTH else 0 if index.base == ZERO else self.names.spots[index.base]
        return self.prover.encoding.symbols.number(index.offset) + base

    def _unknown(self, name: str) -> tuple[Any, Any]:
        integer = self.prover.encoding.symbols.integer
        return integer(f"{name} place"), integer(f"{name} value")

    def _term(self, term: array_claims.Term) -> tuple[list[Any], Any]:
        """Constraints on a term, and its value."""
        if isinstance(term.what, array_claims.Index):
            position, value = self._unknown("term")
            return [position == self._index(term.what), *self._cell(position, value)], value
        if term.kind == "constant":
            return [], self.prover.encoding.symbols.number(term.what)
        return [], self.names.data[term.what]

    def _in(self, node: int, position: Any) -> Any:
        start = self.names.starts[node]
        return conj(position >= start, position < start + self.names.sizes[node])

    def _cell(self, position: Any, value: Any) -> list[Any]:
        """A value is the element at a position: the masks of its node hold of it."""
        names, terms = self.names, self.element.terms
        found = [position >= 0, position < names.length]
        samples = self.prover.encoding.terms(names)
        for node in range(self.element.end):
            row = self.element.rel[terms + node]
            claims = [
                implies(self._has(other), masked(mask, value, samples[other]))
                for other, mask in enumerate(row)
                if mask != ANY and other != terms + node
            ]
            if claims:
                found.append(implies(self._in(node, position), conj(*claims)))
        return found

    def _has(self, term: int) -> Any:
        node = term - self.element.terms
        return self.prover.encoding.symbols.truth(True) if node < 0 else self.names.sizes[node] >= 1

    def _alike(self, witness: tuple[Any, Any], term: array_claims.Term, value: Any) -> list[Any]:
        """The masks between two elements of a claim."""
        if not isinstance(term.what, array_claims.Index):
            return []
        position, found = witness
        other, terms = self._index(term.what), self.element.terms
        claims = [implies(position == other, found == value)]
        for one in range(self.element.end):
            for two in range(self.element.end):
                mask = self.element.rel[terms + one][terms + two]
                if one != two and mask != ANY:
                    both = conj(self._in(one, position), self._in(two, other))
                    claims.append(implies(both, masked(mask, found, value)))
        return claims

    def _every(self, op: str, low: array_claims.Index, high: array_claims.Index, value: Any) -> list[Any]:
        first, last = self._index(low), self._index(high)
        return [
            implies(conj(size >= 1, position >= first, position < last), masked(_MASKS[op], sample, value))
            for (position, sample), size in zip(self.names.samples, self.names.sizes, strict=True)
        ]
