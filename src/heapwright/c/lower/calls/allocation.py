"""Allocation: malloc, calloc, realloc, free and alloca."""

from __future__ import annotations

from heapwright.c import ast
from heapwright.c.lower.calls.block_types import BlockTypes, ast_pointee
from heapwright.c.lower.calls.memory_functions import MemoryFunctions
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.interfaces import Evaluator
from heapwright.c.lower.prepass.object_layout import (
    is_aggregate,
)
from heapwright.c.lower.prepass.source_text import text
from heapwright.c.lower.prepass.tree_queries import called_name, walk
from heapwright.c.lower.storage.alloca_chain import chain_of, declare_chain, push_block
from heapwright.c.lower.storage.values import Value
from heapwright.c.types import CType, RecordType
from heapwright.program.checks import FREE_KINDS
from heapwright.program.commands import (
    Assign,
    Compute,
    Copy,
    Follow,
    Free,
    Havoc,
    Length,
    New,
)
from heapwright.program.expressions import (
    NULL,
    Compare,
    Const,
    Expr,
    IntVar,
    Null,
    Pointer,
    PointerCompare,
    Var,
)
from heapwright.program.types import Storage

ALLOCA = frozenset({"alloca", "__builtin_alloca"})


class Allocation(Part):
    def __init__(
        self, context: Context, evaluator: Evaluator, block_types: BlockTypes, memory: MemoryFunctions
    ) -> None:
        super().__init__(context)
        self.evaluator = evaluator
        self.block_types = block_types
        self.memory = memory

    def malloc(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        size = self.evaluator.integer(expr.arguments[0])
        measured = self.block_types.measured(expr.arguments[0])
        self.b.at(expr.span)
        return self.allocate(size, measured, want, into)

    def calloc(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        first, second = self.evaluator.integers(expr.arguments[0], expr.arguments[1])
        measured = self.block_types.measured(expr.arguments[1]) or self.block_types.measured(expr.arguments[0])
        self.b.at(expr.span)
        size = self.operands.arithmetic("*", second, first, self.layout.size_type)
        return self.allocate(size, measured, want, into, zeroed=True)

    def alloca(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        size = self.evaluator.integer(expr.arguments[0])
        measured = self.block_types.measured(expr.arguments[0])
        self.b.at(expr.span)
        block = self.allocate(size, measured, want, "", storage=Storage.STACK)
        push_block(block, chain_of(self.state.frame.function), self.b)
        return block

    def allocate(
        self,
        size: Expr,
        measured: CType | None,
        want: CType | None,
        into: str,
        *,
        storage: Storage = Storage.HEAP,
        zeroed: bool = False,
        replaces: str = "",
    ) -> Var:
        """A new block for `size` bytes, of the measured type or the type at which the result is used."""
        wanted = want or self.state.frame.wanted_type
        element = self.block_types.element_type(measured, wanted)
        path = self.layout.first_member_path(element, wanted) if element is not None and wanted is not None else None
        if path:
            self.layout.learn_parts(path)
            into = ""
        target = into or self.b.pointer_temporary(self.layout.target(element) if element else "")
        may_fail = self.context.malloc_may_fail and storage is Storage.HEAP
        if storage is Storage.HEAP and not may_fail:
            self.b.assumption("allocation never fails (malloc, calloc, realloc, ...; see --malloc-may-fail)")
        if element is None:
            self.layout.address_taken.learn_raw_blocks()
            self.b.emit_checked(New(target, "", storage, None, size, zeroed, may_fail, replaces))
            return Var(target)
        name, count, exact = self.block_types.shape(element, size)
        self.b.emit_checked(New(target, name, storage, count, None if exact else size, zeroed, may_fail, replaces))
        return self.first_member(Var(target), path or [])

    def first_member(self, pointer: Var, path: list[tuple[str, str]]) -> Var:
        """The member at the start of a new block, at whose type it is used."""
        for record, member in path:
            part = self.b.pointer_temporary(self.layout.target(self.layout.member(record, member).type))
            self.b.emit_checked(Follow(part, pointer.name, record, member, up=False))
            pointer = Var(part)
        return pointer

    def prepare_alloca(self, function: ast.FunctionDecl) -> None:
        """A function that calls alloca starts with an empty chain of blocks."""
        assert function.body is not None
        if not any(called_name(node) in ALLOCA for node in walk(function.body) if isinstance(node, ast.Call)):
            return
        chain = declare_chain(function, self.b, self.layout)
        self.scopes.stack[0].chains.append(chain)
        self.b.emit(Assign(chain, NULL))

    def free(self, expr: ast.Call, want: CType | None, into: str) -> None:
        pointer = self.evaluator.pointer(expr.arguments[0])
        self.b.at(expr.span)
        self.release(pointer, text(expr.arguments[0], self.layout))

    def release(self, pointer: Pointer, subject: str) -> None:
        if isinstance(pointer, Null):
            return
        if not isinstance(pointer, Var):
            name = self.b.pointer_temporary()
            self.b.emit(Assign(name, pointer))
            pointer = Var(name)
        self.b.emit_checked(Free(pointer.name), subject)

    def realloc(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        old = self.operands.snapshot_pointer(self.evaluator.pointer(expr.arguments[0]))
        size = self.operands.snapshot(self.evaluator.integer(expr.arguments[1]))
        self.b.at(expr.span)
        source = ast_pointee(expr.arguments[0])
        element = self.block_types.element_type(self.block_types.measured(expr.arguments[1]), want or source)
        if element is not None and not is_aggregate(element):
            self.layout.learn_arrays(element)
        subject = text(expr.arguments[0], self.layout)
        self.b.inspect(old, FREE_KINDS, subject)
        result = self.b.pointer_temporary(self.layout.target(element) if element is not None else "")
        after = self.b.location()
        self.release_at_size_zero(old, size, subject, result, after)
        new = self.allocate(size, element, element, "", replaces=old.name if isinstance(old, Var) else "")
        self.move(old, new, element, subject)
        self.b.emit_checked(Assign(result, new))
        self.b.goto(after)
        self.b.current = after
        return Var(result)

    def release_at_size_zero(self, old: Pointer, size: Expr, subject: str, result: str, after: int) -> None:
        """realloc of size 0 may free the block and return null; whether it does is an input."""
        if isinstance(size, Const) and size.value != 0:
            return
        zero, freed, on = self.b.location(), self.b.location(), self.b.location()
        self.b.split(Compare("==", size, Const(0, size.type)), zero, on)
        self.b.current = zero
        chosen = IntVar(self.b.data_temporary(INT), INT)
        self.b.emit(Havoc(chosen.name, INT, "realloc of size 0", low=0, high=1))
        self.b.split(Compare("!=", chosen, Const(0, INT)), freed, on)
        self.b.current = freed
        self.release(old, subject)
        self.b.emit_checked(Assign(result, NULL))
        self.b.goto(after)
        self.b.current = on

    def move(self, old: Pointer, new: Var, element: CType | None, subject: str) -> None:
        """Copy as many elements as both blocks have, then free the old one."""
        if not isinstance(old, Var):
            return
        full, after = self.b.location(), self.b.location()
        self.b.split(PointerCompare("!=", old, NULL), full, after)
        self.b.current = full
        if self.context.malloc_may_fail:
            got = self.b.location()
            self.b.split(PointerCompare("!=", new, NULL), got, after)
            self.b.current = got
        if element is None or (isinstance(element, RecordType) and self.block_types.is_open_ended(element.key)):
            self.b.emit_checked(Copy(new.name, old.name), subject)
        else:
            self.copy_elements(old, new, element, subject)
        self.release(old, subject)
        self.b.goto(after)
        self.b.current = after

    def copy_elements(self, old: Var, new: Var, element: CType, subject: str) -> None:
        type = self.layout.size_type
        lengths = []
        for block in (old, new):
            length = self.b.data_temporary(type)
            self.b.emit(Length(length, block.name))
            lengths.append(IntVar(length, type))
        smaller = IntVar(self.b.data_temporary(type), type)
        first, second, copy = self.b.location(), self.b.location(), self.b.location()
        self.b.split(Compare("<", lengths[0], lengths[1]), first, second)
        for start, length_value in ((first, lengths[0]), (second, lengths[1])):
            self.b.current = start
            self.b.emit(Compute(smaller.name, length_value))
            self.b.goto(copy)
        self.b.current = copy
        self.operands.count_loop(smaller, lambda index: self.memory.copy_cell(new, old, index, element, subject))
