"""Conditions: branches on literals, short-circuit evaluation, assertions and the predicates of heapwright.h."""

from __future__ import annotations

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.c import ast
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.interfaces import Evaluator
from heapwright.c.lower.prepass.object_layout import (
    is_aggregate,
    is_pointer,
)
from heapwright.c.lower.prepass.source_text import text
from heapwright.c.lower.prepass.tree_queries import called_name, constant, has_effects, strip_casts, walk, wider
from heapwright.c.lower.storage.operands import nonzero
from heapwright.c.lower.unsupported import Checkpoint, is_entered
from heapwright.c.types import CType, FloatType, FunctionType, IntegerType, PointerType, RecordType, VoidType
from heapwright.program.checks import CheckKind
from heapwright.program.commands import (
    Assert,
    Compute,
)
from heapwright.program.expressions import (
    COMPARISONS,
    Compare,
    Const,
    IntVar,
    Literal,
    PointerCompare,
    ShapeLiteral,
    Var,
    negate,
)

# name in C -> (predicate, number of pointers)
SHAPE_FUNCTIONS = {
    "__hw_acyclic": ("acyclic", 1),
    "__hw_reach": ("reach", 2),
    "__hw_disjoint": ("disjoint", 2),
    "__hw_sorted": ("sorted", 1),
    "__hw_sorted_down": ("sorted_down", 1),
    "__hw_dll": ("dll", 1),
    "__hw_cyclic": ("cyclic", 1),
    "__hw_tree": ("tree", 1),
    "__hw_all_reachable": ("all_reachable", 1),
    "__hw_all_reachable_from": ("all_reachable", 2),
}
ASSERT_FAILURES = frozenset({"__heapwright_assert_fail", "__assert_fail", "__assert_rtn", "__assert"})


class Conditions(Part):
    def __init__(self, context: Context, evaluator: Evaluator) -> None:
        super().__init__(context)
        self.evaluator = evaluator

    # --- branches ----------------------------------------------------------------------------------------------------

    def branch(self, expr: ast.Expr, yes: int, no: int) -> None:
        """Go to one of two locations; nothing follows the current one."""
        before = Checkpoint(self.context)
        try:
            self.supported_branch(expr, yes, no)
        except UnsupportedError as error:
            if is_entered(expr):
                raise
            before.leave_out(error, expr.span)

    def supported_branch(self, expr: ast.Expr, yes: int, no: int) -> None:
        known = constant(expr, self.layout)
        if known is not None and not has_effects(expr):
            self.b.goto(yes if known else no)
            return
        match expr:
            case ast.Unary(op="!"):
                self.branch(expr.operand, no, yes)
            case ast.Logical():
                middle = self.b.location()
                if expr.op == "&&":
                    self.branch(expr.left, middle, no)
                else:
                    self.branch(expr.left, yes, middle)
                self.b.current = middle
                self.branch(expr.right, yes, no)
            case ast.Comma():
                self.evaluator.effects(expr.left)
                self.branch(expr.right, yes, no)
            case ast.Conditional() if expr.then is not None:
                then, other = self.b.location(), self.b.location()
                self.branch(expr.condition, then, other)
                self.b.current = then
                self.branch(expr.then, yes, no)
                self.b.current = other
                self.branch(expr.other, yes, no)
            case ast.Cast() if self.keeps_truth(expr):
                self.branch(expr.operand, yes, no)
            case ast.Call() if called_name(expr) == "__builtin_expect":
                self.branch(expr.arguments[0], yes, no)
            case _:
                self.b.split(self.literal(expr), yes, no)

    def keeps_truth(self, expr: ast.Cast) -> bool:
        """Whether a conversion is true exactly when its operand is."""
        source, target = expr.operand.type, expr.type
        if not isinstance(target, IntegerType) or expr.decay:
            return False
        if isinstance(source, IntegerType):
            return target.boolean or wider(source.int, target.int) or source.int.bits <= target.int.bits
        return target.boolean and is_pointer(source)

    def literal(self, expr: ast.Expr) -> Literal:
        """Evaluate the operands of a condition without short circuits; the result is one literal."""
        name = called_name(expr)
        if name in SHAPE_FUNCTIONS:
            assert isinstance(expr, ast.Call)
            return self.shape(expr, name)
        if isinstance(expr, ast.Binary) and expr.op in COMPARISONS:
            return self.comparison(expr)
        if isinstance(expr, ast.Unary) and expr.op == "!":
            return negate(self.literal(expr.operand))
        if isinstance(expr, ast.Cast) and self.keeps_truth(expr):
            return self.literal(expr.operand)
        if isinstance(expr.type, FloatType):
            number = self.evaluator.integer(expr)
            self.b.at(expr.span)
            return nonzero(self.operands.floating("ne", (number, Const(0, number.type)), expr.type.size, INT))
        self.state.tested = (id(expr), "truth")
        value = self.evaluator.value(expr)
        if value is None or is_aggregate(expr.type):
            raise InputError("condition without a value", expr.span)
        self.b.at(expr.span)
        return self.operands.truth_literal(value)

    def comparison(self, expr: ast.Binary) -> Literal:
        if not (is_pointer(expr.left.type) or is_pointer(expr.right.type)):
            if isinstance(expr.left.type, FloatType) or isinstance(expr.right.type, FloatType):
                return nonzero(self.evaluator.integer(expr))
            if constant(expr.right, self.layout) == 0:
                self.state.tested = (id(strip_casts(expr.left)), "truth" if expr.op in ("==", "!=") else "sign")
            left, right = self.evaluator.integers(expr.left, expr.right)
            self.b.at(expr.span)
            return Compare(expr.op, left, right)  # type: ignore[arg-type]  # one of COMPARISONS
        first = self.evaluator.pointer(expr.left)
        if has_effects(expr.right):
            first = self.operands.snapshot_pointer(first)
        second = self.evaluator.pointer(expr.right)
        self.b.at(expr.span)
        functions = isinstance(first, Var) and isinstance(second, Var) and is_function_pointer(expr.left.type)
        if functions and self.context.environment.calls_back:
            return nonzero(self.operands.approximate(INT))  # one of them may be the other, unknown to the program
        return PointerCompare(expr.op, first, second)  # type: ignore[arg-type]  # one of COMPARISONS

    def truth(self, expr: ast.Expr) -> IntVar:
        """The truth of a condition as 0 or 1."""
        name = self.b.data_temporary(INT)
        yes, no, after = self.b.location(), self.b.location(), self.b.location()
        self.branch(expr, yes, no)
        for start, value in ((yes, 1), (no, 0)):
            self.b.current = start
            self.b.emit(Compute(name, Const(value, INT)))
            self.b.goto(after)
        self.b.current = after
        return IntVar(name, INT)

    # --- assertions --------------------------------------------------------------------------------------------------

    def void_conditional(self, expr: ast.Conditional) -> None:
        """`condition ? a : b` as a statement; `assert` expands to one whose second side fails."""
        fails = called_name(strip_casts(expr.other)) in ASSERT_FAILURES
        if fails and expr.then is not None and not has_effects(expr.then):
            self.assertion(expr.condition)
            return
        yes, no, after = self.b.location(), self.b.location(), self.b.location()
        self.branch(expr.condition, yes, no)
        for start, side in ((yes, expr.then), (no, expr.other)):
            self.b.current = start
            if side is not None:
                self.evaluator.effects(side)
            self.b.goto(after)
        self.b.current = after

    def assertion(self, condition: ast.Expr) -> None:
        """`assert(condition)`: one literal is asserted as it is, anything else is a branch to a failure."""
        shapes = any(called_name(node) in SHAPE_FUNCTIONS for node in walk(condition) if isinstance(node, ast.Call))
        kind = CheckKind.SHAPE if shapes else CheckKind.ASSERT
        subject = text(condition, self.layout)
        span = self.b.span
        if not any(isinstance(n, ast.Logical | ast.Conditional | ast.StatementExpr) for n in walk(condition)):
            literal = self.literal(condition)
            self.b.at(span)
            self.b.emit(Assert(literal, self.b.check(kind, subject, "assert")), self.b.literal_leak(literal))
            return
        holds, fails = self.b.location(), self.b.location()
        self.branch(condition, holds, fails)
        self.b.at(span)
        self.b.current = fails
        self.b.fail(kind, subject, "assert")
        self.b.current = holds

    # --- shapes ------------------------------------------------------------------------------------------------------

    def shape(self, expr: ast.Call, name: str) -> ShapeLiteral:
        predicate, count = SHAPE_FUNCTIONS[name]
        arguments = expr.arguments
        pointers = [self.evaluator.pointer(arguments[0])]
        for argument in arguments[1:count]:
            if has_effects(argument):
                pointers = [self.operands.snapshot_pointer(pointer) for pointer in pointers]
            pointers.append(self.evaluator.pointer(argument))
        self.b.at(expr.span)
        record = self.record_of(arguments[0])
        fields = tuple(self.field(record, argument, expr) for argument in arguments[count:])
        return ShapeLiteral(predicate, tuple(pointers), fields)

    def record_of(self, expr: ast.Expr) -> str:
        """The record that a predicate's pointer argument points to, behind its conversion to `const void *`."""
        bare = expr
        while isinstance(bare, ast.Cast) and isinstance(bare.type, PointerType) and isinstance(bare.type.to, VoidType):
            bare = bare.operand
        if isinstance(bare.type, PointerType) and isinstance(bare.type.to, RecordType):
            return bare.type.to.key
        raise InputError("the argument of a shape predicate must be a struct pointer", expr.span)

    def field(self, record: str, argument: ast.Expr, expr: ast.Call) -> str:
        """The field that a predicate walks along; `next$/*` for a member that is a part of its own."""
        literal = argument
        while isinstance(literal, ast.Cast):
            literal = literal.operand
        if not isinstance(literal, ast.StringLiteral):
            raise InputError("the field arguments of a shape predicate must be member names", expr.span)
        name = literal.bytes[:-1].decode("latin-1")
        member = next((m for m in self.layout.records[record].fields if m.name == name), None)
        if member is None:
            raise InputError(f"{self.layout.records[record].name} has no member '{name}'", expr.span)
        if self.layout.is_part(record, name):
            cells = self.layout.has_arrays(member.type) if not is_aggregate(member.type) else True
            return f"{name}$/{'[0]' if cells else self.layout.box_field(member.type)}"
        return self.layout.canonical(RecordType(record), name)


def is_function_pointer(ctype: CType) -> bool:
    return isinstance(ctype, FunctionType) or (isinstance(ctype, PointerType) and isinstance(ctype.to, FunctionType))
