"""The fixpoint: states at joins, widened at loop heads and narrowed afterwards, then one pass that finds the alarms.

Between joins a state is changed in place; the joins are kept. Widening is coarser at later visits, and only variables
of finite ranges, pointers of finitely many targets and bounds that are never added again are left, so that it ends. A
pass of narrowing replaces each state by the join of what its predecessors lead to. That is sound by itself: states that
contain all heaps of runs lead to states that do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import get_args

from heapwright.engines.api import Limits, Progress
from heapwright.engines.floor.domain.blocks import OUTSIDE, ZEROES, Block
from heapwright.engines.floor.domain.intervals import FAR
from heapwright.engines.floor.domain.merge import Merge
from heapwright.engines.floor.domain.pointers import ENVIRONMENT, NULL_POINTER
from heapwright.engines.floor.domain.state import State
from heapwright.engines.floor.domain.terms_of_strings import terminator_of
from heapwright.engines.floor.leaks import Leaks
from heapwright.engines.floor.syntactic_facts import ALWAYS, compared_variables, loop_thresholds, split_joins
from heapwright.engines.floor.transform.extents import extent_of
from heapwright.engines.floor.transform.scalars import Failures
from heapwright.engines.floor.transform.transfer import Transfer
from heapwright.engines.kit.iteration_order import loops_first
from heapwright.engines.kit.worklist import Worklist
from heapwright.program.checks import DEREF_KINDS, FREE_KINDS, CheckKind
from heapwright.program.commands import Assert, Command, Copy, Dereference, Fill, Free, Inspect
from heapwright.program.dataflow.liveness import Liveness, defined, slots
from heapwright.program.expressions import variables_of
from heapwright.program.graph import Edge, Program

JOINS = 1  # visits of a loop head before it is widened
THRESHOLDS = 6  # visits after which widening uses few thresholds, and as many later none
NARROWING = 2  # passes
PAGE = 64  # variables in a page of a state
STEPS_PER_EDGE = 400  # after so many the analysis gives up, and proves nothing

CHECKED: dict[type, tuple[CheckKind, ...]] = {
    **dict.fromkeys(get_args(Dereference), DEREF_KINDS),
    Copy: DEREF_KINDS,
    Fill: DEREF_KINDS,
    Free: FREE_KINDS,
    Inspect: (*DEREF_KINDS, *FREE_KINDS),
}

Visit = Callable[[int, State], None]
Through = tuple[int, ...]  # the edges to split joins on a way
Way = tuple[int, Through]  # the last edge of a way to a join


class Analysis:
    """`states` are those at joins; after `run` there is an entry for each join that may be reached."""

    def __init__(self, program: Program, limits: Limits, progress: Progress) -> None:
        self.program = program
        self.graph = program.graph
        self.limits = limits
        self.progress = progress
        self.transfer = Transfer(program)
        self.liveness = Liveness(program)
        self.leaks = Leaks(program, self.transfer.memory, self.liveness)
        self.outgoing: list[list[tuple[int, Edge[Command]]]] = [[] for _ in self.graph.locations]
        for number, edge in enumerate(self.graph.edges):
            self.outgoing[edge.source].append((number, edge))
        self.names = list(program.variables)
        self.paging = {name: number // PAGE for number, name in enumerate(self.names)}
        self.paging |= {extent_of(name): self.paging[name] for name in self.transfer.extents.names}
        self.paging |= {terminator_of(name): self.paging[name] for name in self.transfer.terminators.names}
        self.dead = [self._dying(edge) for edge in self.graph.edges]
        preds = self.graph.predecessors
        self.joins = {at for at in range(len(preds)) if len(preds[at]) != 1} | {self.graph.entry}
        self.rank = {location: position for position, location in enumerate(loops_first(self.graph))}
        self.back = {
            number
            for number, edge in enumerate(self.graph.edges)
            if edge.source in self.rank and self.rank[edge.source] >= self.rank[edge.target]
        }
        self.heads = {self.graph.edges[number].target for number in self.back}  # every cycle has one
        self.joins |= self.heads
        split, ends = split_joins(self.graph, self.joins, self.heads)
        self.joins = self.joins - split | ends
        self.split = split
        self.compared = compared_variables(program)
        self.thresholds = loop_thresholds(self.graph, self.rank, self.back)
        self.merge = Merge(self.transfer.sources, self.compared)
        self.states: dict[int, State] = {}
        self.incoming: dict[int, dict[Way, State]] = {}
        self.visits: dict[int, int] = {}
        self.steps = 0
        self.interrupted = ""
        self.alarms: set[str] = set()
        self.stale: set[str] = set()  # leak checks that hold unless a step without one loses a block
        self.unwatched = False  # whether a step may do so

    def _dying(self, edge: Edge[Command]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The integers, and the temporary pointers, that have no reader after an edge."""
        live, name = self.liveness, defined(edge.command)
        written = live.bit(name) if name is not None else 0
        mask = (live.at(edge.source) | written) & ~live.at(edge.target)
        names = self.names
        numbers = tuple(names[slot] for slot in slots(mask & ~live.pointers))
        return numbers, tuple(names[slot] for slot in slots(mask & live.pointers & live.temporaries))

    # --- iteration ---------------------------------------------------------------------------------------------------

    def run(self) -> bool:
        """Whether the fixpoint was reached."""
        rank = self.rank
        worklist: Worklist[int] = Worklist()
        waiting: set[int] = set()
        most = STEPS_PER_EDGE * (len(self.graph.edges) + 10)

        def push(location: int) -> None:
            if location not in waiting:
                waiting.add(location)
                worklist.push(rank[location], location)

        self.states[self.graph.entry] = start_state(self.paging)
        push(self.graph.entry)
        while worklist:
            if self.limits.expired() or self.steps > most:
                self.interrupted = "the time is over" if self.limits.expired() else "too many steps"
                return False
            (location,) = worklist.pop(together=False)
            waiting.discard(location)
            self.progress.update(f"{len(self.states)} locations reached, {len(worklist) + 1} waiting")
            arrived: dict[int, list[Way]] = {}
            for way in self._walk(location):
                arrived.setdefault(self.graph.edges[way[0]].target, []).append(way)
            for target, ways in arrived.items():
                if self._grown(target, ways):
                    push(target)
        for _ in range(NARROWING):
            self._narrow(sorted(self.states, key=rank.__getitem__))
        return not self.limits.expired()

    def _walk(self, location: int, visit: Visit | None = None) -> list[Way]:
        """Follows a state up to the next joins; returns the ways to them, each with a new state in `incoming`."""
        reached: list[Way] = []
        pending: list[tuple[int, State, Through]] = [(location, self.states[location].copy(), ())]
        while pending:
            at, state, through = pending.pop()
            if visit is not None:
                visit(at, state)
            edges = self.outgoing[at]
            for position, (number, edge) in enumerate(edges):
                own = state if position == len(edges) - 1 else state.copy()
                after = self._step(own, edge, number, checking=visit is not None)
                if edge.target in self.joins:
                    known = self.incoming.setdefault(edge.target, {})
                    if after is not None:
                        known[number, through] = after
                        reached.append((number, through))
                    else:
                        known.pop((number, through), None)
                    continue
                behind = (*through, number) if edge.target in self.split else through
                if after is not None:
                    pending.append((edge.target, after, behind))
                else:
                    self._cut(edge.target, behind)
        return reached

    def _cut(self, location: int, through: Through = ()) -> None:
        """Nothing comes from a location any more, on a way through some joins."""
        pending = [(location, through)]
        while pending:
            at, before = pending.pop()
            for number, edge in self.outgoing[at]:
                if edge.target in self.joins:
                    self.incoming.get(edge.target, {}).pop((number, before), None)
                else:
                    behind = (*before, number) if edge.target in self.split else before
                    pending.append((edge.target, behind))

    def _step(self, state: State, edge: Edge[Command], number: int, *, checking: bool) -> State | None:
        """The state after an edge, None if there is none."""
        self.steps += 1
        failures: Failures = set()
        if checking:
            self.leaks.note_dropped(state, edge)
        alive = self.transfer.step(state, edge.command, number + 1, failures)
        if checking:
            self._alarm(edge, failures)
        if not alive:
            return None
        numbers, temporaries = self.dead[number]
        if numbers:
            self._forget_dead(state, numbers, edge.target)
        for name in temporaries:
            state.differences.forget(("@", name))
            state.same_blocks.drop_variable(name)
            self.transfer.extents.forget(state, name)
            state.leave_pointer(name)
            state.pointers.pop(name, None)
        if checking:
            self._check_leaks(state, edge)
        return state

    def _forget_dead(self, state: State, numbers: Iterable[str], location: int) -> None:
        """Drops integers that have no reader. Those that define others stay as long as these do."""
        live = self.liveness.at(location)
        waiting = list(numbers)
        for name in waiting:  # it grows
            if live & self.liveness.bit(name):
                continue
            if state.defines(name):
                state.differences.close(name)
                continue
            expr = state.definitions.pop(name, None)
            state.differences.forget(name)
            state.numbers.pop(name, None)
            state.nonzero -= {name}
            state.untest(name)
            if expr is not None:
                waiting += sorted(variables_of(expr))

    def _grown(self, location: int, ways: list[Way]) -> bool:
        """Joins what has come to a location; whether that is new. What comes over back edges is widened, and
        what comes from before the loop is not: loops around it see to that."""
        known = self.states.get(location)
        entering, returning = self._arrived(location, ways)
        whole = known
        if entering is not None:
            whole = entering if whole is None else self.merge.states(whole, entering)
        assert whole is not None or returning is not None
        if known is not None and whole is not None and not whole.same(known):
            self.visits[location] = 0
        if returning is not None:
            visits = self.visits[location] = self.visits.get(location, 0) + 1
            merge = self.merge
            if visits > JOINS:
                merge = merge._replace(thresholds=self._thresholds(location, visits))
            whole = returning if whole is None else merge.states(whole, returning)
        assert whole is not None
        if known is not None and whole.same(known):
            return False
        self.states[location] = whole
        return True

    def _thresholds(self, location: int, visits: int) -> tuple[int, ...]:
        if visits > 2 * THRESHOLDS:
            return ()
        return self.thresholds[location] if visits <= THRESHOLDS else ALWAYS

    def _arrived(self, location: int, ways: list[Way]) -> tuple[State | None, State | None]:
        """What came to a location, and what came over back edges."""
        parts: list[State | None] = [None, None]
        for way in ways:
            side, state = int(way[0] in self.back), self.incoming[location][way]
            before = parts[side]
            parts[side] = state if before is None else self.merge.states(before, state)
        return parts[0], parts[1]

    def _narrow(self, order: list[int]) -> None:
        """Follows the states that are smaller than before; what the others lead to is known."""
        for location in order:
            if location == self.graph.entry:
                continue
            states = list(self.incoming.get(location, {}).values())
            if not states:
                self.states.pop(location, None)
                self._cut(location)
                continue
            whole = states[0]
            for state in states[1:]:
                whole = self.merge.states(whole, state)
            if not whole.same(self.states[location]):
                self.states[location] = whole
                self._walk(location)

    # --- alarms ------------------------------------------------------------------------------------------------------

    def check(self, visit: Visit) -> set[str]:
        """The checks that may fail; `visit` is called with each location that may be reached, of a split join and what
        is behind it with the state of each way."""
        for location in sorted(self.states):
            self._walk(location, visit)
        return self.alarms | self.stale if self.unwatched else self.alarms

    def _alarm(self, edge: Edge[Command], failures: Failures) -> None:
        """What a command may fail; and what it is not known to fail, which must not be taken for proved."""
        followed = CHECKED.get(type(edge.command), ())
        for check in edge.checks:
            if check.kind in failures or (check.kind is not CheckKind.LEAK and check.kind not in followed):
                self.alarms.add(check.id)
        if isinstance(edge.command, Assert) and failures:
            self.alarms.add(edge.command.check.id)

    def _check_leaks(self, state: State, edge: Edge[Command]) -> None:
        dropped = self.leaks.take_dropped(state, edge.target)
        checks = [check for check in edge.checks if check.kind is CheckKind.LEAK and not check.cleanup]
        if self.leaks.may_lose(state, edge, dropped):
            self.alarms.update(check.id for check in checks)
            self.unwatched = self.unwatched or not checks
        if self.leaks.is_stale(edge):
            self.stale.update(check.id for check in checks)
        for check in edge.checks:
            if check.cleanup and self.leaks.any_left(state):
                self.alarms.add(check.id)


def start_state(paging: Mapping[str, int]) -> State:
    state = State(paging)
    state.blocks[ENVIRONMENT] = Block(
        "", (-FAR, FAR), (0, 1 << 48), ZEROES, {OUTSIDE: NULL_POINTER}, fits=True, exact=True
    )
    return state
