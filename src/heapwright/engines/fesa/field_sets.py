"""The search for a set of pointer fields along which nothing forms a cycle (`transfer/acyclicity.py`).

It begins with all fields that are tracked. An analysis in which two fields meet in what may be a cycle is followed by
others, each without one of those fields, until one has no such conflict and no alarm of a leak. Where a field is in
conflict with itself alone, as in a ring, variables that point to where cycles are closed are tried as anchors.

    smaller(program, fields, {("node.prev", "node.next")})      # [{"node.next"}, {"node.prev"}]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from heapwright.engines.fesa.fixpoint import Analysis
from heapwright.engines.fesa.transfer.acyclicity import Conflict
from heapwright.program.checks import Check, CheckKind
from heapwright.program.commands import Assign, Load
from heapwright.program.dataflow.tracked_integers import field_name
from heapwright.program.expressions import Var
from heapwright.program.graph import Program

MOST_SETS = 6  # that are tried on one step of the ladder
MOST_ANCHORS = 4  # sets of anchors for one set of fields

Fields = frozenset[str] | None  # None: all that are tracked


def smaller(
    program: Program, fields: frozenset[str], conflicts: Iterable[Conflict], *, alone: bool = True
) -> list[frozenset[str]]:
    """The sets with a field less, the most promising first: without the field that is in conflict with most others,
    and of two that are alike, without the one that the program follows less often. `alone`: also without one that is in
    conflict with itself alone."""
    pairs = {frozenset(conflict) for conflict in conflicts}
    partners = Counter(field for pair in pairs if len(pair) > 1 for field in pair)
    loads = [step.command for step in program.graph.edges if isinstance(step.command, Load)]
    follows = Counter(field_name(program, load.base, load.field) for load in loads)
    involved = sorted(
        frozenset[str]().union(*(pair for pair in pairs if alone or len(pair) > 1)) & fields,
        key=lambda field: (-partners[field], follows[field], field),
    )
    return [fields - {field} for field in involved]


def searched(
    first: Analysis[Any],
    run: Callable[[Fields, bool, frozenset[str]], Analysis[Any]],
    leaks: Sequence[Check],
    *,
    last: bool,
) -> list[Analysis[Any]]:
    """The analyses with other sets of fields, after a first one, as long as conflicts alone leave leak checks open: a
    smaller set raises no fewer alarms. Fields that are in conflict with themselves are dropped on the `last` step only,
    since a finer analysis may see that they form no cycle. Where no conflict is left but alarms are, one more analysis
    keeps pointers that are dead but in scope."""
    found: list[Analysis[Any]] = []
    tried = {first.transfer.acyclic}
    waiting = _next(first, leaks, alone=last)
    while waiting and len(found) < MOST_SETS:
        fields = waiting.pop(0)
        if fields in tried:
            continue
        tried.add(fields)
        analysis = run(fields, False, frozenset())
        if not analysis.conclusive:
            break
        found.append(analysis)
        if not hopeful(first, leaks) & analysis.alarms().keys():
            waiting = _next(analysis, leaks, alone=last)
    for one in (first, *found):
        found = [*found, *anchored(one, lambda fields, anchors: run(fields, False, anchors), leaks)]
    ordered = [one for one in (first, *found) if not any(map(one.unproved, leaks))]
    if ordered and any(all(check.id in one.alarms() for one in ordered) for check in leaks if is_leak(check)):
        found.append(run(ordered[0].transfer.acyclic, True, ordered[0].anchors))
    return found


def anchored(
    analysis: Analysis[Any], run: Callable[[Fields, frozenset[str]], Analysis[Any]], leaks: Sequence[Check]
) -> list[Analysis[Any]]:
    """Analyses that follow one in which fields meet with themselves alone: with anchors, without those that may leave a
    ring behind. Copies of anchors are anchors, such as what a function returns."""
    found: list[Analysis[Any]] = []
    alone = analysis.conclusive and all(one == other for one, other in analysis.transfer.conflicts)
    wanted = alone and hopeful(analysis, leaks)
    anchors = _copies(analysis.program, analysis.transfer.candidates) if wanted else frozenset[str]()
    while anchors and len(found) < MOST_ANCHORS:
        last = run(analysis.transfer.acyclic, anchors)
        if not last.conclusive:
            break
        found.append(last)
        anchors = anchors - last.transfer.left if last.transfer.left else frozenset()
    return found


def _copies(program: Program, names: Iterable[str]) -> frozenset[str]:
    """Variables, and those that they are assigned to."""
    found = set(names)
    copies = [step.command for step in program.graph.edges if isinstance(step.command, Assign)]
    while new := {c.target for c in copies if isinstance(c.value, Var) and c.value.name in found} - found:
        found |= new
    return frozenset(found)


def is_leak(check: Check) -> bool:
    return check.kind is CheckKind.LEAK


def hopeful(analysis: Analysis[Any], leaks: Iterable[Check]) -> set[str]:
    """The checks that conflicts alone leave open."""
    alarms = analysis.alarms()
    return {check.id for check in leaks if check.id not in alarms and analysis.unproved(check)}


def most_promising(done: Sequence[Analysis[Any]], open_: Sequence[Check]) -> Fields:
    """The set of fields to begin the next step with: of those without alarms for what is open, the one with the fewest
    conflicts; all fields, if there is none."""
    clean = [one for one in done if one.conclusive and not any(check.id in one.alarms() for check in open_)]
    best = min(clean, key=lambda one: len(one.transfer.conflicts), default=None)
    return None if best is None or not open_ else best.transfer.acyclic


def _next(analysis: Analysis[Any], leaks: Iterable[Check], *, alone: bool) -> list[frozenset[str]]:
    if not analysis.conclusive or not hopeful(analysis, leaks):
        return []
    return smaller(analysis.program, analysis.transfer.acyclic, analysis.transfer.conflicts, alone=alone)
