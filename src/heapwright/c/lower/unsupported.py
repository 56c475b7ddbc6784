"""Constructs that are not supported: only runs that come to one are affected.

Where the lowering of a statement fails, what it has emitted is taken back, and a check stands in its place that is
unknown if a run reaches it; the run ends there. What lies before it and beside it is decided as ever.

    before = Checkpoint(context)
    try: ...
    except UnsupportedError as error: before.leave_out(error, span)
"""

from __future__ import annotations

from heapwright.base.errors import UnsupportedError
from heapwright.base.source import Span
from heapwright.c import ast
from heapwright.c.ast import Expr, Stmt
from heapwright.c.lower.context import Context
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.prepass.tree_queries import Node, children, walk
from heapwright.c.lower.storage.operands import nonzero


class Checkpoint:
    """The state of lowering in front of a statement."""

    def __init__(self, context: Context) -> None:
        b, state = context.builder, context.state
        frame = state.frame
        self.context = context
        self.edges, self.current = len(b.edges), b.current
        self.builder_state = (b.function, b.calls, b.fixed_span, b.model, b.arguments, b.checks_accesses)
        self.scopes = tuple(context.scopes.stack)
        self.frame = frame
        self.depths = (len(frame.breaks), len(frame.continues), len(frame.switches))

    def leave_out(self, error: UnsupportedError, span: Span) -> None:
        """Take back what was emitted since, and end the runs that come here."""
        b, state, frame = self.context.builder, self.context.state, self.frame
        del b.edges[self.edges :]
        b.current = self.current
        b.function, b.calls, b.fixed_span, b.model, b.arguments, b.checks_accesses = self.builder_state
        self.context.scopes.stack = list(self.scopes)
        state.frame, state.wanted_type, state.discard, state.discarded = frame, None, False, False
        for stack, depth in zip((frame.breaks, frame.continues, frame.switches), self.depths, strict=True):
            del stack[depth:]  # type: ignore[attr-defined]  # lists of different types
        if b.current is not None:
            b.at(error.span or span)
            outcome = nonzero(self.context.operands.approximate(INT))
            b.unsupported(error.construct, error.span or span, outcome)


def is_entered(statement: Stmt | Expr) -> bool:
    """Whether a jump or a switch around a statement may lead into it."""
    if any(isinstance(node, ast.Label) for node in walk(statement)):
        return True
    stack: list[Node] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Case | ast.Default):
            return True
        if not isinstance(node, ast.Switch):
            stack.extend(children(node))
    return False
