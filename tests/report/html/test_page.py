"""The page: valid data, a policy that fits, and nothing that breaks out of its place."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from typing import Any

import jsonschema

from heapwright.program.heap_picture import HeapArrow, HeapNode, HeapPicture
from heapwright.report.html.findings import page_object
from heapwright.report.html.page import ASSETS, page_text
from heapwright.report.html.parts import drawing
from heapwright.report.json_report import SCHEMA
from heapwright.report.model import Report

PAGE_SCHEMA = json.loads((SCHEMA.parent / "page.json").read_text(encoding="utf-8"))
HOSTILE = "</script><script>alert(1)</script><!-- \u2028 \udc80 'x\" ${y}.c"


def data_of(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="page-data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    page: dict[str, Any] = json.loads(found[1])
    return page


def test_the_data_is_valid_and_whole(report: Report) -> None:
    page = page_object(report, {report.outcomes[0].check.id: 0})
    jsonschema.validate(page, PAGE_SCHEMA)
    assert data_of(page_text(page)) == page
    assert len(page["checks"]) == len(report.outcomes) + len(report.suppressed)
    assert [check["film"] for check in page["checks"] if check["id"] == report.outcomes[0].check.id] == [0]


def test_the_policy_allows_the_script_and_the_style_and_nothing_else(report: Report) -> None:
    text = page_text(page_object(report, {}))
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert found is not None
    policy = dict(part.strip().split(" ", 1) for part in found[1].split(";"))
    assert policy["default-src"] == "'none'"
    for directive, tag in (("script-src", "script"), ("style-src", "style")):
        inside = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert inside is not None
        digest = base64.b64encode(hashlib.sha256(inside[1].encode("utf-8")).digest()).decode("ascii")
        assert policy[directive] == f"'sha256-{digest}'"
    assert "src=" not in text.replace("-src", "")
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_hostile_texts_stay_texts(report: Report) -> None:
    hostile = replace(report, files=(HOSTILE,), sources={HOSTILE: HOSTILE}, function=HOSTILE)
    text = page_text(page_object(hostile, {}))
    assert text.count("<script>") == 1
    assert "<script>alert" not in text
    assert data_of(text)["title"] != ""
    text.encode("utf-8", "backslashreplace")


def test_films_are_compressed(report: Report) -> None:
    text = page_text(page_object(report, {}), [{"format": "heapwright-film", "text": HOSTILE}])
    found = re.search(r'<script type="application/x-film" id="film-0">([^<]*)</script>', text)
    assert found is not None
    film = json.loads(zlib.decompress(base64.b64decode(found[1])))
    assert film["text"] == HOSTILE


def test_a_variable_that_may_be_null_is_told_so() -> None:
    arrows = (HeapArrow("x", "", 1), HeapArrow("y", "", 1, False), HeapArrow("z", "", "null"), HeapArrow("g", "", 1))
    told = drawing(HeapPicture((HeapNode(1),), arrows), "heap", "main", {"g"})
    assert (told["objects"], told["null"]) == (["g", "main:x"], ["main:y", "main:z"])


def test_the_script_writes_no_markup() -> None:
    script = (ASSETS / "page.js").read_text(encoding="utf-8")
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "import("):
        assert word not in script
