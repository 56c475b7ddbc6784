"""Summaries of library functions that read strings of `argv`: their results, without following them through a string of
unknown length.

    n = atoi(argv[1]);      # reads argv[1][0], and returns any number

The result is an input if nothing else looks at the string; otherwise it is approximate, since it may have to agree with
what else is known of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.c import ast
from heapwright.c.lower.calls.inputs import Inputs
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.expressions.rvalues import RValues
from heapwright.c.lower.prepass.object_layout import is_pointer
from heapwright.c.lower.prepass.source_text import text
from heapwright.c.lower.prepass.terminated_strings import TerminatedStrings
from heapwright.c.lower.prepass.tree_queries import called_name, is_null_constant, strip_casts, walk
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.types import ArrayType, PointerType, VoidType
from heapwright.program.commands import Length
from heapwright.program.expressions import Const, IntVar, Var

ONE = ("atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoll", "strtod", "strlen", "puts", "perror")
TWO = ("strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll")
READERS = dict.fromkeys(ONE, 1) | dict.fromkeys(TWO, 2)  # how many strings they read
PRINTERS = {"printf": 0, "fprintf": 1, "dprintf": 1}  # the position of the format, which is followed


class StringSummaries(Part):
    """Calls that need not be followed."""

    def __init__(self, context: Context, evaluator: RValues, inputs: Inputs) -> None:
        super().__init__(context)
        self.evaluator = evaluator
        self.inputs = inputs
        self.strings = TerminatedStrings(context.linked, context.entry)

    def applies(self, expr: ast.Call, name: str) -> bool:
        count = READERS.get(name, 0)
        if not count or not self.strings.known or self.context.executed is not None or len(expr.arguments) < count:
            return False
        read, rest = expr.arguments[:count], expr.arguments[count:]
        literal = [isinstance(one, ast.Cast) and one.decay for one in map(strip_casts, read)]
        others = all(not is_pointer(one.type) or is_null_constant(one, self.layout) for one in rest)
        return others and all(map(self.strings.holds, read)) and not all(literal)

    def call(self, expr: ast.Call, name: str) -> Value | LValue | None:
        pointers = [self.string(argument) for argument in expr.arguments[: READERS[name]]]
        for argument in expr.arguments[READERS[name] :]:
            self.evaluator.effects(argument)
        self.b.at(expr.span)
        if name == "strlen" and isinstance(pointers[0], Var):
            size = self.layout.size_type
            cells = IntVar(self.b.data_temporary(size), size)
            self.b.emit(Length(cells.name, pointers[0].name))
            return self.operands.arithmetic("-", cells, Const(1, size), size)
        if isinstance(expr.type, VoidType):
            return None
        if self.is_input(expr, name):
            return self.inputs.any_value(expr.type, f"result of {name}")
        return self.operands.approximate(self.layout.int_type(expr.type))

    def is_input(self, expr: ast.Call, name: str) -> bool:
        """Whether any result is that of some string. It is not, if the run has seen something of the string before."""
        if id(expr) not in self.strings.alone:
            return False
        if name not in TWO:
            return all(isinstance(strip_casts(one), ast.IntLiteral) for one in expr.arguments[1:])
        empty = any(isinstance(node, ast.StringLiteral) and len(node.bytes) == 1 for node in walk(expr))
        counts = map(strip_casts, expr.arguments[2:])
        return not empty and all(isinstance(one, ast.IntLiteral) and one.value > 0 for one in counts)

    def printed(self, call: ast.Call, positions: Sequence[int]) -> tuple[ast.Expr, ...]:
        """Arguments of a function that prints, with strings of `argv` read here. Its result is not used."""
        arguments = tuple(call.arguments[i] for i in positions)
        followed = self.context.executed is not None or not self.strings.known or not self.state.discarded
        if called_name(call) not in PRINTERS or followed:
            return arguments
        format = call.arguments[PRINTERS[called_name(call)]]
        discarded = self.state.discarded
        found = tuple(one if one is format else self.shortened(one) for one in arguments)
        self.state.discarded = discarded
        return found

    def shortened(self, argument: ast.Expr) -> ast.Expr:
        bare = strip_casts(argument)
        literal = isinstance(bare, ast.Cast) and bare.decay
        if literal or not isinstance(argument.type, PointerType) or not self.strings.holds(argument):
            return argument
        self.string(argument)
        empty = ast.StringLiteral(ArrayType(argument.type.to, 1), argument.span, b"\0")
        return ast.Cast(argument.type, argument.span, empty, decay=True)

    def string(self, argument: ast.Expr) -> Value:
        """A string that is read: its first character, the rest is there."""
        pointer = self.operands.snapshot_pointer(self.evaluator.pointer(argument))
        self.b.at(argument.span)
        bare = strip_casts(argument)
        type = bare.type if isinstance(bare.type, PointerType) else argument.type
        assert isinstance(type, PointerType)
        if not (isinstance(bare, ast.Cast) and bare.decay):
            self.accesses.load(self.lvalues.dereference(pointer, type.to, text(argument, self.layout)))
        return pointer
