"""Offsets of pointers in their blocks, from the types that they are declared with.

A node is a whole block, with all its parts; their fields are fields of the node, under a longer name. A pointer to a
`list_head` that leads to a block of type `item` means the part of that type, so that address arithmetic within a block
leaves a pointer as it is. Where a block has several parts of a type, as a tree whose `&t->left` and `&t->right` are
taken, flags of the pointer tell its offset (`choices`). Where neither determines the offset, or a cast leads to another
one, the engine gives up.

    offsets.within("item", "list_head")     # 8
    offsets.field("item", "list_head", "next")   # "link.next"
    offsets.choices     # {"at": (8, 16)}

`container_of` applied to what is no such part gives an address beside the block: the same node, and a type that the
block does not have. An access to it fails, but the inverse arithmetic leads back. Pointers to integers may
have any offset, and what they read is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from heapwright.program.commands import Assign, Command, Load, LoadCell, New, Reinterpret, Store, StoreCell
from heapwright.program.dataflow.tracked_integers import Groups, field_name
from heapwright.program.expressions import Var
from heapwright.program.graph import Program
from heapwright.program.types import Field, ValueKind

MOST_CHOICES = 4  # offsets that flags distinguish
CELL = "[]"  # the field of an element of an array of pointers


class PointerOffsets:
    def __init__(self, program: Program) -> None:
        self.program = program
        self._parts: dict[str, tuple[tuple[str, str, int], ...]] = {}

    # --- blocks ---------------------------------------------------------------------------------------------------

    def objects(self, root: str) -> tuple[tuple[str, str, int], ...]:
        """The objects in a block of a type: (type, prefix of names, byte offset), itself first."""
        if root not in self._parts:
            self._parts[root] = tuple(self._objects(root, "", 0))
        return self._parts[root]

    def _objects(self, type: str, prefix: str, offset: int) -> Iterator[tuple[str, str, int]]:
        yield type, prefix, offset
        known = self.program.types.get(type)
        for part in known.parts if known is not None else ():
            yield from self._objects(part.type, f"{prefix}{part.name}.", offset + part.offset)

    def fields(self, root: str) -> Iterator[tuple[str, str, Field]]:
        """All fields of a block: (its own name of the field, what the program calls it, the field)."""
        if root in self.cells:
            yield CELL, f"{root}.{CELL}", self.cells[root]
        for type, prefix, _ in self.objects(root):
            known = self.program.types.get(type)
            for field in known.fields if known is not None else ():
                yield prefix + field.name, f"{type}.{field.name}", field

    def names(self, wanted: frozenset[str]) -> frozenset[str]:
        """Fields of the program by their names in blocks."""
        types = [*self.program.types, *self.cells]
        return frozenset(f"{type}.{name}" for type in types for name, key, _ in self.fields(type) if key in wanted)

    def constants(self, live: frozenset[str], known: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
        """The tracked constants of variables, and of fields by their names in blocks."""
        found = {name: values for name, values in known.items() if name in live}
        for type in self.program.types:
            for name, key, _ in self.fields(type):
                if key in known:
                    found[f"{type}.{name}"] = known[key]
        return found

    # --- arrays ---------------------------------------------------------------------------------------------------

    def element(self, type: str) -> str:
        """The type of the elements of an array type, any other one itself; arrays of pointers differ by their targets,
        not by their lengths."""
        return element_type(self.program, type)

    @cached_property
    def cells(self) -> Mapping[str, Field]:
        """The cells of arrays of pointers, by the types of their elements."""
        arrays = [type for type in self.program.types.values() if type.cells is not None]
        return {
            self.element(type.name): type.cells.field
            for type in arrays
            if type.cells is not None and type.cells.field is not None and self.is_array(type.name)
        }

    @cached_property
    def elements(self) -> frozenset[str]:
        """The types of elements of arrays that the program makes."""
        made = {edge.command.type for edge in self.program.graph.edges if isinstance(edge.command, New)}
        return frozenset(self.element(type) for type in made if self.is_array(type))

    def is_array(self, type: str) -> bool:
        """Whether a type is that of arrays of pointers or of structs."""
        known = self.program.types.get(type)
        return known is not None and known.cells is not None and not self.is_data(type)

    def within(self, root: str, type: str) -> int | None:
        """The offset of the subobject of a type in a block of the type `root`; None if there is none, or several."""
        found = [offset for name, _, offset in self.objects(root) if name == type]
        return found[0] if len(found) == 1 else None

    def field(self, root: str, type: str, field: str) -> str | None:
        """The name in the block of a field of its subobject of a type."""
        found = [prefix for name, prefix, _ in self.objects(root) if name == type]
        return found[0] + field if len(found) == 1 else None

    def several(self, root: str, type: str) -> dict[int, str]:
        """The prefixes of the subobjects of a type in a block, by their offsets, if there is more than one."""
        found = {offset: prefix for name, prefix, offset in self.objects(root) if name == type}
        return found if len(found) > 1 else {}

    @cached_property
    def choices(self) -> Mapping[str, tuple[int, ...]]:
        """The offsets in blocks among which flags of a variable or field choose."""
        found: dict[str, set[int]] = {}
        for root in self.program.types:
            for type in {type for type, _, _ in self.objects(root)}:
                found.setdefault(type, set()).update(self.several(root, type))
        offsets = {type: tuple(sorted(some)) for type, some in found.items() if 0 < len(some) <= MOST_CHOICES}
        return {name: offsets[type] for name, type in self._cells.items() if type in offsets}

    def declared_offset(self, root: str, type: str) -> int | None:
        """The offset of a pointer that is declared with a type in a block, or beside it."""
        if self.is_data(type):
            return None
        inside = self.within(root, type)
        if inside is not None:
            return inside
        parts = [(self.within(root, part), offset) for part, _, offset in self.objects(type)]
        beside = [there - offset for there, offset in parts if there is not None]
        return beside[0] if len(beside) == 1 else None

    def is_data(self, type: str) -> bool:
        """Whether what a pointer is declared to point to are integers in a row."""
        known = self.program.types.get(type)
        cell = known.cells.field if known is not None and known.cells is not None else None
        return cell is not None and cell.kind is ValueKind.DATA

    # --- pointers -------------------------------------------------------------------------------------------------

    def pointed(self, block: str, name: str) -> int | None:
        """The offset of a variable in a block of a type; None if it is unknown."""
        types = self.types_of(name)
        if any(self.is_data(type) for type in types):
            return None
        found = {offset for type in types if (offset := self.declared_offset(block, type)) is not None}
        return found.pop() if len(found) == 1 else None

    def types_of(self, name: str) -> frozenset[str]:
        """The types of the targets of a variable or field; a `void *` may have been given several types."""
        declared = self._cells.get(name, "")
        return frozenset((declared,)) if declared else self._given.get(name, frozenset())

    @cached_property
    def _given(self) -> Mapping[str, frozenset[str]]:
        """For variables and fields that are `void *`, the types of what they are given."""
        groups = Groups()
        types: dict[str, set[str]] = {}
        copies = [copy for edge in self.program.graph.edges for copy in copied(self.program, edge.command)]
        void = [(target, source) for target, source in copies if not self._cells.get(target, "")]
        for target, source in void:
            if not self._cells.get(source, source):
                groups.join(target, source)
        for target, source in void:
            types.setdefault(groups.find(target), set()).add(self._cells.get(source, source))
        names = [name for name, type in self._cells.items() if not type]
        return {name: frozenset(types.get(groups.find(name), ())) - {""} for name in names}

    @cached_property
    def _cells(self) -> Mapping[str, str]:
        """The declared target types of variables and fields."""
        pointers = [(name, v) for name, v in self.program.variables.items() if v.kind is ValueKind.POINTER]
        variables = {name: self.element(v.target) for name, v in pointers}
        cells = {f"{type}.{CELL}": self.element(field.target) for type, field in self.cells.items()}
        fields = {
            f"{type.name}.{field.name}": self.element(field.target)
            for type in self.program.types.values()
            for field in type.fields
            if field.kind is ValueKind.POINTER
        }
        return {**fields, **cells, **variables}

    @cached_property
    def mixed(self) -> Command | None:
        """A command that copies a pointer to one of another type, where no cast says so."""
        for edge in self.program.graph.edges:
            for target, source in copied(self.program, edge.command):
                declared = self._cells.get(target, "")
                types = self.types_of(source) if source in self._cells else {source}
                data = self.is_data(declared) and all(self.is_data(type) for type in types)
                if declared and not data and types != {declared} and not isinstance(edge.command, Reinterpret):
                    return edge.command
        return None


def copied(program: Program, command: Command) -> Iterator[tuple[str, str]]:
    """Copies: a variable or field and the one that it is copied from, or (a type as the second) an object of a type."""
    match command:
        case Assign(target, Var(source)):
            yield target, source
        case Load(target, base, field):
            yield target, field_name(program, base, field)
        case Store(base, field, Var(source)):
            yield field_name(program, base, field), source
        case LoadCell(target, base):
            yield target, cell_name(program, base)
        case StoreCell(base, _, Var(source)):
            yield cell_name(program, base), source
        case New(target, type) if type:
            yield target, element_type(program, type)
        case Reinterpret(target, _, type):
            yield target, type


def element_type(program: Program, type: str) -> str:
    """The type of the elements of an array of pointers or structs, any other type itself."""
    known = program.types.get(type)
    if known is None or known.cells is None:
        return type
    field = known.cells.field
    if field is None:
        return known.cells.object
    return f"{field.target or 'void'} *[]" if field.kind is ValueKind.POINTER else type


def cell_name(program: Program, base: str) -> str:
    """The name of the cells of the array of pointers that a variable is declared to point into."""
    return f"{element_type(program, program.variables[base].target)}.{CELL}"
