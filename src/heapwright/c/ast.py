"""The C syntax tree that lowering works on: typed, resolved, with source spans, and independent of libclang.

`parse.py` builds it. Every expression has the type that C gives it; conversions are explicit `Cast` nodes except for
lvalue-to-rvalue, which follows from the context. Parentheses, `__extension__`, `_Generic` and attributes are
gone; enumerators, `sizeof`, `alignof`, `offsetof` and character constants are `IntLiteral`s (a `sizeof` keeps the type
that it measures).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from heapwright.base.source import Span
from heapwright.c.types import ArrayType, CType, FunctionType, IntegerType, Record

# --- expressions -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Typed:
    type: CType
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class IntLiteral(_Typed):
    value: int
    measured: CType | None = None  # the operand type of a sizeof, where it is known


@dataclass(frozen=True, slots=True, eq=False)
class VariableSize(_Typed):
    """`sizeof` of a variable-length array"""

    decl: VarDecl


@dataclass(frozen=True, slots=True, eq=False)
class RowIndex(_Typed):
    """The index of an element in a row of a variable length, which must be below that length."""

    index: Expr
    length: Expr


@dataclass(frozen=True, slots=True, eq=False)
class FloatLiteral(_Typed):
    value: float | None = None  # None: not known


@dataclass(frozen=True, slots=True, eq=False)
class StringLiteral(_Typed):
    bytes: bytes  # with its final zero; the type is an array of char, or of wider characters

    @property
    def width(self) -> int:
        """The bytes of a character."""
        assert isinstance(self.type, ArrayType)
        assert isinstance(self.type.of, IntegerType)
        return self.type.of.int.bits // 8

    @property
    def characters(self) -> tuple[int, ...]:
        starts = range(0, len(self.bytes), self.width)
        return tuple(int.from_bytes(self.bytes[start : start + self.width], "little") for start in starts)


@dataclass(frozen=True, slots=True, eq=False)
class VarRef(_Typed):
    decl: VarDecl


@dataclass(frozen=True, slots=True, eq=False)
class FunctionRef(_Typed):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Unary(_Typed):
    op: Literal["-", "~", "!", "+"]
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Deref(_Typed):
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class AddressOf(_Typed):
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class IncDec(_Typed):
    op: Literal["+", "-"]
    prefix: bool
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Binary(_Typed):
    """Arithmetic, bit operations, shifts and comparisons, also of pointers."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Logical(_Typed):
    op: Literal["&&", "||"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Assign(_Typed):
    """`left = right`, or `left op= right` with `op`, computed in type `computation`."""

    left: Expr
    right: Expr
    op: str = ""
    computation: CType | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Comma(_Typed):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Conditional(_Typed):
    """`condition ? then : other`; `then` is None for GNU's `condition ?: other`."""

    condition: Expr
    then: Expr | None
    other: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Member(_Typed):
    """`base.name`, or `base->name` with `arrow` (then base is a pointer)."""

    base: Expr
    record: str  # key
    name: str
    arrow: bool


@dataclass(frozen=True, slots=True, eq=False)
class Subscript(_Typed):
    """`base[index]`; base is a pointer (a decayed array, if it names one)."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Cast(_Typed):
    """A conversion to `type`. `decay`: of an array or function to a pointer. `explicit`: written by the user."""

    operand: Expr
    explicit: bool = False
    decay: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Call(_Typed):
    callee: Expr  # a FunctionRef, or an expression for a pointer to a function
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class StatementExpr(_Typed):
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class Designator:
    """`.name` or `[index]`."""

    name: str = ""
    index: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class InitList(_Typed):
    """`{...}`: pairs of the path to a subobject and its initialiser, in the order as written.

    The parser has resolved positions, elided braces and ranges: `{1, .b.y = 2, 3}` has items such as `.a = 1`,
    `.b.y = 2`, `.c = 3`. An item's value is a scalar, a whole struct, a string for a character array, or another
    `InitList`. A subobject without an item is zero; a later item overrides an earlier one."""

    items: tuple[tuple[tuple[Designator, ...], Expr], ...]


@dataclass(frozen=True, slots=True, eq=False)
class CompoundLiteral(_Typed):
    initializer: Expr
    const: bool = False  # nothing may write it


@dataclass(frozen=True, slots=True, eq=False)
class LabelAddress(_Typed):
    """GNU's `&&label`, in a function."""

    label: str
    function: FunctionDecl


@dataclass(frozen=True, slots=True, eq=False)
class UnsupportedExpr(_Typed):
    """A construct that is not supported; `construct` names it."""

    construct: str


Expr = (
    IntLiteral
    | VariableSize
    | RowIndex
    | FloatLiteral
    | StringLiteral
    | VarRef
    | FunctionRef
    | Unary
    | Deref
    | AddressOf
    | IncDec
    | Binary
    | Logical
    | Assign
    | Comma
    | Conditional
    | Member
    | Subscript
    | Cast
    | Call
    | StatementExpr
    | InitList
    | CompoundLiteral
    | LabelAddress
    | UnsupportedExpr
)


# --- declarations and statements -------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class VarDecl:
    """A variable or parameter; compared by identity. `length` is the length expression of a variable-length array."""

    name: str
    type: CType
    span: Span
    storage: Literal["global", "static", "local", "parameter", "extern"]
    initializer: Expr | None = None
    length: Expr | None = None
    file_static: bool = False  # a global that other files cannot see
    const: bool = False  # defined `const`: nothing may write it
    weak: bool = False  # another definition takes precedence; without any its address is null
    lends: bool = False  # a pointer to const


@dataclass(frozen=True, slots=True)
class Attributes:
    """GNU's attributes of a function that say what it does. `nonnull` has the positions of parameters."""

    malloc: bool = False
    returns_nonnull: bool = False
    pure: bool = False  # or `const`: it writes nothing
    constant: bool = False  # `const`: its result depends on its arguments alone
    nonnull: frozenset[int] = frozenset()
    weak: bool = False  # another definition takes precedence; without any the address is null
    constructor: int | None = None  # it runs before main: its priority, lower ones first
    destructor: int | None = None  # it runs after main: its priority, higher ones first


@dataclass(slots=True, eq=False)
class FunctionDecl:
    name: str
    type: FunctionType
    span: Span
    parameters: tuple[VarDecl, ...]
    body: Block | None
    file_static: bool = False
    no_return: bool = False
    attributes: Attributes = Attributes()
    rest: VarDecl | None = None  # a parameter for the variable arguments, where the body uses them

    @property
    def all_parameters(self) -> tuple[VarDecl, ...]:
        return self.parameters if self.rest is None else (*self.parameters, self.rest)


@dataclass(frozen=True, slots=True, eq=False)
class _Located:
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Block(_Located):
    """`cleanup` is evaluated whenever the block is left, before its variables end: GNU's attribute of the variable that
    is declared before the block."""

    end: Span  # of the closing brace
    statements: tuple[Stmt, ...]
    cleanup: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Declare(_Located):
    variables: tuple[VarDecl, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ExprStmt(_Located):
    expr: Expr


@dataclass(frozen=True, slots=True, eq=False)
class If(_Located):
    condition: Expr
    then: Stmt
    other: Stmt | None


@dataclass(frozen=True, slots=True, eq=False)
class While(_Located):
    condition: Expr
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class DoWhile(_Located):
    body: Stmt
    condition: Expr


@dataclass(frozen=True, slots=True, eq=False)
class For(_Located):
    init: Stmt | None
    condition: Expr | None
    step: Expr | None
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Switch(_Located):
    condition: Expr
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Case(_Located):
    """`case low ... high: body`; low is high for a plain case."""

    low: int
    high: int
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Default(_Located):
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Break(_Located):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Continue(_Located):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Return(_Located):
    value: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Goto(_Located):
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class ComputedGoto(_Located):
    """GNU's `goto *target`."""

    target: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Label(_Located):
    name: str
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Empty(_Located):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class UnsupportedStmt(_Located):
    construct: str


Stmt = (
    Block
    | Declare
    | ExprStmt
    | If
    | While
    | DoWhile
    | For
    | Switch
    | Case
    | Default
    | Break
    | Continue
    | Return
    | Goto
    | ComputedGoto
    | Label
    | Empty
    | UnsupportedStmt
)


@dataclass(frozen=True, slots=True)
class DataModel:
    name: Literal["LP64", "ILP32"]

    @property
    def pointer_bits(self) -> int:
        return 64 if self.name == "LP64" else 32


@dataclass(frozen=True, eq=False)
class TranslationUnit:
    """One parsed file. `functions` and `globals` hold definitions and those declarations that something refers to;
    a name that is defined has its definition here, not its declaration."""

    file: str
    functions: dict[str, FunctionDecl]
    globals: tuple[VarDecl, ...]
    records: dict[str, Record]
    model: DataModel
    sources: dict[str, str] = field(default_factory=dict)  # every user file that took part -> text
