"""Whether maybe-active nodes that violate a constraint after an update are inactive."""

from __future__ import annotations

from collections.abc import Callable

from heapwright.engines.tvl.constraints.coerce import Coercer
from heapwright.engines.tvl.structures.bit_sets import bits
from heapwright.engines.tvl.structures.structure import Draft


class AbsenceCheck:
    """Decides after an update whether maybe-active nodes that violate a constraint are inactive. They are if, with them
    active, the structure before would violate a constraint or the precondition; else the update is at fault, and
    nothing may be dropped because of it."""

    __slots__ = ("before", "coercer", "origins", "possible")

    def __init__(self, coercer: Coercer, before: Draft, origins: list[int], possible: Callable[[Draft], bool]) -> None:
        self.coercer = coercer
        self.before = before
        self.origins = origins  # of the nodes after the update; -1 for new ones
        self.possible = possible  # the precondition

    def __call__(self, nodes: int) -> bool:
        for node in bits(nodes):
            if self.origins[node] < 0:
                return False
            probe = self.before.copy()
            probe.present(self.origins[node])
            if self.coercer.of(probe).coerce_all(probe) and (probe.n < self.before.n or self.possible(probe)):
                return False
        self.origins = [origin for node, origin in enumerate(self.origins) if not nodes >> node & 1]
        return True
