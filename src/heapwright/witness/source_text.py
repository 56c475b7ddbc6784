"""A lightweight scan of C text, without compiling it: functions that it defines, declares and calls; and inlining of
its headers.

The scan works on a copy in which comments, literals and directives are blanked, so that offsets are preserved.

>>> found = scan('int f(void);\\nint g(void) { return f() + h(")"); }')
>>> sorted(found.defined), sorted(found.declared), sorted(found.called)
(['g'], ['f', 'g'], ['f', 'h'])
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass

from heapwright.base.source import printable

_IGNORED = re.compile(
    r"""//(?:[^\n\\]|\\.)*            # comments
      | /\*.*?\*/
      | "(?:[^"\\\n]|\\.)*"           # literals
      | '(?:[^'\\\n]|\\.)*'
      | ^[ \t]*\#(?:[^\n\\]|\\.)*     # directives
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_DECORATION = re.compile(
    r"\b(?:__attribute__|__attribute|__asm__|__asm|asm|__declspec|_Alignas|__typeof__|typeof)\s*\("
)
_NAME_AND_PARENTHESIS = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_DECLARATOR = re.compile(r"\b([A-Za-z_]\w*)\s*\((?!\s*[*^])")
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_TYPE_BODY = re.compile(r"\b(?:struct|union|enum)\s*(?:[A-Za-z_]\w*)?\s*$")
_EXTERN = re.compile(r"\s*(?:__extension__\s+)?extern\b")
_DECLARED_OBJECT = re.compile(r"\b([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*[;,=]")
_TYPEDEF = re.compile(r"\s*(?:__extension__\s+)?typedef\b")
_OLD_STYLE = re.compile(r"\(\s*[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*\s*\)\s*[A-Za-z_]")
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
        _Alignas _Alignof _Atomic _Bool _Complex _Float128 _Generic _Noreturn _Static_assert _Thread_local
        __alignof __alignof__ __asm __asm__ __attribute __attribute__ __builtin_va_list __complex__ __const
        __extension__ __func__ __imag__ __inline __inline__ __int128 __label__ __real__ __restrict
        __signed__ __thread __typeof __typeof__ __volatile __volatile__ alignof asm auto break case char
        const continue default do double else enum extern float for goto if inline int long register
        restrict return short signed sizeof static struct switch typedef typeof union unsigned void volatile
        while
        """,
    )
)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_MARKER = re.compile(r"^[ \t]*#[ \t]*(?:line[ \t]+)?\d[^\n]*", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([\"<])([^\">\n]+)[\">][^\n]*$", re.MULTILINE)
_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once\b[^\n]*", re.MULTILINE)


@dataclass(frozen=True)
class Scan:
    """`defined` maps a function to the offset after its opening brace. `called` are names before a parenthesis in
    bodies, `mentioned` all names there. `objects` are names at file scope that are not functions; of these `variables`
    are defined here and `externs` elsewhere. `macros` are defined in the text, `headers` included in angle brackets."""

    defined: Mapping[str, int]
    declared: frozenset[str]
    called: frozenset[str]
    mentioned: frozenset[str]
    objects: frozenset[str]
    externs: frozenset[str]
    variables: frozenset[str]
    macros: frozenset[str]
    headers: frozenset[str]


def scan(text: str) -> Scan:
    blanked = _blanked(text)
    defined: dict[str, int] = {}
    declared: set[str] = set()
    called: set[str] = set()
    mentioned: set[str] = set()
    words: set[str] = set()
    externs: set[str] = set()
    owned: set[str] = set()
    for start, end, body_end in _pieces(blanked):
        head = _without_decorations(blanked[start:end])
        function = None
        if not _is_type_or_value(head):
            function = next((m[1] for m in _DECLARATOR.finditer(head) if m[1] not in _KEYWORDS), None)
            if function is not None:
                declared.add(function)
                if body_end > end:
                    defined[function] = end + 1
        if function is None and _TYPEDEF.match(head) is None:
            here = owned if _EXTERN.match(head) is None else externs
            here.update(_DECLARED_OBJECT.findall(head + ";"))
        words |= set(_WORD.findall(head)) - {function}
        body = blanked[end:body_end]
        mentioned |= set(_WORD.findall(body)) - _KEYWORDS
        called |= {m[1] for m in _NAME_AND_PARENTHESIS.finditer(body)} - _KEYWORDS
    return Scan(
        defined,
        frozenset(declared),
        frozenset(called),
        frozenset(mentioned),
        frozenset(words - declared),
        frozenset(externs - owned - _KEYWORDS),
        frozenset(owned - _KEYWORDS),
        frozenset(_DEFINE.findall(text)),
        frozenset(m[2] for m in _INCLUDE.finditer(text) if m[1] == "<"),
    )


def _blanked(text: str) -> str:
    return _IGNORED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def _pieces(blanked: str) -> list[tuple[int, int, int]]:
    """Declarations at file scope: start, end, and end of the body (`end` if there is none)."""
    pieces: list[tuple[int, int, int]] = []
    start = position = 0
    while position < len(blanked):
        character = blanked[position]
        if character == "{":
            closed = _matching(blanked, position, "{", "}")
            pieces.append((start, position, closed))
            start = position = closed
        elif character == ";":
            # `int f(a) int a; {`: parameter declarations belong to the function
            if not _OLD_STYLE.search(_without_decorations(blanked[start:position])):
                pieces.append((start, position, position))
                start = position + 1
            position += 1
        elif character == "(":
            position = _matching(blanked, position, "(", ")")
        else:
            position += 1
    pieces.append((start, len(blanked), len(blanked)))
    return pieces


def _matching(text: str, opening: int, left: str, right: str) -> int:
    """The offset after the parenthesis that matches the one at `opening`."""
    depth = 0
    for match in re.compile(f"[{re.escape(left + right)}]").finditer(text, opening):
        depth += 1 if match.group() == left else -1
        if depth == 0:
            return match.end()
    return len(text)


def _without_decorations(head: str) -> str:
    while (match := _DECORATION.search(head)) is not None:
        end = _matching(head, match.end() - 1, "(", ")")
        head = head[: match.start()] + " " * (end - match.start()) + head[end:]
    return head


def _is_type_or_value(head: str) -> bool:
    return "=" in head or _TYPE_BODY.search(head) is not None or _TYPEDEF.match(head) is not None


def closing_parenthesis(text: str, line: int, column: int, function: str) -> tuple[int, int] | None:
    """Line and column of the `)` of the first call of `function` at or after a position; None if there is none."""
    lines = text.splitlines(keepends=True)
    if not 1 <= line <= len(lines):
        return None
    blanked = _blanked(text)
    offset = sum(map(len, lines[: line - 1])) + max(column - 1, 0)
    call = re.compile(rf"\b{re.escape(function)}\s*\(").search(blanked, offset)
    if call is None:
        return None
    end = _matching(blanked, call.end() - 1, "(", ")") - 1
    return blanked.count("\n", 0, end) + 1, end - (blanked.rfind("\n", 0, end) + 1) + 1


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a function definition: offsets of its start, its end and its parameters."""

    start: int
    end: int
    parameters: tuple[tuple[int, int], ...]


def heading_of(text: str, function: str) -> Heading | None:
    """The heading of a function; None if the text does not define it."""
    body = scan(text).defined.get(function)
    if body is None:
        return None
    blanked = _blanked(text)
    name = [m for m in re.finditer(rf"\b{re.escape(function)}\s*\(", blanked) if m.end() <= body][-1]
    closing = _matching(blanked, name.end() - 1, "(", ")") - 1
    parameters: list[tuple[int, int]] = []
    start = position = name.end()
    while position <= closing:
        if blanked[position] == "," or position == closing:
            if blanked[start:position].strip() not in ("", "void"):
                parameters.append((start, position))
            start = position + 1
        elif blanked[position] in "([":
            position = _matching(blanked, position, blanked[position], ")" if blanked[position] == "(" else "]") - 1
        position += 1
    start = max(blanked.rfind(mark, 0, name.start()) for mark in ";}") + 1
    return Heading(start, body, tuple(parameters))


def without_markers(text: str) -> str:
    """The text without `# 12 "x.h"` and `#line`: spans are physical lines."""
    return _MARKER.sub("", text)


def c_string(text: str) -> str:
    """A string literal, also under compilers that know trigraphs. Control characters become visible escapes, so that
    names of files are one line in what a compiler or a sanitizer prints."""
    return '"' + printable(text).replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?") + '"'


def inlined(file: str, sources: Mapping[str, str], own: Mapping[str, tuple[str, str]]) -> str:
    """The text of a file with the headers in `sources` inlined, and line directives that preserve line numbers. `own`
    maps names of heapwright's headers to a file name and a text."""
    return _inlined(file, sources, own, (file,))


def _inlined(file: str, sources: Mapping[str, str], own: Mapping[str, tuple[str, str]], path: tuple[str, ...]) -> str:
    text = without_markers(sources[file])
    comments = [m.span() for m in _IGNORED.finditer(text) if m.group().startswith("/")]
    parts = [f"#line 1 {c_string(file)}\n"]
    position = 0
    for match in _INCLUDE.finditer(text):
        if any(start <= match.start() < end for start, end in comments):
            continue
        header = _find(file, match[2], match[1] == '"', sources)
        if header is not None:
            guarded = "" if header in path else _once(header, _inlined(header, sources, own, (*path, header)))
        elif posixpath.basename(match[2]) in own:
            shown, own_text = own[posixpath.basename(match[2])]
            guarded = f"#line 1 {c_string(shown)}\n{own_text}\n"
        else:
            continue
        parts.append(text[position : match.start()])
        parts.append(guarded)
        following = text.count("\n", 0, match.end()) + 2
        parts.append(f"#line {following} {c_string(file)}")
        position = match.end()
    parts.append(text[position:])
    return "".join(parts).rstrip("\n") + "\n"


def _find(includer: str, name: str, quoted: bool, sources: Mapping[str, str]) -> str | None:
    """Resolves an `#include`: a file beside the includer, else a source whose path ends in that name."""
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(includer), name))
    if quoted and beside in sources:
        return beside
    wanted = posixpath.normpath(name).lstrip("./")
    fitting = [f for f in sources if f != includer and (f == wanted or f.endswith("/" + wanted))]
    return min(fitting, key=lambda f: (len(f), f)) if fitting else None


def _once(header: str, text: str) -> str:
    if not _ONCE.search(text):
        return text
    guard = "HW_TEST_ONCE_" + re.sub(r"\W", "_", header)
    return f"#ifndef {guard}\n#define {guard}\n{_ONCE.sub('', text)}#endif\n"
