"""Domains that know only that a block has ended alarm the checks that the interpreter fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.result.outcomes import Verdict

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    FILE *file = fopen("data", "r");
    if (file == NULL)
        return 1;
    if (fgetc(file) == EOF)
        fclose(file);
    %s;
    return 0;
}
"""
LAST = {
    "fgetc(file)": "use-after-free",
    'fputs("", file)': "use-after-free",
    "fclose(file)": "double-free",
    "free(file)": "double-free",
}


@pytest.mark.parametrize("engine", ["explore", "recency", "tvl", "fesa", "lazy", "boolheap"])
@pytest.mark.parametrize("last", LAST)
def test_a_closed_stream_is_not_proved_to_be_open(engine: str, last: str, tmp_path: Path) -> None:
    file = tmp_path / "closed.c"
    file.write_text(PROGRAM % last, encoding="utf-8")
    program = build(Input((str(file),)), lambda phase: None)
    result = analyze(program, Goal(), engine, Limits(states=2000), NullProgress())
    (found,) = [one for one in result.outcomes if (one.check.span.line, one.check.kind.value) == (11, LAST[last])]
    assert found.verdict is Verdict.VIOLATED if engine == "explore" else found.verdict is not Verdict.PROVED
