"""Functions of a library are analysed under the precondition that `infer` finds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from project.trees import EXPLORE, run_tree, write_tree

from heapwright.project.session import Finished
from heapwright.project.store.database import Answer, Store
from heapwright.project.store.key import Question

LIBRARY = """#include <stdlib.h>
struct node { int value; struct node *next; };
int second(struct node *n) { return n->next->value; }
int loses(struct node *n) { struct node *p = malloc(sizeof *p); p->value = n->value; p = 0; return 1; }
"""


def answers(store: Store, done: Finished) -> dict[str, Answer]:
    found = {row.unit.entry: store.answer(row.key) for row in done.rows}
    return {entry: answer for entry, answer in found.items() if answer is not None}


@pytest.mark.slow
def test_callers_are_assumed_to_keep_it(tmp_path: Path, store: Store) -> None:
    root = write_tree(tmp_path / "p", {"list.c": LIBRARY})
    plain = answers(store, run_tree(root, store))
    auto = replace(EXPLORE, question=Question(), timeout=None)
    found = answers(store, run_tree(root, store, request=auto, timeout=300.0))
    assert (plain["second"].verdict, found["second"].verdict) == ("unsafe", "safe")
    assumed = [one["text"] for one in found["second"].body["assumptions"]]
    assert "'second' is called with n != 0 && n->next != 0" in assumed
    assert found["second"].body["precondition"]

    places = {(one["fingerprint"], one["line"], one["column"]) for one in plain["loses"].body["checks"]}
    assert {(one["fingerprint"], one["line"], one["column"]) for one in found["loses"].body["checks"]} <= places
    assert [one["kind"] for one in plain["loses"].body["checks"] if one["verdict"] == "violated"] == [
        "null-deref",
        "leak",
    ]
    (wrong,) = [one for one in found["loses"].body["checks"] if one["verdict"] == "violated"]
    assert LIBRARY.splitlines()[3][wrong["column"] - 1 :].startswith("p = 0")
