"""Output of reports: to a file, or to standard output ("-").

writable("report.json")  # before the analysis
write_to("report.json", text)
"""

from __future__ import annotations

import os
import sys

from heapwright.base.errors import InputError
from heapwright.base.output_files import refuse_links, write_whole
from heapwright.base.source import printable


def writable(path: str | None) -> None:
    """Raises InputError if a path cannot be written to; called before the analysis."""
    if path is None or path == "-":
        return
    if os.path.isdir(path) or not os.path.isdir(_folder(path)):
        raise InputError(f"cannot write '{printable(path)}': it is a directory, or its directory does not exist")
    refuse_links(path)


def write_to(path: str, text: str) -> None:
    """Lone surrogates, from names that are not UTF-8, are written as the escapes of JSON."""
    if path == "-":
        sys.stdout.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))
    else:
        write_whole(path, text, errors="backslashreplace")


def _folder(path: str) -> str:
    return os.path.dirname(os.path.abspath(path))
