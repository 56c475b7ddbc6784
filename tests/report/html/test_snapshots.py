"""What a screen reader hears of a film, and where its objects are, as it was when somebody looked at it.

After a change that is meant:

    UPDATE_SNAPSHOTS=1 pytest tests/report/html/test_snapshots.py
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

Open = Callable[..., Any]

ROOT = Path(__file__).parents[3]
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
    path, text = FOLDER / name, text.replace(f"{ROOT}/", "")
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_a_step_of_a_film(opened: Open, queue_page: Path) -> None:
    page = opened(queue_page)
    page.wait_for_selector(".player")
    page.locator(".player input[type=range]").fill(str(STEP))
    assert_unchanged("film.yml", page.locator(".stage").aria_snapshot() + "\n")
    assert_unchanged("film.json", json.dumps(page.evaluate(GEOMETRY), indent=1) + "\n")
