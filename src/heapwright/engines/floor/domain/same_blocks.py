"""Pointers that surely lead into one block: classes of variables and cells. All of a class point into the same block,
live or ended, or all are null (or near it), or all are junk.

A holder is a variable, a single cell of a most recent block, or the field of the object that a variable points to. The
last one stays until the variable changes, the field of any object is written, or a block ends.

>>> known = SameBlocks()
>>> known.add("next", field_behind("node", "next"))
>>> known.add("saved", "next")
>>> known.drop_variable("next")
>>> sorted(map(str, known.beside("saved")))
["('>', 'node', 'next')"]
"""

from __future__ import annotations

from collections.abc import Callable

from heapwright.engines.floor.domain.layouts import Place
from heapwright.engines.floor.domain.pointers import Key

Holder = str | tuple[str, str, str] | tuple[Key, tuple[str, ...], str]

BEHIND = ">"
MOST = 8  # holders of one class
NONE: frozenset[Holder] = frozenset()


def field_behind(variable: str, field: str) -> Holder:
    return BEHIND, variable, field


def cell(key: Key, place: Place) -> Holder:
    return key, *place


def as_cell(holder: Holder) -> tuple[Key, Place] | None:
    """The block and the place of a cell."""
    if isinstance(holder, str) or isinstance(holder[1], str):
        return None
    return int(holder[0]), (holder[1], holder[2])


class SameBlocks:
    """`classes` has the class of each holder that is not alone. `covers` says less: a variable points into no block, or
    each of these variables points into the same one. Sets are replaced, never changed."""

    __slots__ = ("classes", "covers")

    def __init__(self) -> None:
        self.classes: dict[Holder, frozenset[Holder]] = {}
        self.covers: dict[str, frozenset[Holder]] = {}

    def copy(self) -> SameBlocks:
        twin = SameBlocks()
        twin.classes, twin.covers = self.classes.copy(), self.covers.copy()
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameBlocks) and self.classes == other.classes and self.covers == other.covers

    __hash__ = None  # type: ignore[assignment]  # it changes

    def beside(self, holder: Holder) -> frozenset[Holder]:
        """The others of its class."""
        return self.classes.get(holder, NONE) - {holder}

    def add(self, holder: Holder, other: Holder) -> None:
        """Two holders, and so all of their classes, point into one block."""
        whole = self.classes.get(holder, frozenset((holder,))) | self.classes.get(other, frozenset((other,)))
        if 1 < len(whole) <= MOST:
            for one in whole:
                self.classes[one] = whole

    def follow(self, name: str, holder: Holder) -> None:
        """A new variable is what a holder with others is."""
        if holder in self.classes:
            self.add(name, holder)
        if isinstance(holder, str) and holder in self.covers:
            self.covers[name] = self.covers[holder]

    def covering(self, holder: Holder) -> frozenset[Holder]:
        """Holders that point into the block that a holder points into, if any."""
        found = self.beside(holder)
        return found | self.covers.get(holder, NONE) if isinstance(holder, str) else found

    def drop(self, holder: Holder) -> None:
        if self.covers and isinstance(holder, str):
            self.covers.pop(holder, None)
            for name in [name for name, known in self.covers.items() if holder in known]:
                self.covers[name] -= {holder}
        known = self.classes.pop(holder, None)
        if known is not None:
            left = known - {holder}
            for one in left:
                if len(left) > 1:
                    self.classes[one] = left
                else:
                    del self.classes[one]

    def drop_variable(self, name: str) -> None:
        """The variable changes."""
        if self.classes or self.covers:
            self.drop(name)
            self.drop_behind(name)

    def drop_behind(self, name: str) -> None:
        for holder in [one for one in self.classes if one[0] == BEHIND and one[1] == name]:
            self.drop(holder)

    def drop_field(self, field: str) -> None:
        """The field of some object changes."""
        for holder in [one for one in self.classes if one[0] == BEHIND and one[2] == field]:
            self.drop(holder)

    def drop_objects(self, key: Key | None = None) -> None:
        """The cells of a block change or are gone; and so may be any field behind a variable."""
        for holder in [one for one in self.classes if not isinstance(one, str) and one[0] in (BEHIND, key)]:
            self.drop(holder)

    def drop_cells(self, key: Key) -> None:
        """The block is named otherwise."""
        for holder in [one for one in self.classes if not isinstance(one, str) and one[0] == key]:
            self.drop(holder)

    def joined(self, other: SameBlocks, leads: Callable[[str], bool], leads_there: Callable[[str], bool]) -> SameBlocks:
        """What holds in both; whether a variable may lead to a block in the one and in the other state."""
        if self == other:
            return self.copy()
        whole = SameBlocks()
        for holder, known in self.classes.items():
            both = known & other.classes.get(holder, NONE)
            if len(both) > 1:
                whole.classes[holder] = both
        names: list[Holder] = [*self.classes, *self.covers, *other.classes, *other.covers]
        for name in dict.fromkeys(names):
            if isinstance(name, str):
                one = self.covering(name) if leads(name) else None
                two = other.covering(name) if leads_there(name) else None
                common = one if two is None else two if one is None else one & two
                left = frozenset(held for held in common or () if isinstance(held, str)) - whole.beside(name)
                if left:
                    whole.covers[name] = left
        return whole
