"""Mutants of safe programs: what a run breaks, no engine proves."""

from __future__ import annotations

import pytest
from support.bounds import STATES
from support.collection import PROGRAMS

from heapwright.fuzz.mutate import Mutant, drawn, mutants
from heapwright.fuzz.trial import WRONG_PROOF, Bounds, EngineConfig, tried

STRUCTURES = PROGRAMS / "structures"
QUICK = [STRUCTURES / "sll" / f"{name}_ok.c" for name in ("reverse", "delete", "swap", "traverse")]
QUICK.append(STRUCTURES / "stack" / "stack_ok.c")
MANY = sorted(path for path in STRUCTURES.rglob("*_ok.c") if path.parent.name in ("sll", "circular", "queue", "sorted"))
LARGE = sorted(path for path in STRUCTURES.rglob("*_ok.c") if path.parent.name in ("dll", "nested", "trees"))

LIST = """\
struct node {
    struct node *next, *other;
    int key;
};

static void f(struct node *a)
{
    struct node *b = a->next;
    if (a && b)
        b->next = a;
    free(a);
    b = a;
    while (a->key < 3) {
        a = b;
    }
}
"""


def changes(kind: str) -> set[str]:
    """The first line of each mutant that differs."""
    return {mutant.text.splitlines()[mutant.line - 1].strip() for mutant in mutants(LIST) if mutant.kind == kind}


def test_each_kind_of_change() -> None:
    assert changes("delete") == {";"}
    assert changes("repeat") == {"{ b->next = a; b->next = a; }", "free(a);"}
    assert changes("swap") == {"b = a;"}
    assert changes("negate") == {"if (!(a && b))", "while (!(a->key < 3)) {"}
    assert changes("weaken") == {"if (a)", "if (b)"}
    assert changes("connect") == {"if (a || b)"}
    assert changes("field") == {"struct node *b = a->other;", "b->other = a;"}
    assert changes("compare") == {"while (a->key <= 3) {", "while (a->key > 3) {"}
    assert {"b->next = b;", "b->next = NULL;", "free(b);", "if (b && b)", "a = a;"} <= changes("variable")


def test_no_mutant_is_the_program_itself() -> None:
    text = QUICK[0].read_text(encoding="utf-8")
    found = [mutant.text for mutant in mutants(text)]
    assert text not in found
    assert len(set(found)) > 50


def test_the_same_seed_draws_the_same_mutants() -> None:
    texts = [path.read_text(encoding="utf-8") for path in QUICK]
    assert drawn(texts, 5, 1) == drawn(texts, 5, 1) != drawn(texts, 5, 2)


def hold(chosen: list[Mutant], engine: str) -> int:
    """How many mutants are broken by a run, all of them seen by the engine."""
    bounds = Bounds(
        engine_seconds=600, engine_states=STATES[engine], search_seconds=600, search_states=STATES["explore"]
    )
    trials = [(mutant, tried(mutant.text, [EngineConfig(engine)], bounds, audit=False)) for mutant in chosen]
    for mutant, trial in trials:
        assert not [find for find in trial.finds if find.kind == WRONG_PROOF], f"{trial.finds}\n{mutant.text}"
    return sum(trial.violated > 0 for _, trial in trials)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["fesa", "lazy", "tvl"])
def test_a_few_mutants(engine: str) -> None:
    assert hold(drawn([path.read_text(encoding="utf-8") for path in QUICK], 4, 0), engine) >= 5


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("engine", ["fesa", "lazy", "tvl"])
def test_many_mutants(engine: str, seed: int) -> None:
    assert hold(drawn([path.read_text(encoding="utf-8") for path in MANY], 2, seed), engine) >= 10


@pytest.mark.long
@pytest.mark.parametrize("engine", ["fesa", "lazy", "tvl"])
def test_mutants_of_larger_programs(engine: str) -> None:
    hold(drawn([path.read_text(encoding="utf-8") for path in LARGE], 1, 0), engine)
