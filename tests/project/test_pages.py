"""Pages of a project: an index of findings and units, and a page for each unit with films."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
from project.trees import LEAKS, SAFE, report_of, run_tree, write_tree
from report.html.test_page import PAGE_SCHEMA, data_of

from heapwright.cli import main
from heapwright.project.reports.pages import file_of, project_pages
from heapwright.project.store.database import Store

FILES = {"a/leaks.c": LEAKS, "b/safe.c": SAFE, "b/broken.c": "int main(void) { return }\n"}


def test_every_unit_has_a_page_and_the_index_leads_to_it(tmp_path: Path, store: Store) -> None:
    root = write_tree(tmp_path / "tree", FILES)
    report = report_of(store, run_tree(root, store))
    files = dict(project_pages(report, store.answer, lambda path: (root / path).read_text()))
    index = data_of(files["index.html"])
    jsonschema.validate(index, PAGE_SCHEMA)
    findings, units, folders = index["topics"]
    assert [row[:2] for row in findings["rows"]] == [["violated", "a/leaks.c:4:3"]]
    (link,) = findings["links"]
    assert link.partition("#")[0] in files
    assert sorted(units["links"]) == sorted(file_of(unit) for unit in report.units)
    assert {row[1]: row[0] for row in units["rows"]} == {
        "a/leaks.c": "unsafe",
        "b/safe.c": "safe",
        "b/broken.c": "refused",
    }
    assert [row[1] for row in folders["rows"]] == ["a", "b"]
    for name in units["links"]:
        page = data_of(files[name])
        jsonschema.validate(page, PAGE_SCHEMA)
        assert page["index"] == "index.html"
    leaks = data_of(files[link.partition("#")[0]])
    assert [check["film"] for check in leaks["checks"] if check["verdict"] == "violated"] == [0]
    assert str(root) not in json.dumps(leaks)


def test_one_document_is_refused(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.c": SAFE})
    assert main(["project", str(tmp_path), "--html", str(tmp_path / "page.html"), "-q"]) == 2
