"""A member of a refining set as it is met: with those of its nodes that have partners, and with its stages.

Which other nodes there are makes a difference: if the node that all variables point to is the only one, nothing is
shared. So what the constraints make of a member is looked at for each set of nodes that are there.

A stage is a pair of structures with the member's nodes, alike but for the value of one predicate at one node, and what
coerce makes of that. Meeting with all stages one after the other gives what the product of all pairs would give.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from heapwright.engines.tvl.coerce import Coercer
from heapwright.engines.tvl.layout import Layouts, bits
from heapwright.engines.tvl.patterns import Groups, Literals, nothing_known, union
from heapwright.engines.tvl.structure import ACTIVE, SUMMARY, Draft, Signature, Structure, narrowed


@dataclass(frozen=True, slots=True)
class Stage:
    """A predicate at a node of a member: what follows where it holds, and where it does not. None where that cannot
    be. `local`: it follows from the node being single, so that only nodes out of summaries have yet to learn it."""

    predicate: int
    node: int
    holds: Literals | None
    fails: Literals | None
    local: bool

    def impose(self, draft: Draft, groups: Groups, layouts: Layouts) -> int:
        """The meet with the stage's two structures, as `Literals.impose`. They have the member's nodes: which
        correspond to which is known by now. Where the predicate is 1/2, the join of the two meets is the draft itself:
        splitting would not pay."""
        node = groups[self.node]
        if node & draft.must[self.predicate]:
            case = self.holds
        elif not node & draft.may[self.predicate]:
            case = self.fails
        else:
            return 0
        if case is None:
            return -1 if node & draft.must[ACTIVE] else node
        return 0 if case.empty else case.impose(draft, groups, layouts)


class Variant:
    """A member of which some nodes are there, some may be absent and some are, as sharp as the constraints make it.

    Constraints sharpen little about nodes that may be absent. So each case of what is there is looked at for itself;
    what counts is what all cases agree on in which a node is there. `impossible` are nodes that are there in none."""

    def __init__(self, signature: Signature, coercer: Coercer, member: Structure, present: int, certain: int) -> None:
        self.n = present.bit_count()
        self.cases = list(_cases(signature, coercer, member, present, certain))
        known = joined(signature, self.n, self.cases)
        self.possible = known is not None
        self.impossible = 0
        self.stages: list[Stage] = []
        if known is not None:
            self.impossible = (1 << self.n) - 1 & ~union_of(nodes for nodes, _ in self.cases)
            self.literals = Literals(signature, known)
            self.stages = list(self._stages(signature, coercer, known))

    def _stages(self, signature: Signature, coercer: Coercer, known: Draft) -> Iterator[Stage]:
        """Those of all unary predicates at single nodes, unless nothing follows but the value itself."""
        bare = [(nodes, bare_like(signature, coercer, draft)) for nodes, draft in self.cases]
        always = (1 << self.n) - 1
        for nodes, _ in self.cases:
            always &= nodes
        for node in bits(always & ~known.may[SUMMARY]):
            for p in signature.unary:
                if p > ACTIVE and known.may[p] & ~known.must[p] & 1 << node:
                    stage = self._stage(signature, coercer, known, bare, p, node)
                    if stage is not None:
                        yield stage

    def _stage(
        self, signature: Signature, coercer: Coercer, known: Draft, bare: list[Case], p: int, node: int
    ) -> Stage | None:
        found: list[Literals | None] = []
        local = True
        for value in (True, False):
            after = joined(signature, self.n, _having(coercer, self.cases, p, node, value))
            plain = joined(signature, self.n, _having(coercer, bare, p, node, value))
            with_value = known.copy()
            set_value(with_value, p, node, value)
            found.append(None if after is None else Literals(signature, after, with_value))
            local &= after is not None and plain is not None and follows(signature, after, known, plain)
        if all(each is not None and each.empty for each in found):
            return None
        return Stage(p, node, found[0], found[1], local)

    def impose(self, draft: Draft, groups: Groups, fresh: int, layouts: Layouts) -> int:
        """The meet with this structure and with the sets of its stages, as `Literals.impose`."""
        if self.impossible:
            return union(groups, self.impossible)
        absent = self.literals.impose(draft, groups, layouts)
        if absent:
            return absent
        for stage in self.stages:
            if not stage.local or fresh >> stage.node & 1:
                absent = stage.impose(draft, groups, layouts)
                if absent:
                    return absent
        return 0


Case = tuple[int, Draft]  # the nodes that are there, and the structure of those


def _cases(signature: Signature, coercer: Coercer, member: Structure, present: int, certain: int) -> Iterator[Case]:
    """Those that the constraints allow; nodes are numbered by their places among the present ones."""
    maybe = absent = present & ~certain
    while True:
        draft = member.draft()
        there = present & ~absent
        draft.must[ACTIVE] = draft.may[ACTIVE]
        draft.remove((1 << member.n) - 1 & ~there, signature)
        if coercer.coerce_all(draft):
            yield narrowed(there, present), draft
        if not absent:
            return
        absent = absent - 1 & maybe


def _having(coercer: Coercer, cases: Iterable[Case], predicate: int, node: int, value: bool) -> Iterator[Case]:
    """Those cases in which a predicate can have a value at a node, with all that follows."""
    for nodes, structure in cases:
        draft = structure.copy()
        set_value(draft, predicate, narrowed(1 << node, nodes).bit_length() - 1, value)
        if coercer.coerce(draft):
            yield nodes, draft


def set_value(draft: Draft, predicate: int, node: int, value: bool) -> None:
    if value:
        draft.set_true(predicate, node)
    else:
        draft.set_false(predicate, 1 << node)


def joined(signature: Signature, n: int, cases: Iterable[Case]) -> Draft | None:
    """What the cases agree on, over all n nodes; None if there is no case. Nodes that are not in all cases may be
    absent; of what is never there, nothing is known."""
    found = list(cases)
    if not found:
        return None
    if len(found) == 1 and found[0][0] == (1 << n) - 1:
        return found[0][1]
    result = Draft.empty(signature, n)
    may: list[int] = [0] * signature.size
    fail: list[int] = [0] * signature.size
    seen = [0] * 3  # by arity, the places that some case has
    for nodes, draft in found:
        kept = list(bits(nodes))
        for p in range(signature.size):
            arity = signature.arity[p]
            places = _places(kept, n, arity)
            for here, there in enumerate(places):
                seen[arity] |= 1 << there
                may[p] |= (draft.may[p] >> here & 1) << there
                fail[p] |= (~draft.must[p] >> here & 1) << there
    for p in range(signature.size):
        full = (1 << n ** signature.arity[p]) - 1
        known = seen[signature.arity[p]]
        result.may[p] = may[p] | full & ~known
        result.must[p] = known & ~fail[p]
    result.may[ACTIVE] = (1 << n) - 1
    result.must[ACTIVE] = result.may[ACTIVE]
    for nodes, _ in found:
        result.must[ACTIVE] &= nodes
    return result


def _places(kept: list[int], n: int, arity: int) -> list[int]:
    if arity == 0:
        return [0]
    return kept if arity == 1 else [u * n + v for u in kept for v in kept]


def union_of(masks: Iterable[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result


def follows(signature: Signature, found: Draft, known: Draft, other: Draft) -> bool:
    """Is what is definite in `found` definite in `known` or in another structure with the same nodes?"""
    return all(
        not found.must[p] & ~(known.must[p] | other.must[p]) and not known.may[p] & other.may[p] & ~found.may[p]
        for p in range(signature.size)
    )


def bare_like(signature: Signature, coercer: Coercer, draft: Draft) -> Draft:
    """A structure with the same nodes, of which nothing else is known than what the constraints tell."""
    bare = nothing_known(signature, draft.freeze())
    return bare if coercer.coerce_all(bare) else draft
