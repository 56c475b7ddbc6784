"""Facts about a C file that need no analysis: the files that it reads, and the names that it defines and uses.

A linker resolves names between object files; a project without a description of its links is put together by the same
rule, from these facts.

    facts = facts_of("list.c", data, ParseOptions())
    facts.uses                                  # names of external linkage that another file must define
"""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.base.errors import InputError
from heapwright.c import clang
from heapwright.c.clang import CONTINUE, RECURSE, Cursor, Visitor, library
from heapwright.c.diagnostics import complain
from heapwright.c.options import ParseOptions
from heapwright.c.syntax import clang_kinds as kinds
from heapwright.c.syntax.source_spans import Source, SourceMap

_DECLARATIONS = (kinds.FUNCTION_DECL, kinds.VAR_DECL)


@dataclass(frozen=True, slots=True)
class TranslationUnitFacts:
    """`files` are those that clang read, the file itself first. `functions` are the functions with external linkage
    that the file itself, not a header, defines, in order; `defines` all names with external linkage that it defines,
    `uses` those that it uses and does not define. `error` is the first one of clang, or ""."""

    files: tuple[str, ...]
    functions: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    error: str = ""


def facts_of(file: str, data: bytes, options: ParseOptions) -> TranslationUnitFacts:
    """The facts about a file with these contents; headers are read from disk."""
    source_map = SourceMap(Source(file, data))
    with clang.translation_unit(file, data, options.arguments()) as unit:
        files = tuple(clang.inclusions(unit))
        try:
            complain(unit, source_map, options)
        except InputError as error:
            return TranslationUnitFacts(files, error=str(error) + (f" ({error.hint})" if error.hint else ""))
        root = library().clang_getTranslationUnitCursor(unit)
        names = _Names(source_map)
        for cursor in clang.children(root):
            names.declaration(cursor)
        uses = [name for name in names.uses if name not in names.defines]
        return TranslationUnitFacts(files, tuple(names.functions), tuple(names.defines), tuple(uses))


class _Names:
    """Names as the linker sees them; dictionaries are ordered sets."""

    def __init__(self, source_map: SourceMap) -> None:
        self.source_map = source_map
        self.functions: dict[str, None] = {}
        self.defines: dict[str, None] = {}
        self.uses: dict[str, None] = {}

    def declaration(self, cursor: Cursor) -> None:
        if cursor.kind not in _DECLARATIONS or self.source_map.is_system(cursor):
            return
        lib = library()
        defined = bool(lib.clang_isCursorDefinition(cursor))
        if cursor.kind == kinds.VAR_DECL:  # a tentative definition is one
            defined = defined or lib.clang_Cursor_getStorageClass(cursor) != kinds.S_EXTERN
        if not defined:
            return
        if lib.clang_getCursorLinkage(cursor) == kinds.L_EXTERNAL:
            name = _name(cursor)
            self.defines[name] = None
            if cursor.kind == kinds.FUNCTION_DECL and self.source_map.name(cursor).file == self.source_map.main.name:
                self.functions[name] = None
        lib.clang_visitChildren(cursor, Visitor(self._reference), None)

    def _reference(self, cursor: Cursor, _parent: Cursor, _data: object) -> int:
        if cursor.kind != kinds.DECL_REF_EXPR:
            return RECURSE
        lib = library()
        target: Cursor = lib.clang_getCursorReferenced(cursor)
        if target.kind in _DECLARATIONS and lib.clang_getCursorLinkage(target) == kinds.L_EXTERNAL:
            self.uses[_name(target)] = None
        return CONTINUE


def _name(cursor: Cursor) -> str:
    return clang.text(library().clang_getCursorSpelling(cursor))
