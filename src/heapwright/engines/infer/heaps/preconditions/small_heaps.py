"""Small heaps, and what happens to them: the interpreter as the judge of a precondition.

    for heap in heaps(inputs=2, objects=3): ...     # all acyclic heaps, with sharing and with lost objects
    Runner(task).failures(heap)                     # the demands that some run from the heap breaks first

Every heap is built in the interpreter's memory and run from where the body begins, along all decisions. A write that
closes a cycle breaks a demand like a failed check does, and ends the run.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from heapwright.engines.infer.heaps.negated_assertions import cycle_id
from heapwright.engines.infer.heaps.program_translation import Task
from heapwright.engines.infer.heaps.steps import NOWHERE, Heap
from heapwright.engines.infer.heaps.structure import Vocabulary
from heapwright.engines.infer.input_runs import Failures, failures, machine_for
from heapwright.program.choices import SymbolicChoices
from heapwright.program.commands import Store
from heapwright.program.expressions import Var
from heapwright.program.runs.interpreter import Machine
from heapwright.program.semantics.memory import allocate
from heapwright.program.semantics.objects import NULL, is_pointer, object_of
from heapwright.program.semantics.state import ChoicePoint, State
from heapwright.program.types import Storage, ValueKind


def heaps(
    inputs: int,
    objects: int,
    *,
    allocation: bool = False,
    keys: bool = False,
    fields: int = 1,
    cyclic: bool = False,
) -> Iterator[Heap]:
    """All heaps of up to so many objects with so many input variables, each field acyclic by itself, small ones first;
    one at least of each kind that differ in the numbering of objects only. With `keys`, in every order that these can
    have; with `cyclic`, all of one field."""
    for size in range(objects + 1):
        # An acyclic field can be numbered downwards.
        choices = [(NOWHERE, *range(0 if cyclic else i + 1, size)) for i in range(size)]
        alloc = (True,) * size if allocation else ()
        for following in itertools.product(itertools.product(*choices), *(_forests(size) for _ in range(fields - 1))):
            for at in itertools.product((NOWHERE, *range(size)), repeat=inputs):
                for order in orders(size) if keys else ((),):
                    yield Heap(following, at, alloc, order)


def _forests(size: int) -> list[tuple[int, ...]]:
    """All acyclic fields of so many objects."""
    found = []
    for following in itertools.product((NOWHERE, *range(size)), repeat=size):
        heap = Heap((following,), ())
        if not any(i in heap.reached(following[i]) for i in range(size)):
            found.append(following)
    return found


def orders(size: int) -> Iterator[tuple[int, ...]]:
    """Every order of so many objects, equal ones included, as keys without gaps."""
    for keys in itertools.product(range(size), repeat=size):
        if set(keys) == set(range(len(set(keys)))):
            yield keys


def count(inputs: int, objects: int, *, keys: bool, fields: int = 1, cyclic: bool = False) -> int:
    """How many of these heaps have the largest size."""
    if cyclic:
        power: int = (objects + 1) ** (inputs + objects)
        return power
    places: int = (objects + 1) ** inputs * (objects + 1) ** ((objects - 1) * (fields - 1))
    return math.factorial(objects) * places * (sum(1 for _ in orders(objects)) if keys else 1)


@dataclass
class Runner:
    """Runs of one function."""

    task: Task
    machine: Machine = field(init=False)

    def __post_init__(self) -> None:
        self.machine = machine_for(self.task.program)

    def failures(self, heap: Heap) -> Failures:
        """What breaks when the inputs are as in the heap, whose variables are the inputs in their order."""
        return failures(self.machine, self.state(heap), self._cycle)

    def state(self, heap: Heap) -> State:
        """The interpreter's state in which the body begins."""
        task, machine = self.task, self.machine
        state = machine.start(SymbolicChoices(ChoicePoint))
        layout = machine.context.layouts[task.type]
        span = task.program.graph.locations[task.start].span
        numbers = [allocate(state, layout, Storage.HEAP, span) for _ in range(heap.size)]
        for i, number in enumerate(numbers):
            fields = state.own(number).fields
            for slot in layout.pointer_slots:
                fields[slot] = NULL
            for name, following in zip(task.fields, heap.next, strict=True):
                if name:
                    fields[layout.slots[name]] = NULL if following[i] == NOWHERE else numbers[following[i]]
        for number, key in zip(numbers, heap.keys, strict=bool(heap.keys)):
            state.own(number).fields[layout.slots[task.vocabulary.key]] = key
        slots = {name: place for place, name in enumerate(task.program.variables)}
        for name, where in zip(task.inputs, heap.at, strict=True):
            pointer = NULL if where == NOWHERE else numbers[where]
            for copy in (name, *(copy for copy, of in task.copies if of == name)):
                if task.program.variables[copy].kind is ValueKind.POINTER:
                    state.vars[slots[copy]] = pointer
        state.location = task.start
        return state

    def _cycle(self, state: State) -> str:
        """The demand that the next step breaks by making a cycle."""
        edges = self.task.program.graph.successors[state.location]
        if len(edges) == 1 and isinstance(edges[0].command, Store) and self._closes(state, edges[0].command):
            return cycle_id(edges[0])
        return ""

    def _closes(self, state: State, command: Store) -> bool:
        """Whether a write would make a cycle; one that fails for another reason does not."""
        slots = self.machine.context.layouts[self.task.type].slots
        variables = list(self.task.program.variables)
        base = state.vars[variables.index(command.base)]
        if not isinstance(command.value, Var) or not is_pointer(base):
            return False
        pointer = state.vars[variables.index(command.value.name)]
        while is_pointer(pointer):
            if object_of(pointer) == object_of(base):
                return True
            pointer = state.objects[object_of(pointer)].fields[slots[command.field]]
        return False


def embedded(task: Task, heap: Heap, spare: int = 0) -> Heap:
    """A heap of inputs as one of the whole vocabulary: other variables are null, and there is always an object. Spare
    ones are not allocated, and nothing leads to them."""
    where = dict(zip(task.inputs, heap.at, strict=True))
    at = tuple(where.get(name, NOWHERE) for name in task.vocabulary.variables)
    allocation = task.vocabulary.allocation
    spare = spare or int(not heap.size)
    alloc = (True,) * heap.size + (False,) * spare if allocation else ()
    keys = (*heap.keys, *(0,) * spare) if task.vocabulary.key else ()
    return Heap(tuple((*following, *(NOWHERE,) * spare) for following in heap.next), at, alloc, keys)


def witnessed(vocabulary: Vocabulary, heap: Heap) -> Iterator[Heap]:
    """The heap with all places of the witnesses: nowhere, or where they show something."""
    yield heap
    if vocabulary.witnesses is None:
        return
    larger, smaller = vocabulary.witnesses
    for one, other in itertools.permutations(range(heap.size), 2):
        if heap.keys[one] > heap.keys[other]:
            at = list(heap.at)
            at[larger], at[smaller] = one, other
            yield replace(heap, at=tuple(at))
