"""Projection of a program to a component: the commands on pointers into it.

A variable may point to different components in turn. While it points into another one, it is null here, and commands
that read it are dropped. Integers are left to the predicates; edges and locations keep their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from heapwright.engines.lazy.heap.aliases import JUNK as ALIAS_JUNK
from heapwright.engines.lazy.heap.aliases import NULL as ALIAS_NULL
from heapwright.engines.lazy.heap.aliases import Aliases
from heapwright.engines.lazy.heap.available_loads import Loads
from heapwright.engines.tvl.api import HeapVocabulary, coalesced_with_names
from heapwright.program import commands as c
from heapwright.program.checks import Check, CheckKind
from heapwright.program.dataflow.liveness import defined, literal_variables
from heapwright.program.expressions import JUNK, NULL, Compare, Literal, Pointer, ShapeLiteral, Var
from heapwright.program.graph import Edge, Graph, Program
from heapwright.program.types import ValueKind

SKIP = c.Skip()


class Projection:
    """`variables` are the pointers that may point into the component at some location. Without `leaks`, a pointer is
    dropped when it is not live. `unset` are edges that set a variable to junk or null."""

    def __init__(self, aliases: Aliases, loads: Loads, component: int, *, leaks: bool) -> None:
        self.loads = loads
        self.aliases = aliases
        self.component = component
        program = aliases.program
        graph = program.graph
        self.variables = self._closed(
            {
                name
                for name in aliases.heap.variables
                if any(aliases.component(location, name) == component for location in range(len(graph.locations)))
            }
        )
        self.unset: set[int] = set()
        self.sites = frozenset(
            number
            for number, edge in enumerate(graph.edges)
            if isinstance(edge.command, c.New) and aliases.component_of_site(number) == component
        )
        edges = tuple(self._edge(number, edge) for number, edge in enumerate(graph.edges))
        self.touched = frozenset(number for number, edge in enumerate(edges) if edge.command != SKIP)
        kept = {
            name: variable if leaks or variable.kind is ValueKind.DATA else replace(variable, source_name="")
            for name, variable in program.variables.items()
            if variable.kind is ValueKind.DATA or name in self.variables
        }
        self.whole: Program = replace(program, graph=Graph(graph.locations, edges, graph.entry), variables=kept)
        self.heap = HeapVocabulary(self.whole)
        self.leaks = leaks

    @cached_property
    def _coalesced(self) -> tuple[Program, Mapping[str, str]]:
        if self.leaks:
            return self.whole, {}
        return coalesced_with_names(self.heap, numbered=True)

    @cached_property
    def cells(self) -> frozenset[str]:
        """The cells of the objects of the component."""
        return frozenset(name for site in self.sites for name, _ in self.aliases.cells_of(site))

    def may_have_blocks(self, number: int) -> bool:
        """Whether a command that allocates may be before an edge, or is its own."""
        return number in self.sites or self.aliases.graph.edges[number].source in self._behind

    @cached_property
    def _behind(self) -> frozenset[int]:
        """The locations after allocations."""
        edges = self.aliases.graph.edges
        return _reached((edges[site].target for site in self.sites), self._following)

    def before(self, location: int) -> frozenset[int]:
        """The locations on the ways from an allocation to a location."""
        found = self._ways.get(location)
        if found is None:
            found = self._ways[location] = self._behind & _reached((location,), self._preceding)
        return found

    @cached_property
    def _ways(self) -> dict[int, frozenset[int]]:
        return {}

    @cached_property
    def _following(self) -> list[set[int]]:
        return [{edge.target for edge in edges} for edges in self.aliases.graph.successors]

    @cached_property
    def _preceding(self) -> list[set[int]]:
        found: list[set[int]] = [set() for _ in self.aliases.graph.locations]
        for edge in self.aliases.graph.edges:
            found[edge.target].add(edge.source)
        return found

    @property
    def program(self) -> Program:
        """The program whose heaps structures abstract: unless leaks matter, pointers with disjoint live ranges are
        coalesced."""
        return self._coalesced[0]

    def name(self, pointer: str) -> str:
        """The variable of the coalesced program that holds a pointer."""
        return self._coalesced[1].get(pointer, pointer)

    def _closed(self, names: set[str]) -> tuple[str, ...]:
        """Closure under loads from the component, and copies to its variables and cells, also of null or junk."""
        edges = self.aliases.program.graph.edges

        def possible(edge: Edge[c.Command], name: str) -> bool:
            return self.aliases.component(edge.source, name) in (self.component, None)

        before = -1
        while before < len(names):
            before = len(names)
            for edge in edges:
                match edge.command:
                    case c.Load(target, base) if self.aliases.component(edge.source, base) == self.component:
                        names.add(target)
                    case c.Assign(target, Var(name)) if target in names and possible(edge, name):
                        names.add(name)
                    case c.Store(base, _, Var(name)) if possible(edge, base) and possible(edge, name):
                        if base in names:
                            names.add(name)
                    case c.Follow(target, base) | c.Reinterpret(target, base):
                        if target in names and possible(edge, base):
                            names.add(base)
        return tuple(name for name in self.aliases.heap.variables if name in names)

    def mine(self, location: int, name: str) -> bool:
        """Whether the variable points into this component at the location, or to no object."""
        return name in self.variables and self.aliases.component(location, name) in (self.component, None)

    def _edge(self, number: int, edge: Edge[c.Command]) -> Edge[c.Command]:
        command = self._command(number, edge) if self.aliases.reached(edge.source) else self._never(edge.command)
        checks = tuple(check for check in edge.checks if self._kept(check, edge, command))
        return replace(edge, command=command, checks=checks)

    def _never(self, command: c.Command) -> c.Command:
        """A command that is never executed keeps its writes, so that liveness is not overestimated."""
        target = defined(command)
        return c.Assign(target, NULL) if target in self.variables else SKIP

    def _kept(self, check: Check, edge: Edge[c.Command], command: c.Command) -> bool:
        if check.kind is CheckKind.LEAK:
            return True
        base = getattr(edge.command, "base", "")
        return command != SKIP and self.aliases.component(edge.source, base) == self.component

    def _command(self, number: int, edge: Edge[c.Command]) -> c.Command:
        command, location = edge.command, edge.source
        if self.aliases.coarse:
            if isinstance(command, c.Assume | c.Assert) and isinstance(command.literal, Compare):
                return self._tested(location, command.literal)
            return command if _about_pointers(command) else SKIP
        match command:
            case c.Assign(target, value):
                return c.Assign(target, self._value(location, value)) if target in self.variables else SKIP
            case c.Follow(target, base) | c.Reinterpret(target, base):
                if target not in self.variables:
                    return SKIP
                return command if self.mine(location, base) else c.Assign(target, NULL)
            case c.Load(target, base):
                if self.aliases.component(location, base) == self.component:
                    return command
                return self._foreign(number, edge, target) if target in self.variables else SKIP
            case c.Store(base, field, value):
                mine = self.aliases.component(location, base) == self.component
                return c.Store(base, field, self._value(location, value)) if mine else SKIP
            case c.LoadData(_, base) | c.StoreData(base) | c.Free(base) | c.Leave(base) | c.Inspect(base):
                return command if self.aliases.component(location, base) == self.component else SKIP
            case c.New(target):
                if number in self.sites:
                    return replace(command, replaces="")  # comparisons with an ended block go either way
                return c.Assign(target, NULL) if target in self.variables else SKIP
            case c.Assume(Compare() as literal) | c.Assert(Compare() as literal, _):
                return self._tested(location, literal)
            case c.Assume(literal) | c.Assert(literal, _):
                return command if self.decides(location, literal) else SKIP
            case c.Compute() | c.Havoc() | c.Distance() | c.Length() | c.Skip():
                return SKIP
            case c.AnyPointer() | c.Shift() | c.Scramble() | c.External() | c.Copy() | c.Fill() | c.Protect():
                raise AssertionError("its aliases are coarse")
            case c.LoadCell() | c.StoreCell() | c.LoadDataCell() | c.StoreDataCell():
                raise AssertionError("its aliases are coarse")

    def decides(self, location: int, literal: Literal) -> bool:
        """Whether a condition on pointers is about this component: each points into it or to no object. That all
        objects are reachable is about all components."""
        if isinstance(literal, ShapeLiteral) and literal.predicate == "all_reachable":
            return len(self.aliases.components) == 1
        names = literal_variables(literal)
        return not isinstance(literal, Compare) and bool(names) and all(self.mine(location, name) for name in names)

    def _tested(self, location: int, literal: Compare) -> c.Command:
        """A test of a value loaded through a pointer keeps the pointer live."""
        for name in sorted(literal_variables(literal)):
            read = self.loads.at(location).get(name)
            if read is not None and self.aliases.component(location, read[0]) == self.component:
                return c.Skip(summarize=read[0])
        return SKIP

    def tracks(self, location: int, pointer: str) -> bool:
        """Whether a pointer is tracked at a location."""
        if pointer not in self.variables or not self.mine(location, pointer):
            return False
        liveness = self.heap.liveness
        return not self.whole.variables[pointer].temporary or bool(liveness.at(location) & liveness.bit(pointer))

    def _foreign(self, number: int, edge: Edge[c.Command], target: str) -> c.Command:
        """A load from outside of the component: of null, junk, or an irrelevant value."""
        assert isinstance(edge.command, c.Load)
        values = self.aliases.loaded(number, self.aliases.at(edge.source, edge.command.base))
        if ALIAS_JUNK not in values or any(site >= 0 for site in values):
            return c.Assign(target, NULL)
        if ALIAS_NULL in values:
            self.unset.add(number)
        return c.Assign(target, JUNK)

    def _value(self, location: int, value: Pointer) -> Pointer:
        if isinstance(value, Var) and not self.mine(location, value.name):
            return NULL
        return value


def _reached(starts: Iterable[int], following: Sequence[Iterable[int]]) -> frozenset[int]:
    found = set(starts)
    waiting = list(found)
    while waiting:
        new = set(following[waiting.pop()]) - found
        found |= new
        waiting += new
    return frozenset(found)


def _about_pointers(command: c.Command) -> bool:
    match command:
        case c.Compute() | c.Havoc() | c.Distance() | c.Length():
            return False
        case c.Assume(literal) | c.Assert(literal, _):
            return not isinstance(literal, Compare)
    return True
