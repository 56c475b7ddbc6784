"""Formulas: their operators, how tightly these bind, closures and composites."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tvp.reading import END, Folder

from heapwright.logic.formulas import (
    FALSE,
    HALF,
    TRUE,
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Formula,
    Iff,
    IfThenElse,
    Not,
    Or,
    TransitiveClosure,
    text,
)

HEAD = "%s S {a, b}\n%s None_ {}\n%p a() %p b() %p c() %p d() %p p(v) %p q[a](v) %p q[b](v) %p e(v,w)\n"
A, B, C, D = (Atom(name, ()) for name in "abcd")


def parsed(folder: Folder, formula: str) -> Formula:
    found = folder.declared(f"{HEAD}\n%r {formula} ==> 0").constraints[0]
    assert found.head == FALSE
    return found.body


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a() & b() | c()", Or((And((A, B)), C))),
        ("a() | b() & c()", Or((A, And((B, C))))),
        ("a() & b() & c()", And((A, B, C))),
        ("a() & (b() & c())", And((A, And((B, C))))),
        ("a() -> b()", Or((B, Not(A)))),
        ("a() -> b() -> c()", Or((C, Not(Or((B, Not(A))))))),
        ("a() | b() -> c()", Or((C, Not(Or((A, B)))))),
        ("a() <-> b() -> c()", Iff(A, Or((C, Not(B))))),
        ("a() <-> b() <-> c()", Iff(Iff(A, B), C)),
        ("!a() & b()", And((Not(A), B))),
        ("!!a()", Not(Not(A))),
        ("!(a() & b())", Not(And((A, B)))),
        ("(a() ? b() : c())", IfThenElse(A, B, C)),
        ("(a() -> b() ? 1 : 1/2) & 1 / 2", And((IfThenElse(Or((B, Not(A))), TRUE, HALF), HALF))),
        ("E(v) p(v) & a() <-> b()", Exists(("v",), Iff(And((Atom("p", ("v",)), A)), B))),
        ("!A(v) p(v) <-> b()", Not(ForAll(("v",), Iff(Atom("p", ("v",)), B)))),
        ("a() & E(v, w) e(v, w) | b()", And((A, Exists(("v", "w"), Or((Atom("e", ("v", "w")), B)))))),
        ("E() a()", A),
        ("v == w & v != w", And((Equal("v", "w"), Not(Equal("v", "w"))))),
        ("e+(v, w)", TransitiveClosure("v", "w", "_1", "_2", Atom("e", ("_1", "_2")))),
        (
            "e*(v, w)",
            Or((Equal("v", "w"), TransitiveClosure("v", "w", "_1", "_2", Atom("e", ("_1", "_2"))))),
        ),
        (
            "TC(u, w)(s, t) e(s, t) & p(v)",
            TransitiveClosure("u", "w", "s", "t", And((Atom("e", ("s", "t")), Atom("p", ("v",))))),
        ),
        ("|/{ q[z](v) : z in S }", Or((Atom("q[a]", ("v",)), Atom("q[b]", ("v",))))),
        ("&/{ z() : z in S - {a} }", B),
        ("&/{ z() : z in None_ } | |/{ z() : z in {} }", Or((TRUE, FALSE))),
        (
            "&/{ |/{ q[z](v) & y() : z in S } : y in {c, d} }",
            And(
                tuple(
                    Or((And((Atom("q[a]", ("v",)), y)), And((Atom("q[b]", ("v",)), y))))  # for each y
                    for y in (C, D)
                )
            ),
        ),
        ("q[ a ](v)", Atom("q[a]", ("v",))),
        ("sm(v) & ac(v) & isNew(v)", And((Atom("sm", ("v",)), Atom("ac", ("v",)), Atom("isNew", ("v",))))),
        ("inac(v) | instance(v, w)", Or((Atom("ac", ("v",)), Atom("instance", ("v", "w"))))),
    ],
)
def test_formulas(folder: Folder, written: str, expected: Formula) -> None:
    assert parsed(folder, written) == expected


def test_variables_are_no_names(folder: Folder) -> None:
    """A variable may have the name that foreach gives another meaning."""
    found = folder.declared("%s S {a}\nforeach (z in S) { %p z(v) %i has[z]() = E(z) z(z) }").vocabulary["has[a]"]
    assert found.definition == Exists(("z",), Atom("a", ("z",)))


@pytest.mark.parametrize("depth", [100, 300, 450, 900, 5000])
@pytest.mark.parametrize(("opening", "closing"), [("(", ")"), ("!", ""), ("E(v) ", ""), ("(1 ? 1 : ", ")")])
def test_deep_nesting_is_read_or_an_error(folder: Folder, depth: int, opening: str, closing: str) -> None:
    written = f"{HEAD}%i deep() = {opening * depth}a(){closing * depth} %% %action go() {{ }} {END}"
    error = folder.refusal(written)
    assert error is None or (depth > 100 and "nested too deeply" in error.message)


def _formulas() -> st.SearchStrategy[Formula]:
    variables = st.sampled_from(["v", "w", "u"])
    atoms: st.SearchStrategy[Formula] = st.one_of(
        st.sampled_from([A, B, TRUE, FALSE, HALF]),
        st.builds(lambda v: Atom("q[a]", (v,)), variables),
        st.builds(lambda v, w: Atom("e", (v, w)), variables, variables),
        st.builds(Equal, variables, variables),
    )

    def bigger(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        bound = st.lists(variables, min_size=1, max_size=2, unique=True).map(tuple)
        return st.one_of(
            st.builds(Not, inner),
            st.builds(And, several),
            st.builds(Or, several),
            st.builds(Iff, inner, inner),
            st.builds(IfThenElse, inner, inner, inner),
            st.builds(Exists, bound, inner),
            st.builds(ForAll, bound, inner),
            st.builds(lambda f: TransitiveClosure("u", "v", "s", "t", f), inner),
        )

    return st.recursive(atoms, bigger, max_leaves=12)


def bracketed(formula: Formula) -> str:
    """The formula with parentheses round all that has parts."""
    match formula:
        case Not(operand):
            return f"(!{bracketed(operand)})"
        case And(operands):
            return "(" + " & ".join(map(bracketed, operands)) + ")"
        case Or(operands):
            return "(" + " | ".join(map(bracketed, operands)) + ")"
        case Iff(left, right):
            return f"({bracketed(left)} <-> {bracketed(right)})"
        case IfThenElse(condition, then, other):
            return f"({bracketed(condition)} ? {bracketed(then)} : {bracketed(other)})"
        case Exists(variables, body):
            return f"(E({', '.join(variables)}) {bracketed(body)})"
        case ForAll(variables, body):
            return f"(A({', '.join(variables)}) {bracketed(body)})"
        case TransitiveClosure(left, right, source, target, body):
            return f"(TC({left}, {right})({source}, {target}) {bracketed(body)})"
        case _:
            return text(formula)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60, deadline=None
)
@given(formula=_formulas())
def test_a_written_formula_reads_back(folder: Folder, formula: Formula) -> None:
    assert parsed(folder, bracketed(formula)) == formula
