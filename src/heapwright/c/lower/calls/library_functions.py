"""Built-in library functions: allocation, memory, termination, nondeterministic inputs, output.

A function that is neither built in nor modelled in C (c/models) nor of the C library is external (external_calls.py).
Threads and non-local jumps are not supported.
"""

from __future__ import annotations

from collections.abc import Callable

from heapwright.base.errors import UnsupportedError
from heapwright.c import ast
from heapwright.c.library_models import declared_functions
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
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.types import CType, PointerType, VoidType
from heapwright.program.checks import CheckKind
from heapwright.program.commands import (
    Assume,
    Skip,
)
from heapwright.program.expressions import (
    Const,
    Var,
)

ERRORS = frozenset({"__VERIFIER_error", "reach_error"})
ENDS = frozenset({"exit", "_exit", "_Exit", "abort", "quick_exit", "__builtin_trap", "__builtin_abort"})
ASSUMES = frozenset({"__VERIFIER_assume", "__hw_assume", "__builtin_assume"})
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
EVALUATED = ENDS | IGNORED | INPUTS  # for their arguments: they do nothing else with them
INPUT_SHAPES = {
    "__hw_any_list": "acyclic",
    "__hw_any_dll": "dll",
    "__hw_any_cyclic": "cyclic",
    "__hw_any_tree": "tree",
    "__hw_any": "",
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
            "__builtin_unreachable": self.unreachable,
            "__builtin_constant_p": self.never,
            "__builtin_object_size": self.unknown_size,
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
        if name not in EVALUATED and name.removeprefix("__builtin_") in declared_functions():
            return self.unmodelled.call(expr, name)
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
        return self.inputs.any_value(PointerType(want) if untyped and want is not None else expr.type, name)

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

    def never(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        return Const(0, INT)

    def unknown_size(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        return Const(self.layout.size_type.maximum, self.layout.size_type)
