"""The predicates of heapwright.h on small heaps."""

from __future__ import annotations

import pytest
from support.running import outcome

HEAD = """
type node 24: next@0 -> node, prev@8 -> node, key@16: i32
var x -> node
var y -> node
var z -> node
var n -> node
n = null
x = new node zeroed
y = new node zeroed
z = new node zeroed
"""

LIST = "x.next = y\ny.next = z\n"
DLL = LIST + "y.prev = x\nz.prev = y\n"
KEYS = "x.key = 1\ny.key = 1\nz.key = 3\n"

CASES = {
    "acyclic list": (LIST, "acyclic(x, next)", True),
    "acyclic null": ("", "acyclic(n, next)", True),
    "cycle": (LIST + "z.next = x", "acyclic(x, next)", False),
    "lasso": (LIST + "z.next = y", "acyclic(x, next)", False),
    "junk end": (LIST + "z.next = junk", "acyclic(x, next)", False),
    "freed end": (LIST + "free z", "acyclic(x, next)", False),
    "reach": (LIST, "reach(x, z, next)", True),
    "reach itself": ("", "reach(x, x, next)", True),
    "reach back": (LIST, "reach(z, x, next)", False),
    "reach null": (LIST, "reach(x, n, next)", True),
    "reach null on a cycle": (LIST + "z.next = x", "reach(x, n, next)", False),
    "disjoint": ("", "disjoint(x, y, next)", True),
    "joined": ("x.next = z\ny.next = z", "disjoint(x, y, next)", False),
    "sorted": (LIST + KEYS, "sorted(x, next, key)", True),
    "not sorted": (LIST + KEYS + "x.key = 2", "sorted(x, next, key)", False),
    "sorted down": (LIST + KEYS, "sorted_down(x, next, key)", False),
    "equal keys down": (LIST + KEYS + "x.key = 3\ny.key = 3", "sorted_down(x, next, key)", True),
    "sorted cycle": (LIST + KEYS + "z.next = x", "sorted(x, next, key)", False),
    "dll": (DLL, "dll(x, next, prev)", True),
    "not dll": (DLL + "z.prev = x", "dll(x, next, prev)", False),
    "cyclic": (LIST + "z.next = x", "cyclic(x, next)", True),
    "cyclic null": ("", "cyclic(n, next)", True),
    "lasso is not cyclic": (LIST + "z.next = y", "cyclic(x, next)", False),
    "tree": ("x.next = y\nx.prev = z", "tree(x, next, prev)", True),
    "shared": ("x.next = y\nx.prev = z\ny.next = z", "tree(x, next, prev)", False),
    "all reachable": (LIST, "all_reachable(x, next)", True),
    "not all reachable": ("x.next = y", "all_reachable(x, next)", False),
    "none to reach": ("free x\nfree y\nfree z", "all_reachable(n, next)", True),
    "some to reach": ("", "all_reachable(n, next)", False),
    "junk is nothing": ("y = junk", "acyclic(y, next)", False),
}


@pytest.mark.parametrize(("text", "literal", "holds"), CASES.values(), ids=CASES.keys())
def test_a_predicate(text: str, literal: str, holds: bool) -> None:
    from heapwright.program.checks import CheckKind, Goal

    goal = Goal(frozenset((CheckKind.SHAPE,)))  # the heaps need not be freed
    for negation, expected in (("", holds), ("!", not holds)):
        verdict = outcome(f"{HEAD}{text}\nassert {negation}{literal}", goal=goal)
        assert verdict.split(":")[0] == ("exit" if expected else "shape")
