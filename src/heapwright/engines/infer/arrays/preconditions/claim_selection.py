"""The precondition as a conjunction of clauses that excludes every abstract array from which something may fail.

For the abstract arrays of a demand, a clause is a disjunction of claims each of which excludes all of them (proved);
claims are added as long as the clause then allows more of the harmless small arrays. Where one clause for all would
exclude more than several do, there are several. That the answer suffices is proved; that it is the weakest is only ever
said of small arrays. Of an assertion that was followed with one array after the other, the weakest answer is taken, as
each of them suffices.

    answer_arrays(inferred, small_arrays(inferred.task, 4))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heapwright.engines.infer import precondition as needs
from heapwright.engines.infer.arrays.abstract_arrays import Element
from heapwright.engines.infer.arrays.inference import Inferred, Part
from heapwright.engines.infer.arrays.membership import describes
from heapwright.engines.infer.arrays.negated_assertions import Demand
from heapwright.engines.infer.arrays.preconditions.claims import FALSE, Claim, Clause, Said, claims
from heapwright.engines.infer.arrays.preconditions.exclusion import Excluder
from heapwright.engines.infer.arrays.preconditions.small_arrays import ArrayRunner, Given, inputs
from heapwright.engines.infer.arrays.program_translation import Task
from heapwright.engines.infer.arrays.solver import ArrayProver
from heapwright.engines.infer.arrays.stores import Store
from heapwright.engines.infer.input_runs import Failures

MOST_CLAIMS = 5  # of one clause


@dataclass(frozen=True, slots=True)
class SmallArrays:
    given: Given
    failures: Failures


def small_arrays(tasks: Sequence[Task], cells: int) -> list[SmallArrays]:
    runner = ArrayRunner(tasks)
    return [SmallArrays(given, runner.failures(given)) for given in inputs(tasks, cells)]


Needed = needs.Needed[Demand, Element, Said, Given]
Answer = needs.Answer[tuple[Task, ...], Demand, Element, Said, Given]


def answer_arrays(inferred: Inferred, small: Sequence[SmallArrays]) -> Answer:
    tables = [_Table(task, [one.given.stores[number] for one in small]) for number, task in enumerate(inferred.task)]
    harmless = bits(not one.failures.broken for one in small)

    def allowed(clauses: Sequence[Said]) -> int:
        found = (1 << len(small)) - 1
        for said in clauses:
            found &= tables[said.array].holds(said.clause)
        return found

    needed: dict[str, Needed] = {}
    for part in inferred.parts:
        new = _needed(part, small, tables[part.demand.array], harmless)
        old = needed.get(part.demand.id)
        if old is None or (allowed(new.clauses) & harmless).bit_count() > (allowed(old.clauses) & harmless).bit_count():
            needed[part.demand.id] = new
    together = tuple(dict.fromkeys(clause for one in needed.values() for clause in one.clauses))
    if not allowed(together):
        together = (Said(0, FALSE),)  # clauses that contradict one another say no more
    excluded = harmless & ~allowed(together)
    complete = all(one.failures.complete for one in small)
    return Answer(
        inferred,
        tuple(needed.values()),
        together,
        len(small),
        harmless.bit_count(),
        excluded.bit_count(),
        complete,
    )


def bits(truths: Iterable[bool]) -> int:
    """A set of small arrays as a number, a bit for each."""
    return sum(1 << place for place, truth in enumerate(truths) if truth)


class _Table:
    """Where claims about one array hold, and which abstract arrays describe it."""

    def __init__(self, task: Task, stores: Sequence[Store]) -> None:
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


def _needed(part: Part, small: Sequence[SmallArrays], table: _Table, harmless: int) -> Needed:
    identity = part.demand.id
    broken = bits(identity in one.failures.broken for one in small)
    described = {bad: table.described(bad) for bad in part.bad}
    chosen = _chosen(part.bad, described, table, harmless) if part.bad else ()
    missed = broken & table.allowed(chosen)
    examples: dict[Given, None] = {}
    for bad in part.bad:
        failing = described[bad] & broken
        if failing:
            examples[small[(failing & -failing).bit_length() - 1].given] = None
    ordered = sorted(examples, key=lambda given: [(not store.null, len(store.cells)) for store in given.stores])
    missing = tuple(one.given for place, one in enumerate(small) if missed >> place & 1)
    return Needed(part, tuple(Said(part.demand.array, clause) for clause in chosen), missing, tuple(ordered))


def _chosen(bad: Sequence[Element], described: dict[Element, int], table: _Table, harmless: int) -> tuple[Clause, ...]:
    """One clause for all, if it is as weak as one for each; else one for each kind."""
    options = {one: [c for c, holds in table.claims.items() if not holds & described[one]] for one in bad}
    every = [claim for claim in table.claims if all(claim in options[one] for one in bad)]
    single = _clause(bad, every, table, harmless)
    apart = [(one, _clause([one], options[one], table, harmless)) for one in bad] if len(bad) <= 12 else []
    weakest = table.allowed([clause for _, clause in apart]) & harmless if apart else 0
    if not apart or table.holds(single) & harmless == weakest:
        return (single,)
    groups: list[tuple[list[Element], Clause]] = []
    for one, clause in apart:
        for place, (group, old) in enumerate(groups):
            both = [claim for claim in options[one] if all(claim in options[other] for other in group)]
            merged = _clause([*group, one], both, table, harmless)
            lost = harmless & table.holds(old) & table.holds(clause) & ~table.holds(merged)
            if not lost:
                groups[place] = ([*group, one], merged)
                break
        else:
            groups.append(([one], clause))
    return tuple(dict.fromkeys(clause for _, clause in groups))


def _clause(bad: Sequence[Element], options: Sequence[Claim], table: _Table, harmless: int) -> Clause:
    """The disjunction of claims that exclude all of these, which allows the most harmless arrays."""
    found: list[Claim] = []
    left, waiting = harmless, list(options)
    while left and waiting and len(found) < MOST_CLAIMS:
        best = max(waiting, key=lambda claim: (table.claims[claim] & left).bit_count())
        if not table.claims[best] & left:
            break
        waiting.remove(best)
        if all(table.excludes(best, one) for one in bad):
            found.append(best)
            left &= ~table.claims[best]
    return _simplified(bad, found, options, table, harmless)


def _simplified(
    bad: Sequence[Element], found: list[Claim], options: Sequence[Claim], table: _Table, harmless: int
) -> Clause:
    """The same with simpler claims, and without those that the others make superfluous."""
    covered = table.holds(tuple(found)) & harmless
    for claim in list(reversed(found)):
        others = [other for other in found if other != claim]
        left = covered & ~table.holds(tuple(others))
        place = found.index(claim)
        if not left:
            found = others
            continue
        for simpler in options:
            if simpler == claim:
                break
            if not left & ~table.claims[simpler] and all(table.excludes(simpler, one) for one in bad):
                found = [*found[:place], simpler, *found[place + 1 :]]
                break
    return tuple(sorted(found, key=list(table.claims).index))
