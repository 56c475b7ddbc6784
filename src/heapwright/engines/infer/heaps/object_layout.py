"""The struct types of the objects of a function, and the pointer fields between them.

A field belongs to the type that declares it, so that two types may have fields of one name. Only a field that leads to
its own type again can be followed further.

>>> layout = ObjectLayout(("list", "node"), (PointerField("head", 0, 1), PointerField("n", 1, 1)))
>>> layout.number("list", "head"), layout.number("node", "head"), layout.loops(0), layout.loops(1)
(0, None, False, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PointerField:
    """A field by its name; the numbers of the type that declares it and of the type that it leads to."""

    name: str
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class ObjectLayout:
    types: tuple[str, ...]
    fields: tuple[PointerField, ...]

    @property
    def several(self) -> bool:
        return len(self.types) > 1

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)

    def number(self, type_: str, name: str) -> int | None:
        """The number of a field; None if it is not one of these. With one type, that of a pointer does not matter: a
        cast pointer leads to the same objects."""
        for index, field in enumerate(self.fields):
            if field.name == name and (not self.several or self.types[field.source] == type_):
                return index
        return None

    def loops(self, field: int) -> bool:
        """Whether a field leads to its own type."""
        return self.fields[field].source == self.fields[field].target

    def of(self, source: int) -> list[int]:
        """The fields of a type."""
        return [index for index, field in enumerate(self.fields) if field.source == source]

    def followed(self, start: int, path: Sequence[int]) -> int | None:
        """The type of what a pointer to a type leads to along a path; None if there is no such path."""
        for index in path:
            if self.fields[index].source != start:
                return None
            start = self.fields[index].target
        return start
