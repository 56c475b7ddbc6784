"""Results of functions without a body that are `const` or `pure` (GNU's attributes): the same where nothing changed.

Of a function that is `const` the arguments and the result of the last call are kept. A result for other arguments is an
input as long as those of one other call are known; later it is approximate, since it may have to be that of an earlier
call:

    int size(int k) __attribute__((const));    size(3) == size(3)    // holds

The result of one that is `pure` is approximate where it may have to be that of an earlier call with the same arguments:
where no memory was written between them on some path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.prepass.source_text import text
from heapwright.c.lower.prepass.tree_queries import walk
from heapwright.c.lower.storage.values import Value
from heapwright.c.types import FloatType, IntegerType
from heapwright.program.commands import (
    Assign,
    Command,
    Compute,
    Copy,
    External,
    Fill,
    Free,
    Havoc,
    Scramble,
    Skip,
    Store,
    StoreCell,
    StoreData,
    StoreDataCell,
)
from heapwright.program.expressions import Compare, Const, Expr, IntVar
from heapwright.program.graph import Edge, Graph
from heapwright.program.types import IntType, ValueKind, Variable

NONE, ONE, SEVERAL = 0, 1, 2  # lists of arguments so far
WRITES = (Store, StoreData, StoreCell, StoreDataCell, Copy, Fill, External, Free, Scramble)


@dataclass(frozen=True, slots=True)
class LastCall:
    """Variables: how many lists of arguments there were, and the arguments and the result of the last call."""

    count: IntVar
    arguments: tuple[IntVar, ...]
    result: IntVar


@dataclass(frozen=True, slots=True)
class PureCall:
    """Calls of a function with the same text of arguments, whose variables are `reads`."""

    function: int
    text: tuple[str, ...]
    reads: frozenset[str]


class RepeatedResults(Part):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._calls: dict[int, LastCall] = {}
        self._pure: dict[str, PureCall] = {}  # by the variable of the result

    @property
    def counts(self) -> list[str]:
        """The variables that are 0 where the program begins."""
        return [call.count.name for call in self._calls.values()]

    def of(self, function: FunctionDecl, arguments: Sequence[Expr], any_result: Callable[[], Value]) -> Value:
        """The result for these arguments, which `any_result` gives where none is known."""
        last = self._last_call(function, arguments)
        result = IntVar(self.b.data_temporary(last.result.type), last.result.type)
        none, some, other, after = (self.b.location() for _ in range(4))
        self.b.split(Compare("==", last.count, Const(NONE, INT)), none, some)
        self.b.current = some
        for known, argument in zip(last.arguments, arguments, strict=True):
            equal = self.b.location()
            self.b.split(Compare("==", known, argument), equal, other)
            self.b.current = equal
        self.b.emit(Compute(result.name, last.result))
        self.b.goto(after)
        self.b.current = none
        self._keep(last, ONE, arguments, any_result(), result)
        self.b.goto(after)
        first, later = self.b.location(), self.b.location()
        self.b.current = other
        self.b.split(Compare("==", last.count, Const(ONE, INT)), first, later)
        for start in (first, later):
            self.b.current = start
            value = any_result() if start == first else self.operands.approximate(result.type)
            self._keep(last, SEVERAL, arguments, value, result)
            self.b.goto(after)
        self.b.current = after
        return result

    def _keep(self, last: LastCall, count: int, arguments: Sequence[Expr], value: Value, result: IntVar) -> None:
        assert isinstance(value, IntVar)
        self.b.emit(Compute(result.name, value))
        self.b.emit(Compute(last.count.name, Const(count, INT)))
        self.b.emit(Compute(last.result.name, value))
        for known, argument in zip(last.arguments, arguments, strict=True):
            self.b.emit(Compute(known.name, argument))

    def _last_call(self, function: FunctionDecl, arguments: Sequence[Expr]) -> LastCall:
        if id(function) not in self._calls:
            self._calls[id(function)] = LastCall(
                self._variable(f"{function.name} calls", INT),
                tuple(self._variable(f"{function.name} argument", one.type) for one in arguments),
                self._variable(f"{function.name} result", self.layout.int_type(function.type.result)),
            )
        return self._calls[id(function)]

    def _variable(self, name: str, type: IntType) -> IntVar:
        unique = f"{name} #{len(self.b.variables)}"
        return IntVar(self.b.declare(Variable(unique, ValueKind.DATA, type, "", "", "")), type)

    # --- pure functions ----------------------------------------------------------------------------------------------

    def note(self, function: FunctionDecl, expr: ast.Call, result: IntVar) -> None:
        """The result of a function that is `pure` is in a variable."""
        reads = (node.decl for argument in expr.arguments for node in walk(argument) if isinstance(node, ast.VarRef))
        names = frozenset(self.variables.name_of(decl) for decl in reads)
        words = tuple(text(argument, self.layout) for argument in expr.arguments)
        self._pure[result.name] = PureCall(id(function), words, names)

    def with_repeats(self, graph: Graph[Command]) -> Graph[Command]:
        """The graph, in which results of pure functions are approximate where they may have to be earlier ones."""
        if not self._pure:
            return graph
        repeated = {name for edge in graph.edges if self._call(edge) is not None for name in self._next(graph, edge)}
        edges = tuple(
            replace(edge, command=replace(edge.command, approximate=True))
            if isinstance(edge.command, Havoc) and edge.command.target in repeated
            else edge
            for edge in graph.edges
        )
        return replace(graph, edges=edges)

    def _call(self, edge: Edge[Command]) -> PureCall | None:
        return self._pure.get(edge.command.target) if isinstance(edge.command, Havoc) else None

    def _next(self, graph: Graph[Command], start: Edge[Command]) -> set[str]:
        """The results of the same call that paths without a write lead to."""
        call, found, seen, left = self._call(start), set[str](), {start.target}, [start.target]
        assert call is not None
        while left:
            for edge in graph.successors[left.pop()]:
                if self._call(edge) == call and isinstance(edge.command, Havoc):
                    found.add(edge.command.target)
                elif edge.target not in seen and not self._changes(edge.command, call):
                    seen.add(edge.target)
                    left.append(edge.target)
        return found

    def _changes(self, command: Command, call: PureCall) -> bool:
        """Whether a call may have another result after a command."""
        match command:
            case Skip(unmodelled=reason):
                return bool(reason)
            case Assign(target=name) | Compute(target=name) | Havoc(target=name):
                variable = self.b.variables[name]
                return name in call.reads or not (variable.function or variable.temporary)
        return isinstance(command, WRITES)


def gives_equal_results(function: FunctionDecl) -> bool:
    """Whether the result depends on the arguments alone, which are numbers."""
    types = (function.type.result, *function.type.parameters)
    numbers = all(isinstance(one, IntegerType | FloatType) for one in types)
    return function.attributes.constant and numbers and not function.type.variadic
