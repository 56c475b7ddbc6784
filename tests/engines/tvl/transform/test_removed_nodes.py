"""An action that takes away the last node of a list leaves what is reached before it as it was."""

from __future__ import annotations

from engines.tvl.lists import at, reaches

from heapwright.engines.tvl.constraints.integrity_constraints import all_constraints
from heapwright.engines.tvl.structures.structure import SUMMARY, Draft
from heapwright.engines.tvl.transform.transformer import Kernel, Transformer
from heapwright.logic.actions import Action
from heapwright.logic.formulas import And, Exists, Not
from heapwright.logic.vocabulary import Predicate, Vocabulary

WORDS = Vocabulary(
    (
        *(Predicate(name, 1, unique=True) for name in "xy"),
        Predicate("n", 2, function=True),
        Predicate("r", 1, Exists(("u",), And((at("x", "u"), reaches("u", "v")))), ("v",)),
    )
)
FREE = Action("free y", (at("y", "v"),), retain=("v", Not(at("y", "v"))))


def test_reachability_stays_definite_where_the_last_node_goes() -> None:
    kernel = Kernel.build(WORDS, all_constraints(WORDS, ()))
    x, y, n, r = (kernel.signature.number[name] for name in "xynr")
    draft = Draft.empty(kernel.signature, 3)  # x, a summary node, and y at the end
    draft.may[SUMMARY] = 0b010
    draft.may[x] = draft.must[x] = 0b001
    draft.may[y] = draft.must[y] = 0b100
    draft.may[r] = draft.must[r] = 0b111
    draft.may[n] = 0b000_110_010
    step = Transformer(kernel, FREE).apply(draft.freeze())
    assert step.breach is None
    assert step.results
    assert all(found.must[r] == (1 << found.n) - 1 for found in step.results)
