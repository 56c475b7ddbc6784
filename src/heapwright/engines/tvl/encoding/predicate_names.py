"""Names of predicates, and formulas over them that all families of predicates use.

>>> reach_name("x", "node.next"), reach_name("x", "")
('r[x,node.next]', 'r[x]')
"""

from __future__ import annotations

from heapwright.logic.formulas import TRUE, Equal, Exists, Formula, Not, Or, TransitiveClosure, atom
from heapwright.program.expressions import Null, Pointer, Var

FREED, ENDED, HEAP = "freed", "ended", "heap"
IS_NEW = "isNew"
LOST = "lost blocks"  # a live heap block has become unreachable
INPUT = "input"  # v is a block of the input heap
# Variables of the analysis: the root node of all inputs, a fresh input block, one that was known before,
# and the block of which a cell is decided.
INPUTS, FRESH, KNOWN, OPEN = "$inputs", "$fresh", "$known", "$open"
PICKED = "picked"  # leads from the node of all inputs to one block


def closure(step: Formula, left: str, right: str, source: str = "s", target: str = "t") -> Formula:
    """left reaches right by zero or more steps; `step` is over source and target."""
    return Or((Equal(left, right), TransitiveClosure(left, right, source, target, step)))


def junk(name: str) -> str:
    return f"junk {name}"


def undecided(cell: str) -> str:
    """The cell of an input block that is not initialised yet."""
    return f"undecided {cell}"


def closure_name(field: str) -> str:
    return f"t[{field}]"


def reach_name(variable: str, field: str) -> str:
    return f"r[{variable},{field}]" if field else f"r[{variable}]"


def ring_name(variable: str, field: str) -> str:
    return f"o[{variable},{field}]"


def cycle_name(field: str) -> str:
    return f"c[{field}]"


def cut_name(field: str) -> str:
    return f"cut[{field}]"


def forth_name(forward: str, backward: str) -> str:
    return f"b[{forward},{backward}]"


def back_name(backward: str) -> str:
    return f"b[{backward}]"


def shared_name(field: str) -> str:
    return f"is[{field}]"


def filled_name(field: str) -> str:
    return f"has[{field}]"


def held_name(variable: str) -> str:
    """Reachable from the activation records behind a variable."""
    return f"h[{variable}]"


def call_name(call: int) -> str:
    return f"call@{call}"


def holding_name(field: str, call: int) -> str:
    return f"p[{field},{call}]"


def full_name(field: str) -> str:
    return f"n[{field}]"


def content_name(variable: str, field: str) -> str:
    return f"of[{variable},{field}]"


def nesting_name(variable: str, field: str) -> str:
    return f"nested[{variable},{field}]"


def leading_name(first: str, field: str, second: str) -> str:
    return f"leads[{first},{field},{second}]"


def chosen(cells: str) -> str:
    """Of several cells that share a name, the one that is being read."""
    return f"one of {cells}"


def equals(name: str, value: int) -> str:
    return f"{name}=={value}"


def carries(variable: str) -> str:
    """The node at which an integer variable is."""
    return f"key {variable}"


def order_name(field: str, *, ordered: bool) -> str:
    return f"dle[{field}]" if ordered else f"deq[{field}]"


def value_name(field: str) -> str:
    return f"value[{field}]"


def side_name(variable: str, *, above: bool) -> str:
    return f"above[{variable}]" if above else f"below[{variable}]"


def in_order_name(field: str, relation: str = ">=") -> str:
    return f"inOrder[{field}]" if relation == ">=" else f"inOrder[{field}{relation}]"


def is_type(name: str) -> str:
    return f"is {name}"


# --- pointers --------------------------------------------------------------------------------------------------------


def points_to(pointer: Pointer, node: str) -> Formula:
    return atom(pointer.name, node) if isinstance(pointer, Var) else Not(TRUE)


def is_junk(pointer: Pointer) -> Formula:
    if isinstance(pointer, Var):
        return atom(junk(pointer.name))
    return Not(TRUE) if isinstance(pointer, Null) else TRUE


def not_null(pointer: Pointer) -> Formula:
    return Exists(("v",), points_to(pointer, "v"))
