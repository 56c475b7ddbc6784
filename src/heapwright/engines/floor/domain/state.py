"""Abstract states: the values of variables, the blocks that may exist, and bounds of differences.

A block is an abstract one: the most recent of an allocation site, all older ones, or those whose lifetime has ended;
the environment is one block. What is said of a block holds if it exists: a block of one state alone is in the join as
it is. A dead integer or temporary has no value in a state, and a variable of the source without a value is junk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from heapwright.base.immutable import EMPTY
from heapwright.engines.floor.domain import intervals, pointers
from heapwright.engines.floor.domain.blocks import (
    ANYTHING,
    ARGUMENTS,
    EXTERNAL,
    INITIAL_POINTERS,
    OUTSIDE,
    PROTECTED,
    Block,
    Value,
    joined_block,
)
from heapwright.engines.floor.domain.differences import Differences, Term, field_of, owner_of
from heapwright.engines.floor.domain.intervals import ANYWHERE, FAR, Interval
from heapwright.engines.floor.domain.layouts import CELLS, TERMINATOR, Place
from heapwright.engines.floor.domain.paged_map import Page, PagedMap
from heapwright.engines.floor.domain.pointers import (
    ANY_POINTER,
    ELEMENT,
    ENVIRONMENT,
    GONE,
    OLDER,
    RECENT,
    WRITTEN_OUTSIDE,
    Key,
    Pointer,
    kind_of,
)
from heapwright.engines.floor.domain.same_blocks import SameBlocks
from heapwright.engines.floor.domain.terms_of_strings import (
    terminator_of,
    terminator_place,
    tested_place_of,
    whole_string,
)
from heapwright.program.expressions import Expr, variables_of

PAGE = 10  # as many bits of the key of a block are its place in a page: those of about 250 edges


def page_of_block(key: Key) -> int:
    return key >> PAGE


class State:
    """`definitions` are the expressions that variables were computed by, while no variable in them has changed;
    `paging` has the page of each variable. `strings` are the pointers with a terminator, and `tested` has the pointers
    from which characters were loaded that are still in memory as they were (`transform/terminators.py`)."""

    __slots__ = (
        "blocks",
        "definitions",
        "differences",
        "escaped",
        "nonzero",
        "numbers",
        "paging",
        "pointers",
        "same_blocks",
        "strings",
        "tested",
    )

    def __init__(self, paging: Mapping[str, int]) -> None:
        self.paging = paging
        self.numbers: PagedMap[str, Interval] = PagedMap(paging.get)
        self.pointers: PagedMap[str, Pointer] = PagedMap(paging.get)
        self.blocks: PagedMap[Key, Block] = PagedMap(page_of_block)
        self.differences = Differences()
        self.definitions: dict[str, Expr] = {}
        self.escaped: frozenset[Key] = frozenset()  # to the environment
        self.same_blocks = SameBlocks()
        self.nonzero: frozenset[str] = frozenset()  # variables that are not 0, although 0 is in their interval
        self.strings: frozenset[str] = frozenset()
        self.tested: dict[str, str] = {}

    def copy(self) -> State:
        twin = State.__new__(State)
        twin.paging = self.paging
        twin.numbers, twin.pointers = self.numbers.copy(), self.pointers.copy()
        twin.blocks, twin.differences = self.blocks.copy(), self.differences.copy()
        twin.definitions, twin.escaped = self.definitions.copy(), self.escaped
        twin.same_blocks, twin.nonzero = self.same_blocks.copy(), self.nonzero
        twin.strings, twin.tested = self.strings, self.tested.copy()
        return twin

    def lend(self) -> None:
        """Lets others share pages."""
        self.numbers.lend()
        self.pointers.lend()
        self.blocks.lend()

    def same(self, other: State) -> bool:
        return (
            self.numbers == other.numbers
            and self.pointers == other.pointers
            and self.blocks == other.blocks
            and self.escaped == other.escaped
            and self.definitions == other.definitions
            and self.differences == other.differences
            and self.same_blocks == other.same_blocks
            and self.nonzero == other.nonzero
            and self.strings == other.strings
            and self.tested == other.tested
        )

    def defines(self, name: str) -> bool:
        """Whether another variable is defined by a variable."""
        return any(name in variables_of(expr) for expr in self.definitions.values())

    # --- terms -------------------------------------------------------------------------------------------------------

    def value(self, term: Term) -> Interval:
        if isinstance(term, str):
            return self.numbers.get(term, ANYWHERE)
        if term[0] == "@":
            return self._index(str(term[1]))
        block = self.blocks.get(term[1])  # type: ignore[call-overload]  # the owner of all others is a block
        if block is None:
            return ANYWHERE
        if term[0] == "c":
            found: Interval = block.number(term[2:], ANYWHERE)
            return found
        size: Interval = block.length if term[0] == "#" else block.size
        return size

    def _index(self, name: str) -> Interval:
        """The index of a pointer: of the element that it points to, else inside of the object."""
        pointer = self.pointers.get(name)
        if pointer is None or pointer.unknown or not pointer.targets:
            return ANYWHERE
        low, high = FAR, -FAR
        for (_, path), at in pointer.targets.items():
            if path is None:
                return ANYWHERE
            index = at[active(path)]
            low, high = min(low, index[0]), max(high, index[1])
        return low, high

    def narrow_field(self, term: Term, value: Interval) -> None:
        """A field has a value of an interval."""
        key, place = term[1], term[2:]
        block = self.blocks.get(key)  # type: ignore[call-overload]  # the owner of a field is a block
        if block is not None:
            known = block.number(place, ANYWHERE)
            cells = {**block.cells, place: intervals.meet(known, value) or known}
            self.blocks[key] = block._replace(cells=cells)  # type: ignore[index]  # as above

    def exists(self, term: Term) -> bool:
        """Whether a term may exist."""
        return isinstance(term, str) or term[0] == "@" or term[1] in self.blocks  # type: ignore[operator]  # a block

    def bound(self, left: Term, right: Term) -> int:
        """An upper bound of `left - right`, FAR if there is none."""
        high = self.value(left)[1] - self.value(right)[0]
        if left not in self.differences.below:
            return min(high, FAR)
        low = self.value(right)[0]
        for term, distance in self.differences.paths(left, owner_of(right)).items():
            if term == right:
                high = min(high, distance)
            elif isinstance(term, str) or owner_of(term) in (owner_of(left), owner_of(right)):
                high = min(high, distance + self.value(term)[1] - low)
        return min(high, FAR)

    # --- blocks ------------------------------------------------------------------------------------------------------

    def rename(self, old: Key, new: Key, *, also: bool = False) -> None:
        """Pointers into one block point into another; `also`: or still into the first."""
        for name, pointer in pointers_into(self.pointers, old):
            moved = pointer.renamed(old, new, also=also)
            if moved is not pointer:
                self.pointers[name] = moved
        for key, block in blocks_into(self.blocks, old):
            changed: dict[Place, Value] = {}
            for place, value in block.cells.items():
                if isinstance(value, Pointer) and value.targets:
                    moved = value.renamed(old, new, also=also)
                    if moved is not value:
                        changed[place] = moved
            if changed:
                self.blocks[key] = block._replace(cells={**block.cells, **changed})
        if old in self.escaped:
            self.escaped |= {new}

    def forget_block(self, key: Key) -> None:
        """Drops the bounds of all terms of a block."""
        differences = self.differences
        for term in [term for term in (*differences.below, *differences.above) if owner_of(term) == key]:
            differences.forget(term)

    def age(self, site: int) -> None:
        """The most recent block of a site becomes one of the older ones."""
        new = pointers.recent(site)
        block = self.blocks.pop(new, None)
        if block is None:
            return
        older = new + OLDER - RECENT
        self.forget_block(new)
        known = self.blocks.get(older)
        whole = block if known is None else joined_block(known, block)
        self.blocks[older] = whole._replace(single=known is None or not self.is_referred_to(older))
        self.same_blocks.drop_cells(new)
        self.rename(new, older)

    def is_referred_to(self, key: Key) -> bool:
        """Whether a pointer with known targets may lead to a block."""
        if any(key in pointer.blocks() for _, pointer in pointers_into(self.pointers, key)):
            return True
        held = (value for _, block in blocks_into(self.blocks, key) for value in block.cells.values())
        return any(isinstance(value, Pointer) and key in value.blocks() for value in held)

    def is_one(self, key: Key) -> bool:
        """Whether all pointers with known targets that lead to an abstract block lead to the same concrete one."""
        return kind_of(key) == RECENT or (kind_of(key) == OLDER and self.blocks[key].single)

    def end(self, key: Key, *, surely: bool) -> None:
        """Blocks end; `surely`: all that the key stands for, else perhaps some of them."""
        ended = pointers.gone(key)
        self.same_blocks.drop_objects(key)
        if ended not in self.blocks:
            self.blocks[ended] = Block(None, ANYWHERE, ANYWHERE, ANYTHING)
        if surely:
            self.forget_block(key)
            if kind_of(key) == RECENT:
                self.blocks.pop(key, None)
        self.rename(key, ended, also=not surely)
        if key == ENVIRONMENT:
            self.hold_outside(Pointer(0, {(ended, None): pointers.LOST}))  # its fields are read when they are needed

    def havoc_block(self, key: Key, initial: int = ANYTHING) -> None:
        """The contents of a block may be anything; or what the environment writes."""
        block = self.blocks[key]
        self.same_blocks.drop_objects(key)
        self.forget_strings(key)
        if kind_of(key) != GONE and block.protected != PROTECTED:
            kept = block.initial & ANYTHING | initial
            if block.cells or block.initial != kept:
                self.blocks[key] = block._replace(cells=EMPTY, initial=kept)
            self.forget_fields(key)

    def forget_fields(self, key: Key) -> None:
        """Drops the bounds of the fields of a block."""
        differences = self.differences
        fields = [one for one in (*differences.below, *differences.above) if owner_of(one) == key and one[0] == "c"]
        for term in fields:
            differences.forget(term)

    # --- terminators of strings --------------------------------------------------------------------------------------

    def may_lead(self, name: str, key: Key) -> bool:
        pointer = self.pointers.get(name)
        return pointer is None or pointer.unknown or any(target == key for target, _ in pointer.targets)

    def forget_strings(self, key: Key) -> None:
        """The cells of a block are written."""
        if self.strings:
            for name in sorted(name for name in self.strings if name in self.pointers and self.may_lead(name, key)):
                self.forget_terminator(name)
        self.untest_into({key})
        self.forget_string_fields(key)

    def forget_string_fields(self, key: Key) -> None:
        """The same for pointers in fields."""
        for owner, block in blocks_into(self.blocks, key):
            changed: dict[Place, Value] = {}
            for place, value in block.cells.items():
                held = terminator_place(place)
                if isinstance(value, Pointer) and held in block.cells and key in value.blocks():
                    changed[held] = ANYWHERE
                    self.differences.forget(field_of(owner, *held))
            if changed:
                self.blocks[owner] = block._replace(cells={**block.cells, **changed})

    def forget_terminator(self, name: str) -> None:
        """A pointer changes, or what it leads to."""
        if name in self.strings:
            self.strings -= {name, whole_string(name)}
            self.differences.forget(terminator_of(name))
            self.numbers.pop(terminator_of(name), None)
        self.untest_all(name)

    def leave_pointer(self, name: str) -> None:
        """A pointer has no reader any more; its terminator has while a character is tested that was loaded from it."""
        if name not in self.tested.values():
            self.forget_terminator(name)

    def forget_terminators(self, key: Key) -> None:
        """Some cells of a block are overwritten by others."""
        block = self.blocks[key]
        paths = sorted({path for path, name in block.cells if name in (CELLS, TERMINATOR)})
        if paths:
            cells = {**block.cells, **{(path, TERMINATOR): ANYWHERE for path in paths}}
            self.blocks[key] = block._replace(cells=cells)
            for path in paths:
                self.differences.forget(field_of(key, path, TERMINATOR))
        self.forget_strings(key)

    def untest(self, number: str) -> None:
        base = self.tested.pop(number, None)
        if base is not None:
            self.differences.forget(tested_place_of(number))
            self.numbers.pop(tested_place_of(number), None)
            if base not in self.pointers and base not in self.tested.values():
                self.forget_terminator(base)

    def untest_all(self, pointer: str) -> None:
        for number in [number for number, base in self.tested.items() if base == pointer]:
            self.untest(number)

    def untest_into(self, keys: set[Key]) -> None:
        """Characters of some blocks change."""
        for number, base in list(self.tested.items()):
            if any(self.may_lead(base, key) for key in keys):
                self.untest(number)

    def reachable(self, roots: Iterable[Pointer]) -> set[Key]:
        """The blocks that may be reached from pointers, through cells of blocks; all if one of them is unknown."""
        found: set[Key] = set()
        waiting = list(roots)
        while waiting:
            pointer = waiting.pop()
            if pointer.unknown:
                return set(self.blocks)
            outside = {ENVIRONMENT} if pointer.flags & WRITTEN_OUTSIDE else set()
            for key in (pointer.blocks() | outside) - found:
                found.add(key)
                block = self.blocks.get(key)
                if block is None or kind_of(key) == GONE:
                    continue
                waiting += [value for value in block.cells.values() if isinstance(value, Pointer)]
                if block.initial & ANYTHING:
                    waiting.append(ANY_POINTER)
                if block.initial & (EXTERNAL | ARGUMENTS):
                    waiting.append(INITIAL_POINTERS[EXTERNAL])
        return found

    # --- the environment ---------------------------------------------------------------------------------------------

    def outside(self) -> Pointer:
        """The pointers that memory of the environment may hold, beside those to such memory."""
        return self.blocks[ENVIRONMENT].pointer(OUTSIDE)

    def hold_outside(self, pointer: Pointer) -> None:
        """The environment gets to know a pointer."""
        block = self.blocks[ENVIRONMENT]
        self.blocks[ENVIRONMENT] = block._replace(cells={OUTSIDE: pointers.join(self.outside(), pointer)})


def pointers_into(variables: PagedMap[str, Pointer], key: Key) -> list[tuple[str, Pointer]]:
    """The entries of all pages in which some pointer may lead to a block."""
    found: list[tuple[str, Pointer]] = []
    for page in variables.pages.values():
        if page.leads_to is None:
            page.leads_to = frozenset(target for pointer in page.values() for target, _ in pointer.targets)
        if key in page.leads_to:
            found += page.items()
    return found


def blocks_into(blocks: PagedMap[Key, Block], key: Key) -> list[tuple[Key, Block]]:
    """The same of blocks, by the pointers in their cells."""
    found: list[tuple[Key, Block]] = []
    for page in blocks.pages.values():
        if page.leads_to is None:
            page.leads_to = _targets(page)
        if key in page.leads_to:
            found += page.items()
    return found


def _targets(page: Page[Key, Block]) -> frozenset[Key]:
    held = (value for block in page.values() for value in block.cells.values() if isinstance(value, Pointer))
    return frozenset(target for pointer in held for target, _ in pointer.targets)


def active(path: tuple[str, ...]) -> int:
    """Which of the two indices of a position moves with the pointer."""
    return 0 if path and path[-1] == ELEMENT else 1
