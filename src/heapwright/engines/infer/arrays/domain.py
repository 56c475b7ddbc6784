"""Abstract arrays as a domain of the algorithm: the second instantiation, beside that of heaps.

Both halves of a pair have the same nodes, as no step changes how many positions there are. What is copied and compared
without arithmetic is followed exactly; for the rest the variable of the index is placed (FOCUS), and the prover tells
which places are possible, which nodes are one position, and how elements compare (SHARPEN).

    Transformer(Arrays(vocabulary), ArrayProver(vocabulary)).apply(element, step)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heapwright.engines.infer.algorithm import Direction
from heapwright.engines.infer.arrays import segments
from heapwright.engines.infer.arrays.covering import covers
from heapwright.engines.infer.arrays.segments import (
    ABOVE,
    ANY,
    ANYWHERE,
    BELOW,
    EQUAL,
    FREE,
    GREATER,
    HALF,
    LESS,
    NO,
    ONE,
    SOME,
    YES,
    Element,
)
from heapwright.engines.infer.arrays.store import (
    ZERO,
    ForgetData,
    ForgetSpot,
    Gather,
    Idle,
    IsNull,
    Load,
    Move,
    Order,
    Outside,
    Put,
    Spot,
    Step,
    Take,
    Vocabulary,
    Weigh,
)

MOST_COUNTED = 16  # positions that are told apart for a constant

MASKS = {
    "<": LESS,
    "<=": LESS | EQUAL,
    "==": EQUAL,
    ">=": GREATER | EQUAL,
    ">": GREATER,
    "!=": LESS | GREATER,
}


@dataclass(frozen=True, slots=True)
class Pair:
    before: Element
    after: Element


@dataclass(frozen=True, slots=True)
class Sized:
    """A node has one position (`ONE`), at least one (`SOME`), or none (`FREE`)."""

    node: int
    size: int


@dataclass(frozen=True, slots=True)
class Never:
    """The relation `bit` never holds between the elements of two terms."""

    one: int
    two: int
    bit: int


Assertion = Sized | Never


@dataclass(frozen=True, slots=True)
class Arrays:
    vocabulary: Vocabulary

    # --- extend ----------------------------------------------------------------------------------------------------

    def extend(self, element: Element, step: Step, direction: Direction) -> Iterable[Pair]:
        if direction is not Direction.BACKWARD:
            raise ValueError("abstract arrays are followed backwards")
        before = self._undone(element, step)
        pair = None if before is None else _settled(Pair(before, element), step)
        return [] if pair is None else [pair]

    def _undone(self, after: Element, step: Step) -> Element | None:
        """What is known before a step without looking at what it does with positions."""
        match step:
            case Move(target, spot):
                if _copies(step):
                    return _copied(after, target, spot.base)
                return segments.with_where(after, target, ANYWHERE)
            case ForgetSpot(target):
                return segments.with_where(after, target, ANYWHERE)
            case ForgetData(target):
                return segments.forget_term(after, target)
            case Take(target, value):
                if target == value:
                    return after
                return segments.forget_term(segments.same_terms(after, target, value), target)
            case Weigh(op, left, right):
                return segments.with_mask(after, left, right, MASKS[op])
            case Load(target, _):
                known = _given(after)
                return known if known is None or target is None else segments.forget_term(known, target)
            case Put():
                known = _given(after)  # which element was written over is not known yet
                return None if known is None else segments.forget_elements(known)
            case Outside():
                return _given(after)
            case IsNull(truth):
                wanted = YES if truth else NO
                return _with_null(after, wanted) if after.null in (HALF, wanted) else None
            case Order() | Idle() | Gather():
                return after

    def exact(self, step: Step) -> bool:
        return not isinstance(step, Order | Load | Put | Outside) and not (isinstance(step, Move) and not _copies(step))

    # --- sharpen ---------------------------------------------------------------------------------------------------

    def assertions(self, pair: Pair, step: Step) -> Sequence[Assertion]:
        before = pair.before
        found: list[Assertion] = []
        if any(before.where[variable] == ANYWHERE for variable in self._placed(pair, step)):
            return found  # cases follow, and each of them will be asked about
        if isinstance(step, Put):
            size, terms = len(before.rel), before.terms
            for i in range(size):
                for j in range(max(i + 1, terms), size):
                    mask = before.rel[i][j]
                    if mask.bit_count() > 1:
                        found += [Never(i, j, bit) for bit in (LESS, EQUAL, GREATER) if mask & bit]
        # Nodes that go are the last to do so, from the last one on, so that those before them keep their numbers.
        for node in reversed(range(before.end)):
            if before.sizes[node] != ONE:
                found.append(Sized(node, ONE))
            if before.sizes[node] == FREE:
                found += [Sized(node, SOME), Sized(node, FREE)]
        return found

    def impose(self, pair: Pair, assertion: Assertion) -> Pair:
        match assertion:
            case Sized(node, size):
                if size == FREE:
                    return Pair(segments.without(pair.before, node), segments.without(pair.after, node))
                if size == SOME and pair.before.sizes[node] == ONE:
                    return pair
                return Pair(segments.with_size(pair.before, node, size), segments.with_size(pair.after, node, size))
            case Never(one, two, bit):
                return Pair(segments.with_mask(pair.before, one, two, ANY ^ bit), pair.after)

    # --- focus -----------------------------------------------------------------------------------------------------

    def focus(self, pair: Pair, step: Step) -> Sequence[Pair]:
        for variable in self._placed(pair, step):
            if pair.before.where[variable] == ANYWHERE:
                return [
                    case for case in (_settled(draft, step) for draft in _places(pair, variable)) if case is not None
                ]
        if isinstance(step, Move) and step.spot.base == ZERO and 0 < step.spot.offset <= MOST_COUNTED:
            cases = _counted(pair, pair.after.where[step.target])
            if cases is not None:
                return [case for case in (_settled(draft, step) for draft in cases) if case is not None]
        return (pair,)

    def _placed(self, pair: Pair, step: Step) -> Sequence[int]:
        """The variables that have to be placed. A step whose effect nothing is known of needs none."""
        match step:
            case Move(target, spot) if pair.after.where[target] != ANYWHERE:
                spots: tuple[Spot, ...] = (spot,)
            case Order(_, left, right):
                spots = (left, right)
            case Load(target, spot) if target is not None and pair.after.knows_data(target):
                spots = (spot,)
            case Put(spot) if pair.after.knows_elements():
                spots = (spot,)
            case Outside(spot):
                spots = (spot,)
            case _:
                spots = ()
        return [spot.base for spot in spots if spot.base >= 0]

    # --- project ---------------------------------------------------------------------------------------------------

    def project(self, pair: Pair, step: Step, direction: Direction) -> Element:
        before = segments.tighten(pair.before) or pair.before
        return segments.gather(before) if isinstance(step, Gather) else segments.blur(before)

    def covers(self, bigger: Element, smaller: Element) -> bool:
        return covers(bigger, smaller)


def _counted(pair: Pair, place: int) -> list[Pair] | None:
    """Cases that tell the first position of a node that has several, before a place or before the end, from the rest;
    None if every node there is one position, so that they are counted."""
    if place in (ANYWHERE, BELOW):
        return None
    limit = pair.before.end if place == ABOVE else place
    node = next((k for k in range(limit) if pair.before.sizes[k] != ONE), None)
    if node is None:
        return None
    halves = (pair.before, pair.after)
    cases = [Pair(*(segments.without(segments.split(half, node), node) for half in halves))]
    if pair.before.sizes[node] == FREE:
        cases.append(Pair(*(segments.without(half, node) for half in halves)))
    return cases


def _copies(step: Move) -> bool:
    return step.spot.base >= 0 and step.spot.offset == 0


def _copied(after: Element, target: int, source: int) -> Element | None:
    """What is known of the target after `target = source` is known of the source before."""
    if target == source:
        return after
    mine, yours = after.where[target], after.where[source]
    if mine != ANYWHERE and yours not in (ANYWHERE, mine):
        return None
    element = after if mine == ANYWHERE else segments.with_where(after, source, mine)
    return segments.with_where(element, target, ANYWHERE)


def _loaded(pair: Pair, target: int, cell: int) -> Element | None:
    row = pair.after.rel[target]
    if not row[cell] & EQUAL:
        return None
    before = pair.before
    for term, mask in enumerate(row):
        if term not in (target, cell) and mask != ANY:
            before = segments.with_mask(before, cell, term, mask)
    return before


def _with_null(element: Element, value: int) -> Element:
    return Element(value, element.sizes, element.where, element.rel)


def _given(element: Element) -> Element | None:
    """There is an array."""
    return None if element.null == YES else _with_null(element, NO)


def _places(pair: Pair, variable: int) -> list[Pair]:
    """One case for each place where a variable may be."""
    drafts: list[Pair] = [
        Pair(segments.with_where(pair.before, variable, place), pair.after) for place in (BELOW, ABOVE)
    ]
    for node, size in enumerate(pair.before.sizes):
        if size == ONE:
            drafts.append(Pair(segments.with_where(pair.before, variable, node), pair.after))
        else:
            before, after = segments.split(pair.before, node), segments.split(pair.after, node)
            drafts.append(Pair(segments.with_where(before, variable, node + 1), after))
    return drafts


def _settled(pair: Pair, step: Step) -> Pair | None:
    """The pair with what follows at once before the step: what is known of a variable that is loaded from a cell is
    known of the cell."""
    known: Element | None = pair.before
    if isinstance(step, Load) and step.target is not None and step.spot.base >= 0 and step.spot.offset == 0:
        place = pair.before.where[step.spot.base]
        if 0 <= place < pair.before.end:
            known = _loaded(pair, step.target, pair.before.terms + place)
    found = None if known is None else segments.tightened(known)
    if found is None:
        return None
    before, after = found[0], pair.after
    for change in found[1]:
        after = segments.changed(after, change)
    return Pair(before, after)
