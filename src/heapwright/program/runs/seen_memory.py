"""Visible memory during a run, and its changes at each step.

Memory is cells: (object, field) pairs with a value. Object 0 holds the variables of functions that have not returned;
the other objects are the live heap blocks, and whatever variables and blocks lead to.

    memory.changes(state, records=[], kept=frozenset())  # since the last call
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from heapwright.base.source import Span
from heapwright.program.explanation.failed_checks import Names
from heapwright.program.explanation.state_pictures import data_in, pointers_in
from heapwright.program.graph import Program
from heapwright.program.heap_picture import field_label, type_label
from heapwright.program.semantics.objects import (
    FREED,
    LEFT,
    NULL,
    OUTSIDE,
    UNREAD,
    MemoryObject,
    PointerValue,
    Symbol,
    index_of,
    is_pointer,
    object_of,
)
from heapwright.program.semantics.state import State
from heapwright.program.types import Storage, ValueKind

STATE, TYPE, NAME = "(state)", "(type)", "(name)"  # fields of every object, beside those of its type


class Target(NamedTuple):
    """The value of a pointer: an object, and a position in it."""

    object: int
    position: int = 0


Value = str | Target
Contents = dict[str, Value]


class Change(NamedTuple):
    """A cell and its values before and after a step; None: there is no such cell."""

    object: int
    field: str
    old: Value | None
    new: Value | None


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of an object, and its storage."""

    allocated: Span | None
    storage: str


@dataclass
class SeenMemory:
    """The cells that can be seen, kept from step to step: variables of functions that have not returned, live heap
    blocks, and whatever these lead to."""

    program: Program
    names: Names

    def __post_init__(self) -> None:
        self._cells: dict[int, Contents] = {}  # by object; what is seen
        self._hidden: dict[int, Contents] = {}  # contents of objects that nothing leads to
        self._references: dict[int, int] = {}
        self._roots: set[int] = set()
        self._origins: dict[int, Origin] = {}
        self._seen: set[int] = set()
        self._before: State | None = None
        self._known: dict[tuple[str, str], int] = {}  # (function, name): the variable that was written last
        self._slots = {name: slot for slot, name in enumerate(self.program.variables)}
        self._variables = tuple(self.program.variables.values())

    def step(self, written: str | None, functions: frozenset[str]) -> None:
        """After a command: the variable that it wrote, and the functions that have not returned."""
        gone = [key for key in self._known if key[0] and key[0] not in functions]
        for key in gone:
            del self._known[key]
        variable = self.program.variables.get(written or "")
        if variable is not None and not variable.temporary and " " not in variable.source_name:
            self._known[variable.function, variable.source_name] = self._slots[variable.name]

    def changes(self, state: State, records: Sequence[int], kept: frozenset[int]) -> tuple[Change, ...]:
        """The changes since the last call. Activation records and `kept` objects are seen; objects that have just ended
        are seen once more."""
        twin = state.copy()
        old: dict[int, Contents] = {}
        self._set(0, self._variables_of(state), old)
        roots = set(records) | kept | {0}
        for number in self._changed(state):
            obj = state.objects[number]
            block = state.blocks[obj.block]
            self._origins[number] = Origin(block.allocated if block.allocated.line else None, block.storage.value)
            if block.storage is Storage.HEAP and block.root == number and block.status < FREED:
                self._roots.add(number)
                roots.add(number)
            elif number in self._roots:
                self._roots.discard(number)
                roots.add(number)  # seen once more
            self._set(number, self._contents(state, obj, number), old)
        self._show(roots, old)
        self._before = twin
        return tuple(self._differences(old))

    def _changed(self, state: State) -> list[int]:
        before = self._before
        if before is None:
            return list(state.objects)
        blocks = {key for key, block in state.blocks.items() if before.blocks.get(key) is not block}
        objects = before.objects
        return [n for n, obj in state.objects.items() if objects.get(n) is not obj or obj.block in blocks]

    # --- what is seen ------------------------------------------------------------------------------------------------

    def _set(self, number: int, contents: Contents, old: dict[int, Contents]) -> None:
        """The contents of an object, seen or hidden."""
        if number in self._cells:
            old.setdefault(number, self._cells[number])
            self._count(self._cells[number], -1)
            self._count(contents, 1)
            self._cells[number] = contents
        else:
            self._hidden[number] = contents

    def _count(self, contents: Contents, step: int) -> None:
        for value in contents.values():
            if isinstance(value, Target):
                self._references[value.object] = self._references.get(value.object, 0) + step

    def _show(self, roots: set[int], old: dict[int, Contents]) -> None:
        """Shows new roots and what they lead to; hides what nothing leads to any more."""
        waiting = list(roots)
        while waiting:
            number = waiting.pop()
            contents = self._hidden.pop(number, None)
            if contents is not None:
                old.setdefault(number, {})
                self._cells[number] = contents
                self._count(contents, 1)
                waiting += [value.object for value in contents.values() if isinstance(value, Target)]
            elif number == 0 or number in old:
                targets = (v.object for v in self._cells.get(number, {}).values() if isinstance(v, Target))
                waiting += [target for target in targets if target in self._hidden]
        waiting = [n for n in old if n in self._cells]
        waiting += [v.object for contents in old.values() for v in contents.values() if isinstance(v, Target)]
        while waiting:
            number = waiting.pop()
            if number in roots or number in self._roots or self._references.get(number, 0) > 0:
                continue
            if number not in self._cells:
                continue
            contents = self._cells.pop(number)
            old.setdefault(number, contents)
            self._hidden[number] = contents
            self._count(contents, -1)
            waiting += [value.object for value in contents.values() if isinstance(value, Target)]

    @property
    def origins(self) -> Mapping[int, Origin]:
        """Of the objects that were seen."""
        return {self.names.number(number): self._origins[number] for number in sorted(self._seen)}

    def _differences(self, old: dict[int, Contents]) -> Iterator[Change]:
        for number, before in old.items():
            now = self._cells.get(number, {})
            shown = self.names.number(number) if number else 0
            self._seen.update((number,) if number else ())
            for name in (*before, *(name for name in now if name not in before)):
                if before.get(name) != now.get(name):
                    yield Change(shown, name, self._told(before.get(name)), self._told(now.get(name)))

    def _told(self, value: Value | None) -> Value | None:
        return value._replace(object=self.names.number(value.object)) if isinstance(value, Target) else value

    # --- contents ----------------------------------------------------------------------------------------------------

    def _variables_of(self, state: State) -> Contents:
        found: Contents = {}
        for (function, name), slot in self._known.items():
            value, variable = state.vars[slot], self._variables[slot]
            shown = f"{function}:{name}" if function else name
            if variable.kind is ValueKind.POINTER:
                if value == NULL or is_pointer(value):
                    found[shown] = self._pointer(value)
            elif isinstance(value, int | Symbol):
                found[shown] = self.names.data(state, value, variable.type)
        return found

    def _contents(self, state: State, obj: MemoryObject, number: int) -> Contents:
        block = state.blocks[obj.block]
        status = "outside" if obj.status == OUTSIDE else {FREED: "freed", LEFT: "ended"}.get(block.status, "live")
        found: Contents = {STATE: status, TYPE: type_label(obj.layout.name)}
        if obj.count is not None and not obj.layout.name.endswith("]"):
            found[TYPE] = f"{found[TYPE]}[{obj.count}]"
        if block.name and block.root == number and " " not in block.name:
            found[NAME] = block.name
        if status != "live":
            return found
        unset = "any value" if block.input else "uninitialised"
        rows: Contents = {one.name: unset for one in obj.layout.fields}
        rows |= data_in(obj, state, self.names)
        pointers = {field_label(name): self._pointer(value) for name, value in pointers_in(obj)}
        rows = {field_label(name): value for name, value in rows.items()} | pointers
        return found | rows

    def _pointer(self, pointer: PointerValue) -> Value:
        if pointer == NULL:
            return "null"
        if not is_pointer(pointer):
            return "any value" if pointer == UNREAD else "uninitialised"
        return Target(object_of(pointer), index_of(pointer))
