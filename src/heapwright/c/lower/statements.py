"""Statements: control flow, declarations and jumps."""

from __future__ import annotations

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.base.source import Span
from heapwright.c import ast
from heapwright.c.ast import Block, Stmt, VarDecl
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.expressions.initializers import Initializers
from heapwright.c.lower.expressions.rvalues import RValues
from heapwright.c.lower.interfaces import CallLowering
from heapwright.c.lower.prepass.object_layout import (
    is_aggregate,
)
from heapwright.c.lower.prepass.tree_queries import walk
from heapwright.c.lower.storage.frame import JumpTarget, Scope, SwitchCases
from heapwright.c.lower.storage.scopes import declared_in
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.lower.unsupported import Checkpoint, is_entered
from heapwright.c.types import ArrayType, VoidType
from heapwright.program.checks import CheckKind
from heapwright.program.commands import (
    Assert,
    New,
    Protect,
)
from heapwright.program.expressions import (
    NULL,
    Compare,
    Const,
    Expr,
    Pointer,
    PointerCompare,
    Var,
)
from heapwright.program.types import Storage


class Statements(Part):
    """Lowers statements; implements `StatementExpressions` for the expressions in them."""

    def __init__(self, context: Context, calls: CallLowering) -> None:
        super().__init__(context)
        self.evaluator = RValues(context, calls, self)
        self.conditions = self.evaluator.conditions
        self.initializers = Initializers(context, self.evaluator)
        self.scopes.evaluate = self.evaluator.effects

    def lower(self, statement: Stmt) -> None:
        """A statement that cannot be lowered ends the runs that come to it. One that jumps may enter cannot be left out
        by itself: the statement around it is."""
        if self.b.current is None and not isinstance(statement, ast.Declare) and not is_entered(statement):
            return
        before = Checkpoint(self.context)
        try:
            self.supported(statement)
        except UnsupportedError as error:
            if is_entered(statement):
                raise
            before.leave_out(error, statement.span)

    def supported(self, statement: Stmt) -> None:
        self.b.at(statement.span)
        match statement:
            case Block():
                self.block(statement)
            case ast.Declare():
                for decl in statement.variables:
                    self.declare(decl)
            case ast.ExprStmt():
                self.evaluator.effects(statement.expr)
            case ast.If():
                self.if_(statement)
            case ast.While():
                self.while_(statement)
            case ast.DoWhile():
                self.do_while(statement)
            case ast.For():
                self.for_(statement)
            case ast.Switch():
                self.switch(statement)
            case ast.Case():
                self.case(statement)
            case ast.Default():
                self.default(statement)
            case ast.Break():
                self.jump(self.state.frame.breaks, "break", statement.span)
            case ast.Continue():
                self.jump(self.state.frame.continues, "continue", statement.span)
            case ast.Return():
                self.return_(statement)
            case ast.Goto():
                self.goto(statement)
            case ast.ComputedGoto():
                self.computed_goto(statement)
            case ast.Label():
                self.label(statement)
            case ast.UnsupportedStmt():
                if self.b.current is not None:
                    raise UnsupportedError(statement.construct, statement.span)

    def block(self, block: Block) -> None:
        scope = self.scopes.enter(declared_in(block), block.cleanup)
        if any(isinstance(statement, ast.Label) for statement in block.statements):
            self.scopes.havoc_skipped(scope)
        for statement in block.statements:
            self.lower(statement)
        self.scopes.leave(block.end)

    # --- declarations ------------------------------------------------------------------------------------------------

    def declare(self, decl: VarDecl) -> None:
        if decl.storage in ("static", "global", "extern"):
            return  # created when the program starts, if it is used
        if decl.length is not None:
            if self.b.current is not None:
                self.variable_length(decl)
            return
        name = self.variables.name_of(decl)
        if not self.layout.is_boxed(decl):
            self.variables.declare(name, decl.type, decl.name, self.b.function)
            self.scopes.add_pointers(name, decl.type)
        if self.b.current is None:
            return
        lvalue = self.lvalues.of_variable(decl)
        if decl.initializer is not None:
            self.initializers.initialize(lvalue, decl.initializer)
            if decl.const and lvalue.base and not self.jumps():
                self.b.emit(Protect(lvalue.base))
        elif not lvalue.base:
            self.variables.uninitialised(lvalue.variable, lvalue.type)

    def jumps(self) -> bool:
        """Whether a jump may initialise a variable again before its scope has ended."""
        body = self.state.frame.function.body
        return body is not None and any(isinstance(node, ast.Goto) for node in walk(body))

    def variable_length(self, decl: VarDecl) -> None:
        assert decl.length is not None
        assert isinstance(decl.type, ArrayType)
        count = self.operands.snapshot(self.evaluator.integer(decl.length))
        self.state.lengths[id(decl)] = count
        address = self.variables.address_variable(decl)
        type_ = self.layout.object_type(ArrayType(decl.type.of, None))
        self.b.emit(New(address, type_.name, Storage.STACK, count))
        self.scopes.stack[-1].blocks.append(address)

    # --- branches and loops ------------------------------------------------------------------------------------------

    def if_(self, statement: ast.If) -> None:
        then, other, after = self.b.location(), self.b.location(), self.b.location()
        self.conditions.branch(statement.condition, then, other)
        self.b.current = then
        self.lower(statement.then)
        self.b.goto(after)
        self.b.current = other
        if statement.other is not None:
            self.lower(statement.other)
        self.b.goto(after)
        self.b.current = after

    def loop(self, body: Stmt, again: int, after: int) -> None:
        frame, scopes = self.state.frame, self.scopes.snapshot()
        frame.breaks.append(JumpTarget(after, scopes))
        frame.continues.append(JumpTarget(again, scopes))
        self.lower(body)
        frame.breaks.pop()
        frame.continues.pop()

    def while_(self, statement: ast.While) -> None:
        head, body, after = self.b.location(), self.b.location(), self.b.location()
        self.b.goto(head)
        self.b.current = head
        self.conditions.branch(statement.condition, body, after)
        self.b.current = body
        self.loop(statement.body, head, after)
        self.b.goto(head)
        self.b.current = after

    def do_while(self, statement: ast.DoWhile) -> None:
        head, test, after = self.b.location(), self.b.location(), self.b.location()
        self.b.goto(head)
        self.b.current = head
        self.loop(statement.body, test, after)
        self.b.goto(test)
        self.b.current = test
        self.conditions.branch(statement.condition, head, after)
        self.b.current = after

    def for_(self, statement: ast.For) -> None:
        init = statement.init
        declared = init.variables if isinstance(init, ast.Declare) else ()
        self.scopes.enter(declared)
        if init is not None:
            self.lower(init)
        head, body, step, after = (self.b.location() for _ in range(4))
        self.b.goto(head)
        self.b.current = head
        if statement.condition is not None:
            self.conditions.branch(statement.condition, body, after)
        else:
            self.b.goto(body)
        self.b.current = body
        self.loop(statement.body, step, after)
        self.b.goto(step)
        self.b.current = step
        if statement.step is not None:
            self.evaluator.effects(statement.step)
        self.b.goto(head)
        self.b.current = after
        self.scopes.leave(statement.span)

    # --- switch ------------------------------------------------------------------------------------------------------

    def switch(self, statement: ast.Switch) -> None:
        value = self.operands.snapshot(self.evaluator.integer(statement.condition))
        dispatch, after = self.b.current, self.b.location()
        frame, scopes = self.state.frame, self.scopes.snapshot()
        cases = SwitchCases()
        frame.switches.append(cases)
        frame.breaks.append(JumpTarget(after, scopes))
        self.b.current = None
        self.lower(statement.body)
        self.b.goto(after)
        frame.breaks.pop()
        frame.switches.pop()
        self.b.current = dispatch
        self.dispatch(value, cases, JumpTarget(after, scopes), statement.span)
        self.b.current = after

    def dispatch(self, value: Expr, cases: SwitchCases, after: JumpTarget, span: Span) -> None:
        self.b.at(span)
        for low, high, target in cases.cases:
            first, last = Const(value.type.wrap(low), value.type), Const(value.type.wrap(high), value.type)
            start, rest = self.b.current, None if self.b.current is None else self.b.location()
            if low == high:
                self.b.assume(Compare("==", value, first))
                self.scopes.jump(target.location, target.scopes, span)
                misses = [Compare("!=", value, first)]
            else:
                self.b.assume(Compare(">=", value, first))
                self.b.assume(Compare("<=", value, last))
                self.scopes.jump(target.location, target.scopes, span)
                misses = [Compare("<", value, first), Compare(">", value, last)]
            for miss in misses:
                self.b.current = start
                self.b.assume(miss)
                if rest is not None:
                    self.b.goto(rest)
            self.b.current = rest
        target = cases.default or after
        self.scopes.jump(target.location, target.scopes, span)

    def case(self, statement: ast.Case) -> None:
        target = self.landing()
        if not self.state.frame.switches:
            raise InputError("case label outside of a switch", statement.span)
        self.state.frame.switches[-1].cases.append((statement.low, statement.high, target))
        self.lower(statement.body)

    def default(self, statement: ast.Default) -> None:
        target = self.landing()
        if not self.state.frame.switches:
            raise InputError("default label outside of a switch", statement.span)
        self.state.frame.switches[-1].default = target
        self.lower(statement.body)

    def landing(self) -> JumpTarget:
        """A location that jumps lead to, here."""
        location = self.b.location()
        self.b.goto(location)
        self.b.current = location
        return JumpTarget(location, self.scopes.snapshot())

    # --- jumps -------------------------------------------------------------------------------------------------------

    def jump(self, targets: list[JumpTarget], what: str, span: Span) -> None:
        if not targets:
            raise InputError(f"{what} outside of a loop", span)
        self.scopes.jump(targets[-1].location, targets[-1].scopes, span)

    def return_(self, statement: ast.Return) -> None:
        frame = self.state.frame
        if statement.value is not None:
            self.result(statement.value)
        self.scopes.jump(frame.return_location, (), statement.span)

    def result(self, value: ast.Expr) -> None:
        frame = self.state.frame
        if is_aggregate(value.type):
            source = self.evaluator.aggregate(value)
            if frame.result is not None:
                self.aggregates.copy(frame.result, source)
        elif isinstance(frame.function.type.result, VoidType):
            self.evaluator.effects(value)
        else:
            self.state.wanted_type = frame.wanted_type
            returned = self.evaluator.value(value)
            self.state.wanted_type = None
            self.b.at(value.span)
            if frame.result is not None and returned is not None:
                self.accesses.store(frame.result, returned)

    def goto(self, statement: ast.Goto) -> None:
        if self.b.current is None:
            return
        self.state.frame.gotos.append((statement, self.b.current, self.scopes.snapshot()))
        self.b.current = None

    def computed_goto(self, statement: ast.ComputedGoto) -> None:
        pointer = self.operands.snapshot_pointer(self.evaluator.pointer(statement.target))
        if self.b.current is not None:
            self.state.frame.computed_gotos.append((statement, pointer, self.b.current, self.scopes.snapshot()))
            self.b.current = None

    def label(self, statement: ast.Label) -> None:
        self.state.frame.labels[statement.name] = self.landing()
        self.lower(statement.body)

    def resolve_gotos(self) -> None:
        """At the end of a function: connect its jumps to its labels."""
        frame = self.state.frame
        for statement, start, scopes in frame.gotos:
            target = frame.labels.get(statement.label)
            if target is None:
                raise InputError(f"undefined label '{statement.label}'", statement.span)
            self.b.current = start
            self.scopes.jump_from(scopes, target.location, target.scopes, statement.span)

        for computed, pointer, start, scopes in frame.computed_gotos:
            self.b.current = start
            self.b.at(computed.span)
            self.branch_to_labels(pointer, scopes, computed)

    def branch_to_labels(self, pointer: Pointer, scopes: tuple[Scope, ...], statement: ast.ComputedGoto) -> None:
        """Go to the label whose address a pointer is; any other value fails the check."""
        frame = self.state.frame
        assert frame.function.body is not None
        addresses = [node for node in walk(frame.function.body) if isinstance(node, ast.LabelAddress)]
        for label in sorted({node.label for node in addresses} & frame.labels.keys()):
            start = self.b.current
            address = Var(self.variables.label_address(frame.function, label))
            self.b.assume(PointerCompare("==", pointer, address))
            target = frame.labels[label]
            self.scopes.jump_from(scopes, target.location, target.scopes, statement.span)
            self.b.current = start
            self.b.assume(PointerCompare("!=", pointer, address))
        self.b.emit(Assert(PointerCompare("!=", pointer, NULL), self.b.check(CheckKind.NULL_DEREF, "goto")))
        self.b.fail(CheckKind.INVALID_DEREF, "goto")

    # --- statement expressions ---------------------------------------------------------------------------------------

    def statement_value(self, expr: ast.StatementExpr) -> Value | None:
        """The value of `({ ...; e; })`, kept before the variables of the block die."""
        return self.block_value(expr.body)

    def block_value(self, block: Block) -> Value | None:
        *before, last = block.statements or (ast.Empty(block.span),)
        self.scopes.enter(declared_in(block), block.cleanup)
        for statement in before:
            self.lower(statement)
        value: Value | None = None
        if isinstance(last, ast.ExprStmt) and not isinstance(last.expr.type, VoidType):
            value = self.operands.keep(self.evaluator.value(last.expr))
        elif isinstance(last, Block) and last.cleanup is not None:
            value = self.block_value(last)
        else:
            self.lower(last)
        self.scopes.leave(block.end)
        return value

    def statement_aggregate(self, expr: ast.StatementExpr) -> LValue:
        result = self.lvalues.temporary(expr.type)
        self.block_aggregate(expr.body, result)
        return result

    def block_aggregate(self, block: Block, result: LValue) -> None:
        *before, last = block.statements
        self.scopes.enter(declared_in(block), block.cleanup)
        for statement in before:
            self.lower(statement)
        if isinstance(last, ast.ExprStmt):
            self.aggregates.copy(result, self.evaluator.aggregate(last.expr))
        elif isinstance(last, Block) and last.cleanup is not None:
            self.block_aggregate(last, result)
        self.scopes.leave(block.end)
