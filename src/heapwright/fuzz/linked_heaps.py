"""Heaps of a run of two files as heaps of the program that has only one of them.

A variable that is a block in one program may be a plain variable in the other, since the hidden file decides which
addresses are used. What only the hidden file knows is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from heapwright.fuzz.generators.two_files import HIDDEN
from heapwright.program.commands import New
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import ANY_ADDRESS, UNDECIDED_ADDRESS, Address, HeapObject, Snapshot
from heapwright.program.types import ObjectType, Storage, ValueKind

Value = Address | int | None


def visible_heap(heap: Snapshot, whole: Program, visible: Program, entry: str) -> Snapshot | None:
    """The heap for the visible file alone; None if the two programs lay out its objects in different ways, or if it
    leads to memory of the hidden file. `entry` is the function at which the visible program begins, as the whole one
    calls it."""
    moved = _Moved(heap, whole, visible, f"{entry}::")
    pointers: dict[str, Address] = {}
    data: dict[str, int | None] = {}
    for name, variable in visible.variables.items():
        value = None if variable.temporary else moved.value(name)
        if variable.kind is ValueKind.POINTER:
            pointers[name] = value if isinstance(value, Address) else ANY_ADDRESS
        else:
            data[name] = value if isinstance(value, int) else None
    names = {one.type for one in moved.objects.values()}
    if moved.leads_out or any(whole.types.get(name) != visible.types.get(name) for name in names):
        return None
    return Snapshot(pointers, data, moved.objects)


class _Moved:
    """The objects of a heap that the visible file can know, and the values of its variables."""

    def __init__(self, heap: Snapshot, whole: Program, visible: Program, prefix: str) -> None:
        self.heap, self.visible, self.prefix = heap, visible, prefix
        self.named: Mapping[str, Value] = {**heap.pointers, **heap.data}
        self.leads_out = False
        self.functions = {heap.pointers[name].object for name in visible.variables if name in heap.pointers}
        self.gone = {number for number, one in heap.objects.items() if self._hidden(number, one)}
        self.objects = {n: self._moved(one) for n, one in heap.objects.items() if n not in self.gone}

    def _hidden(self, number: int, one: HeapObject) -> bool:
        """Whether an object belongs to the hidden file; heap blocks of a hidden caller are inputs."""
        if one.type == "function":
            return number not in self.functions
        if one.allocated is None or one.allocated.file != HIDDEN:
            return False
        return not (self.visible.entry.any_heap and one.storage is Storage.HEAP)

    def _moved(self, one: HeapObject) -> HeapObject:
        pointers = {name: self._address(address) for name, address in one.pointers.items()}
        cells = {index: self._address(cell) if isinstance(cell, Address) else cell for index, cell in one.cells.items()}
        moved = replace(one, pointers=pointers, cells=cells)
        if one.type != "function" and one.allocated is not None and one.allocated.file == HIDDEN:
            return replace(moved, allocated=None, start=UNDECIDED_ADDRESS)
        return moved

    def _address(self, address: Address) -> Address:
        self.leads_out = self.leads_out or address.object in self.gone
        return address

    # --- variables ---------------------------------------------------------------------------------------------------

    def value(self, name: str) -> Value:
        """The value of a variable of the visible program; None if it is not known."""
        bare = name.removeprefix("&")
        found = self._named(name[: len(name) - len(bare)], bare)
        if found is None and name != bare:
            found = self._boxed(name, bare)
        elif found is None:
            variable, _, field = bare.partition(".")
            found = self._field(self._named("&", variable), field)
        return self._address(found) if isinstance(found, Address) else found

    def _named(self, mark: str, bare: str) -> Value:
        longer = f"{mark}{self.prefix}{bare}"
        return self.named[longer] if longer in self.named else self.named.get(mark + bare)

    def _field(self, base: Value, field: str) -> Value:
        """The content of a block that is a plain variable in the visible program."""
        one = self.heap.objects.get(base.object) if isinstance(base, Address) else None
        if one is None:
            return None
        values: Mapping[str, Value] = {**one.pointers, **one.data}
        return values.get(field) if field else next(iter(values.values()), None) if len(values) == 1 else None

    def _boxed(self, name: str, bare: str) -> Address | None:
        """A block for what is a plain variable in the whole program."""
        variable = self.visible.variables[name]
        type = self.visible.types.get(variable.target)
        made = [
            edge for edge in self.visible.graph.edges if isinstance(edge.command, New) and edge.command.target == name
        ]
        if type is None or type.parts or type.cells is not None or not made:
            return None
        pointers, data = self._contents(type, bare)
        if any(value is None for value in pointers.values()):
            return None
        number = 1 + max([*self.objects, *self.heap.objects], default=0)
        command = made[0].command
        assert isinstance(command, New)
        self.objects[number] = HeapObject(
            type.name,
            command.storage,
            "live",
            {field: value for field, value in pointers.items() if value is not None},
            data,
            root=number,
            allocated=made[0].span,
        )
        return Address(number)

    def _contents(self, type: ObjectType, bare: str) -> tuple[dict[str, Address | None], dict[str, int | None]]:
        pointers: dict[str, Address | None] = {}
        data: dict[str, int | None] = {}
        for field in type.fields:
            value = self._named("", bare) if len(type.fields) == 1 else self._named("", f"{bare}.{field.name}")
            if field.kind is ValueKind.POINTER:
                pointers[field.name] = self._address(value) if isinstance(value, Address) else None
            else:
                data[field.name] = value if isinstance(value, int) else None
        return pointers, data
