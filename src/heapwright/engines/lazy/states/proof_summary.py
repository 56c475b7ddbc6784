"""The summary of a proof by a complete tree: the invariant of each location, and the refinements.

The invariant of a location is the disjunction of the cubes of its nodes. For witnesses it is also given as a C
expression (over variables of the source; pointers are compared with null or one another), which may be weaker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from heapwright.engines.lazy.art.reachability_tree import Node
from heapwright.engines.lazy.logic import terms as t
from heapwright.engines.lazy.logic.substitution import renamed
from heapwright.program.graph import Location, Program
from heapwright.program.types import ValueKind
from heapwright.result.outcomes import LocationInvariant, Proof, RefinementStep

if TYPE_CHECKING:
    from heapwright.engines.lazy.art.cegar_loop import Search


def proof_of(searches: Sequence[Search]) -> Proof:
    """The invariants are those of the first search; the refinements are of all."""
    search, program = searches[0], searches[0].program
    nodes: dict[int, list[Node]] = {}
    for node in search.tree.nodes():
        nodes.setdefault(node.location, []).append(node)
    known = tuple(_known(search, program.graph.locations[location], found) for location, found in sorted(nodes.items()))
    tracked = dict.fromkeys(
        f"{', '.join(one.shapes.projections[component].variables)}: {one.shapes.tracking.text(component)}"
        for one in searches
        for component in one.shapes.tracking.components
    )
    edges = program.graph.edges
    steps = tuple(
        RefinementStep(
            one.check.id,
            tuple(dict.fromkeys(edges[number].span.line for number in one.edges)),
            one.interpolants,
            one.added,
        )
        for each in searches
        for one in each.refinement.log
    )
    return Proof(steps, tuple(tracked), known)


def _known(search: Search, location: Location, nodes: list[Node]) -> LocationInvariant:
    program = search.program
    cubes = list(dict.fromkeys(t.conj(node.state.cube) for node in nodes))
    invariant = t.disj(cubes)
    expression = t.disj(_in_c(program, location, node.state.cube) for node in nodes)
    structures = {
        structure
        for node in nodes
        for region in node.state.shapes.values()
        if region is not None
        for structure in region.structures
    }
    named = _names(program, t.names(expression))
    return LocationInvariant(
        location.index,
        location.span,
        location.function,
        t.text(invariant),
        "" if t.text(expression) in ("true", "false") or location.calls else t.text(renamed(expression, named)),
        len(structures),
        location.index in program.graph.loop_heads,
    )


def _in_c(program: Program, location: Location, cube: Iterable[t.Formula]) -> t.Formula:
    return t.conj(expression for literal in cube if (expression := _literal(program, location, literal)) is not None)


def _literal(program: Program, location: Location, literal: t.Formula) -> t.Formula | None:
    """A C expression that the literal implies."""
    if not isinstance(literal, t.Atom) or t.arrays(literal):
        return None
    mentioned = [program.variables.get(name) for name in sorted(t.names(literal))]
    for variable in mentioned:
        if variable is None or variable.temporary or variable.function not in ("", location.function):
            return None
    pointers = sum(variable is not None and variable.kind is ValueKind.POINTER for variable in mentioned)
    if not pointers:
        return literal
    return _pointers(literal) if pointers == len(mentioned) else None


def _pointers(literal: t.Formula) -> t.Formula | None:
    match literal:
        case t.AtMost(t.Term(constant, ((t.Variable() as leaf, -1),))) if constant >= 0:
            return t.negation(t.zero(t.Term(0, ((leaf, 1),)))) if constant > 0 else None
        case t.Zero(t.Term(0, (_,))):
            return literal
        case t.Zero(t.Term(0, ((t.Variable(), 1), (t.Variable(), -1)))):
            return literal
    return None


def _names(program: Program, mentioned: Iterable[str]) -> Mapping[str, str]:
    return {name: program.variables[name].source_name for name in mentioned}
