"""Where a write leaves reachability as it was: section 4.3.1 of the paper, on the nodes of structures.

A path between two nodes stays among those that lie between them: nodes that the first may lead to and that may lead to
the second. If the object that is written is on none of these, or only at the end of the path, then a path before the
write is one after it, and the other way round. (The paper asks for a set of nodes that no arrow leaves, or that no
arrow enters. What lies between two nodes is the smallest set that no path leaves and enters again, which is all that
the argument needs.)

Which arrows there may be between nodes is read off the paths that structures exclude, before and after the write: but
for the object that is written, arrows are the same. Reachability along these arrows is the closure on the abstract
element of section 4.3: what it does not connect is not connected.

    found = regions(Change(before, after, field=0, base=0, value=1))
    (2, 3) in found.kept            # a path from an object of node 2 to one of node 3 is still there after the write

>>> connected(((False, True, False), (False, False, True), (False, False, False)))[0]
(True, True, True)
"""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.engines.infer.heaps.structure import NO, YES, Structure

Arrows = tuple[tuple[bool, ...], ...]
Places = frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Change:
    """The field of what a variable points to is set to another, or to null. The structures have the same nodes."""

    before: Structure
    after: Structure
    field: int
    base: int
    value: int | None


@dataclass(frozen=True, slots=True)
class Regions:
    """Pairs of nodes: between which no path leads `before` or `after`, where paths that were there are `kept`, and
    where those that are there are `old`."""

    before: Places
    after: Places
    kept: Places
    old: Places


def arrows(structure: Structure, field: int) -> Arrows:
    """Which nodes may have an object whose field leads to one of which. What an object reaches beside itself, its
    successor reaches."""
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


def unconnected(structure: Structure, field: int) -> Places:
    """Pairs of nodes between which no path leads, though the structure does not say so."""
    return _missing(structure, field, connected(arrows(structure, field)))


def _missing(structure: Structure, field: int, whole: Arrows) -> Places:
    return frozenset(
        (i, j)
        for i, row in enumerate(whole)
        for j, there in enumerate(row)
        if not there and structure.paths[field][i][j] != NO
    )


def regions(change: Change) -> Regions:
    before, after = _both(change)
    written = _places(change.before, change.base)
    whole_before, whole_after = connected(before), connected(after)
    return Regions(
        _missing(change.before, change.field, whole_before),
        _missing(change.after, change.field, whole_after),
        _avoiding(change.before, change.field, before, whole_before, written),
        _avoiding(change.after, change.field, after, whole_after, written),
    )


def _places(structure: Structure, variable: int | None) -> frozenset[int]:
    """The nodes that a variable may be at."""
    if variable is None or structure.null[variable] == YES:
        return frozenset()
    at = structure.at(variable)
    return frozenset(i for i, node in enumerate(structure.nodes) if node.values[at] != NO)


def _both(change: Change) -> tuple[Arrows, Arrows]:
    """The arrows before and after a write. Those from objects that are not written are the same."""
    old, new = arrows(change.before, change.field), arrows(change.after, change.field)
    written, targets = _places(change.before, change.base), _places(change.before, change.value)
    at = change.before.at(change.base)
    size = range(len(old))

    def earlier(i: int, j: int) -> bool:
        return old[i][j] and (i in written or new[i][j])

    def later(i: int, j: int) -> bool:
        alone = change.before.nodes[i].values[at] == YES  # the node is the object that is written
        return new[i][j] and ((old[i][j] and not alone) or (i in written and j in targets))

    return (
        tuple(tuple(earlier(i, j) for j in size) for i in size),
        tuple(tuple(later(i, j) for j in size) for i in size),
    )


def _avoiding(structure: Structure, field: int, arrows: Arrows, whole: Arrows, written: frozenset[int]) -> Places:
    """Pairs of nodes such that no path from the one to the other takes an arrow of an object that is written. A path
    does not come back to where it began, nor go on from where it ends."""
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
