"""The page of a TVLA specification: the structures of each location, which come from which, and the messages."""

from __future__ import annotations

from typing import Any

from heapwright.analysis.specification import SpecificationResult
from heapwright.base.source import Span
from heapwright.report.html.proofs import proof_page
from heapwright.report.views import View
from heapwright.result.explanation import Topic


def views_of(result: SpecificationResult) -> tuple[View, ...]:
    """One view for each label; its line is its number."""
    return tuple(
        View(result.file, number, 1, "", one.line, one.pictures, complete=result.complete)
        for number, one in enumerate(result.drawings or (), 1)
    )


def specification_page(result: SpecificationResult) -> dict[str, Any]:
    drawings = result.drawings or ()
    lines = [one.line for one in drawings]
    numbers = {one.line.partition(":")[0]: number for number, one in enumerate(drawings, 1)}
    rows = tuple(
        (one.label, one.text, "definite" if one.definite else "possible", one.action) for one in result.messages
    )
    topics = []
    if rows or result.breach:
        span = Span(result.file, numbers.get(rows[0][0], 1), 1) if rows else None
        said = (result.breach,) if result.breach else ()
        topics.append(Topic("Messages", said, ("location", "message", "", "action"), rows, span=span))
    remarks = [{"text": remark, "place": ""} for remark in result.remarks]
    return proof_page(
        views_of(result),
        {result.file: "\n".join(lines)},
        title=result.file,
        function="",
        engine="tvl",
        complete=result.complete,
        reason=result.breach,
        seconds=float(result.stats["time_s"]),
        links=result.links,
        topics=topics,
        verdict=result.verdict,
        warnings=remarks,
    )
