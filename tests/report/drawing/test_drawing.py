"""Pictures as SVG and DOT: to the letter for a few, and for random ones that nothing is missing or in the way.
`UPDATE_SNAPSHOTS=1 pytest` rewrites the expected files; look at them before they are committed."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from heapwright.program.heap_picture import Fact, HeapArrow, HeapNode, HeapPicture
from heapwright.report.drawing.dot import heap_dot
from heapwright.report.drawing.scene import Rectangle, Scene, scene_of
from heapwright.report.drawing.svg import svg
from heapwright.testing.call_budget import call_budget

SNAPSHOTS = Path(__file__).with_name("snapshots")


def arrow(text: str) -> HeapArrow:
    """`x>1` is a variable's, `1.next>2` a field's; `~` instead of `>` makes it uncertain."""
    source, mark, target = re.split("([>~])", text)
    name, _, label = source.partition(".")
    return HeapArrow(
        int(name) if name.isdigit() else name, label, int(target) if target.isdigit() else target, mark == ">"
    )


def picture(nodes: tuple[HeapNode, ...], arrows: str, **more: object) -> HeapPicture:
    return HeapPicture(nodes, tuple(map(arrow, arrows.split())), **more)  # type: ignore[arg-type]


PICTURES = {
    "list": picture(
        (
            HeapNode(1),
            HeapNode(2, summary=True, facts=(Fact("r[x]"), Fact("c", certain=False))),
            HeapNode(3, facts=(Fact("r[x]"),)),
            HeapNode(4, summary=True, optional=True),
        ),
        "x>1 1.next~2 2.next~2 2.next~3 y>3 t~3 3.next~4 4.next~4 z>null",
        data=(("n", "4"),),
        facts=(Fact("done", certain=False),),
    ),
    "doubly-linked": picture(
        (HeapNode(1), HeapNode(2), HeapNode(3, summary=True)),
        "x>1 1.next>2 2.prev>1 y>2 2.next~3 3.prev~2 3.next~3 3.prev~3",
    ),
    "circular": picture(tuple(HeapNode(i) for i in range(1, 5)), "head>1 1.next>2 2.next>3 3.next>4 4.next>1 tail>4"),
    "tree": picture(
        (
            HeapNode(1, "tree", data=(("key", "5"),)),
            HeapNode(2, "tree", summary=True, facts=(Fact("r[root]"),)),
            HeapNode(3, "tree", state="freed"),
        ),
        "root>1 1.left~2 1.right>3 2.left~2 2.right~2 2.up>1 t>3 p~3",
    ),
    "concrete": picture(
        (HeapNode(2, "queue", "stack"), HeapNode(1, "node", state="freed"), HeapNode(3, "int", count=4)),
        "&queue>2 queue>2 2.first>null 2.last>1 node>3",
        data=(("value", "1"),),
    ),
    "empty": picture((), "x>null y>junk"),
}


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("kind", ["svg", "dot"])
def test_to_the_letter(name: str, kind: str) -> None:
    text = svg(PICTURES[name], name) if kind == "svg" else heap_dot(PICTURES[name])
    path = SNAPSHOTS / f"{name}.{kind}"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "tree"),
    [("list", False), ("doubly-linked", False), ("circular", False), ("tree", True), ("concrete", False)],
)
def test_lists_flow_to_the_right_and_trees_downwards(name: str, tree: bool) -> None:
    scene = scene_of(PICTURES[name])
    assert scene.tree is tree
    for edge in scene.edges:
        first, second = scene.nodes[edge.source], scene.nodes[edge.target]
        if edge.label in ("next", "left", "right") and edge.target > edge.source:
            assert (first.y < second.y) if tree else (first.x < second.x and abs(first.y - second.y) < 1)


def random_picture(seed: int) -> HeapPicture:
    source = random.Random(seed)
    n = source.randrange(1, 9)
    nodes = tuple(
        HeapNode(
            i + 1,
            source.choice(("", "node", "a_long_name")),
            state=source.choice(("live", "freed")),
            data=tuple((f"d{k}", str(k)) for k in range(source.randrange(3))),
            summary=source.random() < 0.3,
            optional=source.random() < 0.2,
            facts=tuple(Fact(f"r[{k},next]", source.random() < 0.5) for k in range(source.randrange(4))),
        )
        for i in range(n)
    )
    places = {(i, f, j) for i in range(1, n + 1) for f in ("next", "prev", "left") for j in range(1, n + 1)}
    links = [
        HeapArrow(i, f, j, source.random() < 0.5)
        for i, f, j in sorted(places)
        if source.random() < source.choice((0.5, 1.5)) / n
    ]
    names = [HeapArrow(f"v{i}", "", source.randrange(1, n + 1), source.random() < 0.7) for i in range(3)]
    return HeapPicture(nodes, (*names, *links, HeapArrow("w", "", "null")), (("n", "1"),))


def overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def nothing_in_the_way(scene: Scene) -> None:
    boxes = [node.box for node in scene.nodes] + [edge.box for edge in scene.edges]
    for one, other in combinations(boxes, 2):
        assert not overlap(one, other)
    for left, top, right, bottom in boxes:
        assert 0 <= left <= right <= scene.width
        assert 0 <= top <= bottom <= scene.height


@pytest.mark.exhaustive(15)
@pytest.mark.parametrize("seed", range(500))
def test_nothing_is_missing_and_nothing_in_the_way(seed: int) -> None:
    drawn = random_picture(seed)
    nothing_in_the_way(scene_of(drawn))
    root = ElementTree.fromstring(svg(drawn))
    texts = Counter(element.text for element in root.iter("{http://www.w3.org/2000/svg}text"))
    for node in drawn.nodes:
        assert texts[f"#{node.id}" + (f" {node.type}" if node.type else "")] == 1
    groups: dict[tuple[object, object, bool], list[str]] = {}
    for link in drawn.arrows:
        if isinstance(link.source, int):
            groups.setdefault((link.source, link.target, link.certain), []).append(link.label)
    for label, count in Counter(", ".join(labels) for labels in groups.values()).items():
        assert texts[label] == count
    for variable in ("v0", "v1", "v2"):
        assert any(variable in (text or "").split(", ") for text in texts)
    assert texts["w = null"] == 1


@pytest.mark.parametrize("name", PICTURES)
def test_nothing_is_in_the_way(name: str) -> None:
    nothing_in_the_way(scene_of(PICTURES[name]))


def test_names_cannot_break_out() -> None:
    evil = '</text><script>"&\x07'
    nodes = (HeapNode(1, evil, data=((evil, evil),), facts=(Fact(evil),)),)
    hostile = HeapPicture(nodes, (HeapArrow(evil, "", 1), HeapArrow(1, evil, 1)), ((evil, evil),))
    text = svg(hostile, evil)
    root = ElementTree.fromstring(text)
    assert not [element for element in root.iter() if "script" in element.tag]
    assert "<script" not in text
    assert '\\"' in heap_dot(hostile)


def test_a_large_heap_is_drawn_soon() -> None:
    nodes = tuple(HeapNode(i) for i in range(30))
    source = random.Random(1)
    links = [HeapArrow(i, "next", i + 1) for i in range(29)]
    links += [HeapArrow(i, "other", source.randrange(30)) for i in range(30)]
    with call_budget(2_000_000):
        nothing_in_the_way(scene_of(HeapPicture(nodes, tuple(links))))


def test_an_empty_heap_says_so() -> None:
    assert ">empty</text>" in svg(HeapPicture((), ()))
    assert "empty" in heap_dot(HeapPicture((), ()))
