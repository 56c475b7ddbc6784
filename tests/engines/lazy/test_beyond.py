"""Beyond the paper: several functions, doubly linked and nested lists, trees, frees and leaks, unknown data;
the first shape type guessed from runs, refinements without the heap preferred, and programs whose cells are not
followed."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines.lazy.programs import analysed, broken, compiled, searched, undecided
from support.bounds import bounded

from heapwright.program.checks import Goal
from heapwright.result.outcomes import ProgramVerdict, Verdict

SEVERAL_FUNCTIONS = """static struct node *push(struct node *list, int h) {
    struct node *made = malloc(sizeof *made);
    made->h = h;
    made->n = list;
    return made;
}
static void all(struct node *list, int h) {
    for (struct node *p = list; p != NULL; p = p->n)
        assert(p->h == h);
}
static struct node *rest(struct node *list) {
    struct node *next = list->n;
    free(list);
    return next;
}
int main(void) {
    struct node *a = NULL;
    while (__VERIFIER_nondet_int())
        a = push(a, STORED);
    all(a, 5);
    while (a != NULL)
        a = rest(a);
    return 0;
}"""

DOUBLY_LINKED = """struct item { int h; struct item *next, *prev; };
int main(void) {
    struct item *first = malloc(sizeof *first);
    first->h = 2; first->next = first->prev = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *x = malloc(sizeof *x);
        x->h = 2;
        x->prev = NULL;
        x->next = first;
        first->prev = LEADS_BACK;
        first = x;
    }
    for (struct item *p = first; p != NULL; p = p->next) {
        assert(p->h == 2);
        if (p->next != NULL) assert(p->next->prev == p);
    }
    while (first != NULL) {
        struct item *x = first;
        first = first->next;
        free(x);
    }
    return 0;
}"""

NESTED = """struct outer { struct node *list; struct outer *next; };
int main(void) {
    struct outer *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct outer *o = malloc(sizeof *o);
        o->list = NULL;
        while (__VERIFIER_nondet_int()) {
            struct node *x = malloc(sizeof *x);
            x->h = STORED;
            x->n = o->list;
            o->list = x;
        }
        o->next = all;
        all = o;
    }
    for (struct outer *o = all; o != NULL; o = o->next)
        for (struct node *p = o->list; p != NULL; p = p->n)
            assert(p->h == 7);
    return 0;
}"""

TREE = """struct tree { int h; struct tree *left, *right; };
int main(void) {
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int()) {
        struct tree *t = malloc(sizeof *t);
        t->h = STORED;
        t->left = t->right = NULL;
        if (__VERIFIER_nondet_int()) t->left = root; else t->right = root;
        root = t;
    }
    struct tree *p = root;
    while (p != NULL) {
        assert(p->h == 4);
        p = __VERIFIER_nondet_int() ? p->left : p->right;
    }
    return 0;
}"""


@pytest.mark.exhaustive(3)
@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        pytest.param(SEVERAL_FUNCTIONS.replace("STORED", "{}"), "5", "__VERIFIER_nondet_int()", id="functions"),
        pytest.param(DOUBLY_LINKED.replace("LEADS_BACK", "{}"), "x", "first", id="doubly linked"),
        pytest.param(NESTED.replace("STORED", "{}"), "7", "o->list ? 8 : 7", id="nested", marks=pytest.mark.slow),
        pytest.param(TREE.replace("STORED", "{}"), "4", "root ? 4 : 3", id="tree"),
    ],
)
@pytest.mark.slow
def test_proved_and_refuted(text: str, right: str, wrong: str, tmp_path: Path) -> None:
    safe = analysed(compiled(tmp_path, text.replace("{}", right)))
    assert safe.verdict is ProgramVerdict.SAFE, undecided(safe)
    unsafe = analysed(compiled(tmp_path, text.replace("{}", wrong)), limits=bounded("lazy"))
    assert {name.partition(":")[2] for name in broken(unsafe)} == {"assert"}


def test_leaks_of_what_several_functions_free(tmp_path: Path) -> None:
    text = SEVERAL_FUNCTIONS.replace("STORED", "5")
    assert analysed(compiled(tmp_path, text), Goal()).verdict is ProgramVerdict.SAFE
    lost = text.replace("free(list);", "if (list->h != 5) free(list);")
    outcomes = analysed(compiled(tmp_path, lost), Goal()).outcomes
    assert {one.check.kind.value for one in outcomes if one.verdict is Verdict.VIOLATED} == {"leak"}


def test_what_integers_exclude_needs_no_heap(tmp_path: Path) -> None:
    """The path to the assertion is infeasible for what the list holds first, and for the flag later on."""
    text = """int main(void) {
        int flag = __VERIFIER_nondet_int() ? 1 : 2;
        struct node *a = malloc(sizeof *a);
        a->h = 1;
        a->n = NULL;
        if (a->h != 1) flag = 2;
        int seen = flag == 1;
        if (a->h == 2 && seen && flag != 1) assert(0);
        return 0;
    }"""
    search = searched(compiled(tmp_path, text))
    assert search.found.complete
    assert not search.found.given_up
    assert not search.shapes.tracking.components
    assert not any("->" in added for step in search.refinement.log for added in step.added)


NOT_FOLLOWED = """struct pair { struct node *list; int count; };
static void add(struct node **where, int h) {
    struct node *x = malloc(sizeof *x);
    x->h = h;
    x->n = *where;
    *where = x;
}
int main(void) {
    struct pair *all = malloc(sizeof *all);
    all->list = NULL;
    int i = 0;
    while (i < 4 && __VERIFIER_nondet_int()) {
        i++;
        add(&all->list, 2 * i);
    }
    struct node *p = all->list;
    free(all);
    while (p != NULL) {
        struct node *x = p;
        p = p->n;
        if (x->h > 0 && x->h < LIMIT) free(x);
    }
    return 0;
}"""


@pytest.mark.slow
def test_data_of_nodes_where_cells_are_not_followed(tmp_path: Path) -> None:
    """Everything is freed because of what the list holds, which a counter bounds."""
    program = compiled(tmp_path, NOT_FOLLOWED.replace("LIMIT", "9"))
    result = analysed(program, Goal())
    assert result.verdict is ProgramVerdict.SAFE, undecided(result)
    assert result.stats["node_predicates"] == 2
    lost = analysed(compiled(tmp_path, NOT_FOLLOWED.replace("LIMIT", "8")), Goal())
    assert lost.verdict is not ProgramVerdict.SAFE
