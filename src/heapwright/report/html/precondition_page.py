"""An inferred precondition as a page: its conjuncts, and for each obligation the input heaps from which it fails.

precondition_page(report)["topics"]
"""

from __future__ import annotations

from typing import Any

from heapwright.base.source import Span
from heapwright.report.html.parts import blank_page, files_of, topic_object
from heapwright.report.messages import counted
from heapwright.report.precondition import PreconditionReport, judgement
from heapwright.result.explanation import Topic
from heapwright.result.precondition import Requirement

Json = dict[str, Any]


def precondition_page(report: PreconditionReport) -> Json:
    found = report.found
    words = "; ".join(one.words for one in found.conjuncts) or "true: every input is safe"
    topics = [_precondition(report), _tested(report), *(_requirement(report, one) for one in found.requirements)]
    return blank_page(
        ", ".join(report.files),
        function=report.function,
        summary=f"{report.function} is safe if {words}",
        engine="infer",
        seconds=float(dict(found.stats).get("time_s", 0)),
        complete=found.complete,
        files=files_of(list(report.files), report.sources),
        assumptions=[{"text": text, "place": ""} for text in found.assumptions],
        topics=[topic_object(topic) for topic in topics],
    )


def _precondition(report: PreconditionReport) -> Topic:
    found = report.found
    text = [f"{report.function} is safe ({found.given}) if all of this holds at its beginning:"]
    if found.impossible:
        text.append("No input satisfies it: the precondition is false.")
    elif not found.conjuncts:
        text = [f"{report.function} is safe ({found.given}) for every input."]
    rows = tuple((one.words, one.formula, one.macro or "-", "\n".join(one.needed)) for one in found.conjuncts)
    return Topic("Precondition", tuple(text), ("in words", "formula", "in C", "required by"), rows)


def _tested(report: PreconditionReport) -> Topic:
    found = report.found
    rows = tuple((line,) for line in found.contract)
    return Topic("Contract in C, and its test", (judgement(found) + ".",), ("at the beginning of the function",), rows)


def _requirement(report: PreconditionReport, one: Requirement) -> Topic:
    text = [f"{one.text} [{one.kind}]: {counted(one.structures, 'abstract input')} from which it may fail."]
    if one.untracked and one.structures:
        text.append(f"It depends on {one.untracked}, which this analysis does not track; it may fail for any input.")
    text += [f"Required: {need}" for need in one.needs]
    pictures = [(f"input {number} that fails", picture) for number, picture in enumerate(one.pictures, 1)]
    pictures += [(f"abstract input {number}", picture) for number, picture in enumerate(one.abstract, 1)]
    file, _, rest = one.place.partition(":")
    column = rest.partition(":")[2]
    known = file if file in report.sources else report.files[0]
    span = Span(known, one.line, int(column) if column.isdecimal() else 1)
    return Topic(f"Line {one.line}: {one.text}", tuple(text), pictures=tuple(pictures), span=span)
