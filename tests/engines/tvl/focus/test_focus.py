"""Focus loses nothing: a heap that a structure stands for embeds in one of the structures it is split into."""

from __future__ import annotations

import random

import pytest
from engines.tvl.lists import at, vocabulary
from engines.tvl.reference import random_draft, widened
from engines.tvl.transform.test_transformer import cases, random_heap

from heapwright.base.errors import InputError
from heapwright.engines.tvl.constraints.integrity_constraints import all_constraints
from heapwright.engines.tvl.focus.focus import Focus
from heapwright.engines.tvl.focus.focus_cache import FocusCache
from heapwright.engines.tvl.formulas.evaluation import MAY, MUST, Request
from heapwright.engines.tvl.structures.canonical_abstraction import blur
from heapwright.engines.tvl.structures.embedding import embeds
from heapwright.engines.tvl.structures.join import names, pointwise
from heapwright.engines.tvl.structures.loose_embedding import loosened
from heapwright.engines.tvl.structures.structure import ACTIVE
from heapwright.engines.tvl.transform.transformer import Kernel
from heapwright.logic.formulas import And, Equal, Exists, Formula, Iff, Not, Or

WORDS = vocabulary(acyclic=False)
KERNEL = Kernel.build(WORDS, all_constraints(WORDS, ()))
LOOSE = Kernel.build(WORDS, all_constraints(WORDS, ()), embedding="loose")
FORMULAS: tuple[Formula, ...] = (
    at("b"),
    at("x", "v"),
    at("is", "v"),
    And((at("x", "v"), at("y", "v"))),
    And((at("x", "v"), Not(at("y", "v")))),
    Exists(("u",), And((at("x", "u"), at("n", "u", "v")))),
    Exists(("u",), And((at("x", "u"), at("n", "v", "u")))),
    Exists(("u", "w"), And((at("x", "u"), at("n", "u", "w"), at("t", "w", "v")))),
    Exists(("u", "w"), And((at("x", "u"), at("y", "w"), at("n", "u", "w")))),
    Exists(("u",), And((at("x", "u"), at("t", "u", "v"), Not(at("is", "v"))))),
    Or((at("x", "v"), And((at("y", "v"), at("b"))))),
    Iff(at("x", "v"), at("y", "v")),
)


@pytest.mark.parametrize("loose", [False, True], ids=["strict", "loose"])
@pytest.mark.parametrize("formula", FORMULAS)
def test_ways_that_were_found_before_lead_to_the_same(formula: Formula, loose: bool) -> None:
    source = random.Random(3)
    signature = KERNEL.signature
    formulas = [formula, source.choice(FORMULAS)]
    plain = [Focus(signature, each, decides=not loose) for each in formulas]
    focusing = FocusCache(signature, formulas, decides=not loose)
    structures = [random_draft(source, signature, source.randint(0, 3)).freeze() for _ in range(30)]
    for structure in structures + structures:
        drafts = [structure.draft()]
        for focus in plain:
            drafts = focus.apply(drafts)
        found = focusing.apply(structure)
        assert [(d.freeze(), d.touched, d.split) for d in found] == [(d.freeze(), d.touched, d.split) for d in drafts]


@pytest.mark.exhaustive(6)
@pytest.mark.parametrize("loose", [False, True], ids=["strict", "loose"])
@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("seed", range(40))
def test_focus_loses_nothing(seed: int, formula: Formula, loose: bool) -> None:
    source = random.Random(seed)
    kernel = LOOSE if loose else KERNEL
    signature = kernel.signature
    heap = random_heap(source, KERNEL, source.randint(0, 4))
    assert heap is not None
    structure = blur(signature, heap)
    for _ in range(10):
        other = random_heap(source, KERNEL, source.randint(0, 4))
        if other is not None and names(signature, blur(signature, other)) == names(signature, structure):
            structure = pointwise(structure, blur(signature, other))
    start = structure.draft()
    for p in signature.unary[3:]:
        if start.n:
            start.may[p] |= source.getrandbits(start.n)
            start.must[p] &= source.getrandbits(start.n)
    if start.n and source.random() < 0.2 and not heap.may[signature.number["x"]]:
        start.must[ACTIVE] &= source.getrandbits(start.n) | start.may[0]
    if loose:
        start = loosened(signature, start).draft()
    results = Focus(signature, formula, decides=not loose).apply([start])
    assert any(embeds(signature, heap, result) for result in results)
    alive = [result for result in results if kernel.coercer.coerce(result)]
    assert any(embeds(signature, heap, result) for result in alive)
    if loose:
        alive = [settled for result in alive for settled in kernel.settled(result)]
        assert any(embeds(signature, heap, result) for result in alive)


@pytest.mark.exhaustive(7)
@pytest.mark.parametrize("loose", [False, True], ids=["strict", "loose"])
@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("seed", range(30))
def test_focus_loses_no_heap_where_nodes_may_be_absent(seed: int, formula: Formula, loose: bool) -> None:
    source = random.Random(seed)
    kernel = LOOSE if loose else KERNEL
    signature = kernel.signature
    heap, structure = source.choice([case for case in cases(False, "loose") if case[1].n <= 3])
    start = widened(source, signature, structure.draft(), summary=loose)
    if loose:
        start = loosened(signature, start).draft()
    results = Focus(signature, formula, decides=not loose).apply([start])
    assert any(embeds(signature, heap, result) for result in results)
    alive = [result for result in results if kernel.coercer.coerce_all(result)]
    assert any(embeds(signature, heap, result) for result in alive)
    if loose:
        alive = [settled for result in alive for settled in kernel.settled(result)]
        assert any(embeds(signature, heap, result) for result in alive)


def test_a_focused_pointer_is_definite() -> None:
    source = random.Random(7)
    formula = at("x", "v")
    function = KERNEL.compiler.function([Request(formula, ("v",), MAY), Request(formula, ("v",), MUST)])
    for _ in range(50):
        heap = random_heap(source, KERNEL, 3)
        assert heap is not None
        start = blur(KERNEL.signature, heap).draft()
        number = KERNEL.signature.number["x"]
        start.may[number], start.must[number] = (1 << start.n) - 1, 0
        for result in Focus(KERNEL.signature, formula).apply([start]):
            may, must = function(result.may, result.must, KERNEL.layouts.of(result.n))
            assert may == must


def test_what_cannot_be_focused_is_refused() -> None:
    with pytest.raises(InputError, match="cannot focus"):
        Focus(KERNEL.signature, Exists(("u",), And((at("x", "u"), Equal("u", "v")))))
