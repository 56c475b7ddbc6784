"""Terminators: where a zero is in an array of characters.

A terminator is the position of some zero in an array, not of the first one: the one that was found or written last. The
distance from a pointer to it is an integer variable beside the pointer, the position in an array a field beside its
cells, of which nothing is known where it may be negative. A loop that stops at a zero stays in the array:

    while (text[n] != 0) n++;     # n <= terminator of text; not a zero: n < terminator
    copy = malloc(n + 1);         # text[n] is a zero: n is the terminator from here on
    strcpy(copy, text);

They say nothing of whether the pointer is null or the block live. Zeroes that are written do no harm; whatever else is
written ends the terminators of the block, unless it is surely elsewhere (`kept_by`).
"""

from __future__ import annotations

from heapwright.engines.floor.domain import intervals
from heapwright.engines.floor.domain.blocks import is_single
from heapwright.engines.floor.domain.differences import field_of, index_of
from heapwright.engines.floor.domain.intervals import ANYWHERE, FALSE, FAR, Interval
from heapwright.engines.floor.domain.layouts import TERMINATOR, stride
from heapwright.engines.floor.domain.pointers import (
    ELEMENT,
    ENVIRONMENT,
    NULL_POINTER,
    RECENT,
    WRITTEN_OUTSIDE,
    ZERO,
    Key,
    Path,
    Pointer,
    kind_of,
)
from heapwright.engines.floor.domain.state import State, blocks_into
from heapwright.engines.floor.domain.strings import Strings
from heapwright.engines.floor.domain.terms_of_strings import (
    terminator_of,
    terminator_place,
    tested_place_of,
    whole_string,
)
from heapwright.engines.floor.transform.arithmetic import Linear, evaluate, linear, set_number, upper
from heapwright.engines.floor.transform.conditions import relate, substituted
from heapwright.engines.floor.transform.scalars import Found
from heapwright.program.commands import Shift
from heapwright.program.expressions import Convert, Expr, IntVar, variables_of
from heapwright.program.semantics.input_heap import LONGEST


class Terminators(Strings):
    # --- assignments -------------------------------------------------------------------------------------------------

    def assign(self, state: State, target: str, value: Pointer, source: str | None) -> None:
        """target = value; `source`: another variable that has the same value."""
        if target not in self.names or source == target:
            return
        known = self.of_pointer(state, source) if source is not None else None
        state.forget_terminator(target)
        if value == NULL_POINTER:
            self.begin(state, target, ZERO)
        elif known is not None:
            self.begin(state, target, state.value(known))
            state.differences.same(terminator_of(target), known)
            if source is not None and whole_string(source) in state.strings:
                state.strings |= {whole_string(target)}

    def string(self, state: State, target: str) -> None:
        """target = the start of a string of the environment"""
        if target in self.names:
            state.forget_terminator(target)
            self.begin(state, target, (0, LONGEST))
            state.strings |= {whole_string(target)}

    def length(self, state: State, target: str, base: str) -> None:
        """target = the number of cells of the array that a pointer leads into"""
        if whole_string(base) in state.strings:
            low, high = state.value(terminator_of(base))
            known = state.value(target)
            state.numbers[target] = intervals.meet(known, (low + 1, high + 1)) or known
            state.differences.add(terminator_of(base), target, -1)
            state.differences.add(target, terminator_of(base), 1)

    def before_shift(self, state: State, command: Shift) -> Interval | None:
        """The terminator of target = base + offset, before that is done."""
        target, base, offset = command.target, command.base, command.offset
        if target not in self.names or not self._counts_characters(state, base, command.unit):
            return None
        known = self.of_pointer(state, base)
        if known is None:
            return None
        low, high = intervals.minus(state.value(known), evaluate(state, offset))
        most = upper(state, offset)
        if most is not None and most[0] is not None:
            low = max(low, -state.bound(most[0], known) - most[1])
        return intervals.clamped((low, high))

    def _counts_characters(self, state: State, base: str, unit: int) -> bool:
        """Whether arithmetic moves a pointer by characters, and not by rows of a matrix of them."""
        pointer = state.pointers.get(base)
        if pointer is None or pointer.unknown or unit not in (0, 1):
            return False
        for key, path in pointer.targets:
            if path is None:
                return False
            if key != ENVIRONMENT and path[-1:] == (ELEMENT,):
                array = self.layouts.type_at(state.blocks[key].type or "", path[:-1])
                if array is None or stride(array) == unit:
                    return False
        return True

    def shift(self, state: State, command: Shift, offset: Interval, found: Interval | None) -> None:
        """target = base + offset was done; `found`: the terminator before."""
        target, base = command.target, command.base
        if target not in self.names:
            return
        term = terminator_of(target)
        if found is None or (offset[0] != offset[1] and found[0] < 0):
            state.forget_terminator(target)
        elif offset[0] != offset[1]:
            state.forget_terminator(target)
            self.begin(state, target, found)
        else:
            if target != base:
                state.forget_terminator(target)
                self.begin(state, target, found)
                state.differences.same(term, terminator_of(base))
            state.untest_all(target)
            state.strings -= {whole_string(target)}
            state.differences.move(term, -offset[0])
            state.numbers[term] = found

    # --- fields ------------------------------------------------------------------------------------------------------

    def load(self, state: State, target: str, found: Found) -> None:
        """target = the field that is found"""
        if target not in self.names or found.everything or not found.accesses:
            return
        value: Interval | None = None
        for key, place, _ in found.accesses:
            if place is None or key == ENVIRONMENT:
                return
            one = state.blocks[key].number(terminator_place(place), ANYWHERE)
            value = one if value is None else intervals.join(value, one)
        pointer = state.pointers.get(target)
        if value is None or value[0] <= -FAR or pointer is None or pointer.unknown:
            return
        self.begin(state, target, value)
        place = found.accesses[0].place
        if found.strong and place is not None:
            term = field_of(found.accesses[0].key, *terminator_place(place))
            state.differences.same(terminator_of(target), term)

    def store(self, state: State, found: Found, source: str | None) -> None:
        """A pointer was stored in the field that is found, of which nothing is known yet."""
        known = self.of_pointer(state, source) if source is not None and found.strong else None
        key, place, _ = found.accesses[0] if found.accesses else (ENVIRONMENT, None, None)
        if known is None or place is None or key == ENVIRONMENT:
            return
        block, held = state.blocks[key], terminator_place(place)
        state.blocks[key] = block._replace(cells={**block.cells, held: state.value(known)})
        state.differences.same(field_of(key, *held), known)

    # --- accesses ----------------------------------------------------------------------------------------------------

    def has(self, state: State, base: str, index: Expr | None) -> bool:
        """Whether a cell comes before a terminator, or is it."""
        if base not in self.names or (index is not None and evaluate(state, index)[0] < 0):
            return False
        known = self.of_pointer(state, base)
        return known is not None and self._is_below(state, index, known, 1)

    def _is_below(self, state: State, index: Expr | None, known: str, distance: int = 0) -> bool:
        """index < known + distance"""
        if index is None:
            return state.value(known)[0] + distance > 0
        if evaluate(state, index)[1] < state.value(known)[0] + distance:
            return True
        most = upper(state, index)
        return most is not None and most[0] is not None and state.bound(most[0], known) + most[1] < distance

    def _is_above(self, state: State, index: Expr | None, known: str) -> bool:
        if index is None:
            return state.value(known)[1] < 0
        if evaluate(state, index)[0] > state.value(known)[1]:
            return True
        form = linear(state, index)
        return form is not None and form[0] is not None and state.bound(known, form[0]) - form[1] < 0

    def loaded(self, state: State, target: str, base: str, form: Linear | None, number: Interval) -> None:
        """target = base[index], where the index was in an interval, and perhaps a term plus a number."""
        if base not in self.names or (form is not None and form[0] == target) or not self.is_followed(state, base):
            return
        place = tested_place_of(target)
        set_number(state, place, number)
        if form is not None and form[0] is not None:
            state.differences.same(place, form[0])
            state.differences.move(place, form[1])
        state.tested[target] = base

    def copied(self, state: State, target: str, expr: Expr) -> None:
        """target = expr, which is perhaps what was loaded"""
        while isinstance(expr, Convert) and expr.operand.type.bits <= expr.type.bits:
            expr = expr.operand
        if not isinstance(expr, IntVar) or expr.name == target or expr.name not in state.tested:
            return
        place, other = tested_place_of(target), tested_place_of(expr.name)
        set_number(state, place, state.value(other))
        state.differences.same(place, other)
        state.tested[target] = state.tested[expr.name]

    def compared(self, state: State, op: str, left: Expr, right: Expr) -> bool:
        """What a comparison that holds says of characters that were loaded; whether it may hold."""
        for name in list(state.tested):
            base, place = state.tested.get(name), tested_place_of(name)
            known = state.numbers.get(name)
            if base is None or known is None:
                continue
            if known == ZERO and base in state.pointers:
                self._found(state, base, (place, 0), state.value(place))
            if known == ZERO:
                state.untest(name)
            elif not known[0] <= 0 <= known[1] or name in state.nonzero or _excludes(state, name, op, left, right):
                beside = self.of_pointer(state, base)
                possible = beside is None or relate(state, "!=", place, beside, 0)
                state.untest(name)
                if not possible:
                    return False
        return True

    def _found(self, state: State, base: str, form: Linear | None, number: Interval) -> None:
        """A zero is in a cell behind a pointer: the terminator is that from here on."""
        if number[0] < 0:
            return
        term = terminator_of(base)
        state.differences.forget(term)
        self.begin(state, base, number)
        if form is not None and form[0] not in (None, term):
            state.differences.same(term, form[0])
            state.differences.move(term, form[1])
        pointer = state.pointers.get(base)
        single = None if pointer is None or pointer.unknown else self.single(pointer)
        if single is not None:
            self._place(state, base, number, single)
        for other in sorted(one for one in state.same_blocks.beside(base) if isinstance(one, str)):
            if other in self.names and self.same_place(state, base, other):
                state.forget_terminator(other)
                self.begin(state, other, number)
                state.differences.same(terminator_of(other), term)

    def _place(self, state: State, base: str, number: Interval, single: tuple[Key, tuple[str, ...], Interval]) -> None:
        """The terminator of an array is that of a pointer into it."""
        key, path, at = single
        block = state.blocks[key]
        if not block.type or not block.fits or not self.layouts.is_text(block.type, path):
            return
        term, place = terminator_of(base), field_of(key, path, TERMINATOR)
        low, high = intervals.clamped(intervals.plus(number, at))
        state.differences.forget(place)
        state.blocks[key] = block._replace(cells={**block.cells, (path, TERMINATOR): (max(low, 0), high)})
        if at[0] == at[1]:
            state.differences.same(place, term)
            state.differences.move(place, at[0])
        elif number[0] == number[1]:
            state.differences.same(place, index_of(base))
            state.differences.move(place, number[0])
        self._tell_fields(state, key, path)

    def _tell_fields(self, state: State, key: Key, path: tuple[str, ...]) -> None:
        """Single pointers in blocks to a fixed place in an array of which no terminator was known."""
        term = field_of(key, path, TERMINATOR)
        low, high = state.value(term)
        for owner, block in blocks_into(state.blocks, key):
            for place, value in block.cells.items():
                if not isinstance(value, Pointer) or not is_single(place) or kind_of(owner) != RECENT:
                    continue
                at = value.targets.get((key, path))
                unknown = block.number(terminator_place(place), ANYWHERE)[0] <= -FAR
                if at is None or len(value.targets) > 1 or at[1][0] != at[1][1] or not unknown:
                    continue
                if value.unknown or value.flags & WRITTEN_OUTSIDE:
                    continue
                found = low - at[1][0], high - at[1][0]
                if found[0] < 0:
                    continue
                held, known = terminator_place(place), state.blocks[owner]
                state.blocks[owner] = known._replace(cells={**known.cells, held: intervals.clamped(found)})
                state.differences.forget(field_of(owner, *held))
                state.differences.same(field_of(owner, *held), term)
                state.differences.move(field_of(owner, *held), -at[1][0])

    # --- writes ------------------------------------------------------------------------------------------------------

    def kept_by(self, state: State, base: str, index: Expr | None, value: Interval) -> bool:
        """Whether a write of a character leaves the terminator that is known of the pointer."""
        if base not in self.names or not self.is_followed(state, base):
            return False
        if value == ZERO:
            return True
        known = self.of_pointer(state, base)
        return known is not None and (self._is_below(state, index, known) or self._is_above(state, index, known))

    def written(self, state: State, base: str, found: Found, index: Expr | None, value: Interval) -> None:
        """A character that leaves the terminator was written to a cell that is found."""
        if value == ZERO and any(one.place is None and one.key != ENVIRONMENT for one in found.accesses):
            return
        if value == ZERO:
            form, number = (None, ZERO) if index is None else (linear(state, index), evaluate(state, index))
            state.untest_into({one.key for one in found.accesses})
            self._found(state, base, form, number)
            return
        for one in found.accesses:
            state.forget_string_fields(one.key)
        for other in sorted(state.strings - {base}):
            if other in state.pointers and any(state.may_lead(other, one.key) for one in found.accesses):
                state.forget_terminator(other)
        state.untest_into({one.key for one in found.accesses})
        for one in found.accesses:
            self._rest(state, base, one.key, None if one.place is None else one.place[0])

    def _rest(self, state: State, base: str, key: Key, path: Path) -> None:
        """What is known of the arrays of a block, one of which has lost a zero that is not the terminator of a
        pointer."""
        pointer, term = state.pointers.get(base), terminator_of(base)
        block = state.blocks.get(key)
        if block is None or path is None or key == ENVIRONMENT:
            return
        at = None if pointer is None else pointer.targets.get((key, path))
        known = self.in_array(state, key, path)
        found: Interval = ANYWHERE
        single = self.single(pointer) if pointer is not None else None
        if known is not None and at is not None:
            place = field_of(key, path, TERMINATOR)
            if single is not None and at[1][0] == at[1][1]:
                one, other = state.bound(place, term), state.bound(term, place)
                if one <= at[1][0] and other <= -at[1][0]:
                    return
            own = intervals.plus(state.value(term), at[1])
            found = own if single is not None else intervals.join(known, own)
        block = state.blocks[key]
        state.differences.forget(field_of(key, path, TERMINATOR))
        state.blocks[key] = block._replace(
            cells={**block.cells, (path, TERMINATOR): intervals.clamped(found) if found[0] >= 0 else ANYWHERE}
        )


def _excludes(state: State, name: str, op: str, left: Expr, right: Expr) -> bool:
    """Whether a comparison does not hold where a variable is 0."""
    one, other = substituted(state, left), substituted(state, right)
    if name not in variables_of(one) and name not in variables_of(other):
        return False
    known = state.numbers[name]
    state.numbers[name] = ZERO
    found = intervals.compared(op, evaluate(state, one), evaluate(state, other))
    state.numbers[name] = known
    return found == FALSE
