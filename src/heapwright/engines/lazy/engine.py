"""The engine `lazy` (CEGAR): a complete abstract reachability tree proves a check, a replayed counterexample refutes
it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heapwright.base.errors import LimitReached
from heapwright.engines.api import Limits, Progress
from heapwright.engines.kit.outcomes import INCOMPLETE, escapes, not_supported, proved_unless, unreached
from heapwright.engines.kit.statistics import statistics
from heapwright.engines.lazy.art.cegar_loop import ASSERTIONS, Search
from heapwright.engines.lazy.art.search_options import Options, ShapeMode
from heapwright.engines.lazy.art.shape_regions import InconsistentShapes
from heapwright.engines.lazy.art.tree_check import check_tree
from heapwright.engines.lazy.declaration import LazyDeclaration
from heapwright.engines.lazy.explicit_heaps import as_result, explore_heaps, is_conclusive, violating_runs
from heapwright.engines.lazy.heap.coarse_aliases import aliases_of
from heapwright.engines.lazy.paths.path_constraints import PathKind
from heapwright.engines.lazy.precision.tracking_definition import ShapeType, Tracking
from heapwright.engines.lazy.states.membership import TreeMembership, tree_membership
from heapwright.engines.lazy.states.pictures import Drawn, drawn_states, pictures_by_location
from heapwright.engines.lazy.states.proof_summary import proof_of
from heapwright.engines.tvl.api import HeapVocabulary, SharedTransformers
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
    small heaps. `paths`: the form of path formulas, which are printed if it is given."""

    def __init__(
        self, shapes: ShapeMode | None = None, paths: PathKind | None = None, settings: Options | None = None
    ) -> None:
        self.settings = settings or Options(
            shapes or "lazy", explicit=shapes is None, paths=paths or "arrays", print_paths=paths is not None
        )

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
        searches = self._searches(program, goal, heap, kept, limits, progress)
        outcomes = tuple(_outcome(check, searches) for check in checks)
        limit = next((one.inconclusive for one in searches if one.inconclusive), "")
        complete = all(one.search.found.complete for one in searches)
        conclusive = complete and not limit
        search = searches[0].search
        alone = conclusive and len(searches) == 1
        stats = _stats(searches, start)
        drawn = drawn_states(search) if goal.pictures and alone else []
        pictures = pictures_by_location(drawn)
        return Result(
            NAME,
            outcomes,
            dropped=NO_RUNS,
            assumptions=program.assumptions,
            stats=stats,
            complete=complete,
            limit=limit,
            invariants=pictures,
            predecessors=_predecessors(search, drawn, pictures),
            topics=_topics(search) if goal.pictures and alone else (),
            states=_states(search, drawn) if goal.audit and search.found.complete else None,
            proof=proof_of([one.search for one in searches]) if conclusive else None,
            sections=_sections(search, outcomes) if goal.certificate and alone else (),
            unreached=_unreached(search) if conclusive else frozenset(),
        )

    def _searches(
        self,
        program: Program,
        goal: Goal,
        heap: HeapVocabulary,
        kept: dict[str, Run],
        limits: Limits,
        progress: Progress,
    ) -> list[Ended]:
        """One tree for all checks; or, if leaks are checked and no tree is asked for, one for assertions and one for
        each component. Then their numbers of nodes add up, instead of being multiplied."""
        aliases, alike = aliases_of(heap, lean=not goal.pictures), SharedTransformers()
        leaks = any(check.kind is CheckKind.LEAK and goal.selects(check) for check in program.checks)
        asked = goal.pictures or goal.audit or goal.certificate or self.settings.shapes != "lazy"
        parts: list[int | None] = [None]
        if leaks and not asked and len(aliases.components) > 1:
            parts = [ASSERTIONS, *aliases.components]
        found: list[Ended] = []
        for part in parts:
            search = Search(program, goal, aliases, self.settings, lean=True, part=part, alike=alike)
            search.found.violated.update(kept)
            found.append(_ended(search, limits, progress))
            kept = {**kept, **search.found.violated}
            if _may_be_no_leak(search):
                search = Search(program, goal, aliases_of(heap), self.settings)
                search.found.violated.update(kept)
                return [_ended(search, limits, progress)]
        return found


@dataclass(frozen=True)
class Ended:
    """A search, and why none of its checks is proved, "" if its tree is a proof."""

    search: Search
    inconclusive: str


def _ended(search: Search, limits: Limits, progress: Progress) -> Ended:
    try:
        search.run(limits, progress)
        return Ended(search, _inconclusive(search))
    except InconsistentShapes as contradiction:
        return Ended(search, f"the shape analysis is inconsistent: {contradiction}")
    except LimitReached as reached:
        return Ended(search, str(reached))


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
    """Whether a leak alarm that no run shows may be spurious because pointers that are not live were dropped: in C they
    keep blocks reachable."""
    given_up = search.found.given_up
    return search.leaks and any(check.id in given_up for check in search.program.checks if check.kind is CheckKind.LEAK)


def _inconclusive(search: Search) -> str:
    """Why no check is proved, "" if the tree is a proof."""
    found = search.found
    if not found.complete:
        return "" if search.all_violated else found.limit or INCOMPLETE
    faults = check_tree(search)
    return f"the complete ART is not well-formed: {faults[0]}" if faults else ""


def _outcome(check: Check, searches: Sequence[Ended]) -> Outcome:
    for one in searches:
        found = one.search.found
        if check.id in found.violated:
            return Outcome(check, Verdict.VIOLATED, NAME, run=found.violated[check.id])
        if check.id in found.given_up:
            reason, path = found.given_up[check.id]
            return Outcome(check, Verdict.UNKNOWN, NAME, reason=reason, path=path)
    mine = [one for one in searches if one.search.may_decide(check)]
    reasons = [one.inconclusive or ("" if one.search.found.complete else INCOMPLETE) for one in mine]
    return proved_unless(Lazy, check, next(filter(None, reasons), ""))


def _sections(search: Search, outcomes: Sequence[Outcome]) -> tuple[Section, ...]:
    from heapwright.engines.lazy.certificate import serialize  # for certificates alone

    return section_of(NAME, outcomes, [serialize(search)])


def _topics(search: Search) -> tuple[Topic, ...]:
    from heapwright.engines.lazy.states.tree_topic import tree_topics  # for pages alone

    return tree_topics(search)


def _unreached(search: Search) -> frozenset[int]:
    return unreached(search.program, (node.location for node in search.tree.nodes()), "")


def _stats(searches: Sequence[Ended], start: float) -> dict[str, float | int | str]:
    found = [one.search for one in searches]
    tracked: dict[int, Tracking] = {}
    for search in found:
        for one in search.shapes.tracking.components:
            tracked[one] = search.shapes.tracking.whole(one).joined(tracked.get(one, Tracking()))
    return statistics(
        found[0].program,
        start,
        sum(search.posts for search in found),
        refinements=sum(len(search.refinement.log) for search in found),
        nodes=sum(1 for search in found for _ in search.tree.nodes()),
        predicates=sum(search.precision.count for search in found),
        tracked_pointers=sum(len(found[0].shapes.projections[one].variables) for one in tracked),
        with_reachability=sum(one.type is ShapeType.REACHABILITY for one in tracked.values()),
        node_predicates=sum(len(one.predicates) for one in tracked.values()),
        shape_operations=sum(search.shapes.operations for search in found),
        solver_queries=sum(search.solver.queries for search in found),
    )
