"""Bit sets: sets of nodes and relations over them, packed into integers.

A set of nodes is a mask: bit i is node i. A relation over n nodes is one integer of n * n bits, row by row: bit i * n +
j is the pair (i, j). Three facts make this fast. Row i is `(r >> i * n) & full`. Column j is `(r >> j) & column`: the
bits of its members, already spread to the beginnings of rows. A spread set times a set is their product: no bit is
carried, because rows do not overlap.

>>> layout = Layout(3)
>>> pair = layout.spread[0b010] * 0b101        # {1} x {0, 2}
>>> [bool(pair >> 1 * 3 + j & 1) for j in range(3)]
[True, False, True]
>>> layout.transposed[pair] == layout.spread[0b101] * 0b010
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

CACHE_SIZE = 1 << 16


def bits(mask: int) -> Iterator[int]:
    """The members of a set, smallest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def picker(indices: Sequence[int]) -> Callable[[Sequence[int]], object]:
    """A function that picks some indices of a table, as a key.

    >>> picker([0, 2])([7, 8, 9]), picker([1])([7, 8, 9]), picker([])([7, 8, 9])
    ((7, 9), 8, ())
    """
    return itemgetter(*indices) if indices else nothing


def nothing(table: Sequence[int]) -> object:
    return ()


class Layout:
    """The constants of packing n nodes, and tables that are filled as they are used."""

    __slots__ = (
        "closed",
        "column",
        "composed",
        "diagonal",
        "full",
        "gathered",
        "image",
        "meeting",
        "n",
        "on_diagonal",
        "spread",
        "square",
        "transposed",
    )

    def __init__(self, n: int) -> None:
        self.n = n
        self.full = (1 << n) - 1
        self.column = sum(1 << i * n for i in range(n))  # the pairs (i, 0)
        self.diagonal = sum(1 << i * (n + 1) for i in range(n))
        self.square = (1 << n * n) - 1
        self.spread = SpreadTable(n)
        self.gathered = GatherTable(n)
        self.on_diagonal = OnDiagonal(n)
        self.transposed = TransposeTable(self)
        self.closed = ClosureTable(self)
        self.image = Image(self)
        self.meeting = SourceTable(self)
        self.composed = CompositionTable(self)

    def absent(self, pairs: int, certain: int) -> int:
        """Given pairs of nodes that cannot both be active: the complement of the set of nodes that are therefore
        inactive, since those in `certain` are active; -1 for a contradiction, 0 if nothing follows."""
        n, gone = self.n, 0
        for bit in bits(pairs):
            left, right = 1 << bit // n, 1 << bit % n
            if left == right or (not left & certain and right & certain):
                gone |= left
            elif left & certain:
                gone |= right
        return -1 if gone & certain else ~gone if gone else 0


class SpreadTable(dict[int, int]):
    """A set, each member i moved to bit i * n."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.n = n

    def __missing__(self, mask: int) -> int:
        result = 0
        for i in bits(mask):
            result |= 1 << i * self.n
        self[mask] = result
        return result


class GatherTable(dict[int, int]):
    """The inverse of `Spread`."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.n = n

    def __missing__(self, spread: int) -> int:
        result = 0
        for bit in bits(spread):
            result |= 1 << bit // self.n
        self[spread] = result
        return result


class OnDiagonal(dict[int, int]):
    """The set {i : (i, i) in r} of a relation r that lies on the diagonal."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.n = n

    def __missing__(self, relation: int) -> int:
        result = 0
        for bit in bits(relation):
            result |= 1 << bit // (self.n + 1)
        self[relation] = result
        return result


class TransposeTable(dict[int, int]):
    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.layout = layout

    def __missing__(self, relation: int) -> int:
        layout = self.layout
        result = 0
        rest = relation
        for i in range(layout.n):
            result |= layout.spread[rest & layout.full] << i
            rest >>= layout.n
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[relation] = result
        return result


class ClosureTable(dict[tuple[int, int], int]):
    """The transitive closure of a relation, through nodes of a given set: {(relation, through): closure}."""

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.layout = layout

    def __missing__(self, key: tuple[int, int]) -> int:
        relation, through = key
        layout = self.layout
        n, full, column = layout.n, layout.full, layout.column
        for k in range(n):
            if through >> k & 1:
                relation |= (relation >> k & column) * (relation >> k * n & full)
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[key] = relation
        return relation


class Image(dict[tuple[int, int], int]):
    """The nodes that a relation leads to from nodes of a set: {(relation, set): image}."""

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.layout = layout

    def __missing__(self, key: tuple[int, int]) -> int:
        relation, sources = key
        n, full = self.layout.n, self.layout.full
        result = 0
        while sources:
            i = sources.bit_length() - 1
            sources ^= 1 << i
            result |= relation >> i * n & full
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[key] = result
        return result


class SourceTable(dict[tuple[int, int], int]):
    """The nodes, spread, from which a relation leads to nodes of a set: {(relation, set): their sources}."""

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.layout = layout

    def __missing__(self, key: tuple[int, int]) -> int:
        relation, targets = key
        column = self.layout.column
        result = 0
        while targets:
            j = targets.bit_length() - 1
            targets ^= 1 << j
            result |= relation >> j & column
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[key] = result
        return result


class CompositionTable(dict[tuple[int, int, int], int]):
    """One relation after another, meeting in nodes of a set: {(first, second, set): composition}."""

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.layout = layout

    def __missing__(self, key: tuple[int, int, int]) -> int:
        first, second, middle = key
        n, full, column = self.layout.n, self.layout.full, self.layout.column
        result = 0
        while middle:
            k = middle.bit_length() - 1
            middle ^= 1 << k
            result |= (first >> k & column) * (second >> k * n & full)
        if len(self) >= CACHE_SIZE:
            self.clear()
        self[key] = result
        return result


class Layouts:
    """Layouts by number of nodes; one such table serves a whole analysis."""

    __slots__ = ("_table",)

    def __init__(self) -> None:
        self._table: list[Layout] = []

    def of(self, n: int) -> Layout:
        table = self._table
        while len(table) <= n:
            table.append(Layout(len(table)))
        return table[n]
