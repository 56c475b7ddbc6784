"""Functions as pretty-printed by clang, for facts that libclang's cursors do not expose.

Cursors lack the absent parts of a `for` and the type name of a `sizeof`; the source text has them, but not where a
macro made it. clang prints a whole function with macros expanded, and the k-th `for` of the print is the k-th of the
tree. `for_parts` of the only loop in `void f(int i) { for (; i;) ; }` is (False, True, False).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from heapwright.c import clang
from heapwright.c.clang import library
from heapwright.c.syntax import clang_kinds as kinds
from heapwright.c.syntax.cursor_tree import Node

Parts = tuple[bool, bool, bool]

_TOKEN = re.compile(
    r"""(?P<blank> \s+ ) | (?P<word> \w+ ) | (?P<open> [(\[{] ) | (?P<close> [)\]}] ) | (?P<semicolon> ; )
      | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | .""",
    re.DOTALL | re.VERBOSE,
)
_WORDS = {
    kinds.UNARY_EXPR: ("sizeof", "_Alignof", "__alignof"),
    kinds.GENERIC_SELECTION_EXPR: ("_Generic",),
    kinds.ASM_STMT: ("asm",),
}


class PrintedFunction:
    """One function as pretty-printed by clang, on demand."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._loops: dict[int, Parts | None] | None = None
        self._texts: dict[int, dict[int, str]] = {}
        self._text: str | None = None

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = clang.printed(self._root.cursor)
        return self._text

    def for_parts(self, node: Node) -> Parts | None:
        """The parts that a `for` has, of three; None where print and tree do not agree."""
        if self._loops is None:
            nodes = list(_preorder(self._root, kinds.FOR_STMT))
            source_map = self._words(("for",))
            agree = len(nodes) == len(source_map)
            self._loops = (
                {id(one): _parts(self.text, at) for one, at in zip(nodes, source_map, strict=True)} if agree else {}
            )
        return self._loops.get(id(node))

    def construct(self, node: Node) -> str | None:
        """The text of a `sizeof`, `_Alignof`, `_Generic` or `asm`, such as `sizeof(struct node *)`."""
        texts = self._texts.get(node.kind)
        if texts is None:
            texts = self._texts[node.kind] = self._pair(node.kind, _WORDS[node.kind])
        return texts.get(id(node))

    def _pair(self, kind: int, words: tuple[str, ...]) -> dict[int, str]:
        """The nodes of a kind with their texts. The size of an array stands in the print as a number, so that a sizeof
        in it is not there to be counted; a `typeof` is printed in full."""
        source_map = self._words(words)
        for types in (True, False):
            nodes = list(_preorder(self._root, kind, types=types))
            if len(nodes) == len(source_map):
                return {id(one): _parenthesised(self.text, at) for one, at in zip(nodes, source_map, strict=True)}
        return {}

    def _words(self, words: tuple[str, ...]) -> list[int]:
        return [match.start() for match in _TOKEN.finditer(self.text) if match["word"] in words]


def _preorder(node: Node, kind: int, *, types: bool = True) -> Iterator[Node]:
    """The nodes of a kind; without `types` not those in the declared type of a variable."""
    stack = [node]
    while stack:
        node = stack.pop()
        if node.kind == kind:
            yield node
        children = node.children
        if node.kind == kinds.VAR_DECL and not types:
            has_value = library().clang_Cursor_getVarDeclInitializer(node.cursor).second is not None
            children = children[-1:] if has_value else []
        stack.extend(reversed(children))


def _parts(text: str, offset: int) -> Parts | None:
    """The parts that the `for` at this offset has."""
    found = [False]
    depth = 0
    for match in _TOKEN.finditer(text, offset + len("for")):
        if match["blank"]:
            continue
        if match["close"]:
            depth -= 1
            if depth == 0:
                return (found[0], found[1], found[2]) if len(found) == 3 else None
        if depth == 1 and match["semicolon"]:
            found.append(False)
        elif depth >= 1:
            found[-1] = True
        if match["open"]:
            depth += 1
    return None


def _parenthesised(text: str, offset: int) -> str:
    """From the keyword to the end of its parenthesis, or just the keyword."""
    depth = 0
    keyword = _TOKEN.match(text, offset)
    assert keyword is not None
    for match in _TOKEN.finditer(text, keyword.end()):
        if match["open"]:
            depth += 1
        elif match["close"]:
            depth -= 1
            if depth == 0:
                return text[offset : match.end()]
        elif depth == 0 and not match["blank"] and match["word"] not in ("volatile", "goto"):
            break
    return keyword.group()
