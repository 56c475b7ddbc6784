"""Join operators: the set of structures kept at a location.

`rel`: all of them, up to isomorphism. `part`: one for each set of canonical names (with the values of nullary
abstraction predicates); those with the same set are joined, value by value, unless separating predicates differ on
nodes to which certain variables point. `part_embedding`: as `part`, but only where one embeds in the other. `maximal`:
all but those that embed in another one.

Under loose and adaptive embedding no location keeps a structure that embeds in another: there `rel` and
`part_embedding` mean `maximal`, and `part` also drops such structures.

Blurred structures have their nodes in the order of names, so that equal sets of names are equal masks of the
abstraction predicates, and the join of two values is `may` or `may`, `must` and `must`.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import and_, or_
from typing import Literal, Protocol

from heapwright.engines.kit.deadline import NO_LIMIT, Deadline
from heapwright.engines.tvl.structures.antichain import Antichain, Profiles
from heapwright.engines.tvl.structures.bit_sets import Layouts
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind, loosened
from heapwright.engines.tvl.structures.structure import Signature, Structure

JoinKind = Literal["rel", "part", "part_embedding", "maximal"]
JOINS: tuple[JoinKind, ...] = ("rel", "part", "part_embedding", "maximal")


class StructureSet(Protocol):
    def add(self, structure: Structure) -> Structure | None:
        """Adds a blurred structure; returns the structure that is new at the location, if any."""

    def __iter__(self) -> Iterator[Structure]: ...

    def __len__(self) -> int: ...

    def outdated(self, structure: Structure) -> bool:
        """Whether a structure that `add` returned has been joined with another one since."""


class Relational:
    def __init__(self) -> None:
        self._kept: dict[Structure, None] = {}

    def add(self, structure: Structure) -> Structure | None:
        if structure in self._kept:
            return None
        self._kept[structure] = None
        return structure

    def __iter__(self) -> Iterator[Structure]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)

    def outdated(self, structure: Structure) -> bool:
        return False


Names = tuple[int, object, object, tuple[int, ...]]


def names(signature: Signature, structure: Structure) -> Names:
    """The key by which structures are joined: their sets of canonical names, and the values of separating predicates on
    nodes that variables point to."""
    apart = tuple(distinctions(signature, structure)) if signature.separating else ()
    return (structure.n, signature.names(structure.may), signature.names(structure.must), apart)


def distinctions(signature: Signature, structure: Structure) -> Iterator[int]:
    """The values of separating predicates on nodes that variables definitely point to."""
    may, must, n = structure.may, structure.must, structure.n
    for p, ends in signature.separating:
        where = must[ends[0]]
        if len(ends) == 2:
            where = must[ends[1]] << (where.bit_length() - 1) * n if where else 0
        yield may[p] & where
        yield must[p] & where


class Partial:
    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self._kept: dict[Names, Structure] = {}

    def add(self, structure: Structure) -> Structure | None:
        key = names(self.signature, structure)
        old = self._kept.get(key)
        if old is None:
            self._kept[key] = structure
            return structure
        if old == structure:
            return None
        merged = pointwise(old, structure)
        if merged == old:
            return None
        self._kept[key] = merged
        return merged

    def including(self, structure: Structure) -> Structure:
        """Adds a blurred structure; returns the kept one that includes it."""
        self.add(structure)
        return self._kept[names(self.signature, structure)]

    def __iter__(self) -> Iterator[Structure]:
        return iter(self._kept.values())

    def __len__(self) -> int:
        return len(self._kept)

    def outdated(self, structure: Structure) -> bool:
        return self._kept.get(names(self.signature, structure)) != structure


class PartialEmbedding:
    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self._kept: dict[Names, list[Structure]] = {}

    def add(self, structure: Structure) -> Structure | None:
        group = self._kept.setdefault(names(self.signature, structure), [])
        for index, old in enumerate(group):
            merged = pointwise(old, structure)
            if merged == old:
                return None
            if merged == structure:
                group[index] = merged
                return merged
        group.append(structure)
        return structure

    def __iter__(self) -> Iterator[Structure]:
        return (structure for group in self._kept.values() for structure in group)

    def __len__(self) -> int:
        return sum(map(len, self._kept.values()))

    def outdated(self, structure: Structure) -> bool:
        return structure not in self._kept[names(self.signature, structure)]


class Maximal(Relational):
    def __init__(self, profiles: Profiles, deadline: Deadline = NO_LIMIT) -> None:
        super().__init__()
        self._antichain = Antichain(profiles, deadline)

    def add(self, structure: Structure) -> Structure | None:
        if structure in self._kept or self._antichain.covers(structure):
            return None
        for other in self._antichain.covered(structure):
            del self._kept[other]
            self._antichain.remove(other)
        self._kept[structure] = None
        self._antichain.insert(structure)
        return structure

    def outdated(self, structure: Structure) -> bool:
        return structure not in self._kept


class LoosePartial(Partial):
    """`part` under loose embedding."""

    def __init__(self, profiles: Profiles, deadline: Deadline = NO_LIMIT) -> None:
        super().__init__(profiles.signature)
        self._antichain = Antichain(profiles, deadline)
        self._layouts = Layouts()

    def add(self, structure: Structure) -> Structure | None:
        if self._antichain.covers(structure):
            return None
        key = names(self.signature, structure)
        while (old := self._kept.pop(key, None)) is not None:
            self._antichain.remove(old)
            structure = loosened(self.signature, pointwise(old, structure), self._layouts)
            key = names(self.signature, structure)  # loosening may bring it together with another one
        for other in self._antichain.covered(structure):
            del self._kept[names(self.signature, other)]
            self._antichain.remove(other)
        self._kept[key] = structure
        self._antichain.insert(structure)
        return structure


class Adaptive(Maximal):
    """No structure that embeds in another one, or would if summary nodes could be absent: those become optional."""

    def add(self, structure: Structure) -> Structure | None:
        if structure in self._kept or self._antichain.covers(structure):
            return None
        structure = self._joined(structure)
        while (found := self._antichain.loosened_above(structure)) is not None:
            structure = self._replaced(*found)
        while (found := self._antichain.loosened_below(structure)) is not None:
            structure = self._replaced(*found)
        for other in self._antichain.covered(structure):
            self._drop(other)
        self._kept[structure] = None
        self._antichain.insert(structure)
        return structure

    def _replaced(self, old: Structure, new: Structure) -> Structure:
        """The structure to keep instead of a given one."""
        self._drop(old)
        return self._joined(new)

    def _drop(self, structure: Structure) -> None:
        del self._kept[structure]
        self._antichain.remove(structure)

    def _joined(self, structure: Structure) -> Structure:
        """The join of a structure with the stored ones that have the same key, which are dropped."""
        return structure


class AdaptivePartial(Adaptive):
    """`part` under adaptive embedding."""

    def __init__(self, profiles: Profiles, deadline: Deadline = NO_LIMIT) -> None:
        super().__init__(profiles, deadline)
        self.signature = profiles.signature
        self._by_names: dict[Names, Structure] = {}

    def add(self, structure: Structure) -> Structure | None:
        new = super().add(structure)
        if new is not None:
            self._by_names[names(self.signature, new)] = new
        return new

    def _drop(self, structure: Structure) -> None:
        super()._drop(structure)
        del self._by_names[names(self.signature, structure)]

    def _joined(self, structure: Structure) -> Structure:
        while (old := self._by_names.get(names(self.signature, structure))) is not None:
            self._drop(old)
            structure = pointwise(old, structure)
        return structure


def pointwise(left: Structure, right: Structure) -> Structure:
    """The join of two structures over the same nodes."""
    return Structure(left.n, tuple(map(or_, left.may, right.may)), tuple(map(and_, left.must, right.must)))


def make_structure_set(
    kind: JoinKind,
    signature: Signature,
    *,
    embedding: EmbeddingKind = "strict",
    profiles: Profiles | None = None,
    deadline: Deadline = NO_LIMIT,
) -> StructureSet:
    """`profiles` may be shared by the sets of an analysis."""
    if embedding != "strict" or kind == "maximal":
        profiles = profiles or Profiles(signature)
        if embedding == "adaptive":
            return AdaptivePartial(profiles, deadline) if kind == "part" else Adaptive(profiles, deadline)
        return LoosePartial(profiles, deadline) if kind == "part" else Maximal(profiles, deadline)
    if kind == "rel":
        return Relational()
    return Partial(signature) if kind == "part" else PartialEmbedding(signature)
