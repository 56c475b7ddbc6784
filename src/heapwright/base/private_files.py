"""Files for their owner alone: a cache that others could write would let them write answers.

refusal = make_private(path)        # creates it; or says why it is not to be trusted
"""

from __future__ import annotations

import os
import stat
from pathlib import Path


def cache_folder() -> Path | None:
    """The directory of the package in the user's cache directory; None where there is none."""
    if os.environ.get("HEAPWRIGHT_CACHE") == "off":
        return None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "heapwright" if os.path.isabs(base) else None


def make_private(path: Path) -> str:
    """Creates the file and its directories for their owner alone; the reason why they are not to be trusted, or ""."""
    for folder in reversed((path.parent, *path.parent.parents)):
        if not folder.exists():
            folder.mkdir(mode=0o700, exist_ok=True)
    refusal = _untrusted(path.parent)
    if refusal:
        return refusal
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    os.close(os.open(path, flags, 0o600))
    return _untrusted(path)


def _untrusted(path: Path) -> str:
    """Why a file or directory is not to be trusted, or ""."""
    if not hasattr(os, "geteuid"):
        return ""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        return f"'{path}' is a symbolic link"
    if found.st_uid != os.geteuid():
        return f"'{path}' belongs to another user"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others can write '{path}'"
    for folder in path.parents:
        above = folder.stat()
        replaceable = above.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not above.st_mode & stat.S_ISVTX
        if above.st_uid not in (0, os.geteuid()) or replaceable:
            return f"others can replace '{path}'"
    return ""
