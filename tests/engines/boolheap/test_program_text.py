"""A Boolean heap program that was written, read back and run proves what the analysis proved, without a prover."""

from __future__ import annotations

import pytest
from support.collection import PROGRAMS

from heapwright.analysis.pipeline import build
from heapwright.base.errors import InputError
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.boolheap.abstraction.cartesian_post import Deductions
from heapwright.engines.boolheap.concrete.formula_samples import Samples
from heapwright.engines.boolheap.concrete.small_heaps import sample
from heapwright.engines.boolheap.engine import signature
from heapwright.engines.boolheap.fixpoint import Analysis
from heapwright.engines.boolheap.heap_program import translate
from heapwright.engines.boolheap.logic.parser import parse
from heapwright.engines.boolheap.logic.printing import text as printed
from heapwright.engines.boolheap.predicates.suggested_predicates import suggested_predicates
from heapwright.engines.boolheap.program_text import deserialize, serialize
from heapwright.engines.boolheap.prover.entailment import Prover
from heapwright.testing.expectations import read as expected


def analysed(name: str) -> Analysis:
    path = PROGRAMS / f"{name}.c"
    program = build(expected(path).input(path), lambda phase: None)
    predicates = suggested_predicates(program, [parse("#main::$result = 0")])
    consists = signature(program, predicates)
    samples = Samples(sample(consists, 300), consists)
    limits = Limits()
    prover = Prover()
    analysis = Analysis(translate(program, predicates, prover), Deductions(samples, prover), limits, NullProgress())
    analysis.run()
    assert analysis.complete
    return analysis


@pytest.fixture(scope="module", params=["lists/unbounded_ok", "lists/build_free_bad_uaf"])
def analysis(request: pytest.FixtureRequest) -> Analysis:
    return analysed(request.param)


def test_the_text_runs_to_the_same_end(analysis: Analysis) -> None:
    program, rules = deserialize(serialize(analysis.program, analysis.deductions))
    again = Analysis(program, rules, Limits(), NullProgress())
    again.run()
    assert again.complete
    assert set(again.alarms) == set(analysis.alarms)
    assert {place: set(heaps.values()) for place, heaps in again.at.items()} == {
        place: set(heaps.values()) for place, heaps in analysis.at.items()
    }


def test_writing_what_was_read_changes_nothing(analysis: Analysis) -> None:
    text = serialize(analysis.program, analysis.deductions)
    assert serialize(*deserialize(text)) == text


def test_without_its_rules_it_proves_less(analysis: Analysis) -> None:
    text = serialize(analysis.program, analysis.deductions)
    bare = text.split("\nrules", 1)[0]
    again = Analysis(*deserialize(bare), Limits(), NullProgress())
    again.run()
    assert len(again.alarms) > len(analysis.alarms)


def test_the_kind_of_post_is_in_the_text() -> None:
    text = "boolean heap program\npredicate x = v\nlocation 0: 0\nentry 0\nstart *\n"
    assert deserialize(text)[0].context
    program, rules = deserialize(text.replace("\n", "\npost cartesian\n", 1))
    assert not program.context
    assert not Analysis(program, rules, Limits(), NullProgress()).columns.context
    assert "post cartesian" in serialize(program, rules)


def test_a_rule_may_deny_a_predicate_that_is_a_disjunction() -> None:
    """The negation of a disjunction is a conjunction, and still one literal."""
    lines = ["boolean heap program", "predicate null = v.prev | v.prev.next = v", "predicate x = v", "location 0: 0 1"]
    rule = "    true if !(null = v.prev | v = v.prev.next) & (x = v)"
    text = "\n".join([*lines, "entry 0", "start **", "rules -", "  x = v supposing true", rule, ""])
    _, rules = deserialize(text)
    ((_, deduction),) = rules.all()
    (cube,) = deduction.query(parse("true"), parse("x = v")).proving.found
    assert (cube.ones, cube.zeros) == (0b10, 0b01)
    assert serialize(*deserialize(text)).splitlines()[-1].count("!") == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "does not begin with"),
        ("int main(void) {}", "does not begin with"),
        ("boolean heap program\npredicate reach(x\n", "line 2"),
        ("boolean heap program\nlocation 0:\nentry 0\nedge 0 -> 7: x = y\n", "a location that does not exist"),
        ("boolean heap program\nfrobnicate\n", "unknown declaration 'frobnicate'"),
        (
            "boolean heap program\npredicate x = v\nlocation 0: 0\nrules -\n  x = v supposing true\n"
            "    true if !(x = v) | x = v\n",
            "is not a literal",
        ),
    ],
)
def test_bad_texts_get_a_sentence(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        deserialize(text)


@pytest.mark.parametrize(
    "given", ["next#2 = v", "main::next#2#key < #i#3", "reach(next#2, v, next)", "v#key = #next#2"]
)
def test_second_variables_of_a_name(given: str) -> None:
    assert parse(printed(parse(given))) == parse(given)
    assert printed(parse(given)).count("#2") == given.count("#2")
