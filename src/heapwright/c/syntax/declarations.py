"""Declarations: each variable and function of C becomes one object that all its uses share.

Names at file scope are unique in C, so that they are kept by name: `extern int x;` in a block, a declaration in a
header and the definition are one variable. Locals are kept by clang's identity. Referenced functions with bodies are
queued; `parse.py` converts them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Literal

from heapwright.c import clang
from heapwright.c.ast import Attributes, FunctionDecl, VarDecl
from heapwright.c.clang import Cursor, library
from heapwright.c.syntax import clang_kinds as kinds
from heapwright.c.syntax.source_spans import SourceMap
from heapwright.c.syntax.types import Types, adjusted
from heapwright.c.types import ArrayType, CType, FunctionType, PointerType, VoidType

_ATTRIBUTE = re.compile(r"(?:__attribute__\(\(|\[\[(?:gnu::)?)_*(\w+?)_*(?:\(([\d, ]*)\))?(?:\)\)|\]\])")
_CLEANUP = re.compile(r"\bcleanup\((\w+)\)")
LAST_PRIORITY = 65535  # of constructors and destructors without one: they run last and first


class Names:
    def __init__(self, types: Types, source_map: SourceMap, root: Cursor | None = None) -> None:
        self._root = root  # of the translation unit
        self._types = types
        self._source_map = source_map
        self._locals: dict[int | None, VarDecl] = {}
        self.globals: dict[str, VarDecl] = {}
        self.functions: dict[str, FunctionDecl] = {}
        self.global_queue: list[tuple[VarDecl, Cursor]] = []  # definitions whose initialisers are still to convert
        self.function_queue: list[tuple[FunctionDecl, Cursor]] = []
        self._definitions: dict[str, Cursor] = {}
        self.variable_parameters: dict[str, frozenset[int]] = {}  # pointers to arrays of variable lengths

    @cached_property
    def typedefs(self) -> dict[str, str]:
        """The canonical spelling of each name of a type at file scope."""
        lib = library()
        return {
            clang.text(lib.clang_getCursorSpelling(one)): clang.text(
                lib.clang_getTypeSpelling(lib.clang_getCanonicalType(lib.clang_getCursorType(one)))
            )
            for one in (clang.children(self._root) if self._root is not None else ())
            if one.kind == kinds.TYPEDEF_DECL
        }

    def variable(self, cursor: Cursor) -> VarDecl:
        """The variable or parameter that a declaration declares."""
        found = self._locals.get(cursor.first)
        if found is not None:
            return found
        lib = library()
        storage = lib.clang_Cursor_getStorageClass(cursor)
        at_file_scope = lib.clang_getCursorSemanticParent(cursor).kind == kinds.TRANSLATION_UNIT
        if cursor.kind == kinds.VAR_DECL and (at_file_scope or storage == kinds.S_EXTERN):
            found = self._global(cursor)
        else:
            scope: Literal["parameter", "static", "local"] = "local"
            if cursor.kind == kinds.PARM_DECL:
                scope = "parameter"
            elif storage == kinds.S_STATIC:
                scope = "static"
            name = clang.text(lib.clang_getCursorSpelling(cursor))
            type = self._types.of(cursor)
            found = VarDecl(
                name, adjusted(type) if scope == "parameter" else type, self._source_map.name(cursor), scope
            )
            found.const = self._types.is_const(lib.clang_getCursorType(cursor))
        self._locals[cursor.first] = found
        return found

    def _global(self, cursor: Cursor) -> VarDecl:
        lib = library()
        name = clang.text(lib.clang_getCursorSpelling(cursor))
        found = self.globals.get(name)
        definition = lib.clang_getCursorDefinition(cursor)
        tentative = lib.clang_Cursor_getStorageClass(cursor) != kinds.S_EXTERN
        if definition.first is not None:
            cursor = definition
        defined = tentative or definition.first is not None
        if found is None:
            static = lib.clang_getCursorLinkage(cursor) == kinds.L_INTERNAL
            found = VarDecl(name, self._types.of(cursor), self._source_map.name(cursor), "extern", file_static=static)
            found.const = self._types.is_const(lib.clang_getCursorType(cursor))
            found.weak = "weak" in self._words(cursor)
            found.lends = self._types.leads_to_const(lib.clang_getCursorType(cursor))
            self.globals[name] = found
        if defined and found.storage == "extern":
            found.storage, found.span, found.type = "global", self._source_map.name(cursor), self._types.of(cursor)
            self.global_queue.append((found, cursor))
        elif isinstance(found.type, ArrayType) and found.type.count is None:  # `int a[]; int a[3];`
            found.type = self._types.of(cursor)
        return found

    def typedef(self, cursor: Cursor) -> VarDecl | None:
        """What stands for the variable lengths of a typedef in a block."""
        return self._locals.get(cursor.first)

    def declare_typedef(self, cursor: Cursor) -> VarDecl:
        name = clang.text(library().clang_getCursorSpelling(cursor))
        type = self._types.convert(library().clang_getCanonicalType(library().clang_getCursorType(cursor)))
        found = self._locals[cursor.first] = VarDecl(name, type, self._source_map.name(cursor), "local")
        return found

    def begin(self, function: FunctionDecl, cursor: Cursor) -> None:
        """Before the body of a function, or of an instance of it, is read."""
        lib = library()
        self._locals = {
            lib.clang_Cursor_getArgument(cursor, number).first: parameter
            for number, parameter in enumerate(function.parameters)
        }

    def instance(self, name: str, given: Mapping[int, CType]) -> str:
        """The name of a function's instance with some parameters of the types that are given."""
        function = self.functions[name]
        key = f"{name}[{', '.join(f'{number}: {type}' for number, type in sorted(given.items()))}]"
        if key in self.functions:
            return key
        parameters = tuple(
            replace(one, type=given.get(number, one.type)) for number, one in enumerate(function.parameters)
        )
        found = replace(
            function,
            type=replace(function.type, parameters=tuple(one.type for one in parameters)),
            parameters=parameters,
        )
        self.functions[key] = found
        self.variable_parameters[key] = self.variable_parameters[name] - given.keys()
        self.function_queue.append((found, self._definitions[name]))
        return key

    def function(self, cursor: Cursor) -> FunctionDecl:
        """The function that a declaration declares; its body is queued when it is first met."""
        lib = library()
        name = clang.text(lib.clang_getCursorSpelling(cursor))
        found = self.functions.get(name)
        if found is not None:
            return found
        definition = lib.clang_getCursorDefinition(cursor)
        has_body = definition.first is not None
        if has_body:
            cursor = definition
        type = self._types.of(cursor)
        if not isinstance(type, FunctionType):  # a compiler built-in without a type of its own
            type = FunctionType(PointerType(VoidType()), (), True)
        count = max(lib.clang_Cursor_getNumArguments(cursor), 0)
        parameters = tuple(self.variable(lib.clang_Cursor_getArgument(cursor, number)) for number in range(count))
        if has_body and not type.parameters:  # `f()` or an old-style definition: the parameters are those of the body
            type = FunctionType(type.result, tuple(parameter.type for parameter in parameters), False, type.lends)
        static = lib.clang_getCursorLinkage(cursor) == kinds.L_INTERNAL
        found = FunctionDecl(name, type, self._source_map.name(cursor), parameters, None, static)
        self.functions[name] = found
        found.no_return = self._no_return(cursor)
        found.attributes = self._attributes(cursor, len(type.parameters))
        if has_body:
            self.function_queue.append((found, cursor))
            self._definitions[name] = cursor
            rows = (lib.clang_Cursor_getArgument(cursor, number) for number in range(count))
            levels = [self._types.pointed_levels(lib.clang_getCursorType(one)) for one in rows]
            self.variable_parameters[name] = frozenset(number for number, level in enumerate(levels) if level)
        return found

    def head(self, cursor: Cursor) -> str:
        """The declaration of a function or parameter as pretty-printed by clang, attributes included, if it has any."""
        if any(child.kind in kinds.ATTRIBUTES for child in clang.children(cursor)):
            return clang.printed(cursor).partition("{")[0]
        return ""

    def _words(self, cursor: Cursor) -> set[str]:
        """The attributes of a variable by name."""
        return {name for name, _ in _ATTRIBUTE.findall(self.head(cursor))}

    def _attributes(self, cursor: Cursor, parameters: int) -> Attributes:
        """The attributes of a declaration; a later one inherits those of earlier ones."""
        lib = library()
        found: dict[str, set[int]] = {}
        priorities: dict[str, int] = {}
        for one in (cursor, lib.clang_getCanonicalCursor(cursor)):
            head = self.head(one)
            for number in range(max(lib.clang_Cursor_getNumArguments(one), 0)):
                parameter = self.head(lib.clang_Cursor_getArgument(one, number))
                if any(name == "nonnull" for name, _ in _ATTRIBUTE.findall(parameter)):
                    found.setdefault("nonnull", set()).add(number)
                head = head.replace(parameter, "") if parameter else head
            for name, numbers in _ATTRIBUTE.findall(head):
                positions = {int(number) - 1 for number in numbers.split(",")} if numbers else set(range(parameters))
                found.setdefault(name, set()).update(positions)
                if name in ("constructor", "destructor"):
                    priorities[name] = int(numbers) if numbers else LAST_PRIORITY
        pure = "pure" in found or "const" in found
        nonnull = frozenset(found.get("nonnull", ()))
        return Attributes(
            "malloc" in found,
            "returns_nonnull" in found,
            pure,
            "const" in found,
            nonnull,
            weak="weak" in found,
            constructor=priorities.get("constructor"),
            destructor=priorities.get("destructor"),
        )

    def cleanup(self, cursor: Cursor) -> FunctionDecl | None:
        """The function that GNU's attribute `cleanup` of a variable names."""
        if not any(child.kind in kinds.ATTRIBUTES for child in clang.children(cursor)):
            return None
        named = _CLEANUP.search(clang.printed(cursor))
        if named is None or self._root is None:
            return None
        lib = library()
        for one in clang.children(self._root):
            if one.kind == kinds.FUNCTION_DECL and clang.text(lib.clang_getCursorSpelling(one)) == named[1]:
                return self.function(one)
        return None

    def _no_return(self, cursor: Cursor) -> bool:
        lib = library()
        for one in (cursor, lib.clang_getCanonicalCursor(cursor)):
            if "noreturn" in clang.text(lib.clang_getTypeSpelling(lib.clang_getCursorType(one))):
                return True
            head = self.head(one)
            if "_Noreturn" in head or any(name == "noreturn" for name, _ in _ATTRIBUTE.findall(head)):
                return True
        return False
