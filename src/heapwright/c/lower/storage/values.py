"""Values of expressions: integer expressions, pointer operands, and lvalues."""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.c.types import CType
from heapwright.program.expressions import (
    Expr,
    Pointer,
)

OPEN = "\0"  # stands for an index that a selector decides

Value = Expr | Pointer


@dataclass(frozen=True, slots=True)
class LValue:
    """A variable, a field of the object that a variable points to, or a cell of an array.

    A variable may be a scalar of a dissolved struct, such as `s.a`. An index into a dissolved array that is not
    constant stays open in the path, as a selector, and each access branches over it."""

    type: CType
    root: CType  # type of the variable or object that the path starts at
    variable: str = ""  # name of that variable, if the lvalue is in variables
    base: str = ""  # else: the pointer variable that holds the object's address
    path: str = ""
    index: Expr | None = None  # of a cell
    selectors: tuple[tuple[Expr, int], ...] = ()  # (index, count) for each OPEN of the path
    subject: str = ""  # the pointer as in the source text
    bits: int | None = None  # width of a bit-field
    direct: bool = False  # a cell of an array in the source, not of what a pointer points to


def join(name: str, path: str) -> str:
    """A path below a name: `s` and `a` give `s.a`, `a` and `[0]` give `a[0]`."""
    if not name or not path:
        return name or path
    return name + path if path.startswith("[") else f"{name}.{path}"
