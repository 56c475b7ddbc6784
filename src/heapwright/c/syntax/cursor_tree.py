"""A declaration's cursors as a plain tree, read in one visit.

libclang calls back for each cursor below the declaration in preorder with its parent; one visit of a whole
function body costs far less than asking every cursor for its children. Example: the tree of `int f(void) {return 1;}`
is FUNCTION_DECL(COMPOUND_STMT(RETURN_STMT(INTEGER_LITERAL))).
"""

from __future__ import annotations

from heapwright.c.clang import CONTINUE, RECURSE, Cursor, Visitor, library
from heapwright.c.syntax.clang_kinds import EXPRESSIONS

MAX_DEPTH = 1000  # levels of statements and expressions; programs that people write stay far below


class TooDeep(Exception):
    """The tree has more than MAX_DEPTH levels, the first of them too many at `cursor`."""

    def __init__(self, cursor: Cursor) -> None:
        super().__init__()
        self.cursor = cursor


class Node:
    """A cursor and its children."""

    __slots__ = ("children", "cursor", "kind")

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.kind: int = cursor.kind
        self.children: list[Node] = []

    @property
    def expressions(self) -> list[Node]:
        """The children that are expressions; the others name types, members and attributes."""
        return [child for child in self.children if child.kind in EXPRESSIONS]


def read_tree(cursor: Cursor) -> Node:
    root = Node(cursor)
    nodes = [root]  # the path from the root to the latest node
    keys = [(cursor.kind, cursor.first, cursor.second)]
    too_deep: list[Cursor] = []

    def visit(child: Cursor, parent: Cursor, _data: object) -> int:
        key = (parent.kind, parent.first, parent.second)
        while keys[-1] != key and len(keys) > 1:
            keys.pop()
            nodes.pop()
        node = Node(child)
        nodes[-1].children.append(node)
        if len(nodes) >= MAX_DEPTH:
            too_deep.append(child)
            return CONTINUE
        nodes.append(node)
        keys.append((child.kind, child.first, child.second))
        return RECURSE

    library().clang_visitChildren(cursor, Visitor(visit), None)
    if too_deep:
        raise TooDeep(too_deep[0])
    return root
