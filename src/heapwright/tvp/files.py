"""Text files that a user names: read as UTF-8, or as Latin-1 where old files are not UTF-8."""

from __future__ import annotations

from pathlib import Path

from heapwright.errors import InputError
from heapwright.source import Span


def read_text(path: Path, place: Span | None = None) -> str:
    """The text of a file; an InputError (at `place`, where the file is asked for) if there is none."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file", place) from None
    except IsADirectoryError:
        raise InputError(f"{path} is a directory, not a file", place) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}", place) from None
    except ValueError:
        raise InputError(f"{str(path)!r} is not a file name", place) from None
    if b"\0" in data:
        raise InputError(f"{path} is a binary file, not a text", place)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def with_suffix(path: str, suffix: str) -> Path:
    """The file that is meant by a name whose suffix may be left out."""
    given = Path(path)
    completed = Path(path + suffix)
    try:
        return completed if not given.is_file() and completed.is_file() else given
    except (OSError, ValueError):
        return given
