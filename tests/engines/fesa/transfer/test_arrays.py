"""Arrays of structs and of pointers: a node for the first element, and a summary of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import Fesa
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import snapshots
from heapwright.result.outcomes import Verdict

HEAD = """\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct item { struct item *next; };
struct slot { struct item *first; int used; };
"""
FILLED = """\
    for (int k = 0; k < 8; k++) {
        struct slot *s = &table[k];
        struct item *item = malloc(sizeof *item);
        item->next = s->first;
        s->first = item;
    }
"""
EMPTIED = """\
    for (int k = 0; k < 8; k++) {
        struct slot *s = &table[k];
        while (s->first) { struct item *item = s->first; s->first = item->next; free(item); }
    }
"""
STATIC = f"static struct slot table[8];\nint main(void) {{\n{FILLED}{EMPTIED}    return 0;\n}}\n"
HEAP = (
    f"int main(void) {{\n    struct slot *table = calloc(8, sizeof *table);\n{FILLED}{EMPTIED}"
    "    free(table);\n    return 0;\n}\n"
)
PLAIN = """\
int main(void) {
    struct slot *table = calloc(8, sizeof *table);
    table[3].used = 1;
    struct slot *s = &table[4];
    if (s->first == 0) s->used = 1;
    free(table);
    return 0;
}
"""
POINTERS = """\
int main(void) {
    struct item **heads = calloc(8, sizeof *heads);
    for (int k = 0; k < 8; k++) {
        struct item *item = malloc(sizeof *item);
        item->next = 0;
        if (heads[k]) free(item); else heads[k] = item;
    }
    for (int k = 0; k < 8; k++) {
        struct item *item = heads[k];
        heads[k] = 0;
        if (item) free(item);
    }
    free(heads);
    return 0;
}
"""
DEREF, LEAK, BOUNDS = CheckKind.INVALID_DEREF, CheckKind.LEAK, CheckKind.BOUNDS
FREED, TWICE, WRONG = CheckKind.USE_AFTER_FREE, CheckKind.DOUBLE_FREE, CheckKind.INVALID_FREE


def built(text: str, tmp_path: Path) -> Input:
    path = tmp_path / "array.c"
    path.write_text(HEAD + text, encoding="utf-8")
    return Input((str(path),))


def open_kinds(text: str, tmp_path: Path) -> set[CheckKind]:
    program = build(built(text, tmp_path), lambda phase: None)
    result = run_engine(Fesa(), program, Goal(), Limits(states=3000), NullProgress())
    return {outcome.check.kind for outcome in result.outcomes if outcome.verdict is not Verdict.PROVED}


@pytest.mark.parametrize(
    ("text", "left"), [(STATIC, set()), (PLAIN, set()), (HEAP, {LEAK})], ids=["static", "plain", "heap"]
)
def test_tables_are_proved(text: str, left: set[CheckKind], tmp_path: Path) -> None:
    """That all lists of a table are empty where it is freed, a summary does not tell."""
    assert open_kinds(text, tmp_path) == left


@pytest.mark.parametrize(
    ("text", "old", "new", "kind"),
    [
        (STATIC, "table[k];", "table[k + 1];", BOUNDS),
        (HEAP, "k < 8", "k <= 8", BOUNDS),
        (HEAP, "calloc(8, sizeof *table)", "malloc(8 * sizeof *table)", DEREF),
        (PLAIN, "    free(table);", "", LEAK),
        (PLAIN, "    free(table);", "    table = s;", LEAK),
        (PLAIN, "    free(table);", "    free(s);", WRONG),
        (PLAIN, "[4]", "[9]", BOUNDS),
        (HEAP, "    free(table);", "    free(table + 1);", WRONG),
        (HEAP, "    free(table);", "    struct slot *s = table + 3; free(table); s->used = 1;", FREED),
        (HEAP, "    free(table);", "    free(table); free(table);", TWICE),
        (STATIC, "free(item);", "", LEAK),
        (HEAP, "s->first = item->next; free(item);", "free(item); s->first = item->next;", FREED),
        (PLAIN, "    free(table);", "    table[2].first = malloc(sizeof(struct item)); free(table);", LEAK),
        (
            STATIC,
            "    return 0;",
            "    table[1].first = malloc(sizeof(struct item)); table[1].first = 0; return 0;",
            LEAK,
        ),
        (POINTERS, "heads[k] = 0;", "", TWICE),
        (POINTERS, "if (item) free(item);", "", LEAK),
        (POINTERS, "k < 8", "k < 9", BOUNDS),
        (POINTERS, "if (item) free(item);", "if (item) free(item->next);", LEAK),
        (POINTERS, "    free(heads);", "    struct item **at = heads + 2; free(heads); *at = 0;", FREED),
    ],
)
def test_a_twin_is_not(text: str, old: str, new: str, kind: CheckKind, tmp_path: Path) -> None:
    assert old in text
    assert kind in open_kinds(text.replace(old, new), tmp_path)


@pytest.mark.parametrize("text", [STATIC, HEAP, POINTERS], ids=["static", "heap", "pointers"])
def test_heaps_of_runs_are_in_the_states(text: str, tmp_path: Path) -> None:
    program = build(built(text, tmp_path), lambda phase: None)
    result = run_engine(Fesa(), program, Goal(audit=True), Limits(states=3000), NullProgress())
    assert result.states is not None
    for location, heap in snapshots(Machine(program, Goal()), RandomChoices(1), max_steps=300):
        assert result.states.contains(location, heap)
