"""The abstract heaps per source line as files: DOT and SVG pictures, and an HTML page with the source beside them.

for name, text in gallery_files(views, sources, title="list.c"):
    (directory / name).write_text(text)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from heapwright.base.source import file_stem, printable
from heapwright.report.drawing.dot import heap_dot
from heapwright.report.drawing.svg import svg
from heapwright.report.messages import counted
from heapwright.report.terminal.heap_text import heap_lines
from heapwright.report.terminal.views_text import EMPTY
from heapwright.report.views import View

INDEX = "index.html"
OPEN = 6  # maximum number of pictures of a line that are unfolded at first

STYLE = """\
:root { color-scheme: light dark;
  --ground: #ffffff; --ink: #24292f; --dim: #6e7781; --line: #d8dee4; --alarm: #b35900; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0d1117; --ink: #e6edf3; --dim: #8b949e; --line: #30363d; --alarm: #e3a04f; } }
body { margin: 1.5rem; background: var(--ground); color: var(--ink); font: 14px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.2rem; } h2 { font-size: 1rem; margin: 2rem 0 .5rem; } p { color: var(--dim); max-width: 60rem; }
table { border-collapse: collapse; } td { vertical-align: top; padding: .1rem .6rem; }
td.number, td.code { font: 12.5px/1.6 ui-monospace, monospace; white-space: pre; tab-size: 4; }
td.number { color: var(--dim); text-align: right; user-select: none; }
tr.known td { border-top: 1px solid var(--line); padding-bottom: .6rem; }
summary { color: var(--dim); cursor: pointer; } .alarm { color: var(--alarm); font-size: 12.5px; }
.heaps { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: .3rem; }
.heaps a { border: 1px solid var(--line); border-radius: .5rem; } .heaps img { display: block; }
"""


def gallery_files(views: Sequence[View], sources: Mapping[str, str], title: str) -> Iterator[tuple[str, str]]:
    """Names and contents of the files; the page comes last."""
    names = _names(views)
    for view, stems in zip(views, names, strict=True):
        for stem, picture in zip(stems, view.pictures, strict=True):
            yield f"{stem}.dot", heap_dot(picture) + "\n"
            yield f"{stem}.svg", svg(picture, f"{printable(view.file)}:{view.line}")
    yield INDEX, _page(views, names, sources, title)


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


def _page(views: Sequence[View], names: Sequence[Sequence[str]], sources: Mapping[str, str], title: str) -> str:
    body = [
        f"<h1>{escape(printable(title))}</h1>",
        "<p>The abstract heaps before each line. Double outline: summary node (one or more objects). Dotted: may be "
        "absent. Small labels: predicates of a node.</p>",
    ]
    for file in dict.fromkeys(view.file for view in views):
        body.append(f"<h2>{escape(printable(file))}</h2>\n<table>")
        here = [(view, stems) for view, stems in zip(views, names, strict=True) if view.file == file]
        for number, text in enumerate(sources.get(file, "").splitlines(), 1):
            found = [(view, stems) for view, stems in here if view.line == number]
            known = ' class="known"' if found else ""
            cells = "".join(_heaps(view, stems, len(found) > 1) for view, stems in found)
            body.append(
                f'<tr{known} id="{escape(file_stem(file))}-{number}"><td class="number">{number}</td>'
                f'<td class="code">{escape(text)}</td><td>{cells}</td></tr>'
            )
        body.append("</table>")
    head = f'<meta charset="utf-8">\n<title>{escape(printable(title))}</title>\n<style>\n{STYLE}</style>'
    content = "\n".join(body)
    return f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{content}\n</body>\n</html>\n'


def _heaps(view: View, stems: Sequence[str], several: bool) -> str:
    alarms = "".join(f'<div class="alarm">{escape(alarm)}</div>' for alarm in view.alarms)
    if not view.pictures:
        return f"{alarms}<div>{view.without_heaps}</div>"
    images = "".join(
        f'<a href="{escape(stem)}.svg"><img src="{escape(stem)}.svg" loading="lazy" '
        f'alt="{escape(chr(10).join(heap_lines(picture)) or EMPTY)}"></a>'
        for stem, picture in zip(stems, view.pictures, strict=True)
    )
    opened = " open" if len(stems) <= OPEN else ""
    column = f"column {view.column}: " if several else ""
    summary = f"<summary>{column}{counted(len(stems), 'heap')}</summary>"
    return f'{alarms}<details{opened}>{summary}<div class="heaps">{images}</div></details>'
