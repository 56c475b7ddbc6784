"""The report of a project for people: a summary by directory and kind, and Markdown for a pull request."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence

from heapwright.base.source import printable
from heapwright.project.findings.merge import UNIT_VERDICTS, Finding, ProjectReport, UnitReport
from heapwright.report.messages import counted
from heapwright.report.terminal.colours import Style

MOST_LISTED = 50  # findings and units without an answer; the whole is in the other reports
MOST_DIRECTORIES = 30


def summary_text(report: ProjectReport, style: Style, *, quiet: bool = False) -> str:
    """`quiet` leaves out the tables; violations and assumptions are always there."""
    lines: list[str] = []
    lines += [] if quiet else _table(report)
    lines += _violations(report)
    lines += _unanswered(report)
    lines += [] if quiet else _notes(report)
    lines += [f"assumption: {text} ({counted(count, 'unit')})" for text, count in sorted(report.assumptions.items())]
    if report.changed:
        lines.append(f"changed since: {', '.join(report.changed[:10])}{' ...' * (len(report.changed) > 10)}")
    lines += _baseline(report)
    lines.append(_last_line(report))
    return style.clean("\n".join(printable_lines(lines)) + "\n")


def printable_lines(lines: Iterable[str]) -> list[str]:
    return [printable(line) for line in lines]


def _table(report: ProjectReport) -> list[str]:
    rows: dict[str, Counter[str]] = {}
    for unit in report.units:
        rows.setdefault(os.path.dirname(unit.path) or ".", Counter())[unit.verdict] += 1
    if len(rows) > MOST_DIRECTORIES:
        shorter: dict[str, Counter[str]] = {}
        for folder, counts in rows.items():
            shorter.setdefault(folder.split("/")[0], Counter()).update(counts)
        rows = shorter
    width = max([len(folder) for folder in rows] + [len("directory")])
    head = f"{'directory':<{width}}" + "".join(f"{word:>9}" for word in UNIT_VERDICTS)
    lines = [head]
    for folder in sorted(rows):
        cells = "".join(f"{rows[folder][word] or '':>9}" for word in UNIT_VERDICTS)
        lines.append(f"{folder:<{width}}{cells}")
    kinds = Counter(one.rule for one in report.violations)
    if kinds:
        lines += ["", "violated: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())]
    return [*lines, ""]


def _violations(report: ProjectReport) -> list[str]:
    new = [one for one in report.findings if one.counts]
    lines = [
        f"{one.path}:{one.line}:{one.column}: error: {one.message} [{one.rule}]"
        + (f" (in {counted(len(one.units), 'unit')})" if len(one.units) > 1 else "")
        for one in new[:MOST_LISTED]
    ]
    return [*lines, f"and {counted(len(new) - MOST_LISTED, 'more violation')}"] if len(new) > MOST_LISTED else lines


def _unanswered(report: ProjectReport) -> list[str]:
    """Units that failed or were refused, the same reasons together."""
    lines = [f"{unit.name}: failed: {unit.message}" for unit in report.having("failed")]
    groups: dict[str, list[UnitReport]] = {}
    for unit in report.having("refused"):
        groups.setdefault(unit.message, []).append(unit)
    refused = [
        f"{units[0].name}: refused: {message}" + (f" (and {len(units) - 1} more)" if len(units) > 1 else "")
        for message, units in groups.items()
    ]
    more = [f"and {counted(len(refused) - MOST_LISTED, 'more reason')} of refusals"] * (len(refused) > MOST_LISTED)
    return [*lines, *refused[:MOST_LISTED], *more]


def _notes(report: ProjectReport) -> list[str]:
    notes = Counter(note for unit in report.units for note in unit.notes)
    lines = [f"note: {note} ({counted(count, 'unit')})" for note, count in notes.most_common(MOST_LISTED)]
    return lines + [f"and {counted(len(notes) - MOST_LISTED, 'more note')}"] * (len(notes) > MOST_LISTED)


def _baseline(report: ProjectReport) -> list[str]:
    if report.baseline is None:
        return []
    known = sum(1 for one in report.violations if one.state == "unchanged")
    lines = [f"baseline: {counted(known, 'known violation')}, {len(report.stale)} stale"]
    return lines + [f"stale: {one['path']}: {one['message']} [{one['rule']}]" for one in report.stale[:MOST_LISTED]]


def _last_line(report: ProjectReport) -> str:
    words = [f"{count} {word}" for word in UNIT_VERDICTS if (count := len(report.having(word)))]
    checks = sum(report.checks.values())
    new = sum(1 for one in report.findings if one.counts)
    proved = f"{report.checks['proved']} of {counted(checks, 'check')} proved, {new} new violated"
    return f"{counted(len(report.units), 'unit')}: {', '.join(words)}; {proved}"


def markdown_text(report: ProjectReport) -> str:
    """A comment for a pull request."""
    new = [one for one in report.findings if one.counts]
    title = f"### heapwright: {counted(len(new), 'new violation')}" if new else "### heapwright: no new violation"
    lines = [title, "", _escaped(_last_line(report)), ""]
    if new:
        lines += ["| place | kind | violation |", "|---|---|---|", *map(_row, new[:MOST_LISTED])]
        lines += [f"| | | and {len(new) - MOST_LISTED} more |"] * (len(new) > MOST_LISTED) + [""]
    without = [*report.having("failed"), *report.having("refused")]
    if without:
        lines += [f"<details><summary>{counted(len(without), 'unit')} without an answer</summary>", ""]
        lines += [f"- `{_code(unit.name)}`: {_escaped(unit.message)}" for unit in without[:MOST_LISTED]]
        lines += ["", "</details>", ""]
    if report.assumptions:
        lines += [f"<details><summary>{counted(len(report.assumptions), 'assumption')}</summary>", ""]
        lines += [
            f"- {_escaped(text)} ({counted(count, 'unit')})" for text, count in sorted(report.assumptions.items())
        ]
        lines += ["", "</details>", ""]
    lines += [_escaped(line) for line in _baseline(report)]
    return "\n".join(lines).rstrip() + "\n"


def _row(one: Finding) -> str:
    return f"| `{_code(one.path)}:{one.line}` | {one.rule} | {_escaped(one.message)} |"


def _code(text: str) -> str:
    return printable(text).replace("`", "'").replace("|", "\\|")


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    for sign in "\\`*_[]<>|#@":
        text = text.replace(sign, "\\" + sign) if sign != "<" else text.replace("<", "&lt;")
    return printable(text)


def history_text(history: Sequence[dict[str, object]]) -> str:
    """One line for each run: its time, its revision, units and checks by verdict."""
    import time

    lines = [f"{'run':>5}  {'started':<16}  {'revision':<10}  units, checks"]
    for one in history:
        started = time.strftime("%Y-%m-%d %H:%M", time.localtime(float(str(one["started"]))))
        words = []
        for part in (one["units"], one["checks"]):
            assert isinstance(part, dict)
            words.append(", ".join(f"{count} {word}" for word, count in sorted(part.items())) or "none")
        lines.append(f"{one['run']:>5}  {started:<16}  {str(one['revision'])[:10]:<10}  {'; '.join(words)}")
    return "\n".join(lines) + "\n"
