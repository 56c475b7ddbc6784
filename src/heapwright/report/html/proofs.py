"""The abstract heaps of an analysis as data for the page: at each line its heaps, what their predicates mean, and heaps
of runs that reach the line.

proof_page(views, sources, title="list.c", engine="tvl", meanings={"r[x]": "v is reached from x"})
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from heapwright.program.graph import Assumption
from heapwright.program.heap_picture import HeapPicture, presented
from heapwright.report.html.parts import blank_page, drawing, files_of, told, topic_object
from heapwright.report.messages import counted
from heapwright.report.view_links import Examples, Links
from heapwright.report.views import View, role_of
from heapwright.result.explanation import Topic

Json = dict[str, Any]
Key = tuple[str, int, int]  # file, line and column
NO_EXAMPLES = Examples()
GRAPHS = "fesa"  # the engine whose abstract heaps are graphs
ROLE = "a role"  # the caption of a picture that shows one


def proof_page(
    views: Sequence[View],
    sources: Mapping[str, str],
    *,
    title: str,
    function: str,
    engine: str,
    complete: bool,
    reason: str,
    assumptions: Sequence[Assumption] = (),
    seconds: float,
    meanings: Mapping[str, str] | None = None,
    examples: Mapping[Key, Examples] | None = None,
    links: Links = (),
    topics: Sequence[Topic] = (),
    globals: Collection[str] = (),
    **given: object,
) -> Json:
    """The page of `heapwright show`. `meanings` are sentences for facts, `examples` heaps of runs, `globals` the names
    of global variables."""
    count = sum(not role_of(picture) for view in views for picture in view.pictures)
    summary = f"{counted(count, 'abstract heap')} at {counted(len(views), 'place')}"
    if not views and topics:
        summary = f"{topics[0].title.lower()}: {len(topics[0].rows)}"
    told_views = [
        _view(
            view,
            meanings or {},
            (examples or {}).get((view.file, view.line, view.column), NO_EXAMPLES),
            globals,
            graph=engine == GRAPHS,
        )
        for view in views
    ]
    for view, rows in zip(told_views, links, strict=False):
        for heap, before in zip(view["heaps"], rows, strict=True):
            heap["from"] = [list(link) for link in before]
    page = blank_page(
        title,
        function=function,
        summary=summary + ("" if complete else ", incomplete: more are possible"),
        engine=engine,
        seconds=seconds,
        complete=complete,
        limit=reason,
        files=files_of([view.file for view in views] or list(sources), sources),
        assumptions=told(assumptions),
        views=told_views,
        topics=[topic_object(topic) for topic in topics],
    )
    return page | given


def _view(
    view: View, meanings: Mapping[str, str], examples: Examples, globals: Collection[str], *, graph: bool
) -> Json:
    facts = dict.fromkeys(text for picture in view.pictures for text in _facts(picture))
    heaps = [
        drawing(picture, f"heap {number}", view.function, globals, graph=graph)
        for number, picture in enumerate(view.pictures, 1)
    ]
    for heap, picture in zip(heaps, view.pictures, strict=True):
        if role_of(picture):
            heap["caption"] = ROLE
    for number, example in examples.of.items():
        heaps[number]["example"] = example
    return {
        "span": [view.file, view.line, view.column, 0, 0],
        "function": view.function,
        "text": view.text,
        "alarms": list(view.alarms),
        "without": view.without_heaps,
        "heaps": heaps,
        "examples": [drawing(picture, f"example {number}") for number, picture in enumerate(examples.heaps, 1)],
        "meanings": [[text, meanings[text]] for text in facts if text in meanings],
    }


def _facts(picture: HeapPicture) -> list[str]:
    picture = presented(picture)
    return [fact.text for fact in (*picture.facts, *(fact for node in picture.nodes for fact in node.facts))]
