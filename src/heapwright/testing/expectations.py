"""Expected verdicts of a C program, from its comments.

At the head of a file, each on a line of its own:

    // expect: safe | unsafe | unknown      the truth about the program; it binds every engine
    // options: --function f ...            how it is to be checked (default: every check, LP64, malloc never fails);
                                            --objects and --states bound the search of `explore`
    // explore: unknown                     where the engine `explore` cannot decide what is true
    // gcc: no REASON                       a compiled program does not show it
    // gcc: keeps                           a compiled program ends with live blocks, and that is no leak

and at a line where a check is violated `// BAD: kind`, several kinds separated by commas. A line without a mark has no
violation. `unknown` is for programs where the memory model leaves open what happens.

>>> sorted(parse("// expect: unsafe\\n*p = 1; // BAD: null-deref").bad)
[(2, 'null-deref')]
"""

from __future__ import annotations

import argparse
import re
import shlex
import time
from dataclasses import dataclass
from pathlib import Path

from heapwright.analysis.pipeline import Input
from heapwright.engines.api import Limits
from heapwright.program.checks import CheckKind
from heapwright.settings.properties import RESOURCES

DEFAULT = Limits()
VERDICTS = ("safe", "unsafe", "unknown")

_HEADER = re.compile(r"// (expect|options|explore|gcc): (.*)")
_MARK = re.compile(r"// BAD: (.*)$")


class BadExpectation(ValueError):
    """The comments of a program are inconsistent."""


@dataclass(frozen=True, slots=True)
class Expectation:
    verdict: str
    explore: str
    bad: frozenset[tuple[int, str]]  # (line, kind)
    function: str | None = None
    malloc_may_fail: bool = False
    data_model: str = "LP64"
    properties: tuple[str, ...] = ()
    gcc: bool = True  # whether a compiled program shows the same
    keeps_blocks: bool = False
    objects: int | None = DEFAULT.objects
    states: int = DEFAULT.states

    def limits(self, seconds: float | None = None) -> Limits:
        """The bounds of `explore`, and the time limit of any engine."""
        deadline = None if seconds is None else time.monotonic() + seconds
        return Limits(deadline=deadline, objects=self.objects, states=self.states)

    def input(self, path: Path) -> Input:
        """The options of the front end for this program."""
        return Input(
            (str(path),),
            function=self.function,
            data_model="ILP32" if self.data_model == "ILP32" else "LP64",
            malloc_may_fail=self.malloc_may_fail,
            resources=RESOURCES in self.properties,
        )


def read(path: Path) -> Expectation:
    try:
        return parse(path.read_text(encoding="utf-8"))
    except BadExpectation as error:
        raise BadExpectation(f"{path}: {error}") from None


def parse(text: str) -> Expectation:
    header: dict[str, str] = {}
    bad: set[tuple[int, str]] = set()
    for number, line in enumerate(text.splitlines(), 1):
        if match := _HEADER.fullmatch(line):
            if match[1] in header:
                raise BadExpectation(f"'{match[1]}' is given twice")
            header[match[1]] = match[2]
        elif match := _MARK.search(line):
            bad.update((number, _kind(word.strip())) for word in match[1].split(","))
        elif re.search(r"BAD|//\s*(expect|options|explore|gcc)\s*:", line):
            raise BadExpectation(f"line {number} looks like a mark and is none")
    verdict = _verdict(header, "expect", "")
    if (verdict == "unsafe") != bool(bad):
        raise BadExpectation("marks of violations belong to the programs that are unsafe, and to all of them")
    options = _options(header.get("options", ""))
    gcc = header.get("gcc", "")
    if gcc and gcc != "keeps" and not re.match(r"no \w", gcc):
        raise BadExpectation("'gcc' is 'keeps', or 'no' and the reason")
    return Expectation(
        verdict,
        _verdict(header, "explore", verdict),
        frozenset(bad),
        options.function,
        options.malloc_may_fail,
        options.data_model,
        tuple(options.property),
        gcc in ("", "keeps"),
        gcc == "keeps",
        options.objects,
        options.states,
    )


def _kind(word: str) -> str:
    try:
        return CheckKind(word).value
    except ValueError:
        raise BadExpectation(f"no check is of kind '{word}'") from None


def _verdict(header: dict[str, str], key: str, default: str) -> str:
    word = header.get(key, default)
    if word not in VERDICTS:
        raise BadExpectation(f"'{key}' must be one of {', '.join(VERDICTS)}")
    return word


def _options(text: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(exit_on_error=False, add_help=False)
    parser.add_argument("--function")
    parser.add_argument("--malloc-may-fail", action="store_true")
    parser.add_argument("--data-model", choices=["LP64", "ILP32"], default="LP64")
    parser.add_argument("--property", action="append", default=[])
    parser.add_argument("--objects", type=int, default=DEFAULT.objects)
    parser.add_argument("--states", type=int, default=DEFAULT.states)
    try:
        options, rest = parser.parse_known_args(shlex.split(text))
    except argparse.ArgumentError as error:
        raise BadExpectation(str(error)) from None
    if rest:
        raise BadExpectation(f"no option '{rest[0]}'")
    return options
