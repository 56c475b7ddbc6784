"""Output of pictures: a directory with drawings and an HTML page.

directory = directory_for("out")
write_pictures(views, sources, directory, "list.c")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from heapwright.base.output_files import make_folder, write_whole
from heapwright.report.gallery import INDEX, gallery_files
from heapwright.report.messages import counted
from heapwright.report.views import View


def directory_for(path: str) -> Path:
    """Creates the directory; called before the analysis."""
    make_folder(path)
    return Path(path)


def write_pictures(views: Sequence[View], sources: Mapping[str, str], directory: Path, title: str) -> str:
    """Writes the files; returns a message with their number and location."""
    for name, text in gallery_files(views, sources, title):
        write_whole(str(directory / name), text, errors="replace")
    count = sum(len(view.pictures) for view in views)
    return f"wrote {counted(count, 'picture')} to {directory / INDEX}"
