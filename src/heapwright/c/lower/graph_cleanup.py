"""Graph simplification (no unreachable locations, no skips, locations renumbered), and leak checks of temporaries."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from heapwright.program.checks import Check, CheckKind
from heapwright.program.commands import Command, New, Skip
from heapwright.program.dataflow.liveness import Liveness, defined, used
from heapwright.program.graph import Edge, Graph, Program
from heapwright.program.types import Storage


def simplify(program: Program) -> Program:
    graph = program.graph
    ends = [_follow(graph, location) for location in range(len(graph.locations))]
    entry = ends[graph.entry]
    edges: list[Edge[Command]] = []
    number = {entry: 0}
    order = [entry]
    for location in order:  # grows while it is walked: breadth first
        for edge in graph.successors[location]:
            target = ends[edge.target]
            if target not in number:
                number[target] = len(order)
                order.append(target)
            edges.append(replace(edge, source=number[location], target=number[target]))
    locations = tuple(replace(graph.locations[old], index=new) for new, old in enumerate(order))
    names = {n for edge in edges for n in (*used(edge.command), defined(edge.command)) if n is not None}
    variables = {name: variable for name, variable in program.variables.items() if name in names}
    return replace(program, graph=Graph(locations, tuple(edges), 0), variables=variables)


def check_temporaries(program: Program) -> Program:
    """Leak checks where a pointer that only a temporary holds is forgotten without being read: the branch that would
    have read it is not taken, or a shared function returns to another caller than the one that kept it."""
    live = Liveness(program)
    locations = program.graph.locations
    blocks = [e.command.target for e in program.graph.edges if _makes_stack_block(e.command)]
    kept = live.pointers & live.temporaries & ~live.mask(blocks)
    goes_on = _goes_on(program.graph, returns(program.entry.function))
    edges = []
    for edge in program.graph.edges:
        forgotten = kept & live.at(edge.source) & ~live.at(edge.target)
        touched = live.mask(used(edge.command)) | live.mask([name] if (name := defined(edge.command)) else [])
        watched = any(check.kind is CheckKind.LEAK and not check.cleanup for check in edge.checks)
        if forgotten & ~touched and not watched and edge.target in goes_on:
            check = Check(CheckKind.LEAK, edge.span, locations[edge.source].function)
            edge = replace(edge, checks=(*edge.checks, check))
        edges.append(edge)
    return replace(program, graph=Graph(locations, tuple(edges), program.graph.entry))


def returns(function: str) -> Skip:
    """The step with which the analysed function returns."""
    return Skip(f"{function} returns")


def _goes_on(graph: Graph[Command], end: Skip) -> frozenset[int]:
    """The locations from which a run may return from the program or never end. From others it ends by `exit` or the
    like, where nothing leaks."""
    ends = [edge.target for edge in graph.edges if edge.command == end]
    return graph.before([*ends, *graph.loop_heads])


def _makes_stack_block(command: Command) -> TypeGuard[New]:
    return isinstance(command, New) and command.storage is Storage.STACK


def _follow(graph: Graph[Command], location: int) -> int:
    """The location that a chain of skips leads to."""
    seen = {location}
    while len(graph.successors[location]) == 1:
        edge = graph.successors[location][0]
        if edge.command != Skip() or edge.checks or edge.target in seen:
            break
        location = edge.target
        seen.add(location)
    return location
