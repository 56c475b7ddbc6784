"""Compiled formulas have the values that the definition gives them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest
from engines.tvl.reference import SIGNATURE, evaluate, random_draft, random_formula, widened
from engines.tvl.structures.concretisation import contains

from heapwright.engines.tvl.formulas.evaluation import MAY, MUST, Compiler, Request
from heapwright.engines.tvl.structures.bit_sets import Layouts
from heapwright.engines.tvl.structures.canonical_abstraction import blur
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind, loosened
from heapwright.engines.tvl.structures.structure import Draft, Signature
from heapwright.logic.formulas import And, Atom, Exists, Formula, Iff, IfThenElse, Not, Or
from heapwright.logic.vocabulary import Predicate, Vocabulary


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("shape", [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2)])
def test_values_for_all_nodes_agree_with_values_one_by_one(seed: int, shape: tuple[int, int]) -> None:
    source = random.Random(seed * 31 + shape[0] * 7 + shape[1])
    axes = ("u", "v")[: shape[0]]
    bound = ("p", "q")[: shape[1]]
    formula = random_formula(source, [*axes, *bound], 4)
    if seed % 4 == 0:  # names that mean something else outside
        hiding = And((random_formula(source, ["u", "p"], 3), Atom("n", ("u", "p"))))
        formula = Or((formula, Exists(("u", "p"), hiding)))
    function = Compiler(SIGNATURE).function([Request(formula, axes, MAY), Request(formula, axes, MUST)], bound)
    layouts = Layouts()
    for _ in range(3):
        n = source.randint(1, 4)
        draft = random_draft(source, SIGNATURE, n)
        nodes = [source.randrange(n) for _ in bound]
        may, must = function(draft.may, draft.must, layouts.of(n), *nodes)
        for cell in range(n ** len(axes)):
            places = [cell // n, cell % n] if len(axes) == 2 else [cell][: len(axes)]
            assignment = dict(zip((*axes, *bound), (*places, *nodes), strict=True))
            expected = evaluate(draft, SIGNATURE, formula, assignment)
            assert (may >> cell & 1) + (must >> cell & 1) == expected
        assert may >> n ** len(axes) == 0


WORDS = Signature(Vocabulary((Predicate("p", 0), Predicate("q", 0), Predicate("r", 0))))
P, Q, R = Atom("p", ()), Atom("q", ()), Atom("r", ())
TABLES: dict[str, tuple[Formula, Callable[[int, int, int], int]]] = {
    "not": (Not(P), lambda p, q, r: 2 - p),
    "and": (And((P, Q)), lambda p, q, r: min(p, q)),
    "or": (Or((P, Q)), lambda p, q, r: max(p, q)),
    "iff": (Iff(P, Q), lambda p, q, r: 1 if 1 in (p, q) else 2 if p == q else 0),
    "if": (IfThenElse(P, Q, R), lambda p, q, r: q if p == 2 or (p == 1 and q == r) else r if p == 0 else 1),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_tables_of_kleene(name: str) -> None:
    formula, expected = TABLES[name]
    function = Compiler(WORDS).function([Request(formula, (), MAY), Request(formula, (), MUST)])
    for values in itertools.product(range(3), repeat=3):
        draft = Draft.empty(WORDS, 0)
        for predicate, value in zip((4, 5, 6), values, strict=True):
            draft.may[predicate], draft.must[predicate] = int(value > 0), int(value > 1)
        may, must = function(draft.may, draft.must, Layouts().of(0))
        assert may + must == expected(*values)


@pytest.mark.parametrize("embedding", ["strict", "loose"])
@pytest.mark.parametrize("seed", range(150))
def test_a_definite_value_holds_in_every_heap(seed: int, embedding: EmbeddingKind) -> None:
    """The embedding theorem: of a heap, and a structure that it embeds in."""
    source = random.Random(seed)
    heap = random_draft(source, SIGNATURE, source.randint(0, 3), concrete=True)
    above = blur(SIGNATURE, heap).draft()
    for predicate in range(4, SIGNATURE.size):
        cells = above.n ** SIGNATURE.arity[predicate]
        above.may[predicate] |= source.getrandbits(cells) & source.getrandbits(cells) if cells else 0
    if embedding == "loose":
        above = widened(source, SIGNATURE, above, summary=True)
    structure = loosened(SIGNATURE, above) if embedding == "loose" else above.freeze()
    assert contains(SIGNATURE, structure, heap, embedding)
    for _ in range(5):
        formula = random_formula(source, [], 5)
        inside, outside = (evaluate(each.draft(), SIGNATURE, formula, {}) for each in (heap.freeze(), structure))
        assert outside in (1, inside)
