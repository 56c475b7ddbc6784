"""The abstract heaps per source line as terminal text.

list.c:9: y->next = x;  (2 heaps)
  1  x ──> null
     y ──> #1 {next: junk}
  2  x ──> #1
     y ──> #2 {next: junk}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from heapwright.base.source import printable
from heapwright.report.messages import counted
from heapwright.report.terminal.colours import PLAIN, Style
from heapwright.report.terminal.heap_text import TO_ASCII, heap_lines
from heapwright.report.views import View

MOST = 10  # pictures per view
EMPTY = "empty heap"


def view_lines(
    view: View,
    style: Style = PLAIN,
    *,
    width: int = 0,
    ascii: bool = False,
    most: int | None = MOST,
    column: bool = False,
) -> Iterator[str]:
    """One view: its line, its alarms, and its heaps, numbered. `column`: print the column, since the line has several
    views."""
    position = f"{printable(view.file)}:{view.line}" + (f":{view.column}" if column else "")
    heaps = counted(len(view.pictures), "heap") if view.pictures else view.without_heaps
    yield f"{style.strong(f'{position}:')} {view.text}  {style.faint(f'({heaps})')}"
    for alarm in view.alarms:
        yield f"  {style.warning('unknown:')} {alarm}"
    shown = view.pictures if most is None else view.pictures[:most]
    digits = len(str(len(shown)))
    for number, picture in enumerate(shown, 1):
        lines = heap_lines(picture, width=max(width - digits - 4, 20) if width else 0, ascii=ascii) or [EMPTY]
        for index, line in enumerate(lines):
            mark = style.faint(f"{number:>{digits}}") if index == 0 else " " * digits
            yield f"  {mark}  {line}"
    left = len(view.pictures) - len(shown)
    if left:
        rest = f"  {'…':>{digits}}  {left} more (use --all to see them)"
        yield rest.translate(TO_ASCII) if ascii else rest


def views_text(
    views: Sequence[View], style: Style = PLAIN, *, width: int = 0, ascii: bool = False, most: int | None = MOST
) -> str:
    counts = Counter((view.file, view.line) for view in views)
    blocks: list[str] = []
    for view in views:
        several = counts[view.file, view.line] > 1
        blocks.append("\n".join(view_lines(view, style, width=width, ascii=ascii, most=most, column=several)))
    return style.clean("\n\n".join(blocks) + "\n") if views else ""
