"""The baseline: violations that are known and accepted for now, as sorted JSON with one finding a line.

{"version": 1, "fingerprints": 1, "findings": [
{"fingerprint": "0f...", "message": "...", "path": "src/list.c", "rule": "leak"}
]}

It comes from the command line alone. It hides nothing but these violations: units that were refused, crashed or reached
a limit count as before.
"""

from __future__ import annotations

import json
from pathlib import Path

from heapwright.base.errors import InputError
from heapwright.base.source import printable
from heapwright.project.findings.fingerprint import FINGERPRINT_VERSION
from heapwright.project.findings.merge import ProjectReport

VERSION = 1
_FIELDS = ("fingerprint", "message", "path", "rule")
Entries = list[dict[str, str]]


def read_baseline(path: str) -> Entries:
    name = printable(path)
    try:
        content = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"cannot read the baseline '{name}': {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"the baseline '{name}' is not JSON: {error}") from None
    if not isinstance(content, dict) or not isinstance(content.get("findings"), list):
        raise InputError(f"'{name}' is not a baseline")
    if content.get("version") != VERSION or content.get("fingerprints") != FINGERPRINT_VERSION:
        raise InputError(f"the baseline '{name}' is of another version", hint="write it again with --update-baseline")
    for entry in content["findings"]:
        if not isinstance(entry, dict) or not all(isinstance(entry.get(field), str) for field in _FIELDS):
            raise InputError(f"'{name}' has an entry that is not one of a baseline")
    return [{field: entry[field] for field in _FIELDS} for entry in content["findings"]]


def apply_baseline(report: ProjectReport, path: str, entries: Entries) -> None:
    """Marks the findings that the baseline has, and lists its entries that are no more: those of files that this run
    has analysed."""
    report.baseline = path
    known = {entry["fingerprint"] for entry in entries}
    for finding in report.findings:
        if finding.verdict == "violated" and finding.fingerprint in known:
            finding.state = "unchanged"
    present = {finding.fingerprint for finding in report.findings if finding.verdict == "violated"}
    seen = _files(report)
    report.stale = [one for one in entries if one["fingerprint"] not in present and one["path"] in seen]


def baseline_text(report: ProjectReport, entries: Entries) -> str:
    """The new baseline: all violations of this run, and entries of files that it has not seen."""
    seen = _files(report)
    kept = [entry for entry in entries if entry["path"] not in seen]
    found = [
        {"fingerprint": one.fingerprint, "message": one.message, "path": one.path, "rule": one.rule}
        for one in report.violations
    ]
    unique = {one["fingerprint"]: one for one in (*kept, *found)}
    ordered = sorted(unique.values(), key=lambda one: (one["path"], one["rule"], one["fingerprint"]))
    lines = ",\n".join(json.dumps(one, sort_keys=True, ensure_ascii=False) for one in ordered)
    head = f'{{"version": {VERSION}, "fingerprints": {FINGERPRINT_VERSION}, "findings": ['
    return f"{head}\n{lines}\n]}}\n" if lines else f"{head}]}}\n"


def _files(report: ProjectReport) -> set[str]:
    """The files that the units of a run have checks in, or are named after."""
    return {unit.path for unit in report.units} | {one.path for one in report.findings}
