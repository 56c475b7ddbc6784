"""A page for each unit, with films of its violations, and an index of units and findings, in one directory.

    for name, text in project_pages(report, store.answer, read): ...

What a page shows comes from the store; `read` gives the text of a source file, if it is still what was analysed.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from heapwright.c.syntax.tokens import coloured_tokens
from heapwright.project.findings.merge import Finding, ProjectReport, UnitReport
from heapwright.project.store.database import Answer
from heapwright.report.html.page import linked_page, shared_files
from heapwright.report.html.parts import blank_page, files_of, topic_object
from heapwright.report.messages import ADVICE, counted
from heapwright.result.explanation import Topic

VERDICTS = ("safe", "unsafe", "unknown")
INDEX = "index.html"
MOST_NAME = 60  # characters of a name in that of a file

Json = dict[str, Any]


def project_pages(
    report: ProjectReport, answer_of: Callable[[str], Answer | None], read: Callable[[str], str | None]
) -> Iterator[tuple[str, str]]:
    """Names and texts of the files."""
    yield from shared_files()
    known = {one.fingerprint: one for one in report.findings}
    addresses: dict[tuple[str, str], str] = {}
    for unit in report.units:
        answer = answer_of(unit.key) if unit.key else None
        page, films = _unit_page(report, unit, answer, known, read)
        for number, check in enumerate(answer.body["checks"] if answer else (), 1):
            addresses[unit.name, check["fingerprint"]] = f"{file_of(unit)}#{number}"
        yield file_of(unit), linked_page(page, films, coloured_tokens)
    yield INDEX, linked_page(_index_page(report, addresses))


def file_of(unit: UnitReport) -> str:
    """The name of the page of a unit: the same in each run.

    >>> file_of(UnitReport("a/b.c:f", "", "f", "safe", "", 0, 0, {}))
    'a-b.c-f-6a4502fb.html'
    """
    words = re.sub("[^A-Za-z0-9_.]+", "-", unit.name).strip("-.")[-MOST_NAME:]
    return f"{words}-{hashlib.sha256(unit.name.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}.html"


def _unit_page(
    report: ProjectReport,
    unit: UnitReport,
    answer: Answer | None,
    known: dict[str, Finding],
    read: Callable[[str], str | None],
) -> tuple[Json, list[str]]:
    """The data of a page, and its films."""
    body: Json = answer.body if answer else {}
    checks: list[Json] = []
    films: list[str] = []
    for check in body.get("checks", ()):
        number = -1
        if "film" in check:
            number = len(films)
            films.append(check["film"])
        checks.append(_check(check, known.get(check["fingerprint"]), number))
    paths = dict.fromkeys([unit.path, *(check["path"] for check in body.get("checks", ()))])
    texts = {path: text for path in paths if (text := read(path)) is not None}
    assumptions = [{"text": one["text"], "place": _place(one)} for one in body.get("assumptions", ())]
    judged = unit.verdict in VERDICTS
    page = blank_page(
        unit.name,
        function=unit.entry,
        verdict=unit.verdict if judged else "",
        summary=_summary(unit),
        engine=body.get("engine", ""),
        seconds=unit.seconds,
        complete=not unit.limited,
        limit=unit.message,
        files=files_of(list(texts), texts),
        checks=checks,
        assumptions=assumptions,
        warnings=[{"text": note, "place": ""} for note in unit.notes],
        index=INDEX,
    )
    return page, films


def _summary(unit: UnitReport) -> str:
    counts = ", ".join(f"{unit.counts[word]} {word}" for word in sorted(unit.counts, reverse=True))
    return counts if unit.verdict in VERDICTS else f"{unit.verdict}: {unit.message}"


def _place(entry: Json) -> str:
    return f"{entry['path']}:{entry['line']}:{entry['column']}" if "path" in entry else ""


def _check(check: Json, finding: Finding | None, film: int) -> Json:
    claim, suppressed = check.get("claim", check["kind"]), finding.suppressed if finding else None
    if finding and finding.state == "unchanged" and suppressed is None:
        suppressed = "in the baseline"
    open_ = check["verdict"] in ("violated", "unknown")
    return {
        "id": f"{_place(check)}:{check['kind']}",
        "kind": check["kind"],
        "verdict": check["verdict"],
        "engine": check.get("engine", ""),
        "span": [check["path"], check["line"], check["column"], 0, 0],
        "function": check["function"],
        "claim": claim,
        "message": check.get("message", claim),
        "reason": check.get("reason", ""),
        "advice": next((text for kind, text in ADVICE.items() if kind.value == check["kind"]), "") if open_ else "",
        "suppressed": suppressed,
        "exact": True,
        "film": film,
    }


def _index_page(report: ProjectReport, addresses: dict[tuple[str, str], str]) -> Json:
    counts = Counter(unit.verdict for unit in report.units)
    order = ("failed", "unsafe", "unknown", "refused", "safe")
    units = sorted(report.units, key=lambda unit: (order.index(unit.verdict), unit.name))
    unit_rows = Topic(
        "Units",
        columns=("verdict", "unit", "checks", "seconds"),
        rows=tuple((unit.verdict, unit.name, _summary(unit), f"{unit.seconds:.1f}") for unit in units),
    )
    found = sorted(report.findings, key=lambda one: (one.verdict != "violated", one.suppressed is not None))
    finding_rows = Topic(
        "Findings",
        columns=("verdict", "place", "kind", "message", "units"),
        rows=tuple((*_told(one), one.rule, one.message, ", ".join(one.units)) for one in found),
    )
    topics = [
        topic_object(finding_rows) | {"links": [addresses.get((one.units[0], one.fingerprint), "") for one in found]},
        topic_object(unit_rows) | {"links": [file_of(unit) for unit in units]},
        topic_object(_folders(report)),
    ]
    return blank_page(
        report.root.rstrip("/").rpartition("/")[2] or report.root,
        summary=f"{counted(len(report.units), 'unit')}: "
        + ", ".join(f"{counts[word]} {word}" for word in order if counts[word]),
        seconds=report.seconds,
        topics=topics,
        assumptions=[
            {"text": f"{text} ({counted(count, 'unit')})", "place": ""}
            for text, count in report.assumptions.most_common()
        ],
    )


def _told(finding: Finding) -> tuple[str, str]:
    verdict = finding.verdict if finding.suppressed is None else "suppressed"
    return verdict if finding.state == "new" else "known", f"{finding.path}:{finding.line}:{finding.column}"


def _folders(report: ProjectReport) -> Topic:
    by_folder: dict[str, Counter[str]] = {}
    for unit in report.units:
        by_folder.setdefault(unit.path.rpartition("/")[0] or ".", Counter())[unit.verdict] += 1
    columns = ("safe", "unsafe", "unknown", "refused", "failed")
    rows = tuple(
        ("", folder, *(str(counts[word] or "") for word in columns)) for folder, counts in sorted(by_folder.items())
    )
    return Topic("Directories", columns=("", "directory", *columns), rows=rows)
