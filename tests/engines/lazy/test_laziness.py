"""Shapes only where they are needed: of the lists that are needed, at the locations that lead to where they are, and no
finer than needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from engines.lazy.programs import CHECKED, WITHOUT_LEAKS, analysed, broken, compiled, published, searched
from support.bounds import bounded
from support.judging import heaps_described

from heapwright.engines.lazy.art.search_options import Options
from heapwright.engines.lazy.heap.aliases import SEVERAL
from heapwright.engines.lazy.heap.coarse_aliases import aliases_of
from heapwright.engines.lazy.precision.tracking_definition import ShapeType
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.commands import Assert
from heapwright.program.graph import Program
from heapwright.result.outcomes import ProgramVerdict

BUILD = "while (__VERIFIER_nondet_int()) {{ t = malloc(sizeof *t); t->h = {0}; t->n = l{0}; l{0} = t; }}\n"
FREE = "while (l{0} != NULL) {{ t = l{0}->n; free(l{0}); l{0} = t; }}\n"
CHECK = "for (struct node *p = l1; p != NULL; p = p->n) assert(p->h == CLAIM);\n"
REVERSE = "{ struct node *r = NULL; while (l1) { struct node *u = l1->n; l1->n = r; r = l1; l1 = u; } l1 = r; }\n"


def lists(count: int, *, freed: bool = False, reversals: int = 0) -> str:
    """Lists that one temporary builds, of which the first is checked, then reversed, and all are freed."""
    numbers = range(1, count + 1)
    built = "".join(BUILD.format(one) for one in numbers)
    last = "".join(FREE.format(one) for one in numbers) if freed else ""
    named = ", ".join(f"*l{one} = NULL" for one in numbers)
    return f"int main(void) {{ struct node {named}, *t;\n{built}{CHECK}{REVERSE * reversals}{last}return 0; }}"


def of_lists(folder: Path, text: str, claim: int = 1) -> Program:
    return compiled(folder, text.replace("CLAIM", str(claim)))


def test_one_of_five_lists_is_tracked(tmp_path: Path) -> None:
    """They share a temporary, which is dead where it could point into two of them."""
    result = analysed(of_lists(tmp_path, lists(5)))
    assert result.verdict is ProgramVerdict.SAFE
    assert int(result.stats["tracked_pointers"]) <= 3
    assert int(result.stats["shape_operations"]) <= 150


def test_five_lists_with_leaks_take_less_than_two(tmp_path: Path) -> None:
    one, five = (analysed(of_lists(tmp_path, lists(count, freed=True)), Goal()) for count in (1, 5))
    assert one.verdict is five.verdict is ProgramVerdict.SAFE
    assert int(five.stats["shape_operations"]) <= 2 * int(one.stats["shape_operations"])


@pytest.mark.parametrize("lost", [1, 2])
def test_a_leak_of_one_list_is_found(lost: int, tmp_path: Path) -> None:
    """The temporary holds what it pointed to last, until the end."""
    kept = f"t = l{lost}->n; free(l{lost}); l{lost} = t;"
    text = lists(2, freed=True).replace(kept, f"t = NULL; l{lost} = l{lost}->n;")
    result = analysed(of_lists(tmp_path, text), Goal(), limits=bounded("lazy"))
    assert {name.partition(":")[2] for name in broken(result)} == {"leak"}


def test_a_wrong_claim_is_refuted_beside_leaks(tmp_path: Path) -> None:
    found = broken(analysed(of_lists(tmp_path, lists(3, freed=True), 2), Goal()))
    assert {name.partition(":")[2] for name in found} == {"assert"}


def test_reversals_that_need_no_shapes_cost_none(tmp_path: Path) -> None:
    found = [analysed(of_lists(tmp_path, lists(1, reversals=count))) for count in (1, 4)]
    assert {one.verdict for one in found} == {ProgramVerdict.SAFE}
    assert len({one.stats["shape_operations"] for one in found}) == 1


def test_tracking_ends_where_nothing_needs_it(tmp_path: Path) -> None:
    search = searched(of_lists(tmp_path, lists(1, reversals=1)))
    assert search.found.complete
    (component,) = search.shapes.tracking.components
    asserted = next(edge.source for edge in search.program.graph.edges if isinstance(edge.command, Assert))
    regions = {node.location: node.state.shapes.get(component, ()) for node in search.tree.nodes()}
    assert any(known for known in regions.values())
    assert any(known is None for known in regions.values())
    assert search.shapes.tracking.at(component, asserted) is not None


@pytest.mark.parametrize(
    ("name", "type"),
    [
        ("simple", ShapeType.FIELDS),
        ("simple_backw", ShapeType.FIELDS),
        ("list_flag", ShapeType.FIELDS),
        ("alternating", ShapeType.FIELDS),
        pytest.param("list", ShapeType.REACHABILITY, marks=pytest.mark.slow),
        pytest.param("splice", ShapeType.REACHABILITY, marks=pytest.mark.slow),
    ],
)
def test_the_ladder_is_climbed_from_the_bottom(name: str, type: ShapeType) -> None:
    search = searched(published(name))
    assert {search.shapes.tracking.whole(one).type for one in search.shapes.tracking.components} == {type}


def test_heaps_of_runs_are_described(tmp_path: Path) -> None:
    for goal in (WITHOUT_LEAKS, Goal()):
        audited = replace(goal, audit=True)
        program = of_lists(tmp_path, lists(2, freed=True, reversals=1))
        assert heaps_described(program, analysed(program, audited), audited, runs=10, steps=80) > 100


def test_a_shared_temporary_joins_nothing_where_it_is_dead(tmp_path: Path) -> None:
    heap = HeapVocabulary(of_lists(tmp_path, lists(2)))
    assert len(aliases_of(heap).components) == 1
    lean = aliases_of(heap, lean=True)
    assert len(lean.components) == 2
    assert SEVERAL in {lean.component(location, "t") for location in range(len(heap.program.graph.locations))}


SHARED = """int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b), *t = a, *kept;
    a->h = 1; a->n = NULL; b->h = 2; b->n = NULL;
    kept = t;
    if (__VERIFIER_nondet_int()) t = b;
    LATER
    assert(a->h == 1);
    return 0;
}"""


def test_a_temporary_that_is_live_joins(tmp_path: Path) -> None:
    assert broken(analysed(compiled(tmp_path, SHARED.replace("LATER", "t->h = 1;")))) == set()
    assert broken(analysed(compiled(tmp_path, SHARED.replace("LATER", "kept->h = 3;")))) == {"11:assert"}
    assert broken(analysed(compiled(tmp_path, SHARED.replace("LATER", "t->h = 3;")))) == {"11:assert"}


# --- uninitialised cells ---------------------------------------------------------------------------------------------

READ_LATER = """int main(void) {
    struct node *l = NULL, *t, *u;
    while (__VERIFIER_nondet_int()) { MAKE }
    for (struct node *p = l; p != NULL; p = p->n) p->h = 1;
    return 0;
}"""


@pytest.mark.parametrize(
    "make",
    [
        "t = malloc(sizeof *t); t->n = l; l = t;",
        "t = malloc(sizeof *t); u = t; u->n = l; l = u;",
        "t = malloc(sizeof *t); if (__VERIFIER_nondet_int()) t->n = l; else t->n = NULL; l = t;",
        "t = malloc(sizeof *t); if (t == NULL) return 1; t->h = 3; t->n = l; l = t;",
    ],
)
def test_cells_that_are_set_first_are_no_junk(make: str, tmp_path: Path) -> None:
    program = compiled(tmp_path, READ_LATER.replace("MAKE", make))
    result = analysed(program)
    assert result.verdict is ProgramVerdict.SAFE
    assert result.stats["shape_operations"] == 0
    audited = replace(WITHOUT_LEAKS, audit=True)
    assert heaps_described(program, analysed(program, audited), audited, runs=5, steps=60) > 50


@pytest.mark.parametrize(
    "make",
    [
        "t = malloc(sizeof *t); l = t;",
        "t = malloc(sizeof *t); if (__VERIFIER_nondet_int()) t->n = l; l = t;",
        "t = malloc(sizeof *t); l = t; if (__VERIFIER_nondet_int()) t->n = NULL;",
        "t = malloc(sizeof *t); u = t; if (__VERIFIER_nondet_int()) u = l; if (u) u->n = NULL; l = t;",
        "t = malloc(sizeof *t); u = malloc(sizeof *u); u->n = t; l = u;",
        "u = malloc(sizeof *u); t = malloc(sizeof *t); t->n = u->n; u->n = NULL; l = t;",
        "if (l == NULL || __VERIFIER_nondet_int()) t = malloc(sizeof *t); else t = l; l = t;",
        "t = malloc(sizeof *t); t->n = l; l = t; t = malloc(sizeof *t); l->n = t;",
    ],
)
def test_cells_that_are_shared_first_may_be_junk(make: str, tmp_path: Path) -> None:
    found = broken(analysed(compiled(tmp_path, READ_LATER.replace("MAKE", make))))
    assert any(name.endswith("invalid-deref") for name in found)


# --- path formulas ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["simple", "simple_backw", "list_flag_buggy"])
def test_path_formulas_over_lvalues(name: str) -> None:
    arrays, lvalues = (analysed(published(name), options=replace(CHECKED, paths=one)) for one in ("arrays", "lvalues"))
    assert arrays.verdict is lvalues.verdict
    assert broken(arrays) == broken(lvalues)


def test_path_formulas_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from heapwright.cli import main

    file = tmp_path / "path.c"
    file.write_text(
        "#include <stdlib.h>\n#include <assert.h>\nstruct node { int h; struct node *n; };\n"
        "int main(void) { struct node *a = malloc(sizeof *a), *b = a; b->h = 3; assert(a->h == 3); free(a); return 0; }"
    )
    for form, shown in (("lvalues", "b@"), ("arrays", "node.h@")):
        main(["check", str(file), "--engine", "lazy", "--shapes", "lazy", "--paths", form, "-v"])
        printed = capsys.readouterr()
        assert f"path formula ({form})" in printed.out + printed.err
        assert shown in printed.out + printed.err


def test_what_one_path_needs_is_not_needed_elsewhere() -> None:
    search = searched(published("list_flag"), options=Options())
    (component,) = search.shapes.tracking.components
    tracked = [search.shapes.tracking.at(component, one.index) for one in search.program.graph.locations]
    assert None in tracked
    assert CheckKind.LEAK not in WITHOUT_LEAKS.kinds


# --- recursion -------------------------------------------------------------------------------------------------------

RECURSIVE = """static struct node *build(void) {
    if (!__VERIFIER_nondet_int()) return NULL;
    struct node *p = malloc(sizeof *p);
    p->h = STORED;
    p->n = build();
    return p;
}
static void check(struct node *p) {
    if (p == NULL) return;
    assert(p->h == 3);
    check(p->n);
}
int main(void) {
    struct node *l = build();
    HOW
    return 0;
}"""
LOOP = "for (struct node *p = l; p != NULL; p = p->n) assert(p->h == 3);"


@pytest.mark.slow
@pytest.mark.parametrize("how", [LOOP, "check(l);"])
def test_a_list_that_recursion_builds(how: str, tmp_path: Path) -> None:
    """Activation records and nodes are one component; no access confuses them."""
    text = RECURSIVE.replace("HOW", how)
    assert analysed(compiled(tmp_path, text.replace("STORED", "3"))).verdict is ProgramVerdict.SAFE
    wrong = analysed(
        compiled(tmp_path, text.replace("STORED", "__VERIFIER_nondet_int() ? 3 : 4")), limits=bounded("lazy")
    )
    assert {name.partition(":")[2] for name in broken(wrong)} == {"assert"}
