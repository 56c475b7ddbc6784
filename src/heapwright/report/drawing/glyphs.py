"""The glyph of a node and its size: body, variables that point to it, self-loops, and labels.

In a list, which is laid out to the right, variables are above their node, loops and labels below it; in a tree, which
is laid out downwards, variables are on the left, loops and labels on the right. Distances are from the centre of the
body.

>>> text_width("next", 10.0)
24.08
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.program.heap_picture import HeapNode
from heapwright.report.terminal.heap_text import STATES

FONT, SMALL = 12.0, 10.0
CHARACTER = 0.602  # width of a monospaced character, by its size
ROUND = 15.0  # radius of a plain node
OUTLINE = 4.0  # between the two lines of a summary node
POINTER = 16.0  # length of a variable's arrow
LINE, SMALL_LINE = 15.0, 12.0
LOOP = 15.0
WIDEST_FACTS = 16  # characters
MOST_DATA = 6


def text_width(text: str, size: float) -> float:
    cells = sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
    return round(cells * size * CHARACTER, 2)


@dataclass(frozen=True, slots=True)
class Names:
    """Variables that point to a node, and the position of their text: its middle, or its end in a tree."""

    text: str
    certain: bool
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Loop:
    """A self-loop: its width, and the distance of its turning point from the body."""

    label: str
    certain: bool
    width: float
    depth: float


@dataclass(frozen=True, slots=True)
class Glyph:
    """`a` and `b` are half the width and height of the body, the second outline of a summary node included."""

    node: HeapNode
    lines: tuple[str, ...]
    a: float
    b: float
    names: tuple[Names, ...]
    loops: tuple[Loop, ...]
    facts: tuple[str, ...]
    left: float
    right: float
    up: float
    down: float

    @property
    def radius(self) -> float:
        """Of the body's corners."""
        return min(self.a, self.b, ROUND + OUTLINE)

    def boundary(self, x: float, y: float) -> tuple[float, float]:
        """The intersection of a ray from the centre with the outline of the body."""
        length = math.hypot(x, y) or 1.0
        x, y = x / length, y / length
        inside, outside = 0.0, self.a + self.b
        for _ in range(20):
            middle = (inside + outside) / 2
            if self._contains(middle * x, middle * y):
                inside = middle
            else:
                outside = middle
        return outside * x, outside * y

    def _contains(self, x: float, y: float) -> bool:
        x, y = abs(x) - (self.a - self.radius), abs(y) - (self.b - self.radius)
        return math.hypot(max(x, 0.0), max(y, 0.0)) <= self.radius


def make_glyph(
    node: HeapNode,
    lines: tuple[str, ...],
    names: Sequence[tuple[str, bool]],
    loops: Sequence[tuple[str, bool]],
    *,
    tree: bool,
) -> Glyph:
    """The glyph of a node. `lines` are printed inside the body; `names` and `loops` are pairs of text and
    definiteness."""
    widest = max(text_width(line, FONT) for line in lines)
    a = b = ROUND
    if len(lines) > 1 or widest > 2 * ROUND - 6:
        a, b = max(ROUND, widest / 2 + 9), max(ROUND, len(lines) * LINE / 2 + 5)
    if node.summary:
        a, b = a + OUTLINE, b + OUTLINE
    facts = _folded([str(fact) for fact in node.facts])
    return (_in_tree if tree else _in_list)(node, lines, a, b, names, loops, facts)


def inside(node: HeapNode, fields: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The lines of text in a node's body; `fields` have no target node (null, junk)."""
    title = f"#{node.id}" + (f" {node.type}" if node.type else "")
    if node.count is not None and not node.type.endswith("]"):
        title += f"[{node.count}]"
    shown = [f"{name}: {value}" for name, value in (*node.data, *fields)]
    more = ["…"] if len(shown) > MOST_DATA else []
    state = STATES.get(node.state, node.state)
    return (title, *shown[:MOST_DATA], *more, *([f"({state})"] if state else []))


def _folded(words: Sequence[str]) -> tuple[str, ...]:
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) < WIDEST_FACTS:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def _in_list(
    node: HeapNode,
    lines: tuple[str, ...],
    a: float,
    b: float,
    names: Sequence[tuple[str, bool]],
    loops: Sequence[tuple[str, bool]],
    facts: tuple[str, ...],
) -> Glyph:
    widths = [text_width(text, FONT) for text, _ in names]
    total = sum(widths) + 12 * max(len(widths) - 1, 0)
    labels: list[Names] = []
    x = -total / 2
    for (text, certain), width in zip(names, widths, strict=True):
        labels.append(Names(text, certain, x + width / 2, -b - POINTER - 3))
        x += width + 12
    drawn: list[Loop] = []
    depth, half, down = LOOP, 10.0, b
    for label, certain in loops:
        drawn.append(Loop(label, certain, half, depth))
        down = b + depth + SMALL_LINE
        half, depth = max(half + 8, text_width(label, SMALL) / 2 + 8), depth + SMALL_LINE + 8
    reach = max([a, total / 2, *(loop.width for loop in drawn), *(text_width(x, SMALL) / 2 for x in facts)])
    reach = max([reach, *(text_width(loop.label, SMALL) / 2 for loop in drawn)])
    up = b + (POINTER + LINE if names else 0.0)
    down += len(facts) * SMALL_LINE + (3 if facts else 0)
    return Glyph(node, lines, a, b, tuple(labels), tuple(drawn), facts, reach, reach, up, down)


def _in_tree(
    node: HeapNode,
    lines: tuple[str, ...],
    a: float,
    b: float,
    names: Sequence[tuple[str, bool]],
    loops: Sequence[tuple[str, bool]],
    facts: tuple[str, ...],
) -> Glyph:
    labels = [
        Names(text, certain, -a - POINTER - 3, (index - (len(names) - 1) / 2) * LINE)
        for index, (text, certain) in enumerate(names)
    ]
    left = a + (POINTER + 3 + max(text_width(name.text, FONT) for name in labels) if labels else 0.0)
    drawn: list[Loop] = []
    depth, right, half = LOOP, a, 10.0
    for label, certain in loops:
        drawn.append(Loop(label, certain, half, depth))
        right = a + depth + text_width(label, SMALL) + 6
        depth, half = right - a + 4, half + 8
    if facts:
        right += 4 + max(text_width(fact, SMALL) for fact in facts)
    tall = max([b, len(names) * LINE / 2, *(loop.width for loop in drawn)])
    down = max(tall, len(facts) * SMALL_LINE - b)  # facts start at the top of the body, or are centred
    return Glyph(node, lines, a, b, tuple(labels), tuple(drawn), facts, left, right, tall, down)
