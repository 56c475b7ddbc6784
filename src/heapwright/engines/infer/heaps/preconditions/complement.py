"""The complement of failing structures as clauses.

A claim that holds in no heap of a structure is *excluded* by it, which is proved. The disjunction of all excluded
claims is the weakest clause that no heap of the structure satisfies; where claims tell the objects of its nodes apart,
it is its negation. The conjunction of these clauses is the precondition. A clause is then reduced to few claims that
admit the same heaps: first of a sample, then, where the prover finds a heap that the reduced clause rejects and the
precondition admits, also that one.

    complement = Complement.over(vocabulary, claims, sample, safe, solver)
    complement.clauses(structures)          # a clause for each of them
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from heapwright.engines.infer.algorithm import ProverResult
from heapwright.engines.infer.heaps.preconditions.clauses import FALSE, ORDERS, Claim, Clause, clause_formula
from heapwright.engines.infer.heaps.prover.solver import Solver
from heapwright.engines.infer.heaps.prover.terms import EncodedTerms, HeapTerms
from heapwright.engines.infer.heaps.steps import Heap
from heapwright.engines.infer.heaps.structure import Structure, Vocabulary
from heapwright.smt.terms import negation

ROUNDS = 12  # of a clause: heaps that it must admit, found by the prover


@dataclass(frozen=True, slots=True)
class FailingStructure:
    """A structure, and the numbers of the heaps of the sample that it describes, as bits."""

    structure: Structure
    described: int


@dataclass
class Complement:
    """`safe` are the heaps of the sample that do not fail, as bits. `truths`: the heaps in which each claim holds."""

    vocabulary: Vocabulary
    solver: Solver
    safe: int
    size: int  # of the sample
    truths: dict[Claim, int]
    terms: EncodedTerms = field(init=False)

    def __post_init__(self) -> None:
        self.terms = EncodedTerms(self.solver.encoding)

    @classmethod
    def over(
        cls, vocabulary: Vocabulary, claims: Iterable[Claim], heaps: Sequence[Heap], safe: int, solver: Solver
    ) -> Complement:
        """Claims that hold in the same heaps of the sample as an earlier one are left out, and those that hold in
        none, unless they are about lengths, which a larger heap has."""
        terms = [HeapTerms(vocabulary, heap) for heap in heaps]
        seen: set[int] = set()
        truths: dict[Claim, int] = {}
        for claim in claims:
            truth = sum(1 << i for i, one in enumerate(terms) if claim.true(one))
            if (truth and truth not in seen) or claim.kind == "given":
                seen.add(truth)
                truths[claim] = truth
        return cls(vocabulary, solver, safe, len(heaps), truths)

    # --- queries ---------------------------------------------------------------------------------------------------

    def possible(self, structure: Structure | None, *formulas: object) -> Heap | ProverResult:
        conditions = [*formulas, *self.terms.definitions]
        return self.solver.possible(structure, conditions)

    def excludes(self, clause: Iterable[Claim], structure: Structure) -> bool:
        """Whether no heap of a structure satisfies a clause: a proof."""
        return self.possible(structure, clause_formula(clause, self.terms)) is ProverResult.UNSAT

    def follows(self, clause: Clause, others: Iterable[Clause]) -> bool:
        """Whether other clauses imply one in all heaps."""
        premises = [clause_formula(other, self.terms) for other in others]
        wrong = negation(clause_formula(clause, self.terms))
        return self.possible(None, *premises, wrong) is ProverResult.UNSAT

    def excluded(self, failing: FailingStructure) -> list[Claim]:
        """All claims that hold in no heap of a structure. A heap that satisfies one of them shows which do not."""
        left = [claim for claim, truth in self.truths.items() if not truth & failing.described]
        while left:
            found = self.possible(failing.structure, clause_formula(left, self.terms))
            if found is ProverResult.UNSAT:
                break
            kept = left
            if not isinstance(found, ProverResult):
                terms = HeapTerms(self.vocabulary, found)
                kept = [claim for claim in left if claim.kind in ORDERS or not claim.true(terms)]
            if len(kept) == len(left):
                return [claim for claim in left if self.excludes((claim,), failing.structure)]
            left = kept
        return left

    # --- clauses ---------------------------------------------------------------------------------------------------

    def clauses(self, failing: Sequence[FailingStructure]) -> list[Clause]:
        """For each structure a clause that no heap of it satisfies; together they are as weak as the claims allow."""
        whole = [tuple(self.excluded(one)) for one in failing]
        admitted = self.safe
        for clause in whole:
            admitted &= self._truth(clause)
        premises = [clause_formula(clause, self.terms) for clause in dict.fromkeys(whole)]
        if not all(whole):
            return [FALSE for _ in failing]
        found: dict[tuple[Claim, ...], Clause] = {}
        for clause in whole:
            if clause not in found:
                earlier = next((one for one in found.values() if set(one) <= set(clause)), None)
                found[clause] = self._reduced(clause, admitted, premises) if earlier is None else earlier
        return [found[clause] for clause in whole]

    def _truth(self, clause: Iterable[Claim]) -> int:
        truth = 0
        for claim in clause:
            truth |= self.truths[claim]
        return truth

    def _reduced(self, clause: Clause, admitted: int, premises: Sequence[object]) -> Clause:
        """Few claims of a clause that admit what the precondition admits."""
        truths = {claim: self.truths[claim] for claim in clause}
        for more in range(self.size, self.size + ROUNDS):
            chosen = _covering(truths, admitted)
            wrong = negation(clause_formula(chosen, self.terms))
            found = self.possible(None, *premises, wrong)
            if isinstance(found, ProverResult):
                return chosen
            terms = HeapTerms(self.vocabulary, found)
            new = [claim for claim in clause if claim.kind not in ORDERS and claim.true(terms)]
            if not new or any(claim in chosen for claim in new):
                return chosen or clause
            admitted |= 1 << more
            for claim in new:
                truths[claim] |= 1 << more
        return _covering(truths, admitted)


def _covering(truths: dict[Claim, int], needed: int) -> Clause:
    """Few claims of which one holds in each of the needed heaps, greedily; first come, first chosen."""
    chosen: list[Claim] = []
    left = needed
    while left:
        best = max(truths, key=lambda claim: (truths[claim] & left).bit_count())  # the first of them
        if not truths[best] & left:
            break
        chosen.append(best)
        left &= ~truths[best]
    for claim in tuple(chosen):
        others = [one for one in chosen if one != claim]
        rest = 0
        for one in others:
            rest |= truths[one]
        if not needed & ~rest:
            chosen = others
    for i in range(len(chosen)):  # the simplest in place of each
        rest = 0
        for one in (*chosen[:i], *chosen[i + 1 :]):
            rest |= truths[one]
        chosen[i] = next(claim for claim, truth in truths.items() if not needed & ~rest & ~truth)
    order = list(truths)
    return tuple(sorted(set(chosen), key=order.index))
