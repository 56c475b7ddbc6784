"""Updates that are computed as a whole: nothing wrong is in them, and nothing that the prover confirms is missing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from engines.boolheap.heaps import all_heaps

from heapwright.engines.boolheap.abstraction.cartesian_post import Deductions
from heapwright.engines.boolheap.concrete.formula_samples import Samples
from heapwright.engines.boolheap.concrete.small_heaps import Signature, evaluator, sample
from heapwright.engines.boolheap.domain.predicate_columns import AtomTable
from heapwright.engines.boolheap.logic.formulas import alive, field, name, negation
from heapwright.engines.boolheap.logic.heap_commands import HeapCommand, Link, Point, Suppose
from heapwright.engines.boolheap.logic.parser import parse
from heapwright.engines.boolheap.logic.weakest_preconditions import hwp
from heapwright.engines.boolheap.precomputation.abstract_updates import LITERALS, Task, complete
from heapwright.engines.boolheap.prover.entailment import Prover
from heapwright.engines.boolheap.prover.implicants import Cube
from heapwright.logic.connectives import FALSE

X, Y = name("x"), name("y")
STEPS: dict[str, tuple[HeapCommand, ...]] = {
    "store": (Suppose(alive(X)), Link(X, "next", Y)),
    "load": (Suppose(alive(Y)), Point("x", field("next", Y))),
}
PREDICATES = tuple(parse(one) for one in ("x = v", "y = v", "alive(v)", "reach(x, v, next)", "y = v.next"))
SIGNATURE = Signature(("x", "y"), ("next",))


def cubes() -> Iterator[Cube]:
    places = range(len(PREDICATES))
    for count in range(LITERALS + 1):
        for chosen in itertools.combinations(places, count):
            for signs in itertools.product((True, False), repeat=count):
                ones = sum(1 << place for place, sign in zip(chosen, signs, strict=True) if sign)
                yield Cube(ones, sum(1 << place for place in chosen) & ~ones)


@pytest.mark.parametrize("kind", STEPS)
@pytest.mark.parametrize("goal", ["y = v.next", "reach(x, v, next)"])
def test_updates_are_all_that_follows(kind: str, goal: str) -> None:
    precondition = hwp(STEPS[kind], parse(goal))
    columns, prover = AtomTable(PREDICATES, context=False), Prover()
    deductions = Deductions(Samples(sample(SIGNATURE, 60), SIGNATURE), prover)
    deduction = deductions.of(columns)
    query = deduction.query(precondition.supposed, precondition.formula)
    task = Task(columns, deduction, query, {(1 << len(PREDICATES)) - 1})
    complete(task)
    assert query.proving.found or query.refuting.found

    holds = [evaluator(one) for one in PREDICATES]
    wanted, supposed = evaluator(precondition.formula), evaluator(precondition.supposed)
    seen: dict[int, set[bool]] = {}  # by the predicates that hold: what the precondition is
    for heap in (one for size in (1, 2, 3) for one in all_heaps(SIGNATURE, size)):
        for v in heap.everything:
            if supposed(heap, v):
                ones = sum(1 << place for place, one in enumerate(holds) if one(heap, v))
                seen.setdefault(ones, set()).add(wanted(heap, v))
    everything = (1 << len(PREDICATES)) - 1

    def values(cube: Cube) -> set[bool]:
        return set().union(*(found for ones, found in seen.items() if cube.within(ones, everything & ~ones)))

    for implicants, value in ((query.proving, True), (query.refuting, False)):
        assert all(values(cube) <= {value} for cube in implicants.found)
    for cube in cubes():
        of_itself = (cube.ones | cube.zeros) & task.own  # where the step leaves the predicate as it was
        if len(values(cube)) == 1 and not of_itself:  # no heap speaks against it, and some heap has it
            value = values(cube) == {True}
            literals = [
                one if cube.ones >> place & 1 else negation(one)
                for place, one in enumerate(PREDICATES)
                if (cube.ones | cube.zeros) >> place & 1
            ]
            formula = precondition.formula if value else negation(precondition.formula)
            entailed = prover.entails([precondition.supposed, *literals], formula) is not None
            assert deduction.entailed(query, cube.ones, cube.zeros) is (value if entailed else None)


def test_what_contradicts_itself_is_known_without_a_question() -> None:
    columns, prover = AtomTable(PREDICATES, context=False), Prover()
    deduction = Deductions(Samples(sample(SIGNATURE, 60), SIGNATURE), prover).of(columns)
    goal = PREDICATES[3]
    complete(Task(columns, deduction, deduction.query(parse("true"), goal), {(1 << len(PREDICATES)) - 1}))
    calls = prover.statistics.queries
    deduction.uses_prover = False
    assert deduction.impossible(parse("true"), 0b00001, 0b01000)  # x = v, and x does not reach v
    assert not deduction.impossible(parse("true"), 0b01001, 0)
    for found in (deduction.query(parse("true"), one) for one in (goal, FALSE)):
        assert not any(cube.ones & cube.zeros for cube in (*found.proving.found, *found.refuting.found))
    assert deduction.query(parse("true"), FALSE).proving.found
    assert prover.statistics.queries == calls
