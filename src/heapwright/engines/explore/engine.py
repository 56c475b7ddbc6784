"""The engine `explore`: all runs up to bounds, states deduplicated up to isomorphism of heaps.

A state is advanced without a copy until a choice is needed; there it forks. A leak is recorded, and the search goes
on. States are compared at choices and at loop
heads. The search takes shallow states first, interleaved with deep ones so that long runs are not starved. A violation
is replayed by the interpreter before it is reported; a check is proved only if no bound was reached.

    Explore().analyze(program, Goal(), Limits(steps=1000), NullProgress()).verdict
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace

from heapwright.base.source import NOWHERE
from heapwright.engines.api import OBJECTS, STEPS, Limits, Progress
from heapwright.engines.explore.declaration import ExploreDeclaration
from heapwright.engines.explore.plain_run import plain_run
from heapwright.engines.explore.random_walks import RandomWalks
from heapwright.engines.explore.state_queue import StateQueue
from heapwright.engines.kit.garbage_collection import without_cycle_collection
from heapwright.engines.kit.outcomes import escapes, proved_unless, takes_environment_memory
from heapwright.engines.kit.statistics import statistics
from heapwright.program.checks import LEAK_KINDS, Check, CheckKind, Goal
from heapwright.program.choices import UnmatchedChoices
from heapwright.program.commands import AnyPointer, External
from heapwright.program.dataflow.relevant_inputs import CellKey
from heapwright.program.graph import Program
from heapwright.program.runs.canonical_form import Canonical
from heapwright.program.runs.interpreter import Machine, replay
from heapwright.program.semantics.state import Bounds, ChoicePoint, Fault, State, Stop
from heapwright.program.trace import Choice, Ending, Run
from heapwright.result.outcomes import Outcome, Result, Verdict, section_of

NAME = ExploreDeclaration.name
EVERY_VISIT = 8  # states at a loop head are compared at the first so many visits without a fork, then at every so many
NEAR = 4  # steps after a comparison in which a choice does not cause another one
UPDATE_SECONDS = 0.3
INCONSISTENT = "internal inconsistency: the replay of the violating run does not violate the check"
UNCONFIRMED = "the check fails only in a run with approximated values, which replay does not confirm"
MISSED_BY_VALUE = {"values", "steps"}  # bounds behind which a walk may come where the search does not
FEW_DECISIONS, LONG_RUN = 4, 100_000  # a run with few choices may have more steps


class Explore(ExploreDeclaration):
    """The engine. `all_or_nothing`: the search ends at the first bound that is reached, since nothing is proved
    then."""

    def __init__(self, *, all_or_nothing: bool = False) -> None:
        self.all_or_nothing = all_or_nothing

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        with without_cycle_collection():
            read: frozenset[CellKey] = frozenset()
            while True:
                search = _Search(program, goal, limits, progress, read)
                search.all_or_nothing = self.all_or_nothing
                result = search.result()
                if not search.context.misread:
                    break
                read |= search.context.misread
        certified = goal.certificate and result.complete and not escapes(program) + takes_environment_memory(program)
        return _with_certificate(result, program, goal, limits) if certified else result


def _with_certificate(result: Result, program: Program, goal: Goal, limits: Limits) -> Result:
    from heapwright.engines.explore.certificate import serialize  # for certificates alone

    part = serialize(program, goal, limits.expired)
    return result if part is None else replace(result, sections=section_of(NAME, result.outcomes, [part]))


@dataclass(frozen=True, slots=True)
class _Found:
    """A run that violates a check, by its choices; shorter ones are better."""

    check: Check
    choices: tuple[Choice, ...]
    steps: int

    @property
    def cost(self) -> tuple[int, int]:
        return self.steps, len(self.choices)


class _Search:
    def __init__(
        self, program: Program, goal: Goal, limits: Limits, progress: Progress, also_read: frozenset[CellKey]
    ) -> None:
        self.program = program
        self.goal = goal
        self.limits = limits
        self.progress = progress
        self.started = time.monotonic()
        self.steps = limits.steps or STEPS
        self.objects = limits.objects or OBJECTS
        bounds = Bounds(self.objects, limits.input_objects, limits.values)
        self.machine = Machine(program, goal, bounds, also_read, leak_checks=_can_see_leaks(program, goal))
        self.context = self.machine.context
        self.canonical = Canonical(self.machine)
        self.heads = [location in program.graph.loop_heads for location in range(len(program.graph.locations))]
        asserted = (CheckKind.ASSERT, CheckKind.SHAPE)
        self.checks = [check for check in program.checks if goal.includes(check) or check.kind in asserted]
        self.selected = sum(goal.selects(check) for check in self.checks)
        self.queue = StateQueue()
        self.walks: RandomWalks | None = None
        self.seen: dict[bytes, bool] = {}  # whether the state was reached without approximate choices
        self.exact: dict[str, _Found] = {}
        self.approximate: dict[str, _Found] = {}
        self.unselected: set[str] = set()  # checks that are not selected, and fail
        self.reported: dict[str, tuple[_Found, Outcome]] = {}
        self.runs = self.expanded = self.depth = 0
        self.updated = self.started
        self.all_or_nothing = False

    # --- the search --------------------------------------------------------------------------------------------------

    def result(self) -> Result:
        if self.selected:
            self._begin()
        while not self.context.misread and (state := self.queue.pop()) is not None:
            if self._out_of_bounds(state):
                break
            self.expanded += 1
            self._follow(state)
            if self.walks is not None and self.walks.are_due(self.expanded):
                self._walk(self.walks)
            if len(self.exact) == self.selected or (self.all_or_nothing and (self.context.hits or self.unselected)):
                break
            self._tell()
        if self.walks is not None and not self.queue.size and self.context.hits.keys() & MISSED_BY_VALUE:
            self._walk(self.walks)
        return self._conclude()

    def _begin(self) -> None:
        """Follows the plain run; the search begins where it makes its first choice."""
        plain = plain_run(self.program, self.goal, self.limits, self.machine)
        state = plain.state
        self.machine.reached |= plain.machine.reached
        self.context.misread |= plain.machine.context.misread
        self.context.hits.update(plain.machine.context.hits)
        self.steps = self.limits.steps or STEPS + state.steps
        if state.leaks:
            self._leaked(state)
        match plain.end:
            case Stop() as stop:
                self._ended(state, stop)
            case Fault() as fault:
                self.runs += 1
                self._failed(state, fault)
            case ChoicePoint():
                self.objects = self.limits.objects or OBJECTS + plain.heap_blocks
                self.context.bounds = replace(self.context.bounds, objects=self.objects)
                state.context = self.context
                if not self.all_or_nothing:
                    self.walks = RandomWalks(self.program, self.goal, self.limits, self.machine, state.copy())
                self.queue.push(state)
            case None if plain.endless:
                self.runs += 1
            case None:
                self.context.hit("time", self.program.graph.locations[state.location].span)

    def _walk(self, walks: RandomWalks) -> None:
        for state, fault in walks.next_ones(self.expanded):
            if fault is not None and not state.approximate:
                self._failed(state, fault)
            if state.leaks:
                self._leaked(state)
            if len(self.exact) == self.selected or self.limits.expired():
                return

    def _out_of_bounds(self, state: State) -> bool:
        span = self.program.graph.locations[state.location].span
        if self.limits.expired():
            self.context.hit("time", span)
            return True
        if len(self.seen) >= self.limits.states:
            self.context.hit("states", span)
            return True
        return False

    def _tell(self) -> None:
        now = time.monotonic()
        if now - self.updated >= UPDATE_SECONDS:
            self.updated = now
            violations = f", {len(self.exact)} violated" if self.exact else ""
            self.progress.update(f"{len(self.seen)} states, {self.runs} runs{violations}")

    def _follow(self, state: State) -> None:
        """Runs from a state to the end of the run, to a visited state, or to a choice."""
        compared = -1  # the step at which the state was last compared
        visits = 0
        while True:
            try:
                self._advance(state)
            except ChoicePoint as fork:
                state.asked = 0
                near = compared >= 0 and state.steps - compared <= NEAR
                if near or not self._is_known(state):
                    self._fork(state, fork)
                return
            except Stop as stop:
                self._ended(state, stop)
                return
            except Fault as fault:
                self.runs += 1
                self._failed(state, fault)
                return
            visits += 1
            if visits <= EVERY_VISIT or (visits % EVERY_VISIT == 0 and state.steps - compared >= len(state.objects)):
                compared = state.steps
                if self._is_known(state) or self._out_of_bounds(state):
                    return

    def _advance(self, state: State) -> None:
        """Runs to the next loop head."""
        steps, heads = self.machine.steps, self.heads
        bound = self.steps + (LONG_RUN if state.decisions <= FEW_DECISIONS and not self.limits.steps else 0)
        location, count = state.location, state.steps
        try:
            location = steps[location](state)
            count += 1
            if state.answers:
                state.answers = ()
                state.asked = 0
            while not heads[location] and count < bound:
                location = steps[location](state)
                count += 1
        finally:
            state.location = location
            state.steps = count
            if state.leaks:
                self._leaked(state)
        if count >= bound:
            self.context.hit("steps", self.program.graph.locations[location].span)
            raise Stop(Ending.CUT, f"more than {bound} steps")

    def _is_known(self, state: State) -> bool:
        """Whether the state was visited; a visit by approximate choices does not cover exact ones."""
        key = self.canonical.key(state)
        known = self.seen.get(key)
        if known is not None and (known or state.approximate):
            return True
        self.seen[key] = not state.approximate
        return False

    def _fork(self, state: State, fork: ChoicePoint) -> None:
        """One state per outcome of a choice; the last one is the state itself."""
        state.decisions += 1
        self.depth = max(self.depth, state.decisions)
        for index in range(fork.count):
            twin = state if index == fork.count - 1 else state.copy()
            fork.decide(twin, index)
            self.queue.push(twin)

    # --- ends of runs ------------------------------------------------------------------------------------------------

    def _ended(self, state: State, stop: Stop) -> None:
        self.runs += 1
        if stop.ending is Ending.CUT and not stop.reason.startswith("more than"):
            self.context.hit(stop.reason, self.program.graph.locations[state.location].span)

    def _failed(self, state: State, fault: Fault) -> None:
        check = self.machine.failed_check(state, fault)
        if check is None:
            self.context.hit(f"{fault.kind.value} happens and is no check", self.machine.edge_of(state, fault).span)
            return
        if not self.goal.selects(check):
            self.unselected.add(check.id)
            return
        self._violated(_Found(check, state.choices(), state.steps), state.approximate)

    def _leaked(self, state: State) -> None:
        """Records the leaks since the last time; the run continues."""
        for leak in state.leaks:
            if self.goal.selects(leak.check):
                known = (self.approximate if leak.approximate else self.exact).get(leak.check.id)
                if known is None or state.steps < known.steps:
                    self._violated(_Found(leak.check, leak.choices(), state.steps), leak.approximate)
        state.leaks = ()

    def _violated(self, found: _Found, approximate: bool) -> None:
        check, table = found.check, self.approximate if approximate else self.exact
        known = table.get(check.id)
        if known is None or found.cost < known.cost:
            table[check.id] = found
        if known is None and not approximate:
            outcome = self._confirm(found)
            self.reported[check.id] = (found, outcome)
            if outcome.verdict is Verdict.VIOLATED:
                self.progress.found(outcome)

    def _confirm(self, found: _Found) -> Outcome:
        """The outcome of a violation, confirmed by replay. With values instead of symbols, arithmetic may need no
        approximation, and the run goes elsewhere."""
        steps = max(self.steps, found.steps + 1)
        run: Run | None = None
        with suppress(UnmatchedChoices):
            run = replay(self.program, self.goal, found.choices, check=found.check.id, max_steps=steps)
        if run is None or run.violation is None or run.violation.check.id != found.check.id:
            reason = UNCONFIRMED if found is self.approximate.get(found.check.id) else INCONSISTENT
            return Outcome(found.check, Verdict.UNKNOWN, NAME, run, reason)
        return _outcome(found.check, run)

    # --- what follows ------------------------------------------------------------------------------------------------

    def _conclude(self) -> Result:
        limit = self._limit()
        outcomes = tuple(self._outcome(check, limit) for check in self.checks)
        stats = statistics(
            self.program, self.started, self.expanded, states=len(self.seen), runs=self.runs, depth=self.depth
        )
        return Result(
            NAME,
            outcomes,
            dropped=limit,
            assumptions=self.program.assumptions,
            stats=stats,
            complete=not limit,
            limit=limit,
            unreached=self._unreached(limit),
        )

    def _unreached(self, limit: str) -> frozenset[int]:
        """The locations that no run reaches, if the search was exhaustive."""
        if limit or self.queue.size or not self.selected:
            return frozenset()
        return frozenset(range(len(self.program.graph.locations))) - self.machine.reached

    def _outcome(self, check: Check, limit: str) -> Outcome:
        found = self.exact.get(check.id)
        if found is not None:
            first, outcome = self.reported[check.id]
            return outcome if first is found else self._confirm(found)
        suspect = self.approximate.get(check.id)
        if suspect is not None:
            return self._confirm(suspect)
        reason = f"not all runs were explored: {limit}" if limit else ""
        if not limit and (check.id in self.unselected or self.queue.size):
            reason = "it is not selected, and may fail"
        return proved_unless(Explore, check, reason)

    def _limit(self) -> str:
        """The bounds that were reached, each with the first source span, and with its option if raising it suffices."""
        hits = self.context.hits
        alone = len(hits) == 1
        # Raising a bound suffices if there is a single run, or if nothing else was cut.
        single = alone and not self.depth
        words = {
            "time": "time ran out",
            "states": f"there are more than {self.limits.states} states" + " (--states)" * alone,
            "steps": f"a run has more than {self.steps} steps" + " (--steps)" * single,
            "objects": f"a run has more than {self.objects} heap blocks" + " (--objects)" * single,
            "input objects": f"input heaps of more than {self.limits.input_objects} objects were left out",
            "values": "only some values of an input were tried",
        }
        if self.queue.size and not hits and len(self.exact) < self.selected:
            hits = {"time": NOWHERE}
        return "; ".join(
            words.get(name, name) + (f" at {span}" if span.line else "") for name, span in sorted(hits.items())
        )


def _can_see_leaks(program: Program, goal: Goal) -> bool:
    """Whether leaks matter to the search: they are selected, or a lost block could be a value of an input. Otherwise
    garbage changes no run, and canonical forms drop it."""
    selected = any(check.kind in LEAK_KINDS and goal.selects(check) for check in program.checks)
    return selected or any(isinstance(edge.command, AnyPointer | External) for edge in program.graph.edges)


def _outcome(check: Check, run: Run) -> Outcome:
    if run.exact:
        return Outcome(check, Verdict.VIOLATED, NAME, run)
    approximate = next(choice for choice in run.choices if choice.kind.value == "approximate")
    what = "a comparison of addresses" if approximate.source == "address" else "a value"
    reason = f"the check fails only for one outcome of {what} at {approximate.span}, which is approximated"
    return Outcome(check, Verdict.UNKNOWN, NAME, run, reason)
