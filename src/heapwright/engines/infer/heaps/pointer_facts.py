"""Pointer facts at a location: nullness, (dis)equality, adjacency, reachability and disjointness of pairs of variables.

They are closed under a few rules of inference; facts about paths are of one field. They are the abstract states of the
forward analysis (`forward_analysis`), and invariants that the backward analysis assumes before a step.

>>> start = closed((NO, HALF), [(NEXT, 0, 1)])           # y is the successor of x, or null
>>> (DIFFERENT, 0, 1) in start.facts, (PATH, 0, 1) in start.facts
(True, False)
>>> closed((NO, YES), [(SAME, 0, 1)]) is None            # x is not null, y is, and they are equal
True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from enum import IntEnum

from heapwright.engines.infer.heaps import structure as shapes
from heapwright.engines.infer.heaps.structure import HALF, NO, YES, Structure

NULL = -1  # among numbers of variables


class Kind(IntEnum):
    SAME = 0  # the pointers are equal
    DIFFERENT = 1
    NEXT = 2  # the first is not null, and its field holds the second, which may be NULL
    PATH = 3  # neither is null, and the first reaches the second or is equal to it
    AWAY = 4  # the first does not reach the second, or one of them is null
    APART = 5  # no object is reached from both
    ALONE = 6  # the first is not null, and no field of any object holds it; the second is NULL


SAME, DIFFERENT, NEXT, PATH, AWAY, APART, ALONE = Kind
Fact = tuple[Kind, int, int]


@dataclass(frozen=True, slots=True)
class PointerFacts:
    """`null` has a value for each variable; facts about paths are of one field."""

    null: tuple[int, ...]
    facts: frozenset[Fact]
    field: int = 0

    def without(self, variable: int) -> list[Fact]:
        """The facts that do not mention a variable."""
        return [fact for fact in self.facts if variable not in fact[1:]]


def closed(null: Iterable[int], facts: Iterable[Fact], field: int = 0) -> PointerFacts | None:
    """Closure of the facts under inference; None if they are inconsistent."""
    nulls, known = list(null), set(facts)
    variables = range(len(nulls))
    while True:
        if not _nulls(nulls, known):
            return None
        new = {fact for fact in _consequences(nulls, known, variables) if fact[0] is NEXT or fact[1] != fact[2]} - known
        if not new:
            break
        known |= new
    if any(kind is SAME and (DIFFERENT, one, other) in known for kind, one, other in known):
        return None
    if any(kind is PATH and (AWAY, one, other) in known for kind, one, other in known):
        return None
    return PointerFacts(tuple(nulls), frozenset(known), field)


def _nulls(nulls: list[int], known: set[Fact]) -> bool:
    """Propagates nullness along equalities; False if it is inconsistent."""
    wanted: list[tuple[int, int]] = []
    for kind, one, other in known:
        if kind is PATH:
            wanted += [(one, NO), (other, NO)]
        elif kind in (NEXT, ALONE):
            wanted.append((one, NO))
    changed = True
    while changed:
        changed = False
        equal = [(other, nulls[one]) for kind, one, other in known if kind is SAME and nulls[one] != HALF]
        for variable, value in (*wanted, *equal):
            if nulls[variable] == HALF:
                nulls[variable], changed = value, True
            elif nulls[variable] != value:
                return False
    return True


def _consequences(nulls: list[int], known: set[Fact], variables: range) -> Iterator[Fact]:
    for one in variables:
        for other in variables:
            if nulls[one] == YES:
                yield from ((AWAY, one, other), (AWAY, other, one), (APART, one, other), (APART, other, one))
                if nulls[other] != HALF:
                    yield (SAME if nulls[other] == YES else DIFFERENT, one, other)
                    yield (SAME if nulls[other] == YES else DIFFERENT, other, one)
    for fact in known:
        yield from _of_one(fact, nulls, known)
        kind, one, other = fact
        if kind is SAME:
            for third, first, second in known:  # substitution of equals
                if first == one or second == one:
                    renamed = (other if first == one else first, other if second == one else second)
                    if third is not SAME or renamed[0] != renamed[1]:
                        yield (third, *renamed)
        elif kind is PATH:
            for third, first, second in known:
                if third is PATH and first == other:
                    yield (PATH, one, second)
                elif third in (AWAY, APART) and first == one:
                    yield (third, other, second)
                    yield from ((APART, second, other),) if third is APART else ()
                elif third is AWAY and second == other:
                    yield (AWAY, first, one)


def _of_one(fact: Fact, nulls: list[int], known: set[Fact]) -> Iterator[Fact]:
    kind, one, other = fact
    match kind:
        case Kind.SAME | Kind.DIFFERENT:
            yield (kind, other, one)
            if kind is SAME and nulls[one] == NO:
                yield (PATH, one, other)
            if kind is DIFFERENT and (PATH, one, other) in known:
                yield (AWAY, other, one)
            if kind is DIFFERENT and ((NEXT, one, NULL) in known or (ALONE, other, NULL) in known):
                yield (AWAY, one, other)
        case Kind.NEXT if other != NULL:
            yield (DIFFERENT, one, other)
            if nulls[other] == NO:
                yield (PATH, one, other)
            elif nulls[other] == YES:
                yield (NEXT, one, NULL)
        case Kind.AWAY:
            if nulls[one] == NO and nulls[other] == NO:
                yield (DIFFERENT, one, other)
            if (NEXT, other, NULL) in known:
                yield from ((APART, one, other), (APART, other, one))
        case Kind.APART:
            yield from ((APART, other, one), (AWAY, one, other), (AWAY, other, one))
        case _:
            pass


def joined(one: PointerFacts, other: PointerFacts) -> PointerFacts:
    """Join of two states; it is closed if they are."""
    null = tuple(a if a == b else HALF for a, b in zip(one.null, other.null, strict=True))
    return PointerFacts(null, one.facts & other.facts, one.field)


# --- structures ------------------------------------------------------------------------------------------------------


def fits(state: PointerFacts, structure: Structure) -> bool:
    """Whether a structure is consistent with pointer facts."""
    if any(HALF not in pair and pair[0] != pair[1] for pair in zip(state.null, structure.null, strict=True)):
        return False
    for kind, one, other in state.facts:
        for node in structure.nodes:
            if any(_value(node.values, wrong) for wrong in _excluded(structure, state.field, kind, one, other)):
                return False
    return True


Claimed = tuple[tuple[int, int], tuple[int, int]]


def _excluded(structure: Structure, field: int, kind: Kind, one: int, other: int) -> tuple[Claimed, ...]:
    """Pairs of columns with values that a fact excludes on any node."""
    at_one, at_other = structure.at(one), structure.at(other)
    match kind:
        case Kind.SAME:
            return (((at_one, YES), (at_other, NO)), ((at_one, NO), (at_other, YES)))
        case Kind.DIFFERENT:
            return (((at_one, YES), (at_other, YES)),)
        case Kind.PATH:
            return (((at_other, YES), (structure.reach(one, field), NO)),)
        case Kind.AWAY:
            return (((at_other, YES), (structure.reach(one, field), YES)),)
        case Kind.APART:
            return (((structure.reach(one, field), YES), (structure.reach(other, field), YES)),)
        case Kind.NEXT | Kind.ALONE:
            return ()


def _alike(structure: Structure, one: int, other: int) -> Iterator[Claimed]:
    """What is excluded by the equality of pointers, which also reach the same objects."""
    for first, second in zip(structure.columns(one), structure.columns(other), strict=True):
        yield from (((first, YES), (second, NO)), ((first, NO), (second, YES)))


def _value(values: tuple[int, ...], wrong: Claimed) -> bool:
    return all(values[column] == value for column, value in wrong)


def common(states: Iterable[PointerFacts], structure: Structure) -> PointerFacts | None:
    """Join of the states that are consistent with a structure; None if there is none."""
    found: PointerFacts | None = None
    for state in states:
        if fits(state, structure):
            found = state if found is None else joined(found, state)
    return found


def imposed(state: PointerFacts, structure: Structure, ghosts: Set[int] = frozenset()) -> Structure:
    """The structure sharpened by facts about its variables with definite values. Others stay indefinite: they would
    only distinguish structures by values that are irrelevant to them. Ghosts that are equal to one with definite values
    become definite: they remember it."""
    known = {k for k in range(len(structure.null)) if shapes.knows(structure, k)}
    for kind, one, other in state.facts:
        if kind is SAME and one in known and other in ghosts:
            known.add(other)
            if structure.null[one] != HALF and structure.null[other] == HALF:
                structure = shapes.with_null(structure, other, structure.null[one])
    for k, value in enumerate(state.null):
        if value != HALF and structure.null[k] == HALF and k in known:
            structure = shapes.with_null(structure, k, value)
    for kind, one, other in sorted(state.facts):
        if one not in known or other not in known:
            continue
        whole = kind is SAME and (one in ghosts or other in ghosts)
        for wrong in _alike(structure, one, other) if whole else _excluded(structure, state.field, kind, one, other):
            for (column, value), (open_, excluded) in (wrong, wrong[::-1]):
                for i, node in enumerate(structure.nodes):
                    if node.values[column] == value and node.values[open_] == HALF:
                        structure = shapes.with_value(structure, i, open_, YES if excluded == NO else NO)
    return structure


def agreed(known: Iterable[Sequence[PointerFacts]], structure: Structure) -> tuple[PointerFacts, ...] | None:
    """The joins of consistent states, field by field; None if the structure is inconsistent with all."""
    found: list[PointerFacts] = []
    for states in known:
        here = common(states, structure)
        if here is None:
            return None
        found.append(here)
    return tuple(found)


def sharpened(
    known: Iterable[Sequence[PointerFacts]], structure: Structure, ghosts: Set[int] = frozenset()
) -> Structure | None:
    """The structure sharpened by the facts of a location; None if it is inconsistent with them."""
    here = agreed(known, structure)
    for state in here or ():
        structure = imposed(state, structure, ghosts)
    return None if here is None else structure
