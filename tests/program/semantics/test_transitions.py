"""What each command does, and which check fails on which pointer."""

from __future__ import annotations

import pytest
from support.running import NODE, ended, outcome

from heapwright.program.checks import CheckKind, Goal
from heapwright.program.trace import Ending

CASES = {
    # --- dereferences
    "null": ("p = null\nq = p.next", "null-deref:9"),
    "uninitialised": ("q = p.next", "invalid-deref:8"),
    "junk field": ("p = new node\nq = p.next\nq = q.next", "invalid-deref:10"),
    "freed": ("p = new node\nfree p\ni = p.data", "use-after-free:10"),
    "left": ("p = new node stack\nleave p\ni = p.data", "invalid-deref:10"),
    "static lives on": ("p = new node static zeroed\nleave q\ni = p.data\nassert i == 0", "exit"),
    "store to null": ("p = null\np.data = 1", "null-deref:9"),
    "store to freed": ("p = new node\nq = p\nfree p\nq.next = null", "use-after-free:11"),
    "zeroed": ("p = new node zeroed\nq = p.next\nassert q == null\nfree p", "exit"),
    "store and load": ("p = new node\np.data = 5\ni = p.data\nassert i == 5\nfree p", "exit"),
    "too small": ("p = new node size (8)\np.next = null\np.data = 1", "bounds:10"),
    "larger than its type": ("p = new node size (32)\np.data = 1\nfree p", "exit"),
    "beside a single object": ("p = new node\nq = p + 1\ni = q.data", "bounds:10"),
    "and back": ("p = new node\np.data = 3\nq = p + 1\nq = q + -1\ni = q.data\nassert i == 3\nfree p", "exit"),
    # --- free
    "free null": ("p = null\nfree p", "exit"),
    "free twice": ("p = new node\nq = p\nfree p\nfree q", "double-free:11"),
    "free junk": ("free p", "invalid-free:8"),
    "free stack": ("p = new node stack\nfree p", "invalid-free:9"),
    "free static": ("p = new node static\nfree p", "invalid-free:9"),
    "free beside": ("p = new node\nq = p + 1\nfree q", "invalid-free:10"),
    # --- leaks
    "overwritten": ("p = new node\np = null", "leak:9"),
    "copied first": ("p = new node\nq = p\np = null\nfree q", "exit"),
    "through a field": ("p = new node\nq = new node\np.next = q\nq = null\nfree p", "leak:12"),
    "a cycle": ("p = new node\np.next = p\np = null", "leak:10"),
    "field overwritten": ("p = new node\nq = new node\np.next = q\nq = null\np.next = null", "leak:12"),
    "stack holder leaves": ("p = new node\nq = new node stack\nq.next = p\np = null\nleave q", "leak:12"),
    "freed holder keeps nothing": ("p = new node\nq = new node\np.next = q\nfree p\nq = null", "leak:12"),
    # --- assertions and assumptions
    "assert": ("i = 1\nassert i == 2", "assert:9"),
    "assume": ("i = 1\nassume i == 2", "blocked"),
    "branch": ("i = 3\nif i > 2 goto end\nassert i == 0", "exit"),
    # --- integers
    "wraps": ("i = 2147483647\ni = i + 1\nassert i == -2147483648", "exit"),
    "narrows": ("i = i32(i8(300))\nassert i == 44", "exit"),
    "divides towards zero": ("i = -7\ni = i / 2\nassert i == -3", "exit"),
    "not": ("i = 0\ni = !i\nassert i == 1", "exit"),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_a_command_does_what_it_says(text: str, expected: str) -> None:
    assert outcome(NODE + text) == expected


ARRAYS = """
type int[] 4: [] : i32
type node 16: next@0 -> node, data@8: i32
type node*[] 8: [] -> node
type node[] 16: [] of node
type int 4: v@0: i32
type row 12: [3] : i32
type matrix 24: [2] of row
type packet 4: n@0: i32, data@4 part int[]
var r -> matrix
var c -> row
var k -> packet
var a -> int[]
var b -> int[]
var x -> node*[]
var s -> node
var t -> node
var u -> int
var v -> void
var i: i32
var n: i32
"""

ARRAY_CASES = {
    "cells": ("a = new int[] count (3)\na[2] = 7\ni = a[2]\nassert i == 7\nfree a", "exit"),
    "beyond the end": ("a = new int[] count (3)\na[3] = 7", "bounds:22"),
    "before the start": ("a = new int[] count (3)\ni = a[-1]", "bounds:22"),
    "zeroed cells": ("a = new int[] count (3) zeroed\ni = a[1]\nassert i == 0\nfree a", "exit"),
    "a pointer into it": ("a = new int[] count (3)\na[1] = 4\nb = a + 1\ni = b[0]\nassert i == 4\nfree a", "exit"),
    "and beyond": ("a = new int[] count (3)\nb = a + 2\nb[1] = 4", "bounds:23"),
    "and back": ("a = new int[] count (3)\nb = a + 5\nb = b + -5\nassert a == b\nfree b", "exit"),
    "distance": ("a = new int[] count (3)\nb = a + 2\ni = dist b a\nassert i == 2\nfree a", "exit"),
    "order": ("a = new int[] count (3)\nb = a + 2\nassert a < b\nfree a", "exit"),
    "length": ("a = new int[] count (3)\nn = len a\nassert n == 3\nfree a", "exit"),
    "pointers": (
        "x = new node*[] count (2) zeroed\ns = new node\nx[1] = s\ns = null\ns = x[1]\nfree s\nfree x",
        "exit",
    ),
    "lost cell": ("x = new node*[] count (2)\ns = new node\nx[1] = s\ns = null\nx[1] = null", "leak:25"),
    "elements": (
        "s = new node[] count (2)\nt = s + 1\nt.data = 3\nt = s\nt = t + 1\ni = t.data\nassert i == 3\nfree s",
        "exit",
    ),
    "element beyond": ("s = new node[] count (2)\nt = s + 2\nt.data = 3", "bounds:23"),
    "element beyond and back": ("s = new node[] count (2)\nt = s + 2\nt = t + -1\nt.data = 3\nfree s", "exit"),
    "elements are distinct": ("s = new node[] count (2)\nt = s + 1\nassert s != t\nfree s", "exit"),
    "an element keeps the block": ("s = new node[] count (2)\ns = s + 1\ns = s + -1\nfree s", "exit"),
    "free an element": ("s = new node[] count (2)\nt = s + 1\nfree t", "invalid-free:23"),
    "huge": ("a = new int[] count (1000000)\na[999999] = 1\nfree a", "exit"),
    "negative count": ("i = -1\na = new int[] count (i)", "blocked"),
    "size in bytes": ("a = new int[] count (4) size (10)\na[1] = 1\na[2] = 1", "bounds:23"),
    "untyped, one": ("v = new untyped size (16)\ns = (node) v\ns.data = 1\nfree v", "exit"),
    "untyped, many": ("v = new untyped size (32)\ns = (node) v\nt = s + 1\nt.data = 1\nfree v", "exit"),
    "untyped scalars": ("v = new untyped size (8)\nu = (int) v\nu = u + 1\nu.v = 1\nfree v", "exit"),
    "untyped, too small": ("v = new untyped size (8)\ns = (node) v\ns.next = null\ns.data = 1", "bounds:24"),
    "a cell as a box": (
        "a = new int[] count (2)\nu = (int) a\nu = u + 1\nu.v = 3\ni = a[1]\nassert i == 3\nfree a",
        "exit",
    ),
    "rows of a matrix": ("r = new matrix stack\nr = r + 1\nc = r\nc[2] = 5\nc = c + -2\ni = c[5]", "bounds:26"),
    "cells of a row": ("r = new matrix stack\nc = r\nc = c + 1\nc[1] = 5\ni = c[1]\nassert i == 5\nleave r", "exit"),
    "a flexible array": ("k = new packet size (12)\nc = &k.data\nc[1] = 2\nc[2] = 3", "bounds:24"),
    "a wrong cast": ("a = new int[] count (8)\na[0] = 1\ns = (node) a\nt = s.next\nt = t.next", "cut"),
}


@pytest.mark.parametrize(("text", "expected"), ARRAY_CASES.values(), ids=ARRAY_CASES.keys())
def test_arrays(text: str, expected: str) -> None:
    assert outcome(ARRAYS + text) == expected


PARTS = """
type head 16: next@0 -> head, prev@8 -> head
type item 24: value@0: i32, link@8 part head
type first 24: link@0 part head, value@16: i32
var x -> item
var y -> item
var f -> first
var g -> first
var l -> head
var m -> head
var i: i32
"""

PART_CASES = {
    "down and up": ("x = new item\nl = &x.link\ny = owner l item.link\nassert x == y\nfree x", "exit"),
    "a part keeps its owner": ("x = new item\nl = &x.link\nx = null\nx = owner l item.link\nfree x", "exit"),
    "a part is no start": ("x = new item\nl = &x.link\nfree l", "invalid-free:13"),
    "a part at offset 0 is": ("f = new first\nl = &f.link\nfree l", "exit"),
    "same address": ("f = new first\nl = &f.link\nassert l == f\nfree f", "exit"),
    "cast to the part": ("f = new first\nl = (head) f\nl.next = null\nm = &f.link\nassert l == m\nfree f", "exit"),
    "cast to the owner": ("f = new first\nl = &f.link\ng = (first) l\ng.value = 1\nfree g", "exit"),
    "freed parts": ("x = new item\nl = &x.link\nfree x\nm = l.next", "use-after-free:14"),
    "links survive": ("x = new item\nfree x\nl = &x.link\ny = owner l item.link\nassert x == y", "exit"),
    "no owner": ("l = new head\nx = owner l item.link\ni = x.value", "invalid-deref:13"),
    "no owner, the same each time": (
        "l = new head\nx = owner l item.link\ny = owner l item.link\nassert x == y\nfree l",
        "exit",
    ),
    "no owner and back": ("l = new head\nx = owner l item.link\nm = &x.link\nassert l == m\nfree m", "exit"),
    "no owner keeps the part": ("l = new head\nx = owner l item.link\nl = null\nl = &x.link\nfree l", "exit"),
    "null down": ("x = null\nl = &x.link\nassert l != null\nm = l.next", "null-deref:14"),
    "null down and up": ("x = null\nl = &x.link\nx = owner l item.link\nassert x == null", "exit"),
    "null up and down": ("l = null\nx = owner l item.link\nassert x != null\nl = &x.link\nassert l == null", "exit"),
    "null down at offset 0": ("f = null\nl = &f.link\nassert l == null", "exit"),
    "null up at offset 0": ("l = null\nf = owner l first.link\nassert f == null", "exit"),
}


@pytest.mark.parametrize(("text", "expected"), PART_CASES.values(), ids=PART_CASES.keys())
def test_parts_and_owners(text: str, expected: str) -> None:
    assert outcome(PARTS + text, 1) == expected


def test_an_allocation_may_fail() -> None:
    text = NODE + "p = new node mayfail\np.data = 1\nfree p"
    assert outcome(text, 1) == "null-deref:9"
    assert outcome(text, 0) == "exit"


def test_a_dangling_pointer_may_equal_a_later_block() -> None:
    text = NODE + "p = new node\nfree p\nq = new node\nassert p != q\nfree q"
    assert outcome(text, 0) == "exit"
    run = ended(text, 1)
    assert run.violation is not None
    assert not run.exact


def test_a_dangling_pointer_differs_from_an_earlier_block() -> None:
    assert outcome(NODE + "q = new node\np = new node\nfree p\nassert p != q\nfree q", 1) == "exit"


def test_a_scrambled_pointer_is_unknown_and_data_is_what_its_bytes_say() -> None:
    text = NODE + "p = new node\np.data = 1\np.next = p\nscramble p.data\nscramble p.next\n"
    assert outcome(text + "i = p.data\nassert i == 1\nq = p.next\nq.data = 2") == "cut"


def test_an_approximation_that_nothing_looks_at_does_not_count() -> None:
    run = ended(NODE + "havoc i approximate\nj = i\nassert n == 1", 3)
    assert run.ending is Ending.VIOLATION
    assert run.exact


def test_uninitialised_fields_are_inputs_of_their_block() -> None:
    run = ended(NODE + "q = new node\np = new node\ni = p.data\nassert i == 0\nfree p\nfree q", 5)
    assert [(c.source, c.value, c.block, c.offset, c.size) for c in run.choices] == [("uninitialised", 5, 1, 8, 4)]


def test_checks_that_are_not_selected_are_assumptions() -> None:
    goal = Goal(frozenset((CheckKind.ASSERT,)))
    run = ended(NODE + "p = null\nq = p.next", goal=goal)
    assert run.ending is Ending.BLOCKED
    assert "null-deref" in run.reason
    assert outcome(NODE + "p = new node\np = null", goal=goal) == "exit"


def test_cleanup_wants_everything_freed() -> None:
    text = NODE + "p = new node\ncleanup"
    assert outcome(text) == "exit"
    assert outcome(text, goal=Goal(cleanup=True)) == "leak:9"


def test_steps_are_bounded() -> None:
    run = ended(NODE + "l:\ngoto l", max_steps=100)
    assert run.ending is Ending.CUT


def test_either_way() -> None:
    text = NODE + "branch end\nassert n == 1"
    assert outcome(text, 0) == "exit"
    assert outcome(text, 1) == "assert:9"


TEMPORARY = NODE + "tmp t -> node\n"


def test_a_temporary_is_a_root_while_it_is_needed() -> None:
    assert outcome(TEMPORARY + "t = new node\np = t\nfree p") == "exit"
    assert outcome(TEMPORARY + "t = new node\np = null") == "leak:9"


def test_input_heaps_are_decided_as_they_are_read() -> None:
    text = NODE + "p = any node\nif p == null goto end\nq = p.next\nassert q == p"
    assert outcome(text, 0) == "exit"
    assert outcome(text, 1, 2) == "exit"
    assert outcome(text, 1, 0) == "assert:11"
    assert outcome(text, 1, 1) == "assert:11"
    run = ended(text, 1, 1)
    assert [(c.source, c.value, c.block, c.offset, c.target) for c in run.choices] == [
        ("input pointer", 1, -1, 0, 0),
        ("input pointer", 1, 0, 0, 1),
    ]
