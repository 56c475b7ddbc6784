"""Integrity constraints on maybe-active nodes (`ac` = 1/2).

Where the body of a constraint must hold of a node, its head must hold of it *if it is active*: values may be sharpened
all the same, since values of inactive nodes are irrelevant. A violation implies that the node is inactive: it is
removed from the structure. A violation by a pair removes the one of the two that is maybe-active; if both are, it only
follows that not both are active, and nothing is done. Only a violation by active nodes makes a structure inconsistent.
An equality that holds within such a node makes it one individual at most; `Draft.unsettled` remembers it, and the
transformer goes on with two structures, one without the node and one with a single node. Nodes that a body quantifies
count only if they are active; evaluation does that.

Edges need no bridging when a node is removed: in a loosened structure the pairs on both sides of it are related
already.

These functions write the end of a constraint's function, over the set b of assignments for which the body must hold. It
returns -1 for a violation, and the complement of the set of nodes that must be inactive if there are any.
"""

from __future__ import annotations

from heapwright.engines.tvl.formulas.code_generation import Writer
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY
from heapwright.logic.formulas import Atom, Equal, Exists, Formula, Truth


def opened(body: Formula, atom: Formula) -> tuple[tuple[str, ...], Formula]:
    """A body that must not hold at all (the head is 0), with its quantified variables as axes, as far as possible: this
    determines the nodes that must be inactive."""
    if isinstance(atom, Truth) and isinstance(body, Exists) and len(body.variables) <= 2:
        return body.variables, body.body
    return (), body


def conclusion(
    writer: Writer, atom: Formula, negative: bool, axes: tuple[str, ...]
) -> tuple[tuple[str, ...], list[str]]:
    """The axes of a constraint's body, and the code for b. `axes` are those of a head that is 0."""
    match atom:
        case Atom(name, arguments):
            axes = tuple(dict.fromkeys(arguments))
            p = writer.slot(name)
            lines = ["b = b * column & diagonal"] if len(arguments) == 2 and len(axes) == 1 else []
            lines.append(f"c = b & must[{p}]" if negative else f"c = b & ~may[{p}]")
            lines += _breach(len(arguments))
            if negative:
                lines += [f"if b & may[{p}] & ~must[{p}]:", f"    may[{p}] &= ~b | must[{p}]", "    return 1"]
            else:
                lines += [f"if b & may[{p}] & ~must[{p}]:", f"    must[{p}] |= b & may[{p}]", "    return 1"]
            return axes, lines
        case Equal(left, right) if left != right:
            lines = ["c = b & diagonal" if negative else "c = b & ~diagonal", *_breach(2)]
            if not negative:
                lines += [f"b = on_diagonal[b & diagonal] & may[{SUMMARY}]", "if b:"]
                lines += [f"    may[{SUMMARY}] &= ~b", "    return 1"]
            return (left, right), lines
        case Equal() if not negative:
            return (), []
        case _:
            return axes, ["c = b", *_breach(len(axes))]


def _breach(arity: int) -> list[str]:
    """The code for a set c of assignments that violate a constraint."""
    if arity == 0:
        return ["if c:", "    return -1"]
    if arity == 1:
        return ["if c:", f"    return -1 if c & must[{ACTIVE}] else ~c"]
    return ["if c:", f"    c = layout.absent(c, must[{ACTIVE}])", "    if c:", "        return c"]
