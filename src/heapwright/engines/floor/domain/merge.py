"""Join and widening of states. What is said of a block holds if it exists: a block of one state alone is in the join as
it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from heapwright.engines.floor.domain import intervals, pointers
from heapwright.engines.floor.domain.blocks import Block, is_single, merged_block
from heapwright.engines.floor.domain.differences import Term, count_of, field_of
from heapwright.engines.floor.domain.intervals import FAR, Interval
from heapwright.engines.floor.domain.paged_map import Page
from heapwright.engines.floor.domain.pointers import JUNK_POINTER, RECENT, Key, Pointer, kind_of
from heapwright.engines.floor.domain.state import State
from heapwright.engines.floor.domain.terms_of_strings import is_terminator

STEPS = (-1, 0)  # what a bound that grows is widened to, before it is dropped
HUGE = 1 << 66  # of a difference: more says nothing of numbers of 64 bits


class Merge(NamedTuple):
    """How two states become one. `sources`: the variables of the source among the pointers; `compared`: the variables
    that a variable is compared with. With `thresholds` it is a widening."""

    sources: frozenset[str]
    compared: Mapping[str, frozenset[str]]
    thresholds: Sequence[int] | None = None

    def number(self, old: Interval, new: Interval) -> Interval:
        whole = intervals.join(old, new)
        if self.thresholds is None or whole == old:
            return whole
        return intervals.widen(old, whole, self.thresholds)

    def pointer(self, old: Pointer, new: Pointer) -> Pointer:
        if self.thresholds is None:
            return pointers.join(old, new)
        return pointers.widen(old, new, self.thresholds)

    def states(self, old: State, new: State) -> State:
        for one in (old, new):
            one.lend()
        whole = State(old.paging)
        numbers = self._numbers(old, new, whole)
        self._all_pointers(old, new, whole)
        changed = self._blocks(old, new, whole)
        whole.escaped = old.escaped | new.escaped
        whole.nonzero = frozenset(
            name for name in old.nonzero | new.nonzero if _is_nonzero(old, name) and _is_nonzero(new, name)
        )
        whole.same_blocks = old.same_blocks.joined(
            new.same_blocks, lambda name: self._leads(old, name), lambda name: self._leads(new, name)
        )
        whole.definitions = {name: one for name, one in old.definitions.items() if new.definitions.get(name) == one}
        whole.strings = old.strings & new.strings
        whole.tested = {name: base for name, base in old.tested.items() if new.tested.get(name) == base}
        self._differences(old, new, whole, numbers, changed)
        return whole

    def _leads(self, state: State, name: str) -> bool:
        """Whether a pointer may lead to a block."""
        pointer = state.pointers.get(name)
        return name not in self.sources if pointer is None else pointer.unknown or bool(pointer.targets)

    def _numbers(self, old: State, new: State, whole: State) -> set[str]:
        """Returns the compared variables whose values differ."""
        changed: set[str] = set()
        for number, page in old.numbers.pages.items():
            twin = new.numbers.pages.get(number)
            if twin is None:
                continue
            if twin is page:
                whole.numbers.share(number, page)
                continue
            found: Page[str, Interval] = Page()
            for name, value in page.items():
                other = twin.get(name)
                if other is not None and value != other:
                    found[name] = self.number(value, other)
                    if name in self.compared:
                        changed.add(name)
                elif other is not None:
                    found[name] = value
            whole.numbers.share(number, page if found == page else found)
        return changed

    def _all_pointers(self, old: State, new: State, whole: State) -> None:
        for number in {**old.pointers.pages, **new.pointers.pages}:
            page, twin = old.pointers.pages.get(number), new.pointers.pages.get(number)
            if page is not None and page is twin:
                whole.pointers.share(number, page)
                continue
            found: Page[str, Pointer] = Page()
            self._pointers(page or {}, twin or {}, found)
            whole.pointers.share(number, page if page is not None and found == page else found)

    def _blocks(self, old: State, new: State, whole: State) -> list[Key]:
        """Returns the blocks that differ."""
        changed: list[Key] = []
        for number, twin in new.blocks.pages.items():
            if number not in old.blocks.pages:
                whole.blocks.share(number, twin)
        for number, page in old.blocks.pages.items():
            other = new.blocks.pages.get(number)
            if other is None or other is page:
                whole.blocks.share(number, page)
                continue
            found: Page[Key, Block] = Page({**page, **other})
            for key, block in page.items():
                one = other.get(key)
                if one is None or one is block:
                    continue
                found[key] = merged_block(block, one, self.number, self.pointer)
                changed.append(key)
            whole.blocks.share(number, page if found == page else found)
        return changed

    def _pointers(self, old: Mapping[str, Pointer], new: Mapping[str, Pointer], whole: dict[str, Pointer]) -> None:
        for name, first in old.items():
            second = new.get(name)
            if first is second:
                whole[name] = first
            elif second is not None:
                whole[name] = self.pointer(first, second)
            elif name in self.sources:
                whole[name] = self.pointer(first, JUNK_POINTER)
        for name, second in new.items():
            if name not in old and name in self.sources:
                whole[name] = self.pointer(JUNK_POINTER, second)

    # --- differences -------------------------------------------------------------------------------------------------

    def _differences(self, old: State, new: State, whole: State, numbers: set[str], blocks: list[Key]) -> None:
        if old.differences == new.differences:
            whole.differences = old.differences.copy()
        else:
            self._common(old, new, whole)
        if self.thresholds is None:
            for left, right in (*self._of_variables(numbers), *self._of_fields(old, new, whole, blocks)):
                self._keep(left, right, old, new, whole)
                self._keep(right, left, old, new, whole)

    def _common(self, old: State, new: State, whole: State) -> None:
        """The bounds that one of the states has, as far as they hold in both."""
        kept = whole.differences
        for left in {**old.differences.below, **new.differences.below}:
            one, two = old.differences.below.get(left), new.differences.below.get(left)
            if one is two and one is not None:
                for right, bound in one.items():
                    kept.add(left, right, bound)
            else:
                for right in {**(one or {}), **(two or {})}:
                    self._keep(left, right, old, new, whole)

    def _keep(self, left: Term, right: Term, old: State, new: State, whole: State) -> None:
        """Keeps the bound of a difference that holds in both states."""
        before, after = _bound(old, left, right), _bound(new, left, right)
        bound = max(before, after)
        if self.thresholds is not None and before > -FAR and after > before:
            if after > STEPS[-1]:
                return
            bound = next(step for step in STEPS if after <= step)
        implied = bound >= whole.value(left)[1] - whole.value(right)[0]
        if -FAR < bound < HUGE and (not implied or (bound <= 0 and is_terminator(right))):
            whole.differences.add(left, right, bound)

    def _of_variables(self, changed: set[str]) -> Iterable[tuple[Term, Term]]:
        """Pairs of variables whose intervals imply a bound that the join of the intervals does not."""
        for name in sorted(changed):
            yield from ((name, other) for other in sorted(self.compared[name] & changed) if name < other)

    def _of_fields(self, old: State, new: State, whole: State, blocks: list[Key]) -> Iterable[tuple[Term, Term]]:
        """The same of integer fields of one block, and of the counts of blocks that it leads to."""
        for key in blocks:
            if kind_of(key) != RECENT or old.blocks[key].cells == new.blocks[key].cells:
                continue
            one, two = old.blocks[key].cells, new.blocks[key].cells
            changed: list[Term] = []
            counts: list[Term] = []
            for place, content in whole.blocks[key].cells.items():
                if not is_single(place):
                    continue
                if isinstance(content, Pointer):
                    counts += [count_of(held) for held in sorted(content.blocks()) if kind_of(held) == RECENT]
                elif one.get(place) != two.get(place):
                    changed.append(field_of(key, *place))
            changed, counts = changed[:6], counts[:3]
            yield from ((a, b) for at, a in enumerate(changed) for b in (*changed[at + 1 :], *counts))


def _bound(state: State, left: Term, right: Term) -> int:
    """A bound of a difference, least if a term does not exist. That which is kept is sought no further."""
    known = state.differences.below.get(left)
    if known is not None and right in known:
        return known[right]
    return state.bound(left, right) if state.exists(left) and state.exists(right) else -FAR


def _is_nonzero(state: State, name: str) -> bool:
    low, high = state.numbers.get(name, (-FAR, FAR))
    return name in state.nonzero or low > 0 or high < 0
