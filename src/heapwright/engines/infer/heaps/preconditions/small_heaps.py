"""Enumeration of small heaps, and their runs by the interpreter, which test a precondition.

    for heap in heaps(inputs=2, objects=3): ...     # all acyclic heaps, with sharing and unreachable objects
    Runner(task).failures(heap)                     # the obligations that are the first to fail in some run

Every heap is built in the memory of the interpreter and run from the beginning of the body, for all choices. A write
that makes a cycle violates an obligation like a failed check, and ends the run.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from heapwright.engines.infer.function_body import is_parameter, prologue
from heapwright.engines.infer.heaps.negated_assertions import cycle_id
from heapwright.engines.infer.heaps.object_layout import ObjectLayout
from heapwright.engines.infer.heaps.program_translation import Task
from heapwright.engines.infer.heaps.prover.terms import split
from heapwright.engines.infer.heaps.steps import NOWHERE, Heap, is_tree
from heapwright.engines.infer.heaps.structure import Tree, Vocabulary
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
    """All heaps of up to `objects` objects with `inputs` input variables, each field acyclic by itself, smallest first,
    up to isomorphism. With `keys`, for every total preorder of keys; with `cyclic`, all of one field."""
    for size in range(objects + 1):
        # An acyclic field can be numbered downwards.
        choices = [(NOWHERE, *range(0 if cyclic else i + 1, size)) for i in range(size)]
        alloc = (True,) * size if allocation else ()
        for following in itertools.product(itertools.product(*choices), *(_forests(size) for _ in range(fields - 1))):
            for at in itertools.product((NOWHERE, *range(size)), repeat=inputs):
                for order in orders(size) if keys else ((),):
                    yield Heap(following, at, alloc, order)


def typed_heaps(
    layout: ObjectLayout, inputs: Sequence[int], objects: int, *, allocation: bool = False
) -> Iterator[Heap]:
    """All heaps of up to `objects` objects of several types, each field acyclic by itself, for inputs of these types.
    The first field that leads to its own type is numbered downwards."""
    for size in range(objects + 1):
        for kinds in itertools.combinations_with_replacement(range(len(layout.types)), size):
            members = [[i for i in range(size) if kinds[i] == kind] for kind in range(len(layout.types))]
            fields = [_typed_field(layout, number, members, size) for number in range(len(layout.fields))]
            starts = [(NOWHERE, *members[kind]) for kind in inputs]
            for following in itertools.product(*fields):
                for at in itertools.product(*starts):
                    yield Heap(following, at, (True,) * size if allocation else (), (), kinds)


def _typed_field(
    layout: ObjectLayout, number: int, members: Sequence[Sequence[int]], size: int
) -> list[tuple[int, ...]]:
    """The values of a field in all objects; it is null in those that do not have it."""
    field = layout.fields[number]
    own, targets = members[field.source], members[field.target]
    first = next((one for one in layout.of(field.source) if layout.loops(one)), None)
    if layout.loops(number) and number != first:
        choices = [tuple(NOWHERE if one == NOWHERE else own[one] for one in forest) for forest in _forests(len(own))]
    else:
        ahead = [[one for one in targets if number != first or one > i] for i in own]
        choices = list(itertools.product(*((NOWHERE, *one) for one in ahead)))
    found = []
    for choice in choices:
        row = [NOWHERE] * size
        for i, value in zip(own, choice, strict=True):
            row[i] = value
        found.append(tuple(row))
    return found


def typed_count(layout: ObjectLayout, inputs: Sequence[int], objects: int) -> int:
    """The number of these heaps with the maximum of objects."""
    total = 0
    for kinds in itertools.combinations_with_replacement(range(len(layout.types)), objects):
        counts = [kinds.count(kind) for kind in range(len(layout.types))]
        here = math.prod(counts[kind] + 1 for kind in inputs)
        for number, declared in enumerate(layout.fields):
            own, target = counts[declared.source], counts[declared.target]
            first = next((one for one in layout.of(declared.source) if layout.loops(one)), None)
            if number == first:
                here *= math.factorial(own)
            else:
                here *= (own + 1) ** max(own - 1, 0) if layout.loops(number) else (target + 1) ** own
        total += here
    return total


def _forests(size: int) -> list[tuple[int, ...]]:
    """All acyclic fields of `size` objects."""
    found = []
    for following in itertools.product((NOWHERE, *range(size)), repeat=size):
        heap = Heap((following,), ())
        if not any(i in heap.reached(following[i]) for i in range(size)):
            found.append(following)
    return found


def orders(size: int) -> Iterator[tuple[int, ...]]:
    """Every total preorder of `size` objects, as keys without gaps."""
    for keys in itertools.product(range(size), repeat=size):
        if set(keys) == set(range(len(set(keys)))):
            yield keys


def count(inputs: int, objects: int, *, keys: bool, fields: int = 1, cyclic: bool = False) -> int:
    """The number of these heaps with the maximum of objects."""
    if cyclic:
        power: int = (objects + 1) ** (inputs + objects)
        return power
    arrangements: int = (objects + 1) ** inputs * (objects + 1) ** ((objects - 1) * (fields - 1))
    return math.factorial(objects) * arrangements * (sum(1 for _ in orders(objects)) if keys else 1)


@dataclass
class Runner:
    """Runs of one function."""

    task: Task
    machine: Machine = field(init=False)

    def __post_init__(self) -> None:
        self.machine = machine_for(self.task.program)

    @property
    def integers(self) -> tuple[str, ...]:
        """The integer inputs."""
        program = self.task.program
        targets = [target for target, _ in prologue(program)[1] if is_parameter(program, target)]
        return tuple(name for name in targets if program.variables[name].kind is ValueKind.DATA)

    def failures(self, heap: Heap, numbers: Mapping[str, int] | None = None) -> Failures:
        """Failures of runs from a heap whose variables are the inputs, in this order; `numbers` are the values of
        integer inputs, which are otherwise any."""
        state = self.state(heap)
        slots = {name: index for index, name in enumerate(self.task.program.variables)}
        for name, value in (numbers or {}).items():
            state.vars[slots[name]] = value
        return failures(self.machine, state, self._cycle)

    def state(self, heap: Heap) -> State:
        """The interpreter's state in which the body begins."""
        task, machine = self.task, self.machine
        state = machine.start(SymbolicChoices(ChoicePoint))
        span = task.program.graph.locations[task.start].span
        kinds = heap.kinds or (0,) * heap.size
        layouts = [machine.context.layouts[task.layout.types[kind]] for kind in kinds]
        numbers = [allocate(state, layout, Storage.HEAP, span) for layout in layouts]
        for i, (number, layout) in enumerate(zip(numbers, layouts, strict=True)):
            fields = state.own(number).fields
            for slot in layout.pointer_slots:
                fields[slot] = NULL
            for declared, following in zip(task.layout.fields, heap.next, strict=True):
                if declared.name and declared.source == kinds[i]:
                    fields[layout.slots[declared.name]] = NULL if following[i] == NOWHERE else numbers[following[i]]
        for number, layout, key in zip(numbers, layouts, heap.keys, strict=True) if heap.keys else ():
            state.own(number).fields[layout.slots[task.vocabulary.key]] = key
        slots = {name: index for index, name in enumerate(task.program.variables)}
        for name, where in zip(task.inputs, heap.at, strict=True):
            pointer = NULL if where == NOWHERE else numbers[where]
            for copy in (name, *(copy for copy, of in task.copies if of == name)):
                if task.program.variables[copy].kind is ValueKind.POINTER:
                    state.vars[slots[copy]] = pointer
        state.location = task.start
        return state

    def _cycle(self, state: State) -> str:
        """The obligation that the next step violates by making a cycle."""
        edges = self.task.program.graph.successors[state.location]
        if len(edges) == 1 and isinstance(edges[0].command, Store) and self._closes(state, edges[0].command):
            return cycle_id(edges[0])
        return ""

    def _closes(self, state: State, command: Store) -> bool:
        """Whether a write would make a cycle; one that fails for another reason does not."""
        kind = self.task.program.variables[command.base].target
        along = self.task.layout.number(kind, command.field)
        if along is None or not self.task.layout.loops(along):
            return False
        slots = self.machine.context.layouts[self.task.layout.types[self.task.layout.fields[along].source]].slots
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
    """A heap of inputs over the whole vocabulary: other variables are null, and there is at least one object. Spare
    ones are neither allocated nor reachable."""
    where = dict(zip(task.inputs, heap.at, strict=True))
    trees = {tree.name: tree for tree in task.vocabulary.trees}
    at = tuple(
        _root(heap, where, trees[name]) if name in trees else _value(heap, where, name)
        for name in task.vocabulary.variables
    )
    allocation = task.vocabulary.allocation
    spare = spare or int(not heap.size)
    alloc = (True,) * heap.size + (False,) * spare if allocation else ()
    keys = (*heap.keys, *(0,) * spare) if task.vocabulary.key else ()
    return Heap(tuple((*following, *(NOWHERE,) * spare) for following in heap.next), at, alloc, keys)


def _root(heap: Heap, where: dict[str, int], tree: Tree) -> int:
    """What a term leads to at the entry, if it is no tree."""
    found = _value(heap, where, tree.term)
    return NOWHERE if is_tree(heap, found, tree.left, tree.right) else found


def _value(heap: Heap, where: dict[str, int], name: str) -> int:
    """Of a variable at the entry, or of a ghost."""
    variable, path = split(name)
    found = where.get(variable, NOWHERE)
    for along in path:
        found = NOWHERE if found == NOWHERE else heap.next[along][found]
    return found


def witnessed(vocabulary: Vocabulary, heap: Heap) -> Iterator[Heap]:
    """The heap with all values of the ghost variables: null, or a pair of objects, in the wrong order of keys."""
    yield heap
    if vocabulary.witnesses is None:
        return
    larger, smaller = vocabulary.witnesses
    for one, other in itertools.permutations(range(heap.size), 2):
        if vocabulary.pair or heap.keys[one] > heap.keys[other]:
            at = list(heap.at)
            at[larger], at[smaller] = one, other
            yield replace(heap, at=tuple(at))
