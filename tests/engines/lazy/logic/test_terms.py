"""Formulas mean what they were made of: constructors, substitution and writes against plain evaluation."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from heapwright.engines.lazy.logic.solver import Solver
from heapwright.engines.lazy.logic.substitution import before_write, substituted
from heapwright.engines.lazy.logic.terms import (
    AtMost,
    Cell,
    Choice,
    Formula,
    NotZero,
    Term,
    Variable,
    Zero,
    cell,
    choice,
    conj,
    disj,
    eq,
    le,
    ne,
    negation,
    num,
    plus,
    times,
    var,
)
from heapwright.engines.lazy.paths.interpolants import for_all
from heapwright.logic.connectives import And, Or, Truth

Heap = Mapping[tuple[str, int], int]
NAMES = ("x", "y", "z")


def value(term: Term, numbers: Mapping[str, int], heap: Heap) -> int:
    found = term.constant
    for leaf, factor in term.parts:
        match leaf:
            case Variable(name):
                found += factor * numbers[name]
            case Cell(array, index):
                found += factor * heap.get((array, value(index, numbers, heap)), 0)
            case Choice(condition, then, other):
                found += factor * value(then if truth(condition, numbers, heap) else other, numbers, heap)
    return found


def truth(formula: Formula, numbers: Mapping[str, int], heap: Heap) -> bool:
    match formula:
        case Truth(known):
            return known
        case AtMost(term):
            return value(term, numbers, heap) <= 0
        case Zero(term):
            return value(term, numbers, heap) == 0
        case NotZero(term):
            return value(term, numbers, heap) != 0
        case And(operands):
            return all(truth(one, numbers, heap) for one in operands)
        case Or(operands):
            return any(truth(one, numbers, heap) for one in operands)
    raise ValueError(formula)


small = st.integers(-2, 2)
numbers_of = st.fixed_dictionaries(dict.fromkeys(NAMES, small))
heaps = st.dictionaries(st.tuples(st.sampled_from(["h", "n"]), small), small, max_size=6)
plain = st.one_of(st.builds(num, small), st.builds(var, st.sampled_from(NAMES)))
terms = st.recursive(
    plain,
    lambda inner: st.one_of(
        st.builds(plus, inner, inner),
        st.builds(times, inner, small),
        st.builds(cell, st.sampled_from(["h", "n"]), inner),
        st.builds(lambda a, b, c, d: choice(le(a, b), c, d), inner, inner, inner, inner),
    ),
    max_leaves=6,
)
comparisons = st.one_of(st.builds(le, terms, terms), st.builds(eq, terms, terms), st.builds(ne, terms, terms))
formulas = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.builds(lambda a, b: conj((a, b)), inner, inner),
        st.builds(lambda a, b: disj((a, b)), inner, inner),
        st.builds(negation, inner),
    ),
    max_leaves=5,
)


@given(terms, terms, numbers_of, heaps)
def test_comparisons_mean_what_they_compare(left: Term, right: Term, numbers: dict[str, int], heap: Heap) -> None:
    one, other = value(left, numbers, heap), value(right, numbers, heap)
    assert truth(le(left, right), numbers, heap) == (one <= other)
    assert truth(eq(left, right), numbers, heap) == (one == other)


@given(formulas, formulas, numbers_of, heaps)
def test_connectives(one: Formula, other: Formula, numbers: dict[str, int], heap: Heap) -> None:
    first, second = truth(one, numbers, heap), truth(other, numbers, heap)
    assert truth(negation(one), numbers, heap) == (not first)
    assert truth(conj((one, other)), numbers, heap) == (first and second)
    assert truth(disj((one, other)), numbers, heap) == (first or second)


@given(formulas, terms, numbers_of, heaps)
def test_substitution_is_assignment(formula: Formula, term: Term, numbers: dict[str, int], heap: Heap) -> None:
    after = {**numbers, "x": value(term, numbers, heap)}
    assert truth(substituted(formula, {"x": term}), numbers, heap) == truth(formula, after, heap)


@given(formulas, terms, terms, numbers_of, heaps)
def test_what_holds_after_a_write(
    formula: Formula, index: Term, new: Term, numbers: dict[str, int], heap: dict[tuple[str, int], int]
) -> None:
    after = {**heap, ("h", value(index, numbers, heap)): value(new, numbers, heap)}
    assert truth(before_write(formula, "h", index, new), numbers, heap) == truth(formula, numbers, after)


@given(st.lists(comparisons, min_size=1, max_size=3))
def test_the_solver_agrees_with_small_numbers(claims: list[Formula]) -> None:
    """What the solver calls impossible, no small numbers fulfil."""
    if not Solver().satisfiable(claims):
        for x in range(-2, 3):
            for y in range(-2, 3):
                assert not all(truth(one, {"x": x, "y": y, "z": 0}, {}) for one in claims)


linear = st.builds(
    lambda a, b, c: plus(plus(times(var("x"), a), times(var("y"), b)), num(c)),
    st.sampled_from([-1, 0, 1]),
    small,
    small,
)
literals = st.one_of(st.builds(lambda t: le(t, num(0)), linear), st.builds(lambda t: ne(t, num(0)), linear))


@given(st.lists(literals, min_size=1, max_size=3), small)
def test_for_all_is_stronger_and_says_nothing_of_the_variable(parts: list[Formula], y: int) -> None:
    formula = disj(parts)
    quantified = for_all("x", formula)
    holds = all(truth(formula, {"x": x, "y": y, "z": 0}, {}) for x in range(-20, 21))
    assert truth(quantified, {"x": 10**6, "y": y, "z": 0}, {}) == holds
