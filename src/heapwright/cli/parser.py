"""argparse with one-line errors.

>>> Parser(prog="heapwright check").parse_all(["--fro"])
Traceback (most recent call last):
SystemExit: 2
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence

TYPE_CHECKING = False  # as in `typing`, whose import would double the time to the first help text
if TYPE_CHECKING:
    from typing import NoReturn


SIMILAR = 0.75  # of two words, one of which is suggested for the other


class Formatter(argparse.HelpFormatter):
    """A formatter with a given width. argparse creates one per option, and the default one imports `shutil` for the
    width of the terminal, which would dominate the start-up time."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns() - 2)


def columns() -> int:
    """The width of the terminal; 80 if there is none."""
    given = os.environ.get("COLUMNS", "")
    if given.isdigit() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ is not None else 80
    except (OSError, ValueError):
        return 80


class Parser(argparse.ArgumentParser):
    """Options may come before, between and after files; abbreviations are not accepted."""

    def __init__(self, *, prog: str, description: str = "", epilog: str = "") -> None:
        super().__init__(
            prog=prog, description=description, epilog=epilog, allow_abbrev=False, formatter_class=Formatter
        )
        self.former: dict[str, str] = {}
        self.passes_on = False  # whether what follows `FILE.c --` is for the program
        self.elsewhere: Callable[[str], Sequence[str]] = lambda word: ()  # commands that have an option

    def renamed(self, former: str, name: str) -> None:
        """Accepts a former name of an option, with a note."""
        self.former[former] = name

    def parse_all(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parses all arguments; the first unknown one is an error."""
        own, passed = self._divided(list(arguments))
        end = own.index("--") if "--" in own else len(own)  # behind it are files alone
        files = [f"./{one}" if one.startswith("-") else one for one in own[end + 1 :]]
        parsed, unknown = self.parse_known_intermixed_args([*self._by_present_names(own[:end]), *files])
        parsed.arguments = passed
        if unknown:
            word = unknown[0].partition("=")[0]
            owners = self.elsewhere(word)
            if owners:
                self.error(f"unknown option '{word}', which is one of {', '.join(owners)}")
            self.error_about("option", word, self._option_string_actions)
        return parsed

    def _divided(self, arguments: list[str]) -> tuple[list[str], list[str]]:
        """The arguments of the command, and those of the program."""
        end = arguments.index("--") if self.passes_on and "--" in arguments else len(arguments)
        if not any(word.endswith((".c", ".i")) for word in arguments[:end]):
            return arguments, []  # `--` before the files ends the options
        return arguments[:end], arguments[end + 1 :]

    def _by_present_names(self, arguments: Iterable[str]) -> Iterable[str]:
        for argument in arguments:
            given, equals, value = argument.partition("=")
            name = self.former.get(given, given)
            if name != given:
                print(f"heapwright: note: '{given}' is now called '{name}'", file=sys.stderr)
            yield name + equals + value

    def error_about(self, what: str, word: str, known: Iterable[str]) -> NoReturn:
        """Reports an unknown word, with a suggestion if there is a similar one."""
        from difflib import get_close_matches

        close = get_close_matches(word, list(known), 1, SIMILAR)
        self.error(f"unknown {what} '{word}'" + (f", did you mean '{close[0]}'?" if close else ""))

    def error(self, message: str) -> NoReturn:
        text = message.rstrip("?")
        mark = "?" if message.endswith("?") else ""
        print(f"heapwright: error: {text}{mark} (see '{self.prog} --help')", file=sys.stderr)
        raise SystemExit(2)
