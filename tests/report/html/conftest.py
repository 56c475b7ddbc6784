"""A browser for pages, and pages for the browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def _absent(reason: str) -> None:
    """Without a browser tests are skipped, but not on the build server."""
    if os.environ.get("CI") in ("true", "1"):
        pytest.fail(f"{reason}; .ci/run installs it")
    pytest.skip(f"{reason}: pages are not tried in a browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        _absent("Chromium is not installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _absent("playwright is not installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page; at the end there must have been no error, no dialog, and no request but for the page itself."""
    complaints: list[str] = []
    contexts = []

    def open_page(path: Path, address: str = "", scheme: str = "light", motion: str = "reduce", own: str = "") -> Page:
        own = own or path.as_uri()
        context = browser.new_context(
            viewport={"width": 1400, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce" if motion == "reduce" else "no-preference",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: complaints.extend([request.url] * (not request.url.startswith(own))))
        page.goto(path.as_uri() + address)
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def queue_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the buggy queue in examples/."""
    from heapwright.cli import main

    example = Path(__file__).parents[3] / "examples" / "queue_buggy.c"
    path = tmp_path_factory.mktemp("page") / "queue.html"
    assert main(["check", str(example), "--engine", "explore", "-q", "--html", str(path)]) == 1
    return path


REVERSAL = """\
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct node { struct node *next; };
int main(void) {
    struct node *list = 0, *done = 0;
    while (__VERIFIER_nondet_bool()) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *rest = list->next;
        list->next = done;
        done = list;
        list = rest;
    }
    while (done) {
        struct node *rest = done->next;
        free(done);
        done = rest;
    }
    return 0;
}
"""


@pytest.fixture(scope="session")
def proof_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the proof of a list reversal."""
    from heapwright.cli import main

    folder = tmp_path_factory.mktemp("proof")
    (folder / "reverse.c").write_text(REVERSAL, encoding="utf-8")
    assert main(["show", str(folder / "reverse.c"), "--timeout", "0", "--html", str(folder / "reverse.html")]) == 0
    return folder / "reverse.html"
