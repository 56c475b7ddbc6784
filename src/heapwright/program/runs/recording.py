"""Recordings of runs: the steps in source terms, and the changes of memory at each of them.

Memory is seen as cells: (object, field) pairs with a value, for the objects that are visible. Object 0 holds the
variables. A step that is shown says which cells changed, with their old and new values, so that a recording can be
played in both directions:

    recording = record(program, Goal(), run.choices)
    recording.frames[0].changes

Objects have the numbers that the explanation of the run gives them, from the first step to the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from heapwright.base.source import Span
from heapwright.program.checks import LEAK_KINDS, Goal
from heapwright.program.choices import RecordedChoices
from heapwright.program.commands import Command
from heapwright.program.explanation.failed_checks import Names
from heapwright.program.explanation.narrator import Narrator
from heapwright.program.graph import Edge, Program
from heapwright.program.runs.interpreter import REPLAY_STEPS, Machine, finish, narrate, narrated
from heapwright.program.runs.seen_memory import Change, Origin, SeenMemory
from heapwright.program.semantics.objects import (
    is_pointer,
    object_of,
)
from heapwright.program.semantics.state import Fault, Garbage, Leak, State
from heapwright.program.trace import Choice, Run, Violation
from heapwright.program.types import RECORD

MOST_STEPS = 20_000  # of the interpreter, at the end of a run
CALL_STACK = "call stack"  # variables of this name lead to the activation records of calls that are not inlined
MOST_RECORDS = 1_000


class Call(NamedTuple):
    """A call that has not returned: its function, where it was called, and the object that holds its variables (0: they
    are among all variables)."""

    function: str
    site: Span | None
    record: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """A step, with the calls around it, the outermost first. `model`: the steps of a library function, as one."""

    span: Span
    stack: tuple[Call, ...]
    text: str
    notes: tuple[str, ...]
    important: bool
    model: bool
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Recording:
    """`subject` is the object of the violation, 0 if it has none; `omitted` steps come before the first frame."""

    frames: tuple[Frame, ...]
    origins: Mapping[int, Origin]
    violation: Violation | None
    subject: int
    omitted: int


def record(
    program: Program, goal: Goal, choices: Sequence[Choice], *, check: str = "", most: int = MOST_STEPS
) -> Recording:
    """The run that choices determine, up to its end or to the first leak by the check with the identity `check`; its
    last steps, if there are too many."""
    machine = Machine(program, goal, garbage=Garbage.ALL)
    leak = check if any(one.kind in LEAK_KINDS and one.id == check for one in program.checks) else ""
    ended = finish(machine, machine.start(RecordedChoices(choices)), REPLAY_STEPS, leak)
    recorder = Recorder(program, numbers=_numbers(machine, ended, leak))
    violation = None
    for frames in (False, True):
        state = machine.start(RecordedChoices(ended.choices))
        if ended.length > most:
            machine.execute(state, ended.length - most)
        recorder.start(state, frames=frames)
        violation = narrate(machine, state, recorder, REPLAY_STEPS, leak)
        recorder.end(state, violation)
    omitted = max(0, ended.length - most)
    return Recording(tuple(recorder.finished()), recorder.memory.origins, violation, recorder.subject(), omitted)


def _numbers(machine: Machine, ended: Run, leak: str) -> Mapping[int, int]:
    """The numbers that the explanation of the run gives to objects."""
    narrator = Narrator(machine.program)
    narrated(machine, ended, REPLAY_STEPS, leak, narrator)
    return narrator.names.numbers


@dataclass
class Recorder(Narrator):
    """A narrator that records a frame at each step that has words. Objects with a number keep it."""

    numbers: Mapping[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        Narrator.__post_init__(self)
        self.memory = SeenMemory(self.program, self.names)
        self._frames: list[Frame] = []
        self._recording = False
        self._subject = 0
        self._calls = _Calls(self.program)

    def start(self, state: State, *, frames: bool) -> None:
        """The first pass, which finds the relevant steps, or the second one, which records frames."""
        self.begin(state, pictures=frames)
        self.names = Names(self.program, self.numbers)
        self.memory = SeenMemory(self.program, self.names)
        self._drawn = frozenset()
        self._recording = frames

    def after(self, state: State, edge: Edge[Command]) -> None:
        if self._recording:
            _, name, _ = self._static(edge)
            stack = self._calls.around(state, edge, self.names)
            self.memory.step(name, frozenset(call.function for call in stack))
        super().after(state, edge)

    def _add(self, state: State, edge: Edge[Command], text: str, *rest: object) -> None:
        super()._add(state, edge, text, *rest)  # type: ignore[arg-type] # passed on as they come
        if self._recording and text:
            self._frame(state, edge)

    def failed(self, state: State, edge: Edge[Command], fault: Fault, ended: Run) -> Violation | None:
        if is_pointer(fault.pointer):
            self._subject = object_of(fault.pointer)
        return super().failed(state, edge, fault, ended)

    def leaked(self, state: State, edge: Edge[Command], leak: Leak, message: str) -> None:
        self._subject = leak.block.root
        super().leaked(state, edge, leak, message)

    def _frame(self, state: State, edge: Edge[Command]) -> None:
        index, event = len(self.events) - 1, self.events[-1]
        step, important = event.step, index in self._relevant
        stack = self._calls.around(state, edge, self.names)
        changes = self.memory.changes(state, self._calls.records(state), frozenset((self._subject,)))
        frame = Frame(step.span, stack, step.text, step.notes, important, event.model, changes)
        last = self._frames[-1] if self._frames else None
        same = last is not None and (last.span, last.text) == (frame.span, frame.text)
        if last is not None and same and (not important or event.model):
            merged = tuple(_merged((*last.changes, *frame.changes)))
            self._frames[-1] = replace(frame, changes=merged, important=important or last.important)
        else:
            self._frames.append(frame)

    def finished(self) -> Iterator[Frame]:
        yield from self._frames

    def subject(self) -> int:
        """The number of the object of the violation, 0 if it has none."""
        return self.names.number(self._subject) if self._subject else 0


def _merged(changes: Sequence[Change]) -> Iterator[Change]:
    """The changes of two steps as those of one."""
    together: dict[tuple[int, str], Change] = {}
    for change in changes:
        key = change.object, change.field
        first = together.get(key)
        together[key] = change if first is None else first._replace(new=change.new)
    yield from (change for change in together.values() if change.old != change.new)


class _Calls:
    """The calls around a location: those that were inlined, and those that have an activation record."""

    def __init__(self, program: Program) -> None:
        self._locations = program.graph.locations
        self._functions: dict[tuple[Span, ...], str] = {(): program.entry.function}
        for location in self._locations:
            self._functions.setdefault(location.calls, location.function)
        names = list(program.variables)
        self._slots = [slot for slot, name in enumerate(names) if name.startswith(CALL_STACK)]

    def around(self, state: State, edge: Edge[Command], names: Names) -> tuple[Call, ...]:
        ends = self._locations[edge.source], self._locations[edge.target]
        location = max(ends, key=lambda end: len(end.calls) - bool(end.model))  # a call is seen when it is entered
        calls = location.calls
        found = [Call(self._functions[()], None)]
        for depth in range(1, len(calls) + 1):
            found.append(Call(self._functions.get(calls[:depth], ""), calls[depth - 1]))
        for number in self.records(state):
            function = state.objects[number].layout.name.removeprefix(RECORD)
            found.append(Call(function, None, names.number(number)))
        function = ends[1].function if found[-1].record else location.function
        if function not in ("", found[0].function) and (found[-1].record or found[-1].function != function):
            found.append(Call(function, None))
        return tuple(found)

    def records(self, state: State) -> list[int]:
        """The activation records, the outermost first: objects are numbered as they are made."""
        found: list[int] = []
        for slot in self._slots:
            value = state.vars[slot]
            while is_pointer(value) and len(found) < MOST_RECORDS:
                found.append(object_of(value))
                obj = state.objects[found[-1]]
                value = obj.fields[obj.layout.slots["caller"]]
        return sorted(found)
