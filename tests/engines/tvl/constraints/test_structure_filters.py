"""Integrity filters stand for no heap, and catch what embeds in them."""

from __future__ import annotations

import random

import pytest
from engines.tvl.focus.test_refining_sets import KERNELS, sets
from engines.tvl.heaps import list_heaps
from engines.tvl.lists import at

from heapwright.engines.tvl.constraints.integrity_constraints import all_constraints
from heapwright.engines.tvl.constraints.structure_filters import Filter
from heapwright.engines.tvl.focus.strategies import ByMeet
from heapwright.engines.tvl.structures.embedding import embeds
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft
from heapwright.engines.tvl.transform.transformer import Kernel
from heapwright.logic.actions import Action
from heapwright.logic.formulas import And, Equal, Exists, Or, TransitiveClosure
from heapwright.logic.vocabulary import Predicate, Vocabulary

KERNEL = KERNELS[False]
SIGNATURE = KERNEL.signature
N, T = SIGNATURE.number["n"], SIGNATURE.number["t"]


def direct() -> Kernel:
    """Reachability from x, defined over arrows without a predicate for paths."""
    path = Or((Equal("u", "v"), TransitiveClosure("u", "v", "a", "b", at("n", "a", "b"))))
    words = Vocabulary(
        (
            Predicate("b", 0),
            Predicate("x", 1, unique=True),
            Predicate("n", 2, function=True),
            Predicate("rx", 1, Exists(("u",), And((at("x", "u"), path))), ("v",)),
        )
    )
    return Kernel.build(words, all_constraints(words, ()), refine="meet")


@pytest.mark.parametrize("kernel", [KERNELS[False], KERNELS[True], direct()])
def test_no_heap_embeds_in_a_filter(kernel: Kernel) -> None:
    found = sets(kernel).filters
    assert found
    variables = "xy" if "y" in kernel.vocabulary else "x"
    for heap in list_heaps(kernel, 3, variables):
        for each in found:
            assert not embeds(kernel.signature, heap, each.structure)
            assert not each.catches(heap.draft(), kernel.layouts)


def test_a_filter_asks_for_no_more_than_it_needs() -> None:
    (each,) = sets(KERNEL).filters
    literals = each.pattern.literals
    assert not literals.nullary
    assert not literals.unary
    assert {p for p, *_ in literals.binary} == {N, T}
    (reached,) = sets(direct()).filters
    assert sorted(p for p, *_ in reached.pattern.literals.unary) == sorted(
        direct().signature.number[p] for p in ("x", "rx")
    )


@pytest.mark.parametrize("seed", range(150))
def test_filters_catch_what_embeds_in_them(seed: int) -> None:
    source = random.Random(seed)
    draft = Draft.empty(SIGNATURE, source.randint(0, 5))
    n = draft.n
    if n:
        draft.may[SUMMARY] = source.getrandbits(n)
        draft.must[ACTIVE] &= source.getrandbits(n) | source.getrandbits(n)
        draft.may[N] = source.getrandbits(n * n) & source.getrandbits(n * n)
        draft.may[T] = source.getrandbits(n * n)
        draft.must[T] = draft.may[T] & source.getrandbits(n * n) & source.getrandbits(n * n)
    for each in sets(KERNEL).filters:
        assert each.catches(draft, KERNEL.layouts) == embeds(SIGNATURE, draft, each.structure)


def test_a_path_without_arrows_is_dropped() -> None:
    """x leads to u1 or u2, and reaches both: if it leads to u1, and u1 leads nowhere, then there is no way to u2."""
    draft = Draft.empty(SIGNATURE, 3)

    def put(name: str, may: int, must: int) -> None:
        number = SIGNATURE.number[name]
        draft.may[number], draft.must[number] = may, must

    put("x", 0b001, 0b001)
    put("rx", 0b111, 0b111)
    put("n", 0b010_000_110, 0)  # 0 -> 1, 0 -> 2 and 2 -> 1, all unknown
    put("t", 0b110_010_111, 0b100_010_111)
    focus = Exists(("u",), And((at("x", "u"), at("n", "u", "v"))))
    (load,) = sets(KERNEL).for_action(Action("", (focus,)))
    met = list(load.meet(draft, KERNEL.layouts))
    kept = ByMeet(sets(KERNEL), Action("", (focus,))).apply(draft.freeze())
    assert [d.must[N] for d in kept] == [0b100]
    assert len(met) > len(kept)
    (each,) = sets(KERNEL).filters
    assert isinstance(each, Filter)
    assert sum(each.catches(d, KERNEL.layouts) for d in met) == len(met) - len(kept)
