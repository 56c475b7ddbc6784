"""Pages in a real browser: findings, films, keys, addresses, hostile names, accessibility."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from project.trees import LEAKS, SAFE, write_tree
from report.html.conftest import REVERSAL
from report.html.sources import SOURCES
from report.html.test_film import FILM_SCHEMA, random_recording
from report.html.test_page import HOSTILE, PAGE_SCHEMA, data_of

from heapwright.base.source import Span
from heapwright.program.runs.recording import Call, Frame, Recording
from heapwright.program.runs.seen_memory import STATE, TYPE, Change, Origin, Target
from heapwright.report.html.film import film_object
from heapwright.report.html.findings import page_object
from heapwright.report.html.page import ASSETS, page_text
from heapwright.report.model import Report
from heapwright.result.outcomes import Verdict

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

Open = Callable[..., Any]

PLACES = """() => Object.fromEntries([...document.querySelectorAll('.node')]
    .map((node) => [node.dataset.id, node.getAttribute('transform')]))"""
MOST_ELEMENTS = 3_000
MODULES = ASSETS.parent / "script"
SPECIFICATION = str(Path(__file__).parents[3] / "bench" / "tvp" / "list")


def step_of(page: Page) -> tuple[int, int]:
    at, _, last = page.locator(".player output").inner_text().partition(" / ")
    return int(at), int(last)


def address_of(page: Page, end: str) -> str:
    """The address of what is shown, which is written a little later."""
    page.wait_for_function("(end) => location.hash.endsWith(end)", arg=end)
    return str(page.evaluate("location.hash"))


def elements(page: Page) -> int:
    count: int = page.evaluate("document.querySelectorAll('*').length")
    return count


def test_the_film_of_a_bug_opens_at_its_end(opened: Open, queue_page: Path) -> None:
    page = opened(queue_page)
    page.wait_for_selector(".player")
    at, last = step_of(page)
    assert at == last > 30
    assert "use after free" in page.locator(".told").inner_text()
    assert page.locator(".node.subject").count() == 1
    assert page.locator(".line.now.bad").inner_text().strip().startswith("✗")
    assert page.locator(".calls li").first.inner_text().startswith("put (called in line 54)")
    assert elements(page) <= MOST_ELEMENTS
    assert queue_page.stat().st_size < 1_000_000


def test_keys_step_and_addresses_follow(opened: Open, queue_page: Path) -> None:
    page = opened(queue_page)
    page.wait_for_selector(".player")
    _, last = step_of(page)
    page.keyboard.press("Home")
    assert step_of(page) == (1, last)
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert step_of(page) == (4, last)
    address = address_of(page, "/4")
    again = opened(queue_page, address)
    again.wait_for_selector(".player")
    assert step_of(again) == (4, last)
    page.keyboard.press("End")
    assert step_of(page) == (last, last)
    page.get_by_role("button", name="allocated", exact=False).first.click()
    assert "new node #1" in page.locator(".told").inner_text()


@pytest.mark.slow
def test_objects_stay_where_they_are_and_backwards_is_exact(opened: Open, queue_page: Path) -> None:
    page = opened(queue_page, motion="any")
    page.wait_for_selector(".player")
    _, last = step_of(page)
    page.keyboard.press("Home")
    places: dict[str, str] = {}
    told: list[tuple[str, str]] = []
    for _ in range(last):
        for node, place in page.evaluate(PLACES).items():
            assert places.setdefault(node, place) == place
        told.append((page.locator("#heap-words").text_content(), page.locator(".calls").inner_text()))
        page.keyboard.press("ArrowRight")
    assert len(places) == 3
    for expected in reversed(told):
        assert (page.locator("#heap-words").text_content(), page.locator(".calls").inner_text()) == expected
        page.keyboard.press("ArrowLeft")


def test_the_slider_seeks_and_play_plays(opened: Open, queue_page: Path) -> None:
    page = opened(queue_page)
    page.clock.install()
    page.reload()
    page.wait_for_selector(".player")
    _, last = step_of(page)
    page.locator(".player input[type=range]").fill("12")
    assert step_of(page) == (12, last)
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(5_000)
    assert 12 < step_of(page)[0] < last
    page.get_by_role("button", name="Pause").click()
    paused = step_of(page)
    page.clock.run_for(5_000)
    assert step_of(page) == paused
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(60_000)
    assert step_of(page) == (last, last)
    assert page.get_by_role("button", name="Play").count() == 1


def test_filters(opened: Open, queue_page: Path) -> None:
    page = opened(queue_page)
    assert page.locator(".list li").count() == 1
    page.get_by_label("Verdict").select_option("proved")
    proved = page.locator(".list li").count()
    assert proved > 50
    page.get_by_label("Kind").select_option("leak")
    assert 0 < page.locator(".list li").count() < proved
    page.get_by_label("Search").fill("no such thing")
    assert page.locator(".list li").count() == 0
    page.get_by_label("Search").fill("take")
    page.locator(".list button").first.click()
    assert "proved" in page.locator(".finding h2").inner_text()
    assert page.locator(".line.now").count() == 1


def test_the_source_stays_coloured(opened: Open, queue_page: Path) -> None:
    page = opened(queue_page)
    page.get_by_label("Verdict").select_option("proved")
    for number in range(2):
        page.locator(".list button").nth(number).click()
        coloured = page.evaluate("[...CSS.highlights.get('keyword')].map((range) => range.toString())")
        assert "struct" in coloured
        assert "" not in coloured


def test_an_object_has_a_history(opened: Open, queue_page: Path) -> None:
    page = opened(queue_page)
    page.wait_for_selector(".player")
    page.locator(".node[data-id='1']").click()
    panel = page.locator(".under")
    panel.get_by_role("button", name="28 freed", exact=True).click()
    assert "free(node)" in page.locator(".told").inner_text()
    assert page.locator(".node.just.freed").count() == 1
    page.locator(".node[data-id='2']").focus()
    page.keyboard.press("Enter")
    panel.get_by_role("button", name="27 last written", exact=True).click()
    assert "queue->first = node->next" in page.locator(".told").inner_text()


def test_hostile_names_are_text(opened: Open, report: Report, tmp_path: Path) -> None:
    hostile = replace(report, files=(HOSTILE,), sources={HOSTILE: HOSTILE}, function=HOSTILE)
    path = tmp_path / "hostile.html"
    path.write_text(page_text(page_object(hostile, {})), encoding="utf-8", errors="backslashreplace")
    page = opened(path)
    assert "<script>alert(1)</script>" in page.locator("h1").inner_text()


@pytest.mark.slow
def test_a_long_run_and_many_findings(opened: Open, report: Report, tmp_path: Path) -> None:
    steps = 5_200
    recording = random_recording(3, steps=steps, most=70)
    (violated,) = report.having(Verdict.VIOLATED)
    check = violated.check
    many = tuple(
        replace(violated, check=replace(check, span=replace(check.span, column=100 + number))) for number in range(200)
    )
    listed = replace(report, outcomes=(*many, *report.outcomes))
    path = tmp_path / "long.html"
    path.write_text(page_text(page_object(listed, {check.id: 0}), [film_object(recording)]), encoding="utf-8")
    page = opened(path)
    page.get_by_label("Verdict").select_option("violated")
    assert page.locator(".list li").count() == 200
    page.get_by_role("button", name="show 1 more").click()
    assert page.locator(".list li").count() == 201
    page.locator(".list button", has_text="film").click()
    page.wait_for_selector(".player")
    assert step_of(page) == (steps, steps)
    for step in (20, 2_500, 2_499, steps):
        page.locator(".player input[type=range]").fill(str(step))
        assert step_of(page) == (step, steps)
        assert 0 < page.locator(".node").count() <= 60
        assert elements(page) <= MOST_ELEMENTS
    page.locator("summary", has_text="not drawn").click()
    page.locator("details li button").first.click()
    assert "allocated" in page.locator(".under").inner_text() or "appears" in page.locator(".under").inner_text()


def chain_recording(length: int) -> Recording:
    """A run that appends nodes to a list, and then goes on from its first one."""
    frames: list[Frame] = []

    def step(*changes: Change) -> None:
        number = len(frames) + 1
        frames.append(Frame(Span("a.c", number, 1), (Call("main", None),), f"step {number}", (), False, False, changes))

    for new in range(1, length + 1):
        fresh = (
            Change(new, field, None, value) for field, value in ((STATE, "live"), (TYPE, "node"), ("next", "null"))
        )
        before = Target(new - 1) if new > 1 else None
        linked = (Change(new - 1, "next", "null", Target(new)),) if before else ()
        first = () if before else (Change(0, "main:list", None, Target(1)),)
        step(*fresh, *linked, *first, Change(0, "main:last", before, Target(new)))
    step(Change(0, "main:last", Target(length), Target(1)))
    origins = {number: Origin(None, "heap") for number in range(1, length + 1)}
    return Recording(tuple(frames), origins, None, 0, 0)


def test_like_objects_are_folded_and_unfold(opened: Open, report: Report, tmp_path: Path) -> None:
    length = 100
    (violated,) = report.having(Verdict.VIOLATED)
    listed = replace(report, outcomes=(violated,))
    film = film_object(chain_recording(length))
    jsonschema.validate(film, FILM_SCHEMA)
    path = tmp_path / "chain.html"
    path.write_text(page_text(page_object(listed, {violated.check.id: 0}), [film]), encoding="utf-8")
    page = opened(path)
    page.wait_for_selector(".player")
    folded = page.locator(".node.run")
    drawn = page.locator(".node:not(.run)").count()
    told = folded.text_content()
    assert drawn < length / 2
    assert told == f"{length - drawn} \N{MULTIPLICATION SIGN} node→ #{length}"
    assert page.locator(".link").count() == drawn - 1  # one of them leads to the folded ones, which end with the last
    folded.click()
    unfolded = page.locator(".unfolded")
    assert unfolded.locator("li").count() == length - drawn
    unfolded.locator("li button").first.click()
    assert f"#{drawn} node" in page.locator(".under").inner_text()
    unfolded.get_by_role("button", name="fold").click()
    assert unfolded.locator("li").count() == 0


def test_the_modules_do_what_the_bundle_does(browser: Browser, queue_page: Path) -> None:
    """A browser that loads the modules sees imports that are missing, as the bundle does not."""
    text = queue_page.read_text(encoding="utf-8")
    begin = text.rindex("<script>")
    text = text[:begin] + '<script type="module" src="main.js"></script></body></html>'
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    context = browser.new_context()
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def serve(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if name == "page":
            route.fulfill(body=text, content_type="text/html")
        else:
            route.fulfill(body=(MODULES / name).read_text(encoding="utf-8"), content_type="text/javascript")

    page.route("http://pages.test/*", serve)
    page.goto("http://pages.test/page")
    page.wait_for_selector(".player")
    page.keyboard.press("ArrowLeft")
    page.locator(".node").first.click()
    page.keyboard.press("j")
    page.get_by_role("button", name="assumptions").click()
    assert errors == []
    context.close()


def test_a_proof_is_pictures_with_their_meaning_and_examples(opened: Open, proof_file: Path) -> None:
    page = opened(proof_file)
    assert "Whatever the run" in page.locator(".finding").inner_text()
    page.get_by_role("button", name="Line 13:").click()
    assert page.locator(".finding h2").inner_text().startswith("Line 13:")
    every = page.locator(".gallery figure svg").count()
    assert every > 1
    assert "reached from list" in page.locator(".meanings").inner_text()
    assert page.locator(".gallery text title").count() > 0
    page.get_by_label("Show").select_option("done")
    assert 0 < page.locator(".stage > .gallery > figure").count() <= every
    page.locator(".stage > details summary", has_text="heaps of runs").click()
    assert page.locator(".stage > details figure svg").first.is_visible()
    page.keyboard.press("j")
    assert page.locator(".finding h2").inner_text().startswith("Line 14:")
    address = address_of(page, f"#{int(str(page.locator('.list [aria-current]').get_attribute('data-view'))) + 1}")
    assert opened(proof_file, address).locator(".finding h2").inner_text().startswith("Line 14:")
    assert elements(page) <= MOST_ELEMENTS
    assert proof_file.stat().st_size < 1_000_000


def test_why_a_variable_is_not_null_and_an_example(opened: Open, proof_file: Path) -> None:
    page = opened(proof_file)
    page.get_by_role("button", name="Line 12:").click()
    page.get_by_label("Why can this not be null here").select_option(label="list")
    reasons = page.locator(".why").inner_text()
    assert "is null in no heap here" in reasons
    assert "line 9: list = node;" in reasons
    assert "line 11: while (list) { — heaps in which list is null go on to line 17 only" in reasons
    page.locator("figure details.example summary").first.click()
    assert page.locator("figure details.example figure svg").first.is_visible()
    page.locator("figcaption button", has_text="line 11, heap").first.click()
    assert page.locator(".finding h2").inner_text().startswith("Line 11:")
    assert page.locator("figure.from").count() == 1
    shown = page.locator("figure.from").get_attribute("data-heap")
    address = address_of(page, f"/{int(str(shown)) + 1}")
    assert opened(proof_file, address).locator("figure.from").count() == 1
    page.get_by_label("Why can this not be null here").select_option(label="list")
    assert "can be null here" in page.locator(".why").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "told"), [("fesa", "in 1 of 1"), ("lazy", "heaps in which list is null go on to")])
def test_why_a_variable_is_not_null_for_other_engines(opened: Open, tmp_path: Path, engine: str, told: str) -> None:
    from heapwright.cli import main

    (tmp_path / "reverse.c").write_text(REVERSAL, encoding="utf-8")
    arguments = ["show", str(tmp_path / "reverse.c"), "--engine", engine, "--timeout", "0"]
    assert main([*arguments, "--html", str(tmp_path / "page.html")]) == 0
    page = opened(tmp_path / "page.html")
    page.get_by_role("button", name="Line 12:").click()
    page.get_by_label("Why can this not be null here").select_option(label="list")
    assert "line 11: while (list) {" in page.locator(".why").inner_text()
    assert told in page.locator(".why").inner_text()
    page.locator("figure details.example summary").first.click()
    assert page.locator("figure details.example figure svg").first.is_visible()


def test_a_film_in_a_directory(opened: Open, tmp_path: Path) -> None:
    from heapwright.cli import main

    source = tmp_path / "twice.c"
    source.write_text("#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); free(p); }\n")
    assert main(["check", str(source), "--engine", "explore", "-q", "--html", str(tmp_path / "out")]) == 1
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["film-0.js", "index.html"]
    page = opened(tmp_path / "out" / "index.html", own=(tmp_path / "out").as_uri())
    page.wait_for_selector(".player")
    assert "double free" in page.locator(".told").inner_text()


@pytest.mark.slow
def test_the_film_of_a_unit_from_the_index_of_a_project(opened: Open, tmp_path: Path) -> None:
    from heapwright.cli import main

    root, out = write_tree(tmp_path / "tree", {"a/leaks.c": LEAKS, "b/safe.c": SAFE}), tmp_path / "out"
    arguments = ["project", str(root), "--engine", "explore", "-j", "1", "-q", "--store", str(tmp_path / "s.sqlite")]
    assert main([*arguments, "--html", str(out)]) == 1
    page = opened(out / "index.html", own=out.as_uri())
    page.get_by_role("link", name="a/leaks.c:").click()
    page.wait_for_selector(".player")
    assert "leak at a/leaks.c" in page.locator(".finding").inner_text()
    page.get_by_role("link", name="all units").click()
    page.wait_for_selector(".topic")
    complained(page, "light")
    assert main([*arguments, "--report", "--html", str(tmp_path / "again")]) == 1
    assert sorted(one.name for one in out.iterdir()) == sorted(one.name for one in (tmp_path / "again").iterdir())


def test_a_reproduction_and_an_audit(opened: Open, tmp_path: Path) -> None:
    from heapwright.cli import main
    from heapwright.reproduce.reproduction import Claim, Reproduction, Table, as_page

    claims = (Claim("it is faster", False, "twice as slow"), Claim("<b>it</b> is right", True))
    tables = (Table(("program", "ours"), (("a", "12"), ("b", "3")), "Table 1"),)
    found = as_page(Reproduction("fesa", "A paper", tables, claims, ("another machine",)))
    path = tmp_path / "paper.html"
    path.write_text(page_text(found), encoding="utf-8")
    jsonschema.validate(data_of(path.read_text(encoding="utf-8")), PAGE_SCHEMA)
    page = opened(path)
    assert page.locator("tr.fails").inner_text().split("\t") == ["fails", "it is faster", "twice as slow"]
    page.keyboard.press("j")
    assert page.locator("table").inner_text().startswith("program")
    (tmp_path / "a.c").write_text("int main(void) { int x = 0; int *p = &x; return *p; }\n")
    bounds = ("--runs", "1", "--small", "20")
    assert main(["audit", str(tmp_path / "a.c"), "--engine", "tvl", *bounds, "--html", str(tmp_path / "a.html")]) == 0
    page = opened(tmp_path / "a.html")
    assert "heaps were in its states" in page.locator(".topic").inner_text()
    page.locator(".topics button", has_text="return *p").last.click()
    assert page.locator(".gallery figure svg").count() > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "expected", "topic", "told"),
    [
        (("infer", "append.c", "-f", "append"), 0, "Line 15: y does not", "input 1 that fails"),
        (("show", "reverse.c", "--engine", "lazy"), 0, "Abstract reachability tree", "covered by node"),
        (("show", "reverse.c", "--engine", "boolheap"), 0, "Predicates", "v is reached from list along next"),
        (("show", "reverse.c", "--engine", "fesa"), 0, "", "role: "),
        (("show", "rotate.c"), 0, "", "heap 1 of"),
        (("tvp", SPECIFICATION, SPECIFICATION), 0, "", "from"),
    ],
    ids=["infer", "lazy", "boolheap", "fesa", "rotation", "tvp"],
)
def test_pages_of_engines(
    opened: Open,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    expected: int,
    topic: str,
    told: str,
) -> None:
    from heapwright.cli import main

    for name, text in {**SOURCES, "reverse.c": REVERSAL}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main([*arguments, "--timeout", "0", "--html", "page.html"]) == expected
    page = opened(tmp_path / "page.html")
    jsonschema.validate(data_of((tmp_path / "page.html").read_text(encoding="utf-8")), PAGE_SCHEMA)
    if topic:
        page.locator(".topics button", has_text=topic).first.click()
    assert told in page.locator("main").inner_text()
    assert elements(page) <= MOST_ELEMENTS
    assert (tmp_path / "page.html").stat().st_size < 1_000_000
    complained(page, "light")


def test_the_data_of_a_proof_is_valid(proof_file: Path) -> None:
    page = data_of(proof_file.read_text(encoding="utf-8"))
    jsonschema.validate(page, PAGE_SCHEMA)


@pytest.mark.parametrize("look", ["light", "dark", "print"])
def test_nothing_for_axe_in_a_proof(opened: Open, proof_file: Path, look: str) -> None:
    page = opened(proof_file, scheme=look)
    complained(page, look)


@pytest.mark.parametrize("look", ["light", "dark", "print"])
@pytest.mark.slow
def test_nothing_for_axe_in_a_film(opened: Open, queue_page: Path, look: str) -> None:
    page = opened(queue_page, scheme=look)
    page.wait_for_selector(".player")
    complained(page, look)


def complained(page: Page, look: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    if look == "print":
        page.emulate_media(media="print")
    found = Axe().run(page, options={"preload": False})  # it may request nothing
    assert found.response["violations"] == [], found.generate_report()
