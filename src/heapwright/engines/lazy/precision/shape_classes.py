"""Shape classes: the vocabulary of a tracking definition, and the actions over it.

There is one class per tracking definition of a component. Structures of different classes are compared in the union of
their vocabularies, where predicates that a class lacks are 1/2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from heapwright.engines.lazy.heap.component_programs import Projection
from heapwright.engines.lazy.logic.solver import Solver
from heapwright.engines.lazy.logic.terms import negation
from heapwright.engines.lazy.precision.shape_vocabulary import tracked_vocabulary
from heapwright.engines.lazy.precision.tracking_definition import NodePredicate, Tracking
from heapwright.engines.tvl.api import CommandTransformers, SharedTransformers, Signature, Structure
from heapwright.logic.actions import Action
from heapwright.program.checks import Goal
from heapwright.program.commands import Assign


class ShapeClass:
    """The actions of each edge over one vocabulary, and their transformers, which components that are alike share."""

    def __init__(
        self,
        projection: Projection,
        tracking: Tracking,
        goal: Goal,
        solver: Solver,
        alike: SharedTransformers | None = None,
    ) -> None:
        self.projection = projection
        self.tracking = tracking
        self.predicates = known = tracking.ordered
        self.heap = tracked_vocabulary(projection, tracking, tuple(_exclusive(known, solver)))
        self.transformers = CommandTransformers(self.heap, goal, lean=not projection.leaks, alike=alike)
        self._chains: dict[int, list[list[Action]]] = {}
        self._idle: dict[int, bool] = {}

    @property
    def signature(self) -> Signature:
        return self.transformers.signature

    @property
    def initial(self) -> Structure:
        return self.transformers.initial

    def tracks(self, location: int, pointer: str) -> bool:
        """Whether a pointer is tracked at a location."""
        return self.projection.tracks(location, pointer)

    def chains(self, number: int) -> list[list[Action]]:
        """The alternatives of an edge."""
        found = self._chains.get(number)
        if found is None:
            edge = self.projection.program.graph.edges[number]
            found = self.transformers.chains(edge)
            if number in self.projection.unset and isinstance(edge.command, Assign):
                target = edge.command.target
                found += [[self.transformers.with_null(chain[0], target), *chain[1:]] for chain in found]
            self._chains[number] = found
        return found

    def raises(self, number: int, check: str) -> bool:
        """Whether an edge has an action that tests for a failing check."""
        return any(one.text == check for chain in self.chains(number) for action in chain for one in action.messages)

    def is_idle(self, number: int) -> bool:
        """Whether an edge does nothing to structures."""
        found = self._idle.get(number)
        if found is None:
            chains = self.chains(number)
            found = self._idle[number] = len(chains) == 1 and all(one == Action(one.title) for one in chains[0])
        return found


def _exclusive(
    known: Sequence[NodePredicate], solver: Solver
) -> Iterable[tuple[NodePredicate, bool, NodePredicate, bool]]:
    """Pairs of node predicates that exclude each other."""
    for index, one in enumerate(known):
        for other in known[index + 1 :]:
            if one.cells.isdisjoint(other.cells):
                continue
            for holds in (True, False):
                for too in (True, False):
                    first = one.formula if holds else negation(one.formula)
                    second = other.formula if too else negation(other.formula)
                    if not solver.satisfiable((first, second)):
                        yield one, holds, other, too


def extended(structure: Structure, source: Signature, numbers: Mapping[str, int], arities: Sequence[int]) -> Structure:
    """A structure in a larger vocabulary; additional predicates are 1/2."""
    may, must = [], []
    for name, number in numbers.items():
        old = source.number.get(name)
        if old is None:
            width = structure.n ** arities[number]
            may.append((1 << width) - 1)
            must.append(0)
        else:
            may.append(structure.may[old])
            must.append(structure.must[old])
    return Structure(structure.n, tuple(may), tuple(must))
