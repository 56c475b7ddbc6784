"""Findings: one for a check that several units have, known by a fingerprint that survives moved lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from project.trees import EXPLORE, LEAKS, SAFE, report_of, run_tree, write_tree

from heapwright.base.errors import InputError
from heapwright.project.findings.baseline import apply_baseline, baseline_text, read_baseline
from heapwright.project.findings.fingerprint import Lines
from heapwright.project.findings.merge import Comments, Finding, ProjectReport, UnitReport
from heapwright.project.store.database import Store
from heapwright.project.store.digests import FileDigests

USE = "int use(int *p) {\n  return *p;\n}\n"
CALLS = {
    "use.c": USE,
    "bad.c": "int use(int *);\nint main(void) { return use(0); }\n",
    "good.c": "int use(int *);\nint main(void) { int x = 0; return use(&x); }\n",
}


def test_a_check_of_several_units_is_one_finding_and_violated_if_it_is_in_one(tmp_path: Path, store: Store) -> None:
    report = report_of(store, run_tree(write_tree(tmp_path / "p", CALLS), store))
    assert [(one.path, one.line, one.rule) for one in report.violations] == [("use.c", 2, "null-deref")]
    assert {unit.name: unit.verdict for unit in report.units} == {"bad.c": "unsafe", "good.c": "safe"}
    assert report.checks["violated"] == 1
    (finding,) = report.violations
    assert finding.units == ["bad.c"]


def test_fingerprints_survive_moved_and_indented_lines() -> None:
    def marks(text: str, *places: tuple[int, int]) -> list[str]:
        lines = Lines(text)
        return [lines.fingerprint("a.c", "null-deref", "f", line, column) for line, column in places]

    text = "void f(int *p) {\n  *p = 0;\n  *p = 0; *p = 0;\n  *p = 0;\n}\n"
    before = marks(text, (2, 3), (3, 3), (3, 11), (4, 3))
    assert len(set(before)) == 4
    moved = "int g;\n\nvoid h(int *p) {\n  *p = 0;\n}\n" + text.replace("  *p", "    *p", 1)
    assert marks(moved, (7, 5), (8, 3), (8, 11), (9, 3)) == before
    assert Lines("").fingerprint("a.c", "leak", "f", 7, 1) != Lines("").fingerprint("a.c", "leak", "f", 8, 1)


def test_suppressions_are_applied_when_it_is_reported(tmp_path: Path, store: Store) -> None:
    text = LEAKS.replace("malloc(4);", "malloc(4); // heapwright: ignore[leak] lives as long as the process")
    text = text.replace("return 0;", "return 0; // heapwright: ignore[leak] lives as long as the process")
    root = write_tree(tmp_path / "p", {"m.c": text})
    done = run_tree(root, store)
    assert done.rows[0].verdict == "unsafe"  # in the store
    report = report_of(store, done)
    assert [(unit.verdict, unit.counts["suppressed"]) for unit in report.units] == [("safe", 1)]
    assert report.exit_code() == 0
    assert "suppressed: lives as long as the process" in report.assumptions
    (root / "m.c").write_text("\n" + text)  # the comments are not those of what was analysed
    changed = report_of(store, done)
    assert (changed.exit_code(), changed.changed) == (1, ["m.c"])


def test_a_model_of_the_library_is_no_file_of_the_tree(tmp_path: Path) -> None:
    comments = Comments(str(tmp_path), FileDigests())
    assert comments.reason({"path": "<heapwright>/c/models/string.c", "line": 1, "kind": "bounds"}, None) is None
    assert not comments.changed
    assert comments.reason({"path": "gone.c", "line": 1, "kind": "bounds"}, "digest") is None
    assert list(comments.changed) == ["gone.c"]


def unit(verdict: str, **counts: int) -> UnitReport:
    return UnitReport("m.c", "k", "main", verdict, "", 0.0, 0.0, counts)


def violation(state: str = "new", suppressed: str | None = None) -> Finding:
    return Finding("f", "leak", "m.c", 1, 1, "main", "violated", "leaks", suppressed=suppressed, state=state)


@pytest.mark.parametrize(
    ("units", "findings", "code", "lenient"),
    [
        ([unit("safe")], [], 0, 0),
        ([unit("safe"), unit("unsafe")], [violation()], 1, 1),
        ([unit("unsafe"), unit("failed")], [violation()], 4, 4),
        ([unit("unknown", unknown=1)], [], 3, 0),
        ([unit("refused")], [], 3, 0),
        ([unit("unsafe", violated=1)], [violation("unchanged")], 0, 0),
        ([unit("unsafe", violated=1, unknown=2)], [violation("unchanged")], 3, 0),
        ([unit("safe", suppressed=1)], [violation(suppressed="why")], 0, 0),
    ],
)
def test_exit_codes(units: list[UnitReport], findings: list[Finding], code: int, lenient: int) -> None:
    report = ProjectReport("/p", units, findings)
    assert (report.exit_code(), report.exit_code("violated")) == (code, lenient)


def test_the_baseline_knows_violations_and_nothing_else(tmp_path: Path, store: Store) -> None:
    root = write_tree(tmp_path / "p", {"m.c": LEAKS, "bad.c": "int x = ;\n"})
    first = report_of(store, run_tree(root, store))
    path = tmp_path / "baseline.json"
    elsewhere = {"fingerprint": "0", "message": "m", "path": "not/seen.c", "rule": "leak"}
    path.write_text(baseline_text(first, [elsewhere]))
    lines = path.read_text().splitlines()
    assert len(lines) == 4  # one finding a line
    entries = read_baseline(str(path))
    assert entries[1] == elsewhere or entries[0] == elsewhere

    (root / "m.c").write_text("// a new line\n" + LEAKS)
    again = report_of(store, run_tree(root, store))
    apply_baseline(again, str(path), entries)
    assert [one.state for one in again.violations] == ["unchanged"]
    assert again.stale == []
    assert again.exit_code() == 3  # the refused unit
    (root / "m.c").write_text(SAFE)
    mended = report_of(store, run_tree(root, store))
    apply_baseline(mended, str(path), entries)
    assert [one["path"] for one in mended.stale] == ["m.c"]
    assert baseline_text(mended, entries).count('fingerprint"') == 1


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 9, "findings": []}', '{"version": 1, "fingerprints": 1, "findings": [1]}']
)
def test_files_that_are_no_baseline(tmp_path: Path, text: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(text)
    with pytest.raises(InputError):
        read_baseline(str(path))


def test_history_has_what_each_run_found(tmp_path: Path, store: Store) -> None:
    root = write_tree(tmp_path / "p", {"m.c": LEAKS})
    run_tree(root, store, EXPLORE)
    (root / "m.c").write_text(LEAKS.replace("return 0;", "free(p); return 0;"))
    run_tree(root, store, EXPLORE)
    units = [one["units"] for one in store.history()]
    assert units == [{"unsafe": 1}, {"safe": 1}]
    assert [one["checks"].get("violated", 0) for one in store.history()] == [1, 0]
    (root / "m.c").write_text(LEAKS)
    store.prune(0)  # what is left of history are the runs whose answers are there
    assert list(store.history()) == []


def test_history_keeps_what_a_run_knew_then(tmp_path: Path, store: Store) -> None:
    loop = "int main(void) { int n = 0; for (int i = 0; i < 50; i++) n++; int *p = &n; return *p; }\n"
    root = write_tree(tmp_path / "p", {"m.c": loop})
    for steps in (20, 1000):
        run_tree(root, store, bounds={"steps": steps})
    first, second = (one["checks"] for one in store.history())
    assert first["unknown"] > 0
    assert second.keys() == {"proved"}
