"""The findings of a run: checks of all units, merged, with suppressions applied.

A check that several units have is one finding that lists them: violated if it is in one of them, proved only if it is
in all. What is proved everywhere is counted, not listed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from heapwright.base.errors import InputError
from heapwright.c.syntax.source_spans import decode
from heapwright.project.store.database import Answer, Store
from heapwright.project.store.digests import INSTALLED, FileDigests
from heapwright.result.outcomes import Verdict, verdict_of
from heapwright.settings.suppressions import Comment, find_comments

RANK = {"proved": 0, "masked": 1, "unknown": 2, "violated": 3}
UNIT_VERDICTS = ("safe", "unsafe", "unknown", "refused", "failed")


@dataclass(slots=True)
class Finding:
    """A check that is not proved everywhere. `state` is that of the baseline: new, or unchanged."""

    fingerprint: str
    rule: str
    path: str
    line: int
    column: int
    function: str
    verdict: str
    message: str
    reason: str = ""
    trace: list[dict[str, Any]] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    suppressed: str | None = None
    state: str = "new"

    @property
    def counts(self) -> bool:
        """Whether it is a violation that somebody has to look at."""
        return self.verdict == "violated" and self.suppressed is None and self.state == "new"


@dataclass(frozen=True, slots=True)
class UnitReport:
    """A unit as it is reported: its verdict with suppressions applied, and what was in the way of one."""

    name: str
    key: str
    entry: str
    verdict: str
    message: str
    seconds: float
    peak_mb: float
    counts: dict[str, int]
    notes: tuple[str, ...] = ()
    limited: bool = False

    @property
    def is_open(self) -> bool:
        """Whether something about it is not known."""
        undecided = self.counts.get("unknown", 0) + self.counts.get("masked", 0)
        return self.verdict in ("unknown", "refused") or self.limited or undecided > 0

    @property
    def path(self) -> str:
        return self.name.partition(":")[0].partition("#")[0]


@dataclass(slots=True)
class ProjectReport:
    """All that is reported about a run. `checks` are numbers of checks by verdict; `assumptions` say in how many units
    each is made; `stale` are entries of the baseline that are no more."""

    root: str
    units: list[UnitReport] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    checks: Counter[str] = field(default_factory=Counter)
    assumptions: Counter[str] = field(default_factory=Counter)
    revision: str = ""
    seconds: float = 0.0
    analysed: int = 0  # units that were analysed in this run; the others were served by the store
    stale: list[dict[str, str]] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)  # files that have changed since
    baseline: str | None = None

    def having(self, verdict: str) -> list[UnitReport]:
        return [unit for unit in self.units if unit.verdict == verdict]

    @property
    def violations(self) -> list[Finding]:
        return [one for one in self.findings if one.verdict == "violated" and one.suppressed is None]

    def exit_code(self, fail_on: str = "unknown") -> int:
        """4 if a unit failed, else 1 for a violation that no baseline has, else 3 for what is open, else 0. Units that
        are open count even if all their findings are in the baseline."""
        if self.having("failed"):
            return 4
        if any(one.counts for one in self.findings):
            return 1
        is_open = any(unit.is_open for unit in self.units)
        return 3 if fail_on == "unknown" and is_open else 0


class Comments:
    """Suppression comments of the files of a tree. Those of a file that is not what was analysed do not count."""

    def __init__(self, root: str, digests: FileDigests, *, suppress: bool = True) -> None:
        self._root, self._digests, self._suppress = root, digests, suppress
        self._found: dict[str, dict[int, list[Comment]]] = {}
        self.changed: dict[str, None] = {}

    def reason(self, check: dict[str, Any], digest: str | None) -> str | None:
        """The reason for which a check is suppressed; None if it is not."""
        path = check["path"]
        if path.startswith(INSTALLED):  # a model of the C library
            return None
        file = os.path.join(self._root, path)
        if digest is None or self._digests.of(file) != digest:
            self.changed[path] = None
            return None
        if not self._suppress or check.get("unsupported"):
            return None
        for comment in self._of(file).get(int(check["line"]), ()):
            if any(kind.value == check["kind"] for kind in comment.kinds):
                return comment.reason
        return None

    def _of(self, file: str) -> dict[int, list[Comment]]:
        if file not in self._found:
            data = self._digests.read(file) or b""
            by_line: dict[int, list[Comment]] = {}
            for comment in find_comments({file: decode(data)})[0] if b"heapwright" in data else ():
                by_line.setdefault(comment.line, []).append(comment)
            self._found[file] = by_line
        return self._found[file]


def project_report(
    store: Store, run: int, root: str, comments: Comments, untouched: Iterable[str] = ()
) -> ProjectReport:
    """The report of a run, from the store alone and the comments in the sources. `untouched` are names of units that
    have no answer."""
    report = ProjectReport(root, revision=store.run_revision(run))
    merged: dict[str, Finding] = {}
    for key, name, entry, inputs in store.units_of_run(run):
        answer = store.answer(key)
        if answer is None:
            raise InputError(f"the store has no answer for '{name}'", hint="run the project again")
        digests = {str(path): digest for path, digest in inputs}
        shown = [(check, _suppressed(check, comments, digests)) for check in _shown(answer)]
        _merge(merged, name, shown)
        suppressed = {check["fingerprint"] for check, reason in shown if reason is not None}
        report.units.append(_unit(key, name, entry, answer, suppressed))
        report.assumptions.update({str(one["text"]) for one in answer.body.get("assumptions", ())})
        for reason in {reason for _, reason in shown if reason is not None}:
            report.assumptions[f"suppressed: {reason}" if reason else "suppressed without a reason"] += 1
    for name in untouched:
        counts: dict[str, int] = {}
        report.units.append(UnitReport(name, "", "", "unknown", "not analysed", 0.0, 0.0, counts, (), True))
    report.units.sort(key=lambda unit: unit.name)
    report.findings = sorted(merged.values(), key=lambda one: (one.path, one.line, one.column, one.rule))
    report.checks = Counter(store.checks_of_run(run))
    report.changed = list(comments.changed)
    return report


def _shown(answer: Answer) -> Iterator[dict[str, Any]]:
    return (check for check in answer.body["checks"] if check["verdict"] != "proved")


def _suppressed(check: dict[str, Any], comments: Comments, digests: dict[str, str | None]) -> str | None:
    """Only a violated or unknown check can be suppressed: a masked one may fail once that before it is mended."""
    reason = comments.reason(check, digests.get(check["path"]))
    return reason if check["verdict"] in ("violated", "unknown") else None


def _merge(merged: dict[str, Finding], unit: str, checks: Iterable[tuple[dict[str, Any], str | None]]) -> None:
    for check, reason in checks:
        mark = check["fingerprint"]
        known = merged.get(mark)
        if known is None or RANK[check["verdict"]] > RANK[known.verdict]:
            units = known.units if known is not None else []
            merged[mark] = known = Finding(
                mark,
                *(check["kind"], check["path"], int(check["line"]), int(check["column"]), check["function"]),
                *(check["verdict"], check.get("message", ""), check.get("reason", ""), check.get("trace", [])),
                units=units,
                suppressed=reason,
            )
        known.units.append(unit)


def _unit(key: str, name: str, entry: str, answer: Answer, suppressed: set[str]) -> UnitReport:
    body = answer.body
    counts = Counter(
        "suppressed" if check["fingerprint"] in suppressed else check["verdict"] for check in body["checks"]
    )
    verdict = answer.verdict
    if verdict in ("safe", "unsafe", "unknown"):
        left = [Verdict(word) for word in counts if word != "suppressed"]
        verdict = verdict_of(left, bool(body.get("sound", False)) and bool(body.get("analysed", False))).value
    message = body.get("error") or body.get("fault") or body.get("limit") or ""
    limited = not answer.complete
    return UnitReport(
        name,
        key,
        entry,
        "failed" if body.get("fault") else verdict,
        message,
        answer.seconds,
        answer.peak_mb,
        dict(counts),
        tuple(body.get("notes", ())),
        limited,
    )
