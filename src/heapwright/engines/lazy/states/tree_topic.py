"""The abstract reachability tree for people: its nodes in preorder, chains of steps on one line as one row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from heapwright.engines.lazy.art.reachability_tree import Node
from heapwright.engines.lazy.logic import terms as t
from heapwright.result.explanation import Topic, TreeRow

if TYPE_CHECKING:
    from heapwright.engines.lazy.art.cegar_loop import Search

MOST_ROWS = 2_000
MOST_TEXT = 300  # characters of a cube


def tree_topics(search: Search) -> tuple[Topic, ...]:
    rows = list(_rows(search))
    nodes = sum(1 for _ in search.tree.nodes())
    said = [f"{nodes} nodes. A node that is covered is not followed: another one has all its states."]
    if len(rows) > MOST_ROWS:
        said.append(f"The first {MOST_ROWS} of {len(rows)} rows are shown.")
    return (Topic("Abstract reachability tree", tuple(said), tree=tuple(rows[:MOST_ROWS])),)


def _rows(search: Search) -> Iterator[TreeRow]:
    """Indented where the tree branches."""
    waiting: list[tuple[Node, int, tuple[str, int] | None]] = [(root, 0, None) for root in search.tree.roots[::-1]]
    while waiting:
        node, depth, above = waiting.pop()
        children = [child for child in node.children or () if child.alive]
        line = _line(search, node) or above
        end = _end(search, node, children)
        if line != above or len(children) > 1 or end:
            yield TreeRow(depth, _name(search, node, line), _known(node), end)
        deeper = depth + (len(children) > 1)
        waiting += [(child, deeper, line) for child in children[::-1]]


def _line(search: Search, node: Node) -> tuple[str, int] | None:
    """The line of the next command, if it is of the user's."""
    edges = search.program.graph.successors[node.location]
    span = edges[0].span if edges else None
    return (span.file, span.line) if span and span.line and span.file in search.program.files else None


def _name(search: Search, node: Node, line: tuple[str, int] | None) -> str:
    if line is None:
        return f"node {node.number}"
    lines = search.program.sources.get(line[0], "").splitlines()
    text = lines[line[1] - 1].strip() if line[1] <= len(lines) else ""
    return f"node {node.number}, line {line[1]}: {text}"


def _known(node: Node) -> str:
    cube = t.text(t.conj(node.state.cube))
    count = sum(len(region.structures) for region in node.state.shapes.values() if region is not None)
    shapes = f"{count} structure{'' if count == 1 else 's'}" if count else "no shapes"
    short = cube if len(cube) <= MOST_TEXT else cube[: MOST_TEXT - 1] + "…"
    return shapes if cube == "true" else f"{short}; {shapes}"


def _end(search: Search, node: Node, children: list[Node]) -> str:
    coverer = search.covering.coverers.get(node.number)
    if coverer is not None:
        return f"covered by node {coverer.number}"
    if children:
        return ""
    return "no way on" if search.program.graph.successors[node.location] else "end of the program"
