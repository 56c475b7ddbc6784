"""Certificates: proofs are accepted, tampered ones are not."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from support.paths import ROOT
from support.tampering import Document, certified, checked, program_of, rejected, tampered

from heapwright.analysis.pipeline import Input
from heapwright.program.checks import CheckKind
from heapwright.program.dataflow.dead_ends import is_dead_end
from heapwright.testing.expectations import read
from heapwright.tvp.user_predicates import UserPredicates

PROGRAMS = ROOT / "tests" / "programs"
SMALL = PROGRAMS / "lists" / "build_free_ok.c"
SCHEMA = json.loads(
    (ROOT / "src" / "heapwright" / "report" / "schemas" / "certificate.json").read_text(encoding="utf-8")
)

QUICK = [
    ("tvl", "lists/build_free_ok.c", 4),
    ("tvl", "globals/kept_ok.c", 3),
    ("fesa", "lists/build_free_ok.c", 4),
    ("fesa", "lists/nested_ok.c", 3),
    ("fesa", "embedded/hlist_ok.c", 3),
    ("fesa", "circular/ring_ok.c", 3),
    ("explore", "lists/build_free_ok.c", 4),
    ("explore", "lists/reverse_ok.c", 4),
    ("explore", "structs/similar_types_ok.c", 4),
    ("boolheap", "lists/build_free_ok.c", 4),
    ("tvl", "arrays/heap_length_ok.c", 2),
    ("fesa", "arrays/variable_length_ok.c", 2),
    ("tvl", "specs/function_ok.c", 4),
    ("fesa", "specs/function_ok.c", 3),
    ("tvl", "specs/any_list_ok.c", 4),
]


def accepted(document: Document, objects: int) -> None:
    jsonschema.validate(document, SCHEMA)
    for one in checked(document, objects):
        assert one.refutation is None
        assert one.whole(objects)
        assert one.heaps > 0
        assert one.undecided_heaps == 0


@pytest.mark.exhaustive(4)
@pytest.mark.parametrize(("engine", "name", "objects"), QUICK, ids=lambda value: str(value))
def test_proofs_are_accepted(engine: str, name: str, objects: int) -> None:
    path = PROGRAMS / name
    accepted(certified(path, engine, source=read(path).input(path)), objects)


INPUTS = [
    "while (x) x = x->next;",
    "if (x && y && x != y) { free(x); free(y); }",
    "hw_assume(x && hw_cyclic(x, next)); x = x->next;",
    "hw_assume(hw_reach(x, y, next) && hw_acyclic(x, next)); if (y) y = y->next;",
    "if (x && x->next && x->next != x) { y = x->next; x->next = y->next; free(y); y = NULL; }",
]


@pytest.mark.exhaustive(10)
@pytest.mark.parametrize("body", INPUTS)
@pytest.mark.parametrize("engine", ["tvl", "fesa", "boolheap"])
@pytest.mark.slow
def test_proofs_about_any_input_are_accepted(engine: str, body: str, tmp_path: Path) -> None:
    path = tmp_path / "input.c"
    text = f"""
    #include <stdlib.h>
    #include "heapwright.h"
    struct node {{ struct node *next; }};
    void f(struct node *x, struct node *y) {{ {body} }}
    """
    path.write_text(text, encoding="utf-8")
    document = certified(path, engine, source=Input((str(path),), function="f"))
    if document:
        accepted(document, 3)
    else:
        assert (engine, "hw_reach" in body) != ("tvl", False)


MORE = [
    ("tvl", "examples/list_reverse.c", 3),
    ("tvl", "tests/programs/dll/walk_ok.c", 2),
    ("tvl", "tests/programs/trees/rotate_ok.c", 2),
    ("tvl", "tests/programs/pointers/field_address_ok.c", 3),
    ("fesa", "examples/list_reverse.c", 3),
]
LARGE = [
    ("fesa", "examples/embedded_list.c", 3),
    ("fesa", "examples/list_reverse.c", 4),
    ("fesa", "examples/queue.c", 3),
]


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "name", "objects"), MORE, ids=lambda value: str(value))
def test_proofs_of_examples_are_accepted(engine: str, name: str, objects: int) -> None:
    accepted(certified(ROOT / name, engine), objects)


@pytest.mark.long
@pytest.mark.parametrize(("engine", "name", "objects"), LARGE, ids=lambda value: str(value))
def test_proofs_of_examples_are_accepted_with_larger_heaps(engine: str, name: str, objects: int) -> None:
    accepted(certified(ROOT / name, engine), objects)


def test_loose_structures_are_accepted() -> None:
    accepted(certified(SMALL, "tvl", {"embedding": "loose"}), 3)


def test_structures_over_added_predicates_are_accepted(tmp_path: Path) -> None:
    """The definitions are in the certificate: with another one, what the structures say of it is wrong."""
    file = tmp_path / "more.tvp"
    file.write_text("%i last(v) = heap(v) & !(E(w) node.next(v, w))\n", encoding="utf-8")
    document = certified(SMALL, "tvl", {"predicate-file": UserPredicates(str(file))})
    accepted(document, 3)
    (section,) = document["sections"]
    (part,) = section["parts"]
    (added,) = part["added"]
    for definition in (["Not", added["definition"]], ["Atom", "nothing", ["v"]], ["Atom", "heap", ["w"]]):
        twin = {**part, "added": [{**added, "definition": definition}]}
        assert rejected({**document, "sections": [{**section, "parts": [twin]}]}, 3), definition


LAZY = {"shapes": "lazy"}  # and no small heaps one by one before that


@pytest.mark.parametrize("name", ["lists/build_free_ok.c", "lists/unbounded_ok.c"])
def test_trees_are_accepted(name: str) -> None:
    accepted(certified(PROGRAMS / name, "lazy", LAZY), 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["simple_backw", "list_flag"])
def test_trees_with_predicates_of_nodes_are_accepted(name: str) -> None:
    """Data in lists: predicates of locations and of nodes, and variables that equal cells."""
    path = ROOT / "src" / "heapwright" / "reproduce" / "lazy" / "programs" / f"{name}.c"
    document = certified(path, "lazy", LAZY)
    assert any(known["predicates"] for known in document["sections"][0]["parts"][0]["classes"])
    accepted(document, 2)


def test_what_lazy_decides_heap_by_heap_has_states_of_explore() -> None:
    document = certified(SMALL, "lazy")
    assert [section["engine"] for section in document["sections"]] == ["explore"]
    accepted(document, 4)


@pytest.mark.parametrize("numeric", ["bdd", "sat", "pairs"])
def test_functions_in_all_forms_are_accepted(numeric: str) -> None:
    accepted(certified(SMALL, "fesa", {"numeric": numeric}), 3)


@pytest.mark.parametrize("engine", ["fesa", "explore", "boolheap"])
def test_tampered_certificates_are_rejected(engine: str) -> None:
    """`fesa` has the same lists in the loop that builds them (3) and before the loop that frees them (4)."""
    found = [(name, rejected(document, 3)) for name, document in tampered(certified(SMALL, engine))]
    assert {name for name, no_proof in found if not no_proof} <= {"fesa: 3 and 4 exchanged"}
    assert len(found) >= 40


@pytest.mark.slow
def test_tampered_trees_are_rejected() -> None:
    found = [(name, rejected(document, 3)) for name, document in tampered(certified(SMALL, "lazy", LAZY))]
    assert [name for name, no_proof in found if not no_proof] == []
    assert len(found) >= 100


@pytest.mark.slow
def test_tampered_structures_are_rejected() -> None:
    found = [(name, rejected(document, 3)) for name, document in tampered(certified(SMALL, "tvl"))]
    assert [name for name, no_proof in found if not no_proof] == []
    assert len(found) >= 100


def test_tampered_structures_about_inputs_are_rejected() -> None:
    """Without what a location has, or without the lists of one object that are known to the end. Where the assumption
    is tested, those are what others may become, and may go."""
    path = PROGRAMS / "specs" / "function_ok.c"
    document = certified(path, "tvl", source=read(path).input(path))
    program = program_of(document)
    (section,) = document["sections"]
    (part,) = section["parts"]
    tests = {edge.source for edge in program.graph.edges if "acyclic" in str(edge.command)}

    def is_rejected(locations: Document) -> bool:
        return rejected({**document, "sections": [{**section, "parts": [{**part, "locations": locations}]}]}, 2)

    tried = 0
    for location, structures in part["locations"].items():
        rest = {key: value for key, value in part["locations"].items() if key != location}
        dead = is_dead_end(program, int(location))
        assert is_rejected(rest) != dead, location
        longer = [one for one in structures if one["nodes"] != 2 or "undecided node.next" in one["true"]]
        if longer != structures and not dead:
            assert is_rejected({**rest, location: longer}) != (int(location) in tests), location
            tried += 1
    assert tried > 5


@pytest.mark.parametrize("name", ["arrays/structs_ok.c", "arrays/distances_ok.c"])
def test_where_heaps_are_not_enumerated_executions_are_followed(name: str) -> None:
    """Nothing is accepted, what is not checked is said, and a location without states does not pass."""
    source = read(PROGRAMS / name).input(PROGRAMS / name)
    document = certified(PROGRAMS / name, "tvl", source=source)
    (found,) = checked(document, 2)
    assert found.refutation is None
    assert not found.whole(2)
    assert found.incomplete.startswith("heaps cannot be enumerated (")
    assert found.heaps > 20
    (section,) = document["sections"]
    (part,) = section["parts"]
    places = list(part["locations"])
    for place in (places[0], places[len(places) // 2]):
        rest = {key: value for key, value in part["locations"].items() if key != place}
        assert rejected({**document, "sections": [{**section, "parts": [{**part, "locations": rest}]}]}, 2)


def test_a_claim_that_does_not_follow_is_rejected() -> None:
    """The program leaks; what is not proved cannot be claimed."""
    document = certified(PROGRAMS / "lists" / "build_free_bad_leak.c", "tvl")
    (section,) = document["sections"]

    open_ = [c.id for c in program_of(document).checks if c.id not in section["claims"] and c.kind is CheckKind.LEAK]
    assert open_
    for claim in open_:
        more = {**document, "sections": [{**section, "claims": [*section["claims"], claim]}]}
        assert rejected(more, 3), claim


def test_a_freed_input_is_not_forgotten() -> None:
    """Without the structures that remember it, a pointer that is still to be looked at leads out of the invariant."""
    path = PROGRAMS / "specs" / "function_freed_bad.c"
    document = certified(path, "tvl", source=read(path).input(path))
    (section,) = document["sections"]
    (part,) = section["parts"]
    assert not rejected(document, 3)
    without = {
        location: [one for one in structures if "freed" not in one["true"]]
        for location, structures in part["locations"].items()
    }
    assert without != part["locations"]
    assert rejected({**document, "sections": [{**section, "parts": [{**part, "locations": without}]}]}, 3)
    open_ = [check.id for check in program_of(document).checks if check.id not in section["claims"]]
    assert len(open_) == 1
    assert rejected({**document, "sections": [{**section, "claims": [*section["claims"], *open_]}]}, 3)


def test_an_access_beyond_an_array_cannot_be_claimed() -> None:
    """Arrays whose length is an input are tried with up to four cells."""
    document = certified(PROGRAMS / "arrays" / "heap_length_bad.c", "tvl")
    (section,) = document["sections"]
    open_ = [c.id for c in program_of(document).checks if c.id not in section["claims"] and c.kind is CheckKind.BOUNDS]
    assert open_
    for claim in open_:
        more = {**document, "sections": [{**section, "claims": [*section["claims"], claim]}]}
        assert rejected(more, 1), claim


def test_states_that_hold_more_are_rejected_where_they_break_a_check() -> None:
    """Where `list` is dereferenced, a structure without any node is added: there `list` is null."""
    document = certified(SMALL, "tvl")
    (section,) = document["sections"]
    (part,) = section["parts"]
    nothing = {"nodes": 0, "true": {}, "maybe": {}}
    refused = 0
    for location, structures in part["locations"].items():
        twin = {**part, "locations": {**part["locations"], location: [*structures, nothing]}}
        refused += rejected({**document, "sections": [{**section, "parts": [twin]}]}, 2)
    assert refused >= 2
