"""Figures 1 and 2: the predicate updates of a command, computed and compared as Boolean functions.

A published update gives for each predicate when it becomes true and when false. Two updates are equal if they agree on
every consistent vector; others, such as `x = 0` together with `x > 0`, are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.engines.boolheap.abstraction.underapproximation import Update, of_command
from heapwright.engines.boolheap.logic.formulas import Formula, Number, name, negation, plus
from heapwright.engines.boolheap.logic.heap_commands import Count, HeapCommand, Link
from heapwright.engines.boolheap.logic.parser import parse
from heapwright.engines.boolheap.logic.printing import text
from heapwright.engines.boolheap.logic.weakest_preconditions import hwp
from heapwright.engines.boolheap.prover.entailment import Prover
from heapwright.logic.connectives import And, Not, Or, Truth


@dataclass(frozen=True, slots=True)
class Line:
    """One predicate of a figure: the published conditions under which it becomes true, and false."""

    predicate: str
    true: str
    false: str


@dataclass(frozen=True)
class Figure:
    title: str
    command: str
    commands: tuple[HeapCommand, ...]
    lines: tuple[Line, ...]


FIGURES = (
    Figure(
        "Figure 1",
        "x := x + 1",
        (Count("x", plus(Number("x"), 1)),),
        (
            Line("#x = 0", "false", "#x = 0 | #x > 0"),
            Line("#x > 0", "#x = 0 | #x > 0", "!(#x = 0) & !(#x > 0)"),
        ),
    ),
    Figure(
        "Figure 2",
        "x.next := y",
        (Link(name("x"), "next", name("y")),),
        (
            Line("x = v", "x = v", "!(x = v)"),
            Line("y = z", "y = z", "!(y = z)"),
            Line(
                "v.next = z",
                "!(x = v) & v.next = z | x = v & y = z",
                "!(!(x = v) & v.next = z | x = v & y = z)",
            ),
        ),
    ),
)

EXAMPLE = ("v.next = z", "x = v & y = z | x != v & v.next = z")  # section 5: a predicate, and hwp(x.next := y) of it


@dataclass(frozen=True, slots=True)
class ComputedFigure:
    line: Line
    update: Update
    agrees: bool


def computed(figure: Figure) -> list[ComputedFigure]:
    """Our updates of a figure's predicates, each compared with the published one."""
    predicates = [parse(line.predicate) for line in figure.lines]
    found = []
    for line, predicate in zip(figure.lines, predicates, strict=True):
        update = of_command(predicates, figure.commands, predicate)
        agrees = all(
            update.true.holds(vector) == _value(parse(line.true), predicates, vector)
            and update.false.holds(vector) == _value(parse(line.false), predicates, vector)
            for vector in update.vectors
        )
        found.append(ComputedFigure(line, update, agrees))
    return found


def prover_confirms(figure: Figure) -> bool:
    """Whether the prover, without a sample before it, entails the precondition of each predicate from the published
    condition, and not from its negation."""
    prover = Prover()
    for line in figure.lines:
        precondition = hwp(figure.commands, parse(line.predicate)).formula
        published = parse(line.true)
        if prover.entails([published], precondition) is None:
            return False
        if prover.entails([negation(published)], precondition) is not None:
            return False
    return True


def example_agrees() -> bool:
    """Whether the weakest precondition of section 5, by substitution, is the published Boolean function of its
    atoms."""
    predicate, published = map(parse, EXAMPLE)
    ours = hwp((Link(name("x"), "next", name("y")),), predicate).formula
    given = [parse(one) for one in ("x = v", "y = z", "v.next = z")]
    return all(_value(ours, given, vector) == _value(published, given, vector) for vector in range(8))


def _value(formula: Formula, predicates: Sequence[Formula], vector: int) -> bool:
    """The value of a formula over predicates under a vector."""
    match formula:
        case Truth(value):
            return value
        case Not(body):
            return not _value(body, predicates, vector)
        case And(parts):
            return all(_value(part, predicates, vector) for part in parts)
        case Or(parts):
            return any(_value(part, predicates, vector) for part in parts)
    return bool(vector >> list(predicates).index(formula) & 1)


def described(computed: ComputedFigure) -> tuple[str, str, str, str]:
    """A row of the table: the predicate, when it becomes true and when false, and whether that is as published."""
    line, update = computed.line, computed.update
    return (text(parse(line.predicate)), str(update.true), str(update.false), "yes" if computed.agrees else "NO")
