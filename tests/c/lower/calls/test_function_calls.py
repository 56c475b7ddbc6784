"""Functions that have one body for all their calls behave like inlined ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.c.lower.prepass import callgraph
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal

LOST_IN_A_CALL = """
#include <stdlib.h>
static int *kept;
static int same(int x) { return x; }
static int *get(void) { return kept; }
static void forget(void) { kept = NULL; }
static int add(int *p, int b) { return *p + b; }
int main(void)
{
    kept = malloc(sizeof *kept);
    *kept = 1;
    int x = add(get(), same(1));
    forget();
    x = add(&x, same(1));
    return 0;
}
"""

EXIT_DURING_A_CALL = """
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int *make(void) { return malloc(sizeof(int)); }
static int checked(int x) { if (x > 0) exit(1); return x; }
static void use(int *p, int x) { *p = x; free(p); }
int main(void)
{
    use(make(), checked(__VERIFIER_nondet_int()));
    use(make(), checked(__VERIFIER_nondet_int()));
    return 0;
}
"""

LARGE_STRUCTS = """
#include <assert.h>
struct table { int cell[20]; };
static struct table step(struct table t, int i) { t.cell[i]++; return t; }
int main(void)
{
    struct table t = {{0}};
    t = step(step(t, 1), 2);
    struct table u = step(t, 1);
    assert(t.cell[1] == 1 && t.cell[2] == 1 && u.cell[1] == 2);
    return 0;
}
"""


@pytest.mark.parametrize("budget", [1, callgraph.BUDGET])
@pytest.mark.parametrize(
    ("text", "verdict"),
    [(LOST_IN_A_CALL, "unsafe"), (EXIT_DURING_A_CALL, "safe"), (LARGE_STRUCTS, "safe")],
    ids=["lost in a call", "exit during a call", "large structs"],
)
def test_sharing_does_not_change_the_verdict(
    text: str, verdict: str, budget: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callgraph, "BUDGET", budget)
    file = tmp_path / "program.c"
    file.write_text(text, encoding="utf-8")
    program = build(Input((str(file),)), phase=lambda message: None)
    assert analyze(program, Goal(), "explore", Limits(), NullProgress()).verdict.value == verdict
