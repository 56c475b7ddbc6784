"""Members of a refining set, prepared for meet: restricted to the nodes that have partners, with complementary pairs
(stages; Arnold, Figure 7).

Which other nodes are active matters: if the node that a variable points to is the only one, nothing is shared. So the
constraints are applied to a member for each set of active nodes.

A stage is a pair of structures with the member's nodes, alike but for the value of one predicate at one node, and what
coerce makes of that. The meet with all stages in turn equals that with the product of all pairs. Most stages imply
nothing beyond the value itself. Each half of a stage is made at its first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from heapwright.engines.tvl.constraints.coerce import Coercer
from heapwright.engines.tvl.structures.bit_sets import Layouts, bits
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature, Structure, narrowed
from heapwright.engines.tvl.structures.structure_patterns import Groups, Literals, nothing_known, union

Case = tuple[int, Draft]  # the active nodes, and their structure


@dataclass(frozen=True, slots=True)
class PairMember:
    """The consequences of one value of a stage's predicate; None where that value is impossible. `local`: it follows
    from the node being single, so that only nodes materialised from summaries need it."""

    literals: Literals | None
    local: bool


NOTHING = PairMember(Literals.none(), local=True)


@dataclass(slots=True)
class ComplementaryPair:
    """A predicate at a node; `halves` where it does not hold, and where it does, as far as they are made."""

    predicate: int
    node: int
    halves: list[PairMember | None] = field(default_factory=lambda: [None, None])


class Variant:
    """A member with some nodes active, some maybe-active and some inactive, sharpened by the constraints.

    Constraints sharpen little about maybe-active nodes. So each case of active nodes is sharpened separately; the
    result is the join of the cases in which a node is active. `impossible` are nodes that are active in no case."""

    def __init__(self, signature: Signature, coercer: Coercer, member: Structure, present: int, certain: int) -> None:
        self._signature = signature
        self._coercer = coercer
        self._n = present.bit_count()
        self._cases = list(cases_of(signature, coercer, member, present, certain))
        self.possible = bool(self._cases)
        full = always = (1 << self._n) - 1
        somewhere = 0
        for nodes, _ in self._cases:
            somewhere |= nodes
            always &= nodes
        self._impossible = full & ~somewhere
        self._known = joined(signature, self._n, self._cases)
        self._literals = Literals(signature, self._known)
        self._bare = [(nodes, bare_like(signature, coercer, draft)) for nodes, draft in self._cases]
        self._stages = [
            ComplementaryPair(p, node)
            for node in bits(always & ~self._known.may[SUMMARY])
            for p in signature.unary
            if p > ACTIVE and self._known.may[p] & ~self._known.must[p] & 1 << node
        ]

    def impose(self, draft: Draft, groups: Groups, fresh: int, layouts: Layouts) -> int:
        """The meet with this structure and with those of its stages, as `Literals.impose`. They have the same nodes:
        which correspond to which is known by now. `fresh` are nodes that were taken out of summaries. Where a stage's
        predicate is 1/2, the join of its two meets is the draft itself: splitting would not pay."""
        if self._impossible:
            return union(groups, self._impossible)
        absent = self._literals.impose(draft, groups, layouts)
        if absent:
            return absent
        may, must = draft.may, draft.must
        for stage in self._stages:
            node = groups[stage.node]
            value = node & must[stage.predicate] != 0
            if not value and node & may[stage.predicate]:
                continue
            half = stage.halves[value]
            if half is None:
                half = stage.halves[value] = self._half(stage, value)
            if half is NOTHING or (half.local and not fresh >> stage.node & 1):
                continue
            if half.literals is None:
                return -1 if node & must[ACTIVE] else node
            absent = half.literals.impose(draft, groups, layouts)
            if absent:
                return absent
        return 0

    def _half(self, stage: ComplementaryPair, value: bool) -> PairMember:
        cases = [having(self._coercer, case, stage, value) for case in self._cases]
        if all(found is not None and not found[2] for found in cases):
            return NOTHING
        possible = [found for found in cases if found is not None]
        if not possible:
            return PairMember(None, local=False)
        signature, known = self._signature, self._known
        gone = len(possible) < len(cases)
        changed = sorted(range(signature.size) if gone else {p for found in possible for p in found[2]})
        after = joined(signature, self._n, [(nodes, draft) for nodes, draft, _ in possible], known, changed)
        with_value = known.copy()
        set_value(with_value, stage.predicate, stage.node, value)
        literals = Literals(signature, after, with_value, changed)
        if literals.empty:
            return NOTHING
        bare = [having(self._coercer, case, stage, value) for case in self._bare]
        plain = [(found[0], found[1]) for found in bare if found is not None]
        local = len(plain) == len(bare) and follows(
            after, known, joined(signature, self._n, plain, None, changed), changed
        )
        return PairMember(literals, local)


def cases_of(signature: Signature, coercer: Coercer, member: Structure, present: int, certain: int) -> Iterator[Case]:
    """The sets of active nodes that the constraints allow; nodes are numbered by their indices among the active
    ones."""
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


def having(coercer: Coercer, case: Case, stage: ComplementaryPair, value: bool) -> tuple[int, Draft, list[int]] | None:
    """A case in which a predicate has a value at a node, with all that follows and the predicates whose values
    follow; None if that cannot be."""
    nodes, structure = case
    draft = structure.copy()
    set_value(draft, stage.predicate, (nodes & (1 << stage.node) - 1).bit_count(), value)
    may, must = draft.may.copy(), draft.must.copy()
    if not coercer.coerce(draft):
        return None
    changed: list[int] = []
    if draft.may != may or draft.must != must:
        values = enumerate(zip(may, draft.may, must, draft.must, strict=True))
        changed = [p for p, (a, b, c, d) in values if a != b or c != d]
    return nodes, draft, changed


def set_value(draft: Draft, predicate: int, node: int, value: bool) -> None:
    if value:
        draft.set_true(predicate, node)
    else:
        draft.set_false(predicate, 1 << node)


def joined(
    signature: Signature, n: int, cases: list[Case], others: Draft | None = None, predicates: Iterable[int] = ()
) -> Draft:
    """The values that all cases have in common, over all n nodes. Nodes that are not in all cases may be absent; of
    nodes that are never active, nothing is known. If `predicates` are given, values of all others are those of
    `others`, or unknown."""
    if len(cases) == 1 and cases[0][0] == (1 << n) - 1:
        return cases[0][1]
    result = others.copy() if others is not None else nothing_known(signature, Draft.empty(signature, n).freeze())
    for p in predicates or range(signature.size):
        arity = signature.arity[p]
        may = fails = seen = 0
        for nodes, draft in cases:
            kept = list(bits(nodes))
            entries = [0] if arity == 0 else kept if arity == 1 else [u * n + v for u in kept for v in kept]
            for here, there in enumerate(entries):
                seen |= 1 << there
                may |= (draft.may[p] >> here & 1) << there
                fails |= (~draft.must[p] >> here & 1) << there
        result.may[p] = may | (1 << n**arity) - 1 & ~seen
        result.must[p] = seen & ~fails
    result.may[ACTIVE] = result.must[ACTIVE] = (1 << n) - 1
    for nodes, _ in cases:
        result.must[ACTIVE] &= nodes
    return result


def follows(found: Draft, known: Draft, other: Draft, predicates: Iterable[int]) -> bool:
    """Is what is definite in `found` definite in `known` or in another structure with the same nodes?"""
    return all(
        not found.must[p] & ~(known.must[p] | other.must[p]) and not known.may[p] & other.may[p] & ~found.may[p]
        for p in predicates
    )


def bare_like(signature: Signature, coercer: Coercer, draft: Draft) -> Draft:
    """The most general structure with the same nodes, sharpened by the constraints."""
    bare = nothing_known(signature, draft.freeze())
    return bare if coercer.coerce_all(bare) else draft
