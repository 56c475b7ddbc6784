"""Scopes: when variables are born and die, and jumps between scopes.

At the end of a scope its stack blocks end (`leave`) and its pointer variables become junk, so that what only they
held has leaked. A jump leaves the scopes that its target is not in, and enters those that it is in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from heapwright.base.source import Span
from heapwright.c.ast import Block, CType, Declare, VarDecl
from heapwright.c.lower.expressions.lvalues import join
from heapwright.program.commands import Assign, Leave, New
from heapwright.program.expressions import JUNK
from heapwright.program.types import Storage, ValueKind, Variable

if TYPE_CHECKING:
    from heapwright.c.lower.lowerer import Lowerer


@dataclass(eq=False)
class Scope:
    """What has to be undone at its end. `boxed` are the variables whose blocks are created on entry; a jump may enter
    behind the declarations of the `plain` ones."""

    boxed: tuple[VarDecl, ...] = ()
    plain: tuple[VarDecl, ...] = ()
    pointers: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)  # variables with the addresses of stack blocks
    chains: list[str] = field(default_factory=list)  # heads of chains of stack blocks of unknown number (alloca)


class Scopes:
    """The scopes of the function that is being lowered, innermost last."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer = lowerer
        self.b = lowerer.builder
        self.stack: list[Scope] = []

    # --- entering and leaving -------------------------------------------------------------------------------------

    def enter(self, declarations: tuple[VarDecl, ...] = ()) -> Scope:
        local = [decl for decl in declarations if decl.storage == "local" and decl.length is None]
        boxed = tuple(decl for decl in local if self.lowerer.is_boxed(decl))
        scope = Scope(boxed, tuple(decl for decl in local if not self.lowerer.is_boxed(decl)))
        self.stack.append(scope)
        for decl in boxed:
            scope.blocks.append(self.address_variable(decl))
        self.create(scope)
        return scope

    def create(self, scope: Scope) -> None:
        for decl in scope.boxed:
            self.new_block("&" + self.lowerer.name_of(decl), decl.type)

    def forget(self, scope: Scope) -> None:
        """What variables held when the scope was left before does not count, also where a jump misses declarations."""
        for decl in scope.plain:
            self.lowerer.lvalues.declare(self.lowerer.name_of(decl), decl.type, decl.name, self.b.function)
            self.lowerer.lvalues.uninitialised(self.lowerer.lvalues.of_variable(decl))

    def address_variable(self, decl: VarDecl) -> str:
        """The constant pointer variable that holds a boxed variable's address."""
        name = "&" + self.lowerer.name_of(decl)
        function = self.b.function if decl.storage in ("local", "parameter") else ""
        target = self.lowerer.layout.object_type(decl.type).name
        return self.b.declare(Variable(name, ValueKind.POINTER, None, target, "&" + decl.name, function))

    def new_block(self, address: str, ctype: CType, storage: Storage = Storage.STACK, *, zeroed: bool = False) -> None:
        type_ = self.lowerer.layout.object_type(ctype)
        count = None
        if type_.cells is not None:
            count = self.lowerer.values.size_constant(type_.cells.count if type_.cells.count is not None else 1)
        self.b.emit(New(address, type_.name, storage, count, zeroed=zeroed))

    def stack_block(self, address: str, ctype: CType) -> None:
        """A block for an intermediate value, which lives as long as the innermost scope."""
        self.b.variables[address] = Variable(
            address, ValueKind.POINTER, None, self.lowerer.layout.object_type(ctype).name, "", self.b.function
        )
        self.new_block(address, ctype)
        self.stack[-1].blocks.append(address)

    def add_pointers(self, name: str, ctype: CType) -> None:
        """The pointers among a variable's scalars die with the innermost scope."""
        for scalar in self.lowerer.layout.fields(ctype):
            full = join(name, scalar.path)
            if self.b.variables[full].kind is ValueKind.POINTER:
                self.stack[-1].pointers.append(full)

    def leave(self, end: Span) -> None:
        """The innermost scope ends here."""
        self.undo(self.stack[-1], end)
        self.stack.pop()

    def undo(self, scope: Scope, end: Span) -> None:
        self.b.at(end)
        for chain in scope.chains:
            self.lowerer.library.leave_chain(chain)
        for name in reversed(scope.blocks):
            self.b.emit_checked(Leave(name))
        for name in reversed(scope.pointers):
            self.b.emit_checked(Assign(name, JUNK))

    # --- jumps ----------------------------------------------------------------------------------------------------

    def snapshot(self) -> tuple[Scope, ...]:
        return tuple(self.stack)

    def jump(self, target: int, inside: tuple[Scope, ...], at: Span) -> None:
        """Go to a location that lies inside those scopes."""
        self.jump_from(self.snapshot(), target, inside, at)

    def jump_from(self, here: tuple[Scope, ...], target: int, inside: tuple[Scope, ...], at: Span) -> None:
        common = 0
        while common < min(len(here), len(inside)) and here[common] is inside[common]:
            common += 1
        for scope in reversed(here[common:]):
            self.undo(scope, at)
        for scope in inside[common:]:
            self.create(scope)
            self.forget(scope)
        self.b.at(at)
        self.b.goto(target)


def declared_in(block: Block) -> tuple[VarDecl, ...]:
    return tuple(
        decl for statement in block.statements if isinstance(statement, Declare) for decl in statement.variables
    )
