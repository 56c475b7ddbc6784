"""Programs as text and as DOT."""

from __future__ import annotations

from support.assembler import assemble
from support.running import NODE

from heapwright.program.graph_dot import program_dot
from heapwright.program.printer import format_command, format_program

TEXT = """
type head 16: next@0 -> head, prev@8 -> head
type item 24: value@0: i32, link@8 part head
type int[] 4: [] : i32
var x -> item
var l -> head
var a -> int[]
var i: u8
l = &x.link
x = owner l item.link
x = new item mayfail zeroed
a = new int[] count (3)
a[1] = 2
havoc i 0 9
x.value = i + 1
x = any item
assume !acyclic(l, next)
if i <= 4 goto end
free x
"""


def test_every_edge_is_a_line() -> None:
    program = assemble(TEXT)
    lines = format_program(program).splitlines()
    assert "L0 --[ l = x.link$ ]--> L1   t.c:8   checks: leak" in lines
    assert "L1 --[ x = l.owner$item.link ]--> L2   t.c:9   checks: leak" in lines
    assert "L2 --[ x = new item in heap zeroed or null ]--> L3   t.c:10   checks: leak" in lines
    assert "L5 --[ havoc i: u8 in 0..9 from __VERIFIER_nondet_int ]--> L6   t.c:13" in lines
    assert "L9 --[ assume i > 4 ]--> L10   t.c:17" in lines
    assert sum(line.startswith("L") for line in lines) == len(program.graph.edges)


def test_commands_are_readable() -> None:
    texts = [format_command(edge.command) for edge in assemble(TEXT).graph.edges]
    assert "x.value = i + 1" in texts
    assert "assume !acyclic(l, next)" in texts
    assert "a[1] = 2" in texts


def test_dot_names_every_location_and_edge() -> None:
    program = assemble(NODE + "l:\np = new node\nif p == q goto l\nfree p")
    text = program_dot(program)
    assert text.startswith("digraph")
    assert text.count(" -> ") == len(program.graph.edges)
    assert "peripheries=2" in text  # the loop head
    assert text.count('[label="L') == len(program.graph.postorder)
