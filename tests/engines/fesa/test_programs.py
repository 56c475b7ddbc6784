"""The engine on C programs: what it proves, that it never proves a marked violation, and what it says of the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.bounds import UNBOUNDED, bounded
from support.collection import name_of, programs
from support.judging import never_proves_a_violation

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import Fesa
from heapwright.program.checks import CheckKind, Goal
from heapwright.result.outcomes import Result, Verdict
from heapwright.settings.properties import goal_of
from heapwright.testing.expectations import read

POINTERS = frozenset(CheckKind) - {CheckKind.LEAK, CheckKind.SHAPE, CheckKind.ASSERT}
STEPS = 2_000  # of all rungs of a proof together

LISTS = [
    *(f"dll/{name}_ok" for name in ("append", "create", "delete", "insert", "merge", "reverse", "rotate", "split")),
    *(f"dll/{name}_ok" for name in ("swap", "traverse", "search")),
    *(f"nested/{name}_ok" for name in ("create", "delete")),
    *(f"queue/{name}_ok" for name in ("locals", "queue")),
    *(f"sll/{name}_ok" for name in ("append", "create", "cut", "delete", "insert", "merge", "reverse", "rotate")),
    *(f"sll/{name}_ok" for name in ("search", "split", "swap", "traverse")),
    *(f"stack/{name}_ok" for name in ("by_address", "stack")),
]


def analysed(path: Path, goal: Goal | None = None, limits: Limits = UNBOUNDED, **options: Any) -> Result:
    expected = read(path)
    program = build(expected.input(path), lambda phase: None)
    return run_engine(Fesa(**options), program, goal or goal_of(expected.properties), limits, NullProgress())


def quickly(path: Path) -> Result:
    """Within a bound on steps."""
    return analysed(path, Goal(kinds=POINTERS), Limits(states=STEPS))


def open_checks(result: Result) -> set[str]:
    return {
        f"{outcome.check.span.line}:{outcome.check.kind.value}"
        for outcome in result.outcomes
        if outcome.verdict is not Verdict.PROVED
    }


def structures(names: list[str]) -> list[Path]:
    found = [path for path in programs() if name_of(path).removeprefix("structures/") in names]
    assert len(found) == len(names)
    return found


@pytest.mark.parametrize("path", structures(LISTS), ids=name_of)
def test_pointers_are_proved_valid(path: Path) -> None:
    assert open_checks(quickly(path)) == set()


OTHERS = [
    *(f"sorted/{name}_ok" for name in ("bubble_sort_values", "delete", "insert", "insertion_sort")),
    "sorted/insertion_sort_loop_ok",
    *(f"trees/{name}_ok" for name in ("any", "free_by_rotation", "insert", "rotate_free")),
]


@pytest.mark.slow
@pytest.mark.parametrize("path", structures(OTHERS), ids=name_of)
def test_keys_and_trees_are_proved(path: Path) -> None:
    assert open_checks(analysed(path, Goal(kinds=POINTERS))) == set()


RINGS = ["append", "create", "delete", "insert", "merge", "reverse", "rotate", "search", "swap", "traverse"]


@pytest.mark.parametrize("path", structures([f"circular/{name}_ok" for name in RINGS]), ids=name_of)
def test_rings_are_proved_and_freed(path: Path) -> None:
    """What is left of a ring that is being freed ends at an object that a variable points to, which is kept apart."""
    assert open_checks(quickly(path)) == set()


RINGS_IN_A_LIST = """\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct item { struct item *next; };
struct list { struct list *next; struct item *ring; };
static struct item *make(void) {
    struct item *ring = malloc(sizeof *ring);
    ring->next = ring;
    while (__VERIFIER_nondet_int()) {
        struct item *fresh = malloc(sizeof *fresh);
        fresh->next = ring->next;
        ring->next = fresh;
    }
    return ring;
}
int main(void) {
    struct list *lists = NULL;
    while (__VERIFIER_nondet_int()) {
        struct list *fresh = malloc(sizeof *fresh);
        fresh->ring = make();
        fresh->next = lists;
        lists = fresh;
    }
    for (struct list *l = lists; l; l = l->next) {
        struct item *i = l->ring;
        do i = i->next; while (i != l->ring);
    }
    return 0;
}
"""


def test_rings_in_a_list_are_walked(tmp_path: Path) -> None:
    path = tmp_path / "rings.c"
    path.write_text(RINGS_IN_A_LIST, encoding="utf-8")
    program = build(Input((str(path),)), lambda phase: None)
    assert open_checks(run_engine(Fesa(), program, Goal(kinds=POINTERS), Limits(), NullProgress())) == set()


# --- violations ------------------------------------------------------------------------------------------------------

BAD = [path for path in programs() if read(path).bad]
FOLDERS = ("lists", "dll", "circular", "trees", "structures/sll", "structures/queue", "structures/stack")
QUICK = ("lists", "circular", "structures/queue")


def proves_no_mark(path: Path, **options: Any) -> None:
    result = analysed(path, None, bounded("fesa"), **options)
    never_proves_a_violation(read(path), result)


@pytest.mark.parametrize("path", [p for p in BAD if name_of(p).startswith(QUICK)], ids=name_of)
def test_bugs_in_structures_are_not_proved_away(path: Path) -> None:
    proves_no_mark(path)


@pytest.mark.slow
@pytest.mark.exhaustive(9)
@pytest.mark.parametrize("path", [p for p in BAD if not name_of(p).startswith(QUICK)], ids=name_of)
def test_no_bug_is_proved_away(path: Path) -> None:
    proves_no_mark(path)


@pytest.mark.slow
@pytest.mark.exhaustive(18)
@pytest.mark.parametrize("path", [p for p in BAD if name_of(p).startswith(FOLDERS)], ids=name_of)
@pytest.mark.parametrize("options", [{"instrumentation": False}, {"numeric": "pairs"}], ids=["off", "pairs"])
def test_no_bug_is_proved_away_with_less_precision(path: Path, options: dict[str, Any]) -> None:
    proves_no_mark(path, **options)
