"""Splits by any predicate (section 7): where the update of a predicate is open that an alarm depends on.

The paper splits heaps by the weakest precondition of whichever predicate is nondeterministic. Along the abstract
counterexample of an alarm, backwards, these are the predicates that the obligation or an assumption mentions, then
those that their preconditions mention; where a step leaves one of them open, its precondition splits the heaps before
that step.

    discover_splits(analysis, ["list.c:9:5:assert"], {})     # {17: (0 < x#data,)}: at edge 17
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from heapwright.engines.boolheap.domain.vectors import BooleanHeap
from heapwright.engines.boolheap.fixpoint import Analysis
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.weakest_preconditions import ANY, hwp
from heapwright.engines.boolheap.predicates.candidate_atoms import candidates_of
from heapwright.logic.connectives import TRUE, Not, Truth

NEW = 4  # maximum number of splits in one refinement
FAR = 40  # maximum number of steps back
Splits = dict[int, tuple[f.Formula, ...]]


def discover_splits(analysis: Analysis, alarms: Iterable[str], known: Mapping[int, tuple[f.Formula, ...]]) -> Splits:
    """New splits by edge, those nearest to an alarm first."""
    found: Splits = {}
    for check in alarms:
        for number, one in _open_updates(analysis, check):
            if one not in (*known.get(number, ()), *found.get(number, ())):
                found[number] = (*found.get(number, ()), one)
            if sum(map(len, found.values())) >= NEW:
                return found
    return found


def _open_updates(analysis: Analysis, check: str) -> Iterable[tuple[int, f.Formula]]:
    alarm, edges = analysis.alarms[check], analysis.program.graph.edges
    wanted = next(one for one in edges[alarm.edge].command.obligations if one.check == check)
    needed = _mentioned(analysis, [wanted.closed, wanted.everywhere])
    for node in reversed(alarm.node.path()[1:][-FAR:]):
        steps = analysis.steps(node.edge)
        moved = [heap for step in steps for heap in step.post(node.parent.state)] if node.parent is not None else []
        for commands in edges[node.edge].command.alternatives:
            needed = needed | _mentioned(analysis, [hwp(commands, TRUE).supposed])
            for column in sorted(needed):
                precondition = hwp(commands, analysis.program.predicates[column]).formula
                if isinstance(precondition, Truth):
                    continue
                bare = precondition.operand if isinstance(precondition, Not) else precondition
                if bare != analysis.program.predicates[column]:
                    bit = analysis.active[node.location] & 1 << column
                    if not _chooses(bare) and any(_is_open(heap, bit) for heap in moved):
                        yield node.edge, bare
                    needed = needed | _mentioned(analysis, [precondition])


def _chooses(formula: f.Formula) -> bool:
    """Whether a formula depends on a choice of the step, or on the object that it allocates."""
    roots = {f.root(term) for atom in f.atoms(formula) for term in f.terms_of(atom)}
    return f.FRESH in roots or any(name.startswith(ANY) for name in f.names_of(formula))


def _mentioned(analysis: Analysis, formulas: Iterable[f.Formula]) -> frozenset[int]:
    """The predicates that occur in formulas, of some object."""
    found = set(candidates_of(formulas)) | {one for formula in formulas for one in f.atoms(formula)}
    wholes = [set(f.atoms(one)) <= found for one in analysis.program.predicates]
    points = analysis.columns.unique
    return frozenset(index for index, whole in enumerate(wholes) if whole and not points >> index & 1)


def _is_open(heap: BooleanHeap, bit: int) -> bool:
    return bool(bit) and any(not (vector.ones | vector.zeros) & bit for vector in heap)
