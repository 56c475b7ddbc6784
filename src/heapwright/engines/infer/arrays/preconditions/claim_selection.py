"""Selection of a sufficient precondition: a conjunction of clauses that excludes every failing abstract array.

For the abstract arrays of an obligation, a clause is a disjunction of claims each of which excludes all of them
(proved); claims are added as long as the clause then allows more safe small arrays. Where one clause would reject more
safe arrays than several do, there are several. That the conjunction is sufficient is proved; how close it is to the
weakest precondition is tested on small arrays. For an assertion, which is analysed over each array, the weakest result
is taken, as each of them is sufficient.

    select_claims(inferred, small_arrays(inferred.task, 4))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heapwright.engines.infer import precondition
from heapwright.engines.infer.arrays.abstract_arrays import Element
from heapwright.engines.infer.arrays.inference import Inferred, ObligationResult
from heapwright.engines.infer.arrays.membership import describes
from heapwright.engines.infer.arrays.negated_assertions import Obligation
from heapwright.engines.infer.arrays.preconditions.claims import FALSE, ArrayClause, Claim, Clause, claims
from heapwright.engines.infer.arrays.preconditions.exclusion import Excluder
from heapwright.engines.infer.arrays.preconditions.small_arrays import ArrayInputs, ArrayRunner, small_inputs
from heapwright.engines.infer.arrays.program_translation import Task
from heapwright.engines.infer.arrays.solver import ArrayProver
from heapwright.engines.infer.arrays.stores import ArrayStore
from heapwright.engines.infer.input_runs import Failures

MOST_CLAIMS = 5  # of one clause


@dataclass(frozen=True, slots=True)
class SmallArrays:
    inputs: ArrayInputs
    failures: Failures


def small_arrays(tasks: Sequence[Task], cells: int) -> list[SmallArrays]:
    runner = ArrayRunner(tasks)
    return [SmallArrays(inputs, runner.failures(inputs)) for inputs in small_inputs(tasks, cells)]


ObligationPrecondition = precondition.ObligationPrecondition[Obligation, Element, ArrayClause, ArrayInputs]
InferredPrecondition = precondition.InferredPrecondition[
    tuple[Task, ...], Obligation, Element, ArrayClause, ArrayInputs
]


def select_claims(inferred: Inferred, small: Sequence[SmallArrays]) -> InferredPrecondition:
    tables = [_Table(task, [one.inputs.stores[number] for one in small]) for number, task in enumerate(inferred.task)]
    safe = bits(not one.failures.violated for one in small)

    def allowed(clauses: Sequence[ArrayClause]) -> int:
        found = (1 << len(small)) - 1
        for conjunct in clauses:
            found &= tables[conjunct.array].holds(conjunct.clause)
        return found

    preconditions: dict[str, ObligationPrecondition] = {}
    for result in inferred.results:
        new = _precondition(result, small, tables[result.obligation.array], safe)
        old = preconditions.get(result.obligation.id)
        if old is None or (allowed(new.clauses) & safe).bit_count() > (allowed(old.clauses) & safe).bit_count():
            preconditions[result.obligation.id] = new
    together = tuple(dict.fromkeys(clause for one in preconditions.values() for clause in one.clauses))
    if not allowed(together):
        together = (ArrayClause(0, FALSE),)  # an unsatisfiable conjunction
    excluded = safe & ~allowed(together)
    complete = all(one.failures.complete for one in small)
    return InferredPrecondition(
        inferred,
        tuple(preconditions.values()),
        together,
        len(small),
        safe.bit_count(),
        excluded.bit_count(),
        complete,
        sum(one.failures.varying for one in small),
    )


def bits(truths: Iterable[bool]) -> int:
    """A set of small arrays as a bit vector."""
    return sum(1 << index for index, truth in enumerate(truths) if truth)


class _Table:
    """Truth of claims about one array in small arrays, and membership of these in abstract arrays."""

    def __init__(self, task: Task, stores: Sequence[ArrayStore]) -> None:
        self.task, self.stores = task, stores
        self.excluder = Excluder(task, ArrayProver(task.vocabulary))
        self.claims = {claim: bits(claim.holds(store) for store in stores) for claim in claims(task)}
        self._excluded: dict[tuple[Element, Claim], bool] = {}

    def holds(self, clause: Clause) -> int:
        found = 0
        for claim in clause:
            found |= self.claims[claim]
        return found

    def allowed(self, clauses: Sequence[Clause]) -> int:
        found = (1 << len(self.stores)) - 1
        for clause in clauses:
            found &= self.holds(clause)
        return found

    def described(self, element: Element) -> int:
        values = self.task.vocabulary.values
        return bits(describes(element, store, values(store)) for store in self.stores)

    def excludes(self, claim: Claim, element: Element) -> bool:
        key = (element, claim)
        if key not in self._excluded:
            self._excluded[key] = self.excluder.excludes(element, claim)
        return self._excluded[key]


def _precondition(
    result: ObligationResult, small: Sequence[SmallArrays], table: _Table, safe: int
) -> ObligationPrecondition:
    identity = result.obligation.id
    violated = bits(identity in one.failures.violated for one in small)
    described = {failing: table.described(failing) for failing in result.failing}
    chosen = _chosen(result.failing, described, table, safe) if result.failing else ()
    missed = violated & table.allowed(chosen)
    examples: dict[ArrayInputs, None] = {}
    for element in result.failing:
        failing = described[element] & violated
        if failing:
            examples[small[(failing & -failing).bit_length() - 1].inputs] = None
    ordered = sorted(examples, key=lambda inputs: [(not store.null, len(store.cells)) for store in inputs.stores])
    missing = tuple(one.inputs for index, one in enumerate(small) if missed >> index & 1)
    return ObligationPrecondition(
        result, tuple(ArrayClause(result.obligation.array, clause) for clause in chosen), missing, tuple(ordered)
    )


def _chosen(failing: Sequence[Element], described: dict[Element, int], table: _Table, safe: int) -> tuple[Clause, ...]:
    """One clause for all abstract arrays, if it is as weak as one for each; else one for each group."""
    options = {one: [c for c, holds in table.claims.items() if not holds & described[one]] for one in failing}
    every = [claim for claim in table.claims if all(claim in options[one] for one in failing)]
    single = _clause(failing, every, table, safe)
    apart = [(one, _clause([one], options[one], table, safe)) for one in failing] if len(failing) <= 12 else []
    weakest = table.allowed([clause for _, clause in apart]) & safe if apart else 0
    if not apart or table.holds(single) & safe == weakest:
        return (single,)
    groups: list[tuple[list[Element], Clause]] = []
    for one, clause in apart:
        for index, (group, old) in enumerate(groups):
            both = [claim for claim in options[one] if all(claim in options[other] for other in group)]
            merged = _clause([*group, one], both, table, safe)
            lost = safe & table.holds(old) & table.holds(clause) & ~table.holds(merged)
            if not lost:
                groups[index] = ([*group, one], merged)
                break
        else:
            groups.append(([one], clause))
    return tuple(dict.fromkeys(clause for _, clause in groups))


def _clause(failing: Sequence[Element], options: Sequence[Claim], table: _Table, safe: int) -> Clause:
    """A disjunction of claims that exclude all of these, chosen greedily to allow most safe arrays."""
    found: list[Claim] = []
    left, waiting = safe, list(options)
    while left and waiting and len(found) < MOST_CLAIMS:
        best = max(waiting, key=lambda claim: (table.claims[claim] & left).bit_count())
        if not table.claims[best] & left:
            break
        waiting.remove(best)
        if all(table.excludes(best, one) for one in failing):
            found.append(best)
            left &= ~table.claims[best]
    return _simplified(failing, found, options, table, safe)


def _simplified(
    failing: Sequence[Element], found: list[Claim], options: Sequence[Claim], table: _Table, safe: int
) -> Clause:
    """The clause with simpler claims, and without redundant ones."""
    covered = table.holds(tuple(found)) & safe
    for claim in list(reversed(found)):
        others = [other for other in found if other != claim]
        left = covered & ~table.holds(tuple(others))
        index = found.index(claim)
        if not left:
            found = others
            continue
        for simpler in options:
            if simpler == claim:
                break
            if not left & ~table.claims[simpler] and all(table.excludes(simpler, one) for one in failing):
                found = [*found[:index], simpler, *found[index + 1 :]]
                break
    return tuple(sorted(found, key=list(table.claims).index))
