"""Refining sets cover every heap, and refinement by meet with them loses none."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
from engines.tvl.heaps import list_heaps
from engines.tvl.lists import actions, at, vocabulary
from engines.tvl.reference import SIGNATURE, random_draft
from engines.tvl.structures.meet import meet
from engines.tvl.transform.test_transformer import random_heap, value

from heapwright.engines.kit.deadline import Deadline, DeadlineExceeded
from heapwright.engines.tvl.constraints.integrity_constraints import all_constraints
from heapwright.engines.tvl.focus.refining_sets import MOST_KEPT, RefiningSets
from heapwright.engines.tvl.focus.strategies import ByMeet
from heapwright.engines.tvl.structures.bit_sets import Layouts
from heapwright.engines.tvl.structures.canonical_abstraction import blur
from heapwright.engines.tvl.structures.embedding import embeds
from heapwright.engines.tvl.structures.join import names, pointwise
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Structure
from heapwright.engines.tvl.structures.structure_patterns import Pattern, met
from heapwright.engines.tvl.transform.transformer import Kernel
from heapwright.logic.actions import Action, Update
from heapwright.logic.formulas import FALSE, And, Exists, Formula, Not, Or, free_variables
from heapwright.logic.vocabulary import Predicate, Vocabulary


def kernel(acyclic: bool, loose: bool = False) -> Kernel:
    words = vocabulary(acyclic=acyclic)
    return Kernel.build(words, all_constraints(words, ()), refine="meet", embedding="loose" if loose else "strict")


KERNELS = {acyclic: kernel(acyclic) for acyclic in (False, True)}
LOOSE = kernel(acyclic=False, loose=True)
HEAPS = {acyclic: list_heaps(KERNELS[acyclic], 4) for acyclic in (False, True)}


def sets(of: Kernel) -> RefiningSets:
    assert of.refining is not None
    return of.refining


def some(name: str) -> Formula:
    return Exists(("v",), at(name, "v"))


NEXT = Exists(("u",), And((at("y", "u"), at("n", "u", "v"))))
BEHIND = Exists(("u", "w"), And((at("y", "u"), at("n", "u", "w"), at("t", "w", "v"))))
COMMANDS = {
    "x = y": Action("x = y", (at("y", "v"),), updates=(Update("x", ("v",), at("y", "v")),)),
    "x = y.n": Action("x = y.n", (at("y", "v"), NEXT), some("y"), updates=(Update("x", ("v",), NEXT),)),
    "x = y.n, with what is behind": Action("x = y.n", (BEHIND,), some("y"), updates=(Update("x", ("v",), NEXT),)),
    "y.n = null": Action(
        "y.n = null", (at("y", "v"), NEXT), some("y"), updates=(Update("n", ("v", "w"), at("n", "v", "w")),)
    ),
    "x.n = y": Action(
        "x.n = y",
        (at("x", "v"), at("y", "v")),
        And((some("x"), Not(Exists(("v", "w"), And((at("x", "v"), at("n", "v", "w"))))))),
        updates=(Update("n", ("v", "w"), Or((at("n", "v", "w"), And((at("x", "v"), at("y", "w")))))),),
    ),
    "free x": Action("free x", (at("x", "v"),), some("x"), retain=("v", Not(at("x", "v")))),
    "x == y": Action(
        "x == y", (at("x", "v"), at("y", "v")), Not(Exists(("v",), And((at("x", "v"), Not(at("y", "v"))))))
    ),
    "x != null": Action("x != null", (at("x", "v"),), some("x")),
    "x == null": Action("x == null", (at("x", "v"),), Not(some("x"))),
    "b": Action("b", (at("b"),), at("b")),
    "shared": Action("is(v)", (at("is", "v"),), Exists(("v",), at("is", "v"))),
}


@pytest.mark.parametrize("acyclic", [False, True])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_small_heap_embeds_in_a_member(command: str, acyclic: bool) -> None:
    kernel, action = KERNELS[acyclic], COMMANDS[command]
    found = sets(kernel).for_action(action)
    assert found
    fulfilling = [
        heap
        for heap in HEAPS[acyclic]
        if action.precondition is None or value(kernel, heap.draft(), action.precondition, {})
    ]
    assert len(fulfilling) > 20
    for each in found:
        for heap in fulfilling:
            assert any(embeds(kernel.signature, heap, member.structure) for member in each.members)


def test_small_heaps_are_all_there() -> None:
    assert len(list_heaps(KERNELS[False], 1)) == 2 * (1 + 8)
    assert len(HEAPS[False]) > 1500


def test_the_cases_of_a_load_are_null_a_loop_and_another_node() -> None:
    signature = KERNELS[False].signature
    (found,) = sets(KERNELS[False]).for_action(COMMANDS["x = y.n"])
    members = found.members
    y, n = signature.number["y"], signature.number["n"]
    cases = set()
    for member in members:
        structure = member.structure
        assert structure.may[y] == structure.must[y]  # one node bears y
        node = structure.may[y].bit_length() - 1
        row = structure.may[n] >> node * structure.n & (1 << structure.n) - 1
        assert row == structure.must[n] >> node * structure.n & (1 << structure.n) - 1
        cases.add("null" if not row else "loop" if row == 1 << node else "other")
        (others,) = [u for u in range(structure.n) if structure.may[SUMMARY] >> u & 1]
        assert not structure.must[ACTIVE] >> others & 1
    assert (len(members), cases) == (3, {"null", "loop", "other"})


def test_members_that_contradict_the_precondition_are_left_out() -> None:
    refining = sets(KERNELS[False])
    focus = (at("x", "v"),)
    (either,), (pointed,), (null,) = (
        refining.for_action(Action("", focus, condition)) for condition in (None, some("x"), Not(some("x")))
    )
    assert (len(either.members), len(pointed.members), len(null.members)) == (2, 1, 1)
    assert refining.for_action(Action("", focus, FALSE))[0].members == ()


@pytest.mark.parametrize("seed", range(80))
def test_met_is_meet(seed: int) -> None:
    """What patterns leave out makes no difference: the results stand for the same."""
    source = random.Random(seed)
    layouts = Layouts()
    pattern_of = random_draft(source, SIGNATURE, source.randint(0, 3))
    for number in range(4, SIGNATURE.size):  # most values unknown, as in a refining set
        cells = pattern_of.n ** SIGNATURE.arity[number]
        if cells:
            pattern_of.may[number] |= source.getrandbits(cells) | source.getrandbits(cells)
            pattern_of.must[number] &= source.getrandbits(cells)
    structure = random_draft(source, SIGNATURE, source.randint(0, 3))
    pattern = Pattern(SIGNATURE, pattern_of)
    found = list(met(pattern, SIGNATURE, structure, lambda d, groups, _: pattern.literals.impose(d, groups, layouts)))
    plain = meet(SIGNATURE, structure, pattern_of)
    for one, others in ((found, plain), (plain, found)):
        for each in one:
            assert any(embeds(SIGNATURE, each, other) for other in others)


def structure_over(source: random.Random, kernel: Kernel, heap: Draft) -> Structure:
    """A structure that stands for a heap, and for more."""
    signature = kernel.signature
    structure = blur(signature, heap)
    for _ in range(10):
        other = random_heap(source, kernel, source.randint(0, 4))
        if other is not None and names(signature, blur(signature, other)) == names(signature, structure):
            structure = pointwise(structure, blur(signature, other))
    draft = structure.draft()
    if draft.n and source.random() < 0.5:
        for p in signature.unary[3:]:
            draft.may[p] |= source.getrandbits(draft.n) & source.getrandbits(draft.n)
            draft.must[p] &= source.getrandbits(draft.n) | source.getrandbits(draft.n)
    if draft.n and source.random() < 0.3:
        draft.must[ACTIVE] &= source.getrandbits(draft.n)
    return kernel.abstracted(draft) if kernel.optional else draft.freeze()


@pytest.mark.exhaustive(3)
@pytest.mark.parametrize("kernel", [KERNELS[False], KERNELS[True], LOOSE], ids=["plain", "acyclic", "loose"])
@pytest.mark.parametrize("seed", range(120))
def test_meet_loses_no_heap(seed: int, kernel: Kernel) -> None:
    source = random.Random(seed)
    heap = None
    while heap is None:
        heap = random_heap(source, kernel, source.randint(0, 4))
    action = actions(source) if seed % 2 else COMMANDS[source.choice(list(COMMANDS))]
    bound = tuple(sorted(free_variables(action.precondition))) if action.precondition is not None else ()
    holds = action.precondition is None or any(
        value(kernel, heap, action.precondition, dict(zip(bound, nodes, strict=True)))
        for nodes in itertools.product(range(heap.n), repeat=len(bound))
    )
    results = ByMeet(sets(kernel), action).apply(structure_over(source, kernel, heap))
    if holds:
        assert any(embeds(kernel.signature, heap, result) for result in results)
        coerced = [result for result in results if kernel.coercer.coerce(result)]
        assert any(embeds(kernel.signature, heap, result) for result in coerced)


@pytest.mark.parametrize("loose", [False, True], ids=["strict", "loose"])
@pytest.mark.parametrize("command", COMMANDS)
def test_meet_loses_no_small_heap(command: str, loose: bool) -> None:
    """All heaps with up to 3 nodes, each as it is and under its abstraction."""
    kernel, action = LOOSE if loose else KERNELS[False], COMMANDS[command]
    refinement = ByMeet(sets(kernel), action)
    for heap in HEAPS[False]:
        if heap.n > 3 or (action.precondition is not None and not value(kernel, heap.draft(), action.precondition, {})):
            continue
        for structure in (heap, kernel.abstracted(heap.draft())):
            assert any(embeds(kernel.signature, heap, result) for result in refinement.apply(structure))


# --- kept for the next analyses ---------------------------------------------------------------------------------------


def test_equal_vocabularies_share_their_sets() -> None:
    first, again = kernel(acyclic=True), kernel(acyclic=True)
    assert first.signature is not again.signature
    assert sets(first) is sets(again)
    assert sets(again).of(NEXT) is sets(first).of(NEXT)


def test_vocabularies_with_other_constraints_or_predicates_do_not() -> None:
    plain, words = kernel(acyclic=False), vocabulary(acyclic=False)
    assert sets(plain) is not sets(kernel(acyclic=True))
    assert sets(plain) is not sets(kernel(acyclic=False, loose=True))
    fewer = Kernel.build(words, all_constraints(words, ())[1:], refine="meet")
    assert sets(fewer) is not sets(plain)
    first, *others = words.predicates
    named = Vocabulary((replace(first, abstraction=False), *others))
    other = Kernel.build(named, all_constraints(words, ()), refine="meet")
    assert sets(other) is not sets(plain)
    assert sets(other).signature.predicates == other.signature.predicates


def test_shared_sets_keep_to_the_deadline_of_the_analysis_that_uses_them() -> None:
    words = vocabulary(acyclic=True)
    constraints = all_constraints(words, ())
    early = Kernel.build(words, constraints, refine="meet", deadline=Deadline(0.0))
    late = Kernel.build(words, constraints, refine="meet")
    assert sets(early) is sets(late)
    assert sets(late).of(NEXT)
    early = Kernel.build(words, constraints, refine="meet", deadline=Deadline(0.0))
    with pytest.raises(DeadlineExceeded):
        sets(early).of(Exists(("u",), And((at("x", "u"), at("n", "u", "v")))))


def test_few_vocabularies_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RefiningSets, "kept", {})
    for count in range(2 * MOST_KEPT):
        words = Vocabulary(tuple(Predicate(f"x{i}", 1, unique=True) for i in range(count + 1)))
        Kernel.build(words, all_constraints(words, ()), refine="meet")
        assert len(RefiningSets.kept) <= MOST_KEPT
