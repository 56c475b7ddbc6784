"""The progress of a run: a bar with counts, rate and estimated end, and what each worker does; or a line now and then
where there is no terminal.

The only module that imports rich, when a run begins.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from heapwright.base.source import printable
from heapwright.project.session import Row, Watcher

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

INTERVAL = 30.0  # seconds between two lines
WORDS = ("safe", "unsafe", "unknown", "refused", "failed")
COLOURS = {"safe": "green", "unsafe": "red", "unknown": "yellow", "refused": "magenta", "failed": "bold red"}


def watcher_for(stream: TextIO | None = None, *, quiet: bool = False) -> Watcher:
    """A watcher that writes to a stream, or to standard error."""
    stream = stream or sys.stderr
    if quiet:
        return Watcher()
    return BarWatcher(stream) if stream.isatty() else LineWatcher(stream)


class _Counts(Watcher):
    """What both count: the verdicts of rows so far, and how fast they come."""

    def __init__(self) -> None:
        self.rows: Sequence[Row] = ()
        self.began = time.monotonic()
        self.fresh = 0
        self.turn = ""

    def begin(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.began = time.monotonic()

    def answered(self, row: Row) -> None:
        self.fresh += row.fresh

    def round(self, number: int, count: int, seconds: float) -> None:
        self.turn = f"round {number}, {seconds:g} s each"

    @property
    def done(self) -> int:
        return sum(row.answered for row in self.rows)

    def verdicts(self) -> Counter[str]:
        return Counter(row.verdict for row in self.rows if row.answered)

    def rate(self) -> float:
        """Analysed units a second."""
        return self.fresh / max(time.monotonic() - self.began, 0.001)

    def left(self) -> str:
        """The estimated time to the end."""
        rate, missing = self.rate(), len(self.rows) - self.done
        if not missing or not self.fresh:
            return ""
        minutes, seconds = divmod(round(missing / rate), 60)
        return f"about {minutes} min {seconds} s left" if minutes else f"about {seconds} s left"

    def line(self) -> str:
        counts = self.verdicts()
        words = ", ".join(f"{counts[word]} {word}" for word in WORDS if counts[word]) or "none yet"
        parts = [f"{self.done} of {len(self.rows)} units: {words}", f"{self.rate():.1f}/s", self.left(), self.turn]
        return "; ".join(part for part in parts if part)


class LineWatcher(_Counts):
    """Without a terminal: a line at the start, and one every half a minute."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.stream = stream
        self._next = 0.0

    def begin(self, rows: Sequence[Row]) -> None:
        super().begin(rows)
        self._next = time.monotonic() + INTERVAL
        print(f"{len(rows)} units", file=self.stream, flush=True)

    def activities(self, running: list[tuple[str, str]]) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + INTERVAL
            print(printable(self.line()), file=self.stream, flush=True)


class BarWatcher(_Counts):
    """On a terminal: a bar that is drawn again and again below what is printed."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.stream = stream
        self._live: Live | None = None
        self._running: list[tuple[str, str]] = []
        self._scanned = (0, 0)

    def scanning(self, count: int, total: int) -> None:
        self._scanned = (count, total)
        self._show()

    def begin(self, rows: Sequence[Row]) -> None:
        super().begin(rows)
        self._show()

    def activities(self, running: list[tuple[str, str]]) -> None:
        self._running = running
        self._show()

    def end(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _show(self) -> None:
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(file=self.stream), auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(self._picture(), refresh=True)

    def _picture(self) -> RenderableType:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        lines = Table.grid()
        count, total = self._scanned if not self.rows else (self.done, len(self.rows))
        lines.add_row(ProgressBar(total=max(total, 1), completed=count, width=60))
        if not self.rows:
            lines.add_row(Text(f"reading {count} of {total} files"))
            return lines
        counts = Text(f"{count} of {total} units  ", no_wrap=True, overflow="ellipsis")
        found = self.verdicts()
        for word in WORDS:
            counts.append(f"{found[word]} {word}  ", style=COLOURS[word] if found[word] else "dim")
        lines.add_row(counts)
        lines.add_row(Text("; ".join(part for part in (f"{self.rate():.1f}/s", self.left(), self.turn) if part)))
        for name, activity in self._running[:16]:
            lines.add_row(Text(printable(f"  {name}: {activity}"), style="dim", no_wrap=True, overflow="ellipsis"))
        return lines
