"""The shape precision: a tracking definition for each component and location; where there is none, the component may be
any heap.

A counterexample refines the definitions of its own locations, and of those between the allocation and its end, to all
that is known of the component by then: what one path needed the next one mostly does. Locations that lead to no such
end stay as coarse as they are. What is needed wherever there are blocks (no leak, no confusion of types) is set
everywhere.

>>> known = LocalTracking()
>>> known.refine(0, [4, 5], Tracking(frozenset({"p"})))
{4, 5}
>>> known.at(0, 5).text(), known.at(0, 6)
('fields; apart: p', None)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from heapwright.engines.lazy.precision.tracking_definition import Tracking


class LocalTracking:
    def __init__(self) -> None:
        self._everywhere: dict[int, Tracking] = {}
        self._local: dict[int, dict[int, Tracking]] = {}

    def at(self, component: int, location: int) -> Tracking | None:
        found = self._local.get(component, {}).get(location)
        return self._everywhere.get(component) if found is None else found

    def refine(self, component: int, locations: Iterable[int], addition: Tracking) -> set[int]:
        """Sets the definitions of some locations to the join of all and an addition; returns those that changed."""
        new, local = self.whole(component).joined(addition), self._local.setdefault(component, {})
        changed = {location for location in locations if self.at(component, location) != new}
        local.update(dict.fromkeys(changed, new))
        return changed

    def refine_tracked(self, component: int, addition: Tracking) -> set[int]:
        """Adds to the definitions that there are."""
        return self.refine(component, list(self._local.get(component, {})), addition)

    def refine_everywhere(self, component: int, addition: Tracking) -> bool:
        """Adds to the definitions of all locations; whether any changed."""
        old = self._everywhere.get(component)
        self._everywhere[component] = new = addition if old is None else old.joined(addition)
        return bool(self.refine_tracked(component, addition)) or new != old

    @property
    def components(self) -> tuple[int, ...]:
        """The components that are tracked somewhere."""
        local = (component for component, known in self._local.items() if known)
        return tuple(sorted({*self._everywhere, *local}))

    def whole(self, component: int) -> Tracking:
        """The join of all definitions of a component."""
        known = [*self._local.get(component, {}).values()]
        known += [one for one in (self._everywhere.get(component),) if one is not None]
        return reduce(Tracking.joined, known, Tracking())

    def text(self, component: int) -> str:
        count = len(self._local.get(component, {}))
        where = "" if component in self._everywhere else f"; at {count} location{'' if count == 1 else 's'}"
        return self.whole(component).text() + where
