"""Variables of the program: their names, the scalars that a C variable dissolves into, and its block.

A variable whose address is taken is boxed: it has a block, and a constant pointer variable `&x` holds the address.
Functions and string literals have such address variables as well.
"""

from __future__ import annotations

from heapwright.base.source import NOWHERE
from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.lower.graph_builder import INT, GraphBuilder
from heapwright.c.lower.prepass.linking import LinkedProgram
from heapwright.c.lower.prepass.object_layout import (
    Layout,
    is_pointer,
)
from heapwright.c.lower.storage.frame import LoweringState
from heapwright.c.lower.storage.values import join
from heapwright.c.types import ArrayType, CType, FunctionType, PointerType, VoidType
from heapwright.program.commands import (
    Assign,
    Havoc,
    New,
)
from heapwright.program.expressions import JUNK, Expr
from heapwright.program.heap_picture import LIBRARY
from heapwright.program.types import FUNCTION_OBJECT, IntType, Storage, ValueKind, Variable


class Variables:
    def __init__(
        self, builder: GraphBuilder, layout: Layout, linked: LinkedProgram, state: LoweringState, entry: FunctionDecl
    ) -> None:
        self.b = builder
        self.layout = layout
        self.linked = linked
        self.state = state
        self.entry = entry
        self.function_names: dict[str, FunctionDecl] = {}
        self.globals: list[VarDecl] = []  # in order of first use
        self.strings: dict[tuple[tuple[int, ...], IntType], str] = {}
        self._names: dict[int, str] = {}
        self._labels: dict[tuple[int, str], FunctionDecl] = {}  # labels, which have addresses as functions have
        self._taken: dict[str, int] = dict.fromkeys(layout.address_taken.ambiguous, 1)

    # --- names -------------------------------------------------------------------------------------------------------

    def name_of(self, decl: VarDecl) -> str:
        """The name of a variable, the same in every inlined copy of its function."""
        if id(decl) not in self._names:
            local = decl.storage in ("local", "parameter", "static") and bool(self.b.function)
            prefix = f"{self.b.function}::" if local and self.b.function != self.entry.name else ""
            name = self.unused(prefix + (decl.name or "unnamed"))
            self._names[id(decl)] = name
            if decl.storage in ("global", "extern", "static"):
                self.add_global(decl, name)
        return self._names[id(decl)]

    def unused(self, name: str) -> str:
        self._taken[name] = self._taken.get(name, 0) + 1
        return name if self._taken[name] == 1 else f"{name}#{self._taken[name]}"

    def add_global(self, decl: VarDecl, name: str) -> None:
        self.globals.append(decl)
        if self.layout.is_boxed(decl):
            self.address_variable(decl)
        else:
            self.declare(name, decl.type, self._shown(decl), "")

    def _shown(self, decl: VarDecl) -> str:
        """The name of a global, which tells whether it is one of the C library."""
        return LIBRARY + decl.name if self.linked.is_model(decl) else decl.name

    def find_function(self, name: str) -> FunctionDecl | None:
        return self.linked.find(name, self.state.initializing or self.state.frame.function)

    def label(self, function: FunctionDecl) -> str:
        """A name that no other function has, not even a static one of another file."""
        if id(function) not in self._names:
            self._names[id(function)] = self.unused(function.name)
        return self._names[id(function)]

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
            self.b.declare(Variable(variable, ValueKind.POINTER, None, FUNCTION_OBJECT, "&" + name, ""))
        return variable

    def label_address(self, function: FunctionDecl, label: str) -> str:
        """The variable that holds the address of a label of a function."""
        label_function = self._labels.get((id(function), label))
        if label_function is None:
            label_function = FunctionDecl(f"&{label}", FunctionType(VoidType(), (), False), NOWHERE, (), None)
            self._labels[id(function), label] = label_function
        return self.function_address(label_function.name, label_function)

    def site_variable(self, function: FunctionDecl) -> str:
        """The variable that holds the number of the call site to which a shared body returns."""
        name = f"{self.label(function)}::$site"
        return self.b.declare(Variable(name, ValueKind.DATA, INT, "", "", function.name))

    def string_literal(self, literal: ast.StringLiteral) -> str:
        """The variable that holds a string's address."""
        assert isinstance(literal.type, ArrayType)
        key = literal.characters, self.layout.int_type(literal.type.of)
        if key not in self.strings:
            name = f"string {len(self.strings) + 1}"
            self.strings[key] = name
            target = self.layout.object_type(ArrayType(literal.type.of, len(literal.characters))).name
            self.b.declare(Variable(name, ValueKind.POINTER, None, target, name, ""))
        return self.strings[key]

    def literal(self, name: str) -> tuple[int, ...] | None:
        """The characters of a string literal, by the variable that holds its address."""
        return next((text for (text, _), known in self.strings.items() if known == name), None)

    # --- scalars and blocks ------------------------------------------------------------------------------------------

    def declare(self, name: str, ctype: CType, source_name: str, function: str) -> None:
        """Create the variables that a value of this type dissolves into."""
        for scalar in self.layout.fields(ctype):
            full = join(name, scalar.path)
            shown = join(source_name, scalar.path) if source_name else ""
            if shown and self.b.model:
                shown += f" of {self.b.model}"  # no name of the user
            self.b.declare(self.variable(full, scalar.type, shown, function, scalar.bits))

    def variable(self, name: str, ctype: CType, shown: str, function: str, bits: int | None = None) -> Variable:
        if is_pointer(ctype):
            target = self.layout.target(ctype.to) if isinstance(ctype, PointerType) else "function"
            return Variable(name, ValueKind.POINTER, None, target, shown, function)
        int_type = self.layout.int_type(ctype)
        if bits is not None:
            int_type = IntType(bits, int_type.signed)
        return Variable(name, ValueKind.DATA, int_type, "", shown, function)

    def uninitialised(self, name: str, ctype: CType) -> None:
        """A declared variable without an initialiser."""
        for scalar in self.layout.fields(ctype):
            self.forget(join(name, scalar.path))

    def forget(self, name: str, *, approximate: bool = False) -> None:
        """Make a variable indeterminate."""
        variable = self.b.variables[name]
        if variable.type is None:
            self.b.emit_checked(Assign(name, JUNK))
        else:
            self.b.emit(Havoc(name, variable.type, "approximation" if approximate else "uninitialised", approximate))

    def address_variable(self, decl: VarDecl, function: str | None = None) -> str:
        """The constant pointer variable that holds a boxed variable's address; its function is the current one."""
        name = "&" + self.name_of(decl)
        function = (function or self.b.function) if decl.storage in ("local", "parameter") else ""
        target = self.layout.object_type(decl.type).name
        library = self.linked.is_model(decl)
        own = self._shown(decl) if library else "&" + decl.name
        shown = f"&{decl.name} of {self.b.model}" if self.b.model and function else own
        return self.b.declare(Variable(name, ValueKind.POINTER, None, target, shown, function))

    def new_block(
        self,
        address: str,
        ctype: CType,
        storage: Storage = Storage.STACK,
        count: Expr | None = None,
        *,
        zeroed: bool = False,
    ) -> None:
        type_ = self.layout.object_type(ctype)
        if type_.cells is not None and count is None:
            count = self.layout.size_constant(type_.cells.count if type_.cells.count is not None else 1)
        self.b.emit(New(address, type_.name, storage, count, zeroed=zeroed))
