"""A concrete heap as formulas, for laws about what formulas say of heaps."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from heapwright.engines.infer.heaps.prover.encoding import Encoding
from heapwright.engines.infer.heaps.steps import NOWHERE, Heap
from heapwright.engines.infer.heaps.structure import Structure
from heapwright.smt.session import SECOND, Answer, Session
from heapwright.smt.terms import disj, for_all, negation


def concrete(
    encoding: Encoding, heap: Heap, nodes: tuple[int, ...], structure: Structure
) -> tuple[list[Any], list[Any]]:
    """Names of the objects, and formulas of which the heap, its objects on these nodes, is the only model."""
    names = [encoding.object(f"#{i}") for i in range(heap.size)]
    x, view = encoding.any[0], encoding.view
    found = [one != other for one, other in combinations(names, 2)]
    found.append(for_all([x], disj(*(x == name for name in names))))
    for there, where, at in zip(view.there, view.where, heap.at, strict=True):
        found += [negation(there)] if at == NOWHERE else [there, where == names[at]]
    for field, path in enumerate(encoding.paths):
        found += relation(path, names, heap, field)
    if encoding.vocabulary.allocation:
        found += [encoding.alloc(name) == heap.allocated(i) for i, name in enumerate(names)]
    for place, node in enumerate(structure.nodes):
        kind = encoding.of_node(structure, place)
        found += [kind(name) == (nodes[i] == place) for i, name in enumerate(names) if node.single or nodes[i] == place]
    return names, found


def relation(path: Any, names: list[Any], heap: Heap, field: int) -> list[Any]:
    """That a relation is what is reached along a field."""
    size = range(heap.size)
    return [path(names[i], names[j]) == (j in heap.reached(i, field)) for i in size for j in size]


def satisfiable(encoding: Encoding, formulas: list[Any]) -> bool:
    return Session(encoding.symbols, units=60 * SECOND).check(formulas).answer is Answer.SAT
