"""Output of pictures: a directory with drawings and an HTML page.

directory = directory_for("out")
write_pictures(views, sources, directory, "list.c")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from heapwright.base.errors import InputError
from heapwright.report.gallery import INDEX, gallery_files
from heapwright.report.views import View


def directory_for(path: str) -> Path:
    """Creates the directory; called before the analysis."""
    directory = Path(path)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write pictures to '{path}': {error.strerror}") from None
    return directory


def write_pictures(views: Sequence[View], sources: Mapping[str, str], directory: Path, title: str) -> str:
    """Writes the files; returns a message with their number and location."""
    for name, text in gallery_files(views, sources, title):
        try:
            (directory / name).write_text(text, encoding="utf-8", errors="replace")
        except OSError as error:
            raise InputError(f"cannot write '{directory / name}': {error.strerror}") from None
    return f"wrote {sum(len(view.pictures) for view in views)} pictures to {directory / INDEX}"
