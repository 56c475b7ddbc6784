"""The store: a key that has every ingredient, limits as attributes, and nothing lost."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from project.trees import EXPLORE, LEAKS, LIST, SAFE, fresh, run_tree, verdicts, write_tree

from heapwright.base.errors import InputError, StaleSnapshot
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.program.checks import CheckKind, Goal
from heapwright.project import session
from heapwright.project.store.database import Answer, Store, open_store, store_path
from heapwright.project.store.digests import package_digest
from heapwright.project.store.key import Question, Tool, digests_of_files, unit_key
from heapwright.project.store.limits import UnitLimits, read_limits
from heapwright.project.units.unit import Compilation, Unit

UNIT = Unit("m.c", "main", (Compilation("/p/m.c", ParseOptions()),), ("/p/m.c", "/p/l.h"))
TOOL = Tool("package", {"libclang": "18", "z3-solver": "5", "oxidd": "1"})
CONTENTS = {"/p/m.c": "1", "/p/l.h": "2", "/p/n.h": "2"}


def key(
    unit: Unit = UNIT, contents: dict[str, str] | None = None, question: Question = EXPLORE.question, tool: Tool = TOOL
) -> str:
    return unit_key(unit, "/p", (contents or CONTENTS).get, question, tool)


def other_options(**changes: object) -> Unit:
    return replace(UNIT, compilations=(Compilation("/p/m.c", ParseOptions(**changes)),))  # type: ignore[arg-type]


ASK = EXPLORE.question
INGREDIENTS = {
    "contents of the file": key(contents={**CONTENTS, "/p/m.c": "x"}),
    "contents of a header": key(contents={**CONTENTS, "/p/l.h": "x"}),
    "path of a header": key(replace(UNIT, files=("/p/m.c", "/p/n.h"))),
    "link order": key(replace(UNIT, files=("/p/l.h", "/p/m.c"))),
    "one more compilation": key(replace(UNIT, compilations=UNIT.compilations * 2)),
    "macro": key(other_options(defines=("N",))),
    "include folder": key(other_options(include_dirs=("/p/include",))),
    "include folder is the root": key(other_options(include_dirs=("/p",))),
    "dialect": key(other_options(std="c99")),
    "data model": key(other_options(model="ILP32")),
    "system headers": key(other_options(system_headers=True)),
    "entry": key(replace(UNIT, entry="f")),
    "goal": key(question=replace(ASK, goal=Goal(frozenset({CheckKind.LEAK})))),
    "error functions": key(question=replace(ASK, goal=Goal(error_functions=frozenset({"reach_error"})))),
    "cleanup": key(question=replace(ASK, goal=Goal(cleanup=True))),
    "engine": key(question=replace(ASK, engine="tvl")),
    "option of an engine": key(question=replace(ASK, options={"numeric": "sat"})),
    "allocation may fail": key(question=replace(ASK, malloc_may_fail=True)),
    "externals": key(question=replace(ASK, externals="pure")),
    "inputs": key(question=replace(ASK, inputs="any")),
    "property or predicate file": key(question=replace(ASK, files=("3",))),
    "package": key(tool=replace(TOOL, package="x")),
    **{name: key(tool=replace(TOOL, libraries={**TOOL.libraries, name: "x"})) for name in TOOL.libraries},
}


@pytest.mark.parametrize("ingredient", INGREDIENTS)
def test_each_ingredient_changes_the_key(ingredient: str) -> None:
    others = {key(), *(value for name, value in INGREDIENTS.items() if name != ingredient)}
    assert INGREDIENTS[ingredient] not in others


def test_the_key_does_not_depend_on_where_the_tree_is() -> None:
    moved = Unit("m.c", "main", (Compilation("/q/r/m.c", ParseOptions()),), ("/q/r/m.c", "/q/r/l.h"))
    contents = {"/q/r/m.c": "1", "/q/r/l.h": "2"}
    assert unit_key(moved, "/q/r", contents.get, EXPLORE.question, TOOL) == key()


def test_the_digest_of_the_package_has_headers_and_native_parts(tmp_path: Path) -> None:
    def digest() -> str:
        return package_digest.__wrapped__(tmp_path / "heapwright")

    write_tree(tmp_path / "heapwright", {"a.py": "1", "c/headers/stdlib.h": "2"})
    seen = {digest()}
    for name in ("a.py", "c/headers/stdlib.h", "kernel.so", "../heapwright__mypyc.so"):
        (tmp_path / "heapwright" / name).write_text("changed")
        seen.add(digest())
    assert len(seen) == 5
    write_tree(tmp_path / "heapwright", {"__pycache__/a.pyc": "x"})
    assert digest() in seen


def test_files_of_options_have_what_they_include(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.tvp": '#include "b.tvp"\n', "b.tvp": "1"})
    before = digests_of_files([str(tmp_path / "a.tvp")])
    (tmp_path / "b.tvp").write_text("2")
    assert digests_of_files([str(tmp_path / "a.tvp")]) != before


# --- misses of a real run --------------------------------------------------------------------------------------------


def test_the_second_run_is_served_and_a_change_concerns_what_depends_on_it(tmp_path: Path, store: Store) -> None:
    root = write_tree(tmp_path / "p", {**LIST, "other.c": SAFE})
    assert sorted(fresh(run_tree(root, store))) == ["main.c", "other.c"]
    assert fresh(run_tree(root, store)) == []
    (root / "list.h").write_text(LIST["list.h"] + "\n")
    assert fresh(run_tree(root, store)) == ["main.c"]
    assert fresh(run_tree(root, store, base=ParseOptions(defines=("N=1",)))) == ["main.c", "other.c"]


def test_a_new_header_that_shadows_another_one_is_seen(tmp_path: Path, store: Store) -> None:
    root = write_tree(
        tmp_path / "p", {"m.c": "#include <x.h>\nint main(void) { return X; }\n", "b/x.h": "#define X 0\n"}
    )
    base = ParseOptions(include_dirs=(str(root / "a"), str(root / "b")))
    run_tree(root, store, base=base)
    assert fresh(run_tree(root, store, base=base)) == []
    write_tree(root, {"a/x.h": "int *p;\n#define X *p\n"})
    done = run_tree(root, store, base=base)
    assert fresh(done) == ["m.c"]
    assert verdicts(done) == {"m.c": "unsafe"}


def test_neither_the_clock_nor_the_environment_counts(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "int main(void) { assert(__DATE__[4] == ' ' && __DATE__[5] == '1'); return 0; }"
    text = f"#include <assert.h>\n{body}\n"
    root = write_tree(tmp_path / "p", {"m.c": text, "n.c": "#include <foreign.h>\nint main(void) { return 0; }\n"})
    monkeypatch.setenv("CPATH", str(write_tree(tmp_path / "elsewhere", {"foreign.h": ""})))
    assert verdicts(run_tree(root, store)) == {"m.c": "safe", "n.c": "refused"}


# --- limits ----------------------------------------------------------------------------------------------------------


def answer(verdict: str = "unknown", *, complete: bool = False, timeout: float | None = 5.0, fault: str = "") -> Answer:
    return Answer(verdict, complete, UnitLimits(timeout, 100.0), 1.0, 1.0, {"checks": [], "fault": fault})


def test_which_requests_an_answer_serves() -> None:
    larger, smaller = UnitLimits(20.0, 100.0), UnitLimits(2.0, 50.0)
    assert answer(complete=True).serves(larger)
    assert answer().serves(smaller)
    assert answer().serves(UnitLimits(5.0, 100.0))
    assert not answer().serves(larger)
    assert not answer().serves(UnitLimits(2.0, 200.0))
    assert not answer().serves(UnitLimits(None, 100.0))
    assert not answer().serves(UnitLimits(2.0, 50.0, {"steps": 10}))
    assert not answer("failed", complete=True).serves(smaller)
    assert not answer("unsafe", complete=True, fault="it crashed").serves(smaller)
    assert not answer("refused").serves(smaller)  # its files changed while they were read
    limits = UnitLimits(None, 3.0, {"steps": 4})
    assert read_limits(limits.text()) == limits


LOOP = "int main(void) { int n = 0; for (int i = 0; i < 50; i++) n++; int *p = &n; return *p; }\n"


def test_a_bounded_answer_is_analysed_again_with_larger_bounds(tmp_path: Path, store: Store) -> None:
    root = write_tree(tmp_path / "p", {"m.c": LOOP})
    assert verdicts(run_tree(root, store, bounds={"steps": 20})) == {"m.c": "unknown"}
    assert fresh(run_tree(root, store, bounds={"steps": 10})) == []
    assert fresh(run_tree(root, store, bounds={"steps": 10}, retry="unknown")) == ["m.c"]
    done = run_tree(root, store, bounds={"steps": 1000})
    assert (fresh(done), verdicts(done)) == (["m.c"], {"m.c": "safe"})
    assert fresh(run_tree(root, store, bounds={"steps": 20})) == []  # a complete answer serves every request


def test_a_complete_answer_is_not_replaced_by_one_that_a_limit_cut(store: Store) -> None:
    run = store.begin_run("", {})
    for one in (answer("safe", complete=True), answer("unknown")):
        store.record(run, "key", ("/p", "m.c", "main", []), one)
    kept = store.answer("key")
    assert kept is not None
    assert kept.verdict == "safe"


# --- the file --------------------------------------------------------------------------------------------------------


def test_it_lies_in_the_cache_directory_by_the_real_path_of_the_root(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "p")
    path = store_path(str(tmp_path / "p"))
    assert path is not None
    assert path.is_relative_to(tmp_path / "cache")
    assert store_path(str(tmp_path / "link")) == path


def test_a_store_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "open" / "s.sqlite"
    path.parent.mkdir()
    path.parent.chmod(0o777)
    with pytest.raises(InputError, match="cannot be used"):
        open_store(str(tmp_path), str(path))


def test_tables_of_another_version_are_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    file = sqlite3.connect(path)
    file.executescript("create table result (old text); pragma user_version = 99;")
    file.close()
    path.chmod(0o600)
    store = open_store(str(tmp_path), str(path))
    assert store.answer("key") is None
    store.close()


def test_a_damaged_row_is_no_answer(tmp_path: Path, store: Store) -> None:
    store.record(store.begin_run("", {}), "key", ("/p", "m.c", "main", []), answer("safe", complete=True))
    assert store.path is not None
    file = sqlite3.connect(store.path, isolation_level=None)
    file.execute("update result set body = 'no json'")
    file.close()
    assert store.answer("key") is None


def test_pruning_keeps_what_was_used_lately(tmp_path: Path, store: Store) -> None:
    root = write_tree(tmp_path / "p", {"m.c": SAFE})
    run_tree(root, store)
    assert store.prune(1) == 0
    assert fresh(run_tree(root, store)) == []
    assert store.prune(0) == 1
    assert fresh(run_tree(root, store)) == ["m.c"]


def test_only_json_is_stored(tmp_path: Path, store: Store) -> None:
    run_tree(write_tree(tmp_path / "p", {"m.c": LEAKS}), store)
    assert store.path is not None
    file = sqlite3.connect(store.path)
    for column, table in (
        ("body", "result"),
        ("limits", "result"),
        ("inputs", "unit"),
        ("options", "run"),
        ("body", "manifest"),
    ):
        for (text,) in file.execute(f"select {column} from {table}"):
            json.loads(text)
    file.close()


def test_a_file_that_changes_during_the_run_has_no_answer(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_tree(tmp_path / "p", {"m.c": SAFE})
    serve = session._Session._serve

    def edited(self, *rest):  # type: ignore[no-untyped-def]
        (root / "m.c").write_text(LEAKS)
        serve(self, *rest)

    monkeypatch.setattr(session._Session, "_serve", edited)
    assert verdicts(run_tree(root, store)) == {"m.c": "refused"}
    monkeypatch.setattr(session._Session, "_serve", serve)
    assert verdicts(run_tree(root, store)) == {"m.c": "unsafe"}


def test_the_parser_refuses_files_that_it_was_not_handed(tmp_path: Path) -> None:
    write_tree(tmp_path, {"x.h": "int x;\n"})
    file = str(tmp_path / "m.c")
    contents = {file: b'#include "x.h"\nint main(void) { return x; }\n'}
    with pytest.raises(StaleSnapshot, match="not among the files"):
        parse(file, ParseOptions(), contents=contents)
    handed = {**contents, str(tmp_path / "x.h"): b"int x; int y;\n"}  # not what is on disk
    assert [one.name for one in parse(file, ParseOptions(), contents=handed).globals] == ["x", "y"]
