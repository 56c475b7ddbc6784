"""Claims: as formulas they mean what they say of heaps."""

from __future__ import annotations

import pytest
import z3
from engines.infer.shapes import VOCABULARY, heap
from hypothesis import given, settings
from hypothesis import strategies as st

from heapwright.engines.infer.algorithm import Verdict
from heapwright.engines.infer.clauses import FALSE, Claim, claims, clause_macro, clause_text, clause_words
from heapwright.engines.infer.placing import facts
from heapwright.engines.infer.solver import Solver
from heapwright.engines.infer.steps import Heap
from heapwright.engines.infer.structure import Node, Structure

CLAIMS = list(claims(VOCABULARY.variables, allocation=True))


def _exactly(one: Heap) -> Structure:
    """The structure that describes this heap alone."""
    known = facts(VOCABULARY, one)
    return Structure(known.null, tuple(Node(values, single=True) for values in known.values), known.path)


@given(heap(3), st.sampled_from(CLAIMS))
@settings(max_examples=60, deadline=None)
def test_a_formula_holds_where_its_claim_does(one: Heap, claim: Claim) -> None:
    solver = Solver(VOCABULARY, dangling=True)
    formula = claim.formula(solver.words)
    wrong = z3.Not(formula) if claim.holds(VOCABULARY, one) else formula
    assert solver.possible(_exactly(one), [wrong]) is Verdict.NONE
    right = formula if claim.holds(VOCABULARY, one) else z3.Not(formula)
    assert solver.possible(_exactly(one), [right]) is not Verdict.NONE


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.kind}-{'-'.join(claim.names)}")
def test_every_claim_can_be_told(claim: Claim) -> None:
    assert claim.words()
    assert claim.text("n")
    assert claim.macro("n") or claim.kind == "covered"


def test_clauses() -> None:
    clause = (Claim("null", ("x",)), Claim("longer", ("y",)))
    assert clause_macro(clause, "n") == "x == 0 || (y != 0 && y->n != 0)"
    assert clause_words(clause) == "x is null, or y has at least two objects"
    assert clause_text(FALSE, "n") == "false"
    assert clause_macro((Claim("covered", ("x", "y")),), "n") == "hw_all_reachable_from(x, y, n)"
    assert clause_macro((Claim("covered", ("x", "y", "z")),), "n") is None
    assert clause_words((Claim("falling", ("x", "k")),)) == "along the list x k never increases"
