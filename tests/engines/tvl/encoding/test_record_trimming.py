"""Programs with lean activation records run as the whole ones do, but for leaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines.tvl.walks import program_of
from support.collection import name_of, programs

from heapwright.analysis.pipeline import build
from heapwright.engines.tvl.encoding.record_trimming import trimmed
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import run
from heapwright.program.types import RECORD
from heapwright.testing.expectations import read

GOAL = Goal(frozenset(CheckKind) - {CheckKind.LEAK})
RECURSIVE = [path for path in programs() if "recursi" in name_of(path) or "mutual" in name_of(path)]


def ends(program: Program, seed: int) -> object:
    made = run(program, GOAL, RandomChoices(seed), max_steps=2_000)
    found = made.violation
    return made.ending, found.check.id if found is not None else "", made.exact


def fields(program: Program) -> dict[str, list[str]]:
    """The pointers that each type of records holds, beside the callers."""
    cells = HeapVocabulary(program).fields
    types = [name for name in program.types if name.startswith(RECORD)]
    held = {name: [cell.removeprefix(f"{name}.") for cell in cells if cell.startswith(name)] for name in types}
    return {name: [one for one in found if one != "caller"] for name, found in held.items()}


@pytest.mark.parametrize("path", RECURSIVE, ids=name_of)
def test_runs_are_the_same(path: Path) -> None:
    program = build(read(path).input(path), lambda phase: None)
    lean = trimmed(program)
    for seed in range(20):
        assert ends(lean, seed) == ends(program, seed), seed


def test_what_is_read_again_is_held(tmp_path: Path) -> None:
    text = """
    #include <stdlib.h>
    struct node { struct node *next; };
    void drop(struct node *l) { if (!l) return; struct node *t = l->next; drop(t); free(l); }
    int main(void) { drop(NULL); }
    """
    assert fields(trimmed(program_of(text, tmp_path))) == {"activation of drop": ["drop::l"]}


def test_what_is_never_read_again_is_not_held(tmp_path: Path) -> None:
    text = """
    #include <stdlib.h>
    struct node { struct node *next; };
    void drop(struct node *l) { if (!l) return; struct node *t = l->next; free(l); drop(t); }
    int main(void) { drop(NULL); }
    """
    program = program_of(text, tmp_path)
    assert fields(program) == {"activation of drop": ["drop::l", "drop::t"]}
    assert fields(trimmed(program)) == {"activation of drop": []}


def test_functions_that_call_one_another_share_a_type_of_records(tmp_path: Path) -> None:
    text = """
    #include <stdlib.h>
    struct node { struct node *next; };
    void odd(struct node *l);
    void even(struct node *l) { if (l) { odd(l->next); free(l); } }
    void odd(struct node *m) { if (m) { even(m->next); free(m); } }
    int main(void) { even(NULL); }
    """
    assert fields(trimmed(program_of(text, tmp_path))) == {"activation of even": ["even::l"]}


def test_a_program_without_recursion_stays_as_it_is(tmp_path: Path) -> None:
    program = program_of("int main(void) { return 0; }", tmp_path)
    assert trimmed(program) is program
