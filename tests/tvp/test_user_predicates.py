"""Files of predicates that are added to an analysis: what is read, and what is refused, where."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.base.errors import HeapwrightError, InputError
from heapwright.logic.formulas import And, Atom, Exists, Not, text
from heapwright.logic.vocabulary import Predicate, Vocabulary
from heapwright.tvp.user_predicates import UserPredicates, spelled

VOCABULARY = Vocabulary(
    (
        Predicate("x", 1, unique=True),
        Predicate("y", 1, unique=True),
        Predicate("junk x", 0),
        Predicate("node.next", 2, function=True),
        Predicate("t[]", 2),
        Predicate("r[x,node.next]", 1),
    )
)


def added(folder: Path, content: str) -> tuple[Predicate, ...]:
    path = folder / "more.tvp"
    path.write_text(content, encoding="utf-8")
    found = UserPredicates(str(path))(VOCABULARY)
    return tuple(predicate for predicate in found.predicates if predicate.name not in VOCABULARY)


def test_definitions_use_the_names_of_the_analysis(tmp_path: Path) -> None:
    last, doubt = added(
        tmp_path,
        """
        // the end of the list
        %i last(v) = r[x,node.next](v) & !(E(w) node.next(v, w))
        %i doubt(v) = "junk x"() & "t[]"(v, v) nonabs
        """,
    )
    assert (last.name, last.arity, last.parameters, last.abstraction) == ("last", 1, ("v",), True)
    following = Exists(("w",), Atom("node.next", ("v", "w")))
    assert last.definition == And((Atom("r[x,node.next]", ("v",)), Not(following)))
    assert doubt.definition == And((Atom("junk x", ()), Atom("t[]", ("v", "v"))))
    assert not doubt.abstraction


def test_sets_loops_and_one_another(tmp_path: Path) -> None:
    found = added(
        tmp_path,
        "%s Vars {x, y}\nforeach (z in Vars) { %i seen[z](v) = E(u) (z(u) & node.next(u, v)) }\n"
        "%i both(v) = seen[x](v) & seen[y](v)\n",
    )
    assert [predicate.name for predicate in found] == ["seen[x]", "seen[y]", "both"]


def abstracting(folder: Path, content: str) -> set[str]:
    """What takes part in the abstraction."""
    path = folder / "more.tvp"
    path.write_text(content, encoding="utf-8")
    return {predicate.name for predicate in UserPredicates(str(path))(VOCABULARY).predicates if predicate.abstraction}


def test_what_the_abstraction_goes_by(tmp_path: Path) -> None:
    before = abstracting(tmp_path, "")
    assert before - abstracting(tmp_path, "%p x(v) nonabs") == {"x"}
    assert before - abstracting(tmp_path, '%p "*"(v) nonabs') == {"x", "y", "r[x,node.next]"}
    assert before - abstracting(tmp_path, '%p "r[*]"(v) nonabs') == {"r[x,node.next]"}
    assert before - abstracting(tmp_path, '%p "*"(v) nonabs %p "r[*,node.next]"(v) abs') == {"x", "y"}


@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        ("%i p(v) = z(v)", "1:11", "predicate z is not declared"),
        ("%i p(v) = x(v) &\n  node.next(v)", "2:3", "predicate node.next has 2 arguments, not 1"),
        ('%i p(v) = x(v) & "junk x"(v)', "1:18", "predicate junk x has no arguments, not 1"),
        ("%i p(v) = (x(v) & y(v)", "1:11", "this '(' is not closed"),
        ("%i p(v) = x(w)", "1:11", "has the free variable w"),
        ("%i p(v) = sm(v)", "1:11", "is not defined for C programs"),
        ("%i x(v) = y(v)", "1:1", "has a predicate x already"),
        ("%i p(v) = q(v)\n%i q(v) = p(v)", "1:1", "uses itself"),
        ("%p p(v)", "1:1", "would have no updates"),
        ("%p x(v)", "1:1", "would have no updates"),
        ("%p p(v) nonabs", "1:1", "the analysis has no predicate p"),
        ('%p "q[*]"(v) nonabs', "1:1", "the analysis has no predicate q[*]"),
        ("%p x() nonabs", "1:1", "predicate x has other arguments than 0"),
        ("%p node.next(u, v) nonabs", "1:1", "takes no part in abstraction"),
        ("%p x(v) unique", "1:9", "property 'unique' is not allowed for user predicates"),
        ("%i p(v) = x(v) unique", "1:16", "property 'unique' is not allowed for user predicates"),
        ("%r x(v) ==> y(v)", "1:1", "a constraint is not allowed here"),
        ('%message x(v) -> "no"', "1:1", "messages cannot be added"),
        ("%i p(v) = x(v)\n  %f { x(v) }", "2:3", "focus formulas cannot be added"),
        ("%f { foreach (z in {x, y}) { z(v) } }", "1:1", "focus formulas cannot be added"),
        ("%%", "1:1", "expected a declaration"),
        ("%i p(u, v, w) = x(u) & x(v) & x(w)", "1:1", "3 arguments"),
    ],
)
def test_what_is_refused(tmp_path: Path, content: str, place: str, words: str) -> None:
    with pytest.raises(HeapwrightError) as caught:
        added(tmp_path, content)
    assert words in caught.value.message
    assert f"more.tvp:{place}" in str(caught.value)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        UserPredicates(str(tmp_path / "none.tvp"))(VOCABULARY)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("x", "x"),
        ("node.next", "node.next"),
        ("r[x,node.next]", "r[x,node.next]"),
        ("t[]", '"t[]"'),
        ("junk x", '"junk x"'),
        ("i==3", '"i==3"'),
        ("new@1", '"new@1"'),
        ("E", '"E"'),
    ],
)
def test_names_that_are_none_of_the_language_are_quoted(name: str, written: str) -> None:
    assert spelled(name) == written


def test_what_is_shown_reads_back(tmp_path: Path) -> None:
    (before,) = added(tmp_path, '%i p(v) = !(E(w) "t[]"(v, w)) | ("junk x"() & v == v & r[x,node.next](v))')
    assert before.definition is not None
    (after,) = added(tmp_path, f"%i p(v) = {text(before.definition, spelled)}")
    assert after.definition == before.definition
