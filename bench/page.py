"""How fast a page is in a browser on a processor that is four times slower: until it shows its film, a step, a seek.

    python bench/page.py [--times 4] [PAGE.html ...]

Without pages: the film of examples/queue_buggy.c, and a film of 5,000 steps over up to 70 objects. Times are processor
times of the page's main thread (scripts, styles, layout), times four: they hardly depend on other work. Aims: a step
within 33 ms (95th percentile), a seek within 50 ms, the page within a second.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

STEPS, SEEKS = 60, 30
LINES = 300  # of the source beside the long film
STEP = """() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
  document.body.offsetHeight;
}"""
SEEK = """(number) => {
  const slider = document.querySelector(".player input[type=range]");
  slider.value = 1 + (number * 7919) % Number(slider.max);
  slider.dispatchEvent(new Event("input"));
  document.body.offsetHeight;
}"""


def own_pages(folder: Path) -> list[Path]:
    from report.html.test_film import random_recording

    from heapwright.cli import main
    from heapwright.report.html.film import film_object
    from heapwright.report.html.page import page_text
    from heapwright.report.html.parts import blank_page

    small, long = folder / "queue.html", folder / "long.html"
    main(["check", str(ROOT / "examples" / "queue_buggy.c"), "-q", "--html", str(small)])
    check = {"id": "a.c:1:1:leak", "kind": "leak", "verdict": "violated", "engine": "explore", "film": 0, "exact": True}
    texts = dict.fromkeys(("function", "claim", "message", "reason", "advice"), "-")
    checks = [{**check, **texts, "span": ["a.c", 1, 1, 1, 2], "suppressed": None}]
    files = [{"name": "a.c", "label": "a.c", "text": "\n".join(f"int x{n};" for n in range(LINES))}]
    recording = random_recording(3, steps=5_000, most=70)
    frames = tuple(replace(one, span=replace(one.span, line=1 + one.span.line % LINES)) for one in recording.frames)
    films = [film_object(replace(recording, frames=frames))]
    long.write_text(page_text(blank_page("long", checks=checks, files=files), films), encoding="utf-8")
    return [small, long]


class Clock:
    """The processor time of the page's main thread, in milliseconds."""

    def __init__(self, page: Any) -> None:
        self.session = page.context.new_cdp_session(page)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def now(self) -> float:
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(one["value"] for one in metrics if one["name"] == "ThreadTime")

    def around(self, action: Callable[[], object]) -> float:
        start = self.now()
        action()
        return self.now() - start


def measured(browser: Any, path: Path, times: float) -> str:
    page = browser.new_page()
    clock = Clock(page)

    def load() -> None:
        page.goto(path.as_uri())
        page.wait_for_selector(".player")

    shown = times * clock.around(load)
    nothing = min(clock.around(lambda: page.evaluate("() => 0")) for _ in range(10))
    page.keyboard.press("Home")
    steps = sorted(times * max(0.0, clock.around(lambda: page.evaluate(STEP)) - nothing) for _ in range(STEPS))
    seeks = sorted(times * max(0.0, clock.around(lambda n=n: page.evaluate(SEEK, n)) - nothing) for n in range(SEEKS))
    page.close()
    return (
        f"{path.name}: {path.stat().st_size / 1000:.0f} kB, shown {shown:.0f} ms; step median {median(steps):.1f}, "
        f"p95 {steps[int(0.95 * len(steps))]:.1f} ms; seek median {median(seeks):.1f}, worst {seeks[-1]:.1f} ms"
    )


def run() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--times", type=float, default=4.0)
    arguments = parser.parse_args()
    with TemporaryDirectory() as made, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for path in arguments.pages or own_pages(Path(made)):
            print(measured(browser, path.resolve(), arguments.times))
        browser.close()


if __name__ == "__main__":
    run()
