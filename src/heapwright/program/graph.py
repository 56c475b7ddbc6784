"""Control-flow graphs and programs.

A `Program` is one graph: calls have been inlined or turned into jumps with activation records. Locations are dense
integers; edges leave a location in order. Nothing here changes after construction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from heapwright.base.immutable import EMPTY, Immutable
from heapwright.base.source import NOWHERE, Span

if TYPE_CHECKING:  # graphs of other things than commands are used without them
    from heapwright.program.checks import Check
    from heapwright.program.commands import Command
    from heapwright.program.types import ObjectType, Variable

C = TypeVar("C")


class Location(Immutable):
    """A point of the graph. `calls` is the stack of call sites that lead here through inlining, outermost first;
    `model` is the library function whose model it is in, "" for the user's own code."""

    index: int
    span: Span
    function: str
    calls: tuple[Span, ...] = ()
    model: str = ""


class Edge(Immutable, Generic[C]):
    """`checks` are tested before the command, a leak check after it."""

    source: int
    command: C
    target: int
    checks: tuple[Check, ...] = ()
    span: Span = NOWHERE


class Graph(Immutable, Generic[C]):
    locations: tuple[Location, ...]
    edges: tuple[Edge[C], ...]
    entry: int

    @cached_property
    def successors(self) -> tuple[tuple[Edge[C], ...], ...]:
        table: list[list[Edge[C]]] = [[] for _ in self.locations]
        for edge in self.edges:
            table[edge.source].append(edge)
        return tuple(tuple(edges) for edges in table)

    @cached_property
    def predecessors(self) -> tuple[tuple[Edge[C], ...], ...]:
        table: list[list[Edge[C]]] = [[] for _ in self.locations]
        for edge in self.edges:
            table[edge.target].append(edge)
        return tuple(tuple(edges) for edges in table)

    @cached_property
    def postorder(self) -> tuple[int, ...]:
        """Locations reachable from the entry, each after its successors (but for back edges)."""
        return tuple(postorder(self.entry, lambda location: [edge.target for edge in self.successors[location]]))

    def after(self, locations: Iterable[int]) -> frozenset[int]:
        """Locations, with all that are reachable from them."""
        return _closed(locations, lambda location: [edge.target for edge in self.successors[location]])

    def before(self, locations: Iterable[int]) -> frozenset[int]:
        """Locations, with all from which they are reachable."""
        return _closed(locations, lambda location: [edge.source for edge in self.predecessors[location]])

    @cached_property
    def loop_heads(self) -> frozenset[int]:
        """Targets of edges that go backwards in reverse postorder: every cycle passes through one."""
        rank = {location: index for index, location in enumerate(self.postorder)}
        return frozenset(e.target for e in self.edges if e.source in rank and rank[e.target] >= rank[e.source])


def postorder(entry: int, targets: Callable[[int], Iterable[int]]) -> list[int]:
    """The postorder of a depth-first search that takes targets in their order."""
    order: list[int] = []
    seen = {entry}
    stack = [(entry, iter(targets(entry)))]
    while stack:
        location, left = stack[-1]
        for target in left:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(targets(target))))
                break
        else:
            order.append(location)
            stack.pop()
    return order


def _closed(locations: Iterable[int], step: Callable[[int], list[int]]) -> frozenset[int]:
    seen = set(locations)
    waiting = list(seen)
    while waiting:
        new = [location for location in step(waiting.pop()) if location not in seen]
        seen.update(new)
        waiting += new
    return frozenset(seen)


class Assumption(Immutable):
    """An assumption under which verdicts hold, and which is not checked."""

    text: str
    span: Span | None = None


class Entry(Immutable):
    """The entry of runs: at `main`, or at a function whose parameters are inputs. `overlapping`: inputs may point to
    globals and into one another."""

    function: str = "main"
    any_heap: bool = False
    overlapping: bool = False


class Program(Immutable):
    """A run begins at the graph's entry and ends where no edge leaves."""

    graph: Graph[Command]
    variables: Mapping[str, Variable]
    types: Mapping[str, ObjectType]
    entry: Entry
    assumptions: tuple[Assumption, ...] = ()
    sources: Mapping[str, str] = EMPTY  # file name -> text, for excerpts
    files: tuple[str, ...] = ()  # as named by the user
    pointer_bits: int = 64

    @cached_property
    def closes(self) -> bool:
        """Whether a call closes a stream or a directory."""
        from heapwright.program.commands import Free

        return any(isinstance(edge.command, Free) and edge.command.closes for edge in self.graph.edges)

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """Every check once, in source order."""
        from heapwright.program.commands import Assert

        found: dict[str, Check] = {}
        for edge in self.graph.edges:
            for check in edge.checks:
                found.setdefault(check.id, check)
            if isinstance(edge.command, Assert):
                found.setdefault(edge.command.check.id, edge.command.check)
        return tuple(sorted(found.values(), key=lambda c: (c.span, c.kind.value)))
