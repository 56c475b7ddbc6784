"""Sessions: the three answers, models, unsatisfiable cores, statistics."""

from __future__ import annotations

import pytest

from heapwright.smt.session import SECOND, Answer, Session
from heapwright.smt.terms import (
    Function,
    Symbols,
    Term,
    conj,
    disj,
    exists,
    for_all,
    implies,
    ite,
    negation,
    select,
    store,
)


@pytest.fixture
def symbols() -> Symbols:
    return Symbols()


@pytest.fixture
def session(symbols: Symbols) -> Session:
    return Session(symbols, units=60 * SECOND)


def pigeons(symbols: Symbols, holes: int) -> list[Term]:
    """One pigeon more than there are holes: exponentially hard by resolution."""
    sits = [[symbols.boolean(f"{pigeon} in {hole}") for hole in range(holes)] for pigeon in range(holes + 1)]
    alone = [
        negation(conj(sits[one][hole], sits[other][hole]))
        for hole in range(holes)
        for one in range(holes + 1)
        for other in range(one)
    ]
    return [*(disj(*row) for row in sits), *alone]


def test_a_limit_leaves_the_answer_unknown(symbols: Symbols) -> None:
    query = Session(symbols, units=SECOND // 100).check(pigeons(symbols, 13))
    assert query.answer is Answer.UNKNOWN
    assert query.interrupted


def test_a_query_of_its_own_limit(symbols: Symbols) -> None:
    session, formulas = Session(symbols, units=1_000), pigeons(symbols, 5)
    assert session.check(formulas).answer is Answer.UNKNOWN
    assert session.check(formulas, units=SECOND).answer is Answer.UNSAT
    assert session.check(formulas).interrupted


def test_what_is_given_up_without_an_interruption(symbols: Symbols) -> None:
    """Without models of quantifiers one that nothing instantiates stays open."""
    f, x = Function("f", symbols.integers, symbols.integers), symbols.integer("x")
    query = Session(symbols, units=60 * SECOND, mbqi=False).check([for_all([x], f(x) > x, f(x))])
    assert query.answer is Answer.UNKNOWN
    assert not query.interrupted


def test_a_core_has_the_places_of_assumptions(symbols: Symbols, session: Session) -> None:
    x, y = symbols.integer("x"), symbols.integer("y")
    marks = [symbols.boolean(f"mark {place}") for place in range(3)]
    claims = [x <= 0, y <= 7, x >= 1]
    formulas = [implies(mark, claim) for mark, claim in zip(marks, claims, strict=True)]
    query = session.check(formulas, marks)
    assert query.answer is Answer.UNSAT
    assert query.core() == [0, 2]
    assert session.check(formulas, marks[:2]).answer is Answer.SAT


def test_an_assumption_may_come_twice(symbols: Symbols, session: Session) -> None:
    p = symbols.boolean("p")
    assert session.check([negation(p)], [p, p]).core() == [0, 1]


def test_a_model_has_values_for_all_terms(symbols: Symbols, session: Session) -> None:
    x, unused, p = symbols.integer("x"), symbols.integer("unused"), symbols.boolean("p")
    model = session.check([x + 1 == 8, implies(x >= 7, p)]).model()
    assert model.number(x) == 7
    assert model.number(x + ite(p, symbols.number(10), symbols.number(20))) == 17
    assert isinstance(model.number(unused), int)
    assert model.holds(p)
    assert not model.holds(x < 7)


def test_a_model_of_arrays(symbols: Symbols, session: Session) -> None:
    cells = symbols.constant("cells", symbols.arrays(symbols.integers, symbols.integers))
    later = store(cells, symbols.number(3), symbols.number(5))
    model = session.check([select(cells, symbols.number(2)) == 4]).model()
    assert [model.number(select(later, symbols.number(place))) for place in (2, 3)] == [4, 5]


def test_a_complete_model_has_all_rows(symbols: Symbols, session: Session) -> None:
    """Others leave out what is the same as the default, and asking for a complete one does not change them."""
    objects = symbols.sort("Object")
    a, b = (symbols.constant(name, objects) for name in "ab")
    edge = symbols.relation("edge", objects, objects)
    formulas = [edge(a, b), edge(b, a), negation(edge(a, a))]
    compact = session.check(formulas).model().relations()["edge"]
    complete = session.check(formulas).model(complete=True)
    first, second = complete.value(a).get_id(), complete.value(b).get_id()
    assert complete.relations()["edge"] == {(first, second): True, (second, first): True, (first, first): False}
    assert len(complete.universe(objects)) == 2
    again = session.check(formulas).model().relations()["edge"]
    assert list(again.values()) == list(compact.values()) == [False]


def test_quantifiers(symbols: Symbols, session: Session) -> None:
    objects = symbols.sort("Object")
    x, a = symbols.constant("x", objects), symbols.constant("a", objects)
    marked = symbols.relation("marked", objects)
    assert session.check([for_all([x], marked(x)), negation(marked(a))]).answer is Answer.UNSAT
    assert session.check([exists([x], marked(x)), negation(marked(a))]).answer is Answer.SAT


def test_a_query_is_restricted(symbols: Symbols, session: Session) -> None:
    x = symbols.integer("x")
    query = session.check([x >= 100])
    assert query.restrict(x <= 100) is Answer.SAT
    assert query.model().number(x) == 100
    assert query.restrict(x < 100) is query.answer is Answer.UNSAT
    assert session.statistics.queries == 1


def test_the_incremental_solver_takes_back_what_was_asserted(symbols: Symbols) -> None:
    session, x = Session(symbols, units=60 * SECOND, simple=False), symbols.integer("x")
    answers = [session.answer(formulas) for formulas in ([x > 0, x < 1], [x > 0], [x < 1])]
    assert answers == [Answer.UNSAT, Answer.SAT, Answer.SAT]
    with pytest.raises(AttributeError):
        session.answer([x > 0, object()])
    assert session.answer([x < 1]) is Answer.SAT


def test_statistics(symbols: Symbols, session: Session) -> None:
    x = symbols.integer("x")
    assert (session.statistics.queries, session.statistics.seconds) == (0, 0.0)
    session.check([x > 0])
    session.answer([x > 0])
    assert session.statistics.queries == 2
    assert session.statistics.seconds > 0.0
    both = session.statistics + session.statistics
    assert (both.queries, both.seconds) == (4, 2 * session.statistics.seconds)


def test_smtlib(symbols: Symbols, session: Session) -> None:
    text = session.check([symbols.integer("x") < 3]).smtlib()
    assert "(declare-fun x () Int)" in text
    assert "(check-sat)" in text
