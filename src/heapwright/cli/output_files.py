"""Output of reports: to a file, or to standard output ("-").

writable("report.json")  # before the analysis
write_to("report.json", text)
"""

from __future__ import annotations

import os
import sys

from heapwright.base.errors import InputError


def writable(path: str | None) -> None:
    """Raises InputError if a path cannot be written to; called before the analysis."""
    if path is not None and path != "-" and (os.path.isdir(path) or not os.path.isdir(_folder(path))):
        raise InputError(f"cannot write '{path}': it is a directory, or its directory does not exist")


def write_to(path: str, text: str) -> None:
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror}") from None


def _folder(path: str) -> str:
    return os.path.dirname(os.path.realpath(path))
