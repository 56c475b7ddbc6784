"""Kinds of integers of a function: positions or elements.

An index variable is used as an index, an offset of a pointer, or compared with one; a data variable is loaded from the
array, stored into it or compared with one that is. A variable has one kind; flow between the two is not tracked.

>>> i32 = IntType(32, True)
>>> constant_of(Convert(Const(3, i32), IntType(64, True)))
3
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heapwright.program.commands import Assert, Assume, Command, Compute, LoadDataCell, Shift, StoreDataCell
from heapwright.program.expressions import Compare, Const, Convert, Expr, IntVar, linear
from heapwright.program.graph import Edge
from heapwright.program.types import IntType


@dataclass(frozen=True, slots=True)
class Kinds:
    """`constants` are those that elements are compared with, or that are stored."""

    spots: frozenset[str]
    data: frozenset[str]
    constants: frozenset[int]


def constant_of(expr: Expr) -> int | None:
    """The value of an expression without variables whose conversions preserve values."""
    form = linear(expr)
    if form is None or form.terms or not expr.type.minimum <= form.constant <= expr.type.maximum:
        return None
    return form.constant


def plain_of(expr: Expr) -> Expr:
    """The expression without conversions that preserve all values."""
    while isinstance(expr, Convert) and _keeps(expr.operand.type, expr.type):
        expr = expr.operand
    return expr


def _keeps(source: IntType, target: IntType) -> bool:
    return target.minimum <= source.minimum and source.maximum <= target.maximum


def kinds_of(edges: list[Edge[Command]], lengths: set[str]) -> Kinds:
    spots, data = set(lengths), set[str]()
    for edge in edges:
        match edge.command:
            case LoadDataCell(target, _, index):
                spots |= set(_variables(index))
                data.add(target)
            case StoreDataCell(_, index, value):
                spots |= set(_variables(index))
                inner = plain_of(value)
                if isinstance(inner, IntVar):
                    data.add(inner.name)
            case Shift(_, _, offset):
                spots |= set(_variables(offset))
            case _:
                pass
    data -= spots
    links = [link for edge in edges for link in _links(edge.command)]
    changed = True
    while changed:
        changed = False
        for one, two, plain in links:
            for this, other in ((one, two), (two, one)):
                kind = spots if this in spots else data if this in data and plain else None
                if kind is not None and other not in spots and other not in data:
                    kind.add(other)
                    changed = True
    for edge in edges:  # asserted variables are tracked in any case
        if isinstance(edge.command, Assert) and isinstance(edge.command.literal, Compare):
            for side in (edge.command.literal.left, edge.command.literal.right):
                spots |= set(_variables(side)) - data
    return Kinds(frozenset(spots), frozenset(data), frozenset(_constants(edges, data)))


def _variables(expr: Expr) -> Iterator[str]:
    """The variable that an expression adds a constant to."""
    form = linear(expr)
    if form is not None and len(form.terms) == 1:
        yield form.terms[0][0]


def _links(command: Command) -> Iterator[tuple[str, str, bool]]:
    """Variables that are of one kind, and whether they are copied or compared without arithmetic."""
    match command:
        case Compute(target, value):
            for name in _variables(value):
                yield target, name, isinstance(plain_of(value), IntVar)
        case Assume(Compare(_, left, right)) | Assert(Compare(_, left, right)):
            plain = isinstance(plain_of(left), IntVar) and isinstance(plain_of(right), IntVar)
            for one in _variables(left):
                for two in _variables(right):
                    yield one, two, plain
        case _:
            pass


def _constants(edges: list[Edge[Command]], data: set[str]) -> Iterator[int]:
    for edge in edges:
        match edge.command:
            case Assume(Compare(_, left, right)) | Assert(Compare(_, left, right)):
                sides = [plain_of(left), plain_of(right)]
                if any(isinstance(side, IntVar) and side.name in data for side in sides):
                    yield from (side.value for side in sides if isinstance(side, Const))
            case Compute(target, value) if target in data:
                yield from (found for found in (constant_of(value),) if found is not None)
            case StoreDataCell(_, _, value):
                yield from (found for found in (constant_of(value),) if found is not None)
            case _:
                pass
