"""Chains of stack blocks of unknown number: the blocks of `alloca`, whose lifetime ends with their function."""

from __future__ import annotations

from heapwright.c.ast import FunctionDecl
from heapwright.c.lower.graph_builder import GraphBuilder
from heapwright.c.lower.prepass.object_layout import (
    Layout,
)
from heapwright.program.commands import (
    Assign,
    Leave,
    Load,
    New,
    Store,
)
from heapwright.program.expressions import (
    NULL,
    PointerCompare,
    Var,
)
from heapwright.program.types import Field, ObjectType, Storage, ValueKind, Variable

CHAIN = "alloca record"


def declare_chain(function: FunctionDecl, builder: GraphBuilder, layout: Layout) -> str:
    """Declares the variable that holds the chain of a function, which is empty at its entry."""
    size = layout.pointer_bits // 8
    fields = (
        Field("block", ValueKind.POINTER, 0, size),
        Field("next", ValueKind.POINTER, size, size, target=CHAIN),
    )
    layout.types[CHAIN] = ObjectType(CHAIN, 2 * size, fields)
    chain = Variable(chain_of(function), ValueKind.POINTER, None, CHAIN, "alloca", function.name)
    builder.declare(chain)
    return chain.name


def push_block(block: Var, chain: str, builder: GraphBuilder) -> None:
    record = builder.pointer_temporary(CHAIN)
    builder.emit(New(record, CHAIN, Storage.STACK))
    builder.emit(Store(record, "block", block))
    builder.emit(Store(record, "next", Var(chain)))
    builder.emit(Assign(chain, Var(record)))


def leave_chain(chain: str, builder: GraphBuilder) -> None:
    """A loop that ends the lifetime of each block of a chain."""
    if builder.current is None:
        return
    head, after = builder.location(), builder.location()
    builder.goto(head)
    builder.current = head
    builder.assume(PointerCompare("!=", Var(chain), NULL))
    block, rest = builder.pointer_temporary(), builder.pointer_temporary(CHAIN)
    builder.emit(Load(block, chain, "block"))
    builder.emit(Load(rest, chain, "next"))
    builder.emit_checked(Leave(block))
    builder.emit(Leave(chain))
    builder.emit(Assign(chain, Var(rest)))
    builder.goto(head)
    builder.current = head
    builder.assume(PointerCompare("==", Var(chain), NULL))
    builder.goto(after)
    builder.current = after


def chain_of(function: FunctionDecl) -> str:
    return f"{function.name}::$alloca"
