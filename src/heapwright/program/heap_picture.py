"""Heap pictures: nodes, arrows and facts, to be drawn, pickled or written to JSON.

One type serves concrete heaps, in which a node is one object, and abstract states: there a node may represent several
objects (`summary`) or for none (`optional`), and an arrow or a fact that is not `certain` may be there or not.

>>> list_ = HeapPicture((HeapNode(1), HeapNode(2, summary=True)), (HeapArrow("x", "", 1), HeapArrow(1, "n", 2, False)))
>>> [node.id for node in list_.nodes if node.summary]
[2]
"""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.base.source import Span


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that holds, or may hold."""

    text: str
    certain: bool = True

    def __str__(self) -> str:
        """As the papers write it; facts that may hold are in parentheses."""
        return self.text if self.certain else f"({self.text})"


@dataclass(frozen=True, slots=True)
class HeapNode:
    """An object, or several that are alike."""

    id: int
    type: str = ""
    storage: str = "heap"  # heap, stack, static; "" where it is not known
    state: str = "live"  # live, freed, ended (out of scope), outside (no such object: a wrong container_of)
    data: tuple[tuple[str, str], ...] = ()  # field or index -> value
    allocated: Span | None = None
    freed: Span | None = None
    count: int | None = None  # of an array
    summary: bool = False
    optional: bool = False
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class HeapArrow:
    """From a variable (`source` its name) or a node (`source` its id) to a node's id, "null", "junk" or "anything". The
    label is the field; of a variable, which part or index of the object it points to, if not its start."""

    source: str | int
    label: str
    target: int | str
    certain: bool = True


@dataclass(frozen=True, slots=True)
class HeapPicture:
    nodes: tuple[HeapNode, ...]
    arrows: tuple[HeapArrow, ...]
    data: tuple[tuple[str, str], ...] = ()  # integer variables
    facts: tuple[Fact, ...] = ()  # about the whole heap
