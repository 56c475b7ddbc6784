"""Abstract arrays as a domain of the algorithm: the second instantiation, beside that of heaps.

Both halves of a pair have the same nodes, as no step changes the number of positions. Copies and comparisons without
arithmetic are transformed exactly; for other steps the index variable is placed (FOCUS), and the prover decides which
cases are possible, which nodes are single positions, and how elements compare (SHARPEN). Forwards, loaded and stored
elements are definite once the index is placed; a variable that is assigned is placed after the step as well.

    Transformer(Arrays(vocabulary), ArrayProver(vocabulary)).apply(element, step)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from heapwright.engines.infer.algorithm import Direction
from heapwright.engines.infer.arrays import abstract_arrays as segments
from heapwright.engines.infer.arrays.abstract_arrays import (
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
from heapwright.engines.infer.arrays.inclusion import covers
from heapwright.engines.infer.arrays.stores import (
    ZERO,
    Gather,
    HavocCells,
    HavocData,
    HavocSpot,
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

MOST_COUNTED = 16  # maximum of positions that are counted for a constant

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
    """`ahead`: the half after the step is sought, else the one before it."""

    before: Element
    after: Element
    ahead: bool = False


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
        if direction is Direction.FORWARD:
            return self._ahead(element, step)
        before = self._undone(element, step)
        pair = None if before is None else _settled(Pair(before, element), step)
        return [] if pair is None else [pair]

    def _ahead(self, element: Element, step: Step) -> list[Pair]:
        """Forward extension: the element before a step, and its post without arithmetic on positions."""
        accesses = isinstance(step, Load | Put | Outside)
        before = _given(element) if accesses else element
        after = None if before is None else self._done(before, step)
        if before is None or after is None:
            return []
        ahead = isinstance(step, Move | Load | Put)
        pair = _settled(Pair(before, after, ahead) if ahead else Pair(after, after), step)
        return [] if pair is None else [pair]

    def _done(self, before: Element, step: Step) -> Element | None:
        match step:
            case Move(target, spot):
                return segments.with_where(before, target, before.where[spot.base] if _copies(step) else ANYWHERE)
            case HavocSpot(target):
                return segments.with_where(before, target, ANYWHERE)
            case HavocData(target) | Load(target) if target is not None:
                return segments.forget_term(before, target)
            case Take(target, value):
                if target == value:
                    return before
                return segments.same_terms(segments.forget_term(before, target), target, value)
            case Weigh(op, left, right):
                return segments.with_mask(before, left, right, MASKS[op])
            case Put() | HavocCells():
                return segments.forget_elements(before)
            case IsNull(truth):
                wanted = YES if truth else NO
                return _with_null(before, wanted) if before.null in (HALF, wanted) else None
            case _:
                return before

    def _undone(self, after: Element, step: Step) -> Element | None:
        """Pre-image of a step without arithmetic on positions."""
        match step:
            case Move(target, spot):
                if _copies(step):
                    return _copied(after, target, spot.base)
                return segments.with_where(after, target, ANYWHERE)
            case HavocSpot(target):
                return segments.with_where(after, target, ANYWHERE)
            case HavocData(target):
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
                known = _given(after)  # the overwritten element is not determined yet
                return None if known is None else segments.forget_elements(known)
            case HavocCells():
                return segments.forget_elements(after)
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
            return found  # focus comes first, and each case is sharpened
        if isinstance(step, Put) and not pair.ahead:
            size, terms = len(before.rel), before.terms
            for i in range(size):
                for j in range(max(i + 1, terms), size):
                    mask = before.rel[i][j]
                    if mask.bit_count() > 1:
                        found += [Never(i, j, bit) for bit in (LESS, EQUAL, GREATER) if mask & bit]
        # Nodes are removed last, from the end on, so that those before them keep their numbers.
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
                    return _both(pair, lambda half: segments.without(half, node))
                if size == SOME and pair.before.sizes[node] == ONE:
                    return pair
                return _both(pair, lambda half: segments.with_size(half, node, size))
            case Never(one, two, bit):
                return replace(pair, before=segments.with_mask(pair.before, one, two, ANY ^ bit))

    # --- focus -----------------------------------------------------------------------------------------------------

    def focus(self, pair: Pair, step: Step) -> Sequence[Pair]:
        for variable in self._placed(pair, step):
            if pair.before.where[variable] == ANYWHERE:
                return [
                    case for case in (_settled(draft, step) for draft in _places(pair, variable)) if case is not None
                ]
        if pair.ahead and isinstance(step, Move) and self._arrives(pair, step):
            drafts = _places(pair, step.target, ahead=True)
            return [case for case in (_settled(draft, step) for draft in drafts) if case is not None]
        if isinstance(step, Move) and step.spot.base == ZERO and 0 < step.spot.offset <= MOST_COUNTED:
            cases = _counted(pair, pair.after.where[step.target])
            if cases is not None:
                return [case for case in (_settled(draft, step) for draft in cases) if case is not None]
        return (pair,)

    def _arrives(self, pair: Pair, step: Move) -> bool:
        """Whether to place a variable after an assignment: the position of its source is definite."""
        if pair.after.where[step.target] != ANYWHERE or _copies(step):
            return False
        return step.spot.base < 0 or pair.before.where[step.spot.base] != ANYWHERE

    def _placed(self, pair: Pair, step: Step) -> Sequence[int]:
        """Variables to focus on; none if the values that the step modifies are unconstrained."""
        match step:
            case Move(_, spot) if pair.ahead:
                # Without a position of the source there is none of the target.
                known = spot.base >= 0 and pair.before.where[spot.base] != ANYWHERE
                spots: tuple[Spot, ...] = (spot,) if known else ()
            case Move(target, spot) if pair.after.where[target] != ANYWHERE:
                spots = (spot,)
            case Order(_, left, right):
                spots = (left, right)
            case Load(target, spot) if pair.ahead or (target is not None and pair.after.knows_data(target)):
                spots = (spot,)
            case Put(spot) if pair.ahead or pair.after.knows_elements():
                spots = (spot,)
            case Outside(spot):
                spots = (spot,)
            case _:
                spots = ()
        return [spot.base for spot in spots if spot.base >= 0]

    # --- project ---------------------------------------------------------------------------------------------------

    def project(self, pair: Pair, step: Step, direction: Direction) -> Element:
        sought = pair.after if pair.ahead else pair.before
        found = segments.tighten(sought) or sought
        return segments.gather(found) if isinstance(step, Gather) else segments.blur(found)

    def covers(self, bigger: Element, smaller: Element) -> bool:
        return covers(bigger, smaller)


def _counted(pair: Pair, place: int) -> list[Pair] | None:
    """Case split that materialises the first position of a summary node before a node or the end; None if every node
    there is one position."""
    if place in (ANYWHERE, BELOW):
        return None
    limit = pair.before.end if place == ABOVE else place
    node = next((k for k in range(limit) if pair.before.sizes[k] != ONE), None)
    if node is None:
        return None
    cases = [_both(pair, lambda half: segments.without(segments.split(half, node), node))]
    if pair.before.sizes[node] == FREE:
        cases.append(_both(pair, lambda half: segments.without(half, node)))
    return cases


def _both(pair: Pair, change: Callable[[Element], Element]) -> Pair:
    return replace(pair, before=change(pair.before), after=change(pair.after))


def _copies(step: Move) -> bool:
    return step.spot.base >= 0 and step.spot.offset == 0


def _copied(after: Element, target: int, source: int) -> Element | None:
    """Pre-image of `target = source`: the meet of the positions of both, as that of the source."""
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
    """The element restricted to arrays that are not null."""
    return None if element.null == YES else _with_null(element, NO)


def _places(pair: Pair, variable: int, *, ahead: bool = False) -> list[Pair]:
    """Case split on the position of a variable, before the step or after it."""

    def at(pair: Pair, place: int) -> Pair:
        half = segments.with_where(pair.after if ahead else pair.before, variable, place)
        return replace(pair, after=half) if ahead else replace(pair, before=half)

    drafts = [at(pair, place) for place in (BELOW, ABOVE)]
    for node, size in enumerate(pair.before.sizes):
        if size == ONE:
            drafts.append(at(pair, node))
        else:
            split = replace(pair, before=segments.split(pair.before, node), after=segments.split(pair.after, node))
            drafts.append(at(split, node + 1))
    return drafts


def _settled(pair: Pair, step: Step) -> Pair | None:
    """The pair sharpened without the prover: constraints on a loaded variable hold of its cell, and forwards
    conversely."""
    if pair.ahead:
        return _settled_ahead(pair, step)
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


def _settled_ahead(pair: Pair, step: Step) -> Pair | None:
    """Loaded and stored elements are definite if the index is placed; other variables keep their positions."""
    found = segments.tightened(pair.before)
    if found is None:
        return None
    before, after = found[0], pair.after
    for change in found[1]:
        after = segments.changed(after, change)
    if isinstance(step, Load | Put):
        place = before.where[step.spot.base] if step.spot.base >= 0 and step.spot.offset == 0 else ANYWHERE
        inside = 0 <= place < before.end
        if not inside and place != ANYWHERE:
            return None  # out of bounds
        after = _accessed(before, step, before.terms + place) if inside else after
    elif isinstance(step, Move):
        after = replace(
            before, where=(*before.where[: step.target], after.where[step.target], *before.where[step.target + 1 :])
        )
    return Pair(before, after, ahead=True)


def _accessed(before: Element, step: Load | Put, cell: int) -> Element:
    """The element after an access to the cell of a node that is one position."""
    match step:
        case Load(target, _):
            return before if target is None else segments.same_terms(segments.forget_term(before, target), target, cell)
        case Put(_, value):
            written = segments.forget_term(before, cell)
            return written if value is None else segments.same_terms(written, value, cell)
