"""Queries on the syntax tree: children, constants, side effects, and `container_of`."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TypeVar, get_args

from heapwright.c import ast
from heapwright.c.ast import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Deref,
    Expr,
    IncDec,
    IntLiteral,
    Logical,
    Member,
    StatementExpr,
    Stmt,
    Subscript,
    Unary,
    VarDecl,
    VarRef,
)
from heapwright.c.lower.prepass.object_layout import Layout
from heapwright.c.types import CType, FunctionType, IntegerType, PointerType, RecordType, VoidType
from heapwright.program.expressions import apply_binary
from heapwright.program.types import IntType

Node = Expr | Stmt | VarDecl
H = TypeVar("H", bound=Hashable)
_NODES: tuple[type, ...] = (*get_args(Expr), *get_args(Stmt), VarDecl)
_NOT_CHILDREN = {"type", "span", "decl", "measured", "computation", "end"}


def children(node: Node) -> Iterator[Node]:
    for name in node.__slots__:
        if name in _NOT_CHILDREN:
            continue
        value = getattr(node, name)
        if isinstance(value, _NODES):
            yield value  # type: ignore[misc]  # _NODES are the members of Node
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, tuple):  # (designators, initialiser)
                    item = item[1]
                if isinstance(item, _NODES):
                    yield item  # type: ignore[misc]  # as above


def each_once(pending: list[H]) -> Iterator[H]:
    """Takes values from a list, each value once, until it is empty; the caller may append to it meanwhile."""
    seen: set[H] = set()
    while pending:
        top = pending.pop()
        if top not in seen:
            seen.add(top)
            yield top


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it, without recursion: source may nest deeply."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(children(top))


def has_effects(expr: Expr) -> bool:
    """Whether evaluating an expression may change a variable or memory."""
    return any(isinstance(node, Call | Assign | IncDec | StatementExpr) for node in walk(expr))


def called_name(expr: ast.Expr) -> str:
    """The name of the function that an expression calls, "" if it is no direct call."""
    if not isinstance(expr, ast.Call):
        return ""
    callee = strip_casts(expr.callee)
    while isinstance(callee, ast.Cast | ast.Deref | ast.AddressOf):
        callee = callee.operand
    return callee.name if isinstance(callee, ast.FunctionRef) else ""


def called_variable(call: ast.Call) -> VarDecl | None:
    """The variable that holds the function which is called, if it is just that."""
    callee = call.callee
    while isinstance(callee, ast.Cast | ast.Deref | ast.AddressOf):
        callee = callee.operand
    if not isinstance(callee, VarRef):
        return None
    held = callee.decl.type
    return callee.decl if isinstance(held, PointerType) and isinstance(held.to, FunctionType) else None


# --- constants -------------------------------------------------------------------------------------------------------


def constant(expr: Expr, layout: Layout) -> int | None:
    """The value of an integer constant expression, offsets of members through a null pointer included."""
    match expr:
        case IntLiteral():
            return expr.value
        case Cast():
            inner = constant(expr.operand, layout)
            if inner is None or isinstance(expr.type, PointerType):
                return inner
            return _convert(inner, expr.type)
        case Unary(type=IntegerType(int_type, _, _)):
            inner = constant(expr.operand, layout)
            if inner is None:
                return None
            values = {"-": -inner, "~": ~inner, "+": inner, "!": int(inner == 0)}
            return int_type.wrap(values[expr.op])
        case Binary(type=IntegerType(int_type, _, _)):
            left, right = constant(expr.left, layout), constant(expr.right, layout)
            if left is None or right is None or (expr.op in "/%" and not right):
                return None
            return apply_binary(expr.op, left, right, int_type)
        case AddressOf():
            return _null_offset(expr.operand, layout)
        case Conditional() if expr.then is not None:
            condition = constant(expr.condition, layout)
            return None if condition is None else constant(expr.then if condition else expr.other, layout)
        case Logical():
            left, right = constant(expr.left, layout), constant(expr.right, layout)
            if left is None or right is None:
                return None
            return int(bool(left and right) if expr.op == "&&" else bool(left or right))
    return None


def _convert(value: int, ctype: CType) -> int | None:
    if isinstance(ctype, IntegerType):
        return int(value != 0) if ctype.boolean else ctype.int.wrap(value)
    return None


def _null_offset(lvalue: Expr, layout: Layout) -> int | None:
    """The address of an lvalue that begins at a constant address, as in `&((T *)0)->f`."""
    match lvalue:
        case Member():
            start = constant(lvalue.base, layout) if lvalue.arrow else _null_offset(lvalue.base, layout)
            return None if start is None else start + layout.member(lvalue.record, lvalue.name).offset
        case Deref():
            return constant(lvalue.operand, layout)
        case Subscript(base=Cast(decay=True, operand=array)):
            start, index = _null_offset(array, layout), constant(lvalue.index, layout)
            return None if start is None or index is None else start + index * layout.size(lvalue.type)
    return None


def strip_casts(expr: Expr) -> Expr:
    while isinstance(expr, Cast) and not expr.decay:
        expr = expr.operand
    return expr


def is_null_constant(expr: Expr, layout: Layout) -> bool:
    return constant(expr, layout) == 0


# --- address arithmetic ----------------------------------------------------------------------------------------------


def member_shift(expr: Cast, layout: Layout) -> tuple[Expr, list[tuple[str, str]], bool] | None:
    """`container_of` and its inverse: a cast of `(char *)p - offset` or `+ offset` to a pointer.

    Gives the pointer p, the chain of (record, member) from the outermost record inwards, and whether the result is the
    container (up) or the member (down)."""
    if not isinstance(expr.type, PointerType):
        return None
    inner = strip_casts(expr.operand)
    if not isinstance(inner, Binary) or inner.op not in "+-" or not isinstance(inner.left, Cast):
        return None
    offset = constant(inner.right, layout)
    if offset is None or not _is_byte_address(inner.left.type):
        return None
    pointer = inner.left.operand
    while isinstance(pointer, Cast) and not pointer.decay and _is_byte_address(pointer.type):
        pointer = pointer.operand
    pointee = pointer.type.to if isinstance(pointer.type, PointerType) else None
    target = expr.type.to
    if inner.op == "-" and isinstance(target, RecordType):
        path = _members(layout, target, offset, pointee)
        return None if path is None else (pointer, path, True)
    if inner.op == "+" and isinstance(pointee, RecordType):
        path = _members(layout, pointee, offset, target)
        return None if path is None else (pointer, path, False)
    return None


def _is_byte_address(ctype: CType) -> bool:
    if isinstance(ctype, PointerType):
        return isinstance(ctype.to, VoidType) or (isinstance(ctype.to, IntegerType) and ctype.to.int.bits == 8)
    return isinstance(ctype, IntegerType)


def _members(layout: Layout, record: RecordType, offset: int, pointee: CType | None) -> list[tuple[str, str]] | None:
    names = layout.member_at(record.key, offset, pointee) if pointee is not None else None
    if names is None and (pointee is None or isinstance(pointee, VoidType)):
        names = next(([m.name] for m in layout.records[record.key].fields if m.offset == offset), None)
    if names is None:
        return None
    path: list[tuple[str, str]] = []
    key = record.key
    for name in names:
        path.append((key, name))
        member_type = layout.member(key, name).type
        key = member_type.key if isinstance(member_type, RecordType) else ""
    return path


def wider(expr_type: IntType, other: IntType) -> bool:
    """Whether every value of one type is a value of the other."""
    return other.minimum <= expr_type.minimum and expr_type.maximum <= other.maximum
