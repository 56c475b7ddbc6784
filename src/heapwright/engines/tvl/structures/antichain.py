"""Antichains: sets of bounded structures of which none embeds in another, found by the names of their nodes.

A node maps to a node whose name is the same or vaguer. Where all names are definite, a structure can therefore embed in
another only if its set of names lies within the other's and contains those that must be met; and there is one map to
try. So structures are kept in buckets by the values of the abstraction predicates (`Profile`). A profile that is
definite, with nodes that are all there for certain, compares with its own bucket and with the vague ones; any other
pair of profiles costs two operations on bit sets. Whether a structure embeds in another one then takes a comparison of
their values, predicate by predicate.

>>> from heapwright.engines.tvl.structures.structure import Draft
>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> signature = Signature(Vocabulary((Predicate("x", 1), Predicate("p", 1, abstraction=False))))
>>> one, other = Draft.empty(signature, 1), Draft.empty(signature, 1)
>>> one.may[5], other.may[SUMMARY] = 1, 1
>>> antichain = Antichain(Profiles(signature))
>>> antichain.insert(one.freeze())
>>> antichain.covers(Draft.empty(signature, 1).freeze()), antichain.covers(other.freeze())
(True, False)
"""

from __future__ import annotations

from operator import and_, or_

from heapwright.engines.kit.deadline import NO_LIMIT, Deadline
from heapwright.engines.tvl.structures.bit_sets import CACHE_SIZE, Layouts
from heapwright.engines.tvl.structures.embedding import embeds
from heapwright.engines.tvl.structures.renumbering import Renumbering
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Signature, Structure

Name = tuple[int, int]  # which unary abstraction predicates may hold of a node, and which must


class Profile:
    """The values of the abstraction predicates in a structure, and its active nodes. `names` are those of its nodes,
    `known` and `needed` sets of the numbers of definite names. `rigid`: every name is definite and every node
    active."""

    __slots__ = ("definite", "known", "n", "names", "needed", "node_of", "nullary", "rigid")

    def __init__(self, n: int, names: list[Name], nullary: Name) -> None:
        self.n = n
        self.names = names
        self.nullary = nullary
        self.node_of = {name: node for node, name in enumerate(names)}
        self.definite = nullary[0] == nullary[1] and all(may == must for may, must in names)
        self.known = 0
        self.needed = 0
        self.rigid = False


class Profiles:
    """The profiles of an analysis, each once, and the maps between them."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self._profiles: dict[object, Profile] = {}
        self._numbers: dict[Name, int] = {}  # of definite names
        self._layouts = Layouts()
        self._maps: dict[tuple[int, tuple[int, ...]], Renumbering] = {}

    def of(self, structure: Structure) -> Profile:
        names = self.signature.names
        active = structure.must[ACTIVE]
        key = (structure.n, names(structure.may), names(structure.must), active)
        profile = self._profiles.get(key)
        if profile is None:
            profile = self._profiles[key] = self._made(structure)
        return profile

    def _made(self, structure: Structure) -> Profile:
        signature, n = self.signature, structure.n
        may, must = [0] * n, [0] * n
        for i, p in enumerate(signature.unary_names):
            for node in range(n):
                may[node] |= (structure.may[p] >> node & 1) << i
                must[node] |= (structure.must[p] >> node & 1) << i
        nullary = [0, 0]
        for i, p in enumerate(signature.nullary_names):
            nullary[0] |= (structure.may[p] & 1) << i
            nullary[1] |= (structure.must[p] & 1) << i
        profile = Profile(n, list(zip(may, must, strict=True)), (nullary[0], nullary[1]))
        active = structure.must[ACTIVE]
        if profile.definite:
            for node, name in enumerate(profile.names):
                bit = 1 << self._numbers.setdefault(name, len(self._numbers))
                profile.known |= bit
                if active >> node & 1:
                    profile.needed |= bit
            profile.rigid = profile.known == profile.needed
        return profile

    def may_embed(self, small: Profile, big: Profile) -> bool:
        """Do the names allow that a structure of one profile embeds in one of the other?"""
        if small.nullary[0] & ~big.nullary[0] or big.nullary[1] & ~small.nullary[1]:
            return False
        if big.definite:  # then so are names that fit
            return small.definite and not small.known & ~big.known and not big.needed & ~small.known
        return True

    def embeds(self, small: Structure, below: Profile, big: Structure, above: Profile) -> bool:
        if below is above and below.definite:
            return pointwise_below(small, big)
        if not self.may_embed(below, above):
            return False
        if not (below.definite and above.definite):
            return embeds(self.signature, small, big)
        return self._below(small, self._map(below, above), big)

    def differ_in_activity(self, small: Profile, big: Profile) -> bool:
        """Would the names allow that a structure of one profile embeds in one of the other, were it not for nodes that
        must be met?"""
        return (
            small.definite
            and big.definite
            and small.nullary == big.nullary
            and not small.known & ~big.known
            and bool(big.needed & ~small.needed)
        )

    def loosened(self, small: Structure, below: Profile, big: Structure, above: Profile) -> Structure | None:
        """The least structure above two that differ in activity, if there is one in which no other nodes of the second
        may be absent than summaries, and no pairs are connected but those that paths through such nodes connect."""
        nodes = self._map(below, above)
        back = self._renumbering(below.n, tuple([below.node_of.get(name, below.n) for name in above.names]))
        missed = big.must[ACTIVE] & ~back.set_of(small.must[ACTIVE])
        if missed & ~big.may[SUMMARY]:
            return None
        closed = self._layouts.of(above.n).closed
        may, must = list(big.may), list(big.must)
        must[ACTIVE] &= ~missed
        through = may[ACTIVE] & ~must[ACTIVE]
        for p in self.signature.binary:
            if small.may[p]:
                found = back.relations.get(small.may[p]) or back.relation_of(small.may[p])
                if found & ~may[p]:
                    if found & ~closed[may[p], through]:
                        return None
                    may[p] |= found
        structure = Structure(above.n, tuple(may), tuple(must))
        return structure if self._below(small, nodes, structure) else None

    def _map(self, below: Profile, above: Profile) -> Renumbering:
        """The one map that names allow."""
        return self._renumbering(above.n, tuple([above.node_of[name] for name in below.names]))

    def _renumbering(self, n: int, origins: tuple[int, ...]) -> Renumbering:
        key = n, origins
        found = self._maps.get(key)
        if found is None:
            if len(self._maps) >= CACHE_SIZE:
                self._maps.clear()
            found = self._maps[key] = Renumbering(*key)
        return found

    def _below(self, small: Structure, nodes: Renumbering, big: Structure) -> bool:
        """Is every value that of its image, or sharper?"""
        may, must, above_may, above_must = small.may, small.must, big.may, big.must
        for p in self.signature.nullary:
            if may[p] & ~above_may[p] or above_must[p] & ~must[p]:
                return False
        sets, relations = nodes.sets, nodes.relations
        for p in self.signature.unary:
            value = above_may[p]
            if may[p] & ~(sets.get(value) or nodes.set_of(value)):
                return False
            value = above_must[p]
            if value and (sets.get(value) or nodes.set_of(value)) & ~must[p]:
                return False
        for p in self.signature.binary:
            value = above_may[p]
            if may[p] and may[p] & ~(relations.get(value) or nodes.relation_of(value)):
                return False
            value = above_must[p]
            if value and (relations.get(value) or nodes.relation_of(value)) & ~must[p]:
                return False
        return True


def pointwise_below(small: Structure, big: Structure) -> bool:
    """Is every value of a structure that of another one over the same nodes, or sharper?"""
    if tuple(map(or_, small.may, big.may)) != big.may:
        return False
    return tuple(map(and_, small.must, big.must)) == big.must


class Antichain:
    """Bounded structures, by their profiles."""

    def __init__(self, profiles: Profiles, deadline: Deadline = NO_LIMIT) -> None:
        self.profiles = profiles
        self.deadline = deadline
        self._rigid: dict[Profile, dict[Structure, None]] = {}
        self._vague: dict[Profile, dict[Structure, None]] = {}

    def covers(self, structure: Structure) -> bool:
        """Does a structure embed in one of these?"""
        profile = self.profiles.of(structure)
        if profile.rigid and self._meets(structure, profile, profile, self._rigid.get(profile)):
            return True
        return any(self._meets(structure, profile, above, bucket) for above, bucket in self._vague.items())

    def _meets(
        self, structure: Structure, profile: Profile, above: Profile, bucket: dict[Structure, None] | None
    ) -> bool:
        if not bucket or not self.profiles.may_embed(profile, above):
            return False
        self.deadline.check()
        return structure in bucket or any(self.profiles.embeds(structure, profile, one, above) for one in bucket)

    def covered(self, structure: Structure) -> list[Structure]:
        """The structures among these that embed in a structure."""
        profile = self.profiles.of(structure)
        if profile.rigid:  # what embeds in it has its names, and its nodes
            return self._below(structure, profile, profile, self._rigid.get(profile) or {})
        found: list[Structure] = []
        for buckets in (self._rigid, self._vague):
            for below, bucket in buckets.items():
                if self.profiles.may_embed(below, profile):
                    found += self._below(structure, profile, below, bucket)
        return found

    def _below(
        self, structure: Structure, profile: Profile, below: Profile, bucket: dict[Structure, None]
    ) -> list[Structure]:
        self.deadline.check()
        return [one for one in bucket if self.profiles.embeds(one, below, structure, profile)]

    def loosened_above(self, structure: Structure) -> tuple[Structure, Structure] | None:
        """One of these in which a structure would embed if nodes could be absent, and the least one above both."""
        profile = self.profiles.of(structure)
        for buckets in (self._rigid, self._vague):
            for above, bucket in buckets.items():
                if self.profiles.differ_in_activity(profile, above):
                    self.deadline.check()
                    for one in bucket:
                        found = self.profiles.loosened(structure, profile, one, above)
                        if found is not None:
                            return one, found
        return None

    def loosened_below(self, structure: Structure) -> tuple[Structure, Structure] | None:
        """One of these that would embed in a structure if nodes could be absent, and the least one above both."""
        profile = self.profiles.of(structure)
        for buckets in (self._rigid, self._vague):
            for below, bucket in buckets.items():
                if self.profiles.differ_in_activity(below, profile):
                    self.deadline.check()
                    for one in bucket:
                        found = self.profiles.loosened(one, below, structure, profile)
                        if found is not None:
                            return one, found
        return None

    def insert(self, structure: Structure) -> None:
        profile = self.profiles.of(structure)
        buckets = self._rigid if profile.rigid else self._vague
        buckets.setdefault(profile, {})[structure] = None

    def remove(self, structure: Structure) -> None:
        profile = self.profiles.of(structure)
        buckets = self._rigid if profile.rigid else self._vague
        del buckets[profile][structure]
        if not buckets[profile]:
            del buckets[profile]
