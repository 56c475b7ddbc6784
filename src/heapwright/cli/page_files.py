"""Pages as files: one document, or a directory with a document and one script for each film.

page_writable("report.html")          # before the analysis
write_page("report.html", page)       # FILE.html; any other name is a directory
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from heapwright.base.output_files import make_folder, write_whole
from heapwright.base.source import printable
from heapwright.cli.output_files import writable, write_to

INDEX = "index.html"
DOCUMENTS = (".html", ".htm", ".xhtml")


def is_document(path: str) -> bool:
    """Whether a path is that of one document: standard output, a name with a suffix of documents, or a file."""
    return not os.path.isdir(path) and (path == "-" or path.endswith(DOCUMENTS) or os.path.exists(path))


def page_writable(path: str | None) -> None:
    """Raises InputError if the page cannot be written, or creates its directory; called before the analysis."""
    if path is None or is_document(path):
        writable(path)
    else:
        make_folder(path)


def write_page(path: str, page: Mapping[str, Any], films: Sequence[Mapping[str, Any]] = ()) -> str:
    """Writes a page; returns a message."""
    from heapwright.c.syntax.tokens import coloured_tokens
    from heapwright.report.html.page import folder_files, page_text

    if is_document(path):
        write_to(path, page_text(page, films, coloured_tokens))
        return f"wrote {printable(path)}"
    write_folder(path, folder_files(page, films, coloured_tokens))
    return f"wrote {printable(str(Path(path) / INDEX))}"


def write_folder(path: str, files: Iterable[tuple[str, str]]) -> None:
    """Writes files with these names and texts to a directory."""
    make_folder(path)
    for name, text in files:
        write_whole(str(Path(path) / name), text, errors="backslashreplace")
