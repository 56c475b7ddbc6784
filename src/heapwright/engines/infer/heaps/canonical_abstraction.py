"""Canonical abstraction of structures (blur), and their order by embedding.

Unlike in canonical abstraction proper a node of the footprint is merged with another one if its values are less
definite, so that the number of nodes stays small where the program has accessed many objects.

>>> from heapwright.engines.infer.heaps.structure import Vocabulary, bifurcate, unknown
>>> anything = unknown(Vocabulary(("x",)))
>>> len(blur(bifurcate(anything, 0)).nodes), covers(anything, bifurcate(anything, 0))
(1, True)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from heapwright.engines.infer.heaps.structure import HALF, Node, Structure, selected


def _joined(values: set[int]) -> int:
    return values.pop() if len(values) == 1 else HALF


def merged(structure: Structure, groups: Sequence[Sequence[int]], footprints: Sequence[bool]) -> Structure:
    """One node for each group of nodes; values that differ within a group become indefinite."""
    nodes = tuple(
        Node(
            tuple(
                _joined({structure.nodes[i].values[c] for i in group}) for c in range(len(structure.nodes[0].values))
            ),
            len(group) == 1 and structure.nodes[group[0]].single,
            footprint,
        )
        for group, footprint in zip(groups, footprints, strict=True)
    )
    paths = tuple(
        tuple(tuple(_joined({path[i][j] for i in one for j in two}) for two in groups) for one in groups)
        for path in structure.paths
    )
    return replace(structure, nodes=nodes, paths=paths)


def blur(structure: Structure) -> Structure:
    """Canonical abstraction: merges nodes of equal values, and those of the footprint whose definite values are those
    of a node outside of it; afterwards every two nodes differ in a value. Nodes are ordered by their values."""
    while True:
        groups = _groups(structure)
        if len(groups) == len(structure.nodes):
            break
        footprints = [all(structure.nodes[i].footprint for i in group) for group in groups]
        structure = merged(structure, groups, footprints)
    order = sorted(range(len(structure.nodes)), key=lambda i: (structure.nodes[i].values, structure.nodes[i].single))
    return selected(structure, order)


def _groups(structure: Structure) -> list[list[int]]:
    groups: list[list[int]] = []
    for i, node in enumerate(structure.nodes):
        for group in groups:
            if any(_alike(structure.nodes[j], node) or _alike(node, structure.nodes[j]) for j in group):
                group.append(i)
                break
        else:
            groups.append([i])
    return groups


def _alike(one: Node, other: Node) -> bool:
    """Whether the first is merged with the second: equal values, or a footprint with less definite ones."""
    if one.values == other.values:
        return True
    if not one.footprint or other.footprint:
        return False
    return all(mine in (HALF, yours) for mine, yours in zip(one.values, other.values, strict=True))


# --- order -----------------------------------------------------------------------------------------------------------


def covers(bigger: Structure, smaller: Structure) -> bool:
    """Coverage: whether the smaller structure embeds into the bigger one, by a map onto its nodes that preserves values
    up to indefinite ones."""
    if any(want not in (HALF, have) for want, have in zip(bigger.null, smaller.null, strict=True)):
        return False
    if len(bigger.nodes) > len(smaller.nodes):
        return False
    options = [
        [
            index
            for index, wide in enumerate(bigger.nodes)
            if (not wide.single or node.single)
            and all(want in (HALF, have) for want, have in zip(wide.values, node.values, strict=True))
        ]
        for node in smaller.nodes
    ]
    return any(True for _ in _mappings(bigger, smaller, options, []))


def _mappings(
    bigger: Structure, smaller: Structure, options: list[list[int]], chosen: list[int]
) -> Iterator[tuple[int, ...]]:
    here = len(chosen)
    if here == len(options):
        if len(set(chosen)) == len(bigger.nodes):
            yield tuple(chosen)
        return
    for index in options[here]:
        if bigger.nodes[index].single and index in chosen:
            continue
        chosen.append(index)
        if all(
            wide[index][chosen[j]] in (HALF, narrow[here][j]) and wide[chosen[j]][index] in (HALF, narrow[j][here])
            for wide, narrow in zip(bigger.paths, smaller.paths, strict=True)
            for j in range(here + 1)
        ):
            yield from _mappings(bigger, smaller, options, chosen)
        chosen.pop()
