"""The screenshots in the documents: pages of examples, light and dark, taken in Chromium.

    make screenshots            # all
    make screenshots ONLY=film

It needs Chromium (Debian's package `chromium`); the rest is among the dependencies of development.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from heapwright.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
HEIGHT = 760


@dataclass(frozen=True)
class Shot:
    """A page, by the arguments of its command, and what is done on it before its picture is taken."""

    name: str
    command: tuple[str, ...]
    address: str = ""
    prepare: Callable[[Page], object] = lambda page: None
    folder: bool = False  # the page is the index of a directory


def _ask(page: Page) -> None:
    page.get_by_role("button", name="Line 23:").click()
    page.get_by_label("Why can this not be null here").select_option(label="list")
    page.locator("figure details.example summary").nth(1).click()


def _topic(title: str) -> Callable[[Page], None]:
    return lambda page: page.locator(".topics button", has_text=title).first.click()


def _all_checks(page: Page) -> None:
    page.get_by_label("Verdict").select_option("")
    page.locator(".list button").first.click()


def _line(number: int) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=f"Line {number}:").click()


REVERSE = "examples/list_reverse.c"
SHOTS = (
    Shot("film", ("check", "examples/queue_buggy.c", "-q")),
    Shot("proof", ("show", REVERSE), prepare=_ask),
    Shot("rotation", ("show", "examples/tree_rotation.c"), prepare=_line(27)),
    Shot("infer", ("infer", "examples/list_append.c", "-f", "append"), prepare=_topic("Line 28: y does")),
    Shot("tvp", ("tvp", "bench/tvp/list", "bench/tvp/list")),
    Shot("audit", ("audit", REVERSE, "--engine", "tvl", "--runs", "50"), prepare=_topic("Line 25")),
    Shot("reproduce", ("reproduce", "boolheaps")),
    Shot("recency", ("check", "examples/embedded_list.c", "-q", "--engine", "recency"), prepare=_all_checks),
    Shot("project", ("project", "examples", "-q"), folder=True),
    Shot("lazy", ("show", "examples/list_drain.c", "--engine", "lazy"), prepare=_topic("Abstract reachability")),
    Shot("boolheap", ("show", "examples/list_drain.c", "--engine", "boolheap")),
    Shot("fesa", ("show", "examples/list_drain.c", "--engine", "fesa"), prepare=_line(24)),
)


def take(folder: Path, wanted: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for shot in SHOTS:
            if wanted and shot.name != wanted:
                continue
            page_file = folder / (shot.name if shot.folder else f"{shot.name}.html")
            main([*shot.command, "--html", str(page_file)])
            if shot.folder:
                page_file /= "index.html"
            for scheme in ("light", "dark"):
                context = browser.new_context(viewport={"width": 1280, "height": HEIGHT}, color_scheme=scheme)
                page = context.new_page()
                page.goto(page_file.as_uri() + shot.address)
                page.wait_for_selector("html[data-ready]")
                page.wait_for_selector(".stage")
                if shot.name == "film":
                    page.wait_for_selector(".player")
                shot.prepare(page)
                page.screenshot(path=PICTURES / f"{shot.name}-{scheme}.png")
                context.close()
        browser.close()


if __name__ == "__main__":
    if shutil.which("chromium") is None:
        sys.exit("Chromium is not installed: apt-get install chromium")
    os.chdir(ROOT)
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as made:
        take(Path(made), sys.argv[1] if len(sys.argv) > 1 else "")
