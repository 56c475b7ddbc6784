"""Replay of a feasible path: the model of its path formula provides the choices of the interpreter.

The run is driven edge by edge along the path, with choices from the model. It is a violation if the interpreter, given
these choices alone, violates the check again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heapwright.base.errors import InputError
from heapwright.engines.lazy.logic.solver import Model
from heapwright.engines.lazy.logic.substitution import renamed_term
from heapwright.engines.lazy.logic.terms import var
from heapwright.engines.lazy.paths.path_formula import Path, PathFormula
from heapwright.program import commands as c
from heapwright.program.checks import Check, Goal
from heapwright.program.choices import ChoiceRequest
from heapwright.program.dataflow.liveness import used
from heapwright.program.runs.interpreter import Machine, replay
from heapwright.program.semantics.objects import UNSET
from heapwright.program.semantics.state import Fault, State, Stop
from heapwright.program.trace import Run

Answer = Callable[[ChoiceRequest], int | None]


class _PathChoices:
    """Choices from a model, by the position on the path."""

    def __init__(self) -> None:
        self.answer: Answer = lambda request: None
        self.edge = 0

    def value(self, request: ChoiceRequest) -> int | None:
        found = self.answer(request)
        return min(max(found or 0, request.low), request.high)

    def pick(self, request: ChoiceRequest, options: Sequence[int]) -> int:
        if request.source == "branch" and self.edge in options:
            return self.edge
        found = self.answer(request)
        return found if found is not None and found in options else options[0]


def replay_path(path: Path, formula: PathFormula, model: Model, last: int, check: Check, goal: Goal) -> Run | None:
    """The run along a path that violates a check on the edge `last`, if the interpreter confirms it."""
    program = path.semantics.program
    machine, guide = Machine(program, goal), _PathChoices()
    state = machine.start(guide)
    first: dict[int, int] = {}  # the first step of each edge
    for index, path_step in enumerate(formula.steps):
        first.setdefault(path_step.position, index)
    try:
        for position, number in enumerate((*path.edges, last)):
            edge = program.graph.edges[number]
            if state.location != edge.source:
                return None
            end = next((first[later] for later in range(position + 1, len(path.edges) + 2) if later in first), -1)
            after = formula.names[end]
            guide.answer = _answers(state, number, edge.command, model, after, machine)
            edges = program.graph.successors[edge.source]
            guide.edge = next(index for index, one in enumerate(edges) if one is edge)
            single = len(edges) == 1 and not isinstance(edges[0].command, c.Assume)
            taken = 0 if single else machine.pick(state.location)(state)
            if taken != guide.edge:
                return None
            state.location = machine.executes(state.location)[taken](state)
            state.steps += 1
    except (Stop, Fault):
        pass
    try:
        run = replay(program, goal, state.choices(), check=check.id, max_steps=state.steps + 2)  # not beyond the path
    except InputError:
        return None
    return run if run.violation is not None and run.violation.check.id == check.id and run.exact else None


def _answers(
    state: State, number: int, command: c.Command, model: Model, after: dict[str, str], machine: Machine
) -> Answer:
    slots = {name: slot for slot, name in enumerate(machine.program.variables)}

    def answer(request: ChoiceRequest) -> int | None:
        match command:
            case c.New():
                return model.value(renamed_term(var(f"#{number}.fails"), after))
            case c.Havoc(target) | c.LoadData(target):
                return model.value(renamed_term(var(target), after))
        unset = [name for name in sorted(used(command)) if state.vars[slots[name]] is UNSET]
        return model.value(renamed_term(var(unset[0]), after)) if unset else None

    return answer
