"""Abstract post without the prover: exact for copies, tests and allocation; other steps keep what they do not modify.

>>> vocabulary = Vocabulary(("x", "y"))
>>> [one.null for one in named(shapes.unknown(vocabulary), Copy(0, None), vocabulary)]
[(1, 2)]
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from heapwright.engines.infer.heaps import structure as shapes
from heapwright.engines.infer.heaps.steps import Copy, Create, HavocVariable, IsNull, Load, Plain, Release, Write
from heapwright.engines.infer.heaps.structure import HALF, NO, YES, Node, Structure, Vocabulary


def met(one: int, other: int) -> int | None:
    """Meet of two values; None if they are inconsistent."""
    if one in (HALF, other):
        return other
    return one if other == HALF else None


def dereferenced(structure: Structure, base: int) -> Structure | None:
    return None if structure.null[base] == YES else shapes.with_null(structure, base, NO)


def possible(before: Structure, step: Plain) -> Structure | None:
    """The structure restricted to heaps from which a step that dereferences is possible."""
    match step:
        case Load(_, base) | Write(base) | Release(base):
            return dereferenced(before, base)
        case _:
            return before


def opened(before: Structure, step: Plain, vocabulary: Vocabulary) -> Structure:
    """The structure after a step, with the columns that it modifies indefinite."""
    match step:
        case Load(target, _) if target is not None:
            return shapes.forget(before, target)
        case Write(_, _, field):
            return shapes.forget_paths(before, field)
        case Release():
            after = before
            for field in range(vocabulary.fields):
                after = shapes.forget_paths(after, field)
            for i, node in enumerate(after.nodes):
                if node.values[vocabulary.alloc] == YES:  # no object becomes allocated
                    after = shapes.with_value(after, i, vocabulary.alloc, HALF)
            return after
        case _:
            return before


def named(before: Structure, step: Plain, vocabulary: Vocabulary) -> list[Structure]:
    """Exact post of a step without heap access; empty if it is not possible."""
    match step:
        case Copy(target, None):
            return [shapes.with_null(shapes.forget(before, target), target, YES)]
        case Copy(target, source) if source is not None:
            return [_copied(before, target, source)]
        case HavocVariable(target):
            return [shapes.forget(before, target)]
        case IsNull(variable, truth):
            wanted = YES if truth else NO
            return [shapes.with_null(before, variable, wanted)] if before.null[variable] in (HALF, wanted) else []
        case Create(target):
            return _created(before, target, vocabulary)
        case Load(None, base):
            found = dereferenced(before, base)
            return [] if found is None else [found]
        case _:
            return [before]


def _copied(before: Structure, target: int, source: int) -> Structure:
    if target == source:
        return before
    after = shapes.with_null(before, target, before.null[source])
    columns = list(zip(before.columns(target), before.columns(source), strict=True))
    for i, node in enumerate(before.nodes):
        for mine, yours in columns:
            after = shapes.with_value(after, i, mine, node.values[yours])
    return after


def _created(before: Structure, target: int, vocabulary: Vocabulary) -> list[Structure]:
    """One case for each node that may hold the new object, which was neither allocated nor reachable."""
    found: list[Structure] = []
    for i, node in enumerate(before.nodes):
        drafts = [(before, i)]
        if not node.single:
            drafts.append((shapes.bifurcate(before, i), len(before.nodes)))
        for structure, new in drafts:
            marked = shapes.with_marks(structure, new, single=True, footprint=True)
            before_it = alone(marked, new, vocabulary)
            settled = None if before_it is None else shapes.normalise(before_it)
            if settled is not None:
                after = shapes.with_value(shapes.forget(settled, target), new, vocabulary.at(target), YES)
                found.append(shapes.with_value(after, new, vocabulary.alloc, YES))
    return found


def alone(structure: Structure, new: int, vocabulary: Vocabulary) -> Structure | None:
    """The structure in which a node is neither allocated nor reachable; None if it cannot be."""
    if YES in structure.nodes[new].values:
        return None
    for column in range(vocabulary.alloc + 1):
        structure = shapes.with_value(structure, new, column, NO)
    for other in range(len(structure.nodes)):
        for field, path in enumerate(structure.paths) if other != new else ():
            if YES in (path[new][other], path[other][new]):
                return None
            structure = shapes.with_path(structure, new, other, NO, field)
            structure = shapes.with_path(structure, other, new, NO, field)
    return structure


# --- both halves -----------------------------------------------------------------------------------------------------


class _Contradiction(Exception):
    """The halves of the pair are inconsistent."""


def agreeing(before: Structure, after: Structure, touched: Set[int]) -> tuple[Structure, Structure] | None:
    """Both halves sharpened: columns that the step does not modify are equal. None if they are inconsistent. The
    modified columns are numbered as in `pairs.touched`."""
    while True:
        one, two = shapes.normalise(before), shapes.normalise(after)
        if one is None or two is None:
            return None
        try:
            both = _shared(one, two, touched)
        except _Contradiction:
            return None
        if both == (before, after):
            return both
        before, after = both


def _row(one: Sequence[int], other: Sequence[int], same: Sequence[bool]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two rows of values, which are equal in some columns."""
    mine, yours = list(one), list(other)
    for index, here in enumerate(same):
        if here:
            value = met(one[index], other[index])
            if value is None:
                raise _Contradiction
            mine[index] = yours[index] = value
    return tuple(mine), tuple(yours)


def _shared(before: Structure, after: Structure, touched: Set[int]) -> tuple[Structure, Structure]:
    null = _row(before.null, after.null, [before.at(k) not in touched for k in range(len(before.null))])
    kept = [column not in touched for column in range(len(before.nodes[0].values))]
    size = len(before.nodes)
    nodes = []
    for mine, yours in zip(before.nodes, after.nodes, strict=True):
        single, footprint = mine.single or yours.single, mine.footprint or yours.footprint
        nodes.append([Node(values, single, footprint) for values in _row(mine.values, yours.values, kept)])
    tables = []
    for field, (one, two) in enumerate(zip(before.paths, after.paths, strict=True)):
        same = [-1 - field not in touched] * size
        rows = [_row(mine, yours, same) for mine, yours in zip(one, two, strict=True)]
        tables.append([tuple(row[half] for row in rows) for half in range(2)])
    first, second = (
        replace(
            structure,
            null=null[half],
            nodes=tuple(node[half] for node in nodes),
            paths=tuple(table[half] for table in tables),
        )
        for half, structure in enumerate((before, after))
    )
    return first, second
