"""The engine `lazy` (CEGAR): a complete abstract reachability tree proves a check, a replayed counterexample refutes
it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from heapwright.base.errors import LimitReached
from heapwright.engines.api import Limits, Progress
from heapwright.engines.kit.outcomes import INCOMPLETE, escapes, not_supported, proved_unless, unreached
from heapwright.engines.kit.statistics import statistics
from heapwright.engines.lazy.art.cegar_loop import Options, Search, ShapeMode
from heapwright.engines.lazy.art.shape_regions import InconsistentShapes
from heapwright.engines.lazy.art.tree_check import check_tree
from heapwright.engines.lazy.declaration import LazyDeclaration
from heapwright.engines.lazy.explicit_heaps import as_result, explore_heaps, is_conclusive, violating_runs
from heapwright.engines.lazy.heap.coarse_aliases import aliases_of
from heapwright.engines.lazy.states.membership import TreeMembership, tree_membership
from heapwright.engines.lazy.states.pictures import Drawn, drawn_states, pictures_by_location
from heapwright.engines.lazy.states.proof_summary import proof_of
from heapwright.engines.tvl.api import HeapVocabulary
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.program.trace import Run
from heapwright.result.outcomes import NO_RUNS, Outcome, Result, Section, Verdict, section_of

if TYPE_CHECKING:
    from heapwright.program.heap_picture import HeapPicture
    from heapwright.result.explanation import Picture, Topic

NAME = LazyDeclaration.name


class Lazy(LazyDeclaration):
    """The engine. `shapes`: the shape precision; by default it is refined on demand, after an explicit exploration of
    small heaps."""

    def __init__(self, shapes: ShapeMode | None = None, settings: Options | None = None) -> None:
        self.settings = settings or Options(shapes or "lazy", explicit=shapes is None)

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        start = time.monotonic()
        checks = [check for check in program.checks if goal.includes(check)]
        if not any(map(goal.selects, checks)):
            return Result(NAME, (), dropped=NO_RUNS, assumptions=program.assumptions)
        if escapes(program):
            return not_supported(Lazy, checks, escapes(program))
        heap = HeapVocabulary(program)
        if heap.takes_inputs or program.entry.any_heap:
            return not_supported(Lazy, checks, "input heaps are not supported")
        kept: dict[str, Run] = {}
        if self.settings.explicit and not goal.pictures and not goal.audit:
            small = explore_heaps(program, goal, limits, progress)
            if is_conclusive(small):
                return as_result(small, NAME)
            kept = violating_runs(small)
        search = Search(program, goal, aliases_of(heap, lean=not goal.pictures), self.settings, lean=True)
        search.found.violated.update(kept)
        try:
            search.run(limits, progress)
            if _may_be_no_leak(search):
                kept = search.found.violated
                search = Search(program, goal, aliases_of(heap), self.settings)
                search.found.violated.update(kept)
                search.run(limits, progress)
            inconclusive = _inconclusive(search)
        except InconsistentShapes as contradiction:
            inconclusive = f"the shape analysis is inconsistent: {contradiction}"
        except LimitReached as reached:
            inconclusive = str(reached)
        outcomes = tuple(_outcome(check, search, inconclusive) for check in checks)
        conclusive = search.found.complete and not inconclusive
        stats = _stats(search, start)
        drawn = drawn_states(search) if goal.pictures and conclusive else []
        pictures = pictures_by_location(drawn)
        return Result(
            NAME,
            outcomes,
            dropped=NO_RUNS,
            assumptions=program.assumptions,
            stats=stats,
            complete=search.found.complete,
            limit=inconclusive,
            invariants=pictures,
            predecessors=_predecessors(search, drawn, pictures),
            topics=_topics(search) if goal.pictures and conclusive else (),
            states=_states(search, drawn) if goal.audit and search.found.complete else None,
            proof=proof_of(search) if conclusive else None,
            sections=_sections(search, outcomes) if goal.certificate and conclusive else (),
            unreached=_unreached(search) if conclusive else frozenset(),
        )


def _states(search: Search, drawn: list[Drawn]) -> TreeMembership:
    if not drawn:
        return tree_membership(search)
    from heapwright.engines.lazy.states.drawn_membership import DrawnTree  # for pictures alone

    return DrawnTree(search, drawn)


def _predecessors(
    search: Search, drawn: list[Drawn], pictures: Mapping[int, tuple[HeapPicture, ...]]
) -> dict[int, tuple[tuple[Picture, ...], ...]]:
    if not drawn:
        return {}
    from heapwright.engines.lazy.states.picture_flow import predecessors  # for pictures alone

    return predecessors(search, drawn, pictures)


def _may_be_no_leak(search: Search) -> bool:
    """Whether a leak alarm may be spurious because pointers that are not live were dropped: in C they keep blocks
    reachable."""
    return search.leaks and any(
        search.found.has_result(check) for check in search.program.checks if check.kind is CheckKind.LEAK
    )


def _inconclusive(search: Search) -> str:
    """Why no check is proved, "" if the tree is a proof."""
    found = search.found
    if not found.complete:
        return "" if search.all_violated else found.limit or INCOMPLETE
    faults = check_tree(search)
    return f"the complete ART is not well-formed: {faults[0]}" if faults else ""


def _outcome(check: Check, search: Search, inconclusive: str) -> Outcome:
    found = search.found
    if check.id in found.violated:
        return Outcome(check, Verdict.VIOLATED, NAME, run=found.violated[check.id])
    if check.id in found.given_up:
        reason, path = found.given_up[check.id]
        return Outcome(check, Verdict.UNKNOWN, NAME, reason=reason, path=path)
    return proved_unless(Lazy, check, inconclusive)


def _sections(search: Search, outcomes: Sequence[Outcome]) -> tuple[Section, ...]:
    from heapwright.engines.lazy.certificate import serialize  # for certificates alone

    return section_of(NAME, outcomes, [serialize(search)])


def _topics(search: Search) -> tuple[Topic, ...]:
    from heapwright.engines.lazy.states.tree_topic import tree_topics  # for pages alone

    return tree_topics(search)


def _unreached(search: Search) -> frozenset[int]:
    return unreached(search.program, (node.location for node in search.tree.nodes()), "")


def _stats(search: Search, start: float) -> dict[str, float | int | str]:
    tracking = search.shapes.tracking
    return statistics(
        search.program,
        start,
        search.posts,
        refinements=len(search.refinement.log),
        nodes=sum(1 for _ in search.tree.nodes()),
        predicates=search.precision.count,
        tracked_pointers=sum(len(search.shapes.projections[one].variables) for one in tracking),
        node_predicates=sum(len(one.predicates) for one in tracking.values()),
        shape_operations=search.shapes.operations,
        solver_queries=search.solver.queries,
    )
