"""Two-literal clauses (2-CNF) over flags: a cheap over-approximation of the Boolean function.

A function is a set of clauses of at most two literals, closed under resolution; a literal is (flag, value). Projection
then only forgets clauses, and what a set entails can be read off it. Everything else about a set of vectors is lost, in
`join` and in nothing else.

>>> domain = Pairs()
>>> either = domain.join(domain.literal("a"), domain.literal("b"))
>>> domain.values(domain.meet(either, domain.literal("a", False)), "b")
(False, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from heapwright.engines.fesa.numeric.api import Flag, Sizes
from heapwright.engines.fesa.numeric.serialization import Clauses

Literal = tuple[Flag, bool]
Clause = frozenset[Literal]  # one literal or two


@dataclass(frozen=True)
class Implications:
    """`clauses` None: there is no vector at all."""

    clauses: frozenset[Clause] | None


TOP = Implications(frozenset())
BOTTOM = Implications(None)


class Pairs:
    def __init__(self) -> None:
        self.sizes = Sizes()

    def fresh(self) -> Pairs:
        return Pairs()

    def top(self) -> Implications:
        return TOP

    def bottom(self) -> Implications:
        return BOTTOM

    def literal(self, flag: Flag, value: bool = True) -> Implications:
        return Implications(frozenset({frozenset({(flag, value)})}))

    def meet(self, left: Implications, right: Implications) -> Implications:
        if left.clauses is None or right.clauses is None:
            return BOTTOM
        if left.clauses <= right.clauses:
            return right
        if right.clauses <= left.clauses:
            return left
        return _closed(left.clauses, right.clauses - left.clauses)

    def join(self, left: Implications, right: Implications) -> Implications:
        if left.clauses is None:
            return right
        if right.clauses is None:
            return left
        kept = {clause for clause in left.clauses if _entails(right.clauses, clause)}
        kept |= {clause for clause in right.clauses if _entails(left.clauses, clause)}
        for one in _units(left.clauses):
            for other in _units(right.clauses):
                if one[0] != other[0] or one[1] == other[1]:
                    kept.add(frozenset({one, other}))
        return Implications(_without_weaker(kept))

    def drop(self, function: Implications, flags: Iterable[Flag]) -> Implications:
        self.sizes.add(self.size(function))
        gone = set(flags)
        if function.clauses is None:
            return BOTTOM
        return Implications(frozenset(c for c in function.clauses if not any(flag in gone for flag, _ in c)))

    def rename(self, function: Implications, names: Mapping[Flag, Flag]) -> Implications:
        if function.clauses is None:
            return BOTTOM
        return Implications(
            frozenset(frozenset((names.get(flag, flag), value) for flag, value in c) for c in function.clauses)
        )

    def leq(self, left: Implications, right: Implications) -> bool:
        if left.clauses is None:
            return True
        return right.clauses is not None and all(_entails(left.clauses, clause) for clause in right.clauses)

    def is_bottom(self, function: Implications) -> bool:
        return function.clauses is None

    def values(self, function: Implications, flag: Flag) -> tuple[bool, bool]:
        if function.clauses is None:
            return False, False
        return frozenset({(flag, True)}) not in function.clauses, frozenset({(flag, False)}) not in function.clauses

    def possible(self, function: Implications, flags: Iterable[Flag]) -> set[Flag]:
        return {flag for flag in flags if self.values(function, flag)[1]}

    def size(self, function: Implications) -> tuple[int, int]:
        clauses = function.clauses or frozenset()
        return len({flag for clause in clauses for flag, _ in clause}), len(clauses)

    def serialize(self, function: Implications) -> Clauses:
        if function.clauses is None:
            return Clauses(((),))
        return Clauses(tuple(sorted(tuple(sorted(clause)) for clause in function.clauses)))


def _units(clauses: Iterable[Clause]) -> list[Literal]:
    return [next(iter(clause)) for clause in clauses if len(clause) == 1]


def _entails(clauses: frozenset[Clause], clause: Clause) -> bool:
    return clause in clauses or any(frozenset({literal}) in clauses for literal in clause)


def _without_weaker(clauses: set[Clause]) -> frozenset[Clause]:
    units = {clause for clause in clauses if len(clause) == 1}
    return frozenset(c for c in clauses if len(c) == 1 or not any(frozenset({x}) in units for x in c))


def _closed(old: frozenset[Clause], new: frozenset[Clause]) -> Implications:
    """All clauses that follow from a closed set and new ones."""
    clauses = set(old)
    by_literal: dict[Literal, set[Clause]] = {}
    for clause in clauses:
        for literal in clause:
            by_literal.setdefault(literal, set()).add(clause)
    waiting = list(new)
    while waiting:
        clause = waiting.pop()
        if clause in clauses or any(frozenset({literal}) in clauses for literal in clause):
            continue
        clauses.add(clause)
        for literal in clause:
            by_literal.setdefault(literal, set()).add(clause)
        for flag, value in clause:
            rest = clause - {(flag, value)}
            for other in by_literal.get((flag, not value), ()):
                resolvent = rest | (other - {(flag, not value)})
                if not resolvent:
                    return BOTTOM
                if not any((name, not truth) in resolvent for name, truth in resolvent):
                    waiting.append(resolvent)
    return Implications(_without_weaker(clauses))
