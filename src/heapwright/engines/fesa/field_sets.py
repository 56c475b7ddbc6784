"""The search for a set of pointer fields along which nothing forms a cycle (`transfer/acyclicity.py`).

It begins with all fields that are tracked. An analysis in which two fields meet in what may be a cycle is followed by
others, each without one of those fields, until one has no such conflict and no alarm of a leak.

    smaller(program, fields, {("node.prev", "node.next")})      # [{"node.next"}, {"node.prev"}]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from heapwright.engines.fesa.fixpoint import Analysis
from heapwright.engines.fesa.transfer.acyclicity import Conflict
from heapwright.program.checks import Check, CheckKind
from heapwright.program.commands import Load
from heapwright.program.dataflow.tracked_integers import field_name
from heapwright.program.graph import Program

MOST_SETS = 6  # that are tried


def smaller(program: Program, fields: frozenset[str], conflicts: Iterable[Conflict]) -> list[frozenset[str]]:
    """The sets with a field less, the most promising first: without the field that is in conflict with most others,
    and of two that are alike, without the one that the program follows less often."""
    pairs = {frozenset(conflict) for conflict in conflicts}
    partners = Counter(field for pair in pairs if len(pair) > 1 for field in pair)
    loads = [step.command for step in program.graph.edges if isinstance(step.command, Load)]
    follows = Counter(field_name(program, load.base, load.field) for load in loads)
    involved = sorted(
        frozenset[str]().union(*pairs) & fields,
        key=lambda field: (-partners[field], follows[field], field),
    )
    return [fields - {field} for field in involved]


def searched(
    first: Analysis[Any],
    run: Callable[[frozenset[str], bool], Analysis[Any]],
    checks: Iterable[Check],
    *,
    scopes: bool,
) -> list[Analysis[Any]]:
    """The analyses with other sets of fields, after a first one, as long as conflicts leave leak checks open. Where
    none is left open by conflicts, but some by alarms, a last one with `scopes` keeps pointers that are dead but in
    scope."""
    leaks = [check for check in checks if check.kind in (CheckKind.LEAK, CheckKind.SHAPE) and not check.cleanup]
    found: list[Analysis[Any]] = []
    tried = {first.transfer.acyclic}
    waiting = _next(first, leaks)
    while waiting and len(found) < MOST_SETS:
        fields = waiting.pop(0)
        if fields in tried:
            continue
        tried.add(fields)
        analysis = run(fields, False)
        if not analysis.complete:
            break
        found.append(analysis)
        alarms = analysis.alarms()
        if not any(analysis.unproved(check) or check.id in alarms for check in leaks):
            break
        waiting = _next(analysis, leaks) + waiting
    ended = [one for one in (first, *found) if one.complete and not one.confused]
    ordered = [one for one in ended if not any(map(one.unproved, leaks))]
    if scopes and ordered and any(all(check.id in one.alarms() for one in ordered) for check in leaks):
        found.append(run(ordered[0].transfer.acyclic, True))
    return found


def _next(analysis: Analysis[Any], leaks: Iterable[Check]) -> list[frozenset[str]]:
    if not analysis.complete or analysis.confused or not any(map(analysis.unproved, leaks)):
        return []
    return smaller(analysis.program, analysis.transfer.acyclic, analysis.transfer.conflicts)
