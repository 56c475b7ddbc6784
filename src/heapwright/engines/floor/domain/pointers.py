"""Abstract pointers: null, near null, junk, unknown, and positions in abstract blocks.

A position is an object of a block, named by its path from the root (parts by name, elements of arrays as `ELEMENT`),
with two ranges: `outer`, the index of the last `ELEMENT` of the path, and `inner`, the index inside of the object: of a
cell if it is an array, else 0. An outer index outside of its array is the position there. The path `SOMEWHERE` is any
position in or beside the block, also one of an object that was never allocated. Unknown is every pointer.

    Pointer(NULL, {(key, ()): ((0, 0), (0, 0))})      # null, or the root of the block
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from heapwright.engines.floor.domain import intervals
from heapwright.engines.floor.domain.intervals import ANYWHERE, Interval

NULL, NEAR_NULL, JUNK, UNKNOWN = 1, 2, 4, 8
WRITTEN_OUTSIDE = 16  # in cells alone: a pointer that the environment may have written

Path = tuple[str, ...] | None
Key = int  # of a block: `site * KINDS + kind`
Where = tuple[Key, Path]
Indices = tuple[Interval, Interval]

ELEMENT = "*"
NEVER = "^"  # a step that starts so leads to the owner that a part does not have, an object that was never allocated
SOMEWHERE: Path = None
ZERO: Interval = (0, 0)
START: Indices = (ZERO, ZERO)
LOST: Indices = (ANYWHERE, ANYWHERE)
MOST_TARGETS = 64  # beyond that a pointer is unknown

RECENT, OLDER, GONE, KINDS = 0, 1, 2, 4
ENVIRONMENT: Key = OLDER  # the site 0


def is_never(path: Path) -> bool:
    """Whether a position is that of an object that was never allocated."""
    return path is not None and path[-1:] != () and path[-1].startswith(NEVER)


def recent(site: int) -> Key:
    return site * KINDS + RECENT


def kind_of(key: Key) -> int:
    return key % KINDS


def site_of(key: Key) -> int:
    return key // KINDS


def gone(key: Key) -> Key:
    """The blocks of the same site whose lifetime has ended."""
    return key - key % KINDS + GONE


class Pointer:
    """A set of pointers. Immutable by convention: operations return new values."""

    __slots__ = ("flags", "targets")

    def __init__(self, flags: int, targets: Mapping[Where, Indices] | None = None) -> None:
        self.flags = flags
        self.targets: Mapping[Where, Indices] = targets or {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pointer) and self.flags == other.flags and self.targets == other.targets

    def __hash__(self) -> int:
        return hash((self.flags, len(self.targets)))

    def __repr__(self) -> str:
        return f"Pointer({self.flags}, {dict(self.targets)})"

    @property
    def empty(self) -> bool:
        return not self.flags and not self.targets

    @property
    def unknown(self) -> bool:
        return bool(self.flags & UNKNOWN)

    def blocks(self) -> set[Key]:
        return {key for key, _ in self.targets}

    def only(self) -> Key | None:
        """The block that it surely points to."""
        if self.flags or not self.targets:
            return None
        keys = self.blocks()
        return next(iter(keys)) if len(keys) == 1 else None

    def without(self, flags: int) -> Pointer:
        return self if not self.flags & flags else Pointer(self.flags & ~flags, self.targets)

    def where(self, holds: Callable[[Key], bool]) -> Pointer:
        """Without the targets in other blocks than those."""
        if all(holds(key) for key, _ in self.targets):
            return self
        return Pointer(self.flags, {where: at for where, at in self.targets.items() if holds(where[0])})

    def renamed(self, old: Key, new: Key, *, also: bool = False) -> Pointer:
        """With targets in one block moved to another; `also`: they may have been moved."""
        for key, _ in self.targets:
            if key == old:
                break
        else:
            return self
        moved: dict[Where, Indices] = {}
        for (key, path), at in self.targets.items():
            if key != old or also:
                _add(moved, (key, path), at)
            if key == old:
                _add(moved, (new, path), at)
        return bounded(self.flags, moved)


NOTHING = Pointer(0)
NULL_POINTER = Pointer(NULL)
JUNK_POINTER = Pointer(JUNK)
ANY_POINTER = Pointer(NULL | NEAR_NULL | JUNK | UNKNOWN)


def _add(targets: dict[Where, Indices], where: Where, at: Indices) -> None:
    known = targets.get(where)
    if known is None:
        targets[where] = at
    elif known != at:
        targets[where] = (intervals.join(known[0], at[0]), intervals.join(known[1], at[1]))


def bounded(flags: int, targets: dict[Where, Indices]) -> Pointer:
    """A pointer with these targets, unknown if there are too many."""
    if flags & UNKNOWN or len(targets) > MOST_TARGETS:
        return ANY_POINTER
    return Pointer(flags, targets)


def made(flags: int, found: Iterator[tuple[Where, Indices]]) -> Pointer:
    """A pointer with these flags and targets, several of which may be one."""
    targets: dict[Where, Indices] = {}
    for where, at in found:
        _add(targets, where, at)
    return bounded(flags, targets)


def join(one: Pointer, other: Pointer) -> Pointer:
    if one is other:
        return one
    flags = one.flags | other.flags
    if not other.targets and flags == one.flags:
        return one
    targets = dict(one.targets)
    for where, at in other.targets.items():
        _add(targets, where, at)
    return one if flags == one.flags and targets == one.targets else bounded(flags, targets)


def widen(old: Pointer, new: Pointer, thresholds: Sequence[int]) -> Pointer:
    """The join, with index ranges that grow widened."""
    whole = join(old, new)
    if whole is old or whole.unknown:
        return whole
    targets = dict(whole.targets)
    for where, at in old.targets.items():
        if targets[where] != at:
            outer, inner = (intervals.widen(a, b, thresholds) for a, b in zip(at, targets[where], strict=True))
            targets[where] = (outer, inner)
    return Pointer(whole.flags, targets)
