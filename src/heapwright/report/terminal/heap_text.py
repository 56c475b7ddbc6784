"""A heap picture as terminal text: a line per chain of links that starts at a variable.

    x, y ──> #1 node {data: 3} ──next──> #2+ node {r[x]} ┄┄next┄┄> #2
    t ──> null

An object is described at its first occurrence, and named by its number afterwards; its other links have lines of their
own below. Summary nodes: `+` is one or more objects, `*` any number; `?` is one object or none. Dotted arrows and
predicates in parentheses are indefinite (1/2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from heapwright.program.heap_picture import HeapArrow, HeapNode, HeapPicture, presented

MOST_LINES = 24
DEEPEST = 8  # maximum indentation
INDENT = "  "
MOST_DATA = 6  # fields or cells per object
STATES = {"live": "", "freed": "freed", "ended": "out of scope", "outside": "no such object"}
TO_ASCII = str.maketrans({"─": "-", "┄": ".", "…": "..."})


def heap_lines(picture: HeapPicture, *, most: int = MOST_LINES, width: int = 0, ascii: bool = False) -> list[str]:
    """The lines of a picture: `most` at most, broken between links to fit `width` (0: unlimited)."""
    picture = presented(picture)
    drawing = _Drawing({node.id: node for node in picture.nodes}, _links(picture), width)
    lines: list[str] = []
    notes = [*(f"{name} = {value}" for name, value in picture.data), *map(str, picture.facts)]
    if notes:
        lines.append(", ".join(notes))
    for names, arrow in _starts(picture):
        lines.extend(drawing.chain(names, arrow))
    pointed_to = {arrow.target for arrow in picture.arrows}
    for node in sorted(picture.nodes, key=lambda node: node.id in pointed_to):
        if node.id not in drawing.drawn:
            lines.extend(drawing.garbage(node))
    if len(lines) > most:
        rest = len(lines) - most + 1
        lines[most - 1 :] = [f"… {rest} more lines"]
    return [line.translate(TO_ASCII) for line in lines] if ascii else lines


def _starts(picture: HeapPicture) -> Iterator[tuple[str, HeapArrow]]:
    """The arrows of variables; variables with the same target share one."""
    groups: dict[tuple[int | str, str, bool], list[HeapArrow]] = {}
    for arrow in picture.arrows:
        if isinstance(arrow.source, str):
            groups.setdefault((arrow.target, arrow.label, arrow.certain), []).append(arrow)
    for arrows in groups.values():
        yield ", ".join(str(arrow.source) for arrow in arrows), arrows[0]


@dataclass
class _Drawing:
    nodes: Mapping[int, HeapNode]
    links: Mapping[int, tuple[HeapArrow, ...]]
    width: int = 0
    drawn: set[int] = field(default_factory=set)

    def chain(self, start: str, arrow: HeapArrow) -> Iterator[str]:
        """The line that starts with an arrow, and indented below it the lines of links that branch off."""
        waiting = [(0, start, arrow)]
        while waiting:
            depth, start, arrow = waiting.pop()
            pieces, aside = self._line(start, arrow)
            yield from self._fitted(INDENT * min(depth, DEEPEST), pieces)
            waiting.extend((depth + 1, f"#{source}", link) for source, link in reversed(aside))

    def _fitted(self, indent: str, pieces: list[str]) -> Iterator[str]:
        """One line of all pieces, or several, broken between them."""
        line = indent + pieces[0]
        for piece in pieces[1:]:
            if self.width and len(line) + len(piece) > self.width and len(line) > len(indent) + 2 * len(INDENT):
                yield line
                line = indent + 2 * INDENT + piece.lstrip()
            else:
                line += piece
        yield line

    def garbage(self, node: HeapNode) -> Iterator[str]:
        """An object that no variable reaches (garbage), with its links."""
        start = self._name(node.id)
        self.drawn.add(node.id)
        onward = self._main_link(node.id)
        if onward is None:
            yield start
            return
        yield from self.chain(start, onward)
        for link in self.links[node.id]:
            if link is not onward:
                yield from (INDENT + line for line in self.chain(f"#{node.id}", link))

    def _line(self, start: str, arrow: HeapArrow) -> tuple[list[str], list[tuple[int, HeapArrow]]]:
        """Follows main links until an object that is drawn already; also returns the links that branch off."""
        pieces = [start, self._piece(arrow)]
        aside: list[tuple[int, HeapArrow]] = []
        target = arrow.target
        while isinstance(target, int) and target in self.nodes and target not in self.drawn:
            self.drawn.add(target)
            onward = self._main_link(target)
            aside.extend((target, link) for link in self.links.get(target, ()) if link is not onward)
            if onward is None:
                break
            pieces.append(self._piece(onward))
            target = onward.target
        return pieces, aside

    def _piece(self, arrow: HeapArrow) -> str:
        """An arrow and its target."""
        line = "──" if arrow.certain else "┄┄"
        label = f"{arrow.label}{line}" if arrow.label else ""
        return f" {line}{label}> {self._name(arrow.target)}"

    def _main_link(self, node: int) -> HeapArrow | None:
        """The link that continues a line: the first to an object that is not drawn yet, else the first of all."""
        links = self.links.get(node, ())
        fresh = [link for link in links if isinstance(link.target, int) and link.target not in self.drawn]
        certain = next((link for link in fresh if link.certain), None)
        return certain or (fresh[0] if fresh else links[0] if links else None)

    def _name(self, target: int | str) -> str:
        node = self.nodes.get(target) if isinstance(target, int) else None
        if node is None:
            return f"#{target}" if isinstance(target, int) else target
        if node.id in self.drawn:
            return f"#{node.id}"
        return describe(node)


def describe(node: HeapNode) -> str:
    """One object: `#2 node {data: 3} (freed)`."""
    text = f"#{node.id}{number_mark(node)}"
    if node.type:
        text += f" {node.type}"
    if node.count is not None and not node.type.endswith("]"):
        text += f"[{node.count}]"
    shown = [f"{name}: {value}" for name, value in node.data[:MOST_DATA]]
    if len(node.data) > MOST_DATA:
        shown.append("…")
    shown += map(str, node.facts)
    if shown:
        text += " {" + ", ".join(shown) + "}"
    state = STATES.get(node.state, node.state)
    return f"{text} ({state})" if state else text


def number_mark(node: HeapNode) -> str:
    """The number of objects that a node denotes: `+` one or more, `*` any number, `?` one or none, "" exactly one."""
    return ("*" if node.optional else "+") if node.summary else "?" if node.optional else ""


def _links(picture: HeapPicture) -> dict[int, tuple[HeapArrow, ...]]:
    table: dict[int, list[HeapArrow]] = {}
    for arrow in picture.arrows:
        if isinstance(arrow.source, int):
            table.setdefault(arrow.source, []).append(arrow)
    return {source: tuple(arrows) for source, arrows in table.items()}
