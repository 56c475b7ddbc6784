"""Output of pictures: a directory with a page and a file for each drawing, or one drawing.

destination = destination_for("out")
write_pictures(views, page, destination)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from heapwright.base.errors import UsageError
from heapwright.base.output_files import make_folder, write_whole
from heapwright.base.source import file_stem, printable
from heapwright.cli.output_files import writable
from heapwright.cli.page_files import INDEX, write_page
from heapwright.report.drawing.dot import heap_dot
from heapwright.report.drawing.svg import svg
from heapwright.report.messages import counted
from heapwright.report.views import View

DRAWINGS = (".svg", ".dot")


def destination_for(path: str) -> Path:
    """Creates the directory, or checks that the file can be written; called before the analysis."""
    if is_drawing(path):
        writable(path)
    else:
        make_folder(path)
    return Path(path)


def is_drawing(path: str) -> bool:
    """Whether a path is that of one drawing."""
    return Path(path).suffix in DRAWINGS and not Path(path).is_dir()


def write_pictures(views: Sequence[View], page: Mapping[str, Any] | None, destination: Path) -> str:
    """Writes the files; returns a message with their number and location."""
    if page is None:
        return _write_one(views, destination)
    for name, text in _drawings(views):
        write_whole(str(destination / name), text, errors="replace")
    write_page(str(destination), page)
    count = sum(len(view.pictures) for view in views)
    return f"wrote {counted(count, 'picture')} to {printable(str(destination / INDEX))}"


def _drawings(views: Sequence[View]) -> Iterator[tuple[str, str]]:
    """Names and contents of files."""
    for view, stems in zip(views, _names(views), strict=True):
        for stem, picture in zip(stems, view.pictures, strict=True):
            yield f"{stem}.dot", heap_dot(picture) + "\n"
            yield f"{stem}.svg", svg(picture, f"{printable(view.file)}:{view.line}")


def _names(views: Sequence[View]) -> list[list[str]]:
    """`list-12-1`: the first picture of line 12 of list.c. Files of the same name in different folders are numbered."""
    stems: dict[str, str] = {}
    for view in views:
        if view.file not in stems:
            stem = file_stem(view.file)
            same = sum(other == stem or other.startswith(f"{stem}~") for other in stems.values())
            stems[view.file] = f"{stem}~{same + 1}" if same else stem
    counts: dict[tuple[str, int], int] = {}
    names: list[list[str]] = []
    for view in views:
        key = view.file, view.line
        first = counts.get(key, 0)
        counts[key] = first + len(view.pictures)
        names.append([f"{stems[view.file]}-{view.line}-{first + n}" for n in range(1, len(view.pictures) + 1)])
    return names


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
