"""Output files: whole or not at all, and never through a symbolic link.

    refuse_links("out/report.json")
    write_whole("out/report.json", text)

The text is written to a new file beside the path, which then takes its place. Devices and pipes are written directly.
"""

from __future__ import annotations

import contextlib
import os
import stat

from heapwright.base.errors import InputError
from heapwright.base.source import printable


def write_whole(path: str, text: str, *, errors: str = "strict") -> None:
    """Writes a text file; raises InputError and leaves no part of it if that fails."""
    refuse_links(path)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "w", encoding="utf-8", errors=errors) as device:
                device.write(text)
        else:
            _replace(path, text.encode("utf-8", errors))
    except OSError as error:
        raise cannot_write(path, error) from None


def make_folder(path: str) -> None:
    """Creates a directory with its parents, unless it exists."""
    refuse_links(path)
    try:
        os.makedirs(path, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"cannot write to '{printable(path)}': it is not a directory") from None
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_write(path: str, error: OSError) -> InputError:
    return InputError(f"cannot write '{printable(path)}': {error.strerror or error}")


def refuse_links(path: str) -> None:
    """Raises InputError if a path is a symbolic link, or leads through one that is inside the working directory: the
    files there may be those of strangers."""
    whole = os.path.abspath(path)
    inside = os.getcwd().rstrip(os.sep) + os.sep
    checked = whole
    while checked.startswith(inside) or checked == whole:
        if os.path.islink(checked):
            raise InputError(
                f"cannot write '{printable(path)}': '{printable(os.path.relpath(checked))}' is a symbolic link"
            )
        above = os.path.dirname(checked)
        if above == checked:
            break
        checked = above


def _replace(path: str, content: bytes) -> None:
    mode = 0o666
    if os.path.exists(path):
        mode = stat.S_IMODE(os.stat(path).st_mode)
        if not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied")
    folder, name = os.path.split(path)
    beside = os.path.join(folder, f".{name[:200]}.{os.getpid()}.part")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(beside)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
