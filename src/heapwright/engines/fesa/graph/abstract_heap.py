"""Abstract heaps: nodes, the flags that may be 1, and a Boolean function over them.

A node denotes one object (it is *concrete*), or any number of objects of one type (a *summary*). A *cell* is a variable
or a field of a node. A vector of the function describes one object of each summary, its *representative*, and one other
object of the same summary, its *ghost*; a concrete heap is denoted when every choice of representatives and ghosts
gives a vector of the function (where there is no other object, the ghost's flags may have any value).

| flag | is 1 where |
|---|---|
| `exists(n)` | the object was allocated and not freed |
| `edge(c, n)` | the cell c points to it |
| `out(n, f)`, `into(n, f)` | the field f of the representative points to the ghost, and the other way round |
| `some(c)` | the cell is not null |
| `count(n, 0)`, `count(n, 1)` | bits of the number of fields, of all or of a set, that point to it: at most 3 |
| `equal(c, k)` | the data cell c holds the constant k |

A flag that is not among those of the heap is 0. The node `JUNK` never exists: pointing to it is to hold junk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, TypeVar

from heapwright.program.types import Storage

F = TypeVar("F")
MANY = 3  # where counters stop
FIRST, REST = "first", "rest"  # elements of arrays


@dataclass(frozen=True, slots=True)
class Instrumentation:
    """The extra dimensions that are tracked (section 4)."""

    out: bool = True
    into: bool = True
    sets: tuple[frozenset[str], ...] = ()  # of fields (`type.field` of a block) with counters of their own
    shapes: bool = True  # fields that only asserted shapes read are tracked, too
    seen: bool = True  # counters are at least the number of edges in a vector

    def counters(self, type: str, field: str) -> list[str]:
        """The counters in which a pointer from a field of a block counts: that of all fields, and those of its sets."""
        return ["", *(counter_of(one) for one in self.sets if f"{type}.{field}" in one)]

    @property
    def all_counters(self) -> list[str]:
        return ["", *map(counter_of, self.sets)]


def counter_of(fields: frozenset[str]) -> str:
    """The name of the counter of a set of fields."""
    return ", ".join(sorted(fields))


class Name(NamedTuple):
    """The name of a node: its origin, and a key among the nodes of that origin."""

    kind: str
    key: tuple[str, ...] = ()


NOWHERE = Name("")


class Cell(NamedTuple):
    """A field of a node, or a variable (its node is `NOWHERE`)."""

    node: Name
    field: str

    @property
    def is_field(self) -> bool:
        return self.node != NOWHERE


NO_CELL = Cell(NOWHERE, "")


class Flag(NamedTuple):
    kind: str
    node: Name
    cell: Cell = NO_CELL
    field: str = ""
    number: int = 0


JUNK = Name("junk")


def variable(name: str) -> Cell:
    return Cell(NOWHERE, name)


def exists(node: Name) -> Flag:
    return Flag("exists", node)


def edge(cell: Cell, node: Name) -> Flag:
    return Flag("edge", node, cell)


def out(node: Name, field: str) -> Flag:
    return Flag("out", node, field=field)


def into(node: Name, field: str) -> Flag:
    return Flag("into", node, field=field)


def some(cell: Cell) -> Flag:
    return Flag("some", cell.node, cell)


def count(node: Name, bit: int, counter: str = "") -> Flag:
    return Flag("count", node, field=counter, number=bit)


def equal(cell: Cell, constant: int) -> Flag:
    return Flag("equal", cell.node, cell, number=constant)


def home(flag: Flag) -> object:
    """The group of a flag in the variable order of diagrams: the edges of a variable together, and the flags of an
    object and its fields together."""
    if flag.cell == NO_CELL:
        return flag.node
    return flag.cell.node if flag.cell.is_field else flag.cell


def moved(flag: Flag, names: Mapping[Name, Name]) -> Flag:
    """A flag after nodes were renamed."""
    cell = flag.cell
    if cell.node in names:
        cell = Cell(names[cell.node], cell.field)
    return Flag(flag.kind, names.get(flag.node, flag.node), cell, flag.field, flag.number)


def mentions(flag: Flag, node: Name) -> bool:
    return flag.node == node or flag.cell.node == node


@dataclass(frozen=True, slots=True)
class Node:
    type: str
    storage: Storage
    summary: bool = False
    site: int = -1  # the number of the edge that creates it
    element: str = ""  # of an array: which one


@dataclass(frozen=True)
class Heap(Generic[F]):
    nodes: Mapping[Name, Node]
    flags: frozenset[Flag]
    function: F

    def targets(self, cell: Cell) -> list[Name]:
        """The nodes that a cell may point to, in a fixed order."""
        return sorted(flag.node for flag in self.flags if flag.kind == "edge" and flag.cell == cell)

    def sources(self, node: Name) -> list[Cell]:
        """The cells that may point to a node, but for ghosts."""
        return sorted(flag.cell for flag in self.flags if flag.kind == "edge" and flag.node == node)

    def flags_of(self, node: Name) -> list[Flag]:
        """All flags of a node or of its fields."""
        return sorted(flag for flag in self.flags if mentions(flag, node))

    def ghost_fields(self, node: Name) -> list[str]:
        return sorted({f.field for f in self.flags if f.node == node and f.kind in ("out", "into")})

    def with_node(self, name: Name, node: Node) -> Heap[F]:
        return replace(self, nodes={**self.nodes, name: node})
