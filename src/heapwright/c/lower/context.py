"""Context of one lowering: everything that does not recurse over the syntax tree, built in order of dependency.

A part of lowering (`Part`) gets the context at construction. The recursive parts own one another from above: calls own
the lowering of statements, which owns that of expressions, and each passes itself down as one of the protocols of
interfaces.py.
"""

from __future__ import annotations

from heapwright.c.ast import FunctionDecl
from heapwright.c.lower.graph_builder import GraphBuilder
from heapwright.c.lower.prepass import address_taken, callgraph
from heapwright.c.lower.prepass.environment import Environment
from heapwright.c.lower.prepass.global_values import written_variables
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.object_layout import (
    AddressTaken,
    Layout,
)
from heapwright.c.lower.prepass.overlapping_inputs import separate_objects
from heapwright.c.lower.storage.accesses import Accesses
from heapwright.c.lower.storage.aggregates import Aggregates
from heapwright.c.lower.storage.frame import Frame, LoweringState
from heapwright.c.lower.storage.lvalues import LValues
from heapwright.c.lower.storage.operands import Operands
from heapwright.c.lower.storage.scopes import Scopes
from heapwright.c.lower.storage.variables import Variables


class Context:
    def __init__(
        self,
        linked: LinkedProgram,
        known: AddressTaken,
        entry: FunctionDecl,
        environment: Environment,
        *,
        malloc_may_fail: bool,
        executed: tuple[str, ...] | None = None,
        recorded: bool = False,
    ) -> None:
        self.linked = linked
        self.entry = entry
        self.environment = environment
        self.malloc_may_fail = malloc_may_fail
        self.executed = executed
        self.recorded = recorded
        self.builder = GraphBuilder()
        self.layout = Layout(linked.records, known, linked.pointer_bits)
        if known.version == 0:
            address_taken.gather(linked, self.layout, environment)
            if environment.inputs == "any":
                separate_objects(linked, self.layout, entry)
        self.written = written_variables(linked)
        self.punned = address_taken.punned_types(self.layout)
        self.callgraph = callgraph.build(linked, entry, self.layout.passes_scalars, environment)
        self.state = LoweringState(Frame(entry, 0, None))
        self.variables = Variables(self.builder, self.layout, linked, self.state, entry)
        self.scopes = Scopes(self.builder, self.layout, self.variables)
        self.operands = Operands(self.builder, self.layout)
        self.lvalues = LValues(self.builder, self.layout, self.variables, self.scopes, self.operands)
        self.accesses = Accesses(self.builder, self.layout, self.variables, self.operands, self.lvalues)
        self.aggregates = Aggregates(self.layout, self.operands, self.lvalues, self.accesses)


class Part:
    """A part of lowering, with the context at hand."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.b = context.builder
        self.layout = context.layout
        self.state = context.state
        self.variables = context.variables
        self.scopes = context.scopes
        self.operands = context.operands
        self.lvalues = context.lvalues
        self.accesses = context.accesses
        self.aggregates = context.aggregates
