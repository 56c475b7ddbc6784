"""The page: a cactus plot, a table of tools, one per kind of structure, and every task.

A cactus plot has one line per tool: its point (n, t) says that n tasks were answered rightly in t seconds each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log10

WIDTH, HEIGHT, MARGIN = 760, 380, 48
COLOURS = ("#1b6ca8", "#c23b22", "#2e8b57", "#8e44ad", "#d98c00", "#444444", "#00897b", "#ad1457", "#7cb342", "#6d4c41")
LEAST = 0.01  # seconds; what is quicker is drawn there

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child { text-align: left; }
.wrong { background: #c23b22; color: white; } .right { background: #dff0e0; } .open { color: #777; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } td, th { border-color: #333; }
  .right { background: #1f3d24; } svg { background: #eee; } }
"""


def page(
    title: str, tables: Sequence[tuple[str, Sequence[Sequence[str]]]], lines: Mapping[str, Sequence[float]]
) -> str:
    """The first row of a table has its titles."""
    parts = [f"<h1>{escape(title)}</h1>", "<h2>Right answers by time</h2>", cactus(lines)]
    for heading, rows in tables:
        parts += [f"<h2>{escape(heading)}</h2>", _table(rows)]
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _table(rows: Sequence[Sequence[str]]) -> str:
    titles, *body = rows
    lines = ["<tr>" + "".join(f"<th>{escape(text)}</th>" for text in titles) + "</tr>"]
    for row in body:
        cells = "".join(f'<td class="{_class(text)}">{escape(text)}</td>' for text in row)
        lines.append(f"<tr>{cells}</tr>")
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def _class(text: str) -> str:
    if text.startswith("wrong"):
        return "wrong"
    if text.startswith(("proved", "found")):
        return "right"
    return "open" if text.startswith(("unknown", "refused", "silent", "-")) else ""


def cactus(lines: Mapping[str, Sequence[float]]) -> str:
    """Seconds on a logarithmic scale over the number of right answers.

    >>> cactus({"tvl": [0.1, 2.0]}).count("<polyline")
    1
    """
    most = max((len(times) for times in lines.values()), default=0) or 1
    longest = max((time for times in lines.values() for time in times), default=1.0)
    top = max(log10(max(longest, 10 * LEAST)), log10(LEAST) + 1)

    def x(count: float) -> float:
        return MARGIN + (WIDTH - 2 * MARGIN) * count / most

    def y(seconds: float) -> float:
        share = (log10(max(seconds, LEAST)) - log10(LEAST)) / (top - log10(LEAST))
        return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * share

    drawn = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" aria-label="cactus plot">']
    power = -2
    while power <= top:
        level = y(10.0**power)
        drawn.append(f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{level:.1f}" y2="{level:.1f}" stroke="#ccc"/>')
        drawn.append(
            f'<text x="{MARGIN - 6}" y="{level + 4:.1f}" font-size="11" text-anchor="end">{10.0**power:g} s</text>'
        )
        power += 1
    for count in sorted({round(most * share / 4) for share in range(5)}):
        drawn.append(
            f'<text x="{x(count):.1f}" y="{HEIGHT - MARGIN + 16}" font-size="11" text-anchor="middle">{count}</text>'
        )
    for place, (name, times) in enumerate(sorted(lines.items(), key=lambda entry: -len(entry[1]))):
        colour = COLOURS[place % len(COLOURS)]
        points = " ".join(f"{x(n):.1f},{y(time):.1f}" for n, time in enumerate(sorted(times), 1))
        drawn.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        drawn.append(
            f'<text x="{MARGIN + 12}" y="{MARGIN + 16 * place}" font-size="12" fill="{colour}">'
            f"{escape(name)} ({len(times)})</text>"
        )
    return "\n".join([*drawn, "</svg>"])
