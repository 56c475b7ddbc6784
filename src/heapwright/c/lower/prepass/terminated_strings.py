"""Expressions that are strings of `argv`, null or literals, whatever happens: functions of the library that only read
strings need not be followed through them.

    int main(int argc, char **argv) { const char *name = argc > 1 ? argv[1] : "x"; return atoi(name); }

Variables are such strings if everything that is assigned to them is (greatest fixpoint). Nothing is, if something may
be done to the strings, or to `argv`, that is not followed, because a string might then lose its end.
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.lower.prepass.argument_aliases import ArgumentAliases, depth
from heapwright.c.lower.prepass.global_values import variable_of
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.tree_queries import called_name, walk
from heapwright.c.types import PointerType


class TerminatedStrings:
    def __init__(self, linked: LinkedProgram, entry: FunctionDecl) -> None:
        self.linked = linked
        self.arguments = frozenset(id(one) for one in entry.parameters[1:2] if entry.name == "main")
        self.known: frozenset[int] = frozenset()  # id() of variables
        self.alone: frozenset[int] = frozenset()  # id() of calls whose strings nothing else looks at
        used = entry.body is not None and any(self._is_argument(node) for node in walk(entry.body))
        self.functions = [one for one in linked.all_functions if one.body is not None and not linked.is_model(one)]
        if used:
            self._solve(entry)

    def holds(self, expr: ast.Expr) -> bool:
        """Whether an expression is a string of `argv`, null or a literal, which has one zero, at its end."""
        while isinstance(expr, ast.Cast) and not expr.decay:
            expr = expr.operand
        match expr:
            case ast.Cast(operand=ast.StringLiteral(bytes=text)):
                return text.find(0) == len(text) - 1  # its length is that of its array
            case ast.IntLiteral(value=0):
                return True
            case ast.VarRef(decl=decl):
                return id(decl) in self.known and depth(decl.type) == 1
            case ast.Conditional(then=then, other=other) if then is not None:
                return self.holds(then) and self.holds(other)
            case ast.Subscript(base=base):
                return self._is_array(base)
            case ast.Deref(operand=operand):
                return self._is_array(operand)
        return False

    def _is_array(self, expr: ast.Expr) -> bool:
        """Whether an expression points into `argv`."""
        while True:
            match expr:
                case ast.Cast(decay=False, operand=operand):
                    expr = operand
                case ast.IncDec(operand=operand):
                    expr = operand
                case ast.Binary(op="+" | "-", left=left) if isinstance(expr.type, PointerType):
                    expr = left
                case ast.VarRef(decl=decl):
                    return id(decl) in self.known and depth(decl.type) == 2
                case _:
                    return False

    def _is_argument(self, node: object) -> bool:
        return isinstance(node, ast.VarRef) and id(node.decl) in self.arguments

    # --- variables ------------------------------------------------------------------------------------------------

    def _solve(self, entry: FunctionDecl) -> None:
        values: dict[int, list[ast.Expr | None]] = {}
        candidates: set[int] = set()
        excluded: set[int] = set()
        for function in self.functions:
            for parameter in function.parameters:
                candidates.add(id(parameter))
            for node in walk(function.body) if function.body is not None else ():
                if isinstance(node, VarDecl) and node.storage == "local" and depth(node.type):
                    candidates.add(id(node))
                if isinstance(node, ast.AddressOf) and (taken := variable_of(node.operand)) is not None:
                    excluded.add(id(taken))
                if isinstance(node, ast.IncDec) and isinstance(node.operand, ast.VarRef) and depth(node.type) == 1:
                    excluded.add(id(node.operand.decl))
                for decl, value in self._assigned(function, node):
                    values.setdefault(id(decl), []).append(value)
        addressed = list(self._addressed())
        callable = {id(one) for function in addressed for one in function.parameters}
        known = frozenset(candidates - excluded - callable)
        while known != self.known:
            self.known = known
            known = frozenset(one for one in self.known if all(map(self._fits, values.get(one, ()))))
        aliases = ArgumentAliases(self.linked, self.functions, self.arguments, addressed)
        if not self.arguments <= self.known or not aliases.confined(self.holds):
            self.known = frozenset()
        else:
            self.alone = aliases.alone(entry)

    def _fits(self, value: ast.Expr | None) -> bool:
        if value is None:
            return False
        return self._is_array(value) if depth(value.type) == 2 else self.holds(value)

    def _assigned(self, function: FunctionDecl, node: object) -> Iterator[tuple[VarDecl, ast.Expr | None]]:
        """The value that a node gives to variables; None for something that is no expression of its type."""
        match node:
            case VarDecl(initializer=value) if value is not None:
                yield node, value
            case ast.Assign(left=ast.VarRef(decl=decl), right=right, op=op):
                moves = op in ("+", "-") and depth(decl.type) == 2
                if not moves:
                    yield decl, right if not op else None
            case ast.Call():
                target = self.linked.called(node, function)
                for index, parameter in enumerate(target.parameters if target is not None else ()):
                    yield parameter, node.arguments[index] if index < len(node.arguments) else None

    def _addressed(self) -> Iterator[FunctionDecl]:
        """Functions that may be called otherwise than by name."""
        for function in self.functions:
            nodes = list(walk(function.body)) if function.body is not None else []
            calls = (node for node in nodes if isinstance(node, ast.Call) and called_name(node))
            called = {id(below) for call in calls for below in walk(call.callee)}
            for node in nodes:
                if isinstance(node, ast.FunctionRef) and id(node) not in called:
                    found = self.linked.find(node.name, function)
                    if found is not None:
                        yield found
        for variable in self.linked.variables:
            for node in walk(variable):
                found = self.linked.find(node.name, variable) if isinstance(node, ast.FunctionRef) else None
                if found is not None:
                    yield found
