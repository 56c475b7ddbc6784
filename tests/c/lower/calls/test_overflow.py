"""The built-in functions about overflow where no type holds all results."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.result.outcomes import ProgramVerdict

PROGRAM = """\
#include <assert.h>
int main(void) {
    int sum = 0;
    int over = __builtin_add_overflow(2147483647, 1, &sum);
    assert(over);
    assert(__builtin_bswap64(1ULL) == 0x0100000000000000ULL);
    return 0;
}
"""


@pytest.mark.parametrize("engine", ["explore", "recency"])
def test_on_32_bits_they_are_not_supported(tmp_path: Path, engine: str) -> None:
    file = tmp_path / "sum.c"
    file.write_text(PROGRAM)
    program = build(Input((str(file),), data_model="ILP32"), lambda phase: None)
    result = run_engine(load_engine(engine), program, Goal(), Limits(), NullProgress())
    assert result.verdict is ProgramVerdict.UNKNOWN


def test_on_64_bits_they_are(tmp_path: Path) -> None:
    file = tmp_path / "sum.c"
    file.write_text(PROGRAM)
    result = run_engine(
        load_engine("explore"), build(Input((str(file),)), lambda phase: None), Goal(), Limits(), NullProgress()
    )
    assert result.verdict is ProgramVerdict.SAFE
