"""Lowering state: the function that is being lowered, its scopes and its jump targets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.types import CType
from heapwright.program.expressions import (
    Expr,
    Pointer,
)

# A result is only compared with 0: for equality, or also for its sign.
Tested = Literal["", "truth", "sign"]


@dataclass(eq=False)
class Scope:
    """Variables and blocks whose lifetime ends with a scope. The blocks of `boxed` variables are created on entry; a
    jump may enter behind the declarations of the `plain` ones."""

    boxed: tuple[VarDecl, ...] = ()
    plain: tuple[VarDecl, ...] = ()
    pointers: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)  # variables with the addresses of stack blocks
    chains: list[str] = field(default_factory=list)  # heads of chains of stack blocks of unknown number (alloca)
    cleanup: ast.Expr | None = None  # evaluated when the scope is left


@dataclass(slots=True)
class JumpTarget:
    """A location and the scopes around it."""

    location: int
    scopes: tuple[Scope, ...]


@dataclass(slots=True)
class SwitchCases:
    cases: list[tuple[int, int, JumpTarget]] = field(default_factory=list)
    default: JumpTarget | None = None


@dataclass
class Frame:
    """The function that is being lowered."""

    function: FunctionDecl
    return_location: int
    result: LValue | None
    wanted_type: CType | None = None  # pointee type at which the caller uses an untyped result
    bound: dict[int, Value] = field(default_factory=dict)  # parameters that always have one known value
    measures: dict[int, CType] = field(default_factory=dict)  # parameters that are sizes of a known type
    pointees: dict[int, CType] = field(default_factory=dict)  # what `void *` parameters point to
    modelled: str = ""  # the library function that this model stands for
    tested: Tested = ""  # how its result is used
    breaks: list[JumpTarget] = field(default_factory=list)
    continues: list[JumpTarget] = field(default_factory=list)
    switches: list[SwitchCases] = field(default_factory=list)
    labels: dict[str, JumpTarget] = field(default_factory=dict)
    gotos: list[tuple[ast.Goto, int, tuple[Scope, ...]]] = field(default_factory=list)
    computed_gotos: list[tuple[ast.ComputedGoto, Pointer, int, tuple[Scope, ...]]] = field(default_factory=list)


@dataclass
class LoweringState:
    """Mutable state that the parts of one lowering share."""

    frame: Frame
    initializing: VarDecl | None = None  # the global whose initialiser is being lowered
    lengths: dict[int, Expr] = field(default_factory=dict)  # of variable-length arrays, by id() of their declarations
    wanted_type: CType | None = None  # pointee type to which the result of the next call is cast
    discard: bool = False  # whether the result of the next call is unused
    discarded: bool = False  # the same of the current call
    tested: tuple[int, Tested] = (0, "")  # id() of a call whose result is only tested, and how

    def call_tested(self, call: ast.Call, function: FunctionDecl) -> None:
        """What is known of the result of a call is now known of the function that is about to be lowered."""
        tested, how = self.tested
        self.tested = (id(function), how) if tested == id(call) else (0, "")

    def how_tested(self, function: FunctionDecl) -> Tested:
        tested, how = self.tested
        return how if tested == id(function) else ""
