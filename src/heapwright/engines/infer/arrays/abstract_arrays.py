"""Abstract arrays: the positions 0..|a| in consecutive nodes, and how the elements of nodes compare.

A node denotes one position (`ONE`), a segment of at least one (`SOME`), or a segment that may be empty (`FREE`); the
last is the position after the last cell, |a| itself. Nodes partition the positions. An index variable is at a node of
one position, `BELOW` 0, `ABOVE` |a|, or unconstrained (`ANYWHERE`). Elements are under a total preorder: of two *terms*
(data variables, constants, nodes) a mask says which of <, = and > are possible between any two values of theirs.
Elements of one node are not compared with one another.

>>> anything(1, 2).sizes
(0, 1)

`tighten` applies the integrity constraints of arrays; arithmetic is left to the prover.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

LESS, EQUAL, GREATER = 1, 2, 4
ANY = LESS | EQUAL | GREATER
NO, YES, HALF = 0, 1, 2
FREE, ONE, SOME = 0, 1, 2
BELOW, ABOVE, ANYWHERE = -1, -2, -3
MOST_BETWEEN = 2
CONVERSE = tuple((mask & EQUAL) | (mask & LESS) << 2 | (mask & GREATER) >> 2 for mask in range(8))
_ONE = {
    (LESS, LESS): LESS,
    (LESS, EQUAL): LESS,
    (EQUAL, LESS): LESS,
    (EQUAL, EQUAL): EQUAL,
    (EQUAL, GREATER): GREATER,
    (GREATER, EQUAL): GREATER,
    (GREATER, GREATER): GREATER,
    (LESS, GREATER): ANY,
    (GREATER, LESS): ANY,
}
_COMPOSED = tuple(
    tuple(sum({bit for a, b in _ONE if a & one and b & two for bit in (LESS, EQUAL, GREATER) if _ONE[a, b] & bit})
          for two in range(8))
    for one in range(8)
)  # fmt: skip


def relation(left: int, right: int) -> int:
    return LESS if left < right else GREATER if left > right else EQUAL


Matrix = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Element:
    """`sizes` has an entry for each node, `where` for each index variable; `rel` is over the data terms and then the
    nodes but for the last, which has no element."""

    null: int
    sizes: tuple[int, ...]
    where: tuple[int, ...]
    rel: Matrix

    @property
    def end(self) -> int:
        return len(self.sizes) - 1

    @property
    def terms(self) -> int:
        return len(self.rel) - self.end

    def landmarks(self) -> set[int]:
        """The nodes with a variable."""
        return {position for position in self.where if position >= 0}

    def knows_data(self, term: int) -> bool:
        """Whether a data variable is constrained."""
        return any(mask != ANY for other, mask in enumerate(self.rel[term]) if other != term)

    def knows_elements(self) -> bool:
        return any(mask != ANY for row in self.rel[self.terms :] for mask in row)


def anything(spots: int, terms: int) -> Element:
    """Every array."""
    return Element(HALF, (FREE, ONE), (ANYWHERE,) * spots, _blank(terms, 1))


def _blank(terms: int, cells: int) -> Matrix:
    size = terms + cells
    return tuple(tuple(EQUAL if i == j < terms else ANY for j in range(size)) for i in range(size))


# --- changes ---------------------------------------------------------------------------------------------------------


def with_where(element: Element, variable: int, position: int) -> Element:
    where = element.where
    return replace(element, where=(*where[:variable], position, *where[variable + 1 :]))


def with_size(element: Element, node: int, size: int) -> Element:
    return replace(element, sizes=(*element.sizes[:node], size, *element.sizes[node + 1 :]))


def without(element: Element, node: int) -> Element:
    """The element in which a node is empty."""
    gone = element.terms + node
    rel = tuple(
        tuple(mask for position, mask in enumerate(row) if position != gone)
        for at, row in enumerate(element.rel)
        if at != gone
    )
    where = tuple(at - 1 if at > node else at for at in element.where)
    return Element(element.null, (*element.sizes[:node], *element.sizes[node + 1 :]), where, rel)


def with_mask(element: Element, one: int, two: int, mask: int) -> Element:
    """Meet with a mask between two terms."""
    rel = _lists(element)
    rel[one][two] &= mask
    rel[two][one] &= CONVERSE[mask]
    return replace(element, rel=_frozen(rel))


def forget_term(element: Element, term: int) -> Element:
    """Havoc of a data variable, or of the element of a node."""
    rel = _lists(element)
    for other in range(len(rel)):
        if other != term:
            rel[term][other] = rel[other][term] = ANY
    return replace(element, rel=_frozen(rel))


def forget_elements(element: Element) -> Element:
    """Havoc of all cells."""
    for node in range(element.end):
        element = forget_term(element, element.terms + node)
    return element


def same_terms(element: Element, one: int, two: int) -> Element:
    """Meet with the equality of two terms."""
    rel = _lists(element)
    for other in range(len(rel)):
        if other not in (one, two):
            both = rel[one][other] & rel[two][other]
            rel[one][other] = rel[two][other] = both
            rel[other][one] = rel[other][two] = CONVERSE[both]
    rel[one][two] &= EQUAL
    rel[two][one] &= EQUAL
    return replace(element, rel=_frozen(rel))


def split(element: Element, node: int) -> Element:
    """Materialisation of one position of a node, which becomes the next node, between the rest of the segment."""
    new = [*range(node), node, node, node, *range(node + 1, element.end + 1)]
    sizes = (*element.sizes[:node], FREE, ONE, FREE, *element.sizes[node + 1 :])
    where = tuple(at + 2 if at > node else at for at in element.where)
    terms, size = element.terms, element.terms + len(new) - 1

    def mask(i: int, j: int) -> int:
        one = i if i < terms else terms + new[i - terms]
        two = j if j < terms else terms + new[j - terms]
        return element.rel[one][two]

    rel = tuple(tuple(mask(i, j) for j in range(size)) for i in range(size))
    return Element(element.null, sizes, where, rel)


def merged(element: Element, node: int) -> Element:
    """One node for a node and the next; neither has a variable."""
    terms = element.terms
    one, two = terms + node, terms + node + 1
    rel = _lists(element)
    for other in range(len(rel)):
        rel[one][other] |= rel[two][other]
        rel[other][one] |= rel[other][two]
    rel[one][one] = ANY
    rows = tuple(
        tuple(mask for position, mask in enumerate(row) if position != two) for at, row in enumerate(rel) if at != two
    )
    size = FREE if element.sizes[node] == element.sizes[node + 1] == FREE else SOME
    sizes = (*element.sizes[:node], size, *element.sizes[node + 2 :])
    return Element(element.null, sizes, tuple(at - 1 if at > node else at for at in element.where), rows)


def _lists(element: Element) -> list[list[int]]:
    return [list(row) for row in element.rel]


def _frozen(rel: Sequence[Sequence[int]]) -> Matrix:
    return tuple(map(tuple, rel))


# --- integrity constraints -------------------------------------------------------------------------------------------


Change = tuple[int, int]  # a node, and what its size becomes; FREE: it is gone


def tighten(element: Element) -> Element | None:
    """The element sharpened by the integrity constraints of arrays; None if it is inconsistent."""
    found = tightened(element)
    return None if found is None else found[0]


def tightened(element: Element) -> tuple[Element, list[Change]] | None:
    """As `tighten`, with the changes of nodes."""
    changes: list[Change] = []
    while True:
        sizes = element.sizes[:-1]
        if element.null == YES and sizes:  # null has no cells
            change: Change | None = (0, FREE) if sizes[0] == FREE else None
            if change is None:
                return None
        else:
            if any(size != FREE for size in sizes):
                element = replace(element, null=NO)
            closed = _closed(element)
            if closed is None:
                return None
            element, change = closed
            if change is None:
                return element, changes
        changes.append(change)
        element = changed(element, change)


def changed(element: Element, change: Change) -> Element:
    node, size = change
    return without(element, node) if size == FREE else with_size(element, node, size)


def _closed(element: Element) -> tuple[Element, Change | None] | None:
    """Closure of masks under composition. If no relation is possible between two nodes, one of them is empty: a change,
    if it is determined which one."""
    rel = _lists(element)
    size, terms = range(len(rel)), element.terms
    there = [i < terms or element.sizes[i - terms] != FREE for i in size]
    again = True
    while again:
        again = False
        for via in size:
            if not there[via]:
                continue
            through = rel[via]
            for i in size:
                if i == via or through[i] == ANY:
                    continue
                row, first = rel[i], rel[i][via]
                for j in size:
                    mask = row[j] & _COMPOSED[first][through[j]]
                    if mask == row[j] or j in (i, via):
                        continue
                    row[j] = mask
                    rel[j][i] = CONVERSE[mask]
                    again = again or bool(mask)
    for i in size:
        for j in size:
            if rel[i][j]:
                continue
            if there[i] and there[j]:
                return None
            if there[i] or there[j]:
                return element, ((j if there[i] else i) - terms, FREE)
            rel[i][j] = element.rel[i][j] or ANY  # one of them is empty, but it is not determined which
    return replace(element, rel=_frozen(rel)), None


# --- merging -----------------------------------------------------------------------------------------------


def blur(element: Element) -> Element:
    """Merges neighbours without variables if the concretisation stays the same: one of them may be empty, their masks
    are equal, and they are not compared with one another."""
    while True:
        every, sizes = range(len(element.rel)), element.sizes
        free = [k for k in _mergeable(element) if FREE in (sizes[k], sizes[k + 1])]
        alike = next((k for k in free if not _loss(element, k, every)), None)
        if alike is None:
            return element
        element = merged(element, alike)


def gather(element: Element) -> Element:
    """Widening: merges neighbours without variables whose masks with data terms and elements at variables are equal;
    and, of more than `MOST_BETWEEN` constrained nodes between two with a variable, those that lose least precision. It
    has finitely many results."""
    while True:
        marks, terms = element.landmarks(), element.terms
        free = _mergeable(element)
        named = [*range(terms), *(terms + mark for mark in marks if mark < element.end)]
        merging = next((k for k in free if not _difference(element, k, named)), None)
        if merging is None:
            crowded = [k for k in free if _crowd(element, k, marks) > MOST_BETWEEN]
            if not crowded:
                return element
            every = range(len(element.rel))
            merging = min(crowded, key=lambda k: (_loss(element, k, every), k))
        element = merged(element, merging)


def _mergeable(element: Element) -> list[int]:
    marks = element.landmarks()
    return [k for k in range(element.end - 1) if k not in marks and k + 1 not in marks]


def _difference(element: Element, node: int, columns: Iterable[int]) -> int:
    """The number of relations with these terms in which a node and the next differ."""
    here = element.terms + node
    one, two = element.rel[here], element.rel[here + 1]
    return sum((one[c] ^ two[c]).bit_count() for c in columns if c not in (here, here + 1))


def _loss(element: Element, node: int, columns: Iterable[int]) -> int:
    here = element.terms + node
    return _difference(element, node, columns) + (ANY ^ element.rel[here][here + 1]).bit_count()


def _crowd(element: Element, node: int, marks: set[int]) -> int:
    """The number of constrained nodes in the maximal sequence without variables around this one."""
    low = high = node
    while low > 0 and low - 1 not in marks:
        low -= 1
    while high + 1 < element.end and high + 1 not in marks:
        high += 1
    rows = element.rel[element.terms + low : element.terms + high + 1]
    return sum(any(mask != ANY for mask in row) for row in rows)
