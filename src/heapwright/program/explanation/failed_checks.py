"""Explanation of a failed check in source terms: "`p` is null here", "node #2 was freed at list.c:14:5".

`Names` numbers objects as they are first mentioned, and gives variables their source names; a temporary is named by the
expression that it holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import takewhile
from typing import Any

from heapwright.program.checks import Check, CheckKind
from heapwright.program.commands import Assert, Assign, Command, Havoc, StoreDataCell
from heapwright.program.expressions import Compare, Const, Junk, Literal
from heapwright.program.graph import Edge, Program
from heapwright.program.heap_picture import LITERAL
from heapwright.program.semantics.objects import (
    FREED,
    LEFT,
    NULL,
    OUTSIDE,
    Block,
    MemoryObject,
    PointerValue,
    Symbol,
    index_of,
    is_pointer,
    object_of,
    offset_from_null,
)
from heapwright.program.semantics.state import Fault, Leak, State, sample
from heapwright.program.trace import Violation
from heapwright.program.types import IntType, Storage

CHARACTER = IntType(8, signed=True)


def character(value: int, type: IntType | None = CHARACTER) -> str:
    """An integer as people read it: as a character, if its type is that of characters."""
    if type == CHARACTER and (31 < value < 127 or value in (0, 9, 10)):
        return repr(chr(value)) if value else CHARACTER_ZERO
    return str(value)


def quoted(cells: Iterable[int]) -> str:
    """Characters up to a zero as a string literal, shortened if it is long."""
    text = "".join(map(chr, takewhile(bool, (cell & 0xFF for cell in cells))))
    escaped = text.encode("unicode_escape").decode("ascii").replace('"', '\\"')
    return f'"{escaped[:MOST_CHARACTERS]}…"' if len(escaped) > MOST_CHARACTERS + 1 else f'"{escaped}"'


BOX_FIELD = re.compile(r"\*|[iuf]\d+")  # the one field of a scalar that is an object of its own
CHARACTER_ZERO = r"'\0'"
MOST_CHARACTERS = 40


class Names:
    """The user's names of variables and objects. `numbers` are those of objects that have one already."""

    def __init__(self, program: Program, numbers: Mapping[int, int] | None = None) -> None:
        self._program = program
        self._numbers: dict[int, int] = dict(numbers or {})
        self._temporaries: dict[str, str] = {}
        self._without_value: dict[str, str] = {}
        self._literals: dict[str, str] = {}

    def returned(self, name: str, function: str) -> None:
        """A variable holds the result of a function that returned no value; "": it holds something else."""
        self._without_value[name] = function

    def without_value(self, name: str) -> str:
        """The function without a return value whose result a variable holds, "" if there is none."""
        return self._without_value.get(name, "")

    def variable(self, name: str) -> str:
        variable = self._program.variables.get(name)
        if variable is not None and variable.source_name:
            return self.literal(name) if name.startswith(LITERAL) else variable.source_name
        return self._temporaries.get(name, "a value")

    def access(self, base: str, name: str) -> str:
        """A field as C writes it: `p->next`, `head.next` for a variable in memory, `*p` for a scalar of its own."""
        pointer = self.variable(base)
        if BOX_FIELD.fullmatch(name):
            return pointer[1:] if pointer.startswith("&") else f"*{pointer}"
        return f"{pointer[1:]}.{name}" if pointer.startswith("&") else f"{pointer}->{name}"

    def literal(self, name: str) -> str:
        """The text of a string literal, by the variable that holds its address: `"hello"`."""
        if name not in self._literals:
            cells = (
                edge.command.value.value
                for edge in self._program.graph.edges
                if isinstance(edge.command, StoreDataCell)
                and edge.command.base == name
                and isinstance(edge.command.value, Const)
            )
            self._literals[name] = quoted(cells)
        return self._literals[name]

    def is_temporary(self, name: str) -> bool:
        return self._program.variables[name].temporary

    def call(self, name: str, text: str) -> None:
        """Names a temporary by the expression that it holds."""
        if self.is_temporary(name):
            self._temporaries[name] = text

    @property
    def numbers(self) -> Mapping[int, int]:
        """The numbers of objects so far."""
        return self._numbers

    def number(self, obj: int) -> int:
        return self._numbers.setdefault(obj, len(self._numbers) + 1)

    def object(self, state: State, number: int) -> str:
        """`node #2`, or the name of the variable that the object is."""
        obj = state.objects[number]
        block = state.blocks.get(obj.block)
        if block is not None and block.name and block.root == number:
            return self.literal(block.name) if block.name.startswith(LITERAL) else block.name
        return f"{obj.layout.name or 'block'} #{self.number(number)}"

    def pointer(self, state: State, pointer: PointerValue) -> str:
        if pointer == NULL:
            return "null"
        if offset_from_null(pointer) is not None:
            return "null plus an offset"
        if not is_pointer(pointer):
            return "uninitialised"
        number, index = object_of(pointer), index_of(pointer)
        obj = state.objects[number]
        text = self.object(state, number) + (f"[{index}]" if index else "")
        if obj.status == OUTSIDE:
            return "no object"
        status = state.blocks[obj.block].status
        return text + (" (freed)" if status == FREED else " (out of scope)" if status == LEFT else "")

    def data(self, state: State, value: Any, type: IntType | None = None) -> str:
        if isinstance(value, Symbol):
            known = state.symbols.get(value.id)
            return character(sample(known) + value.offset, type) if known is not None else "?"
        return character(value, type) if isinstance(value, int) else "?"


def returns_nothing(program: Program, command: Command) -> str:
    """The function that returns without a value where it should have one, "" if the command is another."""
    match command:
        case Assign(target, Junk()) | Havoc(target, source="uninitialised") if target.endswith("::$result"):
            return program.variables[target].function
    return ""


def base_of(command: Command) -> str:
    """The pointer variable that a command goes through, "" if none."""
    base: str = getattr(command, "base", "")
    return base


def explain(program: Program, state: State, fault: Fault, check: Check, edge: Edge[Command], names: Names) -> Violation:
    """The violation of a check by a fault."""
    base = base_of(edge.command)
    holder = names.variable(base) if base else ""
    subject = check.subject or (holder if holder != "a value" else "the pointer")
    if fault.kind in (CheckKind.ASSERT, CheckKind.SHAPE):
        if check.unsupported:
            return Violation(check, f"{check.subject} is not supported")
        if check.forbidden_call:
            return Violation(check, f"{check.forbidden_call} is called")
        return Violation(check, f"the assertion `{check.subject}` fails" if check.subject else "an assertion fails")
    if isinstance(edge.command, Assert) and fault.kind is CheckKind.BOUNDS:
        return Violation(check, f"`{subject}` is out of bounds{_why_outside(edge.command.literal)}")
    if not is_pointer(fault.pointer):
        message = _of_no_object(fault.kind, fault.pointer, subject, names.without_value(base))
        return Violation(check, message, holder if holder != "a value" else subject)
    number = object_of(fault.pointer)
    obj = state.objects[number]
    block = state.blocks[obj.block]
    message = _MESSAGES[fault.kind](names, state, fault.pointer, subject, obj, block, check)
    known = obj.status != OUTSIDE and block.allocated.line > 0
    return Violation(
        check,
        message,
        holder if holder != "a value" else subject,
        block.allocated if known else None,
        block.freed,
        block.number,
    )


def _why_outside(claim: Literal) -> str:
    """Of an array whose cells are variables or fields: the claim about the index that does not hold."""
    match claim:
        case Compare(op="<", right=Const(count)):
            return f": the array has {count} cell{'' if count == 1 else 's'}"
        case Compare(op=">="):
            return ": the index is negative"
    return ""


def _of_no_object(kind: CheckKind, pointer: PointerValue, subject: str, function: str) -> str:
    if function:
        return f"the value of {function}() is used, but {function} returned without one"
    if kind is CheckKind.INVALID_FREE:
        return f"`{subject}` is freed, but is uninitialised or not a valid pointer"
    return (
        f"`{subject}` is null here"
        if offset_from_null(pointer) is not None
        else f"`{subject}` is uninitialised or not a valid pointer"
    )


_Message = Callable[[Names, State, PointerValue, str, MemoryObject, Block, Check], str]


def _use_after_free(
    names: Names, state: State, pointer: PointerValue, subject: str, obj: MemoryObject, block: Block, check: Check
) -> str:
    word, done = _end_of(block)
    return f"use after {word}: {names.object(state, object_of(pointer))} was {done} at {block.freed}"


def _double_free(
    names: Names, state: State, pointer: PointerValue, subject: str, obj: MemoryObject, block: Block, check: Check
) -> str:
    word, done = _end_of(block)
    return f"double {word}: {names.object(state, object_of(pointer))} was already {done} at {block.freed}"


def _end_of(block: Block) -> tuple[str, str]:
    """What a block was freed by: `free`, or the call that closes a stream, which is not of the heap."""
    return ("free", "freed") if block.storage is Storage.HEAP else ("close", "closed")


def _invalid_deref(
    names: Names, state: State, pointer: PointerValue, subject: str, obj: MemoryObject, block: Block, check: Check
) -> str:
    if obj.status == OUTSIDE:
        return f"`{subject}` does not point to a {obj.layout.name}: the object that it was computed from is not in one"
    where = names.object(state, object_of(pointer))
    if block.protected and block.freed is None:
        return f"`{subject}` points to {where}, which is read-only"
    return f"`{subject}` points to {where}, whose scope ended at {block.freed}"


def _invalid_free(
    names: Names, state: State, pointer: PointerValue, subject: str, obj: MemoryObject, block: Block, check: Check
) -> str:
    if block.storage is not Storage.HEAP:
        return f"invalid free: `{subject}` points to {names.object(state, block.root)}, which was not allocated"
    return f"invalid free: `{subject}` does not point to the start of a block"


def _bounds(
    names: Names, state: State, pointer: PointerValue, subject: str, obj: MemoryObject, block: Block, check: Check
) -> str:
    index = index_of(pointer)
    if obj.count is not None:
        cells = f"{obj.count} cell{'' if obj.count == 1 else 's'}"
        return f"`{subject}` is out of bounds: index {index} of {cells}"
    return f"`{subject}` is out of bounds: the block has {block.size} bytes"


def explain_leak(leak: Leak) -> Violation:
    """The violation of a leak check."""
    if leak.check.kind is CheckKind.RESOURCE_LEAK:
        what = "directory" if "directory" in leak.type else "stream"
        message = f"the {what} opened at {leak.block.allocated} is not closed, and nothing leads to it any more"
        return Violation(leak.check, message, "", leak.block.allocated, None, leak.block.number)
    what = f"the {leak.type or 'block'} allocated at {leak.block.allocated}"
    message = f"{what} is never freed" if leak.check.cleanup else f"{what} is no longer reachable"
    known = leak.block.allocated.line > 0
    return Violation(leak.check, message, "", leak.block.allocated if known else None, None, leak.block.number)


_MESSAGES: dict[CheckKind, _Message] = {
    CheckKind.USE_AFTER_FREE: _use_after_free,
    CheckKind.DOUBLE_FREE: _double_free,
    CheckKind.INVALID_DEREF: _invalid_deref,
    CheckKind.INVALID_FREE: _invalid_free,
    CheckKind.BOUNDS: _bounds,
}
