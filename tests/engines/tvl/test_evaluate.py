"""Compiled formulas have the values that the definition gives them."""

from __future__ import annotations

import random

import pytest
from engines.tvl.reference import SIGNATURE, evaluate, random_draft, random_formula

from heapwright.engines.tvl.evaluate import MAY, MUST, Compiler, Request
from heapwright.engines.tvl.layout import Layouts


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("shape", [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2)])
def test_values_for_all_nodes_agree_with_values_one_by_one(seed: int, shape: tuple[int, int]) -> None:
    source = random.Random(seed * 31 + shape[0] * 7 + shape[1])
    axes = ("u", "v")[: shape[0]]
    bound = ("p", "q")[: shape[1]]
    formula = random_formula(source, [*axes, *bound], 4)
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
