"""A progress line on a terminal, for activities that take more than a second; cleared at the end.

line = ProgressLine(sys.stderr)
line.show(2.5, "parsing list.c")
line.clear()
"""

from __future__ import annotations

from typing import TextIO

from heapwright.base.source import printable

PATIENCE = 1.0  # seconds before the line appears
INTERVAL = 0.2


class ProgressLine:
    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.next_time = PATIENCE
        self.shown = False

    def show(self, seconds: float, text: str) -> None:
        if seconds < self.next_time or not self.stream.isatty():
            return
        import shutil  # deferred: fast commands do not need it

        self.next_time = seconds + INTERVAL
        width = shutil.get_terminal_size().columns - 1
        line = printable(f"{seconds:5.1f} s  {text}")
        self.stream.write("\r\x1b[K" + line[:width])
        self.stream.flush()
        self.shown = True

    def clear(self) -> None:
        if self.shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.shown = False
