"""Built-in library functions: allocation, memory, termination, nondeterministic inputs, output.

A function that is neither built in nor modelled in C (c/models) nor of the C library is external (external_calls.py).
Threads and non-local jumps are not supported.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from heapwright.base.errors import UnsupportedError
from heapwright.c import ast
from heapwright.c.library_models import is_library_function
from heapwright.c.lower.calls.allocation import Allocation
from heapwright.c.lower.calls.external_calls import ExternalCalls
from heapwright.c.lower.calls.inputs import Inputs
from heapwright.c.lower.calls.memory_functions import MemoryFunctions
from heapwright.c.lower.calls.model_intrinsics import ModelIntrinsics
from heapwright.c.lower.calls.unmodelled_functions import UnmodelledFunctions
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.expressions.conditions import ASSERT_FAILURES, SHAPE_FUNCTIONS
from heapwright.c.lower.expressions.rvalues import RValues
from heapwright.c.lower.graph_builder import FALSE, INT
from heapwright.c.lower.prepass.environment import is_external
from heapwright.c.lower.prepass.source_text import text
from heapwright.c.lower.prepass.tree_queries import called_name
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.types import CType, FloatType, IntegerType, PointerType, VoidType
from heapwright.program import floating_point
from heapwright.program.checks import CheckKind
from heapwright.program.commands import (
    Assume,
    Skip,
)
from heapwright.program.expressions import (
    Binary,
    Const,
    Expr,
    Var,
)

ERRORS = frozenset({"__VERIFIER_error", "reach_error"})
ENDS = frozenset({"exit", "_exit", "_Exit", "abort", "quick_exit", "__builtin_trap", "__builtin_abort"})
ASSUMES = frozenset({"__VERIFIER_assume", "__hw_assume", "__builtin_assume", "hw_model_assume"})
SUMMARIZE = "hw_fesa_summarize"
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
        "clock",
        "hw_any_int",
        "getpid",
    }
)
RANDOM = {"rand": 2**31 - 1, "random": 2**31 - 1}  # with the largest number, which is RAND_MAX of stdlib.h
RANGES = {**{name: (0, most) for name, most in RANDOM.items()}, "getchar": (-1, 255), "getpid": (1, 2**31 - 1)}
EVALUATED = ENDS | IGNORED | INPUTS  # for their arguments: they do nothing else with them
INPUT_SHAPES = {
    "__hw_any_list": "acyclic",
    "__hw_any_dll": "dll",
    "__hw_any_cyclic": "cyclic",
    "__hw_any_tree": "tree",
    "__hw_any": "",
}
_ROOTS = {"sqrt": "sqrt", "fabs": "abs", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "fmod": "fmod"}
FLOATING = {  # functions of math.h by the operation that they are
    **{name + suffix: root for name, root in _ROOTS.items() for suffix in ("", "f")},
    **{f"__builtin_{name}{suffix}": root for name, root in _ROOTS.items() for suffix in ("", "f")},
    **dict.fromkeys(("isnan", "__isnan", "__builtin_isnan"), "ne"),
}
_ORDERS: dict[str, tuple[str, ...]] = {  # comparisons of which one holds
    "isgreater": ("gt",),
    "isgreaterequal": ("ge",),
    "isless": ("lt",),
    "islessequal": ("le",),
    "islessgreater": ("lt", "gt"),
}
CLASSES = {f"__builtin_{name}": name for name in (*_ORDERS, "isunordered", "isinf", "isfinite", "isnormal", "signbit")}
SPECIAL = {
    **{f"__builtin_{name}{suffix}": math.inf for name in ("inf", "huge_val") for suffix in ("", "f", "l")},
    **{f"__builtin_nan{suffix}": math.nan for suffix in ("", "f", "l")},
}
UNSUPPORTED_PREFIXES = {
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


class LibraryFunctions(Part):
    """Finds the lowering of a library function by its name."""

    def __init__(
        self,
        context: Context,
        evaluator: RValues,
        allocation: Allocation,
        memory: MemoryFunctions,
        inputs: Inputs,
        externals: ExternalCalls,
        run_handlers: Callable[[], None],
    ) -> None:
        super().__init__(context)
        self.evaluator = evaluator
        self.conditions = evaluator.conditions
        self.run_handlers = run_handlers
        self.inputs = inputs
        self.externals = externals
        self.unmodelled = UnmodelledFunctions(context, evaluator)
        self.intrinsics = ModelIntrinsics(context, evaluator, allocation, memory.block_types, inputs)
        self.handlers: dict[str, Callable[[ast.Call, CType | None, str], Value | LValue | None]] = {
            "malloc": allocation.malloc,
            "__builtin_malloc": allocation.malloc,
            "calloc": allocation.calloc,
            "__builtin_calloc": allocation.calloc,
            "realloc": allocation.realloc,
            "free": allocation.free,
            "__builtin_free": allocation.free,
            "alloca": allocation.alloca,
            "__builtin_alloca": allocation.alloca,
            "memset": memory.memset,
            "__builtin_memset": memory.memset,
            "memcpy": memory.memcpy,
            "memmove": memory.memcpy,
            "__builtin_memcpy": memory.memcpy,
            "__builtin_memmove": memory.memcpy,
            "__builtin_expect": self.expect,
            "__builtin_expect_with_probability": self.expect,
            "__builtin_assume_aligned": self.expect,
            "__builtin_unreachable": self.unreachable,
            "__builtin_constant_p": self.never,
            "__builtin_object_size": self.unknown_size,
            **dict.fromkeys(FLOATING, self.floating),
            **dict.fromkeys(CLASSES, self.classified),
            **dict.fromkeys(SPECIAL, self.special),
            **self.intrinsics.handlers,
        }

    def overrides(self, name: str) -> bool:
        """A call of an error function is an error, also where the program gives it a body."""
        return name in ERRORS

    def call(self, expr: ast.Call, name: str, want: CType | None, into: str) -> Value | LValue | None:
        if name in SHAPE_FUNCTIONS:
            return self.conditions.truth(expr)
        if name in self.handlers:
            return self.handlers[name](expr, want, into)
        if name in INPUT_SHAPES:
            return self.inputs.input_heap(expr, INPUT_SHAPES[name], want, into)
        for prefix, what in UNSUPPORTED_PREFIXES.items():
            if name == prefix or (prefix.endswith("_") and name.startswith(prefix)):
                raise UnsupportedError(f"'{name}' ({what})", expr.span)
        return self.simple(expr, name, want)

    def simple(self, expr: ast.Call, name: str, want: CType | None) -> Value | LValue | None:
        if name in ASSERT_FAILURES or name in ERRORS:
            return self.failure(expr, name)
        if name in ASSUMES:
            self.assume(expr.arguments[0])
            return None
        if name == SUMMARIZE:
            pointer = self.evaluator.pointer(expr.arguments[0])
            self.b.at(expr.span)
            self.b.emit(Skip(f"{name}(...)", pointer.name if isinstance(pointer, Var) else ""))
            return None
        if is_external(name, self.variables.find_function(name)) and name not in IGNORED | INPUTS:
            return self.externals.call(expr, name, want)
        discarded = self.state.discarded
        unknown = name.startswith("__builtin_") or is_library_function(name, self.variables.find_function(name))
        if name not in EVALUATED and unknown:
            result = self.unmodelled.call(expr, name)
            return self.end(expr, name) if self.ends(name) else result
        for argument in expr.arguments:
            self.evaluator.effects(argument)
        self.b.at(expr.span)
        if name in ENDS or self.ends(name):
            return self.end(expr, name)
        if name in IGNORED:
            self.b.emit(Skip(f"{name}(...)"))
            if discarded or isinstance(expr.type, VoidType):
                return None
            return self.operands.approximate(self.layout.int_type(expr.type))
        if not name.startswith("__VERIFIER_nondet_") and name not in INPUTS:
            self.b.assumption(f"library function '{name}' returns any value of its type and changes no memory")
        elif isinstance(expr.type, PointerType):
            return self.inputs.wild_pointer(name)
        untyped = isinstance(expr.type, PointerType) and isinstance(expr.type.to, VoidType)
        low, high = RANGES.get(name, (None, None))
        return self.inputs.any_value(PointerType(want) if untyped and want is not None else expr.type, name, low, high)

    def remainder(self, expr: ast.Binary) -> Value | None:
        """`rand() % 6`: any of the remainders, if that is what an expression says."""
        call, divisor = _widened(expr.left), _widened(expr.right)
        if expr.op != "%" or not isinstance(call, ast.Call) or not isinstance(divisor, ast.IntLiteral):
            return None
        name = called_name(call)
        function = self.variables.find_function(name)
        defined = function is not None and function.body is not None
        if defined or call.arguments or not 0 < divisor.value <= RANDOM.get(name, 0):
            return None
        self.b.at(expr.span)
        value = self.inputs.any_value(expr.type, name, 0, divisor.value - 1)
        assert not isinstance(value, LValue)
        return value

    def ends(self, name: str) -> bool:
        """Whether a function is declared not to return."""
        function = self.variables.find_function(name)
        return function is not None and (function.no_return or function.type.no_return)

    # --- ends and conditions -----------------------------------------------------------------------------------------

    def end(self, expr: ast.Call, name: str) -> Value | LValue | None:
        """The end of the program; `exit` runs the functions that were registered for it."""
        self.b.emit(Skip(f"{name}()"))
        if name == "exit":
            self.run_handlers()
        self.b.current = None
        return self.inputs.no_result(expr.type)

    def failure(self, expr: ast.Call, name: str) -> Value | LValue | None:
        subject = name if name in ERRORS else text(expr.arguments[0], self.layout).strip('"') if expr.arguments else ""
        self.b.at(expr.span)
        self.b.fail(CheckKind.ASSERT, subject, name if name in ERRORS else "assert")
        return self.inputs.no_result(expr.type)

    def assume(self, condition: ast.Expr) -> None:
        holds, fails = self.b.location(), self.b.location()
        self.conditions.branch(condition, holds, fails)
        self.b.current = fails
        self.block()
        self.b.current = holds

    def block(self) -> None:
        """The end of all runs that come here."""
        self.b.emit(Assume(FALSE))
        self.b.current = None

    def expect(self, expr: ast.Call, want: CType | None, into: str) -> Value | None:
        return self.evaluator.value(expr.arguments[0])

    def unreachable(self, expr: ast.Call, want: CType | None, into: str) -> None:
        self.b.assumption("__builtin_unreachable() is never reached", expr.span)
        self.block()

    def floating(self, expr: ast.Call, want: CType | None, into: str) -> Value | None:
        """A function of math.h whose result IEEE 754 determines."""
        operands = tuple(self.evaluator.integer(argument) for argument in expr.arguments)
        operation = FLOATING[called_name(expr)]
        self.b.at(expr.span)
        if operation == "ne":
            operands *= 2  # what is no number differs from itself
        ctype = expr.arguments[0].type
        size = ctype.size if isinstance(ctype, FloatType) else 0
        return self.operands.floating(operation, operands, size, self.layout.int_type(expr.type))

    def classified(self, expr: ast.Call, want: CType | None, into: str) -> Value | None:
        """What kind of number a floating-point number is, or how two compare, without an exception."""
        numbers = tuple(self.evaluator.integer(argument) for argument in expr.arguments)
        ctype, operation = expr.arguments[0].type, CLASSES[called_name(expr)]
        self.b.at(expr.span)
        if not isinstance(ctype, FloatType) or ctype.size not in floating_point.SIZES:
            return self.operands.approximate(INT)
        size = ctype.size

        def test(name: str, *operands: Expr) -> Expr:
            return self.operands.floating(name, operands, size, INT)

        if operation in _ORDERS:
            return self.either([test(one, *numbers) for one in _ORDERS[operation]])
        if operation == "isunordered":
            return self.either([test("ne", one, one) for one in numbers])
        if operation == "signbit":
            return Binary("<", numbers[0], Const(0, numbers[0].type), INT)
        distance = self.operands.floating("abs", numbers, size, numbers[0].type)
        infinity = self.operands.float_constant(math.inf, ctype)
        if operation == "isinf":
            return test("eq", distance, infinity)
        finite = test("lt", distance, infinity)
        if operation == "isfinite":
            return finite
        least = self.operands.float_constant(2.0**-126 if size == 4 else 2.0**-1022, ctype)
        return self.operands.arithmetic("&", finite, test("ge", distance, least), INT)

    def either(self, truths: list[Expr]) -> Expr:
        return truths[0] if len(truths) == 1 else self.operands.arithmetic("|", truths[0], truths[1], INT)

    def special(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        """Infinity, or what is no number."""
        assert isinstance(expr.type, FloatType)
        return self.operands.float_constant(SPECIAL[called_name(expr)], expr.type)

    def never(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        return Const(0, INT)

    def unknown_size(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        return Const(self.layout.size_type.maximum, self.layout.size_type)


def _widened(expr: ast.Expr) -> ast.Expr:
    """The operand of a chain of widening casts that keep every positive int."""
    while isinstance(expr, ast.Cast) and isinstance(expr.type, IntegerType) and expr.type.int.bits >= 32:
        expr = expr.operand
    return expr
