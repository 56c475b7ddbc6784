"""Protocols by which a part of lowering calls one that is built after it: the C grammar is recursive."""

from __future__ import annotations

from typing import Protocol

from heapwright.c import ast
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.program.expressions import (
    Expr,
    Pointer,
)


class Evaluator(Protocol):
    """Evaluation of expressions."""

    def value(self, expr: ast.Expr, into: str = "") -> Value | None: ...

    def integer(self, expr: ast.Expr) -> Expr: ...

    def integers(self, first: ast.Expr, second: ast.Expr) -> tuple[Expr, Expr]: ...

    def pointer(self, expr: ast.Expr, into: str = "") -> Pointer: ...

    def effects(self, expr: ast.Expr) -> None: ...

    def lvalue(self, expr: ast.Expr) -> LValue: ...

    def aggregate(self, expr: ast.Expr) -> LValue: ...


class StatementExpressions(Protocol):
    """GNU's `({ ...; e; })`."""

    def statement_value(self, expr: ast.StatementExpr) -> Value | None: ...

    def statement_aggregate(self, expr: ast.StatementExpr) -> LValue: ...


class CallLowering(Protocol):
    """Calls in expressions."""

    def call(self, expr: ast.Call, into: str = "") -> Value | None: ...

    def remainder(self, expr: ast.Binary) -> Value | None:
        """The value of `f() % n`, where f() is an input and n a constant; None for anything else."""
        ...

    def call_aggregate(self, expr: ast.Call) -> LValue: ...
