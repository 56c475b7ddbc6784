"""Heap commands, for which weakest preconditions are defined; a step of a program is a sequence of them.

`x = y->next` is, once its checks have passed, `Suppose(alive(y)); Point("x", field("next", name("y")))`.
"""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.engines.boolheap.logic.formulas import Formula, Numeric, Term


@dataclass(frozen=True, slots=True)
class Point:
    """variable = term"""

    variable: str
    value: Term


@dataclass(frozen=True, slots=True)
class Link:
    """base.field = term"""

    base: Term
    field: str
    value: Term


@dataclass(frozen=True, slots=True)
class Create:
    """variable = any object that was never allocated, which is alive from now on; all its fields are junk."""

    variable: str


@dataclass(frozen=True, slots=True)
class End:
    """The object is not alive any more; its fields must be junk by now."""

    object: Term


@dataclass(frozen=True, slots=True)
class Count:
    """variable = number; None: any number"""

    variable: str
    value: Numeric | None


@dataclass(frozen=True, slots=True)
class Write:
    """base.field = number; None: any number"""

    base: Term
    field: str
    value: Numeric | None


@dataclass(frozen=True, slots=True)
class Suppose:
    """Assume: runs in which the formula does not hold end here."""

    formula: Formula


@dataclass(frozen=True, slots=True)
class Mark:
    """The ghost predicate becomes true of exactly the objects `v` that satisfy the formula."""

    mark: str
    formula: Formula


HeapCommand = Point | Link | Create | End | Count | Write | Suppose | Mark
