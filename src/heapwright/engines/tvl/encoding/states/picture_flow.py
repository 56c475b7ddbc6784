"""Which picture comes from which: the transitions of structures, between locations of the program.

The graph of actions has locations between the actions of one command, which have no pictures; a transition leads over
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heapwright.engines.tvl.fixpoint import Transition
from heapwright.program.heap_picture import HeapPicture
from heapwright.result.explanation import Picture

Place = tuple[int, int]  # a location, and the number of a structure there


def predecessors(
    transitions: Sequence[Transition], drawn: Mapping[int, Sequence[HeapPicture]]
) -> dict[int, tuple[tuple[Picture, ...], ...]]:
    """For each picture the pictures before it, one step of the program earlier; empty without transitions."""
    if not transitions:
        return {}
    before: dict[Place, dict[Place, None]] = {}
    for one in transitions:
        before.setdefault((one.target, one.after), {})[one.source, one.before] = None
    numbers = {
        location: {picture: number for number, picture in enumerate(dict.fromkeys(pictures))}
        for location, pictures in drawn.items()
    }
    found: dict[int, tuple[tuple[Picture, ...], ...]] = {}
    for location, pictures in drawn.items():
        made: list[dict[Picture, None]] = [{} for _ in numbers[location]]
        for structure, picture in enumerate(pictures):
            for source, number in _drawn_before((location, structure), before, drawn):
                shown = numbers[source][drawn[source][number]]
                made[numbers[location][picture]][Picture(source, shown)] = None
        found[location] = tuple(map(tuple, made))
    return found


def _drawn_before(
    place: Place, before: Mapping[Place, Mapping[Place, None]], drawn: Mapping[int, Sequence[HeapPicture]]
) -> list[Place]:
    """The places before one that have pictures, with none between."""
    found: dict[Place, None] = {}
    waiting, seen = list(before.get(place, ())), {place}
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        if one[0] in drawn:
            found[one] = None
        else:
            waiting += before.get(one, ())
    return list(found)
