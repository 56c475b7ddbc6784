"""Encoders: connectives mean what the solver's do, and a formula is encoded once."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from heapwright.logic.connectives import FALSE, TRUE, And, Not, Or, Truth, atoms
from heapwright.smt.encoder import Encoder
from heapwright.smt.session import SECOND, Answer, Session
from heapwright.smt.terms import Term, negation


class _Propositions(Encoder[Any]):
    def __init__(self) -> None:
        super().__init__()
        self.encoded: list[str] = []

    def atom(self, atom: str) -> Term:
        self.encoded.append(atom)
        return self.symbols.boolean(atom)


def _value(formula: Any, true: set[str]) -> bool:
    match formula:
        case Truth(value):
            return value
        case Not(operand):
            return not _value(operand, true)
        case And(operands):
            return all(_value(operand, true) for operand in operands)
        case Or(operands):
            return any(_value(operand, true) for operand in operands)
    return formula in true


FORMULAS = st.recursive(
    st.sampled_from(["p", "q", "r", TRUE, FALSE]),
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=1, max_size=3).map(lambda operands: And(tuple(operands))),
        st.lists(inner, min_size=1, max_size=3).map(lambda operands: Or(tuple(operands))),
    ),
    max_leaves=8,
)


@given(FORMULAS, st.sets(st.sampled_from("pqr")))
@settings(max_examples=60, deadline=None)
def test_a_formula_holds_where_its_term_does(formula: Any, true: set[str]) -> None:
    encoder = _Propositions()
    given = [encoder.formula(name) if name in true else negation(encoder.formula(name)) for name in "pqr"]
    answer = Session(encoder.symbols, units=60 * SECOND).check([*given, encoder.formula(formula)]).answer
    assert (answer is Answer.SAT) is _value(formula, true)
    assert set(atoms(formula)) <= set("pqr")


def test_each_formula_is_encoded_once() -> None:
    encoder = _Propositions()
    encoder.formula(And(("p", Or(("p", "q")))))
    encoder.formula(Not(And(("p", Or(("p", "q"))))))
    assert encoder.encoded == ["p", "q"]


def test_marks_tell_a_core() -> None:
    encoder = _Propositions()
    marked = [encoder.marked(f"mark {place}", one) for place, one in enumerate(["p", "q", Not("p")])]
    query = Session(encoder.symbols, units=60 * SECOND).check([one for _, one in marked], [mark for mark, _ in marked])
    assert query.core() == [0, 2]
