"""Heap formulas as text, which `parser` reads.

>>> from heapwright.engines.boolheap.logic.formulas import NULL, V, conj, eq, field, name, negation
>>> text(conj(eq(field("next", V), name("x")), negation(eq(V, NULL))))
'x = v.next & null != v'
"""

from __future__ import annotations

from heapwright.engines.boolheap.logic.formulas import (
    Alive,
    Between,
    Constant,
    Data,
    Equal,
    Formula,
    Less,
    Marked,
    Number,
    Numeric,
    Same,
    Sum,
    term_text,
)
from heapwright.logic.connectives import And, Not, Or, Truth


def number_text(number: Numeric) -> str:
    match number:
        case Constant(value):
            return str(value)
        case Number(id):
            return f"#{id}"
        case Data(name, base):
            return f"{term_text(base)}#{name}"
        case Sum(inner, constant):
            return f"{number_text(inner)} {'+' if constant > 0 else '-'} {abs(constant)}"


def text(formula: Formula) -> str:
    """As `parser.parse` reads it."""
    match formula:
        case Truth(value):
            return "true" if value else "false"
        case Equal(left, right):
            return f"{term_text(left)} = {term_text(right)}"
        case Alive(object):
            return f"alive({term_text(object)})"
        case Marked(mark, object):
            return f"mark({mark}, {term_text(object)})"
        case Between(name, start, middle, end) if middle == end:
            return f"reach({term_text(start)}, {term_text(end)}, {name})"
        case Between(name, start, middle, end):
            return f"between({term_text(start)}, {term_text(middle)}, {term_text(end)}, {name})"
        case Less(left, right):
            return f"{number_text(left)} < {number_text(right)}"
        case Same(left, right):
            return f"{number_text(left)} = {number_text(right)}"
        case Not(Equal(left, right)):
            return f"{term_text(left)} != {term_text(right)}"
        case Not(Same(left, right)):
            return f"{number_text(left)} != {number_text(right)}"
        case Not(body):
            return (
                f"!{_inner(body)}"
                if isinstance(body, And | Or)
                else f"!({text(body)})"
                if isinstance(body, Less)
                else f"!{text(body)}"
            )
        case And(parts):
            return " & ".join(map(_inner, parts))
        case Or(parts):
            return " | ".join(map(_inner, parts))


def _inner(formula: Formula) -> str:
    return f"({text(formula)})" if isinstance(formula, And | Or) else text(formula)
