"""Stores of a function over one array, and the concrete semantics of its steps.

A store has the cells of the array, the values of the *index variables* (which are compared with positions and used as
such) and of the *data variables* (which are compared with cells). Constants that cells are compared with are data terms
as well, after the data variables. A null pointer has no cells.

>>> i32 = IntType(32, True)
>>> vocabulary = Vocabulary((("i", i32),), ("d",), (0,), i32, 2**31 - 1)
>>> store = ArrayStore(False, (7, 0), (1,), (5,))
>>> after(store, Load(0, Spot(0, 0, i32)), vocabulary)
ArrayStore(null=False, cells=(7, 0), spots=(1,), data=(0,))
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heapwright.program.expressions import ComparisonOp, compare
from heapwright.program.types import IntType

ZERO, LENGTH = -1, -2  # bases of spots beside variables


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`longest` is the maximum number of cells; `cell` the type of a cell."""

    spots: tuple[tuple[str, IntType], ...]
    data: tuple[str, ...]
    constants: tuple[int, ...]
    cell: IntType
    longest: int

    @property
    def terms(self) -> int:
        """The number of data variables and constants."""
        return len(self.data) + len(self.constants)

    def values(self, store: ArrayStore) -> tuple[int, ...]:
        """The values of the data terms."""
        return (*store.data, *self.constants)


@dataclass(frozen=True, slots=True)
class ArrayStore:
    null: bool
    cells: tuple[int, ...]
    spots: tuple[int, ...]
    data: tuple[int, ...]


# --- steps -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spot:
    """`base + offset`, where the base is an index variable, 0 or the length; it wraps as its type does."""

    base: int
    offset: int
    type: IntType

    def value(self, store: ArrayStore) -> int:
        if self.base == LENGTH:
            return self.type.wrap(len(store.cells) + self.offset)
        return self.type.wrap((0 if self.base == ZERO else store.spots[self.base]) + self.offset)


@dataclass(frozen=True, slots=True)
class Move:
    """target = spot, for an index variable"""

    target: int
    spot: Spot


@dataclass(frozen=True, slots=True)
class HavocSpot:
    """target = anything, for an index variable"""

    target: int


@dataclass(frozen=True, slots=True)
class Order:
    """assume(left op right), for spots"""

    op: ComparisonOp
    left: Spot
    right: Spot


@dataclass(frozen=True, slots=True)
class Load:
    """target = array[spot], for a data variable; without a target the access only has to be possible."""

    target: int | None
    spot: Spot


@dataclass(frozen=True, slots=True)
class Put:
    """array[spot] = value, a data term, or anything"""

    spot: Spot
    value: int | None


@dataclass(frozen=True, slots=True)
class HavocCells:
    """Any cells may have been written through another pointer."""


@dataclass(frozen=True, slots=True)
class Take:
    """target = value, for a data variable and a data term"""

    target: int
    value: int


@dataclass(frozen=True, slots=True)
class HavocData:
    target: int


@dataclass(frozen=True, slots=True)
class Weigh:
    """assume(left op right), for data terms"""

    op: ComparisonOp
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class IsNull:
    """assume(the array is null), or that it is not"""

    truth: bool


@dataclass(frozen=True, slots=True)
class Outside:
    """assume(the array is not null and the spot is out of bounds): the failure of an access"""

    spot: Spot


@dataclass(frozen=True, slots=True)
class Idle:
    """No tracked value changes."""


@dataclass(frozen=True, slots=True)
class Gather:
    """The end of a back edge, where elements are widened."""


Step = Move | HavocSpot | Order | Load | Put | HavocCells | Take | HavocData | Weigh | IsNull | Outside | Idle | Gather


def spots_of(step: Step) -> tuple[Spot, ...]:
    """The spots that take part in a step."""
    match step:
        case Move(_, spot) | Load(_, spot) | Put(spot) | Outside(spot):
            return (spot,)
        case Order(_, left, right):
            return left, right
        case _:
            return ()


def after(store: ArrayStore, step: Step, vocabulary: Vocabulary) -> ArrayStore | None:
    """The store after a step; None if the step is not possible or fails. A havoc keeps the value."""
    match step:
        case Move(target, spot):
            return replace(store, spots=_replaced(store.spots, target, spot.value(store)))
        case Order(op, left, right):
            return store if compare(op, left.value(store), right.value(store)) else None
        case Load(target, spot):
            at = spot.value(store)
            if store.null or not 0 <= at < len(store.cells):
                return None
            return store if target is None else replace(store, data=_replaced(store.data, target, store.cells[at]))
        case Put(spot, value):
            at = spot.value(store)
            if store.null or not 0 <= at < len(store.cells):
                return None
            if value is None:
                return store
            return replace(store, cells=_replaced(store.cells, at, vocabulary.values(store)[value]))
        case Take(target, value):
            return replace(store, data=_replaced(store.data, target, vocabulary.values(store)[value]))
        case Weigh(op, left, right):
            values = vocabulary.values(store)
            return store if compare(op, values[left], values[right]) else None
        case IsNull(truth):
            return store if store.null == truth else None
        case Outside(spot):
            return store if not store.null and not 0 <= spot.value(store) < len(store.cells) else None
        case HavocSpot() | HavocData() | HavocCells() | Idle() | Gather():
            return store


def _replaced(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])
