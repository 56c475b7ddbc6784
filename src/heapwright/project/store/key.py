"""The key of an answer: a digest of all that it depends on, so that equal keys have equal answers.

These are the paths, relative to the root, and the contents of all files in link order; the arguments of clang; the
entry; the goal, the engine and their options, with the contents of the files that these name; the installed package
and the libraries that it uses. Limits are no part of it: `store/limits.py` says when an answer serves a request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from heapwright.base.errors import InputError
from heapwright.engines.api import OptionValue
from heapwright.program.checks import Goal
from heapwright.project.store.digests import digest_of, library_versions, package_digest, sha256
from heapwright.project.units.unit import Unit, beneath

_INCLUDE = re.compile(rb'#\s*include\s*"([^"\n]+)"')


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about each unit. `files` are the digests of property and predicate files."""

    goal: Goal = field(default_factory=Goal)
    engine: str = "auto"
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    malloc_may_fail: bool = False
    externals: Literal["havoc", "pure", "refuse"] = "havoc"
    inputs: Literal["separate", "any"] = "separate"
    files: tuple[str, ...] = ()

    def ingredients(self) -> dict[str, object]:
        goal = self.goal
        return {
            "goal": [
                sorted(kind.value for kind in goal.kinds),
                None if goal.error_functions is None else sorted(goal.error_functions),
                goal.cleanup,
            ],
            "engine": self.engine,
            "options": {
                name: list(value) if isinstance(value, tuple) else value for name, value in self.options.items()
            },
            "semantics": [self.malloc_may_fail, self.externals, self.inputs],
            "files": list(self.files),
        }


@dataclass(frozen=True, slots=True)
class Tool:
    """The installed package and its libraries."""

    package: str
    libraries: Mapping[str, str]


def installed_tool() -> Tool:
    return Tool(package_digest(), library_versions())


def unit_key(unit: Unit, root: str, digest: Callable[[str], str | None], question: Question, tool: Tool) -> str:
    """The key of a unit; `digest` gives those of files, None for one that cannot be read."""
    return digest_of(
        {
            "files": [[relative_text(file, root), digest(file)] for file in unit.files],
            "compilations": [
                [beneath(root, one.file), relative_arguments(one.options.arguments(), root)]
                for one in unit.compilations
            ],
            "entry": unit.entry,
            "question": question.ingredients(),
            "package": tool.package,
            "libraries": dict(tool.libraries),
        }
    )


def inputs_of(unit: Unit, root: str, digest: Callable[[str], str | None]) -> list[list[str | None]]:
    """Paths from the root and digests of all files of a unit."""
    return [[beneath(root, file), digest(file)] for file in unit.files]


def relative_arguments(arguments: Iterable[str], root: str) -> list[str]:
    """Arguments that are the same wherever the tree and the package are."""
    from heapwright.c.options import HEADERS

    return [relative_text(word.replace(str(HEADERS), "<headers>"), root) for word in arguments]


def relative_text(text: str, root: str) -> str:
    """The text with a mark in place of the root. No argument has that character, so that different ones stay so."""
    return text.replace(root, "\0")


def digests_of_files(paths: Iterable[str]) -> tuple[str, ...]:
    """The digests of files that options name, and of all that these include."""
    found: dict[str, str] = {}
    waiting = [Path(path) for path in paths]
    while waiting:
        path = waiting.pop()
        if str(path) in found:
            continue
        try:
            data = path.read_bytes()
        except OSError as error:
            if not found:
                raise InputError(f"cannot read '{path}': {error.strerror}") from None
            found[str(path)] = ""
            continue
        found[str(path)] = sha256(data)
        waiting += [path.parent / name.decode("utf-8", "surrogateescape") for name in _INCLUDE.findall(data)]
    return tuple(found.values())
