"""argparse with one-sentence errors.

>>> Parser(prog="heapwright check").parse_all(["--fro"])
Traceback (most recent call last):
SystemExit: 2
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence

TYPE_CHECKING = False  # as in `typing`, whose import would double the time to the first help text
if TYPE_CHECKING:
    from typing import NoReturn


class Formatter(argparse.HelpFormatter):
    """Every option that is added makes one, and one that has to find out the width of the terminal loads modules that
    take longer than all the rest."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns() - 2)


def columns() -> int:
    """How wide the terminal is; 80 if there is none."""
    given = os.environ.get("COLUMNS", "")
    if given.isdigit() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ is not None else 80
    except (OSError, ValueError):
        return 80


class Parser(argparse.ArgumentParser):
    """Options may stand before, between and behind files; abbreviations are not options."""

    def __init__(self, *, prog: str, description: str = "", epilog: str = "") -> None:
        super().__init__(
            prog=prog, description=description, epilog=epilog, allow_abbrev=False, formatter_class=Formatter
        )
        self.former: dict[str, str] = {}

    def renamed(self, former: str, name: str) -> None:
        """Accepts an option by its former name, too, with a note."""
        self.former[former] = name

    def parse_all(self, arguments: Sequence[str]) -> argparse.Namespace:
        """All arguments, or a complaint about the first that is not understood."""
        parsed, unknown = self.parse_known_intermixed_args([*self._by_present_names(arguments)])
        if unknown:
            self.error_about("option", unknown[0].partition("=")[0], self._option_string_actions)
        return parsed

    def _by_present_names(self, arguments: Iterable[str]) -> Iterable[str]:
        for argument in arguments:
            given, equals, value = argument.partition("=")
            name = self.former.get(given, given)
            if name != given:
                print(f"heapwright: note: '{given}' is now called '{name}'", file=sys.stderr)
            yield name + equals + value

    def error_about(self, what: str, word: str, known: Iterable[str]) -> NoReturn:
        """Refuses a word, and names the one that was meant if there is one."""
        from difflib import get_close_matches

        close = get_close_matches(word, list(known), 1)
        self.error(f"no {what} '{word}'" + (f", did you mean '{close[0]}'?" if close else ""))

    def error(self, message: str) -> NoReturn:
        text = message.rstrip("?")
        mark = "?" if message.endswith("?") else ""
        print(f"heapwright: error: {text}{mark} ('{self.prog} --help' lists what there is)", file=sys.stderr)
        raise SystemExit(2)
