"""Obligations of checks before and after a step, and whether a Boolean heap entails them.

There is no leak if every live object is pointed to or reached by a variable; live variables suffice, since an object
that none of them reaches can no longer be freed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heapwright.engines.boolheap.abstraction.cartesian_post import Sharpening
from heapwright.engines.boolheap.declaration import BoolHeapDeclaration
from heapwright.engines.boolheap.domain.predicate_columns import AtomTable
from heapwright.engines.boolheap.domain.vectors import BooleanHeap, Vector
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.command_translation import claim
from heapwright.logic.connectives import FALSE, TRUE
from heapwright.program import commands as c
from heapwright.program.checks import FREE_KINDS, CheckKind
from heapwright.program.graph import Edge, Program

ACCESSES = (
    c.Load
    | c.Store
    | c.LoadData
    | c.StoreData
    | c.LoadCell
    | c.StoreCell
    | c.LoadDataCell
    | c.StoreDataCell
    | c.Inspect
)


@dataclass(frozen=True, slots=True)
class Obligation:
    """A check holds if the `closed` formula holds and `everywhere` holds of every object, before the step or `after`
    it."""

    check: str
    closed: f.Formula
    everywhere: f.Formula = TRUE
    after: bool = False


def obligations_of(
    edge: Edge[c.Command], program: Program, uncertain: frozenset[str] = frozenset()
) -> tuple[Obligation, ...]:
    """The checks of an edge as obligations, without those that are valid. Those that are `uncertain` never hold."""
    found = list(_of_checks(edge, program, uncertain))
    if isinstance(edge.command, c.Assert):
        wanted = claim(edge.command.literal)
        closed, everywhere = (FALSE, TRUE) if wanted is None else (wanted.closed, wanted.everywhere)
        found.append(Obligation(edge.command.check.id, closed, everywhere))
    return tuple(one for one in found if (one.closed, one.everywhere) != (TRUE, TRUE))


def _of_checks(edge: Edge[c.Command], program: Program, uncertain: frozenset[str]) -> Iterator[Obligation]:
    command = edge.command
    scopes_end = any(isinstance(one.command, c.Leave) for one in program.graph.edges)
    for check in edge.checks:
        if check.kind not in BoolHeapDeclaration.proves or check.kind is CheckKind.LEAK:
            continue
        wanted: f.Formula = TRUE
        if check.id in uncertain:
            wanted = FALSE
        elif isinstance(command, c.Free) or (isinstance(command, c.Inspect) and check.kind in FREE_KINDS):
            closes = isinstance(command, c.Free) and command.closes
            wanted = _freed(check.kind, command.base, not (closes and scopes_end))
        elif isinstance(command, ACCESSES):
            wanted = _accessed(check.kind, command.base, scopes_end)
        yield Obligation(check.id, wanted)


def leaks_of(
    edge: Edge[c.Command], columns: AtomTable, active: int, selected: frozenset[str]
) -> tuple[Obligation, ...]:
    """The selected leak checks of an edge; `active` are the predicates in use after it. A clean-up check at the end of
    `main` requires that no object is alive."""
    used = [one for index, one in enumerate(columns.predicates) if active >> index & 1]
    reached = [one for one in used if _leads_to(one)]
    found = []
    for check in edge.checks:
        if check.id in selected:
            kept = () if check.cleanup else reached
            found.append(Obligation(check.id, TRUE, f.disj(f.negation(f.alive(f.V)), *kept), after=True))
    return tuple(found)


def _leads_to(predicate: f.Formula) -> bool:
    """Whether the predicate states that a variable points to or reaches `v`."""
    match predicate:
        case f.Equal(f.Name(id), object) | f.Between(_, f.Name(id), object, _) if object == f.V:
            return not id.startswith("%")
    return False


def _accessed(kind: CheckKind, base: str, scopes_end: bool) -> f.Formula:
    """The obligation of a dereference of `base`; each check covers one kind of invalid pointer."""
    pointer = f.name(base)
    if kind is CheckKind.NULL_DEREF:
        return f.negation(f.eq(pointer, f.NULL))
    usable = f.disj(f.eq(pointer, f.NULL), f.alive(pointer))
    if kind is CheckKind.INVALID_DEREF:
        return usable if scopes_end else f.negation(f.eq(pointer, f.JUNK))
    if kind is CheckKind.USE_AFTER_FREE:
        return f.disj(f.eq(pointer, f.JUNK), usable)
    return TRUE


def _freed(kind: CheckKind, base: str, legal: bool) -> f.Formula:
    pointer = f.name(base)
    if kind is CheckKind.INVALID_FREE:
        return f.negation(f.eq(pointer, f.JUNK)) if legal else FALSE
    if kind is CheckKind.DOUBLE_FREE:
        return f.disj(f.eq(pointer, f.JUNK), f.eq(pointer, f.NULL), f.alive(pointer))
    return TRUE


class Checker:
    def __init__(self, columns: AtomTable, sharpening: Sharpening) -> None:
        self.columns = columns
        self.sharpening = sharpening

    def holds(self, obligation: Obligation, heap: BooleanHeap) -> bool:
        """Whether the heap entails the obligation; any single vector may entail the closed formula, which is about the
        whole heap."""
        if obligation.closed == FALSE:
            return False
        around = self.columns.at_points(heap)
        known = [self.sharpening.literals(around, one) for one in sorted(heap)]
        return (obligation.closed == TRUE or any(self._entails(one, obligation.closed) for one in known)) and all(
            self._entails(one, obligation.everywhere) for one in known
        )

    def _entails(self, known: Vector, formula: f.Formula) -> bool:
        deduction = self.sharpening.deduction
        return formula == TRUE or deduction.value(deduction.query(TRUE, formula), *known) is True
