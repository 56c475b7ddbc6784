"""Variable arguments as a chain of objects: `va_list` holds the next one.

A function that uses `va_start` has one more parameter, the first link of the chain that its caller builds. Each link
has the value of one argument and the next link:

    va_start(list, last)    list->next = arguments
    va_arg(list, int)       ({ link = list->next; list->next = link->next; (int)link->integer; })
    va_copy(other, list)    other->next = list->next

The last link has an indeterminate next one, so that reading more arguments than there are is an invalid access.
"""

from __future__ import annotations

from heapwright.base.source import NOWHERE, Span
from heapwright.c.ast import (
    Assign,
    Block,
    Cast,
    Declare,
    Deref,
    Expr,
    ExprStmt,
    FunctionDecl,
    Member,
    StatementExpr,
    VarDecl,
    VarRef,
)
from heapwright.c.types import (
    CType,
    FloatType,
    IntegerType,
    PointerType,
    Record,
    RecordField,
    RecordType,
    VoidType,
)
from heapwright.program.types import IntType

LIST, LINK = "__va_list_tag", "variable argument"
NEXT = PointerType(RecordType(LINK))
INTEGER, FLOATING, POINTER = (
    IntegerType(IntType(64, True), "long long"),
    FloatType(8, "double"),
    PointerType(VoidType()),
)


def link_record() -> Record:
    """The layout of a link."""
    fields = (
        RecordField("next", NEXT, 0),
        RecordField("integer", INTEGER, 8),
        RecordField("floating", FLOATING, 16),
        RecordField("pointer", POINTER, 24),
    )
    return Record(LINK, LINK, union=False, size=32, fields=fields, complete=True, span=NOWHERE)


def list_record(record: Record) -> Record:
    """The layout of a `va_list`, of the size that the compiler gives to it."""
    return Record(
        LIST, "va_list", union=False, size=record.size, fields=link_record().fields[:1], complete=True, span=record.span
    )


def start(function: FunctionDecl, variables: Expr, span: Span) -> Expr:
    """`va_start(variables, ...)` in a function."""
    if function.rest is None:
        function.rest = VarDecl("variable arguments", NEXT, function.span, "parameter")
    return Assign(NEXT, span, next_of(variables), VarRef(NEXT, span, function.rest))


def copy(target: Expr, source: Expr, span: Span) -> Expr:
    return Assign(NEXT, span, next_of(target), next_of(source))


def argument(variables: Expr, type: CType, span: Span) -> Expr:
    """`va_arg(variables, type)`"""
    link = VarDecl("argument", NEXT, span, "local", next_of(variables))
    held = VarRef(NEXT, span, link)
    forward = Assign(NEXT, span, next_of(variables), Member(NEXT, span, held, LINK, "next", arrow=True))
    value = ExprStmt(span, _value(held, type, span))
    body = Block(span, span, (Declare(span, (link,)), ExprStmt(span, forward), value))
    return StatementExpr(type, span, body)


def _value(held: Expr, type: CType, span: Span) -> Expr:
    match type:
        case IntegerType():
            return Cast(type, span, Member(INTEGER, span, held, LINK, "integer", arrow=True), explicit=True)
        case FloatType():
            return Cast(type, span, Member(FLOATING, span, held, LINK, "floating", arrow=True), explicit=True)
    pointer = Member(POINTER, span, held, LINK, "pointer", arrow=True)
    if isinstance(type, PointerType):
        return Cast(type, span, pointer, explicit=True)
    return Deref(type, span, Cast(PointerType(type), span, pointer, explicit=True))


def next_of(variables: Expr) -> Expr:
    """The member that leads to the next link; `variables` is a `va_list` as it is passed: a pointer to its only
    element."""
    return Member(NEXT, variables.span, variables, LIST, "next", arrow=True)
