"""Object types by path: what stands where in a block, as the concrete semantics lays it out.

layouts.type_at("table", ("*", "name"))        # the type of the part `name` of an element
layouts.scalar("node", 8, field)               # the scalar at byte 8, if it is like that field
"""

from __future__ import annotations

from functools import cached_property

from heapwright.engines.floor.domain.intervals import Interval
from heapwright.engines.floor.domain.pointers import ELEMENT, SOMEWHERE, START, Indices, Path
from heapwright.program.graph import Program
from heapwright.program.semantics.byte_memory.storage import alike
from heapwright.program.types import RECORD, Field, ObjectType, Part, ValueKind

OF_ENVIRONMENT = "="  # a path that starts so names the type of an object of the environment
CELLS = "[]"  # the name of the cells of an array, as of a field
TERMINATOR_OF = "terminator of "  # no name of a variable or a field: it has spaces
TERMINATOR = "terminator of []"  # beside the cells of an array of characters: where one of its zeroes is
Place = tuple[tuple[str, ...], str]  # a scalar: the path of its object, and its field


class Layouts:
    def __init__(self, program: Program) -> None:
        self.types = program.types
        self._at: dict[tuple[str, tuple[str, ...]], ObjectType | None] = {}
        self._offsets: dict[tuple[str, tuple[str, ...]], int | None] = {}
        self._texts: dict[tuple[str, tuple[str, ...]], bool] = {}
        self._scalars: dict[tuple[str, int, Field], Place | None] = {}
        self._fields = {name: {field.name: field for field in type.fields} for name, type in self.types.items()}

    def field(self, type: str, name: str) -> Field | None:
        return self._fields[type].get(name) if type in self._fields else None

    def type_at(self, root: str, path: tuple[str, ...]) -> ObjectType | None:
        """The type of the object at a path, None if there is none."""
        key = (root, path)
        if key not in self._at:
            self._at[key] = self._find(root, path)
        return self._at[key]

    def _find(self, root: str, path: tuple[str, ...]) -> ObjectType | None:
        if not path:
            return self.types.get(root)
        if path[0].startswith(OF_ENVIRONMENT):
            return self.type_at(path[0][1:], path[1:])
        owner = self.type_at(root, path[:-1])
        if owner is None:
            return None
        if path[-1] == ELEMENT:
            return None if owner.cells is None else self.types.get(owner.cells.object)
        part = owner.part(path[-1])
        return None if part is None else self.types.get(part.type)

    def offset(self, root: str, path: tuple[str, ...]) -> int | None:
        """The byte offset of an object in its block, of an element that of the first one; None if an element on the
        path to it is not the last step."""
        key = (root, path)
        if key not in self._offsets:
            self._offsets[key] = self._find_offset(root, path)
        return self._offsets[key]

    def _find_offset(self, root: str, path: tuple[str, ...]) -> int | None:
        if not path or path[0].startswith(OF_ENVIRONMENT):
            return 0 if len(path) < 2 else None
        if ELEMENT in path[:-1]:
            return None
        before = self.offset(root, path[:-1])
        if path[-1] == ELEMENT or before is None:
            return before
        part = self.part(root, path)
        return None if part is None else before + part.offset

    def part(self, root: str, path: tuple[str, ...]) -> Part | None:
        """The part that a path ends with."""
        owner = self.type_at(root, path[:-1])
        return None if owner is None else owner.part(path[-1])

    def is_text(self, root: str, path: tuple[str, ...]) -> bool:
        """Whether the object at a path is an array of characters that shares no byte with another."""
        key = (root, path)
        if key not in self._texts:
            owners = [self.type_at(root, path[:length]) for length in range(len(path))]
            here = self.type_at(root, path)
            plain = all(owner is not None and not owner.overlaps for owner in owners)
            self._texts[key] = plain and here is not None and here.cells is not None and is_character(here.cells.field)
        return self._texts[key]

    def texts(self, root: str, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
        """The paths of the arrays of characters in an object."""
        if self.is_text(root, path):
            return [path]
        here = self.type_at(root, path)
        if here is None or here.overlaps:
            return []
        steps = [part.name for part in here.parts]
        if here.cells is not None and here.cells.field is None:
            steps = [ELEMENT]
        return [found for step in steps for found in self.texts(root, (*path, step))]

    def first(self, root: str, path: tuple[str, ...]) -> tuple[Path, Indices]:
        """The position of an object; of an array of objects that of its first element."""
        type = self.type_at(root, path)
        if type is not None and type.cells is not None and type.cells.field is None:
            inner = self.types.get(type.cells.object)
            if inner is None or is_array_of_objects(inner):
                return SOMEWHERE, START
            return (*path, ELEMENT), START
        return path, START

    def count(self, root: str, path: tuple[str, ...], own: Interval, size: Interval) -> Interval:
        """The number of cells of the array at a path, in a block whose root has so many cells and that has so many
        bytes."""
        type = self.type_at(root, path)
        if type is None or type.cells is None:
            return 1, 1
        if path and path[0].startswith(OF_ENVIRONMENT) and len(path) == 1:
            return (type.cells.count or 1), (type.cells.count or size[1])
        if not path:
            return own
        part = None if path[-1] == ELEMENT else self.part(root, path)
        fixed = part.count if part is not None and part.count is not None else type.cells.count
        if fixed is not None:
            return fixed, fixed
        offset = self.offset(root, path)
        if offset is None or path[-1] == ELEMENT:
            return 0, max(0, size[1])
        stride = type.cells.stride
        return max(0, (size[0] - offset) // stride), max(0, (size[1] - offset) // stride)

    # --- objects and scalars at one address --------------------------------------------------------------------------

    def same_address(self, root: str, path: tuple[str, ...], type: str, first: bool) -> tuple[str, ...] | None:
        """The path of the object of that type with the address of another: an owner that it starts, or a part that
        starts it. `first`: the last element on the path is that of index 0."""
        current = path
        while True:
            here = self.type_at(root, current)
            if here is not None and here.name == type:
                return current
            if not current or current[-1].startswith(OF_ENVIRONMENT):
                break
            if current[-1] == ELEMENT:
                if not first or ELEMENT in current[:-1]:
                    break
            else:
                part = self.part(root, current)
                if part is None or part.offset != 0:
                    break
            current = current[:-1]
        return self._starting_with(root, current, type)

    def _starting_with(self, root: str, path: tuple[str, ...], type: str) -> tuple[str, ...] | None:
        here = self.type_at(root, path)
        if here is None:
            return None
        if here.name == type:
            return path
        inner = [(*path, part.name) for part in here.parts if part.offset == 0]
        if here.cells is not None and here.cells.field is None:
            inner.append((*path, ELEMENT))
        for one in inner:
            found = self._starting_with(root, one, type)
            if found is not None:
                return found
        return None

    def scalar(self, type: str, offset: int, wanted: Field) -> Place | None:
        """The scalar at a byte of an object of a type that has no arrays of objects on the way, or of its parts."""
        key = (type, offset, wanted)
        if key not in self._scalars:
            self._scalars[key] = self._find_scalar(type, offset, wanted)
        return self._scalars[key]

    def _find_scalar(self, type: str, offset: int, wanted: Field) -> Place | None:
        here = self.types.get(type)
        if here is None or here.cells is not None:
            return None
        fields = [field for field in here.fields if field.offset == offset]
        for field in sorted(fields, key=lambda known: known != wanted):
            if alike(field, wanted):
                return (), field.name
        for part in here.parts:
            if part.offset <= offset:
                found = self.scalar(part.type, offset - part.offset, wanted)
                if found is not None:
                    return (part.name, *found[0]), found[1]
        return None

    # --- blocks without a type ---------------------------------------------------------------------------------------

    @cached_property
    def _arrays(self) -> dict[str | tuple[ValueKind, int], ObjectType]:
        """The arrays of no fixed count, by the type of their elements or the kind and size of their cells."""
        found: dict[str | tuple[ValueKind, int], ObjectType] = {}
        for type in self.types.values():
            if type.cells is not None and type.cells.count is None:
                cell = type.cells.field
                found.setdefault(type.cells.object if cell is None else (cell.kind, cell.size), type)
        return found

    def first_use(self, wanted: str, size: Interval) -> tuple[str, Interval] | None:
        """The type and the count that a block without a type gets by its first use; None if its size leaves it open."""
        type = self.types.get(wanted)
        if type is None:
            return None
        if type.cells is not None:
            if type.cells.count is not None:
                return wanted, (type.cells.count, type.cells.count)
            return wanted, (size[0] // type.cells.stride, size[1] // type.cells.stride)
        if not type.size or size[1] < 2 * type.size:
            return wanted, (1, 1)
        array = self._arrays.get(wanted)
        if array is None and len(type.fields) == 1 and not type.parts:
            array = self._arrays.get((type.fields[0].kind, type.fields[0].size))
        if array is None or array.cells is None:
            return wanted, (1, 1)
        if size[0] < 2 * type.size:
            return None
        return array.name, (size[0] // array.cells.stride, size[1] // array.cells.stride)


def is_other_activation(there: str | None, wanted: str) -> bool:
    """Whether an access would be to the activation record of another function than the one that returns. Records are
    pushed and popped by calls alone, so that none is."""
    return there is not None and there.startswith(RECORD) and wanted.startswith(RECORD) and there != wanted


def is_character(field: Field | None) -> bool:
    return field is not None and field.kind is ValueKind.DATA and field.size == 1


def is_array_of_objects(type: ObjectType) -> bool:
    return type.cells is not None and type.cells.field is None


def stride(type: ObjectType) -> int:
    return type.cells.stride if type.cells is not None else max(type.size, 1)
