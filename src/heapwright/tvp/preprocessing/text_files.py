"""Text files that a user names: read as UTF-8, or as Latin-1 where old files are not UTF-8."""

from __future__ import annotations

import os

from heapwright.base.errors import InputError
from heapwright.base.source import Span


def read_text(path: str, span: Span | None = None) -> str:
    """The text of a file; an InputError (at `span`, where the file is included) if there is none."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file", span) from None
    except IsADirectoryError:
        raise InputError(f"{path} is a directory, not a file", span) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}", span) from None
    except ValueError:
        raise InputError(f"{path!r} is not a file name", span) from None
    if b"\0" in data:
        raise InputError(f"{path} is a binary file, not a text", span)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def with_suffix(path: str, suffix: str) -> str:
    """The file that is meant by a name whose suffix may be left out."""
    return path + suffix if not is_file(path) and is_file(path + suffix) else path


def is_file(path: str) -> bool:
    """Is there such a file? Not if the name is none that a file could have."""
    try:
        return os.path.isfile(path)
    except ValueError:
        return False


def beside(path: str, name: str) -> str:
    """A file in the folder of another one."""
    return os.path.join(os.path.dirname(path), name)
