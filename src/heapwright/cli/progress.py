"""One line on a terminal that tells what goes on, for whatever takes more than a second; gone when it is over.

line = ProgressLine(sys.stderr)
line.show(2.5, "parsing list.c")
line.clear()
"""

from __future__ import annotations

from typing import TextIO

PATIENCE = 1.0  # seconds before anything is shown
INTERVAL = 0.2


class ProgressLine:
    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.next_time = PATIENCE
        self.shown = False

    def show(self, seconds: float, text: str) -> None:
        if seconds < self.next_time or not self.stream.isatty():
            return
        import shutil  # only commands that take their time need it

        self.next_time = seconds + INTERVAL
        width = shutil.get_terminal_size().columns - 1
        line = f"{seconds:5.1f} s  {text}"
        self.stream.write("\r\x1b[K" + line[:width])
        self.stream.flush()
        self.shown = True

    def clear(self) -> None:
        if self.shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self.shown = False
