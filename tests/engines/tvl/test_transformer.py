"""Transformers are sound: what an action does to a heap embeds in what it does to the heap's abstraction."""

from __future__ import annotations

import itertools
import random

import pytest
from engines.tvl.lists import actions, vocabulary
from engines.tvl.reference import evaluate

from heapwright.engines.tvl.canonical import blur
from heapwright.engines.tvl.constraints import all_constraints
from heapwright.engines.tvl.differencing import definition_order
from heapwright.engines.tvl.embedding import embeds
from heapwright.engines.tvl.join import names, pointwise
from heapwright.engines.tvl.structure import NEW, Draft, Structure, with_fresh, without_nodes
from heapwright.engines.tvl.transformer import Kernel, Transformer
from heapwright.logic.actions import Action
from heapwright.logic.formulas import Formula, free_variables

KERNELS = {
    acyclic: Kernel.build(v, all_constraints(v, ()))
    for acyclic in (False, True)
    for v in (vocabulary(acyclic=acyclic),)
}


def value(kernel: Kernel, draft: Draft, formula: Formula, assignment: dict[str, int]) -> bool:
    return evaluate(draft, kernel.signature, formula, assignment) == 2


def put(
    kernel: Kernel,
    draft: Draft,
    source: Draft,
    name: str,
    parameters: tuple[str, ...],
    formula: Formula,
    assignment: dict[str, int],
) -> None:
    """name(parameters) = formula, read in `source`."""
    n, mask = draft.n, 0
    for place, nodes in enumerate(itertools.product(range(n), repeat=len(parameters))):
        if value(kernel, source, formula, {**assignment, **dict(zip(parameters, nodes, strict=True))}):
            mask |= 1 << place
    number = kernel.signature.number[name]
    draft.may[number] = draft.must[number] = mask


def define(kernel: Kernel, draft: Draft) -> None:
    for predicate in definition_order(kernel.vocabulary):
        assert predicate.definition is not None
        put(kernel, draft, draft, predicate.name, predicate.parameters, predicate.definition, {})


def random_heap(source: random.Random, kernel: Kernel, n: int) -> Draft | None:
    draft = Draft.empty(kernel.signature, n)
    number = kernel.signature.number
    for z in "xy":
        if n and source.random() < 0.7:
            draft.may[number[z]] = draft.must[number[z]] = 1 << source.randrange(n)
    edges = 0
    for u in range(n):
        if source.random() < 0.7:
            edges |= 1 << u * n + source.randrange(n)
    draft.may[number["n"]] = draft.must[number["n"]] = edges
    draft.may[number["b"]] = draft.must[number["b"]] = source.getrandbits(1)
    define(kernel, draft)
    return draft if kernel.coercer.coerce_all(draft.copy()) else None


def concrete(kernel: Kernel, heap: Draft, action: Action, assignment: dict[str, int]) -> Draft:
    """What an action does to a heap, by the definition."""
    before = heap.copy()
    if action.new is not None:
        for table in (before.may, before.must):
            for p in kernel.signature.binary:
                table[p] = with_fresh(table[p], before.n, 1)
            for p in (1, NEW):
                table[p] |= 1 << before.n
        before.n += 1
        define(kernel, before)
    after = before.copy()
    for update in action.updates:
        assert update.formula is not None
        put(kernel, after, before, update.predicate, update.parameters, update.formula, assignment)
    if action.retain is not None:
        variable, formula = action.retain
        kept = [u for u in range(heap.n) if value(kernel, heap, formula, {**assignment, variable: u})]
        for table in (after.may, after.must):
            for p in kernel.signature.unary:
                table[p] = sum((table[p] >> u & 1) << i for i, u in enumerate(kept))
            for p in kernel.signature.binary:
                table[p] = without_nodes(table[p], after.n, kept)
        after.n = len(kept)
    after.may[NEW] = after.must[NEW] = 0
    define(kernel, after)
    return after


@pytest.mark.parametrize("acyclic", [False, True])
@pytest.mark.parametrize("seed", range(150))
def test_transformers_are_sound(seed: int, acyclic: bool) -> None:
    source = random.Random(seed)
    kernel = KERNELS[acyclic]
    heap = None
    while heap is None:
        heap = random_heap(source, kernel, source.randint(0, 4))
    action = actions(source)
    start: Structure = blur(kernel.signature, heap)
    other = random_heap(source, kernel, source.randint(0, 4))
    if other is not None:
        second = blur(kernel.signature, other)
        if names(kernel.signature, second) == names(kernel.signature, start):
            start = pointwise(start, second)
    step = Transformer(kernel, action).apply(start)
    bound = tuple(sorted(free_variables(action.precondition))) if action.precondition is not None else ()
    for nodes in itertools.product(range(heap.n), repeat=len(bound)):
        assignment = dict(zip(bound, nodes, strict=True))
        if action.precondition is not None and not value(kernel, heap, action.precondition, assignment):
            continue
        after = concrete(kernel, heap, action, assignment)
        if not kernel.coercer.coerce_all(after.copy()):
            assert acyclic
            assert step.raised or step.breach
            continue
        assert acyclic or step.breach is None
        if step.breach is None:
            assert any(embeds(kernel.signature, after, result) for result in step.results), action.title
