"""Expressions and types as source text, for messages: without implicit conversions and without needless parentheses."""

from __future__ import annotations

from heapwright.c.ast import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Comma,
    CompoundLiteral,
    Conditional,
    Deref,
    Expr,
    FloatLiteral,
    FunctionRef,
    IncDec,
    InitList,
    IntLiteral,
    LabelAddress,
    Logical,
    Member,
    RowIndex,
    StatementExpr,
    StringLiteral,
    Subscript,
    Unary,
    UnsupportedExpr,
    VariableSize,
    VarRef,
)
from heapwright.c.lower.prepass.object_layout import Layout
from heapwright.c.lower.prepass.tree_queries import is_null_constant, strip_casts, walk
from heapwright.c.types import ArrayType, CType, FloatType, FunctionType, IntegerType, PointerType, RecordType, VoidType

CLAIM = (
    "__hw_acyclic",
    "__hw_all_reachable",
    "__hw_any",
    "__hw_cyclic",
    "__hw_reach",
    "__hw_disjoint",
    "__hw_sorted",
    "__hw_dll",
    "__hw_tree",
)

Operator = Unary | Deref | AddressOf | IncDec | Binary | Logical | Assign | Comma | Conditional


def type_text(ctype: CType, layout: Layout) -> str:
    match ctype:
        case VoidType():
            return "void"
        case IntegerType(_, name, _) | FloatType(_, name):
            return name
        case PointerType(to):
            inner = type_text(to, layout)
            return inner + ("*" if inner.endswith("*") else " *")
        case ArrayType(of, count):
            return f"{type_text(of, layout)}[{'' if count is None else count}]"
        case RecordType(key):
            return layout.records[key].name
        case FunctionType(result, _, _):
            return f"{type_text(result, layout)} ()"


def text(node: Expr, layout: Layout) -> str:
    match node:
        case Unary() | Deref() | AddressOf() | IncDec() | Binary() | Logical() | Assign() | Comma() | Conditional():
            return _operator(node, layout)
        case IntLiteral():
            return f"sizeof({type_text(node.measured, layout)})" if node.measured else str(node.value)
        case RowIndex():
            return text(node.index, layout)
        case VariableSize():
            return f"sizeof {node.decl.name}"
        case FloatLiteral(value=value):
            return "..." if value is None else repr(value)
        case StringLiteral():
            characters = "".join(map(chr, node.characters[:-1]))
            return ("L" if node.width > 1 else "") + '"' + characters.encode("unicode_escape").decode("ascii") + '"'
        case VarRef():
            return node.decl.name
        case FunctionRef():
            return node.name.partition("[")[0]
        case LabelAddress():
            return f"&&{node.label}"
        case Member():
            base = _grouped(node.base, layout)
            return base if node.name.startswith("$") else f"{base}{'->' if node.arrow else '.'}{node.name}"
        case Subscript():
            return f"{_grouped(node.base, layout)}[{text(node.index, layout)}]"
        case Cast():
            return _cast(node, layout)
        case Call():
            return _call(node, layout)
        case StatementExpr():
            return "({...})"
        case InitList():
            return "{...}"
        case CompoundLiteral():
            return f"({type_text(node.type, layout)}){{...}}"
        case UnsupportedExpr():
            return f"<{node.construct}>"


def _row(node: Binary) -> Expr | None:
    """The index of a row of a variable length, if an expression is the address of one."""
    scaled = node.right
    if not isinstance(scaled, Binary) or scaled.op != "*" or not isinstance(node.type, PointerType):
        return None
    lengths = [one for one in walk(scaled.right) if isinstance(one, VarRef) and " " in one.decl.name]
    return strip_casts(scaled.left) if lengths else None


def _operator(node: Operator, layout: Layout) -> str:
    match node:
        case Unary():
            return node.op + _grouped(node.operand, layout)
        case Deref():
            return "*" + _grouped(node.operand, layout)
        case AddressOf():
            return "&" + _grouped(node.operand, layout)
        case IncDec():
            operand, sign = _grouped(node.operand, layout), node.op * 2
            return sign + operand if node.prefix else operand + sign
        case Binary() if (row := _row(node)) is not None:
            return f"{_grouped(node.left, layout)}[{text(row, layout)}]"
        case Binary() | Logical():
            return f"{_grouped(node.left, layout)} {node.op} {_grouped(node.right, layout)}"
        case Assign():
            return f"{text(node.left, layout)} {node.op}= {text(node.right, layout)}"
        case Comma():
            return f"{text(node.left, layout)}, {text(node.right, layout)}"
        case Conditional():
            then = text(node.then, layout) if node.then else ""
            return f"{_grouped(node.condition, layout)} ? {then} : {_grouped(node.other, layout)}"


def _call(node: Call, layout: Layout) -> str:
    """Claims about shapes as their macros are written: `hw_acyclic(x, next)`."""
    name, arguments = _grouped(node.callee, layout), [text(one, layout) for one in node.arguments]
    if name.startswith(CLAIM):
        name = name.removeprefix("__")
        arguments = [one.strip('"') for one in arguments]
    return f"{name}({', '.join(arguments)})"


def _cast(node: Cast, layout: Layout) -> str:
    if is_null_constant(node, layout) and isinstance(node.type, PointerType):
        return "NULL"
    if node.explicit and not node.decay:
        return f"({type_text(node.type, layout)}){_grouped(node.operand, layout)}"
    return text(node.operand, layout)


def _grouped(node: Expr, layout: Layout) -> str:
    bare = node
    while isinstance(bare, Cast) and not bare.explicit:
        bare = bare.operand
    shown = text(node, layout)
    return f"({shown})" if isinstance(bare, Binary | Logical | Assign | Comma | Conditional) else shown
