"""The program of one lowering.

A run begins with a prelude that creates static blocks and initialises globals; it is emitted last, when all uses are
known.
"""

from __future__ import annotations

import os

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.lower.calls.activation_records import ActivationRecords, call_stacks
from heapwright.c.lower.calls.calls_through_pointers import Argument
from heapwright.c.lower.calls.function_calls import Calls
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.expressions.conditions import is_function_pointer
from heapwright.c.lower.expressions.conversions import is_byte
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.graph_cleanup import check_temporaries, returns, simplify
from heapwright.c.lower.prepass.environment import Environment
from heapwright.c.lower.prepass.global_values import holds_functions
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.object_layout import (
    AddressTaken,
    is_pointer,
)
from heapwright.c.lower.prepass.tree_queries import (
    walk,
)
from heapwright.c.lower.storage.frame import Frame
from heapwright.c.lower.storage.operands import nonzero
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.types import ArrayType, CType, PointerType
from heapwright.program.checks import Check, CheckKind
from heapwright.program.commands import (
    AnyPointer,
    Assign,
    Compute,
    Havoc,
    Length,
    New,
    Protect,
    StoreCell,
    StoreDataCell,
)
from heapwright.program.expressions import (
    NULL,
    Const,
    IntVar,
    PointerCompare,
    Var,
)
from heapwright.program.graph import Entry, Graph, Program
from heapwright.program.types import FUNCTION_OBJECT, Storage, ValueKind, Variable

MOST_ELEMENTS = 1 << 31  # of an array whose length is not known


class Lowerer(Part):
    def __init__(
        self,
        linked: LinkedProgram,
        known: AddressTaken,
        environment: Environment,
        *,
        entry: str,
        any_heap: bool,
        malloc_may_fail: bool,
        executed: tuple[str, ...] | None = None,
        recorded: bool = False,
    ) -> None:
        self.any_heap = any_heap
        self.entry = entry_function(linked, entry)
        context = Context(
            linked,
            known,
            self.entry,
            environment,
            malloc_may_fail=malloc_may_fail,
            executed=executed,
            recorded=recorded,
        )
        super().__init__(context)
        self.calls = Calls(self.context)
        self.inputs = self.calls.inputs
        self.initializers = self.calls.statements.initializers
        self.start = 0

    def lower(self) -> Program:
        b = self.b
        b.at(self.entry.span)
        for function in self.context.linked.assumed:
            b.assumption(f"'{function.name}' does what its model in {function.span.file} says")
        prelude, self.start, end = b.location(), b.location(), b.location()
        b.current = self.start
        if not self.any_heap:
            self.calls.run_constructors()
        b.function = self.entry.name
        if id(self.entry) in self.context.callgraph.shared:
            returned = self.calls.call_shared(self.entry, self.entry_arguments(), self.entry.span)
            b.function = self.entry.name
        else:
            frame = Frame(self.entry, end, self.calls.result_lvalue(self.entry))
            self.calls.body(frame, self.entry_arguments())
            b.current, returned = end, frame.result
        if not self.any_heap:
            self.calls.run_handlers()
        self.finish_entry(returned)
        self.calls.lower_pending()
        self.prelude(prelude)
        if self.any_heap and self.context.environment.inputs == "separate" and self.has_input_pointers():
            b.assumption("inputs are separate from globals, and do not point into one another (see --inputs)")
        ActivationRecords(self.context, self.calls.shared, self.calls.recursive).finish(self.program)
        return check_temporaries(simplify(self.program(prelude)))

    def has_input_pointers(self) -> bool:
        return any(isinstance(edge.command, AnyPointer) and not edge.command.environment for edge in self.b.edges)

    def finish_entry(self, returned: LValue | None) -> None:
        b = self.b
        b.at(self.entry.span)
        if self.any_heap:
            if returned is not None:
                self.keep_pointers(returned, "result")
            b.emit(returns(self.entry.name))
            return
        cleanup = Check(CheckKind.LEAK, b.span, self.entry.name, self.entry.name, cleanup=True)
        b.emit(returns(self.entry.name), (cleanup,))

    def entry_arguments(self) -> list[Argument]:
        """Parameters of the entry function are inputs; the objects that they point to belong to the caller. `main` has
        at least 0 arguments."""
        arguments: list[Argument] = []
        if self.entry.rest is not None:
            raise UnsupportedError(f"the variable arguments of '{self.entry.name}', without a caller,", self.entry.span)
        if not self.any_heap and self.context.executed is not None:
            return self.real_arguments(self.context.executed)
        for parameter in self.entry.parameters:
            source = f"parameter {parameter.name}"
            value: Value | LValue | None
            if not self.any_heap and is_pointer(parameter.type):
                value = self.main_argument(parameter, self.number_of_arguments(arguments))
            else:
                if is_function_pointer(parameter.type):
                    value = self.inputs.callback(parameter.type)
                else:
                    value = self.inputs.any_value(parameter.type, source, None if self.any_heap else 0)
                if isinstance(value, Var):
                    self.keep_pointer(value, parameter.type, f"{parameter.name} at entry")
                elif isinstance(value, LValue):
                    self.keep_pointers(value, f"{parameter.name} at entry")
            arguments.append(Argument(ast.VarRef(parameter.type, parameter.span, parameter), value))
        return arguments

    def real_arguments(self, strings: tuple[str, ...]) -> list[Argument]:
        """The arguments of a program that is executed; what follows `argv` is an empty environment."""
        arguments: list[Argument] = []
        for index, parameter in enumerate(self.entry.parameters):
            value: Value
            if is_pointer(parameter.type):
                value = self.array_of_strings(parameter, strings if index == 1 else ())
            else:
                value = Const(len(strings), self.layout.int_type(parameter.type))
            arguments.append(Argument(ast.VarRef(parameter.type, parameter.span, parameter), value))
        return arguments

    def array_of_strings(self, parameter: VarDecl, strings: tuple[str, ...]) -> Value:
        characters = self.characters_of(parameter)
        array, string = (self.layout.object_type(ArrayType(one, None)).name for one in (characters, characters.to))
        name = self.b.pointer_temporary(self.layout.target(characters))
        constant, cell = self.layout.size_constant, self.layout.int_type(characters.to)
        self.b.emit(New(name, array, Storage.STATIC, constant(len(strings) + 1), zeroed=True))
        for index, text in enumerate(strings):
            content = os.fsencode(text) + b"\0"
            target = self.b.pointer_temporary(self.layout.target(characters.to))
            self.b.emit(New(target, string, Storage.STATIC, constant(len(content))))
            for position, byte in enumerate(content):
                self.b.emit(StoreDataCell(target, constant(position), Const(cell.wrap(byte), cell)))
            self.b.emit(StoreCell(name, constant(index), Var(target)))
        return Var(name)

    def keep_pointers(self, held: LValue, name: str) -> None:
        """Objects that a value of the entry function leads to belong to its caller."""
        kept: list[LValue] = []

        def keep(scalar: LValue) -> None:
            if is_pointer(scalar.type):
                kept.append(scalar)
                numbered = name if len(kept) == 1 else f"{name} #{len(kept)}"
                self.keep_pointer(self.accesses.load(scalar), scalar.type, numbered)

        self.aggregates.each_scalar(held, keep)

    def keep_pointer(self, value: Value, type: CType, name: str) -> None:
        self.operands.assign(self.b.declare(self.variables.variable(name, type, name, "")), value)

    def number_of_arguments(self, before: list[Argument]) -> str:
        """The variable that holds the number of strings: `argc` for `argv`, any number for what follows."""
        if len(before) == 1 and isinstance(before[0].value, IntVar):
            return before[0].value.name
        value = self.inputs.any_value(self.entry.parameters[0].type, "number of strings", 0)
        assert isinstance(value, IntVar)
        return value.name

    def main_argument(self, parameter: VarDecl, count: str) -> Value:
        """`argv`: an array of `argc` strings of any length, and a null; `envp` likewise."""
        assert self.entry.body is not None
        used = any(isinstance(node, ast.VarRef) and node.decl is parameter for node in walk(self.entry.body))
        if not used:
            return NULL
        characters = self.characters_of(parameter)
        name = self.b.pointer_temporary(self.layout.target(characters))
        self.b.emit(AnyPointer(name, self.layout.object_type(ArrayType(characters, None)).name, True, count))
        self.b.assume(PointerCompare("!=", Var(name), NULL))
        return Var(name)

    def characters_of(self, parameter: VarDecl) -> PointerType:
        """The type of the strings of `argv`."""
        characters = parameter.type.to if isinstance(parameter.type, PointerType) else None
        if not isinstance(characters, PointerType) or not is_byte(characters.to):
            raise UnsupportedError(f"the parameter '{parameter.name}' of main", parameter.span)
        self.layout.learn_arrays(characters.to)
        self.layout.learn_arrays(characters)
        for element in (characters.to, characters):
            self.layout.object_type(ArrayType(element, None))
        return characters

    # --- prelude -----------------------------------------------------------------------------------------------------

    def prelude(self, start: int) -> None:
        """Static blocks first, then the initial values that may point to them."""
        b = self.b
        values = b.location()
        b.function, b.calls, b.fixed_span, b.current = "", (), None, values
        self.scopes.stack = []
        self.scopes.enter()
        done = 0
        while done < len(self.variables.globals):
            self.initialize_global(self.variables.globals[done])
            done += 1
        b.fixed_span = None
        for (content, cell), name in self.variables.strings.items():
            for index, character in enumerate(content):
                b.emit(StoreDataCell(name, self.layout.size_constant(index), Const(cell.wrap(character), cell)))
            b.emit(Protect(name))
        for decl in self.variables.globals:
            if decl.const and decl.storage != "extern" and self.layout.is_boxed(decl):
                b.emit(Protect("&" + self.variables.name_of(decl)))
        b.goto(self.start)
        b.current = start
        self.static_blocks()
        for flag in (*self.calls.externals.flags.values(), *self.calls.externals.repeated.counts):
            b.emit(Compute(flag, Const(0, INT)))
        b.goto(values)

    def static_blocks(self) -> None:
        b = self.b
        for decl in self.variables.globals:
            if self.layout.is_boxed(decl):
                self.at_declaration(decl)
                name = "&" + self.variables.name_of(decl)
                after = self.may_be_null(name) if decl.weak and decl.storage == "extern" else None
                length = self.open_length() if is_open(decl) else None
                self.variables.new_block(name, decl.type, Storage.STATIC, length, zeroed=True)
                self.join(after)
        b.fixed_span = None
        for name, function in self.variables.function_names.items():
            after = self.may_be_null(name) if function.attributes.weak and function.body is None else None
            b.emit(New(name, FUNCTION_OBJECT, Storage.STATIC))
            self.join(after)
        for (content, _), name in self.variables.strings.items():
            count = self.layout.size_constant(len(content))
            b.emit(New(name, b.variables[name].target, Storage.STATIC, count, zeroed=True))
        for name in dict.fromkeys(call_stacks(self.context.callgraph.group, self.calls.recursive).values()):
            b.declare(Variable(name, ValueKind.POINTER, None, "", name, ""))
            b.emit(Assign(name, NULL))

    def open_length(self) -> IntVar:
        """The length of an array that another file defines: not known, so that nothing is proved by it."""
        length = IntVar(self.b.data_temporary(self.layout.size_type), self.layout.size_type)
        self.b.emit(Havoc(length.name, length.type, "approximation", approximate=True, low=1, high=MOST_ELEMENTS))
        return length

    def may_be_null(self, name: str) -> int:
        """The address of a weak name without a definition is null, unless a library defines it. The location where both
        go on; the current one is that of the definition."""
        defined, after = self.b.location(), self.b.location()
        null = self.b.location()
        self.b.split(nonzero(self.operands.approximate(INT)), defined, null)
        self.b.current = null
        self.b.emit(Assign(name, NULL))
        self.b.goto(after)
        self.b.current = defined
        return after

    def join(self, after: int | None) -> None:
        if after is not None:
            self.b.goto(after)
            self.b.current = after

    def at_declaration(self, decl: VarDecl) -> None:
        """Globals of library models begin where the program does: their files are none of the user's."""
        linked = self.context.linked
        of_model = linked.is_model(decl) or decl.span.file not in linked.sources  # static ones of functions, too
        self.b.fixed_span = self.entry.span if of_model else None
        self.b.at(decl.span)

    def initialize_global(self, decl: VarDecl) -> None:
        self.at_declaration(decl)
        self.state.initializing = decl if id(decl) in self.context.linked.unit_of else None
        lvalue = self.lvalues.of_variable(decl)
        if decl.weak and decl.storage == "extern":
            return  # its memory is that of the environment, if there is any
        if decl.storage == "extern":
            self.b.assumption(f"external variable '{decl.name}' holds any value of its type", decl.span)
        if decl.storage == "extern" or (self.any_heap and not self.keeps_value(decl)):
            self.any_global(decl, lvalue)
        elif decl.initializer is not None:
            self.initializers.initialize(lvalue, decl.initializer, zeroed=bool(lvalue.base))
        elif not lvalue.base:
            self.aggregates.zero(lvalue)

    def keeps_value(self, decl: VarDecl) -> bool:
        """Whether a global has its initial value for every caller of the entry function."""
        private = (decl.file_static or decl.storage == "static") and self.context.environment.inputs == "separate"
        return decl.const or self.context.linked.is_model(decl) or (private and id(decl) not in self.context.written)

    def any_global(self, decl: VarDecl, lvalue: LValue) -> None:
        """Any value, but functions stay those of the initialiser."""
        table = decl.initializer is not None and holds_functions(decl.type, self.layout.records)
        if table and decl.initializer is not None:
            self.b.assumption(f"the functions in '{decl.name}' are those of its initialiser", decl.span)
            self.initializers.initialize(lvalue, decl.initializer, zeroed=bool(lvalue.base))

        def any_scalar(scalar: LValue) -> None:
            if not table or not holds_functions(scalar.type, self.layout.records):
                self.inputs.any_scalar(scalar, f"global {decl.name}")

        if not is_open(decl):
            self.aggregates.each_scalar(lvalue, any_scalar)
            return
        length = IntVar(self.b.data_temporary(self.layout.size_type), self.layout.size_type)
        self.b.emit(Length(length.name, lvalue.base))
        self.b.checks_accesses = False  # it is there
        self.operands.count_loop(
            length,
            lambda index: self.aggregates.each_scalar(self.lvalues.element(lvalue, index, decl.name), any_scalar),
        )
        self.b.checks_accesses = True

    def program(self, entry: int | None = None) -> Program:
        b = self.b
        graph = Graph(tuple(b.locations), tuple(b.edges), self.start if entry is None else entry)
        return Program(
            self.calls.externals.repeated.with_repeats(graph),
            dict(b.variables),
            dict(self.layout.types),
            Entry(self.entry.name, self.any_heap, self.context.environment.inputs == "any"),
            tuple(b.assumptions),
            self.context.linked.sources,
            self.context.linked.files,
            self.context.linked.pointer_bits,
        )


def is_open(decl: VarDecl) -> bool:
    """Whether a variable is an array whose length only another file knows: `extern int table[];`."""
    return decl.storage == "extern" and isinstance(decl.type, ArrayType) and decl.type.count is None


def entry_function(linked: LinkedProgram, name: str) -> FunctionDecl:
    function = linked.find(name, None)
    if function is None:
        function = next((f for f in linked.all_functions if f.name == name), None)
    if function is None or function.body is None:
        where = ", ".join(linked.files)
        hint = "name the function to analyse with --function" if name == "main" else ""
        raise InputError(f"{where}: no definition of function '{name}'", hint=hint)
    return function
