"""Loose embedding where its printed definition is wrong: blur, paths, constraints and messages."""

from __future__ import annotations

import itertools

import pytest
from engines.tvl.lists import at, order, vocabulary
from engines.tvl.reference import SIGNATURE, evaluate
from engines.tvl.structures.concretisation import contains, embeds_loosely
from engines.tvl.test_fixpoint import EMPTY, LONG_LIST, analysed, assign, graph, lost, null_test, some

from heapwright.engines.tvl.constraints.integrity_constraints import all_constraints
from heapwright.engines.tvl.fixpoint import Options, run
from heapwright.engines.tvl.focus.focus import Focus
from heapwright.engines.tvl.formulas.evaluation import MAY, MUST, Compiler, Request
from heapwright.engines.tvl.structures.bit_sets import Layout, Layouts
from heapwright.engines.tvl.structures.canonical_abstraction import blur
from heapwright.engines.tvl.structures.embedding import embeds
from heapwright.engines.tvl.structures.join import JOINS, JoinKind, make_structure_set
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind, loosened
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature, Structure
from heapwright.engines.tvl.transform.transformer import Kernel, Transformer
from heapwright.logic.actions import Action, Message, NamedStructure, Update
from heapwright.logic.formulas import FALSE, TRUE, And, Atom, Equal, Exists, Formula, Kleene, Not
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary

X, Y, N = (SIGNATURE.number[name] for name in "xyn")


def drawn(n: int, *, summaries: int = 0, x: int = -1, y: int = -1, edges: str = "", half: str = "") -> Draft:
    """A structure of n nodes over `reference.VOCABULARY`; an edge is two digits."""
    draft = Draft.empty(SIGNATURE, n)
    draft.may[SUMMARY] = summaries
    for p, node in ((X, x), (Y, y)):
        if node >= 0:
            draft.may[p] = draft.must[p] = 1 << node
    for text, certain in ((edges, True), (half, False)):
        for edge in text.split():
            place = int(edge[0]) * n + int(edge[1])
            draft.may[N] |= 1 << place
            draft.must[N] |= certain << place
    return draft


# --- the definition --------------------------------------------------------------------------------------------------


def test_blur_of_a_circular_list_keeps_the_short_one() -> None:
    """x -> v* -> y -> a -> x, where v may be missing; blur makes one node of v and a."""
    long = drawn(4, summaries=0b0010, x=0, y=2, edges="23 30", half="01 11 12")
    short = drawn(3, x=0, y=1, edges="01 12 20")
    assert contains(SIGNATURE, long, short, "loose")
    assert not contains(SIGNATURE, long, short, "strict")
    blurred = blur(SIGNATURE, long)
    assert blurred.n == 3
    assert contains(SIGNATURE, blurred, short, "loose")
    assert embeds_loosely(SIGNATURE, long, blurred)
    assert embeds(SIGNATURE, short, loosened(SIGNATURE, blurred))


@pytest.mark.parametrize("connected", [True, False])
def test_a_path_has_an_edge_at_every_step(connected: bool) -> None:
    """0 -> 1* ? 2* -> 3: without the edge in the middle, 0 leads to 3 in no heap."""
    draft = drawn(4, summaries=0b0110, half="01 23" + (" 12" if connected else ""))
    loose = loosened(SIGNATURE, draft)
    formula = Atom("n", ("u", "v"))
    function = Compiler(SIGNATURE).function([Request(formula, (), MAY), Request(formula, (), MUST)], ("u", "v"))
    assert function(list(loose.may), list(loose.must), Layout(4), 0, 3) == (int(connected), 0)
    assert evaluate(loose.draft(), SIGNATURE, formula, {"u": 0, "v": 3}) == int(connected)
    assert contains(SIGNATURE, draft, drawn(2, edges="01"), "loose") == connected


def test_only_summaries_are_passed_over() -> None:
    through_single = drawn(3, edges="01 12")
    assert loosened(SIGNATURE, through_single) == through_single.freeze()
    certain = drawn(3, summaries=0b010, edges="01 12 02")
    assert loosened(SIGNATURE, certain).value(N, 0, 2) is Kleene.TRUE


# --- constraints -----------------------------------------------------------------------------------------------------


def kernel_of(*predicates: Predicate, rules: tuple[Constraint, ...] = ()) -> Kernel:
    words = Vocabulary(predicates)
    return Kernel.build(words, all_constraints(words, rules), embedding="loose")


def test_a_node_that_cannot_be_there_goes_and_its_neighbours_meet() -> None:
    """0 -> 1* -> 2 where what p holds of must have q, and 1 has p without q."""
    p, q, n = Predicate("p", 1), Predicate("q", 1), Predicate("n", 2)
    kernel = kernel_of(p, q, n, rules=(Constraint(at("p", "v"), at("q", "v")),))
    number = kernel.signature.number
    draft = Draft.empty(kernel.signature, 3)
    draft.may[SUMMARY] = 0b010
    draft.may[number["p"]] = draft.must[number["p"]] = 0b010
    draft.may[number["n"]] = 0b000_110_010
    loose = loosened(kernel.signature, draft).draft()
    assert kernel.coercer.coerce_all(loose)
    assert loose.n == 2
    assert loose.freeze().value(number["n"], 0, 1) is Kleene.HALF
    draft.may[SUMMARY] = 0
    assert not kernel.coercer.coerce_all(draft)


@pytest.mark.parametrize("first", [False, True])
def test_of_two_nodes_that_exclude_each_other_the_doubtful_one_goes(first: bool) -> None:
    x = Predicate("x", 1, unique=True)
    kernel = kernel_of(x)
    draft = Draft.empty(kernel.signature, 2)
    draft.may[4] = draft.must[4] = 0b11
    draft.must[ACTIVE] = 0b10 if first else 0b01
    assert kernel.coercer.coerce_all(draft)
    assert (draft.n, draft.must[ACTIVE]) == (1, 1)
    both = Draft.empty(kernel.signature, 2)
    both.may[4] = both.must[4] = 0b11
    both.must[ACTIVE] = 0
    assert kernel.coercer.coerce_all(both)
    assert both.n == 2  # either of them may be there


def test_an_equality_splits_a_summary_into_absent_and_single() -> None:
    kernel = kernel_of(Predicate("x", 1, unique=True))
    draft = Draft.empty(kernel.signature, 1)
    draft.may[SUMMARY], draft.must[ACTIVE] = 1, 0
    draft.may[4] = draft.must[4] = 1
    assert kernel.coercer.coerce_all(draft)
    assert draft.may[SUMMARY] == 0
    assert sorted((each.n, each.must[ACTIVE]) for each in kernel.settled(draft)) == [(0, 0), (1, 1)]


def test_a_summary_in_a_body_makes_it_half() -> None:
    """If something has p, b holds; a summary with p may be nothing."""
    some_p = Exists(("v",), at("p", "v"))
    kernel = kernel_of(Predicate("p", 1), Predicate("b", 0), rules=(Constraint(some_p, at("b")),))
    draft = Draft.empty(kernel.signature, 1)
    draft.may[4] = draft.must[4] = draft.may[SUMMARY] = 1
    draft.may[5] = 1
    certain = draft.copy()
    draft.must[ACTIVE] = 0
    assert kernel.coercer.coerce_all(draft)
    assert draft.must[5] == 0
    assert kernel.coercer.coerce_all(certain)
    assert certain.must[5] == 1


def test_a_constraint_without_head_takes_out_what_breaks_it() -> None:
    kernel = kernel_of(Predicate("n", 2), rules=(Constraint(at("n", "v", "v"), FALSE),))
    draft = Draft.empty(kernel.signature, 2)
    draft.may[4] = draft.must[4] = 0b0001
    certain = draft.copy()
    draft.must[ACTIVE] = 0b10
    assert kernel.coercer.coerce_all(draft)
    assert draft.n == 1
    assert not kernel.coercer.coerce_all(certain)


def test_strictly_too_a_node_that_may_be_absent_breaks_nothing() -> None:
    words = Vocabulary((Predicate("b", 0), Predicate("x", 1)))
    kernel = Kernel.build(words, (Constraint(at("b"), Not(at("x", "v"))),))
    draft = Draft.empty(kernel.signature, 1)
    draft.may[4] = draft.must[4] = draft.may[5] = draft.must[5] = 1
    certain = draft.copy()
    draft.must[ACTIVE] = 0
    assert kernel.coercer.coerce_all(draft)
    assert not kernel.coercer.coerce_all(certain)


def test_what_holds_of_two_nodes_of_which_one_at_most_is_there() -> None:
    """What has p leads to all that has p; nothing is known of two that cannot both be there, or each that can."""
    related = Constraint(And((at("p", "u"), at("p", "v"))), at("n", "u", "v"))
    kernel = kernel_of(Predicate("p", 1), Predicate("n", 2), rules=(related,))
    draft = Draft.empty(kernel.signature, 2)
    draft.must[ACTIVE] = 0
    draft.may[4] = draft.must[4] = 0b11
    draft.may[5] = 0b1101
    assert kernel.coercer.coerce_all(draft)
    assert (draft.n, draft.may[5], draft.must[5]) == (2, 0b1101, 0b1101)


def test_an_update_that_breaks_a_constraint_is_told_of_nodes_that_may_be_absent() -> None:
    words = Vocabulary((Predicate("a", 1), Predicate("b", 1)))
    rule = Constraint(at("a", "v"), at("b", "v"))
    program, _ = graph(("start", Action("spoil", updates=(Update("a", ("v",), TRUE),)), "end"))
    many = NamedStructure(("u",), summaries=frozenset({"u"}))
    outcome = run(words, (rule,), program, [many], Options(embedding="loose"))
    assert outcome.breach is not None
    assert not outcome.complete


# --- focus -----------------------------------------------------------------------------------------------------------

LISTS = Signature(Vocabulary((Predicate("x", 1, unique=True), Predicate("n", 2, function=True))))
NEXT_OF_X = Exists(("u",), And((at("x", "u"), at("n", "u", "v"))))


def of_lists(n: int, x: tuple[int, int], edges: tuple[int, int], *, certain: int, summaries: int = 0) -> Draft:
    """A structure over x and n; values are pairs of what may hold and what must."""
    draft = Draft.empty(LISTS, n)
    draft.must[ACTIVE], draft.may[SUMMARY] = certain, summaries
    draft.may[4], draft.must[4] = x
    draft.may[5], draft.must[5] = edges
    return draft


@pytest.mark.parametrize("decides", [False, True])
def test_a_pointer_to_a_node_that_may_be_absent_may_point_elsewhere(decides: bool) -> None:
    """x points to 0 if that is there, else perhaps to 1."""
    start = of_lists(2, (0b11, 0b01), (0, 0), certain=0b10)
    heap = of_lists(1, (1, 1), (0, 0), certain=1)
    assert any(embeds(LISTS, heap, each) for each in Focus(LISTS, at("x", "v"), decides=decides).apply([start]))


@pytest.mark.parametrize("decides", [False, True])
def test_an_edge_to_a_node_that_may_be_absent_may_lead_elsewhere(decides: bool) -> None:
    """The edge of 0 leads to 1 if that is there, else perhaps to 2."""
    start = of_lists(3, (0b001, 0b001), (0b000_000_110, 0b000_000_010), certain=0b101)
    heap = of_lists(2, (0b01, 0b01), (0b00_10, 0b00_10), certain=0b11)
    assert any(embeds(LISTS, heap, each) for each in Focus(LISTS, NEXT_OF_X, decides=decides).apply([start]))


@pytest.mark.parametrize("size", [0, 1, 2])
def test_what_is_left_of_a_split_node_may_be_nothing(size: int) -> None:
    start = of_lists(1, (1, 0), (0, 0), certain=0, summaries=1)
    results = Focus(LISTS, at("x", "v"), decides=False).apply([start])
    heap = of_lists(size, (int(size > 0),) * 2, (0, 0), certain=(1 << size) - 1)
    assert any(embeds(LISTS, heap, each) for each in results)
    assert len(results) == 2  # x is null, or it points to a node beside which there may be others


# --- messages --------------------------------------------------------------------------------------------------------


def raised(formula: Formula, embedding: EmbeddingKind, *, after: bool = False) -> list[tuple[int, int]]:
    message = (Message(formula, "found"),)
    action = Action("tell", messages=() if after else message, messages_after=message if after else ())
    program, _ = graph(("start", action, "end"))
    words = Vocabulary((Predicate("x", 1),))
    many = NamedStructure(
        ("u",), unary={"x": {"u": Kleene.TRUE}}, summaries=frozenset({"u"}), mentioned=frozenset({"x", "sm"})
    )
    outcome = run(words, (), program, [many], Options(embedding=embedding))
    return [(report.times, report.definite) for report in outcome.messages]


@pytest.mark.parametrize("after", [False, True])
def test_messages_over_summaries_are_never_definite(after: bool) -> None:
    pointed = some("x")
    assert raised(pointed, "strict", after=after) == [(1, 1)]
    assert raised(pointed, "loose", after=after) == [(1, 0)]
    assert raised(Not(pointed), "strict", after=after) == []
    assert raised(Not(pointed), "loose", after=after) == [(1, 0)]


def test_messages_about_a_chosen_node_are_definite_only_if_it_is_there() -> None:
    """The precondition's variable stands for some node of a summary, if there is one."""
    words = Vocabulary((Predicate("p", 1),))
    many = NamedStructure(
        ("u",), unary={"p": {"u": Kleene.TRUE}}, summaries=frozenset({"u"}), mentioned=frozenset({"p", "sm"})
    )
    program, _ = graph(("start", Action("tell", (), at("p", "v"), (Message(at("p", "v"), "found"),)), "end"))
    kinds: dict[EmbeddingKind, int] = {"strict": 1, "loose": 0}
    for embedding, definite in kinds.items():
        outcome = run(words, (), program, [many], Options(embedding=embedding))
        assert [(report.times, report.definite) for report in outcome.messages] == [(1, definite)]


def test_focus_decides_whether_something_is_there_at_all() -> None:
    """After a test that nothing has p, no node has it."""
    kernel = kernel_of(Predicate("p", 1), Predicate("q", 1))
    draft = Draft.empty(kernel.signature, 2)
    draft.may[SUMMARY] = 0b11
    draft.may[4] = draft.must[4] = 0b01
    start = loosened(kernel.signature, draft)
    for holds in (True, False):
        condition = some("p") if holds else Not(some("p"))
        step = Transformer(kernel, Action("test", (some("p"),), condition)).apply(start)
        assert [result.n for result in step.results] == ([2] if holds else [1])
        none = Transformer(kernel, Action("test", (), Not(condition))).apply(step.results[0])
        assert len(none.results) == int(holds)  # what is there is forgotten again, what is not is not


def test_a_pointer_to_a_summary_may_be_null() -> None:
    """x(u) = 1 on a summary: x is null, or u is one node."""
    kernel = kernel_of(Predicate("x", 1, unique=True))
    draft = Draft.empty(kernel.signature, 1)
    draft.may[4] = draft.must[4] = draft.may[SUMMARY] = 1
    start = loosened(kernel.signature, draft)
    for holds, nodes in ((True, [1]), (False, [0])):
        condition = some("x") if holds else Not(some("x"))
        step = Transformer(kernel, Action("test", (at("x", "v"),), condition)).apply(start)
        assert [result.n for result in step.results] == nodes


# --- whole analyses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("join", JOINS)
def test_reversal_keeps_the_list_with_fewer_structures(join: JoinKind) -> None:
    strict, _ = analysed(Options(join=join))
    loose, labels = analysed(Options(join=join, embedding="loose"))
    assert loose.complete
    assert loose.breach is None
    assert loose.messages == ()
    assert not loose.structures[labels.index("error")]
    assert loose.structures_in_graph < strict.structures_in_graph
    for kept in loose.structures:
        for structure in kept:
            assert loosened(loose.signature, structure) == structure
        for one, other in itertools.permutations(kept, 2):
            assert not embeds(loose.signature, one, other)


def test_a_lost_list_is_still_reported() -> None:
    words = vocabulary(acyclic=True, variables="xyz")
    program, labels = graph(("start", assign("x", FALSE), "gone"), ("gone", lost("x"), "error"))
    outcome = run(words, order(), program, [LONG_LIST, EMPTY], Options(embedding="loose"))
    (report,) = outcome.messages
    assert (labels[report.location], report.times, report.definite) == ("gone", 1, 0)  # all nodes are one summary


def test_a_list_of_one_is_a_case_of_longer_ones() -> None:
    one = NamedStructure(("head",), unary={"x": {"head": Kleene.TRUE}}, mentioned=frozenset({"x"}))
    program, labels = graph(("start", null_test("x", True), "end"))
    words = vocabulary(acyclic=True, variables="xyz")
    counts = []
    for options in (Options(join="rel"), Options(join="rel", embedding="loose")):
        outcome = run(words, order(), program, [one, LONG_LIST, EMPTY], options)
        counts.append(len(outcome.structures[labels.index("end")]))
    assert counts == [2, 1]


def test_what_exists_in_a_summary_may_not_exist() -> None:
    draft = drawn(1, summaries=1)
    loose = loosened(SIGNATURE, draft)
    same = Exists(("u", "v"), And((Equal("u", "v"), Not(Atom("x", ("u",))))))
    function = Compiler(SIGNATURE).function([Request(same, (), MAY), Request(same, (), MUST)])
    assert function(list(loose.may), list(loose.must), Layouts().of(1)) == (1, 0)


# --- Definition 5 as printed -----------------------------------------------------------------------------------------

MARKED = Signature(Vocabulary((Predicate("x", 1), Predicate("y", 1), Predicate("q", 1), Predicate("n", 2))))


def marked(n: int, *, q: tuple[int, int] = (0, 0), summaries: int = 0, edges: int = 0, half: int = 0) -> Structure:
    """A structure whose nodes 0 and 1 are those of x and y; `q` is what may hold and what must."""
    draft = Draft.empty(MARKED, n)
    draft.may[SUMMARY] = summaries
    draft.may[4] = draft.must[4] = 0b01
    draft.may[5] = draft.must[5] = 0b10
    draft.may[6], draft.must[6] = q
    draft.may[7], draft.must[7] = edges | half, edges
    return draft.freeze()


def embeds_as_printed(small: Structure, big: Structure) -> bool:
    """Definition 5: binary values may also come from paths through nodes that the map leaves out."""
    n, m = small.n, big.n
    for image in itertools.product(range(m), repeat=n):
        left_out = (1 << m) - 1 & ~sum(1 << node for node in set(image))
        if left_out & ~big.may[SUMMARY] or any(image.count(v) > 1 and not big.may[SUMMARY] >> v & 1 for v in image):
            continue
        may, must = big.may[7], big.must[7]
        for _ in range(m):  # paths as values of Kleene's logic: what may hold and what must
            for k in range(m):
                if left_out >> k & 1:
                    for i, j in itertools.product(range(m), repeat=2):
                        may |= (may >> i * m + k & may >> k * m + j & 1) << i * m + j
                        must |= (must >> i * m + k & must >> k * m + j & 1) << i * m + j
        unary = all(
            small.may[p] >> u & 1 <= big.may[p] >> v & 1 and big.must[p] >> v & 1 <= small.must[p] >> u & 1
            for p in (4, 5, 6)
            for u, v in enumerate(image)
        )
        binary = all(
            small.may[7] >> i * n + j & 1 <= may >> image[i] * m + image[j] & 1
            and must >> image[i] * m + image[j] & 1 <= small.must[7] >> i * n + j & 1
            for i, j in itertools.product(range(n), repeat=2)
        )
        if unary and binary:
            return True
    return False


# x -> y, and a node c without q; x -> v* -> y where v has q, and c; v and c merged.
SHORT = marked(3, edges=0b000_000_010)
LONG = marked(4, q=(0b1000, 0b1000), summaries=0b1000, half=0b0010_0000_0000_1000)
MERGED = marked(3, q=(0b100, 0), summaries=0b100, half=0b010_000_100)


def test_the_printed_definition_is_not_transitive() -> None:
    assert embeds_as_printed(SHORT, LONG)
    assert embeds_as_printed(LONG, MERGED)
    assert not embeds_as_printed(SHORT, MERGED)


def test_loosened_structures_are_ordered_there() -> None:
    short, long, merged = (loosened(MARKED, structure) for structure in (SHORT, LONG, MERGED))
    assert embeds(MARKED, short, long)
    assert embeds(MARKED, long, merged)
    assert embeds(MARKED, short, merged)


# --- adaptive embedding ----------------------------------------------------------------------------------------------


def listed(*, more: bool, shared: bool = False) -> Structure:
    """x points to a node; if there are more, they are a summary that it leads to."""
    draft = Draft.empty(LISTS, 1 + more)
    draft.may[4] = draft.must[4] = 1
    if more:
        draft.may[SUMMARY] = 0b10
        draft.may[5] = 0b10_10 if shared else 0b10
    return blur(LISTS, draft)


@pytest.mark.parametrize("join", JOINS)
def test_a_summary_becomes_optional_where_that_makes_two_structures_one(join: JoinKind) -> None:
    one, many = listed(more=False), listed(more=True)
    for first, second in ((one, many), (many, one)):
        store = make_structure_set(join, LISTS, embedding="adaptive")
        assert store.add(first) == first
        both = store.add(second)
        assert list(store) == [both] == [loosened(LISTS, many)]
        assert store.outdated(first)
        assert store.add(one) is None
        assert store.add(many) is None


@pytest.mark.parametrize("join", JOINS)
def test_a_summary_stays_where_it_makes_nothing_one(join: JoinKind) -> None:
    """A node that must be met is single, or a value differs: both structures stay as they are."""
    single = listed(more=True).draft()
    single.may[SUMMARY] = 0
    tied = listed(more=False).draft()
    tied.may[5] = tied.must[5] = 1
    for first, second in ((listed(more=False), single.freeze()), (tied.freeze(), listed(more=True))):
        store = make_structure_set(join, LISTS, embedding="adaptive")
        assert store.add(first) == first
        assert store.add(second) == second
        assert set(store) == {first, second}


def bridged(*, middle: bool) -> Structure:
    """x -> y, with a summary between them or without."""
    draft = Draft.empty(MARKED, 3 if middle else 2)
    draft.may[4] = draft.must[4] = 0b01
    draft.may[5] = draft.must[5] = 0b10
    if middle:
        draft.may[SUMMARY], draft.may[7] = 0b100, 0b010_000_100
    else:
        draft.may[7] = draft.must[7] = 0b00_10
    return blur(MARKED, draft)


def test_pairs_are_connected_only_where_a_structure_connects_them() -> None:
    store = make_structure_set("part", MARKED, embedding="adaptive")
    store.add(bridged(middle=True))
    (kept,) = [store.add(bridged(middle=False))]
    assert kept is not None
    assert list(store) == [kept]
    x, y = (kept.must[p].bit_length() - 1 for p in (4, 5))
    assert kept.value(7, x, y) is Kleene.HALF
    assert kept.value(7, y, x) is Kleene.FALSE
    assert embeds(MARKED, kept, loosened(MARKED, bridged(middle=True)))


def test_reversal_keeps_the_list_with_fewer_structures_by_need() -> None:
    strict, _ = analysed(Options())
    adaptive, labels = analysed(Options(embedding="adaptive"))
    assert adaptive.complete
    assert adaptive.messages == ()
    assert not adaptive.structures[labels.index("error")]
    assert adaptive.structures_in_graph < strict.structures_in_graph
