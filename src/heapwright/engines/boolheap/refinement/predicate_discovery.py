"""Predicate discovery: weakest preconditions of the failed obligation along the abstract counterexample.

Each atom of these preconditions is a candidate, and if it dereferences a variable, also its generalisation to any
object `v`. If the obligation compares integers, equations that the steps assign or assume are candidates, too.

    x = x->next; y = x->key    the precondition of x != null over the first step suggests null = v.next
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heapwright.engines.boolheap.abstraction.obligations import Obligation
from heapwright.engines.boolheap.fixpoint import Analysis
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.command_translation import Alternatives
from heapwright.engines.boolheap.logic.heap_commands import Count, HeapCommand, Suppose
from heapwright.engines.boolheap.logic.weakest_preconditions import hwp
from heapwright.engines.boolheap.predicates.candidate_atoms import candidates_of
from heapwright.logic.connectives import FALSE, TRUE, And, Or

FAR = 25  # maximum number of steps back
NEW = 6  # maximum number of predicates in one refinement
NEW_CLOSED = 8  # the same for the Cartesian post, which needs closed predicates


def discover_predicates(analysis: Analysis, alarms: Iterable[str]) -> tuple[f.Formula, ...]:
    """New predicates, those nearest to an alarm first."""
    known = set(analysis.program.predicates)
    found: dict[f.Formula, None] = {}
    most = NEW if analysis.program.context else NEW_CLOSED
    for check in alarms:
        for one in _candidates(analysis, check, analysis.alarms[check].path()):
            if one not in known and len(found) < most:
                found[one] = None
    return tuple(found)


def _candidates(analysis: Analysis, check: str, path: tuple[int, ...]) -> Iterator[f.Formula]:
    edges, closed = analysis.program.graph.edges, not analysis.program.context
    wanted = next(one for one in edges[path[-1]].command.obligations if one.check == check)
    formulas = _open_wholes(analysis, wanted) or [wanted.closed, wanted.everywhere]
    yield from candidates_of(formulas, closed=closed)
    counting = any(isinstance(atom, f.Less | f.Same) for one in formulas for atom in f.atoms(one))
    for number in list(reversed(path if wanted.after else path[:-1]))[:FAR]:
        step = edges[number].command
        if counting:
            yield from candidates_of(_equations(step.alternatives))
        formulas = [_needed(commands, one) for commands in step.alternatives for one in formulas]
        formulas = [one for one in dict.fromkeys(formulas) if one != TRUE]
        if not formulas or len(formulas) > 8:
            return
        yield from candidates_of(formulas, closed=closed)


def _open_wholes(analysis: Analysis, wanted: Obligation) -> list[f.Formula]:
    """The predicates with several atoms that an obligation is made of: they are followed as wholes."""
    everything = [one for one in analysis.program.predicates if isinstance(one, Or | And)]
    return [one for one in everything if set(f.atoms(one)) <= set(f.atoms(wanted.everywhere))]


def _needed(commands: Sequence[HeapCommand], formula: f.Formula) -> f.Formula:
    """What must hold before commands; where nothing else helps, that an assumption of theirs does not."""
    before = hwp(commands, formula)
    return f.negation(before.supposed) if before.formula == FALSE else before.formula


def _equations(alternatives: Alternatives) -> Iterator[f.Formula]:
    """Integer equations that a step establishes, and integer comparisons that it assumes."""
    for command in (command for commands in alternatives for command in commands):
        match command:
            case Count(variable, f.Number(other)):
                yield f.same(f.Number(variable), f.Number(other))
            case Count(variable, f.Data(name, _)):
                yield f.same(f.Number(variable), f.Data(name, f.V))
            case Suppose(formula):
                yield from (atom for atom in f.atoms(formula) if isinstance(atom, f.Less | f.Same))
