"""Batches: units share a process, and their answers do not tell."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from project.trees import EXPLORE, LEAKS, SAFE, run_tree, verdicts, write_tree

from heapwright.analysis import syntax_trees
from heapwright.analysis.syntax_trees import SyntaxTrees
from heapwright.c import parse as parsing
from heapwright.c.options import ParseOptions
from heapwright.project.findings.record import canonical
from heapwright.project.running import batch, work
from heapwright.project.session import Finished
from heapwright.project.store.database import Store, open_store
from heapwright.project.store.key import Question

LIBRARY = """struct node { struct node *next; int value; };
int first(struct node *x) { return x->value; }
int second(struct node *x) { return x->next->value; }
int length(struct node *x) { int n = 0; for (; x; x = x->next) n++; return n; }
static int counter;
int count(void) { return counter++; }
"""
FILES = {"library.c": LIBRARY, "leaks.c": LEAKS, "safe.c": SAFE, "open.c": "int main(void) { int *p; return *p; }\n"}


def answers(done: Finished, store: Store) -> dict[str, object]:
    kept = {row.unit.name: store.answer(row.key) for row in done.rows}
    return {name: canonical(one) for name, one in kept.items() if one is not None}


def noted(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Units write the process that they run in, and the files that are parsed there."""
    real, parse = work.UnitTask.__call__, parsing.parse

    def call(self, send):  # type: ignore[no-untyped-def]
        _append(path, f"unit {os.getpid()}")
        return real(self, send)

    def parsed(file, options, **rest):  # type: ignore[no-untyped-def]
        _append(path, f"parsed {Path(file).name}")
        return parse(file, options, **rest)

    monkeypatch.setattr(work.UnitTask, "__call__", call)
    monkeypatch.setattr(syntax_trees, "parse", parsed)


def _append(path: Path, line: str) -> None:
    with path.open("a") as file:
        file.write(line + "\n")


def test_units_share_a_process_and_functions_of_a_file_its_tree(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, notes = write_tree(tmp_path / "p", FILES), tmp_path / "notes"
    noted(monkeypatch, notes)
    monkeypatch.setattr(batch, "SECONDS", 600.0)
    together = answers(run_tree(root, store), store)
    lines = notes.read_text().splitlines()
    assert len([one for one in lines if one.startswith("unit")]) == 7
    assert len({one for one in lines if one.startswith("unit")}) == 1
    assert sorted(one for one in lines if one.startswith("parsed")) == [f"parsed {name}" for name in sorted(FILES)]

    monkeypatch.setattr(batch, "SECONDS", 0.0)
    alone = open_store(str(root), str(tmp_path / "alone.sqlite"))
    assert answers(run_tree(root, alone), alone) == together
    processes = [one for one in notes.read_text().splitlines()[len(lines) :] if one.startswith("unit")]
    assert len(set(processes)) == 7
    alone.close()


@pytest.mark.slow
def test_preconditions_are_the_same_in_a_shared_process(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_tree(tmp_path / "p", FILES)
    found = []
    for number, seconds in enumerate((600.0, 0.0)):
        monkeypatch.setattr(batch, "SECONDS", seconds)
        kept = open_store(str(root), str(tmp_path / f"{number}.sqlite"))
        found.append(answers(run_tree(root, kept, question=Question(), timeout=float("inf")), kept))
        kept.close()
    assert found[0] == found[1]
    assert len(found[0]) == 7


@pytest.mark.parametrize("behaviour", ["dies", "grows", "raises"])
def test_a_unit_that_others_may_have_spoiled_is_run_again(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch, behaviour: str
) -> None:
    """Each unit but the first of a process ends it."""
    real = work.UnitTask.__call__
    before: list[object] = []

    def call(self, send):  # type: ignore[no-untyped-def]
        if before:
            match behaviour:
                case "dies":
                    os.kill(os.getpid(), signal.SIGKILL)
                case "grows":
                    raise MemoryError
                case "raises":
                    raise ZeroDivisionError
        before.append(self)
        return real(self, send)

    monkeypatch.setattr(work.UnitTask, "__call__", call)
    done = run_tree(write_tree(tmp_path / "p", FILES), store, jobs=2)
    assert {name: verdict for name, verdict in verdicts(done).items() if ":" not in name} == {
        "leaks.c": "unsafe",
        "safe.c": "safe",
        "open.c": "unsafe",
    }
    assert "failed" not in verdicts(done).values()
    assert all(row.answered for row in done.rows)


def test_a_unit_that_ends_a_process_of_its_own_has_that_as_its_answer(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def call(self, send):  # type: ignore[no-untyped-def]
        raise ZeroDivisionError("always")

    monkeypatch.setattr(work.UnitTask, "__call__", call)
    done = run_tree(write_tree(tmp_path / "p", FILES), store)
    assert set(verdicts(done).values()) == {"failed"}
    assert len(done.rows) == 7


def test_larger_tasks_than_a_pipe_holds(tmp_path: Path, store: Store) -> None:
    padding = f"/* {'x' * 300_000} */\n"
    files = {f"f{number}.c": padding + (SAFE if number else LEAKS) for number in range(4)}
    done = run_tree(write_tree(tmp_path / "p", files), store, EXPLORE)
    assert verdicts(done) == {"f0.c": "unsafe", "f1.c": "safe", "f2.c": "safe", "f3.c": "safe"}


def test_a_tree_serves_the_same_contents_only() -> None:
    trees, options = SyntaxTrees(), ParseOptions()
    contents = {"/a.c": b'#include "/b.h"\nint x = B;\n', "/b.h": b"#define B 1\n"}
    tree = trees.parse("/a.c", options, contents)
    assert trees.parse("/a.c", options, dict(contents)) is tree
    assert trees.parse("/a.c", ParseOptions(defines=("N",)), contents) is not tree
    assert trees.parse("/a.c", options, {**contents, "/b.h": b"#define B 2\n"}) is not tree


def test_few_trees_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax_trees, "MOST_BYTES", 20)
    trees, options = SyntaxTrees(), ParseOptions()
    first = trees.parse("/a.c", options, {"/a.c": b"int first;\n"})
    assert trees.parse("/a.c", options, {"/a.c": b"int first;\n"}) is first
    trees.parse("/b.c", options, {"/b.c": b"int second;\n"})
    assert trees.parse("/a.c", options, {"/a.c": b"int first;\n"}) is not first
