"""The state of one lowering, and the program that comes out.

`Lowerer` holds what the parts share: the builder, the layout, the current function, and the names of variables. The
run begins with a prelude that creates static blocks and initialises globals; it is emitted last, when it is known what
the program uses.
"""

from __future__ import annotations

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.base.source import NOWHERE
from heapwright.c import ast
from heapwright.c.ast import ArrayType, FunctionDecl, FunctionType, VarDecl, VoidType
from heapwright.c.lower.calls.activation_records import CALL_STACK, ActivationRecords
from heapwright.c.lower.calls.function_calls import Argument, Calls, Frame
from heapwright.c.lower.calls.library_functions import LibraryFunctions
from heapwright.c.lower.expressions.assignments import Assignments
from heapwright.c.lower.expressions.conditions import Conditions
from heapwright.c.lower.expressions.conversions import Conversions
from heapwright.c.lower.expressions.initializers import Initializers
from heapwright.c.lower.expressions.lvalues import LValue, LValues, Value
from heapwright.c.lower.expressions.rvalues import RValues
from heapwright.c.lower.graph_builder import GraphBuilder
from heapwright.c.lower.graph_cleanup import check_temporaries, returns, simplify
from heapwright.c.lower.prepass import address_taken as facts
from heapwright.c.lower.prepass import callgraph
from heapwright.c.lower.prepass.linking import Linked
from heapwright.c.lower.prepass.object_layout import FUNCTION_OBJECT, AddressTaken, Layout, is_pointer
from heapwright.c.lower.prepass.tree_queries import walk
from heapwright.c.lower.scopes import Scopes
from heapwright.c.lower.statements import Statements
from heapwright.program.checks import Check, CheckKind
from heapwright.program.commands import Assign, New, StoreDataCell
from heapwright.program.expressions import NULL, Const, Var
from heapwright.program.graph import Entry, Graph, Program
from heapwright.program.types import IntType, Storage, ValueKind, Variable


class Lowerer:
    def __init__(
        self, linked: Linked, known: AddressTaken, *, entry: str, any_heap: bool, malloc_may_fail: bool
    ) -> None:
        self.linked = linked
        self.any_heap = any_heap
        self.malloc_may_fail = malloc_may_fail
        self.functions = linked.all_functions
        self.builder = GraphBuilder()
        self.layout = Layout(linked.records, known, linked.pointer_bits)
        if known.version == 0:
            facts.gather(self.functions, linked.variables, self.layout, self.resolve)
        self.punned = facts.punned_types(self.layout)
        self.entry = self.entry_function(entry)
        self.callgraph = callgraph.build(linked, self.entry, self.passes_scalars)
        self.scopes = Scopes(self)
        self.lvalues = LValues(self)
        self.values = RValues(self)
        self.assignments = Assignments(self)
        self.conversions = Conversions(self)
        self.conditions = Conditions(self)
        self.initializers = Initializers(self)
        self.statements = Statements(self)
        self.calls = Calls(self)
        self.records = ActivationRecords(self)
        self.library = LibraryFunctions(self)
        self.function_names: dict[str, FunctionDecl] = {}
        self._names: dict[int, str] = {}
        self._taken: dict[str, int] = dict.fromkeys(known.ambiguous, 1)
        self._globals: list[VarDecl] = []
        self._strings: dict[bytes, str] = {}
        self.initializing: VarDecl | None = None
        self.start = 0
        self.frame = Frame(self.entry, 0, None)

    def entry_function(self, name: str) -> FunctionDecl:
        function = self.linked.find(name, None)
        if function is None:
            function = next((f for f in self.functions if f.name == name), None)
        if function is None or function.body is None:
            where = ", ".join(self.linked.files)
            hint = "name the function to analyse with --function" if name == "main" else ""
            raise InputError(f"{where}: there is no function '{name}' with a body", hint=hint)
        return function

    # --- names ----------------------------------------------------------------------------------------------------

    def resolve(self, decl: VarDecl) -> VarDecl:
        """The definition of a global."""
        if decl.storage in ("global", "extern") and not decl.file_static:
            return self.linked.globals.get(decl.name, decl)
        return decl

    def is_boxed(self, decl: VarDecl) -> bool:
        return id(decl) in self.layout.facts.boxed or self.layout.needs_object(decl.type)

    def passes_scalars(self, function: FunctionDecl) -> bool:
        """Whether what a function gets and returns by value dissolves into scalars."""
        passed = (*(parameter.type for parameter in function.parameters), function.type.result)
        return not any(self.layout.needs_object(ctype) for ctype in passed)

    def name_of(self, decl: VarDecl) -> str:
        """The name of a variable, the same in every inlined copy of its function."""
        if id(decl) not in self._names:
            local = decl.storage in ("local", "parameter", "static") and bool(self.builder.function)
            prefix = f"{self.builder.function}::" if local and self.builder.function != self.entry.name else ""
            name = self.unused(prefix + (decl.name or "unnamed"))
            self._names[id(decl)] = name
            if decl.storage in ("global", "extern", "static"):
                self.add_global(decl, name)
        return self._names[id(decl)]

    def unused(self, name: str) -> str:
        self._taken[name] = self._taken.get(name, 0) + 1
        return name if self._taken[name] == 1 else f"{name}#{self._taken[name]}"

    def add_global(self, decl: VarDecl, name: str) -> None:
        self._globals.append(decl)
        if self.is_boxed(decl):
            self.scopes.address_variable(decl)
        else:
            self.lvalues.declare(name, decl.type, decl.name, "")

    def find_function(self, name: str) -> FunctionDecl | None:
        return self.linked.find(name, self.initializing or self.frame.function)

    def label(self, function: FunctionDecl) -> str:
        """A name that no other function has, not even a static one of another file."""
        if id(function) not in self._names:
            self._names[id(function)] = self.unused(function.name)
        return self._names[id(function)]

    def is_model(self, function: FunctionDecl) -> bool:
        return id(function) in self.linked.models

    def function_address(self, name: str, decl: FunctionDecl | None = None) -> str:
        """The variable that holds a function's address."""
        function = decl or self.find_function(name)
        if function is None:
            function = FunctionDecl(name, FunctionType(VoidType(), (), False), NOWHERE, (), None)
        variable = next((v for v, f in self.function_names.items() if f is function), None)
        if variable is None:
            variable = self.unused("&" + name)
            self.function_names[variable] = function
            self.layout.function_object()
            self.builder.declare(Variable(variable, ValueKind.POINTER, None, FUNCTION_OBJECT, "&" + name, ""))
        return variable

    def string_literal(self, literal: ast.StringLiteral) -> str:
        """The variable that holds a string's address."""
        assert isinstance(literal.type, ArrayType)
        if self.layout.size(literal.type.of) != 1:
            raise UnsupportedError("a wide string", literal.span)
        if literal.bytes not in self._strings:
            name = f"string {len(self._strings) + 1}"
            self._strings[literal.bytes] = name
            target = self.layout.object_type(ArrayType(literal.type.of, len(literal.bytes))).name
            self.builder.declare(Variable(name, ValueKind.POINTER, None, target, name, ""))
        return self._strings[literal.bytes]

    # --- the program ----------------------------------------------------------------------------------------------

    def lower(self) -> Program:
        b = self.builder
        b.at(self.entry.span)
        prelude, self.start, end = b.location(), b.location(), b.location()
        b.current = self.start
        b.function = self.entry.name
        if id(self.entry) in self.callgraph.shared:
            returned = self.calls.call_shared(self.entry, self.entry_arguments(), self.entry.span)
            b.function = self.entry.name
        else:
            frame = Frame(self.entry, end, self.calls.result_lvalue(self.entry))
            self.calls.body(frame, self.entry_arguments())
            b.current, returned = end, frame.result
        self.finish_entry(returned)
        self.calls.lower_pending()
        self.prelude(prelude)
        self.records.finish()
        return check_temporaries(simplify(self.program(prelude)))

    def finish_entry(self, returned: LValue | None) -> None:
        b = self.builder
        b.at(self.entry.span)
        if self.any_heap:
            if returned is not None and is_pointer(returned.type):
                b.declare(self.lvalues.variable("result", returned.type, "result", ""))
                self.values.put("result", self.lvalues.load(returned))
            b.emit(returns(self.entry.name))
            return
        cleanup = Check(CheckKind.LEAK, b.span, self.entry.name, self.entry.name, cleanup=True)
        b.emit(returns(self.entry.name), (cleanup,))

    def entry_arguments(self) -> list[Argument]:
        """Parameters of the entry function are inputs; what they point to stays the caller's."""
        arguments = []
        for parameter in self.entry.parameters:
            source = f"parameter {parameter.name}"
            value: Value | LValue | None
            if not self.any_heap and is_pointer(parameter.type):
                value = self.main_argument(parameter)
            else:
                value = self.library.any_value(parameter.type, source)
                if isinstance(value, Var):
                    keeper = self.lvalues.variable(f"{parameter.name} at entry", parameter.type, parameter.name, "")
                    self.values.put(self.builder.declare(keeper), value)
            arguments.append(Argument(ast.VarRef(parameter.type, parameter.span, parameter), value))
        return arguments

    def main_argument(self, parameter: VarDecl) -> Value:
        """The strings that `main` gets are not modelled; a program that never looks at them loses nothing."""
        assert self.entry.body is not None
        unused: set[int] = set()  # as in `(void)argv;`
        for node in walk(self.entry.body):
            if isinstance(node, ast.Cast) and isinstance(node.type, VoidType):
                unused.add(id(node.operand))
            if isinstance(node, ast.VarRef) and node.decl is parameter and id(node) not in unused:
                raise UnsupportedError(f"the command-line arguments of main ('{parameter.name}')", node.span)
        return NULL

    def prelude(self, start: int) -> None:
        """Static blocks first, then the initial values that may point to them."""
        b = self.builder
        values = b.location()
        b.function, b.calls, b.fixed_span, b.current = "", (), None, values
        self.scopes.stack = []
        self.scopes.enter()
        done = 0
        while done < len(self._globals):
            self.initialize_global(self._globals[done])
            done += 1
        for content, name in self._strings.items():
            for index, byte in enumerate(content):
                cell = IntType(8, True)
                b.emit(StoreDataCell(name, self.values.size_constant(index), Const(cell.wrap(byte), cell)))
        b.goto(self.start)
        b.current = start
        self.static_blocks()
        b.goto(values)

    def static_blocks(self) -> None:
        b = self.builder
        for decl in self._globals:
            if self.is_boxed(decl):
                b.at(decl.span)
                self.scopes.new_block("&" + self.name_of(decl), decl.type, Storage.STATIC, zeroed=True)
        for name in self.function_names:
            b.emit(New(name, FUNCTION_OBJECT, Storage.STATIC))
        for content, name in self._strings.items():
            count = self.values.size_constant(len(content))
            b.emit(New(name, b.variables[name].target, Storage.STATIC, count, zeroed=True))
        if self.calls.recursive:
            b.declare(Variable(CALL_STACK, ValueKind.POINTER, None, "", CALL_STACK, ""))
            b.emit(Assign(CALL_STACK, NULL))

    def initialize_global(self, decl: VarDecl) -> None:
        self.builder.at(decl.span)
        self.initializing = decl if id(decl) in self.linked.unit_of else None
        lvalue = self.lvalues.of_variable(decl)
        if decl.storage == "extern":
            self.builder.assumption(f"external variable '{decl.name}' holds any value of its type", decl.span)
        if decl.storage == "extern" or self.any_heap:
            self.lvalues.each_scalar(lvalue, lambda scalar: self.library.any_scalar(scalar, f"global {decl.name}"))
        elif decl.initializer is not None:
            self.initializers.initialize(lvalue, decl.initializer, zeroed=bool(lvalue.base))
        elif not lvalue.base:
            self.lvalues.zero(lvalue)

    def program(self, entry: int | None = None) -> Program:
        b = self.builder
        graph = Graph(tuple(b.locations), tuple(b.edges), self.start if entry is None else entry)
        return Program(
            graph,
            dict(b.variables),
            dict(self.layout.types),
            Entry(self.entry.name, self.any_heap),
            tuple(b.assumptions),
            self.linked.sources,
            self.linked.files,
            self.linked.pointer_bits,
        )
