"""Scopes: lifetimes of variables, and jumps between scopes.

At the end of a scope its stack blocks end (`leave`) and its pointer variables become junk, so that a block to which
they held the last pointers has leaked. A jump leaves the scopes that its target is not in, and enters those that it is
in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from heapwright.base.source import Span
from heapwright.c.ast import Block, Declare, Expr, VarDecl
from heapwright.c.lower.graph_builder import INT, GraphBuilder
from heapwright.c.lower.prepass.object_layout import (
    Layout,
)
from heapwright.c.lower.storage.alloca_chain import leave_chain
from heapwright.c.lower.storage.frame import Scope
from heapwright.c.lower.storage.values import join
from heapwright.c.lower.storage.variables import Variables
from heapwright.c.types import CType
from heapwright.program.commands import (
    Assign,
    Compute,
    Leave,
)
from heapwright.program.expressions import (
    JUNK,
    Const,
)
from heapwright.program.types import ValueKind, Variable


class Scopes:
    """The scopes of the function that is being lowered, innermost last."""

    def __init__(self, builder: GraphBuilder, layout: Layout, variables: Variables) -> None:
        self.b = builder
        self.layout = layout
        self.variables = variables
        self.stack: list[Scope] = []
        self.evaluate: Callable[[Expr], None]  # for the effects of an expression; the lowering of statements sets it
        self.flags: Mapping[int, str] = {}  # by id() of variables: whether the environment has their addresses

    # --- entering and leaving ----------------------------------------------------------------------------------------

    def enter(self, declarations: tuple[VarDecl, ...] = (), cleanup: Expr | None = None) -> Scope:
        local = [decl for decl in declarations if decl.storage == "local" and decl.length is None]
        boxed = tuple(decl for decl in local if self.layout.is_boxed(decl))
        plain = tuple(decl for decl in local if not self.layout.is_boxed(decl))
        scope = Scope(boxed, plain, cleanup=cleanup)
        self.stack.append(scope)
        for decl in boxed:
            scope.blocks.append(self.variables.address_variable(decl))
        self.create(scope)
        return scope

    def create(self, scope: Scope) -> None:
        for decl in (*scope.boxed, *scope.plain):
            self.conceal(decl)
        for decl in scope.boxed:
            self.variables.new_block("&" + self.variables.name_of(decl), decl.type)

    def conceal(self, decl: VarDecl) -> None:
        """A variable that the environment does not write: it is new, or it ends."""
        if id(decl) in self.flags:
            self.b.emit(Compute(self.flags[id(decl)], Const(0, INT)))

    def havoc_skipped(self, scope: Scope) -> None:
        """Variables are indeterminate when a scope is entered again, also if a jump skips their declarations."""
        for decl in scope.plain:
            name = self.variables.name_of(decl)
            self.variables.declare(name, decl.type, decl.name, self.b.function)
            self.variables.uninitialised(name, decl.type)

    def stack_block(self, address: str, ctype: CType) -> None:
        """A block for an intermediate value, which lives as long as the innermost scope."""
        self.b.variables[address] = Variable(
            address, ValueKind.POINTER, None, self.layout.object_type(ctype).name, "", self.b.function
        )
        self.variables.new_block(address, ctype)
        self.stack[-1].blocks.append(address)

    def add_pointers(self, name: str, ctype: CType) -> None:
        """The pointers among a variable's scalars die with the innermost scope."""
        for scalar in self.layout.fields(ctype):
            full = join(name, scalar.path)
            if self.b.variables[full].kind is ValueKind.POINTER:
                self.stack[-1].pointers.append(full)

    def leave(self, end: Span) -> None:
        """The innermost scope ends here."""
        self.undo(tuple(self.stack), end)
        self.stack.pop()

    def undo(self, scopes: tuple[Scope, ...], end: Span) -> None:
        """Leave the last of some nested scopes."""
        scope = scopes[-1]
        if scope.cleanup is not None and self.b.current is not None:
            here, self.stack = self.stack, [*scopes, Scope()]
            self.evaluate(scope.cleanup)
            self.undo((self.stack[-1],), end)
            self.stack = here
        self.b.at(end)
        for chain in scope.chains:
            leave_chain(chain, self.b)
        for decl in scope.boxed:
            self.conceal(decl)
        for name in reversed(scope.blocks):
            self.b.emit_checked(Leave(name))
        for name in reversed(scope.pointers):
            self.b.emit_checked(Assign(name, JUNK))

    # --- jumps -------------------------------------------------------------------------------------------------------

    def snapshot(self) -> tuple[Scope, ...]:
        return tuple(self.stack)

    def jump(self, target: int, inside: tuple[Scope, ...], at: Span) -> None:
        """Go to a location that lies inside those scopes."""
        self.jump_from(self.snapshot(), target, inside, at)

    def jump_from(self, here: tuple[Scope, ...], target: int, inside: tuple[Scope, ...], at: Span) -> None:
        common = 0
        while common < min(len(here), len(inside)) and here[common] is inside[common]:
            common += 1
        for count in range(len(here), common, -1):
            self.undo(here[:count], at)
        for scope in inside[common:]:
            self.create(scope)
            self.havoc_skipped(scope)
        self.b.at(at)
        self.b.goto(target)


def declared_in(block: Block) -> tuple[VarDecl, ...]:
    return tuple(
        decl for statement in block.statements if isinstance(statement, Declare) for decl in statement.variables
    )
