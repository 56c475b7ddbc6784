"""Heap formulas as text, which `parser` reads.

>>> from heapwright.engines.boolheap.logic.formulas import NULL, V, conj, eq, field, name, negation
>>> text(conj(eq(field("next", V), name("x")), negation(eq(V, NULL))))
'x = v.next & null != v'
"""

from __future__ import annotations

from heapwright.engines.boolheap.logic import formulas as f
from heapwright.logic.connectives import And, Not, Or, Truth


def number_text(number: f.Numeric) -> str:
    match number:
        case f.Constant(value):
            return str(value)
        case f.Number(id):
            return f"#{id}"
        case f.Data(name, base):
            return f"{f.term_text(base)}#{name}"
        case f.Sum(inner, constant):
            return f"{number_text(inner)} {'+' if constant > 0 else '-'} {abs(constant)}"


def text(formula: f.Formula) -> str:
    """As `parser.parse` reads it."""
    match formula:
        case Truth(value):
            return "true" if value else "false"
        case f.Equal(left, right):
            return f"{f.term_text(left)} = {f.term_text(right)}"
        case f.Alive(object):
            return f"alive({f.term_text(object)})"
        case f.Marked(mark, object):
            return f"mark({mark}, {f.term_text(object)})"
        case f.Between(name, start, middle, end) if middle == end:
            return f"reach({f.term_text(start)}, {f.term_text(end)}, {name})"
        case f.Between(name, start, middle, end):
            return f"between({f.term_text(start)}, {f.term_text(middle)}, {f.term_text(end)}, {name})"
        case f.Less(left, right):
            return f"{number_text(left)} < {number_text(right)}"
        case f.Same(left, right):
            return f"{number_text(left)} = {number_text(right)}"
        case Not(f.Equal(left, right)):
            return f"{f.term_text(left)} != {f.term_text(right)}"
        case Not(f.Same(left, right)):
            return f"{number_text(left)} != {number_text(right)}"
        case Not(body):
            return (
                f"!{_inner(body)}"
                if isinstance(body, And | Or)
                else f"!({text(body)})"
                if isinstance(body, f.Less)
                else f"!{text(body)}"
            )
        case And(parts):
            return " & ".join(map(_inner, parts))
        case Or(parts):
            return " | ".join(map(_inner, parts))


def _inner(formula: f.Formula) -> str:
    return f"({text(formula)})" if isinstance(formula, And | Or) else text(formula)
