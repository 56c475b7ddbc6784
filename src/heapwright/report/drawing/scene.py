"""The layout of a picture: positions of nodes, edges and labels.

A picture is laid out to the right, or downwards as a tree if two fields of one node point to different new nodes. Back
fields such as `prev`, the inverse of another field, do not count.

>>> from heapwright.program.heap_picture import HeapArrow, HeapNode, HeapPicture
>>> scene = scene_of(HeapPicture((HeapNode(1), HeapNode(2)), (HeapArrow("x", "", 1), HeapArrow(1, "n", 2))))
>>> [node.x < scene.nodes[1].x for node in scene.nodes], scene.edges[0].label
([True, False], 'n')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heapwright.base.immutable import EMPTY
from heapwright.program.heap_picture import HeapArrow, HeapPicture
from heapwright.report.drawing.glyphs import SMALL, SMALL_LINE, Glyph, inside, make_glyph, text_width
from heapwright.report.drawing.layers import Edge, Layers, layered
from heapwright.report.drawing.positions import Extent, across, along

MARGIN = 12.0
NOTE_LINE = 15.0
THIN = 3.0  # room on either side of a line
BACK = frozenset(("prev", "previous", "prv", "pred", "back", "bk", "blink", "parent", "up", "owner", "pprev"))

Rectangle = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class SceneNode:
    glyph: Glyph
    x: float
    y: float

    @property
    def box(self) -> Rectangle:
        glyph = self.glyph
        return self.x - glyph.left, self.y - glyph.up, self.x + glyph.right, self.y + glyph.down


@dataclass(frozen=True, slots=True)
class SceneEdge:
    """An edge along points, of which the first and the last are the centres of its nodes."""

    source: int
    target: int
    label: str
    certain: bool
    points: tuple[tuple[float, float], ...]
    text: tuple[float, float]  # middle of the label
    box: Rectangle  # of the label


@dataclass(frozen=True)
class Scene:
    """`nodes` are in the order of the picture; edges refer to them by index. `notes` are printed in a corner."""

    width: float
    height: float
    tree: bool
    notes: tuple[str, ...]
    nodes: tuple[SceneNode, ...]
    edges: tuple[SceneEdge, ...]


@dataclass(frozen=True, slots=True)
class _Link:
    """Arrows from one node to another that share a line."""

    source: int
    target: int
    labels: tuple[str, ...]
    certain: bool

    @property
    def label(self) -> str:
        return ", ".join(self.labels)


def scene_of(picture: HeapPicture, lines: Mapping[int, tuple[str, ...]] = EMPTY) -> Scene:
    """The layout of a picture. `lines` are the texts in the bodies of nodes, if they are others than usual."""
    links = _links(picture)
    drawn = [link for link in links if link.source != link.target]
    back = _back_labels(drawn)
    edges = [(link.source, link.target, all(label in back for label in link.labels)) for link in drawn]
    tree = _branches(picture, drawn, back)
    glyphs = [
        make_glyph(
            node,
            lines[node.id] if node.id in lines else inside(node, empty_fields(picture, node.id)),
            variables_of(picture, node.id),
            [(link.label, link.certain) for link in links if link.source == link.target == index],
            tree=tree,
        )
        for index, node in enumerate(picture.nodes)
    ]
    layers = layered(len(glyphs), edges)
    return _positioned(glyphs, drawn, edges, layers, tree, notes_of(picture))


def grows_down(picture: HeapPicture) -> bool:
    """Whether it is drawn as a tree."""
    links = [link for link in _links(picture) if link.source != link.target]
    return _branches(picture, links, _back_labels(links))


# --- edges and layout direction --------------------------------------------------------------------------------------


def _links(picture: HeapPicture) -> list[_Link]:
    index = {node.id: number for number, node in enumerate(picture.nodes)}
    groups: dict[tuple[int, int, bool], list[str]] = {}
    for arrow in picture.arrows:
        source, target = arrow.source, arrow.target
        if isinstance(source, int) and isinstance(target, int) and source in index and target in index:
            groups.setdefault((index[source], index[target], arrow.certain), []).append(arrow.label)
    return [_Link(u, v, tuple(labels), certain) for (u, v, certain), labels in groups.items()]


def _back_labels(links: Sequence[_Link]) -> frozenset[str]:
    """Back fields: by name, or because another field is always their inverse."""
    arrows = [(link.source, label, link.target) for link in links for label in link.labels]
    labels = list(dict.fromkeys(label for _, label, _ in arrows))
    found = {label for label in labels if label.lower().rpartition(".")[2] in BACK}
    for number, label in enumerate(labels):
        onward = [other for other in labels[:number] if other not in found]
        forward = {(u, v) for u, other, v in arrows if other in onward}
        if label not in found and all((v, u) in forward for u, other, v in arrows if other == label):
            found.add(label)
    return frozenset(found)


def _branches(picture: HeapPicture, links: Sequence[_Link], back: frozenset[str]) -> bool:
    """Whether, in breadth-first order, two fields of one node discover new nodes. Links between different types, as
    from the head of a queue to its ends, do not count."""
    types = [node.type for node in picture.nodes]
    links = [link for link in links if types[link.source] == types[link.target]]
    met: set[int] = set()
    for start in range(len(types)):
        waiting = [start]
        met.add(start)
        for node in waiting:  # grows during the iteration
            fields: set[str] = set()
            for link in links:
                onward = [label for label in link.labels if label not in back]
                if link.source == node and link.target not in met and onward:
                    met.add(link.target)
                    waiting.append(link.target)
                    fields.add(onward[0])
            if len(fields) > 1:
                return True
    return False


def variables_of(picture: HeapPicture, node: int) -> list[tuple[str, bool]]:
    """The variables that point to a node, grouped by definiteness."""
    groups: dict[bool, list[str]] = {}
    for arrow in picture.arrows:
        if arrow.target == node and isinstance(arrow.source, str):
            groups.setdefault(arrow.certain, []).append(f"{arrow.source} {arrow.label}".rstrip())
    return [(", ".join(names), certain) for certain, names in groups.items()]


def empty_fields(picture: HeapPicture, node: int) -> list[tuple[str, str]]:
    """Fields of a node without a target node: null, junk."""
    drawn = {other.id for other in picture.nodes}
    return [(a.label, str(a.target)) for a in picture.arrows if a.source == node and a.target not in drawn]


def notes_of(picture: HeapPicture) -> tuple[str, ...]:
    """Facts about the whole heap, and variables that point to no node."""
    notes = [f"{name} = {value}" for name, value in picture.data]
    notes += map(str, picture.facts)
    nowhere: dict[int | str, list[str]] = {}
    drawn = {node.id for node in picture.nodes}
    for arrow in picture.arrows:
        if isinstance(arrow.source, str) and arrow.target not in drawn:
            nowhere.setdefault(arrow.target, []).append(_note(arrow))
    notes += (f"{', '.join(names)} = {target}" for target, names in nowhere.items())
    return tuple(notes) if notes or picture.nodes else ("empty",)


def _note(arrow: HeapArrow) -> str:
    return str(arrow.source) if arrow.certain else f"({arrow.source})"


# --- coordinates -----------------------------------------------------------------------------------------------------


def _positioned(
    glyphs: Sequence[Glyph],
    links: Sequence[_Link],
    edges: Sequence[Edge],
    layers: Layers,
    tree: bool,
    notes: tuple[str, ...],
) -> Scene:
    extents: list[Extent] = []
    for slot in layers.slots:
        if slot.node >= 0:
            extents.append(_extent(glyphs[slot.node], tree))
        elif slot.label:
            extents.append(_label_extent(links[slot.edge].label, edges[slot.edge][2], tree))
        else:
            extents.append(Extent(THIN, THIN, 0.0, 0.0))
    by_layer, by_slot = along(layers, extents), across(layers, extents, edges)
    points = [(by_layer[slot.layer], by_slot[number]) for number, slot in enumerate(layers.slots)]
    if tree:
        points = [(y, x) for x, y in points]
    first = min((at - extents[number].before for number, at in enumerate(by_slot)), default=0.0)
    last = max((at + extents[number].after for number, at in enumerate(by_slot)), default=0.0)
    end = max((by_layer[p.layer] + extents[i].front for i, p in enumerate(layers.slots)), default=0.0)
    top = MARGIN + NOTE_LINE * len(notes) + (6 if notes and glyphs else 0)
    dx, dy = (MARGIN - first, top) if tree else (MARGIN, top - first)
    points = [(x + dx, y + dy) for x, y in points]
    width, height = (last - first, end) if tree else (end, last - first)
    width = max([width, *(text_width(note, SMALL + 1) for note in notes)])
    nodes = tuple(SceneNode(glyph, *points[number]) for number, glyph in enumerate(glyphs))
    drawn = tuple(
        _edge(link, edge[2], [points[p] for p in (edge[0], *route, edge[1])], _label_point(layers, route, points), tree)
        for link, edge, route in zip(links, edges, layers.routes, strict=True)
    )
    return Scene(width + 2 * MARGIN, top + height + MARGIN, tree, notes, nodes, drawn)


def _extent(glyph: Glyph, tree: bool) -> Extent:
    if tree:
        return Extent(glyph.left, glyph.right, glyph.up, glyph.down)
    return Extent(glyph.up, glyph.down, glyph.left, glyph.right)


def _label_extent(label: str, back: bool, tree: bool) -> Extent:
    """The extent of a label beside its line: above or on the right; below or on the left for a back edge."""
    width = text_width(label, SMALL)
    room = width + 2 * THIN if tree else SMALL_LINE + THIN
    half = SMALL_LINE / 2 if tree else max(width / 2, 8.0)
    right = tree is not back  # labels of a tree come after the line, labels of a list before it
    return Extent(THIN if right else room, room if right else THIN, half, half)


def _label_point(layers: Layers, route: Sequence[int], points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return next(points[slot] for slot in route if layers.slots[slot].label)


def _edge(link: _Link, back: bool, points: list[tuple[float, float]], at: tuple[float, float], tree: bool) -> SceneEdge:
    width = text_width(link.label, SMALL)
    side = 1 if tree is not back else -1
    x, y = at
    if tree:
        x += side * (THIN + width / 2)
    else:
        y += side * (THIN + SMALL_LINE / 2)
    box = (x - width / 2, y - SMALL_LINE / 2, x + width / 2, y + SMALL_LINE / 2)
    return SceneEdge(link.source, link.target, link.label, link.certain, tuple(points), (x, y), box)
