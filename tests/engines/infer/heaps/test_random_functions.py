"""Random functions over lists: whatever breaks a small heap was expected at the entry, and the answer excludes it.

Programs are drawn from assignments, loads, stores, frees, allocations, tests and loops over three variables. Those that
are out of reach, or take too many steps, say nothing and are counted: most must not be among them.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support.bounds import StepLimit

from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import LimitReached, UnsupportedError
from heapwright.engines.infer.heaps.inference import infer
from heapwright.engines.infer.heaps.preconditions.clause_selection import select_clauses, small_heaps
from heapwright.engines.infer.heaps.program_translation import translate

NAMES = ("x", "y", "t")
STEPS = 500


def _simple(draw: random.Random, frees: bool) -> str:
    one, two = draw.choice(NAMES), draw.choice(NAMES)
    kinds = ["copy", "null", "load", "store", "cut", "data", "new", *(["free"] if frees else [])]
    match draw.choice([*kinds, "load", "store"]):
        case "copy":
            return f"{one} = {two};"
        case "null":
            return f"{one} = 0;"
        case "load":
            return f"{one} = {two}->n;"
        case "store":
            return f"{one}->n = {two};"
        case "cut":
            return f"{one}->n = 0;"
        case "data":
            return f"{one}->data = k;"
        case "new":
            return f"e = malloc(sizeof *e); e->n = {two}; {one} = e; e = 0;"
        case _:
            return f"free({one});"


def _test(draw: random.Random) -> str:
    one, two = draw.choice(NAMES), draw.choice(NAMES)
    return draw.choice([one, f"!{one}", f"{one} == {two}", f"{one} != {two}", "k > 3"])


def _statement(draw: random.Random, depth: int, frees: bool) -> str:
    kind = draw.random()
    if depth and kind < 0.25:
        return f"if ({_test(draw)}) {{ {_block(draw, depth - 1, frees, 2)} }}"
    if depth and kind < 0.4:
        name = draw.choice(NAMES)
        return f"while ({name}) {{ {_block(draw, depth - 1, frees, 1)} {name} = {name}->n; }}"
    if kind < 0.7:
        name = draw.choice(NAMES)  # guarded, so that something is left to be found out
        return f"if ({name}) {{ {draw.choice(NAMES)} = {name}->n; }}"
    return _simple(draw, frees)


def _block(draw: random.Random, depth: int, frees: bool, most: int) -> str:
    return " ".join(_statement(draw, depth, frees) for _ in range(draw.randint(1, most)))


def function(seed: int) -> str:
    draw = random.Random(seed)
    body = _block(draw, 2, seed % 3 == 0, 4)
    claim = draw.choice(["", "assert(hw_all_reachable(x, n));", "assert(hw_disjoint(x, y, n));", "assert(x != y);"])
    return f"""\
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
struct node {{ int data; struct node *n; }};
void f(struct node *x, struct node *y, int k) {{
    struct node *t = x, *e = 0;
    {body}
    {claim}
}}
"""


def _judged(tmp_path: Path, seed: int, iterate: int = 0) -> bool:
    """Whether the precondition of a random function was found; it is held against all small heaps."""
    file = tmp_path / f"{seed}.c"
    file.write_text(function(seed))
    program = build(Input((str(file),), function="f"), phase=lambda text: None)
    try:
        found = infer(translate(program), tell=StepLimit(STEPS), iterate=iterate)
    except (LimitReached, UnsupportedError):
        return False
    small = small_heaps(found.task, 3)
    for one in small:
        for result in found.results:
            if result.obligation.id in one.failures.violated:
                assert any(one.described(failing) for failing in result.failing), (function(seed), one)
    judged = select_clauses(found, small)
    assert not any(one.missed for one in judged.preconditions), function(seed)
    return True


@pytest.mark.slow
def test_what_fails_was_expected(tmp_path: Path) -> None:
    assert sum(_judged(tmp_path, seed) for seed in range(6)) >= 2


@pytest.mark.long
@pytest.mark.parametrize("start", range(0, 60, 10))
def test_forwards_and_back_what_fails_is_still_expected(tmp_path: Path, start: int) -> None:
    assert sum(_judged(tmp_path, seed, iterate=2) for seed in range(start, start + 10)) >= 1


@pytest.mark.long
@pytest.mark.parametrize("start", range(100, 200, 10))
def test_what_fails_was_expected_at_length(tmp_path: Path, start: int) -> None:
    assert sum(_judged(tmp_path, seed) for seed in range(start, start + 10)) >= 3
