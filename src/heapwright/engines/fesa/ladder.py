"""The ladder: analyses of one program, cheapest first, each for the checks that those before it leave open.

A check is proved if any of them proves it. So that a program with a real error does not pay for all of them, what an
analysis may do is bounded by what the first ones did: in sizes of diagrams (`Analysis.work`), never in seconds.

1. `TYPES`, up to a bound that lists and trees stay below; then the paper's `LOOPS`.
2. `NAMED`, up to a larger bound. If none came to its end, first `TYPES` may do more, and then `NAMED` has no bound.
3. `JOINS` and `APART`, where `NAMED` came to its end; the latter takes up to twice as many steps.

On each step the fields along which nothing leaks are sought (`field_sets.py`), from the most promising set of the step
before. Asserted shapes come last, since the fields that they alone read multiply the cost of all else.

    climbed(program, Diagrams(home), Instrumentation(), program.checks, Limits(), NullProgress())
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from heapwright.base.errors import LimitReached
from heapwright.engines.api import Limits, Progress
from heapwright.engines.fesa.field_sets import Fields, anchored, most_promising, searched
from heapwright.engines.fesa.fixpoint import Analysis
from heapwright.engines.fesa.graph.abstract_heap import Instrumentation
from heapwright.engines.fesa.graph.widening import APART, JOINS, LOOPS, NAMED, TYPES, Rule
from heapwright.engines.fesa.numeric.api import Numeric
from heapwright.engines.fesa.transfer.acyclicity import Conflict, counted_sets, ordered_fields
from heapwright.program.checks import Check, CheckKind
from heapwright.program.graph import Program

FIRST = {TYPES: 300_000, LOOPS: 150_000, NAMED: 2_000_000}  # work that analyses may do in any program
LAST = 500_000  # work that `JOINS` and `APART` may do in any program
LITTLE = 100_000  # work that an analysis with another set of fields may do in any program
SIMILAR = 2  # how many times as much work as one that has come to its end another analysis may do
FINER = 8  # how many times as much of it `NAMED` may do
MUCH = 4  # and in a second climb
VISITS = 2  # how many times as many steps as `NAMED` the analysis `APART` may take


def climbed(
    program: Program,
    domain: Numeric[Any],
    instrumentation: Instrumentation,
    checks: Sequence[Check],
    limits: Limits,
    progress: Progress,
) -> list[Analysis[Any]]:
    """The conclusive analyses, up to a step after which nothing can be gained; if there is none, the last one."""
    climb = _Climb(program, domain, instrumentation, limits, progress)
    apart = shapes_cost(program)
    later = [check for check in checks if apart and check.kind is CheckKind.SHAPE]
    others = [check for check in checks if check not in later]
    if others or not later:
        climb.up(others, shapes=not apart)
    if later and (not others or climb.conclusive):
        climb.up(climb.left_open(later), shapes=True)
    if not climb.conclusive:
        assert climb.failed is not None
        return [climb.failed]
    return climb.conclusive


def shapes_cost(program: Program) -> bool:
    """Whether asserted shapes need fields or counters that nothing else needs."""
    fields = ordered_fields(program)
    return fields != ordered_fields(program, shapes=False) or any(one < fields for one in counted_sets(program))


@dataclass
class _Climb:
    """`bound` is the most work of an analysis, None if there is no bound."""

    program: Program
    domain: Numeric[Any]
    instrumentation: Instrumentation
    limits: Limits
    progress: Progress
    visits: int = 0
    conclusive: list[Analysis[Any]] = field(default_factory=list)
    failed: Analysis[Any] | None = None  # the last that is not
    open: list[Check] = field(default_factory=list)
    start: Fields = None  # the set of fields to begin a step with
    seen: object = None  # what the first analysis of the step before had found, along which fields

    def up(self, checks: Sequence[Check], *, shapes: bool) -> None:
        """All steps, as long as checks are open. A second climb takes little more work than the first."""
        self.instrumentation = replace(self.instrumentation, shapes=shapes)
        self.open, self.start, self.seen = list(checks), None, None
        least = min((one.work() for one in self.conclusive), default=None)
        again, last = least is not None, None
        for rule in (TYPES, LOOPS, NAMED):
            if rule == NAMED and again and last is None:
                return
            step = self._step(rule, self._bound(rule, least, again=again))
            if step.confused or not self.open:
                return
            if step.conclusive:
                last, least = step, min(step.work(), least or step.work())
        if last is None:
            last = self._step(TYPES, SIMILAR * FIRST[NAMED])
            last = self._step(NAMED, None) if not last.conclusive else last
        if last.conclusive and last.rule == NAMED and self.instrumentation.into:
            self._finest(last)

    def _finest(self, named: Analysis[Any]) -> None:
        if self.open:
            self._run(JOINS, self.start, max(LAST, SIMILAR * named.work()))
        if self.open:
            work, visits = max(LAST, SIMILAR * named.work()), VISITS * named.size()

            def run(fields: Fields, anchors: frozenset[str] = frozenset()) -> Analysis[Any]:
                return self._run(APART, fields, work, most_visits=visits, anchors=anchors)

            anchored(run(self.start), run, self._leaks())

    def _leaks(self) -> list[Check]:
        """The checks for which fields without cycles are sought."""
        return [check for check in self.open if check.kind in (CheckKind.LEAK, CheckKind.SHAPE) and not check.cleanup]

    def _bound(self, rule: Rule, least: int | None, *, again: bool) -> int:
        """`least` is the work of the cheapest analysis that came to its end."""
        times = SIMILAR if rule != NAMED else MUCH if again else FINER
        return max(LITTLE if again else FIRST[rule], times * (least or 0))

    def _step(self, rule: Rule, bound: int | None) -> Analysis[Any]:
        """The first analysis of a step, after those with other sets of fields."""
        first = self._run(rule, self.start, bound)
        if not first.conclusive:
            return first
        near = max(LITTLE, SIMILAR * first.work())
        leaks = self._leaks()

        def run(fields: Fields, scopes: bool, anchors: frozenset[str]) -> Analysis[Any]:
            return self._run(rule, fields, near, scopes=scopes, anchors=anchors)

        done, seen = [first], (first.transfer.acyclic, _found(first))
        if rule == NAMED or seen != self.seen:  # else a search would end as that on the step before
            done += searched(first, run, leaks, last=rule == NAMED)
        self.seen = seen
        self.start = most_promising(done, [check for check in self.open if check in leaks])
        return first

    def _run(
        self,
        rule: Rule,
        fields: Fields,
        most_work: int | None = None,
        *,
        most_visits: int | None = None,
        scopes: bool = False,
        anchors: frozenset[str] = frozenset(),
    ) -> Analysis[Any]:
        limits = replace(self.limits, states=max(self.limits.states - self.visits, 1))
        analysis: Analysis[Any] = Analysis(
            self.program,
            self.domain.fresh(),
            self.instrumentation,
            limits,
            self.progress,
            rule,
            fields,
            anchors,
            scopes,
        )
        analysis.most_work, analysis.most_visits = most_work, most_visits
        try:
            analysis.run()
        except LimitReached as reached:
            analysis.limit = str(reached)
        if most_work is None or analysis.work() <= most_work:  # another has the steps of one that met its bound
            self.visits += analysis.size()
        if analysis.conclusive:
            self.conclusive.append(analysis)
            self.open = [check for check in self.open if leaves_open(analysis, check)]
        else:
            self.failed = analysis
        return analysis

    def left_open(self, checks: Sequence[Check]) -> list[Check]:
        return [check for check in checks if all(leaves_open(one, check) for one in self.conclusive)]


def _found(analysis: Analysis[Any]) -> tuple[frozenset[str], frozenset[Conflict]]:
    return frozenset(analysis.alarms()), frozenset(analysis.transfer.conflicts)


def leaves_open(analysis: Analysis[Any], check: Check) -> bool:
    """Whether an analysis leaves a check open that another one may prove."""
    unproved = analysis.unproved(check)
    cycles = analysis.transfer.conflicts or analysis.anchors
    return bool(cycles and unproved) or (check.id in analysis.alarms() and not unproved)
