"""Serialisation of Boolean functions, and their evaluation under a partial assignment, for membership.

A function is a decision diagram (`Diagram`: a node is a flag and where it leads to when that is 0 and when it is 1; 0
and 1 are the ends, and node k goes by k + 2) or a conjunction of clauses (`Clauses`). Nothing of the package that made
it is needed to read it.

>>> Diagram((("a", 0, 3), ("b", 1, 0)), 2).allows(frozenset({"a"}), frozenset())
True
>>> Clauses(((("a", True), ("b", True)),)).allows(frozenset(), frozenset({"b"}))
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from heapwright.engines.fesa.numeric.api import F, Flag, Numeric

Allows = Callable[[frozenset[Flag], frozenset[Flag]], bool]


@dataclass(frozen=True)
class Diagram:
    nodes: tuple[tuple[Flag, int, int], ...]
    root: int

    def allows(self, ones: frozenset[Flag], open_: frozenset[Flag]) -> bool:
        """Whether a vector has these flags and no others, but for those that may be either way."""
        seen: set[int] = set()
        waiting = [self.root]
        while waiting:
            at = waiting.pop()
            if at == 1:
                return True
            if at == 0 or at in seen:
                continue
            seen.add(at)
            flag, low, high = self.nodes[at - 2]
            if flag in open_:
                waiting += (low, high)
            else:
                waiting.append(high if flag in ones else low)
        return False


@dataclass(frozen=True)
class Clauses:
    clauses: tuple[tuple[tuple[Flag, bool], ...], ...]

    def allows(self, ones: frozenset[Flag], open_: frozenset[Flag]) -> bool:
        left = []
        for clause in self.clauses:
            if any(flag not in open_ and (flag in ones) == value for flag, value in clause):
                continue
            rest = frozenset(one for one in clause if one[0] in open_)
            if not rest:
                return False
            left.append(rest)
        return _satisfiable(left)


def _satisfiable(clauses: list[frozenset[tuple[Flag, bool]]]) -> bool:
    """By cases, unit clauses first; few flags are open."""
    if not clauses:
        return True
    shortest = min(clauses, key=lambda clause: len(clause))
    flag, value = next(iter(shortest))
    for chosen in (value, not value):
        rest = [clause - {(flag, not chosen)} for clause in clauses if (flag, chosen) not in clause]
        if all(rest) and _satisfiable(rest):
            return True
    return False


SerializedFunction = Diagram | Clauses


def allowing(domain: Numeric[F], function: F, flags: frozenset[Flag]) -> Allows:
    """The same query to a function of a domain; it mentions no other flags than these."""

    def allows(ones: frozenset[Flag], open_: frozenset[Flag]) -> bool:
        rest = function
        for flag in sorted(flags - open_):
            rest = domain.meet(rest, domain.literal(flag, flag in ones))
        return not domain.is_bottom(rest)

    return allows
