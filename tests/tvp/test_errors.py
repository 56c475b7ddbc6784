"""Bad specifications: one sentence, at the place that is wrong."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tvp.reading import END, Folder

from heapwright.base.errors import HeapwrightError, InputError, UnsupportedError
from heapwright.tvp.reader import read_program

# Declarations, actions, edges; the errors stand in a line of their own.
DECLARATIONS = "%s S {x, y}\nforeach (z in S) { %p z(v) }\n%p n(v, w)\n%p flag()\n"
ACTIONS = "%action go() { }\n%action set(z) {\n  { z(v) = 0 }\n}\n"
EDGES = "a go() b\n"

IN_DECLARATIONS = [
    ("%r q(v) ==> 0", "5:4: predicate q is not declared"),
    ("%r n(v) ==> 0", "5:4: predicate n has 2 arguments, not 1"),
    ("%r flag(v) ==> 0", "5:4: predicate flag has no arguments, not 1"),
    ("%r x(v,w) ==> 0", "5:4: predicate x has 1 argument, not 2"),
    ("%r sm(v,w) ==> 0", "5:4: predicate sm has 1 argument, not 2"),
    ("%r x+(v,w) ==> 0", "5:4: predicate x has 1 argument, not 2"),
    ("%r n*(v) ==> 0", "5:4: n* has two arguments, not 1"),
    ("%r x(v)\n==> x(v) & x(w)", "6:5: the head of a constraint is an atom, an equality, the negation of one, or 0"),
    ("%r x(v) ==> 1", "5:13: the head of a constraint is an atom, an equality, the negation of one, or 0"),
    ("%r x(v)", "6:1: expected '==>' of a constraint, found '%%'"),
    ("%p x(v)", "5:1: predicate x is declared twice, first at main.tvp:2:20"),
    ("%p sm(v)", "5:1: predicate sm is built in and cannot be declared"),
    ("%p k(v, v)", "5:1: predicate k has two parameters of the same name"),
    ("%p E(v)", "5:4: E is a reserved word and cannot be a predicate"),
    ("%p k(A)", "5:6: A is a reserved word and cannot be a variable"),
    ("%p k(v) sorted", "5:9: sorted is no property of predicates"),
    ("%p k(v) function", "5:9: only a predicate of two arguments can be function, not k"),
    ("%p k(v, w) unique", "5:12: only a predicate of one argument can be unique, not k"),
    ("%p k(v, w) abs", "5:12: k has two arguments and cannot take part in abstraction"),
    ("%p k(v) uniquePerCC(q)", "5:9: predicate q is not declared"),
    ("%p k(v) uniquePerCC", "5:9: uniquePerCC is no property with 0 arguments"),
    ("%p k(v) unique(n)", "5:9: unique is no property with 1 arguments"),
    ("%p k(v) {2}", "5:10: '2' is no truth value: there are 0, 1 and 1/2"),
    ("%p k(v, w) [v]-->w", "5:12: functional dependencies are not supported"),
    ("%i k(v) = x(w)", "5:11: the definition of k has the free variable w, which is no parameter"),
    ("%i k(v) = E(w) x(w)", "5:11: the definition of k does not depend on v, which is a parameter"),
    ("%i k() = n(v, w)", "5:10: the definition of k has the free variable v, which is no parameter"),
    ("%i k() =\n x(v) & m()", "6:9: predicate m is not declared"),
    ("%i k() = k()", "5:1: the definition of k uses itself: k -> k"),
    ("%i k() = l()\n%i l() = m()\n%i m() = flag() | l()", "6:1: the definition of l uses itself: l -> m -> l"),
    ("%s T U", "5:6: set U is not declared"),
    ("%s T {x, y", "6:1: expected '}', found '%%' (the '{' to close is at line 5)"),
    ("foreach (z in U) { %p k[z](v) }", "5:15: set U is not declared"),
    ("foreach (z of S) { }", "5:12: expected 'in', found 'of'"),
    ("foreach (z in S) { foreach (z in S) { %p k[z](v) } }", "5:29: z already stands for x here"),
    ("foreach (z in S) { %s T {z} }", "5:20: a set cannot be declared inside foreach"),
    ("foreach (z in {a[b]}) { %p z[c](v) }", "5:28: z stands for a[b], which cannot have more parameters"),
    ("%r |/{ x(v) : y in U } ==> 0", "5:20: set U is not declared"),
    ("%r (x(v) & x(v) ==> 0", "5:17: expected ')', found '==>' (the '(' to close is at line 5)"),
    ("%r x(v)) ==> 0", "5:8: expected '==>' of a constraint, found ')'"),
    ("%r x(v) & ==> 0", "5:11: expected a formula, found '==>'"),
    ("%r x ==> 0", "5:6: expected '(', found '==>'"),
    ("%r (x(v) ? x(v)) ==> 0", "5:16: expected ':' of '? :', found ')'"),
    ("%r TC(u)(a, b) n(a, b) ==> 0", "5:4: TC is written TC(u,v)(a,b) formula"),
    ("%r TC(u, v)(a, a) n(a, a) ==> 0", "5:4: the variables of the step of TC must differ, both are a"),
    ("}", "5:1: expected a declaration, found '}'"),
    ("%i k(v) x(v)", "5:9: expected '=' and a definition, found 'x'"),
    ('#include "none.tvp"', '5:10: the file "none.tvp" to be included is not found'),
    ("#define BAD(z) z(v) & q(v)\n%r BAD(x) ==> 0", "6:4: predicate q is not declared"),
]

IN_ACTIONS = [
    ("%action bad() { %p q(v) }", "9:20: predicate q is not declared (in bad() of line 11)"),
    ("%action bad() { { q(v) = 0 } }", "9:19: predicate q is not declared (in bad() of line 11)"),
    ("%action bad() { { x(v,w) = 0 } }", "9:19: predicate x has 1 argument, not 2 (in bad() of line 11)"),
    (
        "%action bad() { { x(v) = n(v, w) } }",
        "9:26: the update of x has the free variable w, which nothing binds (in bad() of line 11)",
    ),
    (
        "%action bad() { %p x(v) { y(v) = 0 } }",
        "9:27: v is already bound by the precondition (in bad() of line 11)",
    ),
    (
        '%action bad() { %message x(v) -> "m" }',
        "9:26: a message has the free variable v, which nothing binds (in bad() of line 11)",
    ),
    (
        '%action bad() { %p x(v) { } %message y(v) -> "m" }',
        "9:38: a message after the update has the free variable v, which nothing binds (in bad() of line 11)",
    ),
    (
        "%action bad() { %retain flag() }",
        "9:25: the formula of %retain must have one free variable, it has none (in bad() of line 11)",
    ),
    (
        "%action bad() { %retain n(v, w) }",
        "9:25: the formula of %retain must have one free variable, it has 2: v, w (in bad() of line 11)",
    ),
    (
        "%action bad() { %new flag() }",
        "9:17: the formula of %new must have one free variable, it has none (in bad() of line 11)",
    ),
    (
        "%action bad() { %clone }",
        "9:17: the formula of %clone must have one free variable, it has none (in bad() of line 11)",
    ),
    ("%action bad() { %new %clone x(v) }", "9:22: an action has either %new or %clone (in bad() of line 11)"),
    (
        "%action bad() { { n(v, v) = 0 } }",
        "9:19: the update of n has two parameters of the same name (in bad() of line 11)",
    ),
    ("%action bad() { %p flag() %f { x(v) } }", "9:27: unexpected '%f'"),
    ("%action bad() { %f { x(v) }", "10:1: expected '}', found '%%' (the '{' to close is at line 9)"),
    ("%action bad() { { x(v) = 0 }", "10:1: expected '}', found '%%' (the '{' to close is at line 9)"),
    ("%action bad() { } }", "9:19: expected '%%' or '%action', found '}'"),
    ("%action bad() { %f { foreach (z in U) { z(v) } } }", "9:36: set U is not declared (in bad() of line 11)"),
    ("%action bad(z, z) { }", "9:9: action bad has two parameters of the same name"),
    ("%action bad { }", "9:13: expected '(', found '{'"),
    ("%action bad() { %t }", "9:20: expected a message, found '}'"),
    ("%action bad() { %p flag() & }", "9:29: expected a formula, found '}'"),
]

IN_EDGES = [
    ("b none() c", "11:3: action none is not defined"),
    ("b set() c", "11:3: action set has 1 parameters, not 0"),
    ("b set(x, y) c", "11:3: action set has 1 parameters, not 2"),
    ("b set(q) c", "7:5: predicate q is not declared (in set(q) of line 11)"),
    ("b set(n) c", "7:5: predicate n has 2 arguments, not 1 (in set(n) of line 11)"),
    ("b set(x c", "11:9: expected ')', found 'c' (the '(' to close is at line 11)"),
    ("b set(x)", "12:1: expected a label, found the end of the file"),
    ("b set c", "11:7: expected '(' and the arguments of the action, found 'c'"),
    ("%% a, 1", "11:7: expected a label, found '1'"),
    ("%% a b", "11:6: expected an edge, '%%' or the end of the file, found 'b'"),
]


@pytest.mark.parametrize(("text", "message"), IN_DECLARATIONS)
def test_declarations(folder: Folder, text: str, message: str) -> None:
    error = folder.failure(f"{DECLARATIONS}{text}\n%%\n{ACTIONS}%%\n{EDGES}")
    assert str(error) == f"main.tvp:{message}"


@pytest.mark.parametrize(("text", "message"), IN_ACTIONS)
def test_actions(folder: Folder, text: str, message: str) -> None:
    declarations = DECLARATIONS.rstrip("\n")
    error = folder.failure(f"{declarations} %%\n{ACTIONS}{text}\n%%\na bad() b\n")
    assert str(error) == f"main.tvp:{message}"


@pytest.mark.parametrize(("text", "message"), IN_EDGES)
def test_edges(folder: Folder, text: str, message: str) -> None:
    declarations = DECLARATIONS.rstrip("\n")
    error = folder.failure(f"{declarations} %%\n{ACTIONS}%%\n{EDGES}{text}\n")
    assert str(error) == f"main.tvp:{message}"
    assert isinstance(error, InputError)
    assert error.exit_code == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: expected '%%' and the actions, found the end of the file"),
        ("%p x(v)\n%%", "2:3: expected '%%' or '%action', found the end of the file"),
        ("%%\n%%\n", "3:1: expected an edge, written: label action(arguments) label, found the end of the file"),
        ("%% %action go() { } %% %% a", "1:24: expected an edge, written: label action(arguments) label"),
    ],
)
def test_missing_sections(folder: Folder, text: str, message: str) -> None:
    assert str(folder.failure(text)).startswith(f"main.tvp:{message}")


def test_places_in_included_files(folder: Folder) -> None:
    error = folder.failure(f'#include "in.tvp"\n%% {ACTIONS} {END}', **{"in.tvp": "\n  %r q() ==> 0"})
    assert str(error) == "in.tvp:2:6: predicate q is not declared"
    error = folder.failure('#include "in.tvp"\n%% %action go() { } %% a go() b', **{"in.tvp": "%f { q(v) }\n"})
    assert str(error) == "in.tvp:1:6: predicate q is not declared"


def test_a_use_in_another_file_is_named_with_it(folder: Folder) -> None:
    error = folder.failure('%%\n#include "in.tvp"\n%% a go() b', **{"in.tvp": "%action go() { %p q() }"})
    assert str(error) == "in.tvp:1:19: predicate q is not declared (in go() of main.tvp:3)"


def test_a_name_that_is_nearly_right_is_proposed(folder: Folder) -> None:
    error = folder.failure(f"%p reachable(v) %r reacheable(v) ==> 0 %% %action go() {{ }} {END}")
    assert error.hint == "did you mean reachable?"


def test_predicates_with_many_arguments_are_not_supported(folder: Folder) -> None:
    error = folder.failure(f"%p k(u, v, w) %% %action go() {{ }} {END}")
    assert isinstance(error, UnsupportedError)
    assert str(error) == "main.tvp:1:1: predicate k with 3 arguments is not supported"


def test_files_that_cannot_be_read(folder: Folder) -> None:
    (folder.path / "bin.tvp").write_bytes(b"%%\0")
    for name, message in {
        "none.tvp": "none.tvp: no such file",
        ".": ". is a directory, not a file",
        "bin.tvp": "bin.tvp is a binary file, not a text",
        "a\0b": r"'a\x00b' is not a file name",
    }.items():
        with pytest.raises(HeapwrightError) as caught:
            read_program(name)
        assert str(caught.value) == message


WHOLE = """
#define N 2
%s S {x, y}
foreach (z in S) { %p z(v) unique }
%p n(v, w) function
%i r[n,x](v) = E(u) (x(u) & n*(u, v)) {1}
%r &/{ z(v) : z in S } ==> 0
%%
%action go(z, y) {
  %t "go " + z
  %f { z(v), foreach (k in S - {z}) { k(v) } }
  %p E(v) z(v)
  %message (!E(v) z(v)) -> "none of " + z
  %new
  { z(v) = (isNew(v) ? 1/2 : z(v)) foreach (k in S - {z}) { k(v) = k(v) } }
  %retain !y(v)
}
%%
a go(x, y) b
#if N > 1
b go(y, x) a
#endif
%% a, "b"
"""
PARTS = re.findall(r"\s+|\w+|%\w+|.", WHOLE)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=300, deadline=None
)
@given(st.data())
def test_whatever_is_broken_gets_a_place(folder: Folder, data: st.DataObject) -> None:
    """A text with parts missing, doubled or moved is read, or refused at a place; it never fails otherwise."""
    parts = list(PARTS)
    for _ in range(data.draw(st.integers(1, 4))):
        index = data.draw(st.integers(0, len(parts) - 1))
        what = data.draw(st.sampled_from(["cut", "insert", "replace", "end"]))
        if what == "end":
            del parts[index + 1 :]
        elif what == "cut":
            del parts[index]
        else:
            parts[index : index + (what == "replace")] = [data.draw(st.sampled_from(PARTS))]
        parts = parts or [" "]
    error = folder.refusal("".join(parts))
    assert error is None or (error.span is not None and error.span.line >= 1)
