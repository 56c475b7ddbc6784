"""TVS files: values in all their forms, errors, and writing that reads back."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tvp.reading import Folder

from heapwright.base.errors import HeapwrightError, UnsupportedError
from heapwright.logic.actions import NamedStructure
from heapwright.logic.formulas import Kleene
from heapwright.tvp.reader import read_locations, read_structures
from heapwright.tvp.syntax.structure_parser import LocationStructures
from heapwright.tvp.writer import locations_text, structures_text

T, H = Kleene.TRUE, Kleene.HALF
DECLARATIONS = "%p x(v) %p y(v) %p n(v, w) %p r[n,x](v) %p m[x](v, w) %p flag() %p on[x]()"


def test_values_in_all_their_forms(folder: Folder) -> None:
    (found,) = folder.structures(
        """
        %n = {a, [a,b], c.0, [a,[b]].1.0}
        %p = {
          sm = {a:1/2, c.0}
          ac = {c.0 : 1/2, a}
          x = {a, [a,b]:1/2, c.0:0}
          y = {}
          n = {a->[a,b], [a, b] -> a:1/2, (c.0, c.0) : 1}
          m[ x ] = {(a, a):1/2, a->c.0:0}
          r[n, x] = {(a):1/2, [a,[b]].1.0}
          flag = 1/2
          on[x] = 0
        }
        """,
        DECLARATIONS,
    )
    assert found.nodes == ("a", "[a,b]", "c.0", "[a,[b]].1.0")
    assert found.summaries == {"a", "c.0"}
    assert found.maybe_active == {"c.0"}
    assert found.unary == {"x": {"a": T, "[a,b]": H}, "r[n,x]": {"a": H, "[a,[b]].1.0": T}}
    assert found.binary == {
        "n": {("a", "[a,b]"): T, ("[a,b]", "a"): H, ("c.0", "c.0"): T},
        "m[x]": {("a", "a"): H},
    }
    assert found.nullary == {"flag": H}
    assert found.mentioned == {"x", "y", "n", "m[x]", "r[n,x]", "flag", "on[x]"}
    assert str(found.span) == "main.tvs:2:9"


def test_the_last_of_two_values_counts(folder: Folder) -> None:
    (found,) = folder.structures("%n = {a} %p = { x = {a, a:1/2} y = {a} y = {a:0} }", DECLARATIONS)
    assert found.unary == {"x": {"a": H}}


def test_several_structures_with_and_without_commas(folder: Folder) -> None:
    found = folder.structures("%n = {} %p = {}, %n = {a} %p = {} %n = {b} %p = { inac = {b:1/2} }", DECLARATIONS)
    assert [structure.nodes for structure in found] == [(), ("a",), ("b",)]
    assert found[2].maybe_active == {"b"}
    assert folder.structures("", DECLARATIONS) == ()


def test_descriptions_and_messages(folder: Folder) -> None:
    (found,) = folder.structures('%d = {"a list"} %message "one" %message "two" %n = {} %p = {}', DECLARATIONS)
    assert (found.description, found.messages) == ("a list", ("one", "two"))


def test_preprocessor_in_lists_of_nodes(folder: Folder) -> None:
    text = "%n = {a\n  #if(1 < LIMIT)\n  , b\n  #endif\n} %p = { x = {ALL} }"
    (found,) = folder.structures(text, DECLARATIONS, defines=["LIMIT(2)", "ALL(a, b)"])
    assert found.nodes == ("a", "b")
    assert found.unary == {"x": {"a": T, "b": T}}


def test_built_in_predicates_of_structures_extend_the_vocabulary(folder: Folder) -> None:
    structures = folder.structures("%n = {a} %p = { isthread = {a} ready = {a:1/2} }", DECLARATIONS)
    specification = folder.declared(DECLARATIONS)
    more = specification.vocabulary_with(structures).predicates[len(specification.vocabulary.predicates) :]
    assert [predicate.name for predicate in more] == ["isthread", "ready"]
    assert specification.vocabulary_with(()) is specification.vocabulary


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%n = {a} %p = {\n q = {a} }", "2:2: predicate q is not declared"),
        ("%n = {a} %p = { x = {b} }", "1:22: node b is not declared in this structure"),
        ("%n = {a} %p = {}\n%n = {b} %p = { x = {a} }", "2:22: node a is not declared in this structure"),
        ("%n = {a} %p = { n = {a->b} }", "1:25: node b is not declared in this structure"),
        ("%n = {a, a} %p = {}", "1:10: node a is declared twice"),
        ("%n = {a} %p = { x = {a->a} }", "1:22: predicate x has 1 arguments, not 2"),
        ("%n = {a} %p = { n = {a} }", "1:22: predicate n has 2 arguments, not 1"),
        ("%n = {a} %p = { n = {(a,a,a)} }", "1:22: predicate n has 2 arguments, not 3"),
        ("%n = {a} %p = { x = 1 }", "1:17: predicate x has 1 arguments, it needs a list of nodes"),
        ("%n = {a} %p = { x = {a:2} }", "1:24: expected a truth value (0, 1 or 1/2), found '2'"),
        ("%n = {a} %p = { flag = on }", "1:24: expected a truth value (0, 1 or 1/2), found 'on'"),
        ("%n = {a} %p = { ac = {a:0} }", "1:23: node a cannot be absent for certain: leave it out"),
        ("%n = {a", "1:8: expected ',' or '}', found the end of the file"),
        ("%n = {a} %p = { x = {a} ", "1:15: this '{' is not closed"),
        ("%n = {a} %p = { x = {a }", "1:15: this '{' is not closed"),
        ("%n = {a} %p = {} }", "1:18: expected a structure, written %n = {...} %p = {...}, found '}'"),
        ("%n = {a}", "1:9: expected '%p' and the values of predicates, found the end of the file"),
        ("%n = {1} %p = {}", "1:7: expected a node, found '1'"),
        ("%d = {a} %n = {} %p = {}", "1:7: expected a string, found 'a'"),
        ("%location a = { %n = {} %p = {} } %n", "1:35: expected '%location', found '%n'"),
    ],
)
def test_errors(folder: Folder, text: str, message: str) -> None:
    with pytest.raises(HeapwrightError) as caught:
        folder.structures(text, DECLARATIONS)
    assert str(caught.value) == f"main.tvs:{message}"


@pytest.mark.parametrize("text", ["%t = {t(Main)} %n = {} %p = {}", "%n = {} %p = {} %a = s0"])
def test_threads_and_automata_are_not_supported(folder: Folder, text: str) -> None:
    with pytest.raises(UnsupportedError):
        folder.structures(text, DECLARATIONS)


def test_locations(folder: Folder) -> None:
    specification = folder.declared(DECLARATIONS)
    folder.put({"out.tvs": '%location a = { %n = {} %p = {} %n = {u} %p = {} } %location "b c" = { }'})
    found = read_locations("out.tvs", specification)
    assert [(located.label, len(located.structures)) for located in found] == [("a", 2), ("b c", 0)]
    assert len(read_structures("out", specification)) == 2


def test_nodes_that_cannot_be_written_get_other_names(folder: Folder) -> None:
    nodes = ("0", "u0", "a b", "[a", "[a]b", "x[a]", "[a,[b].1].0")
    written = structures_text([NamedStructure(nodes, unary={"x": dict.fromkeys(nodes, T)})])
    (found,) = folder.structures(written, DECLARATIONS)
    assert found.nodes == ("u1", "u0", "u2", "u3", "u4", "u5", "[a,[b].1].0")
    assert set(found.unary["x"]) == set(found.nodes)


def test_texts_that_cannot_be_written_are_adapted(folder: Folder) -> None:
    structure = NamedStructure((), description='say "yes"', messages=("two\nlines",))
    (found,) = folder.structures(structures_text([structure]), DECLARATIONS)
    assert (found.description, found.messages) == ("say 'yes'", (r"two\nlines",))


VALUES = st.sampled_from([T, H])


@st.composite
def _structures(draw: st.DrawFn) -> NamedStructure:
    names = st.sampled_from(["a", "b", "E", "x.1", "c.0", "[a,b]", "[a,[x.0]].1", "u$"])
    nodes = tuple(draw(st.lists(names, unique=True, max_size=5)))
    node = st.sampled_from(nodes) if nodes else st.nothing()
    pair = st.tuples(node, node)
    unary = (
        draw(st.dictionaries(st.sampled_from(["x", "r[n,x]"]), st.dictionaries(node, VALUES, min_size=1, max_size=6)))
        if nodes
        else {}
    )
    binary = (
        draw(st.dictionaries(st.sampled_from(["n", "m[x]"]), st.dictionaries(pair, VALUES, min_size=1, max_size=6)))
        if nodes
        else {}
    )
    nullary = draw(st.dictionaries(st.sampled_from(["flag", "on[x]"]), VALUES))
    subsets = st.frozensets(node) if nodes else st.just(frozenset[str]())
    text = st.text(st.characters(codec="ascii", categories=["L", "P", "Zs"], exclude_characters='"'), max_size=8)
    empty = draw(st.frozensets(st.sampled_from(["x", "y", "n", "flag"])))
    mentioned = empty | unary.keys() | binary.keys() | nullary.keys()
    return NamedStructure(
        nodes,
        nullary,
        unary,
        binary,
        draw(subsets),
        draw(subsets),
        mentioned,
        None,
        draw(text),
        tuple(draw(st.lists(text, max_size=2))),
    )


def _told(structure: NamedStructure) -> dict[str, object]:
    return {name: getattr(structure, name) for name in structure.__match_args__ if name != "span"}


SETTINGS = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60, deadline=None
)


@SETTINGS
@given(structures=st.lists(_structures(), max_size=3))
def test_written_structures_read_back(folder: Folder, structures: list[NamedStructure]) -> None:
    found = folder.structures(structures_text(structures), DECLARATIONS)
    assert list(map(_told, found)) == list(map(_told, structures))


@pytest.mark.slow
@SETTINGS
@given(blocks=st.lists(st.tuples(st.sampled_from(["a", "L1.x", "b c", "1"]), st.lists(_structures(), max_size=2))))
def test_written_locations_read_back(folder: Folder, blocks: list[tuple[str, list[NamedStructure]]]) -> None:
    specification = folder.declared(DECLARATIONS)
    folder.put({"out.tvs": locations_text(LocationStructures(label, tuple(inside)) for label, inside in blocks)})
    found = read_locations("out.tvs", specification)
    if not blocks:
        assert found == (LocationStructures("", ()),)
        return
    assert [located.label for located in found] == [label for label, _ in blocks]
    for located, (_, inside) in zip(found, blocks, strict=True):
        assert list(map(_told, located.structures)) == list(map(_told, inside))
