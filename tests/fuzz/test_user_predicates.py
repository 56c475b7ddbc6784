"""Predicates of a user that programs carry in comments reach the engines, and fit the programs that are written."""

from __future__ import annotations

from heapwright.engines.boolheap.engine import BoolHeap, check_vocabulary
from heapwright.fuzz.generators.recipes import KINDS, Recipe
from heapwright.fuzz.trial import Bounds, EngineConfig, lowered, predicates_of, tried
from heapwright.program.commands import AnyPointer

FAR = """\
#include <stdlib.h>
struct t {
    struct t *next;
    struct t *other;
};
void start(struct t *x, struct t *y)
{
    if (x && x->other && x->other->other) {
        y = x->other->other;
        y->next = NULL;
        x->other->other->next = NULL;
    }
}
"""


def test_random_predicates_fit_a_program_with_inputs() -> None:
    for seed in range(5):
        text = Recipe("predicates", seed).text()
        program = lowered(text, KINDS["predicates"].function)
        assert any(isinstance(edge.command, AnyPointer) for edge in program.graph.edges)
        formulas = BoolHeap(predicates_of(text, "boolheap")).given
        assert formulas
        for formula in formulas:
            check_vocabulary(formula, program)


def test_engines_are_given_the_predicates_of_a_program() -> None:
    def proved(text: str) -> int:
        setting = EngineConfig("boolheap", (("refinements", 0),))
        return tried(text, [setting], Bounds(runs=2), function="start", audit=False).proved[setting.name]

    useful = "// boolheap predicate: v.other = null\n// boolheap predicate: v.other.other = null\n"
    misfit = "// boolheap predicate: v.left = null\n"
    assert proved(useful + FAR) != proved(FAR)
    assert proved(misfit + FAR) == proved(FAR)
