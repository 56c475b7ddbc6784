"""Source excerpts: lines with numbers, the span underlined.

>>> print(excerpt({"a.c": "int main(void) {\\n  return *p;\\n}"}, Span("a.c", 2, 10, 2, 12)))
  1 | int main(void) {
  2 |   return *p;
    |          ^~
"""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.base.source import Span
from heapwright.report.terminal.colours import PLAIN, Style

TAB = 4
CONTEXT = 1
WIDEST = 160  # maximum length of a line; longer ones are cut


def line_of(sources: Mapping[str, str], span: Span) -> str | None:
    """The text of the first line of a span; None if the source is not available."""
    lines = sources.get(span.file, "").splitlines()
    return lines[span.line - 1] if 0 < span.line <= len(lines) else None


def excerpt(sources: Mapping[str, str], span: Span, style: Style = PLAIN, *, context: int = CONTEXT) -> str:
    """The line of a span with `context` lines before it and a caret below; empty if the source is not available."""
    lines = sources.get(span.file, "").splitlines()
    if not 0 < span.line <= len(lines):
        return ""
    width = max(3, len(str(span.line)) + 1)
    first = max(1, span.line - context)
    shown: list[str] = []
    for number in range(first, span.line + 1):
        text = _printable(lines[number - 1])
        if number < span.line and not shown and not text.strip():
            continue  # an excerpt does not begin with an empty line
        shown.append(f"{style.margin(f'{number:>{width}} |')} {_cut(text)}".rstrip())
    marks = underline(lines[span.line - 1], span)
    if marks and len(marks) <= WIDEST:
        blank = " " * (len(marks) - len(marks.lstrip()))
        shown.append(f"{style.margin(' ' * width + ' |')} {blank}{style.error(marks.lstrip())}")
    return "\n".join(shown)


def underline(line: str, span: Span) -> str:
    """The line of carets below a span, with tabs expanded as in the source line."""
    start = span.column - 1
    if not 0 <= start <= len(line):
        return ""
    end = span.end_column - 1 if span.end_line == span.line else start + 1
    if span.end_line > span.line:
        end = len(line.rstrip())
    end = min(max(end, start + 1), max(len(line), start + 1))
    before = len(_printable(line[:start]))
    length = len(_printable(line[:end])) - before if end <= len(line) else 1
    return " " * before + "^" + "~" * (length - 1)


def _printable(text: str) -> str:
    """Expands tabs and replaces control characters by dots: source text must not control the terminal."""
    return "".join(char if char.isprintable() else "." for char in text.expandtabs(TAB))


def _cut(text: str) -> str:
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"
