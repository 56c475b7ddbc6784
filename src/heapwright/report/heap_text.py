"""A heap picture as terminal text: one line per variable that points somewhere, following links as far as they go.

    x ──> #1 node {data: 3} ──next──> #2 node (freed) ──next──> null

An object is spelled out where it is first met, and named by its number afterwards; its other links get lines of their
own below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from heapwright.program.trace import HeapArrow, HeapNode, HeapPicture

MOST_LINES = 24
DEEPEST = 8  # indentation
INDENT = "  "
MOST_DATA = 6  # fields or cells of one object


def heap_lines(picture: HeapPicture, *, most: int = MOST_LINES) -> list[str]:
    """The picture, a line at a time; no more than `most` of them."""
    drawing = _Drawing({node.id: node for node in picture.nodes}, _links(picture))
    lines: list[str] = []
    if picture.data:
        lines.append(", ".join(f"{name} = {value}" for name, value in picture.data))
    for arrow in picture.arrows:
        if isinstance(arrow.source, str):
            lines.extend(drawing.chain(arrow.source, arrow))
    pointed_to = {arrow.target for arrow in picture.arrows}
    for node in sorted(picture.nodes, key=lambda node: node.id in pointed_to):
        if node.id not in drawing.drawn:  # what no variable leads to: a leak, most likely
            lines.extend(drawing.lost(node))
    if len(lines) > most:
        rest = len(lines) - most + 1
        lines[most - 1 :] = [f"… {rest} more lines"]
    return lines


@dataclass
class _Drawing:
    nodes: Mapping[int, HeapNode]
    links: Mapping[int, tuple[HeapArrow, ...]]
    drawn: set[int] = field(default_factory=set)

    def chain(self, start: str, arrow: HeapArrow) -> Iterator[str]:
        """The line that begins with an arrow, and below it lines for the links that it leaves aside, and so on."""
        waiting = [(0, start, arrow)]
        while waiting:
            depth, start, arrow = waiting.pop()
            text, aside = self._line(start, arrow)
            yield INDENT * min(depth, DEEPEST) + text
            waiting.extend((depth + 1, f"#{source}", link) for source, link in reversed(aside))

    def lost(self, node: HeapNode) -> Iterator[str]:
        """An object that nothing drawn so far points to, with what it points to."""
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

    def _line(self, start: str, arrow: HeapArrow) -> tuple[str, list[tuple[int, HeapArrow]]]:
        """Follows links from one object to the next until one leads to what is drawn already, and gives the links that
        were passed by."""
        text = start + self._first(arrow) + self._name(arrow.target)
        aside: list[tuple[int, HeapArrow]] = []
        target = arrow.target
        while isinstance(target, int) and target in self.nodes and target not in self.drawn:
            self.drawn.add(target)
            onward = self._main_link(target)
            aside.extend((target, link) for link in self.links.get(target, ()) if link is not onward)
            if onward is None:
                break
            text += f" ──{onward.label}──> {self._name(onward.target)}"
            target = onward.target
        return text, aside

    @staticmethod
    def _first(arrow: HeapArrow) -> str:
        of_variable = isinstance(arrow.source, str)
        return " ──> " if of_variable or not arrow.label else f" ──{arrow.label}──> "

    def _main_link(self, node: int) -> HeapArrow | None:
        """The link that a line goes on with: the first to an object not drawn yet, else the first of all."""
        links = self.links.get(node, ())
        fresh = (link for link in links if isinstance(link.target, int) and link.target not in self.drawn)
        return next(fresh, links[0] if links else None)

    def _name(self, target: int | str) -> str:
        node = self.nodes.get(target) if isinstance(target, int) else None
        if node is None:
            return f"#{target}" if isinstance(target, int) else target
        if node.id in self.drawn:
            return f"#{node.id}"
        return describe(node)


def describe(node: HeapNode) -> str:
    """One object: `#2 node {data: 3} (freed)`."""
    text = f"#{node.id}"
    if node.type:
        text += f" {node.type}"
    if node.count is not None and not node.type.endswith("]"):
        text += f"[{node.count}]"
    if node.data:
        shown = [f"{name}: {value}" for name, value in node.data[:MOST_DATA]]
        text += " {" + ", ".join(shown) + (", …" if len(node.data) > MOST_DATA else "") + "}"
    state = {"live": "", "freed": "freed", "ended": "out of scope", "outside": "no such object"}.get(
        node.state, node.state
    )
    return f"{text} ({state})" if state else text


def _links(picture: HeapPicture) -> dict[int, tuple[HeapArrow, ...]]:
    table: dict[int, list[HeapArrow]] = {}
    for arrow in picture.arrows:
        if isinstance(arrow.source, int):
            table.setdefault(arrow.source, []).append(arrow)
    return {source: tuple(arrows) for source, arrows in table.items()}
