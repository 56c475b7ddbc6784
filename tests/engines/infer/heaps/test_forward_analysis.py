"""What the forward analysis says of pointers against concrete heaps: true before a step, true after it."""

from __future__ import annotations

from pathlib import Path

from engines.infer.heaps.shapes import VARIABLES, VOCABULARY, describes, describing, heap, step
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from heapwright.analysis.pipeline import Input, build
from heapwright.engines.infer.algorithm import Transformer
from heapwright.engines.infer.heaps.domain import Shapes
from heapwright.engines.infer.heaps.forward_analysis import after as situations_after
from heapwright.engines.infer.heaps.forward_analysis import location_facts
from heapwright.engines.infer.heaps.inference import infer
from heapwright.engines.infer.heaps.pointer_facts import NULL, Fact, Kind, PointerFacts, closed
from heapwright.engines.infer.heaps.program_translation import translate
from heapwright.engines.infer.heaps.prover.solver import Solver
from heapwright.engines.infer.heaps.steps import NOWHERE, GuardedStep, HavocVariable, Heap, Plain, after
from heapwright.engines.infer.heaps.structure import HALF


def is_true(fact: Fact, one: Heap) -> bool:
    kind, first, second = fact
    here, there = one.at[first], NOWHERE if second == NULL else one.at[second]
    reached, other = set(one.reached(here)), set(one.reached(there))
    return {
        Kind.SAME: here == there,
        Kind.DIFFERENT: here != there,
        Kind.NEXT: here != NOWHERE and one.next[0][here] == there,
        Kind.PATH: there in reached,
        Kind.AWAY: there not in reached,
        Kind.APART: not reached & other,
        Kind.ALONE: here != NOWHERE and not any(here in following for following in one.next),
    }[kind]


def agrees(state: PointerFacts, one: Heap) -> bool:
    nulls = all(value in (HALF, int(where == NOWHERE)) for value, where in zip(state.null, one.at, strict=True))
    return nulls and all(is_true(fact, one) for fact in state.facts)


@st.composite
def facts_of(draw: st.DrawFn, one: Heap) -> PointerFacts:
    """Some of what is true of a heap."""
    facts: list[Fact] = [
        (kind, i, j) for kind in Kind if kind is not Kind.ALONE for i in VARIABLES for j in VARIABLES if i != j
    ]
    facts += [(kind, i, NULL) for kind in (Kind.NEXT, Kind.ALONE) for i in VARIABLES]
    kept = [fact for fact in facts if is_true(fact, one) and draw(st.booleans())]
    null = [int(where == NOWHERE) if draw(st.booleans()) else HALF for where in one.at]
    found = closed(null, kept)
    assert found is not None, "what is true is no contradiction"
    return found


@given(heap(), st.data())
@settings(max_examples=150, deadline=None)
def test_what_follows_is_true(one: Heap, data: st.DataObject) -> None:
    assert agrees(data.draw(facts_of(one)), one)


@given(heap(), step, st.data())
@settings(max_examples=300, deadline=None)
def test_no_step_is_missed(before: Heap, taken: Plain, data: st.DataObject) -> None:
    then = after(before, taken)
    assume(then is not None and not isinstance(taken, HavocVariable))
    assert then is not None
    assert any(agrees(found, then) for found in situations_after(data.draw(facts_of(before)), taken))


@given(heap(), step, st.data())
@settings(max_examples=20, deadline=None)
def test_going_back_in_a_situation_misses_no_heap(before: Heap, taken: Plain, data: st.DataObject) -> None:
    then = after(before, taken)
    assume(then is not None)
    assert then is not None
    structure, state = data.draw(describing(then)), data.draw(facts_of(before))
    solver = Solver(VOCABULARY, dangling=True)
    found = Transformer(Shapes(VOCABULARY), solver).apply(structure, GuardedStep(taken, ((state,),)))
    assert any(describes(VOCABULARY, one, before) for one in found)
    assert not solver.counts.unknown


REVERSE = """\
struct node { struct node *n; };
struct node *reverse(struct node *x) {
    struct node *y = 0;
    while (x != 0) { struct node *t = y; y = x; x = x->n; y->n = t; }
    return y;
}
"""


def test_what_is_turned_around_and_what_is_left_are_apart(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(REVERSE)
    task = translate(build(Input((str(file),), function="reverse"), phase=lambda text: None))
    x, y = (task.vocabulary.variables.index(name) for name in "xy")
    known = location_facts(task.arcs, task.start, len(task.vocabulary.variables))
    assert any((Kind.APART, x, y) in one.facts and 1 not in one.null[:2] for here in known.values() for one in here[0])
    found, without = infer(task), infer(task, forward=False)
    assert not any(result.failing for result in (*found.results, *without.results))
    assert found.counts.questions * 10 < without.counts.questions
