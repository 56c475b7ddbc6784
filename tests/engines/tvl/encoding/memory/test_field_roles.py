"""How the fields of programs go together: trees, ways back, activation records."""

from __future__ import annotations

from pathlib import Path

from engines.tvl.walks import program_of

from heapwright.engines.tvl.encoding.memory.field_roles import FieldRoles
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary

TREE = """
#include <stdlib.h>
struct tree { struct tree *left, *right%s; };
int main(void) {
    struct tree *x = calloc(1, sizeof *x), *y = x;
    while (y->left) y = y->right;
    y->left = calloc(1, sizeof *y); x->right = y->left; %s
}
"""
RECURSION = """
#include <stdlib.h>
struct node { struct node *next; };
static void visit(struct node *x) { if (x) { visit(x->next); free(x); } }
int main(void) { visit(calloc(1, sizeof(struct node))); }
"""
LOCAL = """
struct node { struct node *next, *other; };
int main(void) { struct node x, y, *p = &x; x.next = &y; y.other = &x; p = p->next; p = p->other; }
"""


def roles(text: str, folder: Path) -> FieldRoles:
    return HeapVocabulary(program_of(text, folder)).roles


def test_fields_of_a_tree_are_followed_together(tmp_path: Path) -> None:
    found = roles(TREE % ("", ""), tmp_path)
    assert found.branching == {"tree.left", "tree.right"}
    assert found.records == ()


def test_a_third_field_may_be_a_way_back(tmp_path: Path) -> None:
    back = roles(TREE % (", *up", "y->left->up = x; y = y->up;"), tmp_path)
    assert "tree.up" in back.backward
    assert not back.branching
    unclear = roles(TREE % (", *up", "y->up = x; x->up = NULL; y = y->up;"), tmp_path)
    assert set(unclear.joined) == {"tree.left", "tree.right", "tree.up"}
    assert not unclear.branching


def test_activation_records_are_a_chain_that_holds_nodes(tmp_path: Path) -> None:
    found = roles(RECURSION, tmp_path)
    assert found.records == (("activation of visit.caller", ("activation of visit.visit::x",)),)
    assert found.joined == ()
    assert found.is_record("call stack")
    assert not found.is_record("visit::x")


def test_objects_on_the_stack_that_point_to_one_another_are_no_records(tmp_path: Path) -> None:
    assert roles(LOCAL, tmp_path).records == ()


def test_functions_that_recur_by_themselves_have_chains_of_their_own(tmp_path: Path) -> None:
    body = RECURSION[RECURSION.index("static") : RECURSION.index("int main")]
    both = RECURSION.replace("static", body.replace("visit", "count") + "static", 1)
    found = roles(both.replace("visit(calloc", "count(NULL); visit(calloc"), tmp_path)
    assert [chain for chain, _ in found.records] == ["activation of count.caller", "activation of visit.caller"]
    assert found.is_record("call stack of visit")
