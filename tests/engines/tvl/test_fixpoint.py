"""Whole analyses of small list programs: what is reached, what is reported, and what is refused."""

from __future__ import annotations

import pickle
import time

import pytest
from engines.tvl.lists import at, order, vocabulary

from heapwright.base.errors import InputError
from heapwright.base.source import NOWHERE, Span
from heapwright.engines.api import Limits
from heapwright.engines.tvl.fixpoint import Options, TvlOutcome, run
from heapwright.engines.tvl.structure_conversion import write_structure
from heapwright.engines.tvl.structures.embedding import embeds
from heapwright.engines.tvl.structures.join import JOINS, JoinKind
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind
from heapwright.logic.actions import Action, Message, NamedStructure, NewNodes, Update
from heapwright.logic.formulas import FALSE, TRUE, And, Exists, Formula, Kleene, Not, Or
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary
from heapwright.program.graph import Edge, Graph, Location

HALF = Kleene.HALF
LONG_LIST = NamedStructure(
    ("head", "tail"),
    unary={"x": {"head": Kleene.TRUE}, "rx": {"head": Kleene.TRUE, "tail": Kleene.TRUE}},
    binary={
        "n": {("head", "tail"): HALF, ("tail", "tail"): HALF},
        "t": {
            ("head", "head"): Kleene.TRUE,
            ("head", "tail"): Kleene.TRUE,
            ("tail", "tail"): HALF,
        },
    },
    summaries=frozenset({"tail"}),
    mentioned=frozenset({"x", "n", "t", "rx", "sm"}),
)
EMPTY = NamedStructure(())


def graph(*edges: tuple[str, Action, str]) -> tuple[Graph[Action], list[str]]:
    labels = list(dict.fromkeys(label for source, _, target in edges for label in (source, target)))
    locations = tuple(Location(index, NOWHERE, "") for index in range(len(labels)))
    made = tuple(Edge(labels.index(source), action, labels.index(target)) for source, action, target in edges)
    return Graph(locations, made, 0), labels


def some(name: str) -> Formula:
    return Exists(("v",), at(name, "v"))


def next_of(name: str) -> Formula:
    return Exists(("u",), And((at(name, "u"), at("n", "u", "v"))))


def behind(name: str) -> Formula:
    return Exists(("u", "w"), And((at(name, "u"), at("n", "u", "w"), at("t", "w", "v"))))


def assign(target: str, value: Formula, *focus: Formula) -> Action:
    return Action(f"{target} = ...", focus=focus, updates=(Update(target, ("v",), value),))


def null_test(name: str, holds: bool) -> Action:
    formula = some(name)
    return Action(f"{name} is null", focus=(at(name, "v"),), precondition=formula if holds else Not(formula))


LINK = And((at("z", "v"), at("x", "w")))
CUT = And((at("n", "v", "w"), Not(at("y", "v"))))


def list_vocabulary() -> Vocabulary:
    return vocabulary(acyclic=True, variables="xyz")


def reverse() -> tuple[Graph[Action], list[str]]:
    link = Or((at("n", "v", "w"), And((at("y", "v"), at("z", "w")))))
    return graph(
        ("start", assign("y", FALSE), "loop"),
        ("loop", null_test("x", False), "exit"),
        ("loop", null_test("x", True), "a"),
        ("a", assign("z", at("y", "v"), at("y", "v")), "b"),
        ("b", assign("y", at("x", "v"), at("x", "v")), "c"),
        ("c", assign("x", next_of("x"), behind("x")), "d"),
        ("d", Action("y.n = null", (at("y", "v"), behind("y")), updates=(Update("n", ("v", "w"), CUT),)), "e"),
        (
            "e",
            Action(
                "y.n = z",
                (at("y", "v"), at("z", "v"), Exists(("u",), And((at("z", "u"), at("t", "u", "v"))))),
                updates=(Update("n", ("v", "w"), link),),
            ),
            "loop",
        ),
        ("exit", lost("y"), "error"),
    )


def lost(name: str) -> Action:
    formula = Exists(("v",), Not(at(f"r{name}", "v")))
    message = Message(formula, f"something is not reachable from {name}")
    return Action("leak", (at(name, "v"),), formula, (message,))


def analysed(options: Options | None = None) -> tuple[TvlOutcome, list[str]]:
    program, labels = reverse()
    return run(list_vocabulary(), order(), program, [LONG_LIST, EMPTY], options), labels


def test_reversal_keeps_the_list() -> None:
    outcome, labels = analysed(Options(join="rel"))
    assert outcome.complete
    assert outcome.breach is None
    assert outcome.messages == ()
    assert not outcome.structures[labels.index("error")]
    assert outcome.structures[labels.index("exit")]
    assert outcome.structures_total == outcome.structures_in_graph


@pytest.mark.parametrize("join", ["part", "part_embedding"])
def test_structures_that_were_merged_need_not_be_pushed_on(join: JoinKind) -> None:
    """The loop makes lists of one, two and more nodes, which are merged while they wait."""
    program, _ = graph(
        ("loop", Action("new z", new=NewNodes(), updates=(Update("z", ("v",), at("isNew", "v")),)), "a"),
        ("a", Action("z.n = x", updates=(Update("n", ("v", "w"), Or((at("n", "v", "w"), LINK))),)), "b"),
        ("b", assign("x", at("z", "v")), "c"),
        ("c", assign("z", FALSE), "loop"),
    )
    words = list_vocabulary()
    every, newest = (
        run(words, order(), program, [EMPTY], Options(join=join, outdated=outdated)) for outdated in (True, False)
    )
    assert every.complete
    assert newest.complete
    assert newest.structures_total <= every.structures_total
    for here, there in zip(newest.structures, every.structures, strict=True):
        assert all(any(embeds(newest.signature, one, other) for other in here) for one in there)


@pytest.mark.parametrize("embedding", ["strict", "loose", "adaptive"])
def test_refinement_by_meet_finds_the_same(embedding: EmbeddingKind) -> None:
    for join in JOINS:
        by_formula, _ = analysed(Options(join=join, embedding=embedding))
        by_meet, _ = analysed(Options(join=join, embedding=embedding, refine="meet"))
        assert by_meet.complete
        assert by_meet.structures == by_formula.structures
        assert by_meet.messages == by_formula.messages


def test_partial_join_keeps_fewer_structures() -> None:
    relational, _ = analysed(Options(join="rel"))
    partial, _ = analysed(Options(join="part"))
    embedding, _ = analysed(Options(join="part_embedding"))
    assert partial.structures_in_graph <= embedding.structures_in_graph <= relational.structures_in_graph
    assert partial.messages == ()
    maximal, _ = analysed(Options(join="maximal"))
    assert maximal.complete
    assert maximal.structures_in_graph <= relational.structures_in_graph


def test_the_same_every_time() -> None:
    first, _ = analysed()
    second, _ = analysed()
    assert first.structures == second.structures
    assert pickle.loads(pickle.dumps(first)).structures == first.structures


def test_a_lost_list_is_reported_with_its_trace() -> None:
    program, labels = graph(("start", assign("x", FALSE), "gone"), ("gone", lost("x"), "error"))
    outcome = run(list_vocabulary(), order(), program, [LONG_LIST, EMPTY])
    (report,) = outcome.messages
    assert (labels[report.location], report.times, report.definite) == ("gone", 1, 1)
    assert [labels[node.location] for node in report.node.path()] == [
        "start",
        "gone",
    ]


def test_possible_messages_are_kept_apart() -> None:
    program, _ = graph(("start", Action("look", messages=(Message(next_exists("x"), "has a successor"),)), "end"))
    (report,) = run(list_vocabulary(), order(), program, [LONG_LIST]).messages
    assert (report.times, report.definite) == (1, 0)


def next_exists(name: str) -> Formula:
    return Exists(("u", "v"), And((at(name, "u"), at("n", "u", "v"))))


def test_a_closed_cycle_is_reported() -> None:
    loop = Or((at("n", "v", "w"), And((at("x", "v"), at("x", "w")))))
    program, _ = graph(("start", Action("x.n = x", (at("x", "v"),), updates=(Update("n", ("v", "w"), loop),)), "end"))
    single = NamedStructure(("head",), unary={"x": {"head": Kleene.TRUE}}, mentioned=frozenset({"x"}))
    outcome = run(list_vocabulary(), order(), program, [single])
    assert [(m.text, m.definite) for m in outcome.messages] == [("Closed cycle for acyclic predicate n", 0)]
    assert outcome.breach is not None  # of acyclicity, hence the doubt
    assert not outcome.complete


def test_an_update_that_breaks_a_constraint_is_told() -> None:
    words = Vocabulary((Predicate("a", 1), Predicate("b", 1)))
    rule = Constraint(at("a", "v"), at("b", "v"))
    program, _ = graph(("start", Action("spoil", updates=(Update("a", ("v",), TRUE),)), "end"))
    outcome = run(words, (rule,), program, [NamedStructure(("u",))])
    assert outcome.breach is not None
    assert outcome.breach.constraint.head == at("b", "v")
    assert not outcome.complete


def test_values_that_are_left_out_are_computed() -> None:
    single = NamedStructure(("head",), unary={"x": {"head": Kleene.TRUE}}, mentioned=frozenset({"x"}))
    program, _ = graph(("start", Action("skip"), "end"))
    outcome = run(list_vocabulary(), order(), program, [single])
    written = write_structure(outcome.signature, outcome.structures[1][0])
    assert written.unary["rx"] == {"u0": Kleene.TRUE}
    assert written.binary["t"] == {("u0", "u0"): Kleene.TRUE}


def test_structures_that_break_constraints_are_refused() -> None:
    two = NamedStructure(
        ("u", "w"),
        unary={"x": {"u": Kleene.TRUE, "w": Kleene.TRUE}},
        mentioned=frozenset({"x"}),
        span=Span("lists.tvs", 3, 1),
    )
    program, _ = graph(("start", Action("skip"), "end"))
    with pytest.raises(InputError, match=r"lists\.tvs:3:1: the structure violates the constraint"):
        run(list_vocabulary(), order(), program, [two])


def test_a_node_is_new_only_while_it_is_made() -> None:
    make = Action("x = new", new=NewNodes(), updates=(Update("x", ("v",), at("isNew", "v")),))
    program, labels = graph(("start", make, "one"), ("one", make, "two"))
    outcome = run(list_vocabulary(), order(), program, [EMPTY])
    (structure,) = outcome.structures[labels.index("two")]
    written = write_structure(outcome.signature, structure)
    assert len(written.nodes) == 2
    assert "isNew" not in written.unary
    assert len(written.unary["x"]) == 1


def test_limits_stop_it_and_nothing_is_proved() -> None:
    program, _ = reverse()
    outcome = run(list_vocabulary(), order(), program, [LONG_LIST], limits=Limits(deadline=time.monotonic()))
    assert not outcome.complete
    assert not run(list_vocabulary(), order(), program, [LONG_LIST], limits=Limits(states=5)).complete


def test_definitions_in_a_circle_are_refused() -> None:
    words = Vocabulary((Predicate("a", 1, at("b", "v"), ("v",)), Predicate("b", 1, at("a", "v"), ("v",))))
    program, _ = graph(("start", Action("skip"), "end"))
    with pytest.raises(InputError, match="depends on itself"):
        run(words, (), program, [EMPTY])
