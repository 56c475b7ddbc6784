"""Parsing: a C file becomes the syntax tree of `ast.py`.

clang preprocesses, parses and types; the readers in `syntax/` turn its cursors into plain values. Definitions in the
user's files are all converted; those of C library headers only where they are referenced.

    unit = parse("list.c", ParseOptions())
    unit.functions["main"].body
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.c import clang
from heapwright.c.ast import DataModel, TranslationUnit
from heapwright.c.clang import Cursor, library
from heapwright.c.diagnostics import complain
from heapwright.c.nesting_limit import probe, suspicious
from heapwright.c.options import ParseOptions
from heapwright.c.syntax import clang_kinds as kinds
from heapwright.c.syntax.cursor_tree import MAX_DEPTH, TooDeep, read_tree
from heapwright.c.syntax.declarations import Names
from heapwright.c.syntax.expressions import Expressions
from heapwright.c.syntax.source_spans import Source, SourceMap
from heapwright.c.syntax.statements import Statements
from heapwright.c.syntax.types import Types

_RUNS_BY_ITSELF = re.compile(r"__attribute__\(\((?:constructor|destructor)\b")


def parse(file: str, options: ParseOptions, text: str | None = None) -> TranslationUnit:
    """The syntax tree of a file, or of a text as if it were one; raises InputError if it cannot be parsed."""
    data = read_source(file) if text is None else text.encode()
    if suspicious(data):
        probe(file, options)
    source_map = SourceMap(Source(file, data))
    with clang.translation_unit(file, data, options.arguments()) as unit:
        complain(unit, source_map, options)
        pointer_size = 8 if options.model == "LP64" else 4
        types = Types(source_map, pointer_size)
        names = Names(types, source_map)
        try:
            with _recursion_limit(20 * MAX_DEPTH):
                _convert(library().clang_getTranslationUnitCursor(unit), names, types, source_map)
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
    if b"\0" in data:
        raise InputError(f"{file} is a binary file, not C source text")
    return data.removeprefix(b"\xef\xbb\xbf")


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
                variable.initializer = statements.expressions.initializer(node.expressions[-1], variable.type)
        else:
            function, cursor = names.function_queue.pop(0)
            node = read_tree(cursor)
            if _RUNS_BY_ITSELF.search(names.head(cursor)):
                raise UnsupportedError(
                    "a constructor or destructor function (run before or after main)", source_map.name(cursor)
                )
            function.body = statements.body(node)
