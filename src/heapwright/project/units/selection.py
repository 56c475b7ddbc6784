"""Selection of units: by pattern, by shard, by what has changed since a revision.

>>> shard_of("src/list.c", 1) == 0
True
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from heapwright.base.errors import InputError, UsageError
from heapwright.project.units.unit import Unit

_SHARD = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")
# Nothing that the configuration of a repository names is run.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


@dataclass(frozen=True, slots=True)
class Selection:
    """`select` and `exclude` are patterns of names, paths or functions; `shard` is (k, n), k from 1 to n."""

    select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    shard: tuple[int, int] = (1, 1)

    def selects(self, unit: Unit) -> bool:
        if self.select and not any(_matches(unit, pattern) for pattern in self.select):
            return False
        if any(_matches(unit, pattern) for pattern in self.exclude):
            return False
        part, parts = self.shard
        return shard_of(unit.name, parts) == part - 1


def parse_shard(text: str) -> tuple[int, int]:
    """
    >>> parse_shard("2/8")
    (2, 8)
    """
    match = _SHARD.fullmatch(text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError(f"'shard' must be K/N with K from 1 to N, not {text!r}")
    return int(match[1]), int(match[2])


def shard_of(name: str, parts: int) -> int:
    """The shard of a unit, from 0; it depends on the name alone, so that machines agree about it."""
    return int(hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest(), 16) % parts


def _matches(unit: Unit, pattern: str) -> bool:
    """A pattern is one of a name (`src/*.c:list_*`), of a path, of a directory, or of a function."""
    path = unit.name.partition(":")[0]
    candidates = [unit.name, path, unit.entry]
    return any(fnmatchcase(one, pattern) for one in candidates) or path.startswith(pattern.rstrip("/") + "/")


def changed_since(root: str, revision: str) -> frozenset[str]:
    """The files that differ from a revision of git, untracked ones too, as real paths."""
    if not revision or revision.startswith("-"):
        raise UsageError(f"'{revision}' is not a revision")
    top = _git(root, ("rev-parse", "--show-toplevel"), revision).rstrip("\n")
    names = _git(top, ("diff", "--no-ext-diff", "--no-textconv", "--name-only", "-z", revision, "--"), revision)
    new = _git(top, ("ls-files", "--others", "--exclude-standard", "-z"), revision)
    return frozenset(os.path.realpath(os.path.join(top, name)) for name in (names + new).split("\0") if name)


def revision_of(root: str) -> str:
    """The revision of git that is checked out; "" if there is none."""
    try:
        return _git(root, ("rev-parse", "HEAD"), "HEAD").strip()
    except InputError:
        return ""


def _git(folder: str, words: Sequence[str], revision: str) -> str:
    try:
        done = subprocess.run([*_GIT, "-C", folder, *words], capture_output=True, check=True)
    except FileNotFoundError:
        raise InputError("--changed-since needs git, which is not installed") from None
    except subprocess.CalledProcessError as error:
        lines = error.stderr.decode("utf-8", "replace").splitlines() or [""]
        raise InputError(f"git cannot compare with '{revision}': {lines[0]}") from None
    return os.fsdecode(done.stdout)


def selected(units: Sequence[Unit], selection: Selection) -> list[Unit]:
    """The selected units. A pattern that selects none is an error: it is a typing error, not a proof."""
    for pattern in selection.select:
        if units and not any(_matches(unit, pattern) for unit in units):
            raise InputError(f"no unit matches '{pattern}'")
    return [unit for unit in units if selection.selects(unit)]
