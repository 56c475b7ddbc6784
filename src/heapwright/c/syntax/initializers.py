"""Initialisers: every item of a list gets the full path of the subobject that it initialises.

C lets a list leave out braces and designators and go on after a designator; following those rules (C17 6.7.9) needs
types, so it is done here, once. `struct {int a; struct {int x, y;} b;} v = {1, .b.y = 2}` becomes the items `.a = 1`
and `.b.y = 2`; a subobject without an item is zero, and a later item overrides an earlier one. Braces around a scalar
or a string are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from heapwright.c import clang
from heapwright.c.ast import Cast, Designator, Expr, InitList, StringLiteral, UnsupportedExpr
from heapwright.c.clang import library
from heapwright.c.syntax import clang_kinds as kinds
from heapwright.c.syntax.cursor_tree import Node
from heapwright.c.syntax.source_spans import SourceMap
from heapwright.c.syntax.types import Types
from heapwright.c.types import ArrayType, CType, FunctionType, IntegerType, PointerType, RecordType, VoidType

MAX_RANGE = 4096  # elements that one `[a ... b] =` may initialise
_EFFECTS = (kinds.CALL_EXPR, kinds.COMPOUND_ASSIGNMENT, kinds.STATEMENT_EXPR)

Step = int  # a position: an index, or the number of a member
Path = tuple[Step, ...]


class UnsupportedInitializer(Exception):
    """An initialiser list that is not supported; the text names the construct."""


class Initializers:
    """`expression` reads the expression of one item."""

    def __init__(self, types: Types, source_map: SourceMap, expression: Callable[[Node], Expr]) -> None:
        self.types = types
        self.source_map = source_map
        self._expression = expression

    def read(self, node: Node, type: CType) -> Expr:
        if node.kind == kinds.INIT_LIST_EXPR:
            return self._list(node, type)
        value = self._expression(node)
        if isinstance(type, ArrayType) and isinstance(value, StringLiteral):
            return value
        return converted_to(value, type)

    def _list(self, node: Node, type: CType) -> Expr:
        children = node.expressions
        if len(children) == 1 and (not isinstance(type, ArrayType | RecordType) or self._is_string(children[0], type)):
            return self.read(children[0], type)
        span = self.source_map.span(node.cursor)
        try:
            return InitList(type, span, tuple(self._items(children, type)))
        except UnsupportedInitializer as reason:
            return UnsupportedExpr(type, span, str(reason))

    def _items(self, children: list[Node], type: CType) -> list[tuple[tuple[Designator, ...], Expr]]:
        items: list[tuple[tuple[Designator, ...], Expr]] = []
        position: Path | None = (0,)
        for child in children:
            paths: list[Path] = [position] if position is not None else []
            value = child
            if self._is_designated(child):
                value = child.expressions[-1]
                paths = self._designated(child, type)
            if not paths or self._type_at(type, paths[0]) is None:
                position = None
                continue  # more values than members: clang warns, and they are ignored
            paths = [self._descend(type, path, value) for path in paths]
            if len(paths) > 1 and _has_effects(value):
                raise UnsupportedInitializer("range designator with side effects in its initialiser")
            target = self._type_at(type, paths[0])
            assert target is not None
            expr = self.read(value, target)
            items += [(self._designators(type, path), expr) for path in paths]
            position = self._next(type, paths[-1])
        return items

    # --- designators -----------------------------------------------------------------------------------------------

    def _is_designated(self, node: Node) -> bool:
        return node.kind == kinds.UNEXPOSED_EXPR and isinstance(self.types.of(node.cursor), VoidType)

    def _designated(self, node: Node, type: CType) -> list[Path]:
        """The subobjects that `.a[2].b =` names; several for a range."""
        choices: list[range] = []
        current: CType | None = type
        parts = node.children[:-1]
        while parts:
            part = parts.pop(0)
            if part.kind == kinds.MEMBER_REF:
                if not isinstance(current, RecordType):
                    raise UnsupportedInitializer("this designator")
                target = self.types.member(library().clang_getCursorReferenced(part.cursor))
                for name in self.types.path(current.key, target):
                    assert isinstance(current, RecordType)
                    number = [field.name for field in self.types.record(current.key).fields].index(name)
                    choices.append(range(number, number + 1))
                    current = self.types.field(current.key, name).type
                continue
            low = high = clang.evaluate(part.cursor)
            if parts and parts[0].kind != kinds.MEMBER_REF and self._is_range(part, parts[0], current):
                high = clang.evaluate(parts.pop(0).cursor)
            if low is None or high is None or not isinstance(current, ArrayType) or high - low >= MAX_RANGE:
                raise UnsupportedInitializer("this range designator")
            choices.append(range(low, high + 1))
            current = current.of
        return list(product(*choices))

    def _is_range(self, low: Node, high: Node, type: CType | None) -> bool:
        """Whether two indices are `[low ... high]` and not `[low][high]`."""
        if isinstance(type, ArrayType) and not isinstance(type.of, ArrayType):
            return True
        first = self.source_map.spelled(low.cursor)
        last = self.source_map.spelled(high.cursor)
        if first is None or last is None or first[0] is not last[0] or last[1] <= first[1]:
            raise UnsupportedInitializer("this range designator")
        return b"..." in first[0].data[first[1] : last[1]]

    def _designators(self, type: CType, path: Path) -> tuple[Designator, ...]:
        found: list[Designator] = []
        current: CType | None = type
        for step in path:
            if isinstance(current, RecordType):
                field = self.types.record(current.key).fields[step]
                found.append(Designator(name=field.name))
                current = field.type
            elif isinstance(current, ArrayType):
                found.append(Designator(index=step))
                current = current.of
        return tuple(found)

    # --- walking through a type ------------------------------------------------------------------------------------

    def _type_at(self, type: CType, path: Path) -> CType | None:
        """The type of the subobject at a path, or None where there is none."""
        current: CType = type
        for step in path:
            if isinstance(current, ArrayType):
                if current.count is not None and step >= current.count:
                    return None
                current = current.of
            elif isinstance(current, RecordType):
                record = self.types.record(current.key)
                if step >= len(record.fields):
                    return None
                current = record.fields[step].type
            else:
                return None
        return current

    def _descend(self, type: CType, path: Path, value: Node) -> Path:
        """Into the first scalars of aggregates, until the value fits."""
        while True:
            current = self._type_at(type, path)
            if not isinstance(current, ArrayType | RecordType) or value.kind == kinds.INIT_LIST_EXPR:
                return path
            if self._is_string(value, current) or self.types.of(value.cursor) == current:
                return path
            if self._type_at(type, (*path, 0)) is None:
                raise UnsupportedInitializer("initialiser of an empty struct or array")
            path = (*path, 0)

    def _next(self, type: CType, path: Path) -> Path | None:
        """The subobject after the one at a path."""
        while path:
            container = self._type_at(type, path[:-1])
            following = (*path[:-1], path[-1] + 1)
            if not self._is_union(container) and self._type_at(type, following) is not None:
                return following
            path = path[:-1]
        return None

    def _is_union(self, type: CType | None) -> bool:
        return isinstance(type, RecordType) and self.types.record(type.key).union

    def _is_string(self, node: Node, type: CType) -> bool:
        if not isinstance(type, ArrayType) or not isinstance(type.of, IntegerType):
            return False
        while node.kind in (kinds.PAREN_EXPR, kinds.UNEXPOSED_EXPR) and len(node.expressions) == 1:
            node = node.expressions[0]
        return node.kind == kinds.STRING_LITERAL


def converted_to(operand: Expr, type: CType) -> Expr:
    """The operand as a value of this type."""
    if operand.type == type or (isinstance(operand.type, RecordType) and isinstance(type, RecordType)):
        return operand
    if isinstance(operand.type, ArrayType) and isinstance(type, PointerType):
        decayed = Cast(PointerType(operand.type.of), operand.span, operand, decay=True)
        return converted_to(decayed, type)
    if isinstance(operand.type, FunctionType) and isinstance(type, PointerType):
        decayed = Cast(PointerType(operand.type), operand.span, operand, decay=True)
        return converted_to(decayed, type)
    return Cast(type, operand.span, operand)


def _has_effects(node: Node) -> bool:
    if node.kind in _EFFECTS:
        return True
    if node.kind == kinds.BINARY_OPERATOR and (
        library().clang_getCursorBinaryOperatorKind(node.cursor) == kinds.PLAIN_ASSIGN
    ):
        return True
    if node.kind == kinds.UNARY_OPERATOR and (library().clang_getCursorUnaryOperatorKind(node.cursor) <= kinds.PRE_DEC):
        return True
    return any(_has_effects(child) for child in node.children)
