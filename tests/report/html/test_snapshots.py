"""What a screen reader is told of pages, and where the objects of a film are, as it was when it was looked at.

HEAPWRIGHT_SNAPSHOTS=write pytest tests/report/html/test_snapshots.py      # after a change that is meant
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

Open = Callable[..., Any]

FOLDER = Path(__file__).parent / "snapshots"
STEP = 28  # of the queue: free(node)
GEOMETRY = """() => ({
  view: document.querySelector(".heap svg").getAttribute("viewBox"),
  nodes: Object.fromEntries([...document.querySelectorAll(".node")].map((node) => [node.dataset.id,
    [node.getAttribute("transform"), node.querySelector(".box").getAttribute("width"),
     node.querySelector(".box").getAttribute("height")].join(" ")])),
  links: [...document.querySelectorAll(".link path")].map((path) => path.getAttribute("d")),
})"""


def assert_unchanged(name: str, text: str) -> None:
    path = FOLDER / name
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_a_step_of_a_film(opened: Open, queue_page: Path) -> None:
    page = opened(queue_page)
    page.wait_for_selector(".player")
    page.locator(".player input[type=range]").fill(str(STEP))
    assert_unchanged("film.yml", page.locator(".stage").aria_snapshot() + "\n")
    assert_unchanged("film.json", json.dumps(page.evaluate(GEOMETRY), indent=1) + "\n")
