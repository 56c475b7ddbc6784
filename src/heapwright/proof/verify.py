"""Checks a certificate with the interpreter: it uses membership in the states of an engine, but none of its
transformers.

A section of a certificate is an invariant. It must be inductive: the heap at the entry is in its state, and every heap
in a state steps, in the interpreter, to heaps in the states of the next locations. No claimed check may fail in these
steps. This is checked for every heap up to a maximum number of objects, smaller heaps first. A heap with unread input
pointers denotes all its completions:

    for checked in verify(program, goal, sections, objects=4):
        checked.refutation      # None, or the heap and the command that refute the invariant

Copies of bytes and read-only memory are not followed, as engines do not follow them: claims that lie behind the former,
or are of writes to the latter, are dropped.

A failing check that the section does not claim ends the run, unless it is a leak: a claim says that no run violates its
check. If the absence of a leak is claimed, heaps have values of all variables that may hold a block, also of those that
are not read again; otherwise leaks are not considered.
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
from heapwright.program.dataflow.protected_blocks import writes_to_protected
from heapwright.program.dataflow.unknown_pointers import behind_unknown
from heapwright.program.dataflow.unmodelled_steps import unprovable_checks, without_bytes
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.sample_runs import SMALL, small_steps
from heapwright.program.runs.snapshot import Snapshot, snapshot
from heapwright.program.runs.successors import failures, successors
from heapwright.program.semantics.input_heap import decided
from heapwright.program.semantics.leaks import root_slots
from heapwright.program.semantics.memory import objects_of
from heapwright.program.semantics.objects import LIVE, PARTIAL, SCRAMBLED, UNREAD, UNSET, Symbol
from heapwright.program.semantics.reachability import reachable_blocks
from heapwright.program.semantics.state import Bounds, ChoicePoint, Fault, State, sample
from heapwright.program.types import Storage
from heapwright.proof import finite_states as finite
from heapwright.proof.certificate_sections import read_section
from heapwright.proof.refutation import DeadlineExceeded, Refutation, SectionCheck
from heapwright.proof.small_heaps import EnumeratedHeap, HeapEnumerator, not_enumerable
from heapwright.result.outcomes import Section, contained

MOST_STATES = 2_000  # of small executions, if heaps cannot be enumerated
MOST_NUMBERS = 64  # assignments of integers per heap after a step


def verify(
    program: Program,
    goal: Goal,
    sections: Sequence[Section],
    *,
    objects: int = 4,
    deadline: float | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> tuple[SectionCheck, ...]:
    """Checks sections in order, up to the first refuted one, each with its share of the remaining time."""
    found: list[SectionCheck] = []
    followed = without_bytes(program)
    unknown = behind_unknown(program, {claim for section in sections for claim in section.claims})
    unprovable = unprovable_checks(followed) | writes_to_protected(program) | unknown
    for index, section in enumerate(sections):
        now = time.monotonic()
        until = None if deadline is None else now + (deadline - now) / (len(sections) - index)

        def expired(until: float | None = until) -> None:
            if until is not None and time.monotonic() >= until:
                raise DeadlineExceeded

        interprets = section.engine == finite.NAME
        voided = unprovable_checks(program) | unknown if interprets else unprovable
        kept = replace(section, claims=tuple(claim for claim in section.claims if claim not in voided))
        if interprets:
            progress(f"{section.engine}: exploring the states")
            found.append(finite.checked(program, goal, kept, expired))
        else:
            states = read_section(followed, kept)
            verifier = Verifier(followed, goal, kept, states, objects, expired)
            found.append(verifier.run(progress))
        if found[-1].refutation is not None:
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
        self.not_enumerable = not_enumerable(program)
        self.leaks = any(check.kind is CheckKind.LEAK and check.id in self.claims for check in program.checks)
        self.machine = Machine(program, goal, Bounds(input_objects=objects), leak_checks=self.leaks)
        self.heaps = self.steps = self.undecided_heaps = 0
        self.sampled_integers = False
        self.dead_ends = dead_ends(program)

    def run(self, progress: Callable[[str], None]) -> SectionCheck:
        checked_objects: dict[int, int] = {}
        refutation, reason, timed_out = self._entry(), "", False
        try:
            if refutation is None and self.not_enumerable:
                refutation = self._executions(progress)
            elif refutation is None:
                refutation = self._all(checked_objects, progress)
        except DeadlineExceeded:
            timed_out = True
        given_up = sorted(set(self.machine.context.hits) - {"values", "input objects"})
        if self.not_enumerable:
            reason = f"heaps cannot be enumerated ({self.not_enumerable}); only small executions were checked"
        elif given_up:
            reason = f"not all heaps were checked: the interpreter reached a bound ({given_up[0]})"
        return SectionCheck(
            self.engine,
            tuple(sorted(self.claims)),
            checked_objects,
            self.heaps,
            self.steps,
            self.undecided_heaps,
            refutation,
            reason,
            self.sampled_integers or "values" in self.machine.context.hits,
            timed_out,
        )

    def _all(self, checked_objects: dict[int, int], progress: Callable[[str], None]) -> Refutation | None:
        """All locations, smaller heaps first."""
        graph = self.program.graph
        locations = [location for location in reversed(graph.postorder) if graph.successors[location]]
        checked_objects.update(dict.fromkeys(locations, -1))
        heaps = HeapEnumerator(self.machine, self.states, self.expired, self._roots)
        for count in range(self.objects + 1):
            for done, location in enumerate(locations, 1):
                progress(f"{self.engine}: {count} objects, location {done} of {len(locations)}, {self.heaps} heaps")
                refutation = self._location(heaps, location, count)
                if refutation is not None:
                    return refutation
                checked_objects[location] = count
        return None

    def _roots(self, location: int) -> list[str]:
        """The variables that keep blocks from being lost, if that is claimed."""
        names = [*self.program.variables]
        return [names[slot] for slot in root_slots(self.machine.liveness, location)] if self.leaks else []

    def _executions(self, progress: Callable[[str], None]) -> Refutation | None:
        """Heaps of small executions, if those of states cannot be enumerated."""
        machine = Machine(self.program, self.machine.goal, SMALL)
        for before, after, fault in small_steps(machine, MOST_STATES):
            self.expired()
            self.heaps += fault is None
            self.steps += before is not None
            if self.steps % 100 == 0:
                progress(f"{self.engine}: {self.heaps} heaps of small executions")
            refutation = self._refuted_by(machine, before, after, fault)
            if refutation is not None:
                return refutation
        return None

    def _entry(self) -> Refutation | None:
        state = self.machine.start(SymbolicChoices(ChoicePoint))
        return None if self._expect_member(state) else Refutation(self.engine, None, None, state)

    def _expect_member(self, state: State) -> bool:
        """Whether a heap may be in the state at its location; an undecided one is counted."""
        answer = self._is_member(state)
        self.undecided_heaps += answer is None
        return answer is not False

    def _is_member(self, state: State) -> bool | None:
        """Membership of a heap in the state at its location; or of all its completions, up to the maximum number of
        objects, by the value of one unread input pointer."""
        cells = [*self._unread_inputs(state)]
        found = self._contains_all(state) if not cells or self.states.undecided() else False
        if found is True or not cells:
            return found
        if self.not_enumerable:
            return None
        unsure = found is None
        for number, slot in cells if self.states.undecided() else cells[:1]:
            self.expired()
            answers = {self._is_member(twin) for twin in decided(state, number, slot, self.objects)}
            if answers <= {True}:
                return True
            unsure |= False not in answers
        return None if unsure else False

    def _contains_all(self, state: State) -> bool | None:
        found: bool | None = True
        for heap in self._completions(state):
            answer = contained(self.states, state.location, heap)
            if answer is False:
                return False
            found = None if answer is None else found
        return found

    def _unread_inputs(self, state: State) -> Iterator[tuple[int, int]]:
        """Unread pointers of the input heap that the states distinguish: object and slot."""
        fields = self.states.fields()
        for identity in state.inputs:
            for number in objects_of(state, state.blocks[identity].root):
                obj = state.objects[number]
                for name, slot in obj.layout.slots.items() if obj.status == LIVE else ():
                    if obj.fields[slot] == UNREAD and (obj.layout.name, name) in fields:
                        yield number, slot

    def _location(self, heaps: HeapEnumerator, location: int, count: int) -> Refutation | None:
        for found in heaps.at(location, count):
            if not found.decided:
                self.undecided_heaps += 1
                continue
            if self._has_garbage(found.state):
                continue
            self.heaps += 1
            refutation = self._step(found)
            if refutation is not None:
                return refutation
        return None

    def _has_garbage(self, state: State) -> bool:
        """Whether a block was lost before, which is in no heap of a run; known if all roots have values."""
        if not self.leaks:
            return False
        slots = root_slots(self.machine.liveness, state.location)
        reached = reachable_blocks(state, [state.vars[slot] for slot in slots]) or set()
        return any(
            block.storage is Storage.HEAP and block.status <= PARTIAL and not block.input and identity not in reached
            for identity, block in state.blocks.items()
        )

    def _step(self, found: EnumeratedHeap) -> Refutation | None:
        for after, fault in successors(self.machine, found.state):
            self.steps += 1
            refutation = self._refuted_by(self.machine, found.state, after, fault)
            if refutation is not None:
                return refutation
        return None

    def _refuted_by(
        self, machine: Machine, before: State | None, after: State, fault: Fault | None
    ) -> Refutation | None:
        """The refutation by a step, if it is one."""
        for check in failures(machine, after, fault):
            if check.id in self.claims and before is not None:
                return Refutation.failed_check(machine, self.engine, before, after, check)
        if fault is not None:
            return None
        if after.location in self.dead_ends:
            return None  # no check is reachable
        return None if self._expect_member(after) else Refutation.missing_heap(self.program, self.engine, before, after)

    # --- numbers -----------------------------------------------------------------------------------------------------

    def _completions(self, state: State) -> Iterator[Snapshot]:
        """The heap with representative values of the integers that the state at its location distinguishes."""
        cells = list(self._open_integers(state))
        if not cells:
            yield snapshot(self.program, state)
            return
        symbols: dict[object, tuple[int, ...]] = {}
        for holder, key, value, tries in cells:
            identity: object = (holder, key) if not isinstance(value, Symbol) else value.id
            offset = value.offset if isinstance(value, Symbol) else 0
            fitting = {one - offset for one in tries} | set(symbols.get(identity, ()))
            if isinstance(value, Symbol):
                known = state.symbols[value.id]
                fitting = {one for one in fitting if known.low <= one <= known.high and one not in known.excluded}
                fitting = fitting or {sample(known)}
            symbols[identity] = tuple(sorted(fitting))
        assignments = product(*symbols.values())
        for values in islice(assignments, MOST_NUMBERS):
            chosen = dict(zip(symbols, values, strict=True))
            twin = state.copy()
            for holder, key, value, _ in cells:
                number = chosen[value.id] + value.offset if isinstance(value, Symbol) else chosen[holder, key]
                if holder:
                    twin.own(holder).fields[key] = number
                else:
                    twin.vars[key] = number
            yield snapshot(self.program, twin)
        self.sampled_integers = self.sampled_integers or next(assignments, None) is not None

    def _open_integers(self, state: State) -> Iterator[tuple[int, int, object, tuple[int, ...]]]:
        """Symbolic integers that the state distinguishes: object (0 for variables), slot, value, representatives."""
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
