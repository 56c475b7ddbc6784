"""Digests: of files, of the installed package, and of values.

>>> digest_of({"b": 1, "a": [2]}) == digest_of({"a": [2], "b": 1})
True
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

import heapwright

PACKAGE = Path(heapwright.__file__).parent
INSTALLED = "<heapwright>/"  # stands for it in paths of findings


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def digest_of(value: object) -> str:
    """The digest of a value of JSON, in its canonical text. Names of files may have bytes that are no text."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass"))


class FileDigests:
    """Digests of files as they are now, each read once. What was read last is not kept: `read` reads again, and refuses
    contents that have changed since."""

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}
        self._exist: dict[str, bool] = {}

    def of(self, path: str) -> str | None:
        """The digest of a file; None if it cannot be read."""
        if path not in self._known:
            try:
                self._known[path] = sha256(Path(path).read_bytes())
            except (OSError, ValueError):
                self._known[path] = None
        return self._known[path]

    def exists(self, path: str) -> bool:
        if path not in self._exist:
            self._exist[path] = os.path.lexists(path)
        return self._exist[path]

    def read(self, path: str) -> bytes | None:
        """The contents of a file; None if they are not those that have the digest."""
        try:
            data = Path(path).read_bytes()
        except (OSError, ValueError):
            return None
        return data if sha256(data) == self.of(path) else None


@functools.cache
def package_digest(folder: Path = PACKAGE) -> str:
    """The digest of the installed package: sources, headers, models and native parts; not its version number, which
    stays the same while somebody works on it."""
    parts: list[tuple[str, str]] = []
    for path in _package_files(folder):
        parts.append((path.relative_to(folder.parent).as_posix(), sha256(path.read_bytes())))
    return digest_of(sorted(parts))


def _package_files(folder: Path) -> Sequence[Path]:
    found: list[Path] = []
    for directory, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found += [Path(directory) / name for name in files]
    # The library that compiled modules share lies beside the package.
    found += [path for path in folder.parent.glob("heapwright__mypyc*") if path.is_file()]
    return found


@functools.cache
def library_versions() -> dict[str, str]:
    """The versions of the libraries that answers depend on."""
    from importlib.metadata import PackageNotFoundError, version

    from heapwright.c import clang

    found = {"libclang": clang.text(clang.library().clang_getClangVersion())}
    for name in ("z3-solver", "oxidd", "python-sat"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = ""
    return found
