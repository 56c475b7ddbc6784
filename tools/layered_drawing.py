"""Rooms drawn in layers, as SVG: a card per room with its sub-packages and their lines, arrows for imports.

The layout is that of Sugiyama, Tagawa and Toda (1981): long edges get a lane in every layer that they pass, layers are
ordered by barycentres, and positions are the least-squares fit to those of neighbours that keeps the order. Arrows that
follow from others are left out (transitive reduction).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from rooms import Room

COLUMN = 168  # width of a card
HEADER, ROW, PADDING = 24, 17, 8
GAP, LANE, LAYER_GAP, MARGIN = 20, 12, 46, 16
INDENT, PORT = 12, 14
SWEEPS = 24

STYLE = """\
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2430; }
.name { font-weight: bold; font-size: 13px; }
.lines { text-anchor: end; fill: #59606e; }
.paper { fill: #fbfbf9; }
.card { fill: #ffffff; stroke: #9aa3b2; }
.house { fill: #eef1f6; stroke: #9aa3b2; }
.bar { fill: #cfe0f7; }
.edge { fill: none; stroke: #6b7588; stroke-width: 1.3; marker-end: url(#head); }
.head { fill: #6b7588; }
@media (prefers-color-scheme: dark) {
  text { fill: #e4e7ee; }
  .lines { fill: #a3acbc; }
  .paper { fill: #14171d; }
  .card { fill: #1f242d; stroke: #566072; }
  .house { fill: #191d25; stroke: #566072; }
  .bar { fill: #2f4a70; }
  .edge { stroke: #8d98ab; }
  .head { fill: #8d98ab; }
}
"""


@dataclass(eq=False, slots=True)
class Item:
    """A card in a layer, or the lane of an edge that passes it (a lane has no room)."""

    width: float
    height: float = 0
    room: Room | None = None
    x: float = 0  # of the centre
    above: list[Item] = field(default_factory=list)
    below: list[Item] = field(default_factory=list)


def draw(rooms: Sequence[Room], layers: Sequence[Sequence[str]]) -> str:
    """The picture of all rooms; `layers` has the names of the top ones."""
    rows = _rows(rooms, layers)
    _order(rows)
    _place(rows)
    left = min(item.x - item.width / 2 for row in rows for item in row) - MARGIN
    width = max(item.x + item.width / 2 for row in rows for item in row) + MARGIN - left
    scale = (COLUMN - 2) / max((room.lines for room in rooms if room.house and not room.imports), default=1)
    tops, height = _tops(rows)
    cards: list[str] = []
    for row, top in zip(rows, tops, strict=True):
        for item in row:
            item.x -= left
            if item.room:
                cards += _card(item.room, rooms, item.x - item.width / 2, top, item.width, item.height, scale)
    edges = _edges(rows, tops)
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    head = '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="Rooms and their imports">',
        f"<style>\n{STYLE}</style>",
        f'<defs>{head}<path class="head" d="M0,0.5 L8,4 L0,7.5 Z"/></marker></defs>',
        '<rect class="paper" width="100%" height="100%"/>',
        *edges,
        *cards,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def reduced(imports: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
    """The edges of an acyclic graph that do not follow from others.

    >>> reduced({"a": ["b", "c"], "b": ["c"], "c": []})
    [('a', 'b'), ('b', 'c')]
    """

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        waiting = list(imports.get(start, ()))
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += imports.get(one, ())
        return found

    edges = []
    for source, targets in imports.items():
        indirect = set().union(*(reached(target) for target in targets))
        edges += [(source, target) for target in targets if target not in indirect]
    return edges


def _rows(rooms: Sequence[Room], layers: Sequence[Sequence[str]]) -> list[list[Item]]:
    """Cards in their layers, linked by edges that go from one layer to the next."""
    tops = {room.name: room for room in rooms if not room.house}
    rows: list[list[Item]] = []
    cards: dict[str, tuple[int, Item]] = {}
    for names in layers:
        row = [Item(*_size(tops[name], rooms), tops[name]) for name in names if name in tops]
        if row:
            cards |= {item.room.name: (len(rows), item) for item in row if item.room}
            rows.append(row)
    for source, target in reduced({name: [one for one in tops[name].imports if one in cards] for name in cards}):
        level, item = cards[source]
        last, end = cards[target]
        for passed in rows[level + 1 : last]:
            lane = Item(LANE)
            passed.append(lane)
            _link(item, lane)
            item = lane
        _link(item, end)
    return rows


def _link(upper: Item, lower: Item) -> None:
    upper.below.append(lower)
    lower.above.append(upper)


def _children(room: Room, rooms: Sequence[Room]) -> list[Room]:
    return [one for one in rooms if one.house == room.name]


def _inside(room: Room, rooms: Sequence[Room]) -> list[Room]:
    return [one for one in rooms if one.name.startswith(f"{room.name}.")]


def _is_house(room: Room, rooms: Sequence[Room]) -> bool:
    """Whether the room's sub-packages are drawn as cards: those that have edges."""
    return any(one.imports for one in _children(room, rooms))


def _size(room: Room, rooms: Sequence[Room]) -> tuple[float, float]:
    if _is_house(room, rooms):
        columns, foundation = _columns(room, rooms)
        height = max(_size(one, rooms)[1] for one in columns) + sum(
            _size(one, rooms)[1] + PADDING for one in foundation
        )
        return len(columns) * (COLUMN + PADDING) + PADDING, HEADER + height + 1.5 * PADDING
    inside = len(_inside(room, rooms))
    return COLUMN, HEADER + inside * ROW + (PADDING if inside else 4)


def _columns(room: Room, rooms: Sequence[Room]) -> tuple[list[Room], list[Room]]:
    """The cards of a house, side by side, and below them those that import no other."""
    children = _children(room, rooms)
    names = {one.name for one in children}
    used = {target for one in children for target in one.imports if target in names}
    foundation = [one for one in children if one.name in used and not names & set(one.imports)]
    return [one for one in children if one not in foundation], foundation


def _order(rows: list[list[Item]]) -> None:
    """Orders layers by the barycentres of their neighbours, and keeps the order with the fewest crossings."""
    best = [list(row) for row in rows]
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        for row in rows if downwards else reversed(rows):
            place = {id(item): number for near in rows for number, item in enumerate(near)}
            keys = []
            for item in row:
                near = item.above if downwards else item.below
                keys.append(sum(place[id(one)] for one in near) / len(near) if near else place[id(item)])
            row[:] = [row[number] for number in sorted(range(len(row)), key=keys.__getitem__)]
        if _crossings(rows) < _crossings(best):
            best = [list(row) for row in rows]
    rows[:] = best


def _crossings(rows: list[list[Item]]) -> int:
    total = 0
    for row, next_row in pairwise(rows):
        place = {id(item): number for number, item in enumerate(next_row)}
        ends = [place[id(end)] for item in row for end in sorted(item.below, key=lambda one: place[id(one)])]
        total += sum(first > second for i, first in enumerate(ends) for second in ends[i + 1 :])
    return total


def _place(rows: list[list[Item]]) -> None:
    """Gives items their horizontal positions: near their neighbours, in order, apart; no row exceeds the widest."""
    width = max(_offsets(row)[-1] + (row[0].width + row[-1].width) / 2 for row in rows)
    for row in rows:
        _fit(row, [0.0] * len(row), width)
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else list(reversed(rows)):
            wished = []
            for item in row:
                near = item.above + item.below
                wished.append(sum(one.x for one in near) / len(near) if near else item.x)
            _fit(row, wished, width)


def _offsets(row: list[Item]) -> list[float]:
    """How far centres are from the first one at least."""
    offsets = [0.0]
    for before, item in pairwise(row):
        gap = GAP if before.room or item.room else LANE / 3
        offsets.append(offsets[-1] + (before.width + item.width) / 2 + gap)
    return offsets


def _fit(row: list[Item], wished: list[float], width: float = float("inf")) -> None:
    """Least squares with the order kept and gaps between items (pool adjacent violators), within a width around 0."""
    offsets = _offsets(row)
    pools: list[tuple[float, int]] = []
    for wish, offset in zip(wished, offsets, strict=True):
        pools.append((wish - offset, 1))
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            (mean, size), (previous, count) = pools.pop(), pools.pop()
            pools.append(((previous * count + mean * size) / (count + size), count + size))
    means = [mean for mean, size in pools for _ in range(size)]
    low, high = row[0].width / 2 - width / 2, width / 2 - row[-1].width / 2 - offsets[-1]
    for item, mean, offset in zip(row, means, offsets, strict=True):
        item.x = min(max(mean, low), high) + offset


def _tops(rows: list[list[Item]]) -> tuple[list[float], float]:
    """Where each layer begins, and the height of the whole; lanes get the height of their layer."""
    tops = []
    y: float = MARGIN
    for row in rows:
        tops.append(y)
        height = max(item.height for item in row)
        for item in row:
            item.height = height if item.room is None else item.height
        y += height + LAYER_GAP
    return tops, y - LAYER_GAP + MARGIN


def _edges(rows: list[list[Item]], tops: list[float]) -> list[str]:
    """One path per edge, from card to card by way of its lanes."""
    leaving = {id(item): _ports(item, item.below) for row in rows for item in row}
    entering = {id(item): _ports(item, item.above) for row in rows for item in row}
    top_of = {id(item): top for row, top in zip(rows, tops, strict=True) for item in row}
    paths = []
    for row in rows:
        for item in row:
            for end in item.below if item.room else ():
                paths.append(_path(item, end, leaving, entering, top_of))
    return paths


def _path(
    start: Item,
    end: Item,
    leaving: Mapping[int, Mapping[int, float]],
    entering: Mapping[int, Mapping[int, float]],
    top_of: Mapping[int, float],
) -> str:
    x, y = leaving[id(start)][id(end)], top_of[id(start)] + start.height
    steps = [f"M{x:.1f},{y:.1f}"]
    names = [start.room.name if start.room else ""]
    before = start
    while True:
        to_x, to_y = entering[id(end)][id(before)], top_of[id(end)]
        gap_top = to_y - LAYER_GAP
        steps.append(f"L{x:.1f},{gap_top:.1f}")
        middle = (gap_top + to_y) / 2
        steps.append(f"C{x:.1f},{middle:.1f} {to_x:.1f},{middle:.1f} {to_x:.1f},{to_y:.1f}")
        if end.room:
            names.append(end.room.name)
            break
        x, y = to_x, to_y
        before, end = end, end.below[0]
    return f'<path class="edge" d="{" ".join(steps)}"><title>{" imports ".join(names)}</title></path>'


def _ports(item: Item, neighbours: list[Item]) -> dict[int, float]:
    """Where edges meet an item: opposite to their other ends where that is possible, and apart."""
    if item.room is None:
        return {id(one): item.x for one in neighbours}
    ordered = sorted(neighbours, key=lambda one: one.x)
    ports = [Item(PORT - GAP, room=item.room) for _ in ordered]
    low, high = item.x - item.width / 2 + PORT, item.x + item.width / 2 - PORT
    if ports:
        _fit(ports, [min(max(one.x, low), high) for one in ordered])
    return {id(one): port.x for one, port in zip(ordered, ports, strict=True)}


def _card(
    room: Room, rooms: Sequence[Room], x: float, y: float, width: float, height: float, scale: float
) -> list[str]:
    """The card of a room: its name and lines, and a row with a bar, or a card, for each sub-package."""
    house = _is_house(room, rooms)
    parts = [
        f'<rect class="{"house" if house else "card"}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}"'
        f' height="{height:.1f}" rx="5"><title>{escape(room.purpose)}</title></rect>',
        *_label(room, x + PADDING, x + width - PADDING, y + HEADER - 7, "name"),
    ]
    if house:
        return parts + _cards(room, rooms, x + PADDING, y + HEADER + PADDING / 2, width - 2 * PADDING, scale)
    for number, one in enumerate(_inside(room, rooms)):
        top = y + HEADER + number * ROW
        depth = one.name.count(".") - room.name.count(".") - 1
        bar = f'width="{one.lines * scale:.1f}" height="{ROW - 2}"'
        parts.append(f'<rect class="bar" x="{x + 1:.1f}" y="{top + 1:.1f}" {bar}/>')
        parts += _label(one, x + PADDING + depth * INDENT, x + width - PADDING, top + ROW - 5, "part")
    return parts


def _cards(house: Room, rooms: Sequence[Room], x: float, y: float, width: float, scale: float) -> list[str]:
    columns, foundation = _columns(house, rooms)
    parts: list[str] = []
    for number, one in enumerate(columns):
        parts += _card(one, rooms, x + number * (COLUMN + PADDING), y, COLUMN, _size(one, rooms)[1], scale)
    y += max(_size(one, rooms)[1] for one in columns) + PADDING
    for one in foundation:
        height = _size(one, rooms)[1]
        parts += _card(one, rooms, x, y, width, height, scale)
        y += height + PADDING
    return parts


def _label(room: Room, left: float, right: float, baseline: float, kind: str) -> list[str]:
    name = escape(room.name.rpartition(".")[2])
    return [
        f'<text class="{kind}" x="{left:.1f}" y="{baseline:.1f}">{name}</text>',
        f'<text class="lines" x="{right:.1f}" y="{baseline:.1f}">{room.lines:,}</text>',
    ]
