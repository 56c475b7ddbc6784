"""Refinement loop: spurious alarms add split points, then predicates; the analysis restarts.

Every alarm is replayed first (`counterexample_replay`): a feasible one needs no refinement. For spurious alarms,

- field loads on their paths split heaps from now on: split points are placed by counterexamples (Podelski, Wies, POPL
  2010);
- then the preconditions of predicates that a step leaves open and an alarm depends on (`split_discovery`);
- then weakest preconditions along the abstract counterexample suggest predicates (`predicate_discovery`), up to the
  maximum number of refinements.

A later iteration replaces the best analysis only if it is complete with fewer alarms.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from heapwright.engines.api import Limits, Progress
from heapwright.engines.boolheap.fixpoint import NO_COST, Analysis, ProverCost, run
from heapwright.engines.boolheap.logic.formulas import Formula
from heapwright.engines.boolheap.refinement.counterexample_replay import is_feasible
from heapwright.engines.boolheap.refinement.predicate_discovery import discover_predicates
from heapwright.engines.boolheap.refinement.split_discovery import Splits, discover_splits
from heapwright.program import commands as c
from heapwright.program.graph import Program

Prepare = Callable[[tuple[Formula, ...], frozenset[int], Splits], Analysis]
"""From additional predicates, edges that do not split, and splits by edge."""
MOST_SPLITTINGS = 2  # by open predicates, for each number of additional predicates


@dataclass
class RefinementLoop:
    """`wanted`: the checks to refine for (predicates for leaks are initial ones); `most`: maximum number of refinements
    by predicates. `best` is the analysis to report, `limit` the reason if it is not complete, `abstraction` the cost of
    all abstraction phases."""

    program: Program
    wanted: frozenset[str]
    prepare: Prepare
    most: int
    limits: Limits
    progress: Progress
    unsplit: frozenset[int] = frozenset()
    given: tuple[Formula, ...] = ()
    splits: Splits = field(default_factory=dict)
    limit: str = ""
    refinements: int = 0
    splittings: int = 0
    real: set[str] = field(default_factory=set)
    abstraction: ProverCost = NO_COST

    def __post_init__(self) -> None:
        self.begin = time.monotonic()
        self.rounds = 0
        self.best, self.limit = self._run()
        self.latest = self.best

    def iterate(self) -> None:
        """Refines until nothing is left to add or a limit is reached."""
        while self._worth_it() and (self._split() or self._split_by_open() or self._refine()):
            self.latest, limit = self._run()
            better = self.latest.complete and (
                not self.best.complete or len(self.alarms(self.latest)) < len(self.alarms(self.best))
            )
            if better:
                self.best, self.limit = self.latest, limit

    def _run(self) -> tuple[Analysis, str]:
        analysis = self.prepare(self.given, self.unsplit, self.splits)
        before, more = self.abstraction, analysis.abstraction
        self.abstraction = ProverCost(before.calls + more.calls, before.seconds + more.seconds)
        return run(analysis)

    def alarms(self, analysis: Analysis) -> list[str]:
        return sorted(check for check in analysis.alarms if check in self.wanted)

    def _spurious(self) -> list[str]:
        """The alarms that no replayed run confirms."""
        found = []
        for check in self.alarms(self.latest):
            if check not in self.real and is_feasible(self.program, check, self.latest.alarms[check].path()):
                self.real.add(check)
            if check not in self.real:
                found.append(check)
        return found

    def _split(self) -> bool:
        """Adds split points at field loads on the paths of spurious alarms; everywhere if the analysis is not
        complete."""
        if not self.unsplit:
            return False
        if self.latest.complete:
            paths = [self.latest.alarms[check].path() for check in self._spurious()]
            more = self.unsplit.intersection(*[[number for path in paths for number in path]])
        else:
            more = self.unsplit
        if not more:
            return False
        self.unsplit -= more
        self.splittings += 1
        self.progress.update(f"splitting at {len(more)} more edges")
        return True

    def _split_by_open(self) -> bool:
        """Splits by the preconditions of predicates that spurious alarms depend on and that steps leave open."""
        if not self.most or not self.latest.complete or self.rounds >= MOST_SPLITTINGS:
            return False
        more = discover_splits(self.latest, self._spurious(), self.splits)
        if not more:
            return False
        self.splits = {
            number: (*self.splits.get(number, ()), *more.get(number, ())) for number in (*self.splits, *more)
        }
        self.rounds, self.splittings = self.rounds + 1, self.splittings + 1
        self.progress.update(f"splitting by {sum(map(len, more.values()))} preconditions")
        return True

    def _refine(self) -> bool:
        if not self.latest.complete or self.refinements >= self.most:
            return False
        more = discover_predicates(self.latest, self._spurious())
        if not more:
            return False
        self.rounds, self.splits = 0, {}
        self.refinements, self.given = self.refinements + 1, (*self.given, *more)
        self.progress.update(f"refinement {self.refinements}, {len(self.given)} predicates added")
        return True

    def _worth_it(self) -> bool:
        """Whether there is time for an iteration that takes twice as long as all before it."""
        now = time.monotonic()
        return self.limits.deadline is None or now + 2 * (now - self.begin) < self.limits.deadline


def load_edges(program: Program) -> frozenset[int]:
    """The edges that load a pointer field."""
    return frozenset(number for number, edge in enumerate(program.graph.edges) if isinstance(edge.command, c.Load))
