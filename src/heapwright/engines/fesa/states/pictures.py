"""Abstract heaps as pictures: the graph, and the roles that the objects of a summary play.

In the graph a summary is drawn as one node, with its ghost as itself. What the Boolean function says of a summary shows
in its roles: which variables point to an object, where its fields lead, who leads to it. Each role is a picture with
the object in the middle and another one of the same summary beside it, where they are connected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Generic

from heapwright.engines.fesa.graph import abstract_heap as g
from heapwright.engines.fesa.numeric.api import Numeric, vectors
from heapwright.program.graph import Program
from heapwright.program.heap_picture import Fact, HeapArrow, HeapNode, HeapPicture

MOST_ROLES = 12
OTHER = 0  # the number of the ghost in the picture of a role


class Pictures(Generic[g.F]):
    def __init__(
        self, program: Program, domain: Numeric[g.F], words: Callable[[g.Heap[g.F]], Iterable[str]] = lambda heap: ()
    ) -> None:
        """`words` describes the shapes of a heap."""
        self.program = program
        self.domain = domain
        self.words = words

    def all(self, heap: g.Heap[g.F]) -> tuple[HeapPicture, ...]:
        """The graph with its shapes in words, then the roles of each summary."""
        summaries = [name for name in sorted(heap.nodes) if heap.nodes[name].summary]
        graph = replace(self.graph(heap), facts=tuple(map(Fact, self.words(heap))))
        return (graph, *(role for name in summaries for role in self.roles(heap, name)))

    # --- the graph ---------------------------------------------------------------------------------------------------

    def graph(self, heap: g.Heap[g.F]) -> HeapPicture:
        numbers = {name: number for number, name in enumerate(sorted(heap.nodes), start=1)}
        nodes = tuple(self._node(heap, name, number) for name, number in numbers.items())
        arrows: list[HeapArrow] = []
        for flag in sorted(heap.flags):
            may = self.domain.values(heap.function, flag)
            if flag.kind == "edge" and may[1]:
                target: int | str = "junk" if flag.node == g.JUNK else numbers[flag.node]
                certain = not may[0] and self._plain(heap, flag)
                arrows += self._arrow(flag.cell, numbers, target, certain)
            elif flag.kind == "out" and may[1]:
                arrows.append(HeapArrow(numbers[flag.node], flag.field, numbers[flag.node], False))
        arrows += self._nulls(heap)
        return HeapPicture(nodes, tuple(arrows))

    def _plain(self, heap: g.Heap[g.F], flag: g.Flag) -> bool:
        ends = [name for name in (flag.node, flag.cell.node) if name in heap.nodes]
        return not any(heap.nodes[name].summary for name in ends)

    def _node(self, heap: g.Heap[g.F], name: g.Name, number: int) -> HeapNode:
        node = heap.nodes[name]
        alive = self.domain.values(heap.function, g.exists(name)) if g.exists(name) in heap.flags else (True, False)
        state = "live" if alive[1] else "freed"
        optional = alive == (True, True)
        return HeapNode(number, node.type, node.storage.value, state, summary=node.summary, optional=optional)

    def _arrow(self, cell: g.Cell, numbers: dict[g.Name, int], target: int | str, certain: bool) -> Iterator[HeapArrow]:
        if cell.is_field:
            yield HeapArrow(numbers[cell.node], cell.field, target, certain)
        elif self.program.variables[cell.field].source_name:
            yield HeapArrow(self.program.variables[cell.field].source_name, "", target, certain)

    def _nulls(self, heap: g.Heap[g.F]) -> Iterator[HeapArrow]:
        """Variables that are null, if they are tracked."""
        for flag in sorted(heap.flags):
            if flag.kind == "some" and not flag.cell.is_field:
                zero, one = self.domain.values(heap.function, flag)
                name = self.program.variables[flag.cell.field].source_name
                if zero and name:
                    yield HeapArrow(name, "", "null", not one)

    # --- roles -------------------------------------------------------------------------------------------------------

    def roles(self, heap: g.Heap[g.F], summary: g.Name) -> list[HeapPicture]:
        """Pictures of the objects of a summary, one for each case; the first few if there are very many."""
        own = [flag for flag in heap.flags_of(summary) if self._tells(flag)]
        found: dict[HeapPicture, None] = {}
        for vector in vectors(self.domain, heap.function, tuple(own)):
            true = {flag for flag, value in zip(own, vector, strict=True) if value}
            if g.exists(summary) in true:
                found[self._role(heap, summary, true)] = None
            if len(found) == MOST_ROLES:
                break
        return list(found)

    def _tells(self, flag: g.Flag) -> bool:
        return flag.kind in ("exists", "edge", "out", "into", "some", "count")

    def _role(self, heap: g.Heap[g.F], summary: g.Name, true: set[g.Flag]) -> HeapPicture:
        node = heap.nodes[summary]
        numbers = {name: number for number, name in enumerate(sorted(heap.nodes), start=1)}
        me = numbers[summary]
        arrows: list[HeapArrow] = []
        seen = {me}
        for flag in sorted(true):
            if flag.kind == "edge" and flag.cell.is_field and flag.cell.node != summary:
                seen.add(numbers[flag.cell.node])
            if flag.kind == "edge":
                target: int | str = "junk" if flag.node == g.JUNK else numbers[flag.node]
                if isinstance(target, int):
                    seen.add(target)
                arrows += self._arrow(flag.cell, numbers, target, True)
            elif flag.kind == "out":
                arrows.append(HeapArrow(me, flag.field, OTHER, True))
            elif flag.kind == "into":
                arrows.append(HeapArrow(OTHER, flag.field, me, True))
        arrows += self._ends(heap, summary, true, me)
        others = [self._node(heap, name, number) for name, number in numbers.items() if number in seen and number != me]
        beside = any(OTHER in (arrow.source, arrow.target) for arrow in arrows)
        ghost = [HeapNode(OTHER, node.type, node.storage.value)] if beside else []
        name = Fact(f"role: {role_of(heap, summary, true)}")
        return HeapPicture((HeapNode(me, node.type, node.storage.value), *others, *ghost), tuple(arrows), facts=(name,))

    def _ends(self, heap: g.Heap[g.F], summary: g.Name, true: set[g.Flag], me: int) -> Iterator[HeapArrow]:
        """Fields that are null, and those that lead to an object that the picture does not show."""
        for flag in sorted(heap.flags):
            if flag.kind == "some" and flag.cell.node == summary:
                field = flag.cell.field
                led = g.out(summary, field) in true or any(f.kind == "edge" and f.cell == flag.cell for f in true)
                if flag not in true:
                    yield HeapArrow(me, field, "null")
                elif not led:
                    yield HeapArrow(me, field, "anything")


def role_of(heap: g.Heap[g.F], summary: g.Name, true: set[g.Flag]) -> str:
    """A word for a role: who points to it from outside, and whether anything leads in or out."""
    heads = sorted(f.cell.field for f in true if f.kind == "edge" and f.node == summary and not f.cell.is_field)
    fields = sorted({f.cell.field for f in heap.flags if f.cell.node == summary and f.kind == "some"})
    leads_on = any(g.some(g.Cell(summary, field)) in true for field in fields)
    led_to = any(g.into(summary, field) in true for field in heap.ghost_fields(summary))
    led_to |= any(f.kind == "edge" and f.node == summary and f.cell.is_field for f in true)
    led_to |= any(f.kind == "count" and f.node == summary for f in true)
    text = {
        (True, True): "inner",
        (True, False): "last",
        (False, True): "first",
        (False, False): "alone",
    }[led_to, leads_on]
    return f"{text}, at {', '.join(heads)}" if heads else text
