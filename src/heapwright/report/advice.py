"""Advice about open checks: one action to try next, and the remarks of the engines.

The advice names an option only where that can help: a bound of the search only if the search names it, a property only
if one is selected, another engine only if one engine ran.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter

from heapwright.program.checks import CheckKind
from heapwright.report.model import Report
from heapwright.result.outcomes import Verdict

OF_TIME = re.compile(r"time limit|out of time|time ran out|within the limits|time or state limit")
OF_MEMORY = re.compile(r"memory limit|out of memory")
OF_BOUNDS = re.compile(r"--(?:steps|objects)\b")  # the search names an option if raising it suffices
OF_STATES = re.compile(r"--states\b")
UNSUPPORTED = re.compile(r"not support")
OBLIGATIONS = frozenset(CheckKind) - {CheckKind.LEAK}  # of `heapwright infer`


def next_step(report: Report) -> str:
    """The next thing to try, or "" if nothing is open or there is nothing to try."""
    unknown = report.having(Verdict.UNKNOWN)
    if not unknown:
        return ""
    limit = report.result.limit
    alone = " + " not in report.result.engine
    bounds = list(dict.fromkeys(OF_BOUNDS.findall(limit)))
    if bounds:
        return "raise " + " or ".join(bounds)
    reached = [outcome.check for outcome in unknown if outcome.check.unsupported and outcome.run is not None]
    if reached:
        return f"rewrite what is in the way: {reached[0].subject} at {reached[0].span}"
    if any(outcome.run is not None and "C test" not in outcome.reason for outcome in unknown) and shutil.which("gcc"):
        return "use --confirm to compile and run the C test of each unconfirmed violation"
    if any("is not selected" in outcome.reason for outcome in unknown):
        return "omit --property, so that every check is selected"
    raised = ["--timeout"] * bool(OF_TIME.search(limit)) + ["--memory"] * bool(OF_MEMORY.search(limit))
    raised = raised or OF_STATES.findall(limit)[:1]
    if raised:
        return "raise " + " or ".join(raised)
    if alone:
        return "use --engine auto to run every engine"
    if report.function != "main" and any(outcome.check.kind in OBLIGATIONS for outcome in unknown):
        files = " ".join(report.files)
        return (
            f"'heapwright infer {files} -f {report.function} --as-contract' prints the contract under which it is safe"
        )
    return _construct(report)


def _construct(report: Report) -> str:
    """The construct that most engines stop at."""
    parts = [part for part in report.result.limit.split(" | ") if UNSUPPORTED.search(part)]
    return f"rewrite what is in the way: {parts[0].partition(': ')[2]}" if parts else ""


def engine_sentences(report: Report) -> tuple[tuple[str, str], ...]:
    """Each engine and one sentence on what it left open."""
    if report.result.remarks:
        return report.result.remarks
    unknown = report.having(Verdict.UNKNOWN)
    if not unknown:
        return ()
    (reason, _), *_ = Counter(outcome.reason or "no reason given" for outcome in unknown).most_common(1)
    return ((report.result.engine, report.result.limit or reason),)
