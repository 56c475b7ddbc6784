"""Abstract arrays as a domain of the algorithm: the second instantiation, beside that of heaps.

Both halves of a pair have the same nodes, as no step changes the number of positions. Copies and comparisons without
arithmetic are transformed exactly; for other steps the position of the index variable is made definite (FOCUS), and the
prover decides which cases are possible, which nodes are single positions, and how elements compare (SHARPEN). Forwards,
loaded and stored elements are definite once the index is; the position of a variable that is assigned is made definite
after the step as well.

    Transformer(Arrays(vocabulary), ArrayProver(vocabulary)).apply(element, step)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from heapwright.engines.infer.algorithm import Direction
from heapwright.engines.infer.arrays import abstract_arrays as segments
from heapwright.engines.infer.arrays import stores as s
from heapwright.engines.infer.arrays.inclusion import covers

MOST_COUNTED = 16  # maximum of positions that are counted for a constant

MASKS = {
    "<": segments.LESS,
    "<=": segments.LESS | segments.EQUAL,
    "==": segments.EQUAL,
    ">=": segments.GREATER | segments.EQUAL,
    ">": segments.GREATER,
    "!=": segments.LESS | segments.GREATER,
}


@dataclass(frozen=True, slots=True)
class Pair:
    """`ahead`: the half after the step is sought, else the one before it."""

    before: segments.Element
    after: segments.Element
    ahead: bool = False


@dataclass(frozen=True, slots=True)
class NodeSize:
    """A node has one position (`ONE`), at least one (`SOME`), or none (`FREE`)."""

    node: int
    size: int


@dataclass(frozen=True, slots=True)
class Never:
    """The relation `bit` never holds between the elements of two terms."""

    one: int
    two: int
    bit: int


Assertion = NodeSize | Never


@dataclass(frozen=True, slots=True)
class Arrays:
    vocabulary: s.Vocabulary

    # --- extend ----------------------------------------------------------------------------------------------------

    def extend(self, element: segments.Element, step: s.Step, direction: Direction) -> Iterable[Pair]:
        if direction is Direction.FORWARD:
            return self._ahead(element, step)
        before = self._undone(element, step)
        pair = None if before is None else _settled(Pair(before, element), step)
        return [] if pair is None else [pair]

    def _ahead(self, element: segments.Element, step: s.Step) -> list[Pair]:
        """Forward extension: the element before a step, and its post without arithmetic on positions."""
        accesses = isinstance(step, s.Load | s.Put | s.Outside)
        before = _given(element) if accesses else element
        after = None if before is None else self._done(before, step)
        if before is None or after is None:
            return []
        ahead = isinstance(step, s.Move | s.Load | s.Put)
        pair = _settled(Pair(before, after, ahead) if ahead else Pair(after, after), step)
        return [] if pair is None else [pair]

    def _done(self, before: segments.Element, step: s.Step) -> segments.Element | None:
        match step:
            case s.Move(target, spot):
                return segments.with_where(
                    before, target, before.where[spot.base] if _copies(step) else segments.ANYWHERE
                )
            case s.HavocSpot(target):
                return segments.with_where(before, target, segments.ANYWHERE)
            case s.HavocData(target) | s.Load(target) if target is not None:
                return segments.forget_term(before, target)
            case s.Take(target, value):
                if target == value:
                    return before
                return segments.same_terms(segments.forget_term(before, target), target, value)
            case s.Weigh(op, left, right):
                return segments.with_mask(before, left, right, MASKS[op])
            case s.Put() | s.HavocCells():
                return segments.forget_elements(before)
            case s.IsNull(truth):
                wanted = segments.YES if truth else segments.NO
                return _with_null(before, wanted) if before.null in (segments.HALF, wanted) else None
            case _:
                return before

    def _undone(self, after: segments.Element, step: s.Step) -> segments.Element | None:
        """Pre-image of a step without arithmetic on positions."""
        match step:
            case s.Move(target, spot):
                if _copies(step):
                    return _copied(after, target, spot.base)
                return segments.with_where(after, target, segments.ANYWHERE)
            case s.HavocSpot(target):
                return segments.with_where(after, target, segments.ANYWHERE)
            case s.HavocData(target):
                return segments.forget_term(after, target)
            case s.Take(target, value):
                if target == value:
                    return after
                return segments.forget_term(segments.same_terms(after, target, value), target)
            case s.Weigh(op, left, right):
                return segments.with_mask(after, left, right, MASKS[op])
            case s.Load(target, _):
                known = _given(after)
                return known if known is None or target is None else segments.forget_term(known, target)
            case s.Put():
                known = _given(after)  # the overwritten element is not determined yet
                return None if known is None else segments.forget_elements(known)
            case s.HavocCells():
                return segments.forget_elements(after)
            case s.Outside():
                return _given(after)
            case s.IsNull(truth):
                wanted = segments.YES if truth else segments.NO
                return _with_null(after, wanted) if after.null in (segments.HALF, wanted) else None
            case s.Order() | s.Idle() | s.Gather():
                return after

    def exact(self, step: s.Step) -> bool:
        return not isinstance(step, s.Order | s.Load | s.Put | s.Outside) and not (
            isinstance(step, s.Move) and not _copies(step)
        )

    # --- sharpen ---------------------------------------------------------------------------------------------------

    def assertions(self, pair: Pair, step: s.Step) -> Sequence[Assertion]:
        before = pair.before
        found: list[Assertion] = []
        if any(before.where[variable] == segments.ANYWHERE for variable in self._focus_variables(pair, step)):
            return found  # focus comes first, and each case is sharpened
        if isinstance(step, s.Put) and not pair.ahead:
            size, terms = len(before.rel), before.terms
            for i in range(size):
                for j in range(max(i + 1, terms), size):
                    mask = before.rel[i][j]
                    if mask.bit_count() > 1:
                        found += [
                            Never(i, j, bit) for bit in (segments.LESS, segments.EQUAL, segments.GREATER) if mask & bit
                        ]
        # Nodes are removed last, from the end on, so that those before them keep their numbers.
        for node in reversed(range(before.end)):
            if before.sizes[node] != segments.ONE:
                found.append(NodeSize(node, segments.ONE))
            if before.sizes[node] == segments.FREE:
                found += [NodeSize(node, segments.SOME), NodeSize(node, segments.FREE)]
        return found

    def impose(self, pair: Pair, assertion: Assertion) -> Pair:
        match assertion:
            case NodeSize(node, size):
                if size == segments.FREE:
                    return _both(pair, lambda half: segments.without(half, node))
                if size == segments.SOME and pair.before.sizes[node] == segments.ONE:
                    return pair
                return _both(pair, lambda half: segments.with_size(half, node, size))
            case Never(one, two, bit):
                return replace(pair, before=segments.with_mask(pair.before, one, two, segments.ANY ^ bit))

    # --- focus -----------------------------------------------------------------------------------------------------

    def focus(self, pair: Pair, step: s.Step) -> Sequence[Pair]:
        for variable in self._focus_variables(pair, step):
            if pair.before.where[variable] == segments.ANYWHERE:
                return [
                    case for case in (_settled(draft, step) for draft in _positions(pair, variable)) if case is not None
                ]
        if pair.ahead and isinstance(step, s.Move) and self._arrives(pair, step):
            drafts = _positions(pair, step.target, ahead=True)
            return [case for case in (_settled(draft, step) for draft in drafts) if case is not None]
        if isinstance(step, s.Move) and step.spot.base == s.ZERO and 0 < step.spot.offset <= MOST_COUNTED:
            cases = _counted(pair, pair.after.where[step.target])
            if cases is not None:
                return [case for case in (_settled(draft, step) for draft in cases) if case is not None]
        return (pair,)

    def _arrives(self, pair: Pair, step: s.Move) -> bool:
        """Whether to focus on a variable after an assignment: the position of its source is definite."""
        if pair.after.where[step.target] != segments.ANYWHERE or _copies(step):
            return False
        return step.spot.base < 0 or pair.before.where[step.spot.base] != segments.ANYWHERE

    def _focus_variables(self, pair: Pair, step: s.Step) -> Sequence[int]:
        """Variables to focus on; none if the values that the step modifies are unconstrained."""
        match step:
            case s.Move(_, spot) if pair.ahead:
                # Without a position of the source there is none of the target.
                known = spot.base >= 0 and pair.before.where[spot.base] != segments.ANYWHERE
                spots: tuple[s.Spot, ...] = (spot,) if known else ()
            case s.Move(target, spot) if pair.after.where[target] != segments.ANYWHERE:
                spots = (spot,)
            case s.Order(_, left, right):
                spots = (left, right)
            case s.Load(target, spot) if pair.ahead or (target is not None and pair.after.knows_data(target)):
                spots = (spot,)
            case s.Put(spot) if pair.ahead or pair.after.knows_elements():
                spots = (spot,)
            case s.Outside(spot):
                spots = (spot,)
            case _:
                spots = ()
        return [spot.base for spot in spots if spot.base >= 0]

    # --- project ---------------------------------------------------------------------------------------------------

    def project(self, pair: Pair, step: s.Step, direction: Direction) -> segments.Element:
        sought = pair.after if pair.ahead else pair.before
        found = segments.tighten(sought) or sought
        return segments.gather(found) if isinstance(step, s.Gather) else segments.blur(found)

    def covers(self, bigger: segments.Element, smaller: segments.Element) -> bool:
        return covers(bigger, smaller)


def _counted(pair: Pair, position: int) -> list[Pair] | None:
    """Case split that materialises the first position of a summary node before a node or the end; None if every node
    there is one position."""
    if position in (segments.ANYWHERE, segments.BELOW):
        return None
    limit = pair.before.end if position == segments.ABOVE else position
    node = next((k for k in range(limit) if pair.before.sizes[k] != segments.ONE), None)
    if node is None:
        return None
    cases = [_both(pair, lambda half: segments.without(segments.split(half, node), node))]
    if pair.before.sizes[node] == segments.FREE:
        cases.append(_both(pair, lambda half: segments.without(half, node)))
    return cases


def _both(pair: Pair, change: Callable[[segments.Element], segments.Element]) -> Pair:
    return replace(pair, before=change(pair.before), after=change(pair.after))


def _copies(step: s.Move) -> bool:
    return step.spot.base >= 0 and step.spot.offset == 0


def _copied(after: segments.Element, target: int, source: int) -> segments.Element | None:
    """Pre-image of `target = source`: the meet of the positions of both, as that of the source."""
    if target == source:
        return after
    mine, yours = after.where[target], after.where[source]
    if mine != segments.ANYWHERE and yours not in (segments.ANYWHERE, mine):
        return None
    element = after if mine == segments.ANYWHERE else segments.with_where(after, source, mine)
    return segments.with_where(element, target, segments.ANYWHERE)


def _loaded(pair: Pair, target: int, cell: int) -> segments.Element | None:
    row = pair.after.rel[target]
    if not row[cell] & segments.EQUAL:
        return None
    before = pair.before
    for term, mask in enumerate(row):
        if term not in (target, cell) and mask != segments.ANY:
            before = segments.with_mask(before, cell, term, mask)
    return before


def _with_null(element: segments.Element, value: int) -> segments.Element:
    return segments.Element(value, element.sizes, element.where, element.rel)


def _given(element: segments.Element) -> segments.Element | None:
    """The element restricted to arrays that are not null."""
    return None if element.null == segments.YES else _with_null(element, segments.NO)


def _positions(pair: Pair, variable: int, *, ahead: bool = False) -> list[Pair]:
    """Case split on the position of a variable, before the step or after it."""

    def at(pair: Pair, position: int) -> Pair:
        half = segments.with_where(pair.after if ahead else pair.before, variable, position)
        return replace(pair, after=half) if ahead else replace(pair, before=half)

    drafts = [at(pair, position) for position in (segments.BELOW, segments.ABOVE)]
    for node, size in enumerate(pair.before.sizes):
        if size == segments.ONE:
            drafts.append(at(pair, node))
        else:
            split = replace(pair, before=segments.split(pair.before, node), after=segments.split(pair.after, node))
            drafts.append(at(split, node + 1))
    return drafts


def _settled(pair: Pair, step: s.Step) -> Pair | None:
    """The pair sharpened without the prover: constraints on a loaded variable hold of its cell, and forwards
    conversely."""
    if pair.ahead:
        return _settled_ahead(pair, step)
    known: segments.Element | None = pair.before
    if isinstance(step, s.Load) and step.target is not None and step.spot.base >= 0 and step.spot.offset == 0:
        position = pair.before.where[step.spot.base]
        if 0 <= position < pair.before.end:
            known = _loaded(pair, step.target, pair.before.terms + position)
    found = None if known is None else segments.tightened(known)
    if found is None:
        return None
    before, after = found[0], pair.after
    for change in found[1]:
        after = segments.changed(after, change)
    return Pair(before, after)


def _settled_ahead(pair: Pair, step: s.Step) -> Pair | None:
    """Loaded and stored elements are definite if the index is; other variables keep their positions."""
    found = segments.tightened(pair.before)
    if found is None:
        return None
    before, after = found[0], pair.after
    for change in found[1]:
        after = segments.changed(after, change)
    if isinstance(step, s.Load | s.Put):
        position = before.where[step.spot.base] if step.spot.base >= 0 and step.spot.offset == 0 else segments.ANYWHERE
        inside = 0 <= position < before.end
        if not inside and position != segments.ANYWHERE:
            return None  # out of bounds
        after = _accessed(before, step, before.terms + position) if inside else after
    elif isinstance(step, s.Move):
        after = replace(
            before, where=(*before.where[: step.target], after.where[step.target], *before.where[step.target + 1 :])
        )
    return Pair(before, after, ahead=True)


def _accessed(before: segments.Element, step: s.Load | s.Put, cell: int) -> segments.Element:
    """The element after an access to the cell of a node that is one position."""
    match step:
        case s.Load(target, _):
            return before if target is None else segments.same_terms(segments.forget_term(before, target), target, cell)
        case s.Put(_, value):
            written = segments.forget_term(before, cell)
            return written if value is None else segments.same_terms(written, value, cell)
