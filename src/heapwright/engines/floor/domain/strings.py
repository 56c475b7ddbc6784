"""Arrays of characters and the pointers into them: what is known of their terminators (`transform/terminators.py`).

strings.of_pointer(state, "text")      # the variable that is the distance from `text` to a zero, if one is known
"""

from __future__ import annotations

from heapwright.engines.floor.domain import intervals
from heapwright.engines.floor.domain.differences import Term, field_of, index_of
from heapwright.engines.floor.domain.intervals import Interval
from heapwright.engines.floor.domain.layouts import TERMINATOR, Layouts, is_character
from heapwright.engines.floor.domain.pointers import ELEMENT, ENVIRONMENT, GONE, RECENT, Key, Path, Pointer, kind_of
from heapwright.engines.floor.domain.state import State
from heapwright.engines.floor.domain.terms_of_strings import terminator_of
from heapwright.program.graph import Program
from heapwright.program.types import ValueKind


class Strings:
    """`names` are the pointers to characters."""

    def __init__(self, program: Program, layouts: Layouts) -> None:
        self.layouts = layouts
        types = program.types
        characters = {
            name
            for name, type in types.items()
            if is_character(type.cells.field if type.cells is not None else None)
            or (len(type.fields) == 1 and not type.parts and is_character(type.fields[0]))
        }
        self.names = frozenset(
            one.name for one in program.variables.values() if one.kind is ValueKind.POINTER and one.target in characters
        )

    # --- arrays ------------------------------------------------------------------------------------------------------

    def in_array(self, state: State, key: Key, path: Path) -> Interval | None:
        """The positions of a terminator in the array at a path, in each block that the key stands for."""
        block = state.blocks.get(key)
        if block is None or path is None or key == ENVIRONMENT or kind_of(key) == GONE:
            return None
        if not block.type or not block.fits or not self.layouts.is_text(block.type, path):
            return None
        found = block.cells.get((path, TERMINATOR))
        return found if isinstance(found, tuple) and found[0] >= 0 else None

    # --- pointers ----------------------------------------------------------------------------------------------------

    def of_pointer(self, state: State, name: str) -> str | None:
        """The variable that is the distance from a pointer to a terminator."""
        if name in state.strings:
            return terminator_of(name)
        pointer = state.pointers.get(name)
        if name not in self.names or pointer is None or pointer.unknown or not pointer.targets:
            return None
        whole: Interval | None = None
        for (key, path), at in pointer.targets.items():
            known = self.in_array(state, key, path)
            if known is None:
                return None
            one = known[0] - at[1][1], known[1] - at[1][0]
            whole = one if whole is None else intervals.join(whole, one)
        assert whole is not None
        return self._derived(state, name, pointer, whole)

    def _derived(self, state: State, name: str, pointer: Pointer, whole: Interval) -> str | None:
        single = self.single(pointer)
        term: Term = terminator_of(name)
        if single is None:
            if whole[0] < 0:
                return None
            self.begin(state, name, whole)
            return terminator_of(name)
        key, path, at = single
        place = field_of(key, path, TERMINATOR)
        if at[0] == at[1]:
            self.begin(state, name, whole)
            state.differences.same(term, place)
            state.differences.move(term, -at[0])
            return terminator_of(name)
        behind = -state.bound(index_of(name), place)
        if max(behind, whole[0]) < 0:
            return None
        self.begin(state, name, (max(behind, whole[0]), whole[1]))
        return terminator_of(name)

    def begin(self, state: State, name: str, value: Interval) -> None:
        state.differences.forget(terminator_of(name))
        state.numbers[terminator_of(name)] = intervals.clamped(value)
        state.strings |= {name}

    def single(self, pointer: Pointer) -> tuple[Key, tuple[str, ...], Interval] | None:
        """The only array that a pointer leads to, if that is one in a most recent block, and its index there."""
        key = pointer.only()
        if key is None or len(pointer.targets) != 1 or kind_of(key) != RECENT:
            return None
        (((_, path), at),) = pointer.targets.items()
        return None if path is None or ELEMENT in path else (key, path, at[1])

    def is_followed(self, state: State, base: str) -> bool:
        """Whether a pointer leads to arrays of characters alone that share no byte with others."""
        pointer = state.pointers.get(base)
        return (
            pointer is not None
            and not pointer.unknown
            and all(
                key == ENVIRONMENT or (path is not None and self.layouts.is_text(state.blocks[key].type or "", path))
                for key, path in pointer.targets
            )
        )

    def same_place(self, state: State, one: str, other: str) -> bool:
        """Whether two pointers that lead into one block are equal."""
        first, second = state.pointers.get(one), state.pointers.get(other)
        if first is None or second is None or first.unknown or second.unknown:
            return False
        paths = {path for _, path in (*first.targets, *second.targets)}
        if len(paths) != 1 or None in paths or any(ELEMENT in (path or ()) for path in paths):
            return False
        below, above = (getattr(state.differences, side).get(index_of(one), {}) for side in ("below", "above"))
        if below.get(index_of(other)) == 0 == above.get(index_of(other)):
            return True
        if ENVIRONMENT in first.blocks() | second.blocks():
            return False
        places = {at[1] for pointer in (first, second) for at in pointer.targets.values()}
        return len(places) == 1 and all(low == high for low, high in places)
