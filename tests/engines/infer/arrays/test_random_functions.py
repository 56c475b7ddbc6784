"""Random functions over an array: whatever breaks a small array was expected at the entry, and the answer excludes it.

Programs are drawn from assignments and tests of two index variables, a pointer and an element, accesses, writes and
loops.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support.bounds import StepLimit

from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import LimitReached
from heapwright.engines.infer.arrays.inference import infer_arrays
from heapwright.engines.infer.arrays.membership import describes
from heapwright.engines.infer.arrays.preconditions.claim_selection import select_claims, small_arrays
from heapwright.engines.infer.arrays.program_translation import translate_arrays

STEPS = 1_500


def _index(draw: random.Random) -> str:
    return draw.choice(["i", "j", "i", "j", "i + 1", "j - 1", "0"])


def _simple(draw: random.Random) -> str:
    return draw.choice(
        [
            f"d = a[{_index(draw)}];",
            f"a[{_index(draw)}] = d;",
            f"a[{_index(draw)}] = 0;",
            f"i = {_index(draw)};",
            f"j = {_index(draw)};",
            "i++;",
            "j--;",
            "d = 0;",
            f"assert(a[{_index(draw)}] {draw.choice(['<=', '!=', '>'])} d);",
            "assert(i <= j);",
            "p++;",
            f"p = a + {draw.choice('ij')};",
            "p = p - 1;",
            "d = *p;",
            "p[1] = d;",
            "i = p - a;",
        ]
    )


def _test(draw: random.Random) -> str:
    return draw.choice(
        [
            "i < j",
            "i == j",
            "i >= 0 && i < n",
            "j > 0 && j <= n",
            "d < 0",
            "i < n",
            "p == a",
            "p != a + n",
            "p",
            "a != 0 && n > 1",
            f"n > {_index(draw)}",
        ]
    )


def _block(draw: random.Random, size: int, depth: int) -> str:
    found = []
    for _ in range(size):
        kind = draw.random()
        if depth and kind < 0.4:
            found.append(f"if ({_test(draw)}) {{ {_block(draw, 2, depth - 1)} }}")
        elif depth and kind < 0.6:
            name, body = draw.choice("ij"), _block(draw, 1, depth - 1)
            found.append(f"while ({name} < n) {{ {body} {name}++; }}")
        else:
            found.append(_simple(draw))
    return " ".join(found)


def _program(seed: int) -> str:
    draw = random.Random(seed)
    body = _block(draw, draw.choice([2, 3]), 1)
    return (
        f"#include <assert.h>\nvoid f(int *a, int n, int i, int j) {{ int d = a[i + j], *p = a; {body} a[j] = d; }}\n"
    )


def _judge(path: Path, seed: int, lengths: dict[str, str]) -> bool:
    """Whether the analysis came to an end."""
    path.write_text(_program(seed))
    (task,) = tasks = translate_arrays(build(Input((str(path),), function="f"), phase=lambda text: None), lengths)
    try:
        found = infer_arrays(tasks, tell=StepLimit(STEPS))
    except LimitReached:
        return False
    small = small_arrays(tasks, 2)
    values = task.vocabulary.values
    for one in small:
        for result in found.results:
            if result.obligation.id in one.failures.violated:
                assert any(
                    describes(failing, one.inputs.stores[0], values(one.inputs.stores[0])) for failing in result.failing
                ), (
                    _program(seed),
                    one,
                )
    assert not any(one.missed for one in select_claims(found, small).preconditions), _program(seed)
    return True


@pytest.mark.slow
def test_random_functions(tmp_path: Path) -> None:
    ended = [_judge(tmp_path / "a.c", seed, {"a": "n"} if seed % 2 else {}) for seed in range(1, 5)]
    assert sum(ended) >= 2


@pytest.mark.long
def test_many_random_functions(tmp_path: Path) -> None:
    ended = [_judge(tmp_path / "a.c", seed, {"a": "n"} if seed % 2 else {}) for seed in range(100, 160)]
    assert sum(ended) >= 30
