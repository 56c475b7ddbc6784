"""Where commands write pictures to: a directory with drawings and a page that shows them.

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
    """The directory, made before time is spent on an analysis."""
    directory = Path(path)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write pictures to '{path}': {error.strerror}") from None
    return directory


def write_pictures(views: Sequence[View], sources: Mapping[str, str], directory: Path, title: str) -> str:
    """Writes the files and says in a sentence where they are."""
    for name, text in gallery_files(views, sources, title):
        try:
            (directory / name).write_text(text, encoding="utf-8", errors="replace")
        except OSError as error:
            raise InputError(f"cannot write '{directory / name}': {error.strerror}") from None
    return f"{sum(len(view.pictures) for view in views)} pictures are in {directory / INDEX}"
