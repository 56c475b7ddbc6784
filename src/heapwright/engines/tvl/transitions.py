"""The transitions of a fixpoint: every structure of every location is transformed once more, and each result is found
among the structures of its target.

They are all transitions of the invariant, not those that the iteration happened to take: a structure that is reached
by several ways has them all. `(source, before, edge, target, after)`:

    transitions(analysis)[0].edge
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heapwright.engines.tvl.fixpoint import Transition
from heapwright.engines.tvl.structures.embedding import embeds
from heapwright.engines.tvl.structures.structure import Signature, Structure

if TYPE_CHECKING:
    from heapwright.engines.tvl.fixpoint import Analysis


def transitions(analysis: Analysis) -> tuple[Transition, ...]:
    """All transitions; none if the time does not suffice, or the structure of a result is not unique."""
    fixpoint, graph = analysis.fixpoint, analysis.graph
    stored = [_Found(analysis.kernel.signature, tuple(found)) for found in analysis.sets]
    made: dict[Transition, None] = {}
    for source, found in enumerate(stored):
        for before, structure in enumerate(found.structures):
            if fixpoint.limits.expired():
                return ()
            for edge in fixpoint.outgoing[source]:
                target = graph.edges[edge].target
                for result in analysis.transformer(edge).apply(structure).results:
                    after = stored[target].number(result)
                    if after is None:
                        return ()
                    made[Transition(source, before, edge, target, after)] = None
    return tuple(made)


class _Found:
    """The structures of a location."""

    def __init__(self, signature: Signature, structures: tuple[Structure, ...]) -> None:
        self.signature = signature
        self.structures = structures
        self._numbers = {structure: number for number, structure in enumerate(structures)}

    def number(self, structure: Structure) -> int | None:
        """That of the structure with the same nodes and values, or of the first that it embeds in."""
        found = self._numbers.get(structure)
        if found is None:
            fits = (n for n, one in enumerate(self.structures) if embeds(self.signature, structure, one))
            found = next(fits, None)
            if found is not None:
                self._numbers[structure] = found
        return found
