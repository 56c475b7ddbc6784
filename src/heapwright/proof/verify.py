"""Checks a certificate with the interpreter: no transformer of an engine is used, only membership in states.

A section of a certificate is an invariant. It holds if the heap at the entry is in the state there, and every heap that
a state contains steps, in the interpreter, into heaps that the states at the next locations contain, and breaks no
check that the section claims proved. This is tried for every heap up to a number of objects, smaller ones first. A heap
with pointers of the input that nobody has looked at stands for all that it may become:

    for checked in verify(program, goal, sections, objects=4):
        checked.failure      # None, or the heap and the command that show that it is no proof

A check that the section does not claim ends a run where it fails, as a check that another section proves does: what is
claimed is that no check is the first one to fail.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

from heapwright.engines.api import ProofStates
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import SymbolicChoices
from heapwright.program.dataflow.dead_ends import dead_ends
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.sample_runs import SMALL, small_steps
from heapwright.program.runs.snapshot import Snapshot, snapshot
from heapwright.program.runs.successors import successors
from heapwright.program.semantics.input_heap import decided
from heapwright.program.semantics.memory import objects_of
from heapwright.program.semantics.objects import LIVE, SCRAMBLED, UNREAD, UNSET, Symbol
from heapwright.program.semantics.state import Bounds, ChoicePoint, Fault, State, sample
from heapwright.proof import finite_states as finite
from heapwright.proof.certificate_sections import read_section
from heapwright.proof.refutation import DeadlineExceeded, Refutation, SectionCheck
from heapwright.proof.small_heaps import EnumeratedHeap, HeapEnumerator, beyond
from heapwright.result.outcomes import Section

MOST_STATES = 2_000  # of small executions, where states are not enumerated
MOST_NUMBERS = 64  # ways to decide the numbers of one heap after a step


def goal_for(goal: Goal, program: Program, claims: frozenset[str]) -> Goal:
    """What the interpreter checks: a leak ends a run only where leaks are claimed not to happen."""
    leaks = any(check.kind is CheckKind.LEAK and check.id in claims for check in program.checks)
    return goal if leaks else replace(goal, kinds=goal.kinds - {CheckKind.LEAK})


def verify(
    program: Program,
    goal: Goal,
    sections: Sequence[Section],
    *,
    objects: int = 4,
    deadline: float | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> tuple[SectionCheck, ...]:
    """Checks sections one after the other, up to the first that is no proof; each may take its share of the time that
    is left."""
    found: list[SectionCheck] = []
    for place, section in enumerate(sections):
        now = time.monotonic()
        until = None if deadline is None else now + (deadline - now) / (len(sections) - place)

        def expired(until: float | None = until) -> None:
            if until is not None and time.monotonic() >= until:
                raise DeadlineExceeded

        if section.engine == finite.NAME:
            progress(f"{section.engine}: walking through the states")
            found.append(finite.checked(program, goal, section, expired))
        else:
            states = read_section(program, section)
            verifier = Verifier(program, goal, section, states, objects, expired)
            found.append(verifier.run(progress))
        if found[-1].failure is not None:
            break
    return tuple(found)


class Verifier:
    """Checks one section."""

    def __init__(
        self,
        program: Program,
        goal: Goal,
        section: Section,
        states: ProofStates,
        objects: int,
        expired: Callable[[], None],
    ) -> None:
        self.program = program
        self.engine = section.engine
        self.claims = frozenset(section.claims)
        self.states = states
        self.objects = objects
        self.expired = expired
        self.beyond = beyond(program)
        self.machine = Machine(program, goal_for(goal, program, self.claims), Bounds(input_objects=objects))
        self.heaps = self.steps = self.untold = 0
        self.some_numbers = False
        self.nowhere = dead_ends(program)

    def run(self, progress: Callable[[str], None]) -> SectionCheck:
        upto: dict[int, int] = {}
        failure, reason, late = self._entry(), "", False
        try:
            if failure is None and self.beyond:
                failure = self._executions(progress)
            elif failure is None:
                failure = self._all(upto, progress)
        except DeadlineExceeded:
            late = True
        given_up = sorted(set(self.machine.context.hits) - {"values", "input objects"})
        if self.beyond:
            reason = f"only heaps of small executions were looked at: {self.beyond}"
        elif given_up:
            reason = f"not all heaps were looked at: the interpreter gave up at {given_up[0]}"
        return SectionCheck(
            self.engine,
            tuple(sorted(self.claims)),
            upto,
            self.heaps,
            self.steps,
            self.untold,
            failure,
            reason,
            self.some_numbers or "values" in self.machine.context.hits,
            late,
        )

    def _all(self, upto: dict[int, int], progress: Callable[[str], None]) -> Refutation | None:
        """Small heaps first, at all locations."""
        graph = self.program.graph
        places = [place for place in reversed(graph.postorder) if graph.successors[place]]
        upto.update(dict.fromkeys(places, -1))
        heaps = HeapEnumerator(self.machine, self.states, self.expired)
        for count in range(self.objects + 1):
            for done, location in enumerate(places, 1):
                progress(f"{self.engine}: {count} objects, location {done} of {len(places)}, {self.heaps} heaps")
                failure = self._location(heaps, location, count)
                if failure is not None:
                    return failure
                upto[location] = count
        return None

    def _executions(self, progress: Callable[[str], None]) -> Refutation | None:
        """HeapEnumerator of small executions, where those of states are not enumerated."""
        machine = Machine(self.program, self.machine.goal, SMALL)
        for before, after, fault in small_steps(machine, MOST_STATES):
            self.expired()
            self.heaps += fault is None
            self.steps += before is not None
            if self.steps % 100 == 0:
                progress(f"{self.engine}: {self.heaps} heaps of small executions")
            failure = self._judged(machine, before, after, fault)
            if failure is not None:
                return failure
        return None

    def _entry(self) -> Refutation | None:
        state = self.machine.start(SymbolicChoices(ChoicePoint))
        return None if self._there(state) else Refutation(self.engine, None, None, state)

    def _there(self, state: State) -> bool:
        """Whether a heap is in the state at its location; where that is not told, it counts as untold."""
        answer = self._contained(state)
        self.untold += answer is None
        return answer is not False

    def _contained(self, state: State) -> bool | None:
        """Whether a heap is in the state at its location, or else all that it becomes, up to a number of objects, when
        one of the pointers that nobody has looked at gets its value."""
        cells = [*self._undecided(state)]
        found = self._told(state) if not cells or self.states.undecided() else False
        if found is True or not cells:
            return found
        if self.beyond:
            return None
        unsure = found is None
        for number, slot in cells if self.states.undecided() else cells[:1]:
            self.expired()
            answers = {self._contained(twin) for twin in decided(state, number, slot, self.objects)}
            if answers <= {True}:
                return True
            unsure |= False not in answers
        return None if unsure else False

    def _told(self, state: State) -> bool | None:
        found: bool | None = True
        for heap in self._read(state):
            answer = self.states.contains(state.location, heap)
            if answer is False:
                return False
            found = None if answer is None else found
        return found

    def _undecided(self, state: State) -> Iterator[tuple[int, int]]:
        """Pointers of the input heap that matter and that nobody has looked at: the object and the slot."""
        fields = self.states.fields()
        for identity in state.inputs:
            for number in objects_of(state, state.blocks[identity].root):
                obj = state.objects[number]
                for name, slot in obj.layout.slots.items() if obj.status == LIVE else ():
                    if obj.fields[slot] == UNREAD and (obj.layout.name, name) in fields:
                        yield number, slot

    def _location(self, heaps: HeapEnumerator, location: int, count: int) -> Refutation | None:
        for found in heaps.at(location, count):
            if not found.told:
                self.untold += 1
                continue
            self.heaps += 1
            failure = self._step(found)
            if failure is not None:
                return failure
        return None

    def _step(self, found: EnumeratedHeap) -> Refutation | None:
        for after, fault in successors(self.machine, found.state):
            self.steps += 1
            failure = self._judged(self.machine, found.state, after, fault)
            if failure is not None:
                return failure
        return None

    def _judged(self, machine: Machine, before: State | None, after: State, fault: Fault | None) -> Refutation | None:
        """What a step shows."""
        if fault is not None:
            check = machine.violated(after, fault)
            if check is not None and check.id in self.claims:
                return Refutation(self.engine, before, machine.edge_of(after, fault), after, check)
            return None
        if after.location in self.nowhere:
            return None  # the run ends without a check
        return None if self._there(after) else Refutation.missing_heap(self.program, self.engine, before, after)

    # --- numbers -----------------------------------------------------------------------------------------------------

    def _read(self, state: State) -> Iterator[Snapshot]:
        """The heap, with each of the numbers that the state at its location distinguishes."""
        places = list(self._open(state))
        if not places:
            yield snapshot(self.program, state)
            return
        symbols: dict[object, tuple[int, ...]] = {}
        for holder, key, value, tries in places:
            identity: object = (holder, key) if not isinstance(value, Symbol) else value.id
            offset = value.offset if isinstance(value, Symbol) else 0
            fitting = {one - offset for one in tries} | set(symbols.get(identity, ()))
            if isinstance(value, Symbol):
                known = state.symbols[value.id]
                fitting = {one for one in fitting if known.low <= one <= known.high and one not in known.excluded}
                fitting = fitting or {sample(known)}
            symbols[identity] = tuple(sorted(fitting))
        ways = product(*symbols.values())
        for values in islice(ways, MOST_NUMBERS):
            chosen = dict(zip(symbols, values, strict=True))
            twin = state.copy()
            for holder, key, value, _ in places:
                number = chosen[value.id] + value.offset if isinstance(value, Symbol) else chosen[holder, key]
                if holder:
                    twin.own(holder).fields[key] = number
                else:
                    twin.vars[key] = number
            yield snapshot(self.program, twin)
        self.some_numbers = self.some_numbers or next(ways, None) is not None

    def _open(self, state: State) -> Iterator[tuple[int, int, object, tuple[int, ...]]]:
        """Numbers that matter and are open: the object, or 0 for variables, the slot, the value, and what to try."""
        numbers, data = self.states.numbers(state.location), self.states.data()
        for slot, name in enumerate(self.program.variables):
            if name in numbers and _is_open(state.vars[slot]):
                yield 0, slot, state.vars[slot], numbers[name]
        if data:
            for number, obj in list(state.objects.items()):
                for name, slot in obj.layout.slots.items() if obj.fields and obj.status == 0 else ():
                    tries = data.get((obj.layout.name, name))
                    if tries is not None and _is_open(obj.fields[slot]):
                        yield number, slot, obj.fields[slot], tries


def _is_open(value: object) -> bool:
    return isinstance(value, Symbol) or value is UNSET or value is SCRAMBLED
