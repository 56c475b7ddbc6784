"""Lowering state: the function that is being lowered, its scopes and its jump targets."""

from __future__ import annotations

from dataclasses import dataclass, field

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.types import CType
from heapwright.program.expressions import (
    Expr,
)


@dataclass(eq=False)
class Scope:
    """Variables and blocks whose lifetime ends with a scope. The blocks of `boxed` variables are created on entry; a
    jump may enter behind the declarations of the `plain` ones."""

    boxed: tuple[VarDecl, ...] = ()
    plain: tuple[VarDecl, ...] = ()
    pointers: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)  # variables with the addresses of stack blocks
    chains: list[str] = field(default_factory=list)  # heads of chains of stack blocks of unknown number (alloca)


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
    breaks: list[JumpTarget] = field(default_factory=list)
    continues: list[JumpTarget] = field(default_factory=list)
    switches: list[SwitchCases] = field(default_factory=list)
    labels: dict[str, JumpTarget] = field(default_factory=dict)
    gotos: list[tuple[ast.Goto, int, tuple[Scope, ...]]] = field(default_factory=list)


@dataclass
class LoweringState:
    """Mutable state that the parts of one lowering share."""

    frame: Frame
    initializing: VarDecl | None = None  # the global whose initialiser is being lowered
    lengths: dict[int, Expr] = field(default_factory=dict)  # of variable-length arrays, by id() of their declarations
    wanted_type: CType | None = None  # pointee type to which the result of the next call is cast
    discard: bool = False  # whether the result of the next call is unused
    discarded: bool = False  # the same of the current call
