"""A heap picture as SVG, drawn as in the papers: summary nodes have a double outline, optional nodes and indefinite
edges are dotted. The colours are readable on light and dark backgrounds and need no style sheet.

    Path("heap.svg").write_text(svg(picture))
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from heapwright.program.heap_picture import HeapPicture, presented
from heapwright.report.drawing.glyphs import (
    FONT,
    LINE,
    OUTLINE,
    POINTER,
    SMALL,
    SMALL_LINE,
    Glyph,
    Loop,
    Names,
    text_width,
)
from heapwright.report.drawing.scene import MARGIN, NOTE_LINE, Scene, SceneEdge, SceneNode, scene_of
from heapwright.report.terminal.heap_text import heap_lines

INK, DIM, NAME, FILL = "#697380", "#7d8590", "#3b7dc4", "#7d85901a"
DOTTED, DASHED = "1.5 3", "5 3"
HEAD = 7.0  # length of an arrowhead

Point = tuple[float, float]


def svg(picture: HeapPicture, title: str = "") -> str:
    """The picture as one SVG document, with its text in `<desc>` for screen readers."""
    picture = presented(picture)
    scene = scene_of(picture)
    size = f'width="{_n(scene.width)}" height="{_n(scene.height)}"'
    view = f'viewBox="0 0 {_n(scene.width)} {_n(scene.height)}"'
    described = _text("\n".join(heap_lines(picture)) or "empty heap")
    font = "font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} role="img" {font} font-size="{_n(FONT)}">',
        f"<title>{_text(title or 'heap')}</title>",
        f"<desc>{described}</desc>",
        *_notes(scene),
    ]
    for edge in scene.edges:
        lines += _edge(scene, edge)
    for node in scene.nodes:
        lines += _node(node, scene.tree)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _notes(scene: Scene) -> Iterator[str]:
    for index, note in enumerate(scene.notes):
        yield _label(MARGIN, MARGIN + index * NOTE_LINE + NOTE_LINE / 2, note, DIM, SMALL + 1, "start")


# --- nodes -----------------------------------------------------------------------------------------------------------


def _node(drawn: SceneNode, tree: bool) -> Iterator[str]:
    glyph, node = drawn.glyph, drawn.glyph.node
    yield f'<g transform="translate({_n(drawn.x)} {_n(drawn.y)})">'
    gone = f' stroke-dasharray="{DASHED}"' if node.state != "live" else ""
    outer = f' stroke-dasharray="{DOTTED}"' if node.optional else gone
    yield _body(glyph, 0.0, FILL, outer)
    if node.summary:
        yield _body(glyph, OUTLINE, "none", gone)
    for index, line in enumerate(glyph.lines):
        y = (index - (len(glyph.lines) - 1) / 2) * LINE
        yield _label(0.0, y, line, DIM if gone or (index == 0 and len(glyph.lines) > 1) else INK)
    for names in glyph.names:
        yield from _names(glyph, names, tree)
    for loop in glyph.loops:
        yield from _loop(glyph, loop, tree)
    yield from _facts(glyph, tree)
    yield "</g>"


def _body(glyph: Glyph, inset: float, fill: str, dash: str) -> str:
    a, b, radius = glyph.a - inset, glyph.b - inset, glyph.radius - inset
    box = f'x="{_n(-a)}" y="{_n(-b)}" width="{_n(2 * a)}" height="{_n(2 * b)}" rx="{_n(radius)}"'
    return f'<rect {box} fill="{fill}" stroke="{INK}" stroke-width="1.2"{dash}/>'


def _names(glyph: Glyph, names: Names, tree: bool) -> Iterator[str]:
    """The names of variables and their arrow to the node."""
    if tree:
        start, end = (names.x + 3, names.y), glyph.boundary(-glyph.a, names.y * 0.6)
    else:
        start, end = (names.x, names.y + 3), glyph.boundary(names.x * 0.6, -glyph.b - POINTER / 2)
    yield _label(names.x, names.y - (0 if tree else 5), names.text, NAME, FONT, "end" if tree else "middle")
    yield from _arrow([start], end, _direction(start, end), "", names.certain, NAME)


def _loop(glyph: Glyph, loop: Loop, tree: bool) -> Iterator[str]:
    half = min(loop.width, (glyph.b if tree else glyph.a) * 0.6)
    ends = [glyph.boundary(*((glyph.a, side * half) if tree else (side * half, glyph.b))) for side in (-1, 1)]
    edge = glyph.a if tree else glyph.b
    turn = (edge + loop.depth - 0.25 * ends[0][0 if tree else 1]) / 0.75
    out, back = ((turn, -loop.width * 1.6), (turn, loop.width * 1.6))
    if not tree:
        out, back = (out[1], out[0]), (back[1], back[0])
    curve = f"C{_p(out)} {_p(back)} "
    yield from _arrow([ends[0]], ends[1], _direction(back, ends[1]), curve, loop.certain, INK)
    if tree:
        yield _label(edge + loop.depth + 4, 0.0, loop.label, INK, SMALL, "start")
    else:
        yield _label(0.0, edge + loop.depth + SMALL_LINE / 2 + 1, loop.label, INK, SMALL)


def _facts(glyph: Glyph, tree: bool) -> Iterator[str]:
    for index, fact in enumerate(glyph.facts):
        behind = len(glyph.facts) - index
        if tree:
            x = glyph.right - max(text_width(line, SMALL) for line in glyph.facts)
            top = -min(glyph.b, len(glyph.facts) * SMALL_LINE / 2)
            yield _label(x, top + (index + 0.5) * SMALL_LINE, fact, DIM, SMALL, "start")
        else:
            yield _label(0.0, glyph.down - (behind - 0.5) * SMALL_LINE, fact, DIM, SMALL)


# --- edges -----------------------------------------------------------------------------------------------------------


def _edge(scene: Scene, edge: SceneEdge) -> Iterator[str]:
    start, end, last, path = edge_curve(scene, edge)
    yield from _arrow([start], end, last, path, edge.certain, INK)
    yield _label(*edge.text, edge.label, INK, SMALL)


def edge_line(scene: Scene, edge: SceneEdge) -> str:
    """The line of an edge as the data of an SVG path; it ends inside of the arrowhead."""
    start, end, direction, curve = edge_curve(scene, edge)
    return _line(start, end, direction, curve)


def edge_curve(scene: Scene, edge: SceneEdge) -> tuple[Point, Point, Point, str]:
    """A smooth curve through the points, tangential to the direction of the layout at each of them: its start, its end,
    its direction there, and the commands between."""
    source, target = scene.nodes[edge.source], scene.nodes[edge.target]
    inner = list(edge.points[1:-1])
    start, end = _port(source, inner[0], scene.tree), _port(target, inner[-1], scene.tree)
    points = [start, *inner, end]
    tangents = [_direction((source.x, source.y), start)]
    for before, after in zip(points, points[2:], strict=False):
        onward = math.copysign(1.0, after[1] - before[1] if scene.tree else after[0] - before[0])
        tangents.append((0.0, onward) if scene.tree else (onward, 0.0))
    last = _direction(end, (target.x, target.y))
    tangents.append(last)
    tip = (end[0] - last[0] * (HEAD - 1), end[1] - last[1] * (HEAD - 1))
    points[-1] = tip
    path = ""
    for index in range(len(points) - 1):
        one, other = points[index], points[index + 1]
        onward = abs(other[1] - one[1] if scene.tree else other[0] - one[0])
        reach = min(0.4 * math.hypot(other[0] - one[0], other[1] - one[1]), 0.85 * onward)  # stays between the layers
        leave, arrive = tangents[index], tangents[index + 1]
        path += f"C{_p((one[0] + leave[0] * reach, one[1] + leave[1] * reach))} "
        path += f"{_p((other[0] - arrive[0] * reach, other[1] - arrive[1] * reach))} "
        path += f"{_p(other)} " if index < len(points) - 2 else ""
    return start, end, last, path


def _port(node: SceneNode, toward: Point, tree: bool) -> Point:
    """The point at which an edge leaves or enters a node: on the side of its layer's neighbour, where there are no
    loops or names."""
    x, y = toward[0] - node.x, toward[1] - node.y
    if tree:
        x = math.copysign(min(abs(x), abs(y)), x)
    else:
        y = math.copysign(min(abs(x), abs(y)), y)
    x, y = node.glyph.boundary(x, y)
    return node.x + x, node.y + y


def _arrow(start: list[Point], end: Point, direction: Point, curve: str, certain: bool, colour: str) -> Iterator[str]:
    """A line or curve with an arrowhead."""
    dash = "" if certain else f' stroke-dasharray="{DOTTED}"'
    path = _line(start[0], end, direction, curve)
    yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.2"{dash}/>'
    side = (-direction[1] * HEAD * 0.4, direction[0] * HEAD * 0.4)
    base = (end[0] - direction[0] * HEAD, end[1] - direction[1] * HEAD)
    one, other = (base[0] + side[0], base[1] + side[1]), (base[0] - side[0], base[1] - side[1])
    yield f'<path d="M{_p(end)} L{_p(one)} L{_p(other)} Z" fill="{colour}"/>'


def _line(start: Point, end: Point, direction: Point, curve: str) -> str:
    tip = (end[0] - direction[0] * (HEAD - 1), end[1] - direction[1] * (HEAD - 1))
    return f"M{_p(start)} " + (curve if curve else "L") + _p(tip)


def _direction(one: Point, other: Point) -> Point:
    length = math.hypot(other[0] - one[0], other[1] - one[1]) or 1.0
    return (other[0] - one[0]) / length, (other[1] - one[1]) / length


# --- text ------------------------------------------------------------------------------------------------------------


def _label(x: float, y: float, text: str, colour: str, size: float = FONT, anchor: str = "middle") -> str:
    """Text that is vertically centred at y."""
    sized = "" if size == FONT else f' font-size="{_n(size)}"'
    where = f'x="{_n(x)}" y="{_n(y + size * 0.35)}" text-anchor="{anchor}"'
    return f'<text {where}{sized} fill="{colour}">{_text(text)}</text>'


def _text(text: str) -> str:
    """Escaped text without the characters that XML does not allow."""
    return escape("".join(char if char.isprintable() or char == "\n" else "." for char in text), quote=False)


def _p(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _n(number: float) -> str:
    """A number with at most one decimal; never `-0`."""
    return f"{round(number, 1) + 0.0:g}"
