"""Small arrays, and what happens to them: the interpreter as the judge of a precondition.

    for store in stores(task, 4): ...       # all arrays of up to four cells, and integers around their positions
    ArrayRunner(task).failures(store)       # the demands that some run from the store breaks first

Elements are compared only, with one another, with data inputs and with constants; so one array stands for all of the
same order. A store of inputs has the index and data variables of the vocabulary; those that are no inputs are 0.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from heapwright.engines.infer.arrays.reading import Task
from heapwright.engines.infer.arrays.store import Store
from heapwright.engines.infer.runs import Failures, failures, machine_for
from heapwright.program.choices import OpenChoices
from heapwright.program.interpreter import Machine
from heapwright.program.memory import allocate
from heapwright.program.state import NULL, Fork, State
from heapwright.program.types import Region, ValueKind


def stores(task: Task, cells: int) -> Iterator[Store]:
    """All arrays of up to so many cells, small ones first, with every index input from -1 to two beyond the length;
    null first."""
    vocabulary = task.vocabulary
    for size in (-1, *range(cells + 1)):
        length = max(size, 0)
        for order in arrangements(length + len(task.data), vocabulary.constants):
            for places in itertools.product(range(-1, length + 3), repeat=len(task.spots)):
                spots, data = [0] * len(vocabulary.spots), [0] * len(vocabulary.data)
                for spot, value in zip(task.spots, places, strict=True):
                    spots[spot] = value
                for term, value in zip(task.data, order[length:], strict=True):
                    data[term] = value
                if _representable(task, spots, data, order[:length]):
                    yield Store(size < 0, order[:length], tuple(spots), tuple(data))


def count(task: Task, cells: int) -> int:
    """About how many stores there are."""
    total = 0
    for size in range(cells + 1):
        compared = size + len(task.data) + len(set(task.vocabulary.constants))
        total += _orders(compared) * (size + 4) ** len(task.spots)
    return total


def _orders(size: int) -> int:
    """How many total preorders there are of so many things.

    >>> [_orders(n) for n in range(5)]
    [1, 1, 3, 13, 75]
    """
    found = [1]
    for n in range(1, size + 1):
        found.append(sum(math.comb(n, k) * found[n - k] for k in range(1, n + 1)))
    return found[size]


def _representable(task: Task, spots: Sequence[int], data: Sequence[int], cells: Sequence[int]) -> bool:
    vocabulary = task.vocabulary
    types = [(value, type_) for value, (_, type_) in zip(spots, vocabulary.spots, strict=True)]
    types += [(value, vocabulary.cell) for value in cells]
    types += [(data[term], task.program.variables[vocabulary.data[term]].type or vocabulary.cell) for term in task.data]
    return all(type_.minimum <= value <= type_.maximum for value, type_ in types)


def arrangements(size: int, constants: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """So many values in every order that they can have among one another and beside the constants.

    >>> sorted(arrangements(2, ()))
    [(0, 0), (0, 1), (1, 0)]
    """
    fixed = sorted(set(constants))
    if not fixed:
        values: Sequence[int] = range(size)
    else:
        near = {constant + step for constant in fixed for step in range(-size, size + 1)}
        values = sorted(near)
    seen: set[tuple[int, ...]] = set()
    for found in itertools.product(values, repeat=size):
        everything = sorted({*found, *fixed})
        ranks = tuple(everything.index(value) for value in (*found, *fixed))
        if ranks not in seen:
            seen.add(ranks)
            yield found


@dataclass
class ArrayRunner:
    """Runs of one function."""

    task: Task
    machine: Machine = field(init=False)

    def __post_init__(self) -> None:
        self.machine = machine_for(self.task.program)

    def failures(self, store: Store) -> Failures:
        return failures(self.machine, self.state(store))

    def state(self, store: Store) -> State:
        """The interpreter's state in which the body begins."""
        task, machine = self.task, self.machine
        state = machine.start(OpenChoices(Fork))
        program, vocabulary = task.program, task.vocabulary
        pointer = NULL
        if not store.null:
            layout = machine.world.layouts[program.variables[task.array].target]
            span = program.graph.locations[task.start].span
            pointer = allocate(state, layout, Region.HEAP, span, count=len(store.cells))
            state.own(pointer).cells = dict(enumerate(store.cells))
        values = {vocabulary.spots[spot][0]: store.spots[spot] for spot in task.spots}
        values |= {vocabulary.data[term]: store.data[term] for term in task.data}
        if task.length is not None:
            values[task.length] = len(store.cells)
        sources = {source: values[target] for target, source in task.bound if target in values}
        slots = {name: place for place, name in enumerate(program.variables)}
        for target, source in task.bound:
            if program.variables[target].kind is ValueKind.POINTER:
                state.vars[slots[target]] = pointer if source == dict(task.bound)[task.array] else NULL
            elif source in sources:
                state.vars[slots[target]] = sources[source]  # others are inputs that are decided where they are read
        state.location = task.start
        return state
