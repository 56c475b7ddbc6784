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
    """`classes` has the class of each holder that is not alone. Classes are replaced, never changed."""

    __slots__ = ("classes",)

    def __init__(self, classes: dict[Holder, frozenset[Holder]] | None = None) -> None:
        self.classes = classes if classes is not None else {}

    def copy(self) -> SameBlocks:
        return SameBlocks(self.classes.copy())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameBlocks) and self.classes == other.classes

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

    def drop(self, holder: Holder) -> None:
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
        if self.classes:
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

    def joined(self, other: SameBlocks) -> SameBlocks:
        if self.classes == other.classes:
            return self.copy()
        found: dict[Holder, frozenset[Holder]] = {}
        for holder, known in self.classes.items():
            both = known & other.classes.get(holder, NONE)
            if len(both) > 1:
                found[holder] = both
        return SameBlocks(found)
