"""The log of a long run: of each step its edge and the blocks that it touched, no words and no pictures.

A backward slice of the log finds the steps that explain the end; only those, the last ones, and a few before each, for
the names of temporaries, are put in words (`Narrator`).

    log = StepLog(program)
    log.note(state, edge) ...        # before each step, then `log.done(state)`
    log.chosen()                     # the steps to put in words, and those of them that are relevant
"""

from __future__ import annotations

from typing import NamedTuple

from heapwright.program.commands import Command, Free, New
from heapwright.program.dataflow.liveness import defined, used
from heapwright.program.graph import Edge, Program
from heapwright.program.semantics.state import State
from heapwright.program.types import Storage, ValueKind

MOST_RELEVANT = 150  # steps in words because the end depends on them
MOST_TOUCHING = 150  # steps in words because they touch the blocks of the failure
LAST = 200  # steps at the end, in words whether it depends on them or not
BEFORE = 4  # steps before each, which make the temporaries that it uses


class Fact(NamedTuple):
    """What does not change from one execution of an edge to the next."""

    reads: frozenset[str]
    writes: str
    slots: tuple[int, ...]  # of the pointer variables that are read or written
    written: int  # the slot of the pointer variable that is written, or -1
    always: bool


class Chosen(NamedTuple):
    """Numbers of steps: to be told, and those of them that the end depends on."""

    told: list[int]
    relevant: frozenset[int]


class StepLog:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._slots = {
            name: slot
            for slot, (name, variable) in enumerate(program.variables.items())
            if variable.kind is ValueKind.POINTER
        }
        self._facts: dict[int, Fact] = {}
        self._steps: list[tuple[Fact, set[int], bool]] = []
        self._first = 0
        self._history: object = None

    def begin(self, state: State) -> None:
        self._first = state.steps
        self._history = state.history

    def note(self, state: State, edge: Edge[Command]) -> None:
        """Before a step."""
        fact = self._facts.get(id(edge))
        if fact is None:
            fact = self._facts[id(edge)] = self._fact(edge)
        blocks: set[int] = set()
        variables, objects = state.vars, state.objects
        for slot in fact.slots:
            value = variables[slot]
            obj = objects.get(value[0] if type(value) is tuple else value)
            if obj is not None:
                blocks.add(obj.block)
        self._steps.append((fact, blocks, fact.always))

    def done(self, state: State) -> None:
        """After the step."""
        fact, blocks, _ = self._steps[-1]
        if fact.written >= 0:
            value = state.vars[fact.written]
            obj = state.objects.get(value[0] if type(value) is tuple else value)
            if obj is not None:
                blocks.add(obj.block)
        if state.history is not self._history:
            self._history = state.history
            self._steps[-1] = (fact, blocks, True)

    def failed(self, blocks: set[int]) -> None:
        """The last step concerns these blocks, and matters."""
        if self._steps:
            fact, known, _ = self._steps[-1]
            self._steps[-1] = (fact, known | blocks, True)

    def chosen(self, *, failed: bool) -> Chosen:
        count = len(self._steps)
        relevant = self._slice(failed)
        told = set(range(max(0, count - LAST), count))
        for index in relevant:
            told.update(range(max(0, index - BEFORE), index + 1))
        first = self._first
        return Chosen(sorted(first + index for index in told), frozenset(first + index for index in relevant))

    def _slice(self, failed: bool) -> list[int]:
        """The latest steps that the last one depends on; if it failed, also those that touch its blocks."""
        if not self._steps:
            return []
        last, of_last, _ = self._steps[-1]
        wanted, found, touching = set(last.reads), [len(self._steps) - 1], 0
        for index in range(len(self._steps) - 2, -1, -1):
            fact, blocks, matters = self._steps[index]
            if fact.writes in wanted:
                matters = True
                wanted.discard(fact.writes)
                wanted |= fact.reads
            if failed and touching < MOST_TOUCHING and not blocks.isdisjoint(of_last):
                touching += 1
                found.append(index)
            elif matters and len(found) - touching < MOST_RELEVANT:
                found.append(index)
        return found

    def _fact(self, edge: Edge[Command]) -> Fact:
        command = edge.command
        reads, writes = used(command), defined(command) or ""
        names = [name for name in (*sorted(reads), writes) if name in self._slots]
        always = isinstance(command, Free) or (isinstance(command, New) and command.storage is Storage.HEAP)
        slots = tuple(self._slots[name] for name in names)
        return Fact(reads, writes, slots, self._slots.get(writes, -1), always)
