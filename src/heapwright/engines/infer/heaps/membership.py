"""Membership of a heap in the concretisation of a structure: an embedding of its objects into the nodes.

>>> from heapwright.engines.infer.heaps.structure import Vocabulary, unknown
>>> vocabulary = Vocabulary(("x",))
>>> find_embedding([(unknown(vocabulary), concrete_structure(vocabulary, Heap(((-1,),), (0,))))])
(0,)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.engines.infer.heaps.steps import NOWHERE, Heap
from heapwright.engines.infer.heaps.structure import HALF, Structure, Table, Vocabulary


@dataclass(frozen=True, slots=True)
class ConcreteStructure:
    """A heap as a 2-valued structure."""

    null: tuple[int, ...]
    values: tuple[tuple[int, ...], ...]
    paths: tuple[Table, ...]


def concrete_structure(vocabulary: Vocabulary, heap: Heap) -> ConcreteStructure:
    size = range(heap.size)
    reached = [[set(heap.reached(i, field)) for i in size] for field in range(vocabulary.fields)]
    values: list[tuple[int, ...]] = []
    for i in size:
        row: list[int] = []
        for where in heap.at:
            row += [int(where == i), *(int(where != NOWHERE and i in along[where]) for along in reached)]
        if vocabulary.allocation:
            row.append(int(heap.allocated(i)))
        if vocabulary.cyclic:
            row.append(int(heap.next[0][i] == NOWHERE))
        values.append(tuple(row))
    paths = tuple(tuple(tuple(int(j in along[i]) for j in size) for i in size) for along in reached)
    return ConcreteStructure(tuple(int(where == NOWHERE) for where in heap.at), tuple(values), paths)


def find_embedding(pairs: Sequence[tuple[Structure, ConcreteStructure]]) -> tuple[int, ...] | None:
    """One embedding of the objects of heaps into the nodes of their structures; None if there is none."""
    for structure, concrete in pairs:
        if any(want not in (HALF, have) for want, have in zip(structure.null, concrete.null, strict=True)):
            return None
    first, size = pairs[0][0], len(pairs[0][1].values)
    if len(first.nodes) > size:
        return None
    options = [
        [
            index
            for index in range(len(first.nodes))
            if all(_fits(structure.nodes[index].values, concrete.values[i]) for structure, concrete in pairs)
        ]
        for i in range(size)
    ]
    return _embed(pairs, options, [])


def _fits(wanted: tuple[int, ...], values: tuple[int, ...]) -> bool:
    return all(want in (HALF, have) for want, have in zip(wanted, values, strict=True))


def _embed(
    pairs: Sequence[tuple[Structure, ConcreteStructure]], options: list[list[int]], chosen: list[int]
) -> tuple[int, ...] | None:
    here, nodes = len(chosen), pairs[0][0].nodes
    if here == len(options):
        return tuple(chosen) if len(set(chosen)) == len(nodes) else None
    if len(nodes) - len(set(chosen)) > len(options) - here:
        return None
    for index in options[here]:
        if nodes[index].single and index in chosen:
            continue
        chosen.append(index)
        if all(
            wanted[index][chosen[j]] in (HALF, path[here][j]) and wanted[chosen[j]][index] in (HALF, path[j][here])
            for structure, concrete in pairs
            for wanted, path in zip(structure.paths, concrete.paths, strict=True)
            for j in range(here + 1)
        ):
            found = _embed(pairs, options, chosen)
            if found is not None:
                return found
        chosen.pop()
    return None


def is_embedding(pairs: Sequence[tuple[Structure, ConcreteStructure]], nodes: tuple[int, ...]) -> bool:
    """Whether this map of objects to nodes is an embedding."""
    first = pairs[0][0]
    if set(nodes) != set(range(len(first.nodes))):
        return False
    if any(node.single and nodes.count(i) > 1 for i, node in enumerate(first.nodes)):
        return False
    size = range(len(nodes))
    return all(
        _fits(structure.null, concrete.null)
        and all(_fits(structure.nodes[nodes[i]].values, concrete.values[i]) for i in size)
        and all(
            wanted[nodes[i]][nodes[j]] in (HALF, path[i][j])
            for wanted, path in zip(structure.paths, concrete.paths, strict=True)
            for i in size
            for j in size
        )
        for structure, concrete in pairs
    )
