"""Functions that the program calls and does not define: allocation, memory, ends of a run, inputs, printing.

What is neither here nor among the models (C text in c/models) is external: it returns any value of its type and is
assumed to change nothing. Threads and non-local jumps are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from heapwright.base.errors import UnsupportedError
from heapwright.base.source import Span
from heapwright.c import ast
from heapwright.c.ast import CType, IntegerType, PointerType, VoidType
from heapwright.c.lower.calls.allocation import Memory
from heapwright.c.lower.expressions.conditions import ASSERT_FAILURES, SHAPE_FUNCTIONS
from heapwright.c.lower.expressions.lvalues import LValue, Value
from heapwright.c.lower.graph_builder import FALSE, INT
from heapwright.c.lower.prepass.object_layout import is_aggregate, is_pointer
from heapwright.c.lower.prepass.tree_queries import text
from heapwright.program.checks import CheckKind
from heapwright.program.commands import AnyPointer, Assign, Assume, Havoc, Skip
from heapwright.program.expressions import JUNK, NULL, Compare, Const, IntVar, ShapeLiteral, Var

if TYPE_CHECKING:
    from heapwright.c.lower.lowerer import Lowerer

ERRORS = frozenset({"__VERIFIER_error", "reach_error"})
ENDS = frozenset({"exit", "_exit", "_Exit", "abort", "quick_exit", "__builtin_trap", "__builtin_abort"})
ASSUMES = frozenset({"__VERIFIER_assume", "__hw_assume", "__builtin_assume"})
SUMMARIZE = "hw_fesa_summarize"
PRINTING = frozenset(
    {
        "printf",
        "fprintf",
        "vprintf",
        "vfprintf",
        "puts",
        "putchar",
        "putc",
        "fputs",
        "fputc",
        "perror",
        "fflush",
        "dprintf",
        "__builtin_printf",
        "__builtin_puts",
        "__builtin_putchar",
        "setbuf",
        "setvbuf",
        "syslog",
        "printk",
    }
)
IGNORED = frozenset(
    {
        "__VERIFIER_atomic_begin",
        "__VERIFIER_atomic_end",
        "srand",
        "srandom",
        "sleep",
        "usleep",
        "__builtin_prefetch",
        "__builtin_va_start",
        "__builtin_va_end",
    }
)
INPUTS = frozenset(
    {
        "rand",
        "random",
        "getchar",
        "time",
        "clock",
        "fgetc",
        "getc",
        "hw_any_int",
        "getpid",
    }
)
INPUT_SHAPES = {
    "__hw_any_list": "acyclic",
    "__hw_any_dll": "dll",
    "__hw_any_cyclic": "cyclic",
    "__hw_any_tree": "tree",
    "__hw_any": "",
}
REFUSED_PREFIXES = {
    "pthread_": "threads",
    "thrd_": "threads",
    "setjmp": "setjmp",
    "_setjmp": "setjmp",
    "sigsetjmp": "setjmp",
    "longjmp": "longjmp",
    "siglongjmp": "longjmp",
    "fork": "processes",
    "signal": "signal handlers",
}


class LibraryFunctions(Memory):
    """Memory functions come from `Memory`; `call` finds the right one by name."""

    def __init__(self, lowerer: Lowerer) -> None:
        super().__init__(lowerer)
        self.handlers: dict[str, Callable[[ast.Call, CType | None, str], Value | LValue | None]] = {
            "malloc": self.malloc,
            "__builtin_malloc": self.malloc,
            "calloc": self.calloc,
            "__builtin_calloc": self.calloc,
            "realloc": self.realloc,
            "free": self.free,
            "__builtin_free": self.free,
            "alloca": self.alloca,
            "__builtin_alloca": self.alloca,
            "memset": self.memset,
            "__builtin_memset": self.memset,
            "memcpy": self.memcpy,
            "memmove": self.memcpy,
            "__builtin_memcpy": self.memcpy,
            "__builtin_memmove": self.memcpy,
            "__builtin_expect": self.expect,
            "__builtin_unreachable": self.unreachable,
            "__builtin_constant_p": self.never,
            "__builtin_object_size": self.unknown_size,
        }

    def overrides(self, name: str) -> bool:
        """A call of an error function is an error, also where the program gives it a body."""
        return name in ERRORS

    def call(self, expr: ast.Call, name: str, want: CType | None, into: str) -> Value | LValue | None:
        if name in SHAPE_FUNCTIONS:
            return self.lowerer.conditions.truth(expr)
        if name in self.handlers:
            return self.handlers[name](expr, want, into)
        if name in INPUT_SHAPES:
            return self.input_heap(expr, INPUT_SHAPES[name], want, into)
        for prefix, what in REFUSED_PREFIXES.items():
            if name == prefix or (prefix.endswith("_") and name.startswith(prefix)):
                raise UnsupportedError(f"{what} ('{name}')", expr.span)
        return self.simple(expr, name, want)

    def simple(self, expr: ast.Call, name: str, want: CType | None) -> Value | LValue | None:
        if name in ASSERT_FAILURES or name in ERRORS:
            return self.failure(expr, name)
        if name in ASSUMES:
            self.assume(expr.arguments[0])
            return None
        if name == SUMMARIZE:
            pointer = self.lowerer.values.pointer(expr.arguments[0])
            self.b.at(expr.span)
            self.b.emit(Skip(f"{name}(...)", pointer.name if isinstance(pointer, Var) else ""))
            return None
        discarded = self.lowerer.calls.discarded
        for argument in expr.arguments:
            if name not in PRINTING or not isinstance(bare(argument), ast.StringLiteral):
                self.lowerer.values.effects(argument)
        self.b.at(expr.span)
        if name in ENDS:
            self.b.emit(Skip(f"{name}()"))
            self.b.current = None
            return self.nothing(expr.type)
        if name in PRINTING or name in IGNORED:
            self.b.emit(Skip(f"{name}(...)"))
            if discarded or isinstance(expr.type, VoidType):
                return None
            return self.lowerer.values.approximate(self.layout.int_type(expr.type))
        if not name.startswith("__VERIFIER_nondet_") and name not in INPUTS:
            self.note_external(name, expr.span)
        elif isinstance(expr.type, PointerType):
            return self.wild_pointer(name)
        untyped = isinstance(expr.type, PointerType) and isinstance(expr.type.to, VoidType)
        return self.any_value(PointerType(want) if untyped and want is not None else expr.type, name)

    # --- ends and conditions --------------------------------------------------------------------------------------

    def failure(self, expr: ast.Call, name: str) -> Value | LValue | None:
        subject = name if name in ERRORS else text(expr.arguments[0], self.layout).strip('"') if expr.arguments else ""
        self.b.at(expr.span)
        self.b.fail(CheckKind.ASSERT, subject, name if name in ERRORS else "assert")
        return self.nothing(expr.type)

    def assume(self, condition: ast.Expr) -> None:
        holds, fails = self.b.location(), self.b.location()
        self.lowerer.conditions.branch(condition, holds, fails)
        self.b.current = fails
        self.block()
        self.b.current = holds

    def block(self) -> None:
        """No run goes on from here."""
        self.b.emit(Assume(FALSE))
        self.b.current = None

    def expect(self, expr: ast.Call, want: CType | None, into: str) -> Value | None:
        return self.lowerer.values.value(expr.arguments[0])

    def unreachable(self, expr: ast.Call, want: CType | None, into: str) -> None:
        self.b.assumption("__builtin_unreachable() is never reached", expr.span)
        self.block()

    def never(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        return Const(0, INT)

    def unknown_size(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        return Const(self.layout.size_type.maximum, self.layout.size_type)

    # --- inputs ---------------------------------------------------------------------------------------------------

    def nothing(self, ctype: CType) -> Value | LValue | None:
        """The result of a call that does not return."""
        if isinstance(ctype, VoidType):
            return None
        if is_aggregate(ctype):
            return self.lowerer.lvalues.temporary(ctype)
        return JUNK if is_pointer(ctype) else Const(0, self.layout.int_type(ctype))

    def any_value(self, ctype: CType, source: str) -> Value | LValue | None:
        """Any value of a type, as an input."""
        if isinstance(ctype, VoidType):
            return None
        if is_aggregate(ctype):
            result = self.lowerer.lvalues.temporary(ctype)
            self.lowerer.lvalues.each_scalar(result, lambda lvalue: self.any_scalar(lvalue, source))
            return result
        if is_pointer(ctype):
            name = self.b.pointer_temporary(self.pointee(ctype))
            self.any_pointer(name, ctype)
            return Var(name)
        int_type = self.layout.int_type(ctype)
        name = self.b.data_temporary(int_type)
        boolean = isinstance(ctype, IntegerType) and ctype.boolean
        low, high = (0, 1) if boolean else (None, None)
        self.b.emit(Havoc(name, int_type, source, isinstance(ctype, ast.FloatType), low, high))
        return IntVar(name, int_type)

    def wild_pointer(self, source: str) -> Value:
        """A nondeterministic pointer is null or an address at which there is nothing."""
        int_type = self.layout.size_type
        chosen = IntVar(self.b.data_temporary(int_type), int_type)
        self.b.emit(Havoc(chosen.name, int_type, source, low=0, high=1))
        result = self.b.pointer_temporary()
        null, wild, after = self.b.location(), self.b.location(), self.b.location()
        self.lowerer.conditions.split(Compare("==", chosen, Const(0, int_type)), null, wild)
        for start, value in ((null, NULL), (wild, JUNK)):
            self.b.current = start
            self.b.emit(Assign(result, value))
            self.b.goto(after)
        self.b.current = after
        return Var(result)

    def any_scalar(self, lvalue: LValue, source: str) -> None:
        value = self.any_value(lvalue.type, source)
        assert value is not None
        assert not isinstance(value, LValue)
        self.lowerer.lvalues.store(lvalue, value)

    def pointee(self, ctype: CType) -> str:
        return self.layout.target(ctype.to) if isinstance(ctype, PointerType) else ""

    def any_pointer(self, name: str, ctype: CType) -> None:
        """Null, or a pointer to a valid object of the pointed-to type; what `void *` points to, its first use tells."""
        assert isinstance(ctype, PointerType)
        if isinstance(ctype.to, ast.FunctionType):
            raise UnsupportedError("a pointer to an unknown function", self.b.span)
        if isinstance(ctype.to, VoidType):
            self.layout.facts.learn_raw_blocks()
            self.b.emit_checked(AnyPointer(name, ""))
        else:
            self.layout.register_reachable(ctype.to)
            self.b.emit_checked(AnyPointer(name, self.layout.object_type(ctype.to).name))

    def input_heap(self, expr: ast.Call, shape: str, want: CType | None, into: str) -> Value:
        """`hw_any_list(next)` and the like: any heap of that shape, of the type that the result is assigned to."""
        if want is None or not isinstance(want, ast.RecordType):
            raise UnsupportedError("an input heap whose result is not assigned to a pointer to a struct", expr.span)
        name = into or self.b.pointer_temporary(self.layout.target(want))
        self.any_pointer(name, PointerType(want))
        if shape:
            fields = tuple(self.lowerer.conditions.field(want.key, argument, expr) for argument in expr.arguments)
            self.b.emit(Assume(ShapeLiteral(shape, (Var(name),), fields)))
        return Var(name)

    # --- external functions ---------------------------------------------------------------------------------------

    def note_external(self, name: str, span: Span) -> None:
        self.b.assumption(f"external function '{name}' returns any value of its type and changes no memory", span)


def bare(expr: ast.Expr) -> ast.Expr:
    while isinstance(expr, ast.Cast):
        expr = expr.operand
    return expr
