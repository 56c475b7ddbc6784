"""Parsing: a C file becomes the syntax tree of `ast.py`.

clang preprocesses, parses and types; the readers in `syntax/` turn its cursors into plain values. Definitions in the
user's files are all converted; those of C library headers only where they are referenced.

    unit = parse("list.c", ParseOptions())
    unit.functions["main"].body
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from heapwright.base.errors import InputError, StaleSnapshot, UnsupportedError
from heapwright.c import clang
from heapwright.c.ast import DataModel, TranslationUnit
from heapwright.c.clang import Cursor, library
from heapwright.c.diagnostics import complain
from heapwright.c.nesting_limit import probe, suspicious
from heapwright.c.options import HEADERS, ParseOptions
from heapwright.c.syntax import clang_kinds as kinds
from heapwright.c.syntax.cursor_tree import MAX_DEPTH, TooDeep, read_tree
from heapwright.c.syntax.declarations import Names
from heapwright.c.syntax.expressions import Expressions
from heapwright.c.syntax.pretty_printed import PrintedFunction
from heapwright.c.syntax.source_spans import Source, SourceMap
from heapwright.c.syntax.statements import Statements
from heapwright.c.syntax.types import Types


def parse(
    file: str, options: ParseOptions, text: str | None = None, contents: Mapping[str, bytes] | None = None
) -> TranslationUnit:
    """The syntax tree of a file, or of a text as if it were one; raises InputError if it cannot be parsed. With
    `contents`, by name, no other file is read, those of the package excepted."""
    if contents is not None:
        data = source_text(file, contents[file])
    else:
        data = read_source(file) if text is None else text.encode()
    if suspicious(data):
        probe(file, options, {**(contents or {}), file: data})
    source_map = SourceMap(Source(file, data), contents)
    with clang.translation_unit(file, data, options.arguments(), contents) as unit:
        if contents is not None:
            _nothing_else(unit, contents)
        complain(unit, source_map, options)
        pointer_size = 8 if options.model == "LP64" else 4
        types = Types(source_map, pointer_size)
        root = library().clang_getTranslationUnitCursor(unit)
        names = Names(types, source_map, root)
        try:
            with _recursion_limit(20 * MAX_DEPTH):
                _convert(root, names, types, source_map)
        except TooDeep as error:
            raise InputError("the program is nested too deeply here", source_map.span(error.cursor)) from None
        except RecursionError:
            raise InputError(f"{file} is nested too deeply") from None
        functions, globals_ = dict(names.functions), tuple(names.globals.values())
        return TranslationUnit(file, functions, globals_, types.records, DataModel(options.model), source_map.sources)


def read_source(file: str) -> bytes:
    """The bytes of a C file without a byte order mark; raises InputError if the file cannot be read or is binary."""
    path = Path(file)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{file}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{file} is a directory, not a C file") from None
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise InputError(f"{file!r} is not a file name") from None
    return source_text(file, data)


def source_text(file: str, data: bytes) -> bytes:
    """The bytes of a file without a byte order mark; raises InputError if it is binary."""
    if b"\0" in data:
        raise InputError(f"{file} is a binary file, not C source text")
    return data.removeprefix(b"\xef\xbb\xbf")


def _nothing_else(unit: int, contents: Mapping[str, bytes]) -> None:
    """Raises StaleSnapshot if clang read a file that was not handed to it: the answer would not be about these."""
    for name in clang.inclusions(unit):
        if name not in contents and not name.startswith(f"{HEADERS}{os.sep}"):
            raise StaleSnapshot(f"'{name}' was read, which is not among the files of this translation unit")


@contextmanager
def _recursion_limit(limit: int) -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, limit))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _defines(cursor: Cursor) -> bool:
    """Whether a declaration of a variable at file scope defines it, be it tentatively."""
    lib = library()
    return bool(lib.clang_Cursor_getStorageClass(cursor) != kinds.S_EXTERN or lib.clang_isCursorDefinition(cursor))


def _convert(root: Cursor, names: Names, types: Types, source_map: SourceMap) -> None:
    statements = Statements(Expressions(types, names, source_map))
    for cursor in clang.children(root):
        if cursor.kind == kinds.FUNCTION_DECL:
            if library().clang_isCursorDefinition(cursor) and not source_map.is_system(cursor):
                names.function(cursor)
        elif cursor.kind == kinds.VAR_DECL:
            if _defines(cursor) and not source_map.is_system(cursor):
                names.variable(cursor)
        elif cursor.kind == kinds.UNEXPOSED_DECL and source_map.word(cursor).strip("_") == "asm":
            raise UnsupportedError("inline assembly at file scope", source_map.span(cursor))
    while names.function_queue or names.global_queue:
        if names.global_queue:
            variable, cursor = names.global_queue.pop(0)
            if library().clang_Cursor_getVarDeclInitializer(cursor).second is not None:
                node = read_tree(cursor)
                statements.expressions.printed = PrintedFunction(node)
                variable.initializer = statements.expressions.initializer(node.expressions[-1], variable.type)
        else:
            function, cursor = names.function_queue.pop(0)
            node = read_tree(cursor)
            function.body = statements.body(function, node)
