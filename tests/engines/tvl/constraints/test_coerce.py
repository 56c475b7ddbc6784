"""Coerce finds the same in whatever order the constraints run, one by one or all in one function."""

from __future__ import annotations

import random

import pytest
from engines.tvl.lists import at, order, vocabulary
from engines.tvl.transform.test_transformer import random_heap

from heapwright.engines.tvl.constraints.coerce import Coercer
from heapwright.engines.tvl.constraints.integrity_constraints import all_constraints
from heapwright.engines.tvl.structures.bit_sets import bits
from heapwright.engines.tvl.structures.canonical_abstraction import blur
from heapwright.engines.tvl.structures.structure import ACTIVE, Draft
from heapwright.engines.tvl.transform.transformer import Kernel
from heapwright.logic.formulas import And, Equal, Exists, Formula, Not
from heapwright.logic.vocabulary import Constraint, Vocabulary

WORDS = vocabulary(acyclic=True)
RULES = all_constraints(WORDS, order())
KERNEL = Kernel.build(WORDS, RULES)


def coercer() -> Coercer:
    return Coercer(KERNEL.compiler, RULES, KERNEL.layouts)


def naively(one_by_one: Coercer, draft: Draft) -> bool:
    """Every constraint, the last one first, until nothing changes any more."""
    layout = KERNEL.layouts.of(draft.n)
    changed = True
    while changed:
        changed = False
        for function in reversed(one_by_one.functions):
            outcome = function(draft.may, draft.must, layout)
            if outcome < 0:
                return False
            changed |= outcome > 0
    return True


def sharpened(source: random.Random, draft: Draft) -> Draft:
    """With some values of 1/2 made definite, as focus does it."""
    signature = KERNEL.signature
    predicates = range(ACTIVE + 1, signature.size)
    unknown = [(p, place) for p in predicates for place in bits(draft.may[p] & ~draft.must[p])]
    for p, place in source.sample(unknown, min(len(unknown), source.randint(0, 3))):
        if source.random() < 0.5:
            draft.set_true(p, place)
        else:
            draft.set_false(p, 1 << place)
    return draft


@pytest.mark.slow
def test_the_order_of_constraints_makes_no_difference() -> None:
    source = random.Random(5)
    plain, fused = coercer(), coercer()
    fused.fuse()
    breaches = changes = 0
    for _ in range(1200):
        heap = random_heap(source, KERNEL, source.randint(2, 6))
        if heap is None:
            continue
        draft = sharpened(source, blur(KERNEL.signature, heap).draft())
        one, other, last = draft.copy(), draft.copy(), draft.copy()
        meets = naively(plain, last)
        assert plain.coerce(one) == fused.coerce(other) == meets
        if meets:
            assert (one.may, one.must) == (other.may, other.must) == (last.may, last.must)
            assert not one.touched
            assert not other.touched
            changes += one.may != draft.may or one.must != draft.must
        breaches += not meets
    assert plain.fused is None
    assert breaches > 20, "breaches must have been met"
    assert changes > 20, "and values that follow from others"


def test_constraints_run_of_a_node_that_turns_out_to_be_there() -> None:
    plain = coercer()
    draft = Draft.empty(KERNEL.signature, 1)  # it does not reach itself, as every node does
    draft.must[ACTIVE] = 0
    assert plain.coerce_all(draft), "it may be absent"
    draft.present(0)
    assert not plain.coerce(draft)


def test_many_calls_fuse_the_constraints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heapwright.engines.tvl.constraints.coerce.FUSE_AFTER", 3)
    often = coercer()
    for _ in range(3):
        assert often.coerce_all(Draft.empty(KERNEL.signature, 0))
    assert often.fused is not None
    assert often.coerce_all(Draft.empty(KERNEL.signature, 0))
    assert not often.coerce_all(Draft.empty(KERNEL.signature, 2)), "every node reaches itself"


def count(*constraints: tuple[Formula, Formula]) -> int:
    return len(all_constraints(Vocabulary(()), [Constraint(*each) for each in constraints], automatic=False))


def test_constraints_that_differ_in_names_alone_count_once() -> None:
    two = And((at("n", "u", "v"), at("n", "w", "v")))
    renamed = And((at("n", "b", "a"), at("n", "c", "a")))
    assert count((Exists(("v",), two), Equal("u", "w")), (Exists(("a",), renamed), Equal("c", "b"))) == 1
    assert count((Exists(("u",), two), Not(at("n", "w", "v"))), (Exists(("w",), two), Not(at("n", "u", "v")))) == 1
    assert count((at("n", "u", "v"), at("m", "u", "v")), (at("n", "v", "u"), at("m", "v", "u"))) == 1
    assert count((at("n", "u", "v"), at("m", "u", "v")), (at("n", "v", "u"), at("m", "u", "v"))) == 2
    assert count((at("n", "u", "u"), at("x", "u")), (Exists(("v",), at("n", "u", "v")), at("x", "u"))) == 2
    assert count((at("x", "u"), at("y", "u")), (at("x", "u"), Not(at("y", "u")))) == 2
