"""Parts of the data of pages: an empty page, assumptions, drawings, topics. `schemas/page.json` describes them.

blank_page("list.c", summary="nothing")["checks"]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from heapwright import __version__
from heapwright.base.source import Span, printable
from heapwright.program.graph import Assumption
from heapwright.program.heap_picture import HeapPicture
from heapwright.report.drawing.svg import svg
from heapwright.report.terminal.heap_text import heap_lines
from heapwright.result.explanation import Topic

FORMAT, VERSION = "heapwright-page", 1

Json = dict[str, Any]


def blank_page(title: str, **given: object) -> Json:
    """A page with a title and what is given."""
    page: Json = {
        "format": FORMAT,
        "version": VERSION,
        "generator": f"heapwright {__version__}",
        "title": printable(title),
        "function": "",
        "property": "",
        "verdict": "",
        "summary": "",
        "engine": "",
        "seconds": 0.0,
        "complete": True,
        "limit": "",
        "next_step": "",
        "engines": [],
        "files": [],
        "checks": [],
        "assumptions": [],
        "warnings": [],
    }
    return page | given


def files_of(names: Sequence[str], sources: Mapping[str, str]) -> list[Json]:
    return [
        {"name": name, "label": printable(name), "text": sources[name]}
        for name in dict.fromkeys(names)
        if name in sources
    ]


def told(assumptions: Sequence[Assumption]) -> list[Json]:
    return [{"text": one.text, "place": str(one.span) if one.span else ""} for one in assumptions]


def span_row(span: Span) -> list[str | int]:
    return [span.file, span.line, span.column, span.end_line, span.end_column]


def drawing(
    picture: HeapPicture, title: str, function: str = "", globals: Collection[str] = (), *, graph: bool = False
) -> Json:
    """Variables that point to an object or may be null have the name of their function, which is `function` if the
    picture names none and they are not among `globals`. In a `graph` a pointer that leads to one of several objects may
    be null only if an arrow says so."""

    def whole(name: str) -> str:
        return name if ":" in name or not function or name in globals else f"{function}:{name}"

    arrows = [(one.source, one) for one in picture.arrows if isinstance(one.source, str)]
    null = {name for name, one in arrows if one.target == "null" or not (one.certain or graph)}
    objects = {name for name, one in arrows if isinstance(one.target, int)} - null
    return {
        "svg": svg(picture, title),
        "words": "\n".join(heap_lines(picture)) or "empty heap",
        "variables": sorted({*(name for name, _ in arrows), *(name for name, _ in picture.data)}),
        "objects": sorted(map(whole, objects)),
        "null": sorted(map(whole, null)),
    }


def topic_object(topic: Topic) -> Json:
    return {
        "title": topic.title,
        "span": span_row(topic.span) if topic.span else None,
        "text": list(topic.text),
        "columns": list(topic.columns),
        "rows": [list(row) for row in topic.rows],
        "tree": [list(row) for row in topic.tree],
        "drawings": [{**drawing(picture, caption), "caption": caption} for caption, picture in topic.pictures],
    }
