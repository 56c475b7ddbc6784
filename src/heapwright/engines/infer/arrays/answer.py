"""The precondition as a conjunction of clauses that excludes every abstract array from which something may fail.

For the abstract arrays of a demand, a clause is a disjunction of claims each of which excludes all of them (proved);
claims are added as long as the clause then allows more of the harmless small arrays. Where one clause for all would
exclude more than several do, there are several. That the answer suffices is proved; that it is the weakest is only ever
said of small arrays.

    answer_arrays(inferred, small_arrays(inferred.task, 4))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heapwright.engines.infer.arrays.claims import FALSE, Claim, Clause, claims
from heapwright.engines.infer.arrays.concrete import ArrayRunner, stores
from heapwright.engines.infer.arrays.excluding import Excluder
from heapwright.engines.infer.arrays.inference import Inferred, Part
from heapwright.engines.infer.arrays.placing import describes
from heapwright.engines.infer.arrays.prover import ArrayProver
from heapwright.engines.infer.arrays.reading import Task
from heapwright.engines.infer.arrays.segments import Element
from heapwright.engines.infer.arrays.store import Store
from heapwright.engines.infer.runs import Failures

MOST_CLAIMS = 5  # of one clause


@dataclass(frozen=True, slots=True)
class SmallArray:
    store: Store
    failures: Failures


def small_arrays(task: Task, cells: int) -> list[SmallArray]:
    runner = ArrayRunner(task)
    return [SmallArray(store, runner.failures(store)) for store in stores(task, cells)]


@dataclass(frozen=True, slots=True)
class Needed:
    """What one demand needs. `missed` are small arrays that satisfy the clauses and break it: a fault of the analysis.
    `examples` are some that break it, smallest first, one for each abstract array that describes one."""

    part: Part
    clauses: tuple[Clause, ...]
    missed: tuple[Store, ...]
    examples: tuple[Store, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """`clauses` is what all demands need together. `harmless` small arrays break nothing; so many of them are
    `excluded` nevertheless."""

    inferred: Inferred
    needed: tuple[Needed, ...]
    clauses: tuple[Clause, ...]
    arrays: int
    harmless: int
    excluded: int
    complete: bool  # all runs from small arrays came to an end


def answer_arrays(inferred: Inferred, small: Sequence[SmallArray]) -> Answer:
    task = inferred.task
    table = _Table(task, small)
    needed = tuple(_needed(task, part, small, table) for part in inferred.parts)
    together = tuple(dict.fromkeys(clause for one in needed for clause in one.clauses))
    if not table.allowed(together):
        together = (FALSE,)  # clauses that contradict one another say no more
    excluded = table.harmless & ~table.allowed(together)
    complete = all(one.failures.complete for one in small)
    return Answer(inferred, needed, together, len(small), table.harmless.bit_count(), excluded.bit_count(), complete)


class _Table:
    """Sets of small arrays as numbers, a bit for each: where claims hold, and what is harmless."""

    def __init__(self, task: Task, small: Sequence[SmallArray]) -> None:
        self.task, self.small = task, small
        self.excluder = Excluder(task, ArrayProver(task.vocabulary))
        self.harmless = self.bits(not one.failures.broken for one in small)
        self.claims = {claim: self.bits(claim.holds(one.store) for one in small) for claim in claims(task)}
        self._excluded: dict[tuple[Element, Claim], bool] = {}

    @staticmethod
    def bits(truths: Iterable[bool]) -> int:
        return sum(1 << place for place, truth in enumerate(truths) if truth)

    def holds(self, clause: Clause) -> int:
        found = 0
        for claim in clause:
            found |= self.claims[claim]
        return found

    def allowed(self, clauses: Sequence[Clause]) -> int:
        found = (1 << len(self.small)) - 1
        for clause in clauses:
            found &= self.holds(clause)
        return found

    def described(self, element: Element) -> int:
        values = self.task.vocabulary.values
        return self.bits(describes(element, one.store, values(one.store)) for one in self.small)

    def excludes(self, claim: Claim, element: Element) -> bool:
        key = (element, claim)
        if key not in self._excluded:
            self._excluded[key] = self.excluder.excludes(element, claim)
        return self._excluded[key]


def _needed(task: Task, part: Part, small: Sequence[SmallArray], table: _Table) -> Needed:
    identity = part.demand.id
    broken = table.bits(identity in one.failures.broken for one in small)
    described = {bad: table.described(bad) for bad in part.bad}
    chosen = _chosen(part.bad, described, table) if part.bad else ()
    missed = broken & table.allowed(chosen)
    examples: dict[Store, None] = {}
    for bad in part.bad:
        failing = described[bad] & broken
        if failing:
            examples[small[(failing & -failing).bit_length() - 1].store] = None
    ordered = sorted(examples, key=lambda store: (not store.null, len(store.cells)))
    missing = tuple(one.store for place, one in enumerate(small) if missed >> place & 1)
    return Needed(part, chosen, missing, tuple(ordered))


def _chosen(bad: Sequence[Element], described: dict[Element, int], table: _Table) -> tuple[Clause, ...]:
    """One clause for all, if it is as weak as one for each; else one for each kind."""
    options = {one: [c for c, holds in table.claims.items() if not holds & described[one]] for one in bad}
    every = [claim for claim in table.claims if all(claim in options[one] for one in bad)]
    single = _clause(bad, every, table)
    apart = [(one, _clause([one], options[one], table)) for one in bad] if len(bad) <= 12 else []
    weakest = table.allowed([clause for _, clause in apart]) & table.harmless if apart else 0
    if not apart or table.holds(single) & table.harmless == weakest:
        return (single,)
    groups: list[tuple[list[Element], Clause]] = []
    for one, clause in apart:
        for place, (group, old) in enumerate(groups):
            both = [claim for claim in options[one] if all(claim in options[other] for other in group)]
            merged = _clause([*group, one], both, table)
            lost = table.harmless & table.holds(old) & table.holds(clause) & ~table.holds(merged)
            if not lost:
                groups[place] = ([*group, one], merged)
                break
        else:
            groups.append(([one], clause))
    return tuple(dict.fromkeys(clause for _, clause in groups))


def _clause(bad: Sequence[Element], options: Sequence[Claim], table: _Table) -> Clause:
    """The disjunction of claims that exclude all of these, which allows the most harmless arrays."""
    found: list[Claim] = []
    left, waiting = table.harmless, list(options)
    while left and waiting and len(found) < MOST_CLAIMS:
        best = max(waiting, key=lambda claim: (table.claims[claim] & left).bit_count())
        if not table.claims[best] & left:
            break
        waiting.remove(best)
        if all(table.excludes(best, one) for one in bad):
            found.append(best)
            left &= ~table.claims[best]
    return _simplified(bad, found, options, table)


def _simplified(bad: Sequence[Element], found: list[Claim], options: Sequence[Claim], table: _Table) -> Clause:
    """The same with simpler claims, and without those that the others make superfluous."""
    covered = table.holds(tuple(found)) & table.harmless
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
