"""Representative integers: one of each class that no comparison distinguishes.

    compared = compared_in(program, literals, node_predicates)
    representatives(compared["x"])

Variables that are compared with other variables have at least the representatives 0 and 1.

>>> representatives([("<=", 0)])
(0, 1)
>>> representatives([("==", 5), ("<=", 2)])
(0, 3, 5)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from heapwright.engines.lazy.logic.terms import AtMost, Cell, Formula, Leaf, NotZero, Term, Variable, Zero
from heapwright.engines.lazy.precision.tracking_definition import VALUE, NodePredicate
from heapwright.program.commands import Assert, Assume
from heapwright.program.dataflow.tracked_integers import bare
from heapwright.program.expressions import Compare, Const, IntVar
from heapwright.program.graph import Program

Comparison = tuple[str, int]  # with a number: ("<=", 3) or ("==", 3)
Compared = Mapping[str, Sequence[Comparison]]  # by variable or cell
OTHERS: tuple[Comparison, ...] = (("<=", 0),)  # where the other side is no number


def representatives(comparisons: Iterable[Comparison]) -> tuple[int, ...]:
    """The integer nearest to 0 of each class that the comparisons distinguish."""
    known = sorted(set(comparisons))
    bounds = {0, *(bound + more for _, bound in known for more in (-1, 0, 1))}
    found: dict[tuple[bool, ...], int] = {}
    for number in sorted(bounds, key=lambda one: (abs(one), -one)):
        truths = tuple(number <= bound if sign == "<=" else number == bound for sign, bound in known)
        found.setdefault(truths, number)
    return tuple(sorted(found.values()))


def compared_in(program: Program, literals: Iterable[Formula], predicates: Iterable[NodePredicate]) -> Compared:
    """Comparisons of variables and cells in predicates of the tree and conditions of the program."""
    found: dict[str, list[Comparison]] = {}

    def add(name: str, comparisons: Iterable[Comparison]) -> None:
        found.setdefault(name, []).extend(comparisons)

    for literal in literals:
        for leaf, comparisons in _comparisons(literal):
            add(_name(leaf), comparisons)
    for one in predicates:
        for leaf, comparisons in _comparisons(one.atom):
            add(one.cell if leaf == Variable(VALUE) else _name(leaf), comparisons)
    for edge in program.graph.edges:
        command = edge.command
        if isinstance(command, Assume | Assert) and isinstance(command.literal, Compare):
            for name, comparisons in _conditions(command.literal):
                add(name, comparisons)
    return found


def _name(leaf: Leaf) -> str:
    return leaf.name.removeprefix(VALUE) if isinstance(leaf, Variable) else leaf.array if isinstance(leaf, Cell) else ""


def _comparisons(literal: Formula) -> Iterable[tuple[Leaf, tuple[Comparison, ...]]]:
    if not isinstance(literal, AtMost | Zero | NotZero):
        return
    yield from _of_term(literal.term, "<=" if isinstance(literal, AtMost) else "==")


def _of_term(term: Term, sign: str) -> Iterable[tuple[Leaf, tuple[Comparison, ...]]]:
    for leaf, factor in term.parts:
        if len(term.parts) > 1:
            yield leaf, OTHERS
        elif sign == "==":
            yield leaf, ((sign, -term.constant // factor),)
        else:  # factor * x <= -constant
            bound = -term.constant // factor if factor > 0 else -(term.constant // factor) - 1
            yield leaf, ((sign, bound),)
        if isinstance(leaf, Cell):
            yield from _of_term(leaf.index, "==")


def _conditions(literal: Compare) -> Iterable[tuple[str, tuple[Comparison, ...]]]:
    sides = (bare(literal.left), bare(literal.right))
    for one, other in (sides, sides[::-1]):
        if isinstance(one, IntVar) and isinstance(other, Const):
            equal = literal.op in ("==", "!=")
            yield one.name, (("==", other.value),) if equal else (("<=", other.value - 1), ("<=", other.value))
        elif isinstance(one, IntVar):
            yield one.name, OTHERS
