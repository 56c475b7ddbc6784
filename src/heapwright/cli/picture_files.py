"""Output of pictures: a directory with drawings and an HTML page, or one drawing.

destination = destination_for("out")
write_pictures(views, sources, destination, "list.c")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from heapwright.base.errors import UsageError
from heapwright.base.output_files import make_folder, write_whole
from heapwright.base.source import printable
from heapwright.cli.output_files import writable
from heapwright.report.drawing.dot import heap_dot
from heapwright.report.drawing.svg import svg
from heapwright.report.gallery import INDEX, gallery_files
from heapwright.report.messages import counted
from heapwright.report.views import View

DRAWINGS = (".svg", ".dot")


def destination_for(path: str) -> Path:
    """Creates the directory, or checks that the file can be written; called before the analysis."""
    if Path(path).suffix in DRAWINGS and not Path(path).is_dir():
        writable(path)
    else:
        make_folder(path)
    return Path(path)


def write_pictures(views: Sequence[View], sources: Mapping[str, str], destination: Path, title: str) -> str:
    """Writes the files; returns a message with their number and location."""
    if destination.suffix in DRAWINGS and not destination.is_dir():
        return _write_one(views, destination)
    for name, text in gallery_files(views, sources, title):
        write_whole(str(destination / name), text, errors="replace")
    count = sum(len(view.pictures) for view in views)
    return f"wrote {counted(count, 'picture')} to {printable(str(destination / INDEX))}"


def _write_one(views: Sequence[View], file: Path) -> str:
    drawn = [(view, picture) for view in views for picture in view.pictures]
    if len(drawn) != 1:
        raise UsageError(
            f"'{printable(str(file))}' is the file of one picture, and there are {len(drawn)}",
            hint="name a directory, or a line with one heap (--line)",
        )
    ((view, picture),) = drawn
    title = f"{printable(view.file)}:{view.line}"
    write_whole(str(file), svg(picture, title) if file.suffix == ".svg" else heap_dot(picture) + "\n", errors="replace")
    return f"wrote 1 picture to {printable(str(file))}"
