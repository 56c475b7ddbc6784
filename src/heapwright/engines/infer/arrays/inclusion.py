"""Coverage of abstract arrays: whether one includes the concretisation of another.

Nodes with variables must be mapped to one another, which decides most cases without a search.

>>> from heapwright.engines.infer.arrays.abstract_arrays import BELOW, anything, with_where
>>> every = anything(1, 0)
>>> covers(every, with_where(every, 0, BELOW)), covers(with_where(every, 0, BELOW), every)
(True, False)
"""

from __future__ import annotations

from heapwright.engines.infer.arrays.abstract_arrays import ANYWHERE, FREE, HALF, ONE, Element


def covers(bigger: Element, smaller: Element) -> bool:
    """Coverage: whether each node of the bigger element is a sequence of nodes of the smaller one, with weaker
    constraints."""
    if bigger.null not in (HALF, smaller.null):
        return False
    anchors: list[tuple[int, int]] = []
    for wide, narrow in zip(bigger.where, smaller.where, strict=True):
        if wide == ANYWHERE:
            continue
        if narrow == ANYWHERE or ((wide < 0 or narrow < 0) and wide != narrow):
            return False
        if wide >= 0:
            anchors.append((wide, narrow))
    if not _anchored(bigger, smaller, anchors):
        return False
    terms = range(bigger.terms)
    if any(smaller.rel[i][j] & ~bigger.rel[i][j] for i in terms for j in terms):
        return False
    return _grouped(bigger, smaller, _fits(bigger, smaller, anchors), [0])


def _anchored(bigger: Element, smaller: Element, anchors: list[tuple[int, int]]) -> bool:
    """Whether the smaller element implies the constraints of the bigger one on nodes with variables."""
    terms = bigger.terms
    for i, (wide, narrow) in enumerate(anchors):
        if (wide == bigger.end) != (narrow == smaller.end):
            return False
        for other, its in anchors[:i]:
            if (wide < other) != (narrow < its) or (wide == other) != (narrow == its):
                return False
            if wide == other or bigger.end in (wide, other):
                continue
            if smaller.rel[terms + narrow][terms + its] & ~bigger.rel[terms + wide][terms + other]:
                return False
    return True


def _fits(bigger: Element, smaller: Element, anchors: list[tuple[int, int]]) -> list[list[bool]]:
    """Whether a node of the smaller element may belong to one of the bigger element, by data terms and nodes with
    variables."""
    terms = bigger.terms
    known = [(t, t) for t in range(terms)]
    known += [(terms + wide, terms + narrow) for wide, narrow in anchors if wide < bigger.end]
    table = []
    for wide_node in range(bigger.end):
        row, fitting = bigger.rel[terms + wide_node], list[bool]()
        for node in range(smaller.end):
            its = smaller.rel[terms + node]
            fitting.append(
                all(
                    (node < narrow) == (wide_node < wide) and (node > narrow) == (wide_node > wide)
                    for wide, narrow in anchors
                )
                and not any(its[narrow] & ~row[wide] for wide, narrow in known if narrow != terms + node)
            )
        table.append(fitting)
    return table


def _grouped(bigger: Element, smaller: Element, fits: list[list[bool]], starts: list[int]) -> bool:
    """Search for a map of nodes of the smaller element to those of the bigger one, from the last of `starts` on."""
    here, start = len(starts) - 1, starts[-1]
    if here == bigger.end:
        return start == smaller.end and _within(bigger, smaller, starts)
    size, fitting = bigger.sizes[here], fits[here]
    if size == ONE:
        if start == smaller.end or smaller.sizes[start] != ONE or not fitting[start]:
            return False
        return _grouped(bigger, smaller, fits, [*starts, start + 1])
    filled = size == FREE
    if filled and _grouped(bigger, smaller, fits, [*starts, start]):
        return True
    for node in range(start, smaller.end):
        if not fitting[node]:
            return False
        filled = filled or smaller.sizes[node] != FREE
        if filled and _grouped(bigger, smaller, fits, [*starts, node + 1]):
            return True
    return False


def _within(bigger: Element, smaller: Element, starts: list[int]) -> bool:
    """Whether the smaller element implies the bigger one, whose nodes begin at these nodes."""
    terms = bigger.terms
    for v, wide_node in enumerate(bigger.where):
        if wide_node >= 0 and smaller.where[v] != starts[wide_node]:
            return False
    group = [node for node in range(bigger.end) for _ in range(starts[node], starts[node + 1])]
    rows = [*range(terms), *(terms + node for node in group)]
    for i, wide in enumerate(rows):
        for j, other in enumerate(rows):
            if i != j and smaller.rel[i][j] & ~bigger.rel[wide][other]:
                return False
    return True
