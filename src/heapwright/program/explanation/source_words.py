"""The source text of a span, in one line.

source_of(program, edge.span)  # "malloc(n * sizeof *a)"
"""

from __future__ import annotations

from heapwright.base.source import Span
from heapwright.program.graph import Program

MOST = 60  # characters


def source_of(program: Program, span: Span) -> str:
    """The text of a span; without an end, up to the end of the statement. "this" if the source is not available."""
    lines = program.sources.get(span.file, "").splitlines()
    if not 0 < span.line <= len(lines):
        return "this"
    last = max(span.line, span.end_line)
    pieces = lines[span.line - 1 : last]
    if span.end_line >= span.line and span.end_column:
        pieces[-1] = pieces[-1][: span.end_column - 1]
    else:
        pieces[-1] = pieces[-1].partition(";")[0] if span.column <= pieces[-1].find(";") else pieces[-1]
    pieces[0] = pieces[0][span.column - 1 :]
    text = " ".join(" ".join(pieces).split())
    return f"{text[:MOST]}…" if len(text) > MOST + 1 else text or "this"
