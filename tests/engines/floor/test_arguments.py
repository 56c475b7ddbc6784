"""The arguments of main: loops over them stay in the array, as long as nothing has written it."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal

PRELUDE = """#include <stdlib.h>
#include <string.h>
void reorder(char **); void look(const char *); char **others(void); void tick(void); char *mine;
"""
SAFE = {
    "count": "int i; for (i = 1; i < c; i++) if (v[i][0] == '-') return 1;",
    "count from behind": "int i; for (i = c - 1; i >= 0; i--) if (v[i][0] == '-') return 1;",
    "null": "char **p; for (p = v; *p; p++) if (**p == '-') return 1;",
    "null by index": "int k = 0; while (v[k]) k++; return k;",
    "null in a condition": "int k; for (k = 0; v[k] != 0; ++k) look(v[k]);",
    "one": "if (c > 2) return v[1][0] + v[2][0] + (v[c] == 0);",
    "a pointer that follows": "int i; char *last = 0; for (i = 0; i < c; i++) last = v[i]; if (last) return last[0];",
    "read by a function": "int i; for (i = 0; i < c; i++) look(v[i]);",
}
UNSAFE = {
    "too far": "int i; for (i = 0; i <= c; i++) if (v[i][0] == '-') return 1;",
    "behind null": "char **p = v; while (*p) p++; p++; if (*p) return 1;",
    "without a test": "return v[1][0];",
    "no argument at all": "char **p = v; do p++; while (*p);",
    "written": "int i; if (c > 1) v[1] = 0; for (i = 0; i < c; i++) if (v[i][0] == '-') return 1;",
    "written by another name": "int i; char **p = v; if (c > 1) p[1] = 0; for (i = 0; i < c; i++) c += v[i][0];",
    "filled": "int i; if (c > 0) memset(v, 0, sizeof *v); for (i = 0; i < c; i++) if (v[i][0] == '-') return 1;",
    "copied": "char *a[1] = {0}; int i; if (c > 0) memcpy(v, a, sizeof a); for (i = 0; i < c; i++) c += v[i][0];",
    "handed over": "reorder(v); if (c > 0) return v[0][0];",
    "handed over before": "int i; reorder(v); if (!v[0]) return 0; tick(); if (c > 0 && v[0][0]) return 1;",
    "no null any more": "char **p; if (c < 1) return 0; v[c] = v[0]; for (p = v; *p; p++) ;",
    "an own block": "char *m = malloc(1); if (c < 1) return 0; *m = 0; v[0] = m; free(m); return v[0][0];",
    "freed": "if (c > 0) free(v[0]);",
    "freed itself": "free(v);",
    "another index": "int i = 0; char *s; if (c < 1) return 0; s = v[i]; i = c + 1; if (s) return v[i] != 0;",
}


def analysed(folder: Path, body: str, engine: str) -> tuple[set[str], object]:
    file = folder / "arguments.c"
    file.write_text(f"{PRELUDE}int main(int c, char **v) {{ {body} return 0; }}\n")
    program = build(Input((str(file),)), phase=lambda _: None)
    result = run_engine(load_engine(engine), program, Goal(), Limits(states=2_000), NullProgress())
    return {one.verdict.value for one in result.outcomes}, result


@pytest.mark.parametrize("body", SAFE.values(), ids=SAFE)
def test_loops_over_arguments(tmp_path: Path, body: str) -> None:
    assert analysed(tmp_path, body, "recency")[0] == {"proved"}


@pytest.mark.parametrize("body", UNSAFE.values(), ids=UNSAFE)
def test_what_may_fail_is_not_proved(tmp_path: Path, body: str) -> None:
    assert "violated" in analysed(tmp_path, body, "explore")[0]
    assert "unknown" in analysed(tmp_path, body, "recency")[0]
