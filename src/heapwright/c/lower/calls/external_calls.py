"""Calls of functions without a body: their writes, the pointers that they keep, and their results.

In a simple environment (prepass/environment.py) a call havocs the data that it can reach. A flag says of each variable
whether its address was handed over yet:

    int x = 0; poll(); assert(x == 0); hook(&x); poll();        # `x` holds anything after each of the last two

Otherwise the command `External` follows in the heap what has escaped. Functions that were handed over may be called
back, any number of times, by this call and by later ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heapwright.base.errors import InputError
from heapwright.c import ast
from heapwright.c.ast import Attributes, FunctionDecl, VarDecl
from heapwright.c.lower.calls.inputs import Inputs
from heapwright.c.lower.calls.repeated_results import RepeatedResults, gives_equal_results
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.expressions.rvalues import RValues
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.prepass.callbacks import function_argument
from heapwright.c.lower.prepass.environment import (
    OWN,
    addressed_variable,
    function_type,
    handed,
    is_constant,
    is_external,
    is_pure,
    lent,
    writable,
)
from heapwright.c.lower.prepass.handed_pointers import leads_beyond, lent_types
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.object_layout import is_aggregate, is_pointer
from heapwright.c.lower.prepass.source_text import text
from heapwright.c.lower.prepass.tree_queries import called_name, strip_casts, walk
from heapwright.c.lower.storage.values import LValue, Value, join
from heapwright.c.types import ArrayType, CType, FunctionType, PointerType, VoidType
from heapwright.program.checks import CheckKind
from heapwright.program.commands import Assert, Assume, Compute, External, Havoc, Skip
from heapwright.program.expressions import NULL, Compare, Const, IntVar, Pointer, PointerCompare, Var
from heapwright.program.types import ValueKind, Variable

SETS_ERRNO = frozenset({"strtol", "strtoll", "strtoul", "strtoull", "strtoimax", "strtoumax"})  # as their models say


class ExternalCalls(Part):
    def __init__(
        self, context: Context, evaluator: RValues, inputs: Inputs, call_back: Callable[[FunctionDecl], None]
    ) -> None:
        super().__init__(context)
        self.evaluator = evaluator
        self.inputs = inputs
        self.call_back = call_back
        self.environment = context.environment
        named: list[VarDecl | FunctionDecl] = [*self.environment.exposed, *self.environment.callbacks]
        self.flags = {id(one): self.flag(one) for one in named}
        self.scopes.flags = self.flags
        self.repeated = RepeatedResults(context)
        self.errno = used_errno(context.linked)

    def flag(self, decl: VarDecl | FunctionDecl) -> str:
        """The variable that is 1 once a variable's or function's address was handed over."""
        name = f"{decl.name} escaped #{len(self.b.variables)}"
        return self.b.declare(Variable(name, ValueKind.DATA, INT, "", "", ""))

    def call(self, expr: ast.Call, name: str, want: CType | None) -> Value | LValue | None:
        if self.environment.externals == "refuse":
            raise InputError(f"'{name}', a function without a body, is refused", expr.span, "see --externals")
        function = self.variables.find_function(name)
        attributes = function.attributes if function is not None else Attributes()
        if function is not None and gives_equal_results(function):
            given = [self.operands.snapshot(self.evaluator.integer(argument)) for argument in expr.arguments]
            self.b.at(expr.span)
            return self.repeated.of(function, given, lambda: self.number(expr, name))
        pointers, values = self.arguments(expr, attributes)
        lends = self.lends(expr, values)
        self.b.at(expr.span)
        if function is not None and (function.no_return or function.type.no_return):
            if self.environment.calls_functions:
                self.effects(expr, name, pointers, lends, values)
            self.b.emit(Skip(f"{name}()"))
            self.b.current = None
            return self.inputs.no_result(expr.type)
        if self.environment.externals == "pure":
            self.b.assumption(f"external function '{name}' returns any value of its type and changes no memory")
        elif function is None or not is_pure(self.context.linked, function):
            self.effects(expr, name, pointers, lends, values)
        result = self.result(expr, name, attributes, want)
        if function is not None and attributes.pure and isinstance(result, IntVar):
            self.repeated.note(function, expr, result)
        return result

    # --- arguments ---------------------------------------------------------------------------------------------------

    def arguments(self, expr: ast.Call, attributes: Attributes) -> tuple[list[str], dict[int, Pointer]]:
        """Evaluates all arguments; the variables that hold the pointers which are handed over, and the values of those
        arguments by id()."""
        given = {id(argument) for argument in handed(self.context.linked, expr, function_type(expr))}
        lends = {id(argument) for argument in lent(self.context.linked, expr, function_type(expr))}
        pointers: list[str] = []
        values: dict[int, Pointer] = {}
        for position, argument in enumerate(expr.arguments):
            variable = addressed_variable(argument)
            if variable is not None and id(self.context.linked.resolve(variable)) in self.environment.plain:
                continue
            if is_aggregate(argument.type):
                lvalue = self.evaluator.aggregate(argument)
                if id(argument) in given:
                    self.aggregates.each_scalar(lvalue, lambda scalar: self.add_pointer(scalar, pointers))
            elif id(argument) in given | lends or (position in attributes.nonnull and is_pointer(argument.type)):
                pointer = values[id(argument)] = self.operands.snapshot_pointer(self.evaluator.pointer(argument))
                self.b.at(argument.span)
                if position in attributes.nonnull:
                    check = self.b.check(CheckKind.NULL_DEREF, text(argument, self.layout))
                    self.b.emit(Assert(PointerCompare("!=", pointer, NULL), check))
                self.inspect(argument, pointer)
                if id(argument) in given and isinstance(pointer, Var):
                    pointers.append(pointer.name)
            elif is_pointer(argument.type):
                self.inspect(argument, self.evaluator.pointer(argument))
            else:
                self.evaluator.effects(argument)
        return pointers, values

    def inspect(self, argument: ast.Expr, pointer: Pointer) -> None:
        """A pointer that is handed over is neither freed nor uninitialised: its value could not be used."""
        bare = strip_casts(argument)
        made = not isinstance(bare.type, PointerType | ArrayType)  # of an integer, or one of a function
        if made or self.environment.externals == "pure" or is_constant(argument) or leads_to_function(argument.type):
            return
        if addressed_variable(argument) is None:
            self.b.at(argument.span)
            self.b.inspect(pointer, (CheckKind.INVALID_DEREF, CheckKind.USE_AFTER_FREE), text(argument, self.layout))

    def lends(self, expr: ast.Call, values: dict[int, Pointer]) -> list[tuple[str, str]]:
        """The pointers to const behind which a call may write, each with the type that it protects."""
        type = function_type(expr)
        lends = {id(argument) for argument in lent(self.context.linked, expr, type)}
        found: list[tuple[str, str]] = []
        for argument, parameter in zip(expr.arguments, type.parameters if type is not None else (), strict=False):
            pointer = values.get(id(argument))
            if id(argument) in lends and isinstance(pointer, Var) and isinstance(parameter, PointerType):
                types = lent_types(self.context.linked, argument, parameter)
                found.append((pointer.name, self.layout.object_name(types[0]) if len(types) == 1 else ""))
        return found

    def add_pointer(self, scalar: LValue, pointers: list[str]) -> None:
        if is_pointer(scalar.type):
            value = self.operands.snapshot_pointer(self.accesses.load(scalar))  # type: ignore[arg-type]  # a pointer
            if isinstance(value, Var):
                pointers.append(value.name)

    # --- effects -----------------------------------------------------------------------------------------------------

    def effects(
        self,
        expr: ast.Call,
        name: str,
        pointers: list[str],
        lends: list[tuple[str, str]],
        values: dict[int, Pointer],
    ) -> None:
        self.note(name)
        given = list(handed(self.context.linked, expr, function_type(expr)))
        caller = self.state.frame.function
        functions = [function_argument(self.context.linked, caller, argument) for argument in given]
        for function in functions:
            if function is not None and id(function) in self.flags:
                self.b.emit(Compute(self.flags[id(function)], Const(1, INT)))
        if self.environment.simple:
            memory = [argument for argument, one in zip(given, functions, strict=True) if one is None]
            now = [self.expose(argument, values.get(id(argument))) for argument in memory]
            self.write_plain(name, frozenset[int]().union(*now))
        else:
            self.escape(name, pointers, lends)
        self.call_functions()

    def note(self, name: str) -> None:
        self.b.assumption(
            f"external function '{name}' frees nothing, uses no freed or uninitialised pointer, calls only functions "
            "that it was handed, and writes only what it reaches from globals and through pointers not to const"
        )

    def expose(self, argument: ast.Expr, value: Pointer | None) -> frozenset[int]:
        """The environment has the address of the variable that an argument leads to, unless it is null. The variables
        that it certainly has, by id()."""
        assert self.environment.pointers is not None
        found = self.environment.pointers.variables(argument)
        assert found is not None, "the environment is simple"
        variables = writable(found)
        if addressed_variable(argument) is not None:
            for decl in variables:
                self.hand_over(decl)
            return frozenset(map(id, variables))
        if not variables or not isinstance(value, Var):
            return frozenset()
        there, after = self.b.location(), self.b.location()
        self.b.split(PointerCompare("!=", value, NULL), there, after)
        self.b.current = there
        if len(variables) == 1:
            self.hand_over(variables[0])
        else:
            self.hand_over_one(variables, value, after)
        self.b.goto(after)
        self.b.current = after
        return frozenset()

    def hand_over(self, decl: VarDecl) -> None:
        if id(decl) in self.flags:
            self.b.emit(Compute(self.flags[id(decl)], Const(1, INT)))

    def hand_over_one(self, variables: list[VarDecl], value: Var, after: int) -> None:
        """The variable that a pointer leads to."""
        for decl in variables:
            equal, different = self.b.location(), self.b.location()
            self.b.split(PointerCompare("==", value, Var(self.address(decl))), equal, different)
            self.b.current = equal
            self.hand_over(decl)
            self.b.goto(after)
            self.b.current = different

    def write_plain(self, name: str, now: frozenset[int]) -> None:
        """Havocs the data that can be reached; `now` are variables whose addresses are certainly there."""
        source = f"written by {name}"
        for decl in self.environment.visible:
            self.havoc(decl, source)
        for decl in self.environment.exposed:
            if id(decl) in now:
                self.havoc(decl, source)
                continue
            escaped, after = self.b.location(), self.b.location()
            self.b.split(Compare("!=", IntVar(self.flags[id(decl)], INT), Const(0, INT)), escaped, after)
            self.b.current = escaped
            self.havoc(decl, source)
            self.b.goto(after)
            self.b.current = after

    def havoc(self, decl: VarDecl, source: str) -> None:
        name = self.variables.name_of(decl)
        if self.layout.is_boxed(decl):
            self.address(decl)
        elif decl.storage in ("local", "parameter"):
            self.variables.declare(name, decl.type, decl.name, self.owner(name))  # code that is lowered later has it
        self.b.checks_accesses = False  # it is there
        self.aggregates.each_scalar(self.lvalues.of_variable(decl), lambda one: self.inputs.any_scalar(one, source))
        self.b.checks_accesses = True

    def address(self, decl: VarDecl) -> str:
        """The address of a variable, which code that is lowered later may have."""
        return self.variables.address_variable(decl, self.owner("&" + self.variables.name_of(decl)))

    def owner(self, name: str) -> str:
        known = next((one for key, one in self.b.variables.items() if key == name or key.startswith(name + ".")), None)
        return known.function if known is not None else self.b.function

    def escape(self, name: str, pointers: list[str], lends: Sequence[tuple[str, str]] = ()) -> None:
        """Everything that has escaped, in the heap."""
        reached, behind = list(pointers), list(lends)
        pointers_to_const = [one for one in self.environment.visible if one.lends]
        for decl in self.environment.visible:
            if decl.lends:
                behind += self.held_by(decl)
            elif self.layout.is_boxed(decl):
                reached.append(self.variables.address_variable(decl))
                self.variables.name_of(decl)
            else:
                self.havoc(decl, f"written by {name}")
        self.b.emit(External(name, tuple(dict.fromkeys(reached)), tuple(behind)))
        for decl in pointers_to_const:
            self.may_write(decl, f"written by {name}")

    def held_by(self, decl: VarDecl) -> list[tuple[str, str]]:
        """The objects behind a pointer to const, if more than them may be written."""
        assert isinstance(decl.type, PointerType)
        value: list[str] = []
        if leads_beyond(self.context.linked, decl.type.to):
            self.b.checks_accesses = False
            self.add_pointer(self.lvalues.of_variable(decl), value)
            self.b.checks_accesses = True
        return [(one, self.layout.object_name(decl.type.to)) for one in value]

    def may_write(self, decl: VarDecl, source: str) -> None:
        """A pointer to const keeps its value, which does not escape, or gets one of the environment."""
        choice = IntVar(self.b.data_temporary(INT), INT)
        self.b.emit(Havoc(choice.name, INT, source, low=0, high=1))
        writes, after = self.b.location(), self.b.location()
        self.b.split(Compare("!=", choice, Const(0, INT)), writes, after)
        self.b.current = writes
        self.b.checks_accesses = False
        self.inputs.any_scalar(self.lvalues.of_variable(decl), source, environment=True)
        self.b.checks_accesses = True
        self.b.goto(after)
        self.b.current = after

    def may_set_errno(self, expr: ast.Call, *, exactly: bool) -> None:
        """A function of the C library, or one without a body, may set errno; `exactly`: its model says when."""
        name = called_name(expr)
        function = self.variables.find_function(name) if name else None
        linked = self.context.linked
        own = function is not None and function.body is not None and not linked.is_model(function)
        if self.errno is None or self.b.current is None or own or name.startswith(OWN):
            return
        if linked.is_model(self.state.frame.function) or (exactly and name in SETS_ERRNO):
            return
        pure = self.environment.externals == "pure" or (function is not None and is_pure(linked, function))
        if not is_external(name, function) or not pure:
            self.may_write(self.errno, f"errno after {name or 'a call'}")

    def after_recursion(self, caller: FunctionDecl) -> None:
        """Variables that a caller kept in its activation record may have been written meanwhile."""
        for decl in self.environment.exposed:
            own = self.owner(self.variables.name_of(decl)) == caller.name
            if id(decl) not in self.environment.plain or not own:
                continue
            escaped, after = self.b.location(), self.b.location()
            self.b.split(Compare("!=", IntVar(self.flags[id(decl)], INT), Const(0, INT)), escaped, after)
            self.b.current = escaped
            name = self.variables.name_of(decl)
            self.variables.declare(name, decl.type, decl.name, self.owner(name))
            for scalar in self.layout.fields(decl.type):
                self.variables.forget(join(name, scalar.path), approximate=True)
            self.b.goto(after)
            self.b.current = after

    def call_functions(self) -> None:
        """Calls of the functions that were handed over so far."""
        named = [one for one in self.environment.callbacks if id(one) in self.flags]
        functions = [*((one, self.flags[id(one)]) for one in named), *((one, "") for one in self.environment.stored)]
        if not functions or self.b.current is None:
            return
        choice = IntVar(self.b.data_temporary(INT), INT)
        head, after = self.b.location(), self.b.location()
        self.b.goto(head)
        self.b.current = head
        self.b.emit(Havoc(choice.name, INT, "call back", low=0, high=len(functions)))
        start = self.b.current
        for number, (function, handed_over) in enumerate(functions):
            self.b.current = start
            self.b.emit(Assume(Compare("==", choice, Const(number, INT))))
            flag = IntVar(handed_over, INT) if handed_over else self.operands.approximate(INT)
            self.b.emit(Assume(Compare("!=", flag, Const(0, INT))))
            self.call_back(function)
            self.b.goto(head)
        self.b.current = start
        self.b.emit(Assume(Compare("==", choice, Const(len(functions), INT))))
        self.b.goto(after)
        self.b.current = after

    # --- results -----------------------------------------------------------------------------------------------------

    def result(self, expr: ast.Call, name: str, attributes: Attributes, want: CType | None) -> Value | LValue | None:
        ctype = expr.type
        if isinstance(ctype, PointerType) and isinstance(ctype.to, VoidType) and want is not None:
            ctype = PointerType(want)
        value = self.inputs.any_value(ctype, name, environment=not attributes.malloc, fresh=attributes.malloc)
        if attributes.returns_nonnull and isinstance(value, Var):
            self.b.assumption(f"external function '{name}' never returns null, as its declaration says")
            self.b.assume(PointerCompare("!=", value, NULL))
        return value

    def number(self, expr: ast.Call, name: str) -> Value:
        value = self.inputs.any_value(expr.type, name)
        assert isinstance(value, IntVar)
        return value


def leads_to_function(type: CType) -> bool:
    return isinstance(type, PointerType) and isinstance(type.to, FunctionType)


def used_errno(linked: LinkedProgram) -> VarDecl | None:
    """The variable that `errno` is, if the program uses it."""
    found = linked.globals.get("errno")
    if found is None or found.storage != "extern":
        return None
    bodies = [one.body for one in linked.all_functions if one.body is not None and not linked.is_model(one)]
    used = (node for body in bodies for node in walk(body) if isinstance(node, ast.VarRef))
    return found if any(linked.resolve(node.decl) is found for node in used) else None
