"""Structure-based filters (Arnold, section 4.2): patterns with an empty concretisation; a structure that embeds in one
is dropped.

They are made per vocabulary. An instrumentation predicate cannot hold where the edges that its definition requires
are missing: the nodes are split in two groups, no edge leads from the first to the second, the base case of the
definition holds nowhere in the second, and yet the predicate holds there (between the groups, if it is binary). Coerce
must reject such a structure, or it is no filter; then every value that the rejection does not need becomes 1/2.

A path from u to v without arrows on the way, over nodes a with u and b with v:

    u, a  -/n/->  v, b      t(u, v) = 1
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.engines.tvl.constraints.coerce import Coercer
from heapwright.engines.tvl.formulas.dependencies import predicates_of
from heapwright.engines.tvl.structures.bit_sets import Layouts, bits
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature, Structure
from heapwright.engines.tvl.structures.structure_patterns import Pattern, nothing_known

Entry = tuple[int, int]  # (predicate, bit)
U, V = 0, 1  # nodes of a filter; 2 lies with U and 3 with V
BETWEEN = 0b0000_1010_0000_1010  # the pairs that lead from the first group to the second
BEHIND = 0b1010  # the second group


class Filter:
    """A structure with an empty concretisation, all of whose nodes are summary nodes."""

    def __init__(self, signature: Signature, structure: Structure) -> None:
        self.structure = structure
        self.pattern = Pattern(signature, structure)
        self.reads = 0  # bit 2p where it asks for p not to hold, bit 2p + 1 where it asks for it to hold
        for p, rows, no_rows in self.pattern.literals.binary:
            self.reads |= bool(no_rows) << 2 * p | bool(rows) << 2 * p + 1
        for p, true, false in self.pattern.literals.unary:
            self.reads |= bool(false) << 2 * p | bool(true) << 2 * p + 1
        # The predicate that holds without a path, and the edges and the sets from which it would have to be reached.
        self.claims = [p for p in (*signature.unary, *signature.binary) if p > ACTIVE and structure.must[p]]
        self.arrows = [p for p in signature.binary if not structure.may[p] & BETWEEN]
        self.starts = [p for p in signature.unary if not structure.may[p] & BEHIND]
        self.binary = bool(structure.must[ACTIVE] >> U & 1)

    def cuts(self, draft: Draft, layouts: Layouts) -> bool:
        """Does one of the claims hold where no path leads? Otherwise the structure embeds in no cut."""
        layout = layouts.of(draft.n)
        for p in self.claims:
            claimed = draft.must[p]
            for arrow in self.arrows if claimed else ():
                closed = layout.closed[draft.may[arrow], layout.full]
                if self.binary:
                    claimed &= ~(closed | layout.diagonal)
                else:
                    for start in self.starts:
                        found = draft.may[start]
                        claimed &= ~(found | layout.image[closed, found])
            if claimed:
                return True
        return not self.claims

    def catches(self, draft: Draft, layouts: Layouts) -> bool:
        """Does a structure embed in this one?"""
        if not self.cuts(draft, layouts):
            return False
        pattern, full = self.pattern, (1 << draft.n) - 1
        allowed = []
        for v in range(pattern.n):
            mask = full
            for p in pattern.true_of[v]:
                mask &= draft.must[p]
            for p in pattern.false_of[v]:
                mask &= ~draft.may[p]
            if pattern.needed >> v & 1:
                mask &= draft.must[ACTIVE]
                if not mask:
                    return False
            allowed.append(mask)
        return _Search(pattern, draft, layouts).extend(allowed, 0, list(bits(pattern.needed)))


class _Search:
    """The search for an embedding. `allowed` are the nodes that may be mapped to each node of the pattern."""

    def __init__(self, pattern: Pattern, draft: Draft, layouts: Layouts) -> None:
        self.n, self.full = draft.n, (1 << draft.n) - 1
        self.count = pattern.n
        layout = layouts.of(draft.n)
        bad: dict[tuple[int, int], int] = {}
        for p, rows, no_rows in pattern.literals.binary:
            for table, wrong in ((rows, layout.square & ~draft.must[p]), (no_rows, draft.may[p])):
                for first, seconds in table:
                    for second in bits(seconds):
                        bad[first, second] = bad.get((first, second), 0) | wrong
        # (a, b, relation): where u is mapped to a, what the row of u contains is not mapped to b
        self.bad = [(a, b, relation) for (a, b), relation in bad.items()]
        self.bad += [(b, a, layout.transposed[relation]) for (a, b), relation in bad.items()]

    def extend(self, allowed: list[int], mapped: int, needed: list[int]) -> bool:
        """Map the nodes that are not mapped yet, first some to nodes of the pattern that must be met."""
        if needed:
            first, *others = needed
            return any(
                (after := self.put(allowed, mapped, u, first)) is not None and self.extend(*after, others)
                for u in bits(allowed[first] & ~mapped)
            )
        rest = self.full & ~mapped
        if not rest:
            return True
        u = rest.bit_length() - 1
        return any(
            (after := self.put(allowed, mapped, u, v)) is not None and self.extend(*after, [])
            for v in range(self.count)
            if allowed[v] >> u & 1
        )

    def put(self, allowed: list[int], mapped: int, node: int, target: int) -> tuple[list[int], int] | None:
        """The nodes left to map once a node is mapped, and all nodes that have no choice then; None if one cannot be
        mapped."""
        allowed = allowed.copy()
        work = [(node, target)]
        while work:
            u, a = work.pop()
            if mapped >> u & 1:
                continue
            mapped |= 1 << u
            for v in range(self.count):
                if v != a:
                    allowed[v] &= ~(1 << u)
            for first, second, relation in self.bad:
                if first == a:
                    allowed[second] &= ~(relation >> u * self.n & self.full)
            if not allowed[a] >> u & 1:
                return None
            once = twice = 0
            for mask in allowed:
                twice |= once & mask
                once |= mask
            if once != self.full:
                return None
            work += [
                (w, next(v for v in range(self.count) if allowed[v] >> w & 1)) for w in bits(once & ~twice & ~mapped)
            ]
        return allowed, mapped


def filters(signature: Signature, coercer: Coercer) -> list[Filter]:
    """The instrumentation predicates that are defined by core predicates alone."""
    found = []
    for p, predicate in enumerate(signature.predicates):
        if predicate.definition is None or not predicate.arity:
            continue
        read = [signature.number[name] for name in sorted(predicates_of(predicate.definition))]
        if any(signature.predicates[q].definition is not None for q in read):
            continue
        structure = _least(signature, coercer, *_cut(signature, p, read))
        if structure is not None:
            found.append(Filter(signature, structure))
    return found


def _cut(signature: Signature, p: int, read: list[int]) -> tuple[Draft, list[Entry]]:
    """The two groups, and the values that separate them."""
    binary = signature.arity[p] == 2
    u, v, first, second = U, V, 2, 3
    draft = Draft.empty(signature, 4)
    draft.may[SUMMARY] = 0b1111
    draft.must[ACTIVE] = 1 << v | (binary << u)
    draft = nothing_known(signature, draft.freeze())
    draft.set_true(p, u * 4 + v if binary else v)
    apart: list[Entry] = []
    for q in read:
        if signature.arity[q] == 2:
            apart += [(q, a * 4 + b) for a in (u, first) for b in (v, second)]
        elif signature.arity[q] == 1 and q > ACTIVE:
            apart += [(q, v), (q, second)]
    for q, bit in apart:
        draft.set_false(q, 1 << bit)
    return draft, apart


def _least(signature: Signature, coercer: Coercer, draft: Draft, given: list[Entry]) -> Structure | None:
    """The structure without the values that its rejection does not need; None if it is not rejected."""
    if not _refused(signature, coercer, draft):
        return None
    for p, bit in given:
        trial = draft.copy()
        trial.may[p] |= 1 << bit
        if _refused(signature, coercer, trial):
            draft = trial
    return draft.freeze()


def _refused(signature: Signature, coercer: Coercer, draft: Draft) -> bool:
    """Does it violate a constraint, whichever of its maybe-active nodes are active?"""
    return not any(coercer.coerce_all(variant) for variant in _variants(signature, draft))


def _variants(signature: Signature, draft: Draft) -> Iterator[Draft]:
    maybe = draft.may[ACTIVE] & ~draft.must[ACTIVE]
    absent = maybe
    while True:
        variant = draft.copy()
        variant.remove(absent, signature)
        variant.must[ACTIVE] = variant.may[ACTIVE]
        yield variant
        if not absent:
            return
        absent = absent - 1 & maybe
