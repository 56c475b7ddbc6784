"""Predicates that are supplied from outside: their derived updates are sound, and what the engine has is explained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from engines.tvl.encoding.predicates.test_family import PROGRAMS
from engines.tvl.walks import Laws, Walk, program_of

from heapwright.engines.tvl.encoding.states.predicate_glossary import meaning
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.engines.tvl.focus.strategies import RefineKind
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind
from heapwright.logic.formulas import And, Atom, Equal, Exists, ForAll, Not, Or, TransitiveClosure
from heapwright.logic.vocabulary import Predicate, Vocabulary


def supplied(vocabulary: Vocabulary) -> Vocabulary:
    """Of each kind one: by core predicates and by instrumentation, by one another, nullary to binary, by closure, and
    such that notice nodes of which nothing else is said."""
    field = next(p.name for p in vocabulary.predicates if p.function and "." in p.name)
    reach = next(p.name for p in vocabulary.predicates if p.name.startswith("r["))
    follows = Exists(("w",), Atom(field, ("v", "w")))
    path = TransitiveClosure("u", "v", "a", "b", And((Atom(field, ("a", "b")), Not(Atom("freed", ("a",))))))
    step = Exists(("w",), And((Atom(field, ("u", "w")), Atom(field, ("w", "v")))))
    pointed = Exists(("u",), Atom(field, ("u", "v")))
    more = (
        Predicate("last", 1, And((Atom(reach, ("v",)), Not(follows))), ("v",)),
        Predicate("own", 1, Atom(field, ("v", "v")), ("v",)),
        Predicate("two", 2, step, ("u", "v")),
        Predicate("far", 2, Or((Equal("u", "v"), path)), ("u", "v")),
        Predicate("some last", 0, Exists(("v",), Atom("last", ("v",)))),
        Predicate("all heap", 0, ForAll(("v",), Atom("heap", ("v",)))),
        Predicate("lonely", 0, Exists(("v",), Not(pointed))),
        Predicate("alone", 1, ForAll(("u",), Or((Equal("u", "v"), Not(Atom("far", ("u", "v")))))), ("v",)),
    )
    return Vocabulary((*vocabulary.predicates, *more))


@pytest.mark.exhaustive(8)
@pytest.mark.parametrize("refine", ["formula", "meet"])
@pytest.mark.parametrize("embedding", ["strict", "loose", "adaptive"])
@pytest.mark.parametrize("name", ["list", "rings", "tree"])
def test_derived_updates_are_sound(name: str, embedding: EmbeddingKind, refine: RefineKind, tmp_path: Path) -> None:
    laws = Laws(program_of(PROGRAMS[name], tmp_path), embedding=embedding, refine=refine, supplied=supplied)
    assert "far" in laws.added
    taken = sum(Walk(laws, seed).go(50) for seed in range(6))
    assert taken > 40


def blind(vocabulary: Vocabulary) -> Vocabulary:
    """Every third of the predicates that names are made of takes no part in it any more."""
    named = [p.name for p in vocabulary.predicates if p.abstraction and p.arity < 2]
    dropped = set(named[::3])
    return Vocabulary(
        tuple(replace(p, abstraction=p.abstraction and p.name not in dropped) for p in vocabulary.predicates)
    )


@pytest.mark.exhaustive(6)
@pytest.mark.parametrize("refine", ["formula", "meet"])
@pytest.mark.parametrize("embedding", ["strict", "loose", "adaptive"])
@pytest.mark.parametrize("name", ["list", "rings", "tree"])
def test_any_names_are_sound(name: str, embedding: EmbeddingKind, refine: RefineKind, tmp_path: Path) -> None:
    laws = Laws(program_of(PROGRAMS[name], tmp_path), embedding=embedding, refine=refine, supplied=blind)
    taken = sum(Walk(laws, seed).go(50) for seed in range(6))
    assert taken > 40


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_predicate_of_a_program_is_explained(name: str, tmp_path: Path) -> None:
    heap = HeapVocabulary(program_of(PROGRAMS[name], tmp_path))
    unexplained = [predicate.name for predicate in heap.vocabulary.predicates if not meaning(heap, predicate)]
    assert unexplained == []
