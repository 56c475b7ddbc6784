"""Membership of a concrete store in the concretisation of an abstract array.

>>> from heapwright.engines.infer.arrays.abstract_arrays import anything
>>> describes(anything(0, 0), ArrayStore(False, (3, 1), (), ()), ())
True
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from heapwright.engines.infer.arrays import abstract_arrays as segments
from heapwright.engines.infer.arrays.stores import ArrayStore

Described = tuple[segments.Element, ArrayStore, tuple[int, ...]]  # and the values of the data terms


def describes(element: segments.Element, store: ArrayStore, values: tuple[int, ...]) -> bool:
    """`values` are those of the data terms in the store."""
    return find_starts([(element, store, values)]) is not None


def find_starts(described: Sequence[Described]) -> tuple[int, ...] | None:
    """First positions of nodes, common to elements over the same nodes, by which each store is in the concretisation of
    its element; None if there are none."""
    if not all(_fits(*one) for one in described):
        return None
    return next((starts for starts in _starts(described, [])), None)


def are_starts(described: Sequence[Described], starts: tuple[int, ...]) -> bool:
    """Whether nodes with these first positions satisfy the elements."""
    element, store, _ = described[0]
    length = len(store.cells)
    ends = [*starts[1:], length + 1]
    if len(starts) != len(element.sizes) or starts[0] != 0 or starts[-1] != length:
        return False
    for one, _, _ in described:
        for size, start, stop in zip(one.sizes, starts, ends, strict=True):
            if (
                stop < start
                or (size != segments.FREE and stop == start)
                or (size == segments.ONE and stop != start + 1)
            ):
                return False
    return all(_fits(*one) and _positioned(one, starts) and _compared(one, starts) for one in described)


def _fits(element: segments.Element, store: ArrayStore, values: tuple[int, ...]) -> bool:
    """The constraints that do not depend on nodes."""
    if element.null != segments.HALF and (element.null == segments.YES) != store.null:
        return False
    length = len(store.cells)
    for position, value in zip(element.where, store.spots, strict=True):
        inside = 0 <= value <= length
        if position != segments.ANYWHERE and inside != (position >= 0):
            return False
        if (position == segments.BELOW and value > length) or (position == segments.ABOVE and value < 0):
            return False
    terms = range(element.terms)
    return all(element.rel[i][j] & segments.relation(values[i], values[j]) for i in terms for j in terms)


def _starts(described: Sequence[Described], starts: list[int]) -> Iterator[tuple[int, ...]]:
    element, store, _ = described[0]
    here, length = len(starts), len(store.cells)
    if here == element.end:
        found = (*starts, length)
        if are_starts(described, found):
            yield found
        return
    if here == 0:
        options: Sequence[int] = (0,)
    elif any(one.sizes[here - 1] == segments.ONE for one, _, _ in described):
        options = (starts[-1] + 1,)
    else:
        options = range(starts[-1], length + 1)
    for start in options:
        if start <= length and all(
            found.spots[v] == start
            for one, found, _ in described
            for v, position in enumerate(one.where)
            if position == here
        ):
            yield from _starts(described, [*starts, start])


def _positioned(one: Described, starts: tuple[int, ...]) -> bool:
    element, store, _ = one
    return all(position < 0 or starts[position] == store.spots[v] for v, position in enumerate(element.where))


def _compared(one: Described, starts: tuple[int, ...]) -> bool:
    element, store, values = one
    terms = element.terms
    groups = [store.cells[start:stop] for start, stop in itertools.pairwise(starts)]
    for k, group in enumerate(groups):
        row = element.rel[terms + k]
        if any(not row[t] & segments.relation(x, values[t]) for x in group for t in range(terms)):
            return False
        if any(not row[terms + m] & segments.relation(x, y) for m in range(k) for x in group for y in groups[m]):
            return False
    return True
