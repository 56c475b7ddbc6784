"""Figures 1b, 3, 6 and 7, the counters of section 4.2, and the reduction of section 5, as claims about the engine.

The engine's summaries are held against Definition 1 written out over sets of vectors, each of which is the set of its
flags that are 1. Where the paper prints something else, the claim says what its own operators give.

>>> sorted("".join(sorted(vector)) for vector in folded({frozenset("ad"), frozenset("bc")}, {"c": "a", "d": "b"}))
['a', 'b']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import combinations, pairwise
from typing import Any

from heapwright.base.errors import LimitReached
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.fixpoint import Analysis
from heapwright.engines.fesa.graph import abstract_heap as g
from heapwright.engines.fesa.graph.lattice import Lattice
from heapwright.engines.fesa.graph.reduction import Reduction
from heapwright.engines.fesa.graph.summaries import Summaries
from heapwright.engines.fesa.graph.widening import LOOPS
from heapwright.engines.fesa.numeric.api import vectors
from heapwright.engines.fesa.numeric.bdd import Diagrams
from heapwright.program.types import Storage
from heapwright.reproduce.isolated_measurement import program_of
from heapwright.reproduce.reproduction import Claim

Vectors = set[frozenset[str]]
VISITS = 200  # the longest analysis here takes 172; without a fixpoint, heaps grow with each
PRINTED_6F = {"001", "010", "101", "110"}


# --- Definition 1, over sets of vectors ------------------------------------------------------------------------------


def dropped(found: Vectors, flags: Iterable[str]) -> Vectors:
    return {vector - frozenset(flags) for vector in found}


def swapped(found: Vectors, pairs: Mapping[str, str]) -> Vectors:
    both = {**pairs, **{other: one for one, other in pairs.items()}}
    return {frozenset(both.get(flag, flag) for flag in vector) for vector in found}


def folded(found: Vectors, onto: Mapping[str, str]) -> Vectors:
    return dropped(found | swapped(found, onto), onto)


def expanded(found: Vectors, copies: Mapping[str, str]) -> Vectors:
    new = list(copies.values())
    subsets = [frozenset(some) for size in range(len(new) + 1) for some in combinations(new, size)]
    added = {vector | subset for vector in found for subset in subsets}
    return added & swapped(added, copies)


def equated(found: Vectors, pairs: Mapping[str, str]) -> Vectors:
    """New flags that equal others."""
    return {vector | {new for new, old in pairs.items() if old in vector} for vector in found}


def figure_6c() -> Vectors:
    """The list x -> A -> B -> C, with B folded onto A."""
    start = equated({frozenset(("xA", "AB", "BC"))}, {"oA": "AB", "iB": "AB", "iA": "BA", "oB": "BA"})
    return folded(dropped(start, ["AB", "BA"]), {"xB": "xA", "BC": "AC", "CB": "CA", "iB": "iA", "oB": "oA"})


def figure_6f() -> Vectors:
    """And C folded onto the summary."""
    apart = folded(equated(figure_6c(), {"iC": "AC", "oC": "CA"}), {"CA": "iA", "AC": "oA"})
    return folded(apart, {"xC": "xA", "iC": "iA", "oC": "oA"})


def figure_7b() -> Vectors:
    """D taken out of the summary of Figure 6f."""
    found = expanded(figure_6f(), {"xA": "xD", "iA": "iD", "oA": "oD"})
    found = swapped(found, {"iD": "AD", "oD": "DA"})
    found = expanded(found, {"iA": "i'", "oA": "o'"})
    kept = {v for v in found if ("AD" in v) == ("o'" in v) and ("DA" in v) == ("i'" in v)}
    return dropped(kept, ["i'", "o'"])


# --- the engine ------------------------------------------------------------------------------------------------------


class _World:
    """Heaps of plain nodes A, B, C, ... that lead to one another along `next`."""

    def __init__(self) -> None:
        self.domain = Diagrams(g.home, nodes=1 << 16)
        self.lattice = Lattice(self.domain)
        self.summaries = Summaries(self.domain, self.lattice)
        self.reduction = Reduction(self.domain, self.lattice)

    def heap(self, nodes: str, flags: Iterable[g.Flag]) -> g.Heap[Any]:
        found = frozenset(flags)
        function = self.domain.top()
        for flag in sorted(found):
            function = self.domain.meet(function, self.domain.literal(flag))
        return g.Heap({_name(node): g.Node("node", Storage.HEAP) for node in nodes}, found, function)

    def vectors(self, heap: g.Heap[Any], names: Mapping[str, g.Flag]) -> Vectors:
        known = {name: flag for name, flag in names.items() if flag in heap.flags}  # the others are 0
        found = vectors(self.domain, heap.function, tuple(known.values()))
        return {frozenset(name for name, value in zip(known, vector, strict=True) if value) for vector in found}

    def list(self, length: int, *, ends: bool = False) -> g.Heap[Any]:
        """x leads to a list of so many nodes; `ends`: y to its last, and nodes say whether they exist."""
        nodes = "ABCDEF"[:length]
        flags = [_edge("x", nodes[0]), *(_edge(*pair) for pair in pairwise(nodes))]
        if ends:
            flags += [_edge("y", nodes[-1]), *(g.exists(_name(node)) for node in nodes)]
        return self.heap(nodes, flags)

    def lists(self, most: int) -> g.Heap[Any]:
        """Figure 3: lists of up to so many nodes, joined, and all nodes in one summary."""
        heap = self.list(1, ends=True)
        for length in range(2, most + 1):
            heap = self.lattice.join(heap, self.list(length, ends=True))
        for node in "BCDEF"[: most - 1]:
            heap = self.summaries.summarized(heap, _name("A"), _name(node))
        return heap

    def same(self, one: g.Heap[Any], other: g.Heap[Any]) -> bool:
        return self.lattice.leq(one, other) and self.lattice.leq(other, one)


def _name(node: str) -> g.Name:
    return g.Name("n", (node,))


def _cell(name: str) -> g.Cell:
    return g.variable(name) if name.islower() else g.Cell(_name(name), "next")


def _edge(source: str, target: str) -> g.Flag:
    return g.edge(_cell(source), _name(target))


def _ghosts(node: str) -> dict[str, g.Flag]:
    return {f"i{node}": g.into(_name(node), "next"), f"o{node}": g.out(_name(node), "next")}


def _edges(*pairs: str) -> dict[str, g.Flag]:
    return {pair: _edge(*pair) for pair in pairs}


def figures() -> Iterator[Claim]:
    yield from _summaries()
    yield from _lists()
    yield _saturation()
    yield _figure_1b()
    yield _reduction()


def _summaries() -> Iterator[Claim]:
    world = _World()
    first = world.summaries.summarized(world.list(3), _name("A"), _name("B"))
    found = world.vectors(first, {**_edges("xA", "AC", "CA"), **_ghosts("A")})
    yield Claim("Figure 6c: two nodes of a list, summarised as Definition 1 says", found == figure_6c(), _text(found))
    both = world.summaries.summarized(first, _name("A"), _name("C"))
    found = world.vectors(both, {**_edges("xA"), **_ghosts("A")})
    yield Claim("Figure 6f: and the third, as Definition 1 says", found == figure_6f(), _text(found))
    digits = {"".join(str(int(flag in vector)) for flag in ("xA", "iA", "oA")) for vector in found}
    yield Claim(
        "the set printed for Figure 6f is a misprint: it lacks roles that Definition 1 gives, as of the last node",
        digits == {"000", "001", "010", "100", "101"} != PRINTED_6F,
        f"x, i, o: {', '.join(sorted(digits))}; printed: {', '.join(sorted(PRINTED_6F))}",
    )
    taken = world.summaries.materialized(both, _name("A"), _name("D"))[-1]
    found = world.vectors(taken, {**_edges("xA", "xD", "AD", "DA"), **_ghosts("A")})
    yield Claim("Figure 7b: a node taken out of the summary", found == figure_7b(), f"{len(found)} vectors")


def _lists() -> Iterator[Claim]:
    world = _World()
    three, four, five = (world.lists(most) for most in (3, 4, 5))
    yield Claim("section 1: the summary of lists is a fixpoint, of up to four nodes", world.same(four, five))
    yield Claim("section 1 says of up to three; lists of four add a role to those", not world.same(three, four))


def _saturation() -> Claim:
    """Five fields come to point to a node, and one no longer does."""
    world = _World()
    node, seen = _name("A"), []
    edges = [_edge(source, "A") for source in "BCDEF"]
    heap = world.heap("ABCDEF", [g.exists(node), *edges])
    for flag, up in (*((flag, True) for flag in edges), (edges[0], False)):
        heap = world.reduction.counted(heap, flag, up=up)
        bits = vectors(world.domain, heap.function, (g.count(node, 0), g.count(node, 1)))
        seen.append("|".join(str(low + 2 * high) for low, high in sorted(bits)))
    return Claim(
        "section 4.2: counters of two bits saturate", seen == ["1", "2", "3", "3", "3", "2|3"], ", ".join(seen)
    )


def analysed(program: str, instrumentation: g.Instrumentation) -> Analysis[Any]:
    """A program under the widening of the paper alone."""
    analysis: Analysis[Any] = Analysis(
        program_of("fesa", program), Diagrams(g.home), instrumentation, Limits(states=VISITS), NullProgress(), LOOPS
    )
    with suppress(LimitReached):  # it is then not complete
        analysis.run()
    return analysis


def _figure_1b() -> Claim:
    analysis = analysed("singly-linked-list", g.Instrumentation())
    head = analysis.heaps[min(analysis.program.graph.loop_heads)]
    kinds = [node.summary for node in head.nodes.values()]
    holds = analysis.complete and kinds == [True]
    return Claim("Figure 1b: one summary for the list at the head of the loop that builds it", holds, f"{len(kinds)}")


def _reduction() -> Claim:
    """Why deallocate-tree has no warning here, and one in the paper."""
    without = analysed("deallocate-tree", g.Instrumentation(seen=False))
    kinds = sorted({check.kind.value for check in without.program.checks if check.id in without.alarms()} - {"leak"})
    return Claim(
        "deallocate-tree has the warning of the paper where a counter may be less than the edges that are seen",
        without.complete and bool(kinds),
        ", ".join(kinds),
    )


def _text(found: Vectors) -> str:
    return "; ".join(sorted(" ".join(sorted(vector)) or "none" for vector in found))
