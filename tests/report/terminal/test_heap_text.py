"""Heap pictures as text."""

from __future__ import annotations

import pytest

from heapwright.program.heap_picture import Fact, HeapArrow, HeapNode, HeapPicture
from heapwright.report.terminal.heap_text import describe, heap_lines


def node(number: int, state: str = "live", **data: str) -> HeapNode:
    return HeapNode(number, "node", "heap", state, tuple(data.items()), None, None)


def arrows(*links: str) -> tuple[HeapArrow, ...]:
    """From words such as `x>1` (a variable) and `1.next>null`."""
    made = []
    for link in links:
        source, target = link.split(">")
        name, _, label = source.partition(".")
        made.append(
            HeapArrow(int(name) if name.isdigit() else name, label, int(target) if target.isdigit() else target)
        )
    return tuple(made)


@pytest.mark.parametrize(
    ("nodes", "links", "expected"),
    [
        ((), ("x>null", "y>junk"), ["x ──> null", "y ──> junk"]),
        ((node(1, data="3"),), ("x>1", "1.next>null"), ["x ──> #1 node {data: 3} ──next──> null"]),
        ((node(1),), ("x>1", "y>1", "1.next>1"), ["x, y ──> #1 node ──next──> #1"]),
        ((node(1), node(2)), ("x>1", "1.next>2", "2.next>1"), ["x ──> #1 node ──next──> #2 node ──next──> #1"]),
        (
            (node(1), node(2), node(3)),
            ("t>1", "1.left>2", "1.right>3", "2.left>null", "2.right>null", "3.left>null", "3.right>null"),
            [
                "t ──> #1 node ──left──> #2 node ──left──> null",
                "  #1 ──right──> #3 node ──left──> null",
                "    #3 ──right──> null",
                "  #2 ──right──> null",
            ],
        ),
        ((node(1, "freed"),), ("x>1",), ["x ──> #1 node (freed)"]),
        ((node(1, "ended"),), ("x>1",), ["x ──> #1 node (out of scope)"]),
        (
            (node(1), node(2)),
            ("x>null", "1.next>2", "2.next>null"),
            ["x ──> null", "#1 node ──next──> #2 node ──next──> null"],
        ),
        ((node(1), node(2)), ("2.next>1", "1.next>null"), ["#2 node ──next──> #1 node ──next──> null"]),
        ((node(7),), (), ["#7 node"]),
    ],
)
def test_lines(nodes: tuple[HeapNode, ...], links: tuple[str, ...], expected: list[str]) -> None:
    assert heap_lines(HeapPicture(nodes, arrows(*links), ())) == expected


def test_what_an_analysis_knows() -> None:
    """Summary and optional nodes are marked, what is not certain is dotted or in parentheses."""
    nodes = (
        HeapNode(1),
        HeapNode(2, summary=True, facts=(Fact("r[x]"), Fact("c", certain=False))),
        HeapNode(3, optional=True),
        HeapNode(4, summary=True, optional=True, data=(("key", "1"),)),
    )
    links = (
        HeapArrow("x", "", 1),
        HeapArrow("y", "", 1, certain=False),
        HeapArrow(1, "n", 2, certain=False),
        HeapArrow(2, "n", 2, certain=False),
        HeapArrow(2, "n", 3),
        HeapArrow("z", "", 4),
    )
    picture = HeapPicture(nodes, links, facts=(Fact("done"), Fact("found", certain=False)))
    assert heap_lines(picture) == [
        "done, (found)",
        "x ──> #1 ┄┄n┄┄> #2+ {r[x], (c)} ──n──> #3?",
        "  #2 ┄┄n┄┄> #2",
        "y ┄┄> #1",
        "z ──> #4* {key: 1}",
    ]
    assert heap_lines(picture, ascii=True)[1] == "x --> #1 ..n..> #2+ {r[x], (c)} --n--> #3?"


def test_chains_are_broken_to_fit() -> None:
    nodes = tuple(node(i) for i in range(1, 7))
    links = (HeapArrow("x", "", 1), *(HeapArrow(i, "next", i + 1) for i in range(1, 6)))
    lines = heap_lines(HeapPicture(nodes, links), width=40)
    assert max(map(len, lines)) <= 40
    assert lines[0] == "x ──> #1 node ──next──> #2 node"
    assert lines[1].startswith("    ──next──> #3 node")
    assert "".join(line.strip() for line in lines).count("node") == 6


def test_data_comes_first_and_long_pictures_are_cut() -> None:
    picture = HeapPicture((), tuple(HeapArrow(f"v{i}", str(i), "null") for i in range(50)), (("n", "4"),))
    lines = heap_lines(picture, most=5)
    assert lines[0] == "n = 4"
    assert lines[-1] == "… 47 more lines"
    assert len(lines) == 5


def test_arrays_and_long_data() -> None:
    cells = tuple((f"[{i}]", str(i)) for i in range(9))
    array = HeapNode(4, "int", "heap", "live", cells, None, None, count=9)
    assert describe(array) == "#4 int[9] {[0]: 0, [1]: 1, [2]: 2, [3]: 3, [4]: 4, [5]: 5, …}"


def test_a_thousand_objects_in_a_row_do_no_harm() -> None:
    nodes = tuple(node(i) for i in range(5000))
    links = tuple(HeapArrow(i, "next", i + 1) for i in range(4999))
    assert heap_lines(HeapPicture(nodes, (HeapArrow("x", "", 0), *links), ()))


def test_a_deep_tree_does_no_harm() -> None:
    """Each object links to a leaf first: drawing must not need a stack as deep as the heap."""
    nodes = tuple(node(i) for i in range(6000))
    links = [
        HeapArrow(i, label, target) for i in range(0, 5998, 2) for label, target in (("left", i + 1), ("right", i + 2))
    ]
    lines = heap_lines(HeapPicture(nodes, (HeapArrow("x", "", 0), *links), ()))
    assert max(map(len, lines)) < 100
