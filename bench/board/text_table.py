"""Tables of the benchmarks as text: rows of cells, the first column to the left."""

from __future__ import annotations

from collections.abc import Sequence

Row = tuple[str, ...]


def text_of(rows: Sequence[Row]) -> str:
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = []
    for first, *others in rows:
        cells = [f"{text:>{width}}" for text, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([f"{first:<{widths[0]}}", *cells]))
    return "\n".join(lines)
