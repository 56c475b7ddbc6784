"""Pieces of Python text that compute masks, and how they combine.

A value depends on no axis (it is 0 or 1), on the last one (a set of nodes), on the first of two (a set, its members
spread to the beginnings of rows) or on both (a relation). Combining values of different kinds costs as little as the
kinds allow: a set over the first axis times one over the last is their product, one multiplication.

>>> both([Value(FIRST, "s"), Value(LAST, "c")]).text
'((s) * (c))'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

SCALAR, LAST, FIRST, BOTH = "k", "c", "s", "m"
FULL = {LAST: "full", FIRST: "column", BOTH: "square"}


class Value(NamedTuple):
    kind: str
    text: str


ZERO, ONE = Value(SCALAR, "0"), Value(SCALAR, "1")


class Binding(NamedTuple):
    """The binding of a variable: an axis (FIRST or LAST), or the node in a local variable of some loop level."""

    kind: str
    name: str = ""
    level: int = 0
    every: bool = False  # the loop visits all nodes


def at(members: str, binding: Binding) -> Value:
    """Membership of a variable in a set, given as an expression."""
    if binding.kind == SCALAR:
        return Value(SCALAR, f"{members} >> {binding.name} & 1")
    if binding.kind == FIRST:
        return Value(FIRST, f"spread[{members}]")
    return Value(LAST, members)


def complement(value: Value) -> Value:
    if value.kind == SCALAR:
        if value.text in "01":
            return ONE if value.text == "0" else ZERO
        return Value(SCALAR, f"({value.text}) ^ 1")
    return Value(value.kind, f"{FULL[value.kind]} ^ ({value.text})")


def as_kind(value: Value, kind: str) -> Value:
    """The same value, seen as depending on more axes."""
    if value.kind == kind:
        return value
    if value.kind == SCALAR:
        if value.text == "0":
            return Value(kind, "0")
        if value.text == "1":
            return Value(kind, FULL[kind])
        return Value(kind, f"(-({value.text}) & {FULL[kind]})")
    assert kind == BOTH
    return Value(BOTH, f"({value.text}) * {'full' if value.kind == FIRST else 'column'}")


def both(values: Sequence[Value]) -> Value:
    by_kind: dict[str, list[str]] = {}
    for value in values:
        if value == ZERO:
            return ZERO
        if value != ONE:
            texts = by_kind.setdefault(value.kind, [])
            if value.text not in texts:
                texts.append(value.text)
    if not by_kind:
        return ONE
    merged = {
        kind: " & ".join(f"({text})" if " " in text else text for text in texts) for kind, texts in by_kind.items()
    }
    scalar = merged.pop(SCALAR, None)
    if not merged:
        assert scalar is not None
        return Value(SCALAR, scalar)
    if len(merged) == 1:
        ((kind, text),) = merged.items()
    else:
        kind = BOTH
        factors = []
        if FIRST in merged and LAST in merged:
            factors.append(f"(({merged[FIRST]}) * ({merged[LAST]}))")
        elif FIRST in merged:
            factors.append(f"(({merged[FIRST]}) * full)")
        else:
            factors.append(f"(({merged[LAST]}) * column)")
        if BOTH in merged:
            factors.append(merged[BOTH])
        text = " & ".join(factors)
    return Value(kind, text if scalar is None else f"({text} if {scalar} else 0)")


def either(values: Sequence[Value]) -> Value:
    values = [value for value in values if value != ZERO]
    if not values:
        return ZERO
    if ONE in values:
        return ONE
    kinds = {value.kind for value in values} - {SCALAR}
    kind = SCALAR if not kinds else kinds.pop() if len(kinds) == 1 else BOTH
    texts = list(dict.fromkeys(as_kind(value, kind).text for value in values))
    return Value(kind, " | ".join(f"({text})" if " " in text else text for text in texts))
