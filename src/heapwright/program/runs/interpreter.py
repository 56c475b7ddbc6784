"""The interpreter: runs a program under a source of choices, to its end or to a failure that ends it: undefined
behaviour or an assertion. Leaks are recorded, and the run goes on. Runs do not depend on which checks are selected.

It is the definition of what a program does. A `Machine` compiles the locations of a program as they are reached, for
one goal; `run` and `replay` use it for one run, a search for very many.

    run(program, Goal(), RandomChoices(1), max_steps=10_000).ending
    replay(program, Goal(), run.choices).steps
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from heapwright.program.checks import LEAK_KINDS, Check, Goal
from heapwright.program.choices import ChoiceRequest, ChoiceSource, RecordedChoices
from heapwright.program.commands import Assume, Command
from heapwright.program.dataflow.liveness import Liveness
from heapwright.program.dataflow.relevant_inputs import CellKey
from heapwright.program.explanation.failed_checks import Names, explain, explain_leak
from heapwright.program.explanation.narrator import Narrator
from heapwright.program.explanation.step_log import Chosen, StepLog
from heapwright.program.expressions import Compare, Literal, PointerCompare, ShapeLiteral, negate
from heapwright.program.graph import Edge, Program
from heapwright.program.runs.search_context import search_context, visible_garbage
from heapwright.program.semantics.byte_memory.storage import check_suspects
from heapwright.program.semantics.evaluation import Evaluation, Test
from heapwright.program.semantics.objects import JUNK, UNSET, is_pointer, object_of
from heapwright.program.semantics.state import (
    Bounds,
    Console,
    Execute,
    Fault,
    Garbage,
    Leak,
    SearchContext,
    State,
    Stop,
)
from heapwright.program.semantics.transitions import CommandCompiler
from heapwright.program.trace import Choice, ChoiceKind, Ending, Run, Violation
from heapwright.program.types import ValueKind

Pick = Callable[[State], int]
REPLAY_STEPS = 10_000_000
TRACED_STEPS = 100_000  # at the end of a run
TOLD_WHOLE = 3_000  # steps of a run that is told in every step


class Machine:
    """A program compiled for one goal. `also_read` are fields that are known to be read, besides those that
    commands name. `garbage`: which lost blocks stay in states; by default those that something can see.
    `leak_checks`: False if variables that hold blocks are unknown, so that nothing can be said of leaks.
    `like`: a machine of the same program, with which it can exchange states. `console`: where requests go."""

    def __init__(
        self,
        program: Program,
        goal: Goal,
        bounds: Bounds | None = None,
        also_read: frozenset[CellKey] = frozenset(),
        *,
        garbage: Garbage | None = None,
        leak_checks: bool = True,
        like: Machine | None = None,
        console: Console | None = None,
    ) -> None:
        self.program = program
        self.goal = goal
        self.also_read = also_read
        self.leak_checks = leak_checks
        self.liveness: Liveness = like.liveness if like else Liveness(program)
        context: SearchContext = like.context if like else search_context(program, Bounds(), self.liveness, also_read)
        self.context: SearchContext = replace(
            context, bounds=bounds or Bounds(), hits={}, misread=set(), console=console
        )
        self.context.leaks_matter = any(goal.selects(one) for one in program.checks if one.kind in LEAK_KINDS)
        self.context.garbage = garbage or visible_garbage(program, goal)
        self._evaluation = Evaluation(program, dict(self.context.constants))
        self._commands = CommandCompiler(
            program, goal, self.context, self._evaluation, self.liveness if leak_checks else None
        )
        count = len(program.graph.locations)
        self.reached: set[int] = set()  # locations that some run of this machine reached
        self.steps: list[Execute] = [self._prepare(location) for location in range(count)]
        self._executes: dict[int, list[Execute]] = {}
        self._picks: dict[int, Pick] = {}
        self._start: list[Any] = [
            JUNK if variable.kind is ValueKind.POINTER else UNSET for variable in program.variables.values()
        ]

    def start(self, source: ChoiceSource) -> State:
        """The state in which a run begins."""
        return State(self.context, source, self._start[:], self.program.graph.entry)

    def advance(self, state: State, max_steps: int, leak: str = "") -> None:
        """Runs until something raises: the end, a failed check, a bound, or a choice that a search must make. Returns
        after the first leak by the check with the identity `leak`."""
        if not leak:
            self.execute(state, max_steps)
            raise Stop(Ending.CUT, f"more than {max_steps} steps")
        steps, location, count = self.steps, state.location, state.steps
        try:
            while count < max_steps:
                location = steps[location](state)
                count += 1
                if state.leaks and any(one.check.id == leak for one in state.leaks):
                    return
        finally:
            state.location = location
            state.steps = count
        raise Stop(Ending.CUT, f"more than {max_steps} steps")

    def execute(self, state: State, steps: int) -> None:
        """Continues until the run has so many steps, or something raises."""
        table, location, count = self.steps, state.location, state.steps
        try:
            while count < steps:
                location = table[location](state)
                count += 1
        finally:
            state.location = location
            state.steps = count

    # --- compiling ---------------------------------------------------------------------------------------------------

    def _prepare(self, location: int) -> Execute:
        """Compiles a location when it is reached for the first time."""

        def first_visit(state: State) -> int:
            self.reached.add(location)
            step = self.steps[location] = self._compile(location)
            return step(state)

        return first_visit

    def _compile(self, location: int) -> Execute:
        edges = self.program.graph.successors[location]
        if not edges:
            return _exit
        executes = self.executes(location)
        if len(edges) == 1 and not isinstance(edges[0].command, Assume):
            return executes[0]
        pick = self.pick(location)
        targets = [edge.target for edge in edges]
        plain = all(isinstance(edge.command, Assume) and not edge.checks for edge in edges)
        if plain and len(edges) == 2:
            test = self._decisive_test(edges)
            if test is not None:
                yes, no = targets
                return lambda state: yes if test(state) else no

        def branch(state: State) -> int:
            taken = pick(state)
            try:
                return executes[taken](state)
            except Fault as fault:
                fault.edge = edges[taken]
                raise

        return branch

    def executes(self, location: int) -> list[Execute]:
        """The compiled commands of the edges out of a location."""
        found = self._executes.get(location)
        if found is None:
            edges = self.program.graph.successors[location]
            found = self._executes[location] = [self._commands.compile(edge) for edge in edges]
        return found

    def pick(self, location: int) -> Pick:
        """The choice of the edge out of a location."""
        found = self._picks.get(location)
        if found is None:
            found = self._picks[location] = self._compile_pick(location)
        return found

    def _decisive_test(self, edges: Sequence[Edge[Command]]) -> Test | None:
        """The test that decides between two edges that assume opposite things."""
        first, second = edges[0].command, edges[1].command
        assert isinstance(first, Assume)
        assert isinstance(second, Assume)
        if second.literal != negate(first.literal):
            return None
        return self._evaluation.literal(first.literal, edges[0].span)

    def _compile_pick(self, location: int) -> Pick:
        edges = self.program.graph.successors[location]
        if len(edges) == 2 and all(isinstance(edge.command, Assume) for edge in edges):
            test = self._decisive_test(edges)
            if test is not None:
                return lambda state: 0 if test(state) else 1
        # Each condition is evaluated once: a comparison that may go either way must not hold along with its negation.
        tests: list[Test] = []
        indices: dict[Literal, int] = {}
        conditions: list[tuple[int, bool]] = []
        for edge in edges:
            if not isinstance(edge.command, Assume):
                conditions.append((-1, True))
                continue
            literal, positive = _positive(edge.command.literal)
            if literal not in indices:
                indices[literal] = len(tests)
                tests.append(self._evaluation.literal(literal, edge.span))
            conditions.append((indices[literal], positive))
        request = ChoiceRequest(ChoiceKind.INPUT, "branch", edges[0].span)

        def pick(state: State) -> int:
            truths = [test(state) for test in tests]
            enabled = [i for i, (test, positive) in enumerate(conditions) if test < 0 or truths[test] == positive]
            if not enabled:
                raise Stop(Ending.BLOCKED, "an assumption of the program does not hold")
            return enabled[0] if len(enabled) == 1 else state.choose(request, tuple(enabled))

        return pick

    # --- endings -----------------------------------------------------------------------------------------------------

    def edge_of(self, state: State, fault: Fault) -> Edge[Command]:
        """The edge on which a fault happened, in the state that it left behind."""
        return fault.edge or self.program.graph.successors[state.location][0]

    def failed_check(self, state: State, fault: Fault) -> Check | None:
        """The check that a fault violates, selected or not; None if its edge has none of that kind."""
        if fault.check is not None:
            return fault.check
        return next((check for check in self.edge_of(state, fault).checks if check.kind is fault.kind), None)

    def violated(self, state: State, fault: Fault) -> Check | None:
        """The selected check that a fault violates, if there is one; the run ends in any case."""
        check = self.failed_check(state, fault)
        return check if check is not None and self.goal.selects(check) else None


def _exit(state: State) -> int:
    if state.suspects:
        check_suspects(state, at_exit=True)
    raise Stop(Ending.EXIT)


def _positive(literal: Literal) -> tuple[Literal, bool]:
    match literal:
        case Compare(op, _, _) | PointerCompare(op, _, _):
            return (negate(literal), False) if op in ("!=", ">", ">=") else (literal, True)
        case ShapeLiteral():
            return (negate(literal), False) if literal.negated else (literal, True)


# --- one run ---------------------------------------------------------------------------------------------------------


def run(
    program: Program,
    goal: Goal,
    choices: ChoiceSource,
    *,
    max_steps: int = 100_000,
    trace: bool = False,
    console: Console | None = None,
) -> Run:
    """Runs once. With `trace`, the run is replayed from its own choices, to explain it. A `console` gets the requests
    of a program that is executed; its answers are choices."""
    machine = Machine(program, goal, garbage=Garbage.ALL, console=console)
    ended = finish(machine, machine.start(choices), max_steps)
    return narrated(Machine(program, goal, garbage=Garbage.ALL), ended, max_steps) if trace else ended


def replay(
    program: Program, goal: Goal, choices: Sequence[Choice], *, check: str = "", max_steps: int = REPLAY_STEPS
) -> Run:
    """The run that choices determine, with its steps. It is cut at the first leak by the check with the identity
    `check`, if there is one."""
    machine = Machine(program, goal, garbage=Garbage.ALL)
    leak = check if any(one.kind in LEAK_KINDS and one.id == check for one in program.checks) else ""
    ended = finish(machine, machine.start(RecordedChoices(choices)), max_steps, leak)
    return narrated(machine, ended, max_steps, leak)


def finish(machine: Machine, state: State, max_steps: int, leak: str = "") -> Run:
    """Continues from a state to the end of the run, or to the first leak by the check with the identity `leak`."""
    try:
        machine.advance(state, max_steps, leak)
    except Stop as stop:
        ended = Run(state.choices(), (), stop.ending, reason=stop.reason, leaks=_leaks(machine, state))
    except Fault as fault:
        ended = replace(ended_by(machine, state, fault), leaks=_leaks(machine, state))
    else:
        ended = next(_cut_at(one) for one in state.leaks if one.check.id == leak)
    return replace(ended, length=state.steps)


def _leaks(machine: Machine, state: State) -> tuple[Run, ...]:
    return tuple(_cut_at(leak) for leak in state.leaks if machine.goal.selects(leak.check))


def _cut_at(leak: Leak) -> Run:
    return Run(leak.choices(), (), Ending.VIOLATION, explain_leak(leak))


def ended_by(machine: Machine, state: State, fault: Fault, names: Names | None = None) -> Run:
    """The run that a failed check ends: a violation, if the check is selected."""
    check, edge = machine.violated(state, fault), machine.edge_of(state, fault)
    if check is None:
        reason = f"{fault.kind.value} at {edge.span}, which is not selected, ends the run"
        return Run(state.choices(), (), Ending.BLOCKED, reason=reason)
    violation = explain(machine.program, state, fault, check, edge, names or Names(machine.program))
    return Run(state.choices(), (), Ending.VIOLATION, violation)


def narrated(machine: Machine, ended: Run, max_steps: int, leak: str = "", narrator: Narrator | None = None) -> Run:
    """The same run with its steps; of a long run, with those that explain its end."""
    narrator = narrator or Narrator(machine.program)
    if ended.length > TOLD_WHOLE:
        return _told_in_part(machine, ended, max_steps, leak, narrator)
    for pictures in (False, True):
        state = machine.start(RecordedChoices(ended.choices))
        narrator.begin(state, pictures=pictures)
        violation = narrate(machine, state, narrator, max_steps, leak)
        narrator.end(state, violation)
    return replace(ended, steps=narrator.steps(), violation=violation, length=state.steps)


def _told_in_part(machine: Machine, ended: Run, max_steps: int, leak: str, narrator: Narrator) -> Run:
    chosen, state = _logged(machine, ended, max_steps, leak), machine.start(RecordedChoices(ended.choices))
    machine.execute(state, chosen.told[0])
    narrator.begin(state, pictures=True)
    narrator.choose(chosen.relevant)
    violation = None
    for number in chosen.told:  # a leak may end the run before
        if number > state.steps:
            narrator.leave_out(state, number, machine.execute)
        if number == state.steps:
            violation = narrate(machine, state, narrator, number + 1 if number < chosen.told[-1] else max_steps, leak)
    narrator.end(state, violation)
    return replace(ended, steps=narrator.steps(), violation=violation, length=state.steps)


def _logged(machine: Machine, ended: Run, max_steps: int, leak: str) -> Chosen:
    """The steps of a run that are told."""
    state = machine.start(RecordedChoices(ended.choices))
    machine.execute(state, max(0, ended.length - TRACED_STEPS))
    log, successors = StepLog(machine.program), machine.program.graph.successors
    log.begin(state)
    leaks = len(state.leaks)
    while state.steps < max_steps and successors[state.location]:
        edges = successors[state.location]
        single = len(edges) == 1 and not isinstance(edges[0].command, Assume)
        try:
            taken = 0 if single else machine.pick(state.location)(state)
            log.note(state, edges[taken])
            target = machine.executes(state.location)[taken](state)
        except Stop:
            break
        except Fault as fault:
            log.failed({state.objects[object_of(fault.pointer)].block} if is_pointer(fault.pointer) else set())
            return log.chosen(failed=True)
        log.done(state)
        fresh, leaks = state.leaks[leaks:], len(state.leaks)
        if fresh:
            log.failed({one.identity for one in fresh})
            if any(one.check.id == leak for one in fresh):
                return log.chosen(failed=True)
        state.location = target
        state.steps += 1
    return log.chosen(failed=False)


def narrate(machine: Machine, state: State, narrator: Narrator, max_steps: int, leak: str) -> Violation | None:
    """Continues from a state to the end of the run, and reports each step to the narrator."""
    successors = machine.program.graph.successors
    leaks = len(state.leaks)
    while state.steps < max_steps and successors[state.location]:
        edges = successors[state.location]
        single = len(edges) == 1 and not isinstance(edges[0].command, Assume)
        try:
            taken = 0 if single else machine.pick(state.location)(state)
            narrator.before(state, edges[taken])
            target = machine.executes(state.location)[taken](state)
        except Stop as stop:
            narrator.stopped(state, edges[0], stop.reason)
            return None
        except Fault as fault:
            fault.edge = edges[taken]
            return narrator.failed(state, edges[taken], fault, ended_by(machine, state, fault, narrator.names))
        cut = None
        if len(state.leaks) > leaks:
            cut = next((one for one in state.leaks[leaks:] if one.check.id == leak), None)
        if cut is None:
            narrator.after(state, edges[taken])
        for one in state.leaks[leaks:]:
            if machine.goal.selects(one.check) and cut in (None, one):
                narrator.leaked(state, edges[taken], one, explain_leak(one).message)
        leaks = len(state.leaks)
        state.location = target
        state.steps += 1
        if cut is not None:
            return explain_leak(cut)
    return None
