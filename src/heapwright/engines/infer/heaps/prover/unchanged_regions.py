"""Pairs of nodes whose reachability a write does not change: section 4.3.1 of the paper.

A path between two nodes stays among the nodes between them: those that the first may reach and that may reach the
second. If none of these is the written object, or only the last one, then paths between the two are the same before and
after the write. (The paper uses a set of nodes that no edge leaves, or that no edge enters. The nodes between two nodes
are the smallest set that no path leaves and enters again, which suffices for the argument.)

Possible edges between nodes follow from the excluded paths of the structures before and after the write, as all other
edges are the same. Their closure is the one on the abstract element of section 4.3: nodes that it does not connect are
not connected.

    found = regions(Change(before, after, field=0, base=0, value=1))
    (2, 3) in found.kept            # paths from objects of node 2 to those of node 3 are preserved by the write

>>> connected(((False, True, False), (False, False, True), (False, False, False)))[0]
(True, True, True)
"""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.engines.infer.heaps.structure import NO, YES, Structure

Arrows = tuple[tuple[bool, ...], ...]
NodePairs = frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Change:
    """A write of a variable or null to a field, between structures with the same nodes."""

    before: Structure
    after: Structure
    field: int
    base: int
    value: int | None


@dataclass(frozen=True, slots=True)
class Regions:
    """Pairs of nodes: without a path `before` or `after` the write, where old paths are `kept`, and where paths after
    it are `old`."""

    before: NodePairs
    after: NodePairs
    kept: NodePairs
    old: NodePairs


def arrows(structure: Structure, field: int) -> Arrows:
    """Possible edges between nodes. The successor of an object reaches all other objects that the object reaches."""
    path = structure.paths[field]
    size = range(len(path))

    def possible(i: int, j: int) -> bool:
        if path[i][j] == NO or (i == j and structure.nodes[i].single and not structure.cyclic):
            return False
        return not any(k != i and path[i][k] == YES and path[j][k] == NO for k in size)

    return tuple(tuple(possible(i, j) for j in size) for i in size)


def connected(arrows: Arrows) -> Arrows:
    """The reflexive and transitive closure."""
    size = range(len(arrows))
    rows = [[i == j or arrows[i][j] for j in size] for i in size]
    for k in size:
        for i in size:
            if rows[i][k]:
                rows[i] = [old or new for old, new in zip(rows[i], rows[k], strict=True)]
    return tuple(map(tuple, rows))


def unconnected(structure: Structure, field: int) -> NodePairs:
    """Pairs of nodes that are not connected although the structure has no definite value for it."""
    return _missing(structure, field, connected(arrows(structure, field)))


def _missing(structure: Structure, field: int, whole: Arrows) -> NodePairs:
    return frozenset(
        (i, j)
        for i, row in enumerate(whole)
        for j, there in enumerate(row)
        if not there and structure.paths[field][i][j] != NO
    )


def regions(change: Change) -> Regions:
    before, after = _both(change)
    written = _possible_nodes(change.before, change.base)
    whole_before, whole_after = connected(before), connected(after)
    return Regions(
        _missing(change.before, change.field, whole_before),
        _missing(change.after, change.field, whole_after),
        _avoiding(change.before, change.field, before, whole_before, written),
        _avoiding(change.after, change.field, after, whole_after, written),
    )


def _possible_nodes(structure: Structure, variable: int | None) -> frozenset[int]:
    """The nodes to which a variable may point."""
    if variable is None or structure.null[variable] == YES:
        return frozenset()
    at = structure.at(variable)
    return frozenset(i for i, node in enumerate(structure.nodes) if node.values[at] != NO)


def _both(change: Change) -> tuple[Arrows, Arrows]:
    """The possible edges before and after a write, which are the same for objects that are not written."""
    old, new = arrows(change.before, change.field), arrows(change.after, change.field)
    written, targets = _possible_nodes(change.before, change.base), _possible_nodes(change.before, change.value)
    at = change.before.at(change.base)
    size = range(len(old))

    def earlier(i: int, j: int) -> bool:
        return old[i][j] and (i in written or new[i][j])

    def later(i: int, j: int) -> bool:
        alone = change.before.nodes[i].values[at] == YES  # the node is the written object
        return new[i][j] and ((old[i][j] and not alone) or (i in written and j in targets))

    return (
        tuple(tuple(earlier(i, j) for j in size) for i in size),
        tuple(tuple(later(i, j) for j in size) for i in size),
    )


def _avoiding(structure: Structure, field: int, arrows: Arrows, whole: Arrows, written: frozenset[int]) -> NodePairs:
    """Pairs of nodes such that no path between them uses an edge of a written object. A path neither returns to its
    first object nor continues from its last one."""
    single, path = [node.single for node in structure.nodes], structure.paths[field]
    size = range(len(arrows))
    may = [[whole[i][j] and path[i][j] != NO for j in size] for i in size]

    def avoids(i: int, j: int) -> bool:
        between = [k for k in size if may[i][k] and may[k][j]]
        return not any(
            k in written and arrows[k][m] and not (k == j and single[j]) and not (m == i and single[i])
            for k in between
            for m in between
        )

    return frozenset((i, j) for i in size for j in size if avoids(i, j))
