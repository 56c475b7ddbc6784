"""Canonical form of structures, blurred or not: isomorphic ones become equal.

Nodes are sorted into parts by their names, and parts are split by how their nodes relate to the other parts, until that
splits nothing more. Where nodes still tie, each is tried as the first of its part, and the smallest result counts.

>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> signature = Signature(Vocabulary((Predicate("n", 2),)))
>>> one, other = Draft.empty(signature, 2), Draft.empty(signature, 2)
>>> one.may[4], other.may[4] = 0b0010, 0b0100       # 0 -> 1, and 1 -> 0
>>> normal_form(signature, one.freeze()) == normal_form(signature, other.freeze())
True
"""

from __future__ import annotations

from heapwright.engines.tvl.structures.bit_sets import bits
from heapwright.engines.tvl.structures.canonical_abstraction import parts_by_name
from heapwright.engines.tvl.structures.structure import Draft, Signature, Structure, without_nodes

__all__ = ["Draft", "normal_form", "renumbered"]

Parts = list[list[int]]


def normal_form(signature: Signature, structure: Structure) -> Structure:
    by_name = parts_by_name(signature, list(structure.may), list(structure.must), structure.n)
    return _smallest(signature, structure, _refined(signature, structure, [list(bits(part)) for part in by_name]))


def renumbered(signature: Signature, structure: Structure, order: list[int]) -> Structure:
    """The structure whose node i is node order[i] of the given one."""
    may, must = list(structure.may), list(structure.must)
    for table in (may, must):
        for p in signature.unary:
            table[p] = sum((table[p] >> u & 1) << i for i, u in enumerate(order))
        for p in signature.binary:
            table[p] = without_nodes(table[p], structure.n, order)
    return Structure(len(order), tuple(may), tuple(must))


def _smallest(signature: Signature, structure: Structure, parts: Parts) -> Structure:
    index = next((i for i, part in enumerate(parts) if len(part) > 1), None)
    if index is None:
        return renumbered(signature, structure, [u for part in parts for u in part])
    tried = []
    for node in parts[index]:
        others = [u for u in parts[index] if u != node]
        split = [*parts[:index], [node], others, *parts[index + 1 :]]
        tried.append(_smallest(signature, structure, _refined(signature, structure, split)))
    return min(tried, key=lambda s: (s.may, s.must))


def _refined(signature: Signature, structure: Structure, parts: Parts) -> Parts:
    while True:
        split: Parts = []
        for part in parts:
            keys: dict[tuple[int, ...], list[int]] = {}
            for node in part:
                keys.setdefault(_relations(signature, structure, parts, node), []).append(node)
            split.extend(keys[key] for key in sorted(keys))
        if len(split) == len(parts):
            return split
        parts = split


def _relations(signature: Signature, structure: Structure, parts: Parts, node: int) -> tuple[int, ...]:
    """A node's values of unary predicates, and how many nodes of each part it is related with, each way."""
    n = structure.n
    found = [table[p] >> node & 1 for table in (structure.may, structure.must) for p in signature.unary]
    for table in (structure.may, structure.must):
        for p in signature.binary:
            relation = table[p]
            found.append(relation >> node * (n + 1) & 1)
            for part in parts:
                found.append(sum(relation >> node * n + u & 1 for u in part))
                found.append(sum(relation >> u * n + node & 1 for u in part))
    return tuple(found)
