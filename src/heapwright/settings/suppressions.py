"""Suppression comments: `// heapwright: ignore[leak] the cache lives until the process ends`.

A comment applies to its own line, or, alone on a line, to the next line that is not such a comment. It names kinds of
checks and gives a reason. Suppressed checks do not count for the verdict; they are reported as assumptions. An unused
comment is a warning.

>>> comments, warnings = find_comments({"a.c": "free(p); // heapwright: ignore[double-free] tested elsewhere"})
>>> comments[0].line, comments[0].reason
(1, 'tested elsewhere')
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heapwright.base.source import Span
from heapwright.program.checks import CheckKind
from heapwright.result.outcomes import Outcome, Verdict

_COMMENT = re.compile(r"(?://|/\*)\s*heapwright\s*:\s*(?P<rest>.*)")
_IGNORE = re.compile(r"ignore\s*\[(?P<kinds>[^\]]*)\]\s*(?P<reason>.*)")
_ALONE = re.compile(r"\s*(//|/\*)\s*heapwright\s*:((?!\*/).)*(\*/\s*)?")
_KINDS = {kind.value: kind for kind in CheckKind}


@dataclass(frozen=True, slots=True)
class Warning:
    """A warning about the source text."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Comment:
    """`line` is the line that the comment applies to, `span` its own position."""

    kinds: frozenset[CheckKind]
    reason: str
    line: int
    span: Span


@dataclass(frozen=True, slots=True)
class SuppressedCheck:
    outcome: Outcome
    reason: str


@dataclass(frozen=True, slots=True)
class SuppressionResult:
    """Outcomes that count, suppressed outcomes, and warnings about comments."""

    outcomes: tuple[Outcome, ...]
    suppressed: tuple[SuppressedCheck, ...]
    warnings: tuple[Warning, ...]


def find_comments(sources: Mapping[str, str]) -> tuple[tuple[Comment, ...], tuple[Warning, ...]]:
    """All suppression comments in the sources, and warnings about malformed ones."""
    comments: list[Comment] = []
    warnings: list[Warning] = []
    for file, text in sources.items():
        lines = text.splitlines()
        for index, line in enumerate(lines):
            match = _COMMENT.search(line)
            if match and not _in_string(line, match.start()):
                _read_comment(
                    match, Span(file, index + 1, match.start() + 1), _target(lines, index), comments, warnings
                )
    return tuple(comments), tuple(warnings)


def split(outcomes: Sequence[Outcome], sources: Mapping[str, str]) -> SuppressionResult:
    """Separates suppressed outcomes from those that count. A masked check always counts: it may fail once the check
    before it is mended."""
    comments, warnings = find_comments(sources)
    by_line: dict[tuple[str, int], list[Comment]] = {}
    for comment in comments:
        by_line.setdefault((comment.span.file, comment.line), []).append(comment)
    kept: list[Outcome] = []
    suppressed: list[SuppressedCheck] = []
    used: set[Comment] = set()
    for outcome in outcomes:
        span = outcome.check.span
        here = [
            c
            for c in by_line.get((span.file, span.line), ())
            if outcome.check.kind in c.kinds and not outcome.check.unsupported
        ]
        if here and outcome.verdict in (Verdict.VIOLATED, Verdict.UNKNOWN):
            suppressed.append(SuppressedCheck(outcome, here[0].reason))
        else:
            kept.append(outcome)
        if here and outcome.verdict is not Verdict.PROVED:
            used.add(here[0])
    unused = tuple(Warning("unused suppression comment", comment.span) for comment in comments if comment not in used)
    return SuppressionResult(tuple(kept), tuple(suppressed), tuple(sorted((*warnings, *unused), key=lambda w: w.span)))


def _read_comment(
    match: re.Match[str], span: Span, line: int, comments: list[Comment], warnings: list[Warning]
) -> None:
    rest = match["rest"].partition("*/")[0].strip()
    ignore = _IGNORE.fullmatch(rest)
    if not ignore:
        warnings.append(Warning("malformed comment: expected 'heapwright: ignore[kind] reason'", span))
        return
    names = [name.strip() for name in ignore["kinds"].split(",")]
    unknown = [name for name in names if name not in _KINDS]
    if unknown:
        kinds_text = ", ".join(_KINDS)
        warnings.append(Warning(f"unknown kind of check '{unknown[0]}' (kinds: {kinds_text})", span))
    if not ignore["reason"].strip():
        warnings.append(Warning("suppression without a reason after the bracket", span))
    kinds = frozenset(_KINDS[name] for name in names if name in _KINDS)
    if kinds:
        comments.append(Comment(kinds, ignore["reason"].strip(), line, span))


def _target(lines: Sequence[str], index: int) -> int:
    """The line (from 1) that the comment in line `index` (from 0) applies to."""
    while index < len(lines) and _ALONE.fullmatch(lines[index]):
        index += 1
    return index + 1


def _in_string(line: str, column: int) -> bool:
    return len(re.findall(r'(?<!\\)"', line[:column])) % 2 == 1
