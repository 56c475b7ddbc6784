"""What an access asks for, and what it may refer to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from heapwright.engines.floor.domain.blocks import is_single
from heapwright.engines.floor.domain.layouts import Place
from heapwright.engines.floor.domain.pointers import RECENT, Indices, Key, Where, kind_of
from heapwright.program.checks import CheckKind
from heapwright.program.types import Field, ObjectType, ValueKind

Failures = set[CheckKind]


class Want(NamedTuple):
    """The type at which memory is accessed, as in `program/semantics/access.py`."""

    type: ObjectType | None
    field: Field | None
    name: str
    kind: ValueKind
    cell: bool = False


class Access(NamedTuple):
    """A scalar that is accessed, of the whole block if there is no place."""

    key: Key
    place: Place | None
    field: Field | None = None


@dataclass
class Found:
    """What an access may refer to; `everything`: any scalar of any block, too. `keeps`: a write to it leaves the zeroes
    that are known to terminate strings."""

    accesses: list[Access]
    everything: bool = False
    keeps: bool = False

    @property
    def strong(self) -> bool:
        """Whether it is one scalar of one block."""
        if len(self.accesses) != 1 or self.everything:
            return False
        one = self.accesses[0]
        return kind_of(one.key) == RECENT and one.place is not None and is_single(one.place)


def by_block(item: tuple[Where, Indices]) -> tuple[Key, tuple[str, ...]]:
    return item[0][0], item[0][1] or ()
