"""3-valued logical structures: nodes 0 to n - 1, and for each predicate which tuples may and which must be in it.

A value is 1 where the tuple is in both `may` and `must`, 1/2 where it is in `may` only, 0 where it is in neither. Both
are integers packed as `bit_sets` says (a nullary predicate is bit 0). Predicates go by number; the first ones are built
in: `sm` (1/2 on a summary node), `ac` (1/2 on a maybe-active node, which may denote no individual), `isNew`
and `instance` (nodes that the current action created, and what they were made after).

`Structure` is immutable and hashable; `Draft` is the same thing while an action is at work on it.

>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> signature = Signature(Vocabulary((Predicate("x", 1), Predicate("n", 2))))
>>> draft = Draft.empty(signature, 2)
>>> draft.may[signature.number["x"]] = 0b11
>>> draft.freeze().value(signature.number["x"], 1).value
'1/2'
"""

from __future__ import annotations

from heapwright.base.errors import InputError
from heapwright.engines.tvl.structures.bit_sets import picker
from heapwright.logic.formulas import Kleene
from heapwright.logic.vocabulary import Predicate, Vocabulary

SUMMARY, ACTIVE, NEW, INSTANCE = 0, 1, 2, 3
BUILT_IN = (
    Predicate("sm", 1, abstraction=False),
    Predicate("ac", 1, abstraction=False),
    Predicate("isNew", 1, abstraction=False),
    Predicate("instance", 2, abstraction=False),
)


class Signature:
    """The predicates of a vocabulary, numbered; built-in ones first."""

    __slots__ = (
        "arity",
        "binary",
        "names",
        "nullary",
        "nullary_names",
        "number",
        "predicates",
        "separating",
        "size",
        "unary",
        "unary_names",
        "unique",
        "vocabulary",
    )

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        declared = {predicate.name for predicate in BUILT_IN}
        self.predicates = BUILT_IN + tuple(p for p in vocabulary.predicates if p.name not in declared)
        for predicate in self.predicates:
            if predicate.arity > 2:
                message = f"the predicate {predicate.name} has {predicate.arity} arguments; at most 2 are supported"
                raise InputError(message, predicate.span)
        self.size = len(self.predicates)
        self.number = {predicate.name: number for number, predicate in enumerate(self.predicates)}
        self.arity = [predicate.arity for predicate in self.predicates]
        self.nullary = self._select(0)
        self.unary = self._select(1)
        self.binary = self._select(2)
        self.nullary_names = [p for p in self.nullary if self.predicates[p].abstraction]
        self.unique = [p for p in self.unary if self.predicates[p].unique]
        self.unary_names = [p for p in self.unary if self.predicates[p].abstraction]
        self.separating = [
            (p, tuple(self.number[name] for name in names))
            for p, predicate in enumerate(self.predicates)
            for names in predicate.separates
            if self.number.keys() >= set(names)
        ]
        self.names = picker(self.nullary_names + self.unary_names)  # the values of abstraction predicates

    def __reduce__(self) -> tuple[type[Signature], tuple[Vocabulary]]:  # for pickle and compiled classes
        return Signature, (self.vocabulary,)

    def _select(self, arity: int) -> list[int]:
        return [number for number in range(self.size) if self.arity[number] == arity]


def kleene(may: int, must: int) -> Kleene:
    return Kleene.TRUE if must & 1 else Kleene.HALF if may & 1 else Kleene.FALSE


class Structure:
    """Equal when equal node by node: to compare up to renaming of nodes, bring both into canonical form first."""

    __slots__ = ("_hash", "may", "must", "n")

    def __init__(self, n: int, may: tuple[int, ...], must: tuple[int, ...]) -> None:
        self.n = n
        self.may = may
        self.must = must
        self._hash = hash((n, may, must))

    def __reduce__(self) -> tuple[type[Structure], tuple[int, tuple[int, ...], tuple[int, ...]]]:
        return Structure, (self.n, self.may, self.must)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Structure):
            return NotImplemented
        return self._hash == other._hash and self.n == other.n and self.may == other.may and self.must == other.must

    def draft(self) -> Draft:
        return Draft(self.n, list(self.may), list(self.must))

    def value(self, predicate: int, *nodes: int) -> Kleene:
        bit = 0
        for node in nodes:
            bit = bit * self.n + node
        return kleene(self.may[predicate] >> bit, self.must[predicate] >> bit)


class Draft:
    """`touched` holds what was sharpened since the last `coerce`: bit 2p for `may` of p, bit 2p + 1 for `must`. It is
    -1 after nodes were added or removed."""

    __slots__ = ("may", "must", "n", "split", "touched")

    def __init__(self, n: int, may: list[int], must: list[int], touched: int = 0, split: bool = False) -> None:
        self.n = n
        self.may = may
        self.must = must
        self.touched = touched
        self.split = split  # a node was split in two: inequality became definite

    @staticmethod
    def empty(signature: Signature, n: int) -> Draft:
        """n active single nodes, every predicate false."""
        draft = Draft(n, [0] * signature.size, [0] * signature.size)
        draft.may[ACTIVE] = draft.must[ACTIVE] = (1 << n) - 1
        return draft

    def copy(self) -> Draft:
        return Draft(self.n, self.may.copy(), self.must.copy(), self.touched, self.split)

    def freeze(self) -> Structure:
        return Structure(self.n, tuple(self.may), tuple(self.must))

    def set_true(self, predicate: int, bit: int) -> None:
        """Sharpen 1/2 to 1."""
        self.must[predicate] |= 1 << bit
        self.may[predicate] |= 1 << bit
        self.touched |= 2 << 2 * predicate

    def set_false(self, predicate: int, mask: int) -> None:
        """Sharpen 1/2 to 0 on a set of nodes or pairs."""
        self.may[predicate] &= ~mask
        self.touched |= 1 << 2 * predicate

    def single(self, node: int) -> None:
        if self.may[SUMMARY] >> node & 1:
            self.may[SUMMARY] &= ~(1 << node)
            self.touched |= 1 << 2 * SUMMARY

    def present(self, node: int) -> None:
        """Make the node active."""
        if not self.must[ACTIVE] >> node & 1:
            self.must[ACTIVE] |= 1 << node
            self.touched |= 2 << 2 * ACTIVE

    def remove(self, nodes: int, signature: Signature) -> None:
        """Remove a set of nodes; the others keep their order."""
        kept_mask = (1 << self.n) - 1 & ~nodes
        kept = [u for u in range(self.n) if kept_mask >> u & 1]
        for table in (self.may, self.must):
            for p in signature.unary:
                table[p] = narrowed(table[p], kept_mask)
            for p in signature.binary:
                table[p] = without_nodes(table[p], self.n, kept)
        self.n = len(kept)
        self.touched = -1

    def split_node(self, node: int, binary: list[int], unary: list[int]) -> int:
        """Add a copy of a node; returns the number of the copy."""
        n = self.n
        for table in (self.may, self.must):
            for predicate in unary:
                table[predicate] |= (table[predicate] >> node & 1) << n
            for predicate in binary:
                if table[predicate]:
                    table[predicate] = with_copy(table[predicate], n, node)
        self.n = n + 1
        self.split = True
        return n


def with_copy(relation: int, n: int, node: int) -> int:
    """A relation over n nodes, with a node n that is like `node`."""
    full = (1 << n) - 1
    result = 0
    bit = 0
    copied = 0
    for i in range(n):
        row = relation & full
        row |= (row >> node & 1) << n
        if i == node:
            copied = row
        result |= row << bit
        relation >>= n
        bit += n + 1
    return result | copied << bit


def with_fresh(relation: int, n: int, more: int) -> int:
    """A relation over n nodes, seen as one over n + more nodes that contains no pair of the new ones."""
    full = (1 << n) - 1
    result = 0
    bit = 0
    while relation:
        result |= (relation & full) << bit
        relation >>= n
        bit += n + more
    return result


def narrowed(mask: int, kept: int) -> int:
    """A set of nodes restricted to those of another set, numbered by their indices in it."""
    result = 0
    bit = 0
    while kept:
        low = kept & -kept
        if mask & low:
            result |= 1 << bit
        bit += 1
        kept ^= low
    return result


def without_nodes(relation: int, n: int, kept: list[int]) -> int:
    """A relation restricted to the nodes of a list, numbered by their indices in it."""
    if not relation:
        return 0
    result = 0
    m = len(kept)
    for i, old in enumerate(kept):
        row = relation >> old * n
        for j, column in enumerate(kept):
            result |= (row >> column & 1) << i * m + j
    return result
