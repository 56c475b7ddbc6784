"""The C syntax tree that lowering works on: typed, resolved, with places, and free of libclang.

`parse.py` builds it. Every expression has the type that C gives it; conversions are explicit `Cast` nodes except for
lvalue-to-rvalue, which lowering knows from the context. Parentheses, `__extension__`, `_Generic` and attributes are
gone; enumerators, `sizeof`, `alignof`, `offsetof` and character constants are `IntLiteral`s (a `sizeof` keeps the type
that it measures).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from heapwright.base.source import Span
from heapwright.program.types import IntType

# --- types -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class VoidType:
    pass


@dataclass(frozen=True, slots=True)
class IntegerType:
    """Integers, characters, enumerations and _Bool."""

    int: IntType
    name: str  # as C spells it: "unsigned int", "_Bool"
    boolean: bool = False


@dataclass(frozen=True, slots=True)
class FloatType:
    size: int
    name: str


@dataclass(frozen=True, slots=True)
class PointerType:
    to: CType


@dataclass(frozen=True, slots=True)
class ArrayType:
    of: CType
    count: int | None  # None: `[]`, or a variable length (then the declaration has `length`)


@dataclass(frozen=True, slots=True)
class RecordType:
    """A struct or union, by the key of its `Record` in the translation unit's table."""

    key: str


@dataclass(frozen=True, slots=True)
class FunctionType:
    result: CType
    parameters: tuple[CType, ...]
    variadic: bool


CType = VoidType | IntegerType | FloatType | PointerType | ArrayType | RecordType | FunctionType


@dataclass(frozen=True, slots=True)
class RecordField:
    name: str  # an anonymous member is called "$0", "$1", ...
    type: CType
    offset: int  # in bytes; of a bit-field: of the byte that holds its first bit
    bits: int | None = None  # width of a bit-field
    bit_offset: int = 0  # of a bit-field: in bits from the start of the record


@dataclass(frozen=True, slots=True)
class Record:
    key: str  # unique in the translation unit: "node", "node@list.c:3" for a local or clashing one
    name: str  # as the user knows it: "struct node"
    union: bool
    size: int
    fields: tuple[RecordField, ...]
    complete: bool
    span: Span


# --- expressions -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class IntLiteral:
    type: CType
    span: Span
    value: int
    measured: CType | None = None  # what a sizeof measures, where it is known


@dataclass(frozen=True, slots=True, eq=False)
class VariableSize:
    """`sizeof` of a variable-length array"""

    type: CType
    span: Span
    decl: VarDecl


@dataclass(frozen=True, slots=True, eq=False)
class FloatLiteral:
    type: CType
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class StringLiteral:
    type: CType  # char[n]
    span: Span
    bytes: bytes  # with its final zero


@dataclass(frozen=True, slots=True, eq=False)
class VarRef:
    type: CType
    span: Span
    decl: VarDecl


@dataclass(frozen=True, slots=True, eq=False)
class FunctionRef:
    type: CType
    span: Span
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    type: CType
    span: Span
    op: Literal["-", "~", "!", "+"]
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Deref:
    type: CType
    span: Span
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class AddressOf:
    type: CType
    span: Span
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class IncDec:
    type: CType
    span: Span
    op: Literal["+", "-"]
    prefix: bool
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """Arithmetic, bit operations, shifts and comparisons, also of pointers."""

    type: CType
    span: Span
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Logical:
    type: CType
    span: Span
    op: Literal["&&", "||"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """`left = right`, or `left op= right` with `op`, computed in type `computation`."""

    type: CType
    span: Span
    left: Expr
    right: Expr
    op: str = ""
    computation: CType | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Comma:
    type: CType
    span: Span
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """`condition ? then : other`; `then` is None for GNU's `condition ?: other`."""

    type: CType
    span: Span
    condition: Expr
    then: Expr | None
    other: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """`base.name`, or `base->name` with `arrow` (then base is a pointer)."""

    type: CType
    span: Span
    base: Expr
    record: str  # key
    name: str
    arrow: bool


@dataclass(frozen=True, slots=True, eq=False)
class Subscript:
    """`base[index]`; base is a pointer (a decayed array, if it names one)."""

    type: CType
    span: Span
    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """A conversion to `type`. `decay`: of an array or function to a pointer. `explicit`: written by the user."""

    type: CType
    span: Span
    operand: Expr
    explicit: bool = False
    decay: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    type: CType
    span: Span
    callee: Expr  # a FunctionRef, or an expression for a pointer to a function
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class StatementExpr:
    type: CType
    span: Span
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class Designator:
    """`.name` or `[index]`."""

    name: str = ""
    index: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class InitList:
    """`{...}`: pairs of the path to a subobject and its initialiser, in the order as written.

    The parser has resolved positions, elided braces and ranges: `{1, .b.y = 2, 3}` has items such as `.a = 1`,
    `.b.y = 2`, `.c = 3`. An item's value is a scalar, a whole struct, a string for a character array, or another
    `InitList`. What no item names is zero; a later item overrides an earlier one."""

    type: CType
    span: Span
    items: tuple[tuple[tuple[Designator, ...], Expr], ...]


@dataclass(frozen=True, slots=True, eq=False)
class CompoundLiteral:
    type: CType
    span: Span
    initializer: Expr


@dataclass(frozen=True, slots=True, eq=False)
class UnsupportedExpr:
    """Something that the parser does not know; `construct` names it."""

    type: CType
    span: Span
    construct: str


Expr = (
    IntLiteral
    | VariableSize
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


@dataclass(slots=True, eq=False)
class FunctionDecl:
    name: str
    type: FunctionType
    span: Span
    parameters: tuple[VarDecl, ...]
    body: Block | None
    file_static: bool = False
    no_return: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    span: Span
    end: Span  # of the closing brace
    statements: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Declare:
    span: Span
    variables: tuple[VarDecl, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ExprStmt:
    span: Span
    expr: Expr


@dataclass(frozen=True, slots=True, eq=False)
class If:
    span: Span
    condition: Expr
    then: Stmt
    other: Stmt | None


@dataclass(frozen=True, slots=True, eq=False)
class While:
    span: Span
    condition: Expr
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class DoWhile:
    span: Span
    body: Stmt
    condition: Expr


@dataclass(frozen=True, slots=True, eq=False)
class For:
    span: Span
    init: Stmt | None
    condition: Expr | None
    step: Expr | None
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Switch:
    span: Span
    condition: Expr
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """`case low ... high: body`; low is high for a plain case."""

    span: Span
    low: int
    high: int
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Default:
    span: Span
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Continue:
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    span: Span
    value: Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class Goto:
    span: Span
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    span: Span
    name: str
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Empty:
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class UnsupportedStmt:
    span: Span
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
