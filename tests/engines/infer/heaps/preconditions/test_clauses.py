"""Claims: as formulas they mean what they say of heaps."""

from __future__ import annotations

import itertools

import pytest
from engines.infer.heaps.shapes import CYCLIC, VOCABULARY, heap, ring
from hypothesis import given, settings
from hypothesis import strategies as st

from heapwright.engines.infer.algorithm import ProverResult
from heapwright.engines.infer.heaps.membership import concrete_structure
from heapwright.engines.infer.heaps.preconditions.clauses import (
    FALSE,
    Claim,
    claims,
    clause_macro,
    clause_text,
    clause_words,
    doubly_linked_claims,
    path_claims,
    stronger_macro,
)
from heapwright.engines.infer.heaps.preconditions.small_heaps import heaps
from heapwright.engines.infer.heaps.prover.solver import Solver
from heapwright.engines.infer.heaps.prover.terms import EncodedTerms
from heapwright.engines.infer.heaps.steps import NOWHERE, Heap
from heapwright.engines.infer.heaps.structure import Node, Structure, Vocabulary
from heapwright.smt.terms import negation

NAMES = VOCABULARY.variables
DOUBLY = [*doubly_linked_claims(NAMES, [(0, 1), (1, 0)])]
CLAIMS = [*claims(NAMES, VOCABULARY), *path_claims(NAMES, VOCABULARY, 2, 2), *DOUBLY]
ONE = Vocabulary(("x",), fields=2)


def _exactly(one: Heap, vocabulary: Vocabulary = VOCABULARY) -> Structure:
    """The structure that describes this heap alone."""
    known = concrete_structure(vocabulary, one)
    return Structure(known.null, tuple(Node(values, single=True) for values in known.values), known.paths)


@given(heap(3), st.sampled_from(CLAIMS))
@settings(max_examples=60, deadline=None)
def test_a_formula_holds_where_its_claim_does(one: Heap, claim: Claim) -> None:
    solver = Solver(VOCABULARY, dangling=True)
    terms = EncodedTerms(solver.encoding)
    formula = claim.formula(terms)
    wrong = negation(formula) if claim.holds(VOCABULARY, one) else formula
    assert solver.possible(_exactly(one), [wrong, *terms.definitions]) is ProverResult.UNSAT
    right = formula if claim.holds(VOCABULARY, one) else negation(formula)
    assert solver.possible(_exactly(one), [right, *terms.definitions]) is not ProverResult.UNSAT


@pytest.mark.slow
def test_a_doubly_linked_list_is_a_formula_over_reachability() -> None:
    """In all heaps of up to three objects: of each object that leads back where it came from."""
    solver = Solver(ONE)
    terms = EncodedTerms(solver.encoding)
    (claim, _) = doubly_linked_claims(ONE.variables, [(0, 1)])
    truths = []
    for small in heaps(1, 3, fields=2):
        if small.at[0] != NOWHERE:
            holds = claim.holds(ONE, small)
            wrong = negation(claim.formula(terms)) if holds else claim.formula(terms)
            assert solver.possible(_exactly(small, ONE), [wrong, *terms.definitions]) is ProverResult.UNSAT
            truths.append(holds)
    assert min(truths.count(True), truths.count(False)) > 40


@given(ring(3), st.sampled_from([one for one in claims(CYCLIC.variables, CYCLIC) if one.kind != "home"]))
@settings(max_examples=60, deadline=None)
def test_a_formula_holds_where_its_claim_does_on_circles(one: Heap, claim: Claim) -> None:
    solver = Solver(CYCLIC)
    terms = EncodedTerms(solver.encoding)
    formula = claim.formula(terms)
    known = concrete_structure(CYCLIC, one)
    exactly = Structure(known.null, tuple(Node(v, single=True) for v in known.values), known.paths, cyclic=True)
    wrong = negation(formula) if claim.holds(CYCLIC, one) else formula
    assert solver.possible(exactly, [wrong, *terms.definitions]) is ProverResult.UNSAT


def test_every_claim_can_be_told() -> None:
    for claim in CLAIMS:
        assert claim.words(["n", "p"])
        assert claim.text(["n", "p"])
        assert claim.macro(["n", "p"]) or claim.kind in ("covered", "parted")


def test_clauses() -> None:
    clause = (Claim("null", ("x",)), Claim("longer", ("y",)))
    assert clause_macro(clause, ["n"]) == "x == 0 || (y != 0 && y->n != 0)"
    assert clause_words(clause) == "x is null, or y has at least two objects"
    assert clause_text(FALSE, ["n"]) == "false"
    assert clause_macro((Claim("covered", ("x", "y")),), ["n"]) == "hw_all_reachable_from(x, y, n)"
    assert clause_macro((Claim("covered", ("x", "y", "z")),), ["n"]) is None
    assert clause_words((Claim("falling", ("x", "k")),)) == "along the list x k never increases"


def test_what_is_said_instead_says_more() -> None:
    """hw_dll both ways implies that no object is reached both ways."""
    claim = Claim("parted", ("x",), 0, 1)
    assert stronger_macro((claim,), ["n", "p"]) == ("hw_dll(x, n, p) && hw_dll(x, p, n)", {("x", 0), ("x", 1)})
    both = 0
    for one in heaps(1, 3, fields=2):
        ways = ((0, 1), (1, 0))
        nodes = {way: one.reached(one.at[0], way[0]) for way in ways}
        if all(one.next[way[1]][v] == u for way in ways for u, v in itertools.pairwise(nodes[way])):
            both += 1
            assert claim.holds(Vocabulary(("x",), fields=2), one)
    assert both > 20
