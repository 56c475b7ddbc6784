"""The line on a terminal that tells what goes on."""

from __future__ import annotations

import io

from heapwright.cli.progress import ProgressLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_within_the_first_second() -> None:
    stream = Terminal()
    line = ProgressLine(stream)
    line.show(0.9, "parsing")
    line.clear()
    assert stream.getvalue() == ""


def test_the_line_is_rewritten_and_removed() -> None:
    stream = Terminal()
    line = ProgressLine(stream)
    line.show(1.5, "parsing")
    line.show(1.55, "too soon")
    line.show(2.0, "x" * 1000)
    line.clear()
    written = stream.getvalue()
    assert written.startswith("\r\x1b[K  1.5 s  parsing\r\x1b[K  2.0 s  xxx")
    assert "too soon" not in written
    assert "\n" not in written
    assert written.endswith("x\r\x1b[K")
    assert len(written) < 300


def test_nothing_on_what_is_no_terminal() -> None:
    stream = io.StringIO()
    line = ProgressLine(stream)
    line.show(5, "parsing")
    line.clear()
    assert stream.getvalue() == ""
