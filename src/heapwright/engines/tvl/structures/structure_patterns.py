"""Structure patterns: a structure as the list of its definite values, for a fast meet with many others.

Members of refining sets have few definite values; all others are 1/2. `Pattern` keeps those few. `matchings`
enumerates, as meet does, which nodes of a structure correspond to which of the pattern, `lifted` makes a structure of
such a matching, and the pattern's literals are imposed on it. The results are those of the plain `meet`.

>>> from heapwright.engines.tvl.structures.structure import Signature
>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> signature = Signature(Vocabulary((Predicate("x", 1),)))
>>> pointed, many = Draft.empty(signature, 2), Draft.empty(signature, 1)
>>> pointed.may[4] = pointed.must[4] = 0b01                 # x = {0}
>>> pointed.may[SUMMARY] = 0b10                             # 1 stands for all others
>>> many.may[4], many.may[SUMMARY] = 1, 1                   # any number of nodes, x unknown
>>> pattern, layouts = Pattern(signature, pointed), Layouts()
>>> impose = lambda draft, groups, fresh: pattern.literals.impose(draft, groups, layouts)
>>> [found.n for found in met(pattern, signature, many, impose)]
[2]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from heapwright.engines.tvl.structures.bit_sets import Layout, Layouts, bits
from heapwright.engines.tvl.structures.embedding import Values
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature, Structure, narrowed

__all__ = ["Draft", "Layouts", "Literals", "Pattern", "lifted", "matchings", "met"]

Image = tuple[int, ...]  # for each node the set of nodes of a pattern that it corresponds to
Groups = list[int]  # for each node of a pattern the set of nodes that correspond to it
Pairs = tuple[tuple[int, int], ...]  # (first node, set of second nodes)


class Literals:
    """Definite values, by predicate: those that hold and those that do not."""

    __slots__ = ("binary", "nullary", "unary")

    def __init__(
        self,
        signature: Signature,
        values: Values,
        beyond: Values | None = None,
        predicates: Iterable[int] | None = None,
    ) -> None:
        """Of a structure, and of all predicates or some; `beyond` has the same nodes, and what is definite in it is
        left out."""
        n = values.n
        full = (1 << n) - 1
        self.nullary: list[tuple[int, bool]] = []
        self.unary: list[tuple[int, int, int]] = []  # (predicate, nodes where it holds, nodes where it does not)
        self.binary: list[tuple[int, Pairs, Pairs]] = []
        for p in range(ACTIVE + 1, signature.size) if predicates is None else predicates:
            if p <= ACTIVE:
                continue
            cells = (1 << n ** signature.arity[p]) - 1
            true, false = values.must[p], cells & ~values.may[p]
            if beyond is not None:
                true &= ~beyond.must[p]
                false &= beyond.may[p]
            if not true | false:
                continue
            if signature.arity[p] == 0:
                self.nullary.append((p, bool(true)))
            elif signature.arity[p] == 1:
                self.unary.append((p, true, false))
            else:
                self.binary.append((p, _rows(true, n, full), _rows(false, n, full)))

    @staticmethod
    def none() -> Literals:
        literals = Literals.__new__(Literals)
        literals.nullary, literals.unary, literals.binary = [], [], []
        return literals

    @property
    def empty(self) -> bool:
        return not (self.nullary or self.unary or self.binary)

    def impose(self, draft: Draft, groups: Groups, layouts: Layouts) -> int:
        """Make them hold of the nodes that correspond to a pattern's. Returns 0 on success, -1 if the draft
        contradicts them, and else the set of nodes that are therefore inactive."""
        may, must = draft.may, draft.must
        for p, holds in self.nullary:
            if holds:
                if not may[p]:
                    return -1
                if not must[p]:
                    draft.set_true(p, 0)
            elif must[p]:
                return -1
            elif may[p]:
                draft.set_false(p, 1)
        for p, true, false in self.unary:
            here, not_here = union(groups, true), union(groups, false)
            wrong = here & ~may[p] | not_here & must[p]
            if wrong:
                return -1 if wrong & must[ACTIVE] else wrong
            _sharpen(draft, p, here, not_here)
        layout = layouts.of(draft.n)
        for p, rows, no_rows in self.binary:
            here, not_here = _cells(layout, groups, rows), _cells(layout, groups, no_rows)
            wrong = here & ~may[p] | not_here & must[p]
            if wrong:
                absent = layout.absent(wrong, must[ACTIVE])
                if absent:
                    return -1 if absent == -1 else ~absent
                here, not_here = here & ~wrong, not_here & ~wrong  # not both nodes are active; nothing else follows
            _sharpen(draft, p, here, not_here)
        return 0


def _rows(cells: int, n: int, full: int) -> Pairs:
    return tuple((u, row) for u in range(n) if (row := cells >> u * n & full))


def _cells(layout: Layout, groups: Groups, rows: Pairs) -> int:
    result = 0
    for first, seconds in rows:
        if groups[first]:
            result |= layout.spread[groups[first]] * union(groups, seconds)
    return result


def union(groups: Groups, nodes: int) -> int:
    """The nodes that correspond to a set of a pattern's nodes."""
    result = 0
    for v, group in enumerate(groups):
        if nodes >> v & 1:
            result |= group
    return result


def _sharpen(draft: Draft, p: int, true: int, false: int) -> None:
    may, must = draft.may[p], draft.must[p]
    if true & ~must:
        draft.must[p] = must | true
        draft.touched |= 2 << 2 * p
    if false & may:
        draft.may[p] = may & ~false
        draft.touched |= 1 << 2 * p


class Pattern:
    """`single` are the nodes that denote one individual, `needed` those that denote at least one."""

    __slots__ = ("false_of", "links", "literals", "n", "needed", "order", "single", "true_of")

    def __init__(self, signature: Signature, values: Values) -> None:
        self.n = values.n
        self.literals = Literals(signature, values)
        self.single = (1 << self.n) - 1 & ~values.may[SUMMARY]
        self.needed = values.must[ACTIVE]
        self.true_of = [[p for p, true, _ in self.literals.unary if true >> v & 1] for v in range(self.n)]
        self.false_of = [[p for p, _, false in self.literals.unary if false >> v & 1] for v in range(self.n)]
        # Single nodes with the most literals come first: they leave the least choice.
        self.order = sorted(bits(self.single), key=lambda v: -len(self.true_of[v]))
        self.links = [self._links(depth) for depth in range(len(self.order))]

    def _links(self, depth: int) -> list[tuple[int, bool, int, int]]:
        """Binary literals between a single node and those before it, by their depths: (predicate, value, ends)."""
        found = []
        rank = {v: i for i, v in enumerate(self.order)}
        for p, rows, no_rows in self.literals.binary:
            for value, table in ((True, rows), (False, no_rows)):
                for first, seconds in table:
                    for second in bits(seconds):
                        if first in rank and second in rank and max(rank[first], rank[second]) == depth:
                            found.append((p, value, rank[first], rank[second]))
        return found


def matchings(pattern: Pattern, structure: Values) -> Iterator[Image]:
    """The ways in which nodes of a structure correspond to nodes of a pattern, each to one at least and each single
    one to one at most. A node that may be absent need not; but where a partner may be absent too, their pair is always
    there, since it may be absent. Nullary predicates are ignored."""
    n, full = structure.n, (1 << structure.n) - 1
    may, must = structure.may, structure.must
    single, needed = full & ~may[SUMMARY], must[ACTIVE]
    allowed = []
    for v in range(pattern.n):
        mask = full
        for p in pattern.true_of[v]:
            mask &= may[p]
        for p in pattern.false_of[v]:
            mask &= ~must[p]
        if not mask and pattern.needed >> v & 1:
            return
        allowed.append(mask)
    summaries = [v for v in range(pattern.n) if not pattern.single >> v & 1]
    spare = (1 << pattern.n) - 1 & ~(pattern.single | pattern.needed)
    crowd = [sum(1 << v for v in summaries if allowed[v] >> u & 1) for u in range(n)]
    chosen: list[int] = []  # the node of each single node of the pattern, -1 for none

    def specific(depth: int, used: int) -> Iterator[Image]:
        if depth == len(pattern.order):
            image = [0] * n
            for v, u in zip(pattern.order, chosen, strict=True):
                if u >= 0:
                    image[u] |= 1 << v
            yield from rest(0, image, 0)
            return
        v = pattern.order[depth]
        options = list(bits(allowed[v] & ~(used & single)))
        if not pattern.needed >> v & 1:
            options.append(-1)
        for u in options:
            chosen.append(u)
            if u < 0 or linked(depth):
                yield from specific(depth + 1, used | 1 << u if u >= 0 else used)
            chosen.pop()

    def linked(depth: int) -> bool:
        for p, value, first, second in pattern.links[depth]:
            u, w = chosen[first], chosen[second]
            if u >= 0 and w >= 0 and not (may[p] if value else ~must[p]) >> u * n + w & 1:
                return False
        return True

    def rest(u: int, image: list[int], met: int) -> Iterator[Image]:
        if u == n:
            if not pattern.needed & ~(met | pattern.single):
                yield tuple(image)
            return
        taken = image[u]
        for more in _choices(crowd[u], spare, taken, single >> u & 1, needed >> u & 1):
            image[u] = taken | more
            yield from rest(u + 1, image, met | more)
        image[u] = taken

    yield from specific(0, 0)


def _choices(crowd: int, spare: int, taken: int, single: int, needed: int) -> Iterator[int]:
    """Sets of summary nodes of a pattern for a node that some single nodes of it have taken already."""
    if single:
        if not taken:
            yield from (1 << v for v in bits(crowd))
        if taken or not (needed or crowd & spare):
            yield 0
        return
    always = 0 if needed else crowd & spare
    free = subset = crowd & ~always
    while subset:
        yield subset | always
        subset = subset - 1 & free
    if always or taken or not needed:
        yield always


def lifted(pattern: Pattern, signature: Signature, structure: Draft, image: Image) -> tuple[Draft, Groups, int]:
    """The structure with a node for each pair of a matching, the nodes that correspond to each of the pattern's, and
    those nodes of the pattern that were taken out of summaries. Nodes keep their numbers, copies come after them."""
    draft = structure.copy()
    groups = [0] * pattern.n
    for u, nodes in enumerate(image):
        for index, v in enumerate(bits(nodes)):
            node = u if index == 0 else draft.split_node(u, signature.binary, signature.unary)
            groups[v] |= 1 << node
    gone = sum(1 << u for u, nodes in enumerate(image) if not nodes)
    if gone:
        kept = (1 << draft.n) - 1 & ~gone
        draft.remove(gone, signature)
        groups = [narrowed(group, kept) for group in groups]
    alone = union(groups, pattern.single) & draft.may[SUMMARY]
    if alone:
        draft.may[SUMMARY] &= ~alone
        draft.touched |= 1 << 2 * SUMMARY
    present = union(groups, pattern.needed) & ~draft.must[ACTIVE]
    if present:
        draft.must[ACTIVE] |= present
        draft.touched |= 2 << 2 * ACTIVE
    fresh = sum(1 << v for v in pattern.order if groups[v] & alone)
    return draft, groups, fresh


def nothing_known(signature: Signature, structure: Structure) -> Draft:
    """A structure with as many nodes, as single and as certain to be there, of which nothing else is known."""
    draft = structure.draft()
    for p in range(ACTIVE + 1, signature.size):
        draft.may[p], draft.must[p] = (1 << structure.n ** signature.arity[p]) - 1, 0
    return draft


def met(
    pattern: Pattern, signature: Signature, structure: Draft, impose: Callable[[Draft, Groups, int], int]
) -> Iterator[Draft]:
    """The meet of a structure with that of a pattern, whose literals (or more than those) `impose` puts on a draft. It
    is given the nodes that correspond to each of the pattern's, and those of the pattern that were taken out of
    summaries; what it returns is as with `Literals`."""
    for image in matchings(pattern, structure):
        draft, groups, fresh = lifted(pattern, signature, structure, image)
        while (absent := impose(draft, groups, fresh)) > 0:
            kept = (1 << draft.n) - 1 & ~absent
            draft.remove(absent, signature)
            groups = [narrowed(group, kept) for group in groups]
        if not absent:
            yield draft
