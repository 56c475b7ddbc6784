"""The finished graph without detours: unreachable locations and empty steps are gone, locations are numbered anew."""

from __future__ import annotations

from dataclasses import replace

from heapwright.program.commands import Command, Skip
from heapwright.program.graph import Edge, Graph, Program
from heapwright.program.liveness import defined, used


def tidy(program: Program) -> Program:
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


def _follow(graph: Graph[Command], location: int) -> int:
    """Where a run goes from here without doing anything."""
    seen = {location}
    while len(graph.successors[location]) == 1:
        edge = graph.successors[location][0]
        if not isinstance(edge.command, Skip) or edge.command.note or edge.checks or edge.target in seen:
            break
        location = edge.target
        seen.add(location)
    return location
