"""Which heap of a view comes from which: the predecessors of pictures, from line to line.

    links = view_links(views, result)
    links[3][0]         # the heaps that the first heap of the fourth view comes from: (view, heap) pairs

Between two lines at which control arrives there are locations without a view; a link leads over them. What happens
between is the statement at the line where the link begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from heapwright.program.heap_picture import HeapPicture
from heapwright.report.views import View
from heapwright.result.explanation import Picture
from heapwright.result.outcomes import Result

Link = tuple[int, int]  # the number of a view, and of a heap there
Links = tuple[tuple[tuple[Link, ...], ...], ...]  # by view and heap


@dataclass
class Examples:
    """Heaps of runs that arrive at a view, by number, and which of them an abstract heap of the view contains."""

    heaps: dict[HeapPicture, int] = field(default_factory=dict)
    of: dict[int, int] = field(default_factory=dict)


def view_links(views: Sequence[View], result: Result) -> Links:
    """For each heap of each view the heaps before it; none at all if the engine does not know."""
    if not result.predecessors:
        return ()
    view_at = {location: number for number, view in enumerate(views) for location in view.locations}
    heap_at = [{picture: number for number, picture in enumerate(view.pictures)} for view in views]
    found: list[tuple[tuple[Link, ...], ...]] = []
    for view, heaps in zip(views, heap_at, strict=True):
        made: list[set[Link]] = [set() for _ in view.pictures]
        for location in view.locations:
            for number, picture in enumerate(result.invariants.get(location, ())):
                for source, earlier in _arrivals_before(Picture(location, number), result, view_at):
                    shown = result.invariants[source][earlier]
                    made[heaps[picture]].add((view_at[source], heap_at[view_at[source]][shown]))
        found.append(tuple(tuple(sorted(links)) for links in made))
    return tuple(found)


def _arrivals_before(picture: Picture, result: Result, view_at: dict[int, int]) -> list[Picture]:
    found: list[Picture] = []
    waiting, seen = list(_before(picture, result)), set()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        if one.location in view_at:
            found.append(one)
        else:
            waiting += _before(one, result)
    return found


def _before(picture: Picture, result: Result) -> tuple[Picture, ...]:
    known = result.predecessors.get(picture.location, ())
    return known[picture.number] if picture.number < len(known) else ()
