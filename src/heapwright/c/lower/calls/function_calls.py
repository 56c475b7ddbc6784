"""Calls: inlining, and shared bodies with activation records.

A shared function has one body. A call stores a number in the function's `site` variable and jumps to its entry; the
body's end branches on that number back to the callers. A caller that the callee may call again (recursion) keeps its
variables in an activation record, a stack object on the chain `call stack`, while the call lasts. Which variables those
are is known only when the graph is complete; activation_records.py fills them in then.
"""

from __future__ import annotations

from heapwright.base.errors import UnsupportedError
from heapwright.base.source import Span
from heapwright.c import ast
from heapwright.c.ast import FunctionDecl
from heapwright.c.format_models import format_call
from heapwright.c.lower.calls.activation_records import RecursiveCall, SharedBody
from heapwright.c.lower.calls.allocation import Allocation
from heapwright.c.lower.calls.block_types import BlockTypes
from heapwright.c.lower.calls.calls_through_pointers import Argument, CallsThroughPointers
from heapwright.c.lower.calls.external_calls import ExternalCalls
from heapwright.c.lower.calls.inputs import Inputs
from heapwright.c.lower.calls.library_functions import LibraryFunctions
from heapwright.c.lower.calls.memory_functions import MemoryFunctions
from heapwright.c.lower.calls.string_summaries import StringSummaries
from heapwright.c.lower.calls.variadic_arguments import VariadicArguments
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.prepass.linking import AT_EXIT
from heapwright.c.lower.prepass.object_layout import is_aggregate, is_pointer
from heapwright.c.lower.prepass.source_text import text
from heapwright.c.lower.prepass.tree_queries import called_name, has_effects
from heapwright.c.lower.statements import Statements
from heapwright.c.lower.storage.frame import Frame
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.lower.unsupported import Checkpoint
from heapwright.c.types import CType, PointerType, VoidType
from heapwright.program.checks import CheckKind
from heapwright.program.commands import Assert, Compute, Protect
from heapwright.program.expressions import NULL, Const, Expr, PointerCompare, Var

MEASURING = frozenset({"strlen", "wcslen"})


class Calls(Part):
    """Lowers calls; implements `CallLowering` for the expressions in which they stand."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.statements = Statements(context, self)
        self.evaluator = self.statements.evaluator
        self.block_types = BlockTypes(context)
        memory = MemoryFunctions(context, self.evaluator, self.block_types)
        self.allocation = Allocation(context, self.evaluator, self.block_types, memory)
        self.inputs = Inputs(context, self.evaluator.conditions)
        self.externals = ExternalCalls(context, self.evaluator, self.inputs, self.call_back)
        self.library = LibraryFunctions(
            context, self.evaluator, self.allocation, memory, self.inputs, self.externals, self.run_handlers
        )
        self.summaries = StringSummaries(context, self.evaluator, self.inputs)
        self.shared: dict[int, SharedBody] = {}
        self.pending: list[tuple[FunctionDecl, SharedBody]] = []
        self.recursive: list[RecursiveCall] = []
        self.through_pointers = CallsThroughPointers(context, self)
        self.variadic = VariadicArguments(context)
        self.exiting = False

    # --- calls in expressions ----------------------------------------------------------------------------------------

    def call(self, expr: ast.Call, into: str = "") -> Value | None:
        want, self.state.wanted_type = self.state.wanted_type, None
        self.state.discarded, self.state.discard = self.state.discard, False
        result = self.lower_call(expr, want, into)
        self.externals.may_set_errno(expr, exactly=not self.summaries.applies(expr, called_name(expr)))
        if isinstance(result, LValue):
            return None if is_aggregate(result.type) else self.accesses.load(result)
        return result

    def remainder(self, expr: ast.Binary) -> Value | None:
        return self.library.remainder(expr)

    def call_aggregate(self, expr: ast.Call) -> LValue:
        result = self.lower_call(expr, None, "")
        self.externals.may_set_errno(expr, exactly=False)
        if isinstance(result, LValue):
            kept = self.lvalues.temporary(expr.type)
            self.aggregates.copy(kept, result)
            return kept
        raise UnsupportedError(f"struct result of '{called_name(expr)}'", expr.span)

    def lower_call(self, expr: ast.Call, want: CType | None, into: str) -> Value | LValue | None:
        formatted = self.format_model(expr, called_name(expr))
        if formatted is not None:
            model, positions = formatted
            return self.defined(model, self.arguments(self.summaries.printed(expr, positions)), expr.span, want)
        copy = self.context.linked.instances.get(id(expr))
        if copy is not None:
            return self.defined(copy, self.arguments(expr.arguments), expr.span, want)
        name = called_name(expr)
        if not name:
            return self.through_pointers.call(expr, want)
        function = self.variables.find_function(name)
        if (function is None or self.context.linked.is_model(function)) and self.summaries.applies(expr, name):
            return self.summaries.call(expr, name)
        if function is not None and function.body is None and function.attributes.weak:
            self.b.at(expr.span)
            there = PointerCompare("!=", Var(self.variables.function_address(name)), NULL)
            self.b.emit(Assert(there, self.b.check(CheckKind.NULL_DEREF, name)))
        if self.library.overrides(name) or function is None or function.body is None:
            return self.library.call(expr, name, want, into)
        arguments = self.arguments(expr.arguments)
        if name in MEASURING and self.context.linked.is_model(function):
            length = self.literal_length(arguments[0].value)
            if length is not None:
                return length
        self.state.call_tested(expr, function)
        return self.defined(function, arguments, expr.span, want)

    def literal_length(self, value: Value | LValue | None) -> Value | None:
        """The length of a string literal, which need not be read."""
        literal = self.variables.literal(value.name) if isinstance(value, Var) else None
        return None if literal is None else self.layout.size_constant(literal.index(0))

    def format_model(self, expr: ast.Call, name: str) -> tuple[FunctionDecl, tuple[int, ...]] | None:
        """The model of the format of printf, scanf or the like, and the positions of the arguments that it gets."""
        call = format_call(expr, name) if self.context.linked.formats else None
        models = None if call is None else self.context.linked.formats.get(call)
        if call is None or models is None:
            return None
        return models[0 if self.state.discarded else 1], call.passed

    def arguments(self, exprs: tuple[ast.Expr, ...]) -> list[Argument]:
        """Evaluate arguments from left to right; values that a later one may change are kept in temporaries."""
        result = []
        for index, expr in enumerate(exprs):
            value = self.evaluator.aggregate(expr) if is_aggregate(expr.type) else self.evaluator.value(expr)
            argument = Argument(expr, value)
            if any(has_effects(later) for later in exprs[index + 1 :]):
                argument = Argument(expr, self.keep_argument(argument))
            result.append(argument)
        return result

    def defined(
        self, function: FunctionDecl, arguments: list[Argument], span: Span, want: CType | None
    ) -> LValue | None:
        self.b.at(span)
        if self.b.current is None:
            return self.unreachable_result(function)
        if function.rest is not None and len(arguments) >= len(function.parameters):
            self.scopes.enter()
            arguments = self.variadic.packed(function, arguments)
            result = self.reached(function, arguments, span, want)
            self.scopes.leave(span)
            return result
        return self.reached(function, arguments, span, want)

    def reached(
        self, function: FunctionDecl, arguments: list[Argument], span: Span, want: CType | None
    ) -> LValue | None:
        if id(function) in self.context.callgraph.shared:
            return self.call_shared(function, arguments, span)
        return self.inline(function, arguments, span, want)

    def unreachable_result(self, function: FunctionDecl) -> LValue | None:
        """The result of a call that cannot be reached."""
        return None if isinstance(function.type.result, VoidType) else self.lvalues.temporary(function.type.result)

    def run_handlers(self) -> None:
        """The functions that `atexit` registered, then destructors."""
        if self.exiting:
            raise UnsupportedError("exit in a function that exit calls", self.b.span)
        self.exiting = True
        handlers = self.context.linked.functions.get(AT_EXIT)
        try:
            if handlers is not None and handlers.body is not None and self.b.current is not None:
                self.defined(handlers, [], self.b.span, None)
            for function in self.context.linked.destructors:
                self.defined(function, [], self.b.span, None)
        finally:
            self.exiting = False

    def run_constructors(self) -> None:
        """The functions that run before main."""
        for function in self.context.linked.constructors:
            self.defined(function, [], function.span, None)

    # --- inlining ----------------------------------------------------------------------------------------------------

    def inline(
        self, function: FunctionDecl, arguments: list[Argument], span: Span, want: CType | None
    ) -> LValue | None:
        b = self.b
        model = self.context.linked.is_model(function)
        outer = (b.function, b.calls, b.fixed_span, b.model, b.arguments)
        after = b.location()
        frame = Frame(function, after, self.result_lvalue(function), want)
        self.bind_constants(frame, arguments)
        if model:
            frame.modelled = self.state.frame.modelled or self.context.linked.modelled(function)
            texts = [b.in_words_of_user(text(one.expr, self.layout)) for one in arguments]
            b.arguments = {one.name: given for one, given in zip(function.parameters, texts, strict=False)}
            b.fixed_span, b.model, frame.tested = b.span, frame.modelled, self.state.how_tested(function)
        else:
            b.calls, b.function, b.fixed_span = (*b.calls, b.fixed_span or span), function.name, None
            b.model = ""
        self.body(frame, arguments)
        b.function, b.calls, b.fixed_span, b.model, b.arguments = outer
        b.at(span)
        b.current = after
        return frame.result

    def result_lvalue(self, function: FunctionDecl) -> LValue | None:
        result = function.type.result
        if isinstance(result, VoidType):
            return None
        if self.layout.in_memory(result):
            return self.lvalues.temporary(result)
        name = f"{self.variables.label(function)}::$result"
        self.variables.declare(name, result, "", function.name)
        return LValue(result, result, variable=name)

    def bind_constants(self, frame: Frame, arguments: list[Argument]) -> None:
        """Parameters that are never assigned and get a constant, a function or a measured size."""
        for parameter, argument in zip(frame.function.parameters, arguments, strict=False):
            if id(parameter) in self.context.callgraph.assigned or self.layout.is_boxed(parameter):
                continue
            if isinstance(argument.value, Const) and not is_pointer(parameter.type):
                frame.bound[id(parameter)] = self.operands.convert(argument.value, self.layout.int_type(parameter.type))
            elif isinstance(argument.value, Var) and (
                argument.value.name in self.variables.function_names or self.variables.literal(argument.value.name)
            ):
                frame.bound[id(parameter)] = argument.value
            if isinstance(parameter.type, PointerType) and isinstance(parameter.type.to, VoidType):
                pointee = self.block_types.pointee(argument.expr)
                if pointee is not None:
                    frame.pointees[id(parameter)] = pointee
            measured = self.block_types.measured(argument.expr)
            if measured is not None:
                frame.measures[id(parameter)] = measured

    def body(self, frame: Frame, arguments: list[Argument]) -> None:
        """The parameters and statements of a function, up to its return location."""
        function = frame.function
        assert function.body is not None
        outer_frame, outer_scopes = self.state.frame, self.scopes.stack
        self.scopes.stack = []
        self.scopes.enter()
        for index, parameter in enumerate(function.all_parameters):
            self.bind_parameter(parameter, arguments[index].value if index < len(arguments) else None)
        self.allocation.prepare_alloca(function)
        self.state.frame = frame
        before = Checkpoint(self.context)
        try:
            self.statements.lower(function.body)
        except UnsupportedError as error:
            before.leave_out(error, function.body.span)
            frame.labels, frame.gotos, frame.computed_gotos = {}, [], []
        self.fall_off(frame)
        self.scopes.leave(function.body.end)
        self.b.goto(frame.return_location)
        self.statements.resolve_gotos()
        self.state.frame, self.scopes.stack = outer_frame, outer_scopes

    def bind_parameter(self, parameter: ast.VarDecl, value: Value | LValue | None) -> None:
        name = self.variables.name_of(parameter)
        self.scopes.conceal(parameter)
        if self.layout.is_boxed(parameter):
            address = self.variables.address_variable(parameter)
            self.variables.new_block(address, parameter.type)
            self.scopes.stack[-1].blocks.append(address)
        else:
            self.variables.declare(name, parameter.type, parameter.name, self.b.function)
            self.scopes.add_pointers(name, parameter.type)
        lvalue = self.lvalues.of_variable(parameter)
        if isinstance(value, LValue):
            self.aggregates.copy(lvalue, value)
        elif value is None:
            if not lvalue.base:
                self.variables.uninitialised(lvalue.variable, lvalue.type)
        else:
            self.accesses.store(lvalue, self.adapted(value, parameter.type))
            if parameter.const and lvalue.base:
                self.b.emit(Protect(lvalue.base))

    def adapted(self, value: Value, ctype: CType) -> Value:
        """An argument of a call without a prototype may be of another kind than the parameter."""
        if is_pointer(ctype) and isinstance(value, Expr):
            if isinstance(value, Const) and value.value == 0:
                return NULL
            return self.operands.unknown_pointer(self.layout.pointee(ctype))
        if not is_pointer(ctype) and not isinstance(value, Expr):
            return self.operands.approximate(self.layout.int_type(ctype))
        return value

    def fall_off(self, frame: Frame) -> None:
        """The end of a function with a result but without a return: the result is indeterminate."""
        if self.b.current is not None and frame.result is not None and not frame.result.base:
            self.variables.uninitialised(frame.result.variable, frame.result.type)

    # --- shared bodies -----------------------------------------------------------------------------------------------

    def call_shared(self, function: FunctionDecl, arguments: list[Argument], span: Span) -> LValue | None:
        b = self.b
        body = self.shared_body(function)
        kept = [Argument(a.expr, self.keep_argument(a)) for a in arguments]
        caller = self.state.frame.function
        recursive = self.context.callgraph.recursive(caller, function)
        saved = None
        if recursive:
            assert b.current is not None
            saved = (b.current, b.location())
            b.current = saved[1]
        for index, parameter in enumerate(function.all_parameters):
            value = kept[index].value if index < len(kept) else None
            self.pass_parameter(function, parameter, value)
        site = self.variables.site_variable(function)
        b.emit(Compute(site, Const(len(body.sites), INT)))
        b.goto(body.entry)
        returned = b.location()
        body.sites.append(returned)
        b.current = returned
        if saved is not None:
            restored = (returned, b.location())
            in_scope = tuple(n for scope in self.scopes.stack for n in (*scope.pointers, *scope.blocks))
            self.recursive.append(RecursiveCall(caller, saved, restored, in_scope, span))
            b.current = restored[1]
            self.externals.after_recursion(caller)
        return body.result

    def keep_argument(self, argument: Argument) -> Value | LValue | None:
        if isinstance(argument.value, LValue):
            copy = self.lvalues.temporary(argument.value.type)
            self.aggregates.copy(copy, argument.value)
            return copy
        return self.operands.keep(argument.value)

    def pass_parameter(self, function: FunctionDecl, parameter: ast.VarDecl, value: Value | LValue | None) -> None:
        """Pass an argument in a variable of its own, from which the shared body sets its parameter."""
        name = f"{self.variables.label(function)}::$passed {parameter.name}"
        ctype = parameter.type
        if self.layout.in_memory(ctype):
            construct = f"struct parameter '{parameter.name}' of a recursive function, with an addressed part,"
            raise UnsupportedError(construct, parameter.span)
        self.variables.declare(name, ctype, "", function.name)
        lvalue = LValue(ctype, ctype, variable=name)
        if isinstance(value, LValue):
            self.aggregates.copy(lvalue, value)
        elif value is None:
            self.variables.uninitialised(lvalue.variable, lvalue.type)
        else:
            self.accesses.store(lvalue, self.adapted(value, ctype))

    def shared_body(self, function: FunctionDecl) -> SharedBody:
        if id(function) not in self.shared:
            if self.layout.in_memory(function.type.result):
                raise UnsupportedError(
                    f"struct result of the recursive function '{function.name}', with an addressed part,",
                    function.span,
                )
            body = SharedBody(function, self.b.location(), self.b.location(), self.result_lvalue(function))
            self.shared[id(function)] = body
            self.pending.append((function, body))
        return self.shared[id(function)]

    def lower_pending(self) -> None:
        """Lower the bodies of shared functions that are called."""
        b = self.b
        while self.pending:
            function, body = self.pending.pop()
            b.at(function.span)
            b.function, b.calls, b.fixed_span = function.name, (), None
            b.current = body.entry
            frame = Frame(function, body.end, body.result)
            if self.context.linked.is_model(function):
                b.fixed_span = function.span
            passed = []
            for parameter in function.all_parameters:
                name = f"{self.variables.label(function)}::$passed {parameter.name}"
                self.variables.declare(name, parameter.type, "", function.name)
                lvalue = LValue(parameter.type, parameter.type, variable=name)
                value = lvalue if is_aggregate(parameter.type) else self.accesses.load(lvalue)
                reference = ast.VarRef(parameter.type, parameter.span, parameter)
                passed.append(Argument(reference, value))
            self.body(frame, passed)

    def call_back(self, function: FunctionDecl) -> None:
        """A call by the environment, with any arguments."""
        arguments = []
        for parameter in function.parameters:
            value = self.inputs.any_value(parameter.type, f"argument {parameter.name}", environment=True)
            arguments.append(Argument(ast.VarRef(parameter.type, parameter.span, parameter), value))
        self.defined(function, arguments, self.b.span, None)
