"""Enumeration of small arrays, and their runs by the interpreter, which test a precondition.

    for given in small_inputs(tasks, 4): ...      # all arrays of up to four cells, and integers around their positions
    ArrayRunner(tasks).failures(given)            # the obligations that are the first to fail in some run

Elements are only compared, with one another, with data inputs and with constants; so one array represents all of the
same order. The inputs of a function are a store for each of its arrays, with the same integers; variables that are no
inputs are 0. Two arrays may be the same. Several arrays with more than `ORDERED` cells in total are increasing or
constant only.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from heapwright.engines.infer.arrays.program_translation import Task
from heapwright.engines.infer.arrays.stores import ArrayStore
from heapwright.engines.infer.input_runs import Failures, failures, machine_for
from heapwright.program.choices import SymbolicChoices
from heapwright.program.runs.interpreter import Machine
from heapwright.program.semantics.memory import allocate
from heapwright.program.semantics.objects import NULL
from heapwright.program.semantics.state import ChoicePoint, State
from heapwright.program.types import Storage, ValueKind

ORDERED = 3  # maximum of cells of several arrays whose elements are in every order


@dataclass(frozen=True, slots=True)
class ArrayInputs:
    """A store for each array. Arrays with the same number in `blocks` are one."""

    stores: tuple[ArrayStore, ...]
    blocks: tuple[int, ...]


def small_inputs(tasks: Sequence[Task], cells: int) -> Iterator[ArrayInputs]:
    """All arrays of up to `cells` cells, smallest first, with every index input from -1 to two beyond the longest; null
    first."""
    for blocks in _shared(tasks):
        count = max(blocks) + 1
        for sizes in sorted(
            itertools.product(range(-1, cells + 1), repeat=count), key=lambda sizes: (sum(sizes), sizes)
        ):
            if all(sizes[block] >= 0 or blocks.count(block) == 1 for block in blocks):  # null is not shared
                yield from _of_sizes(tasks, blocks, sizes)


def _shared(tasks: Sequence[Task]) -> list[tuple[int, ...]]:
    """Aliasing of arrays: none, and each pair of one type."""
    apart = tuple(range(len(tasks)))
    found = [apart]
    for one, two in itertools.combinations(apart, 2):
        targets = {tasks[k].program.variables[tasks[k].array].target for k in (one, two)}
        if len(targets) == 1:
            found.append(tuple(block if block < two else one if block == two else block - 1 for block in apart))
    return found


def _of_sizes(tasks: Sequence[Task], blocks: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[ArrayInputs]:
    lengths = [max(size, 0) for size in sizes]
    spots, data = _names(tasks)
    fixed = {task.length: lengths[block] for task, block in zip(tasks, blocks, strict=True) if task.length is not None}
    constants = sorted({constant for task in tasks for constant in task.vocabulary.constants})
    free = [name for name in spots if name not in fixed]
    total = sum(lengths)
    every = len(tasks) == 1 or total <= ORDERED
    for order in arrangements(total + len(data), constants) if every else _few(total + len(data), constants):
        starts = [sum(lengths[:block]) for block in range(len(sizes))]
        contents = [order[start : start + length] for start, length in zip(starts, lengths, strict=True)]
        elements = dict(zip(data, order[total:], strict=True))
        for positions in itertools.product(range(-1, max(lengths) + 3), repeat=len(free)):
            values = {**fixed, **dict(zip(free, positions, strict=True)), **elements}
            stores = tuple(
                _store(task, sizes[block] < 0, contents[block], values)
                for task, block in zip(tasks, blocks, strict=True)
            )
            if all(_representable(task, store) for task, store in zip(tasks, stores, strict=True)):
                yield ArrayInputs(stores, blocks)


def _names(tasks: Sequence[Task]) -> tuple[list[str], list[str]]:
    """The index and the data inputs of all tasks; an index of one task is an index of all."""
    spots = dict.fromkeys(task.vocabulary.spots[spot][0] for task in tasks for spot in task.spots)
    data = dict.fromkeys(task.vocabulary.data[term] for task in tasks for term in task.data)
    return list(spots), [name for name in data if name not in spots]


def _store(task: Task, null: bool, cells: tuple[int, ...], values: dict[str, int]) -> ArrayStore:
    vocabulary = task.vocabulary
    spots = tuple(values[name] if k in task.spots else 0 for k, (name, _) in enumerate(vocabulary.spots))
    data = tuple(values[name] if k in task.data else 0 for k, name in enumerate(vocabulary.data))
    return ArrayStore(null, cells, spots, data)


def _few(size: int, constants: Sequence[int]) -> Iterator[tuple[int, ...]]:
    first = min(constants, default=0)
    yield (first,) * size
    yield tuple(range(first, first + size))


def count(tasks: Sequence[Task], cells: int) -> int:
    """Estimate of the number of small inputs."""
    spots, data = _names(tasks)
    constants = {constant for task in tasks for constant in task.vocabulary.constants}
    total = 0
    for sizes in itertools.product(range(cells + 1), repeat=len(tasks)):
        compared = sum(sizes) + len(data) + len(constants)
        every = len(tasks) == 1 or sum(sizes) <= ORDERED
        total += (_orders(compared) if every else 2) * (max(sizes) + 4) ** len(spots)
    return total


def _orders(size: int) -> int:
    """The number of total preorders of a set of this size.

    >>> [_orders(n) for n in range(5)]
    [1, 1, 3, 13, 75]
    """
    found = [1]
    for n in range(1, size + 1):
        found.append(sum(math.comb(n, k) * found[n - k] for k in range(1, n + 1)))
    return found[size]


def _representable(task: Task, store: ArrayStore) -> bool:
    vocabulary = task.vocabulary
    types = [(value, type_) for value, (_, type_) in zip(store.spots, vocabulary.spots, strict=True)]
    types += [(value, vocabulary.cell) for value in store.cells]
    types += [
        (store.data[term], task.program.variables[vocabulary.data[term]].type or vocabulary.cell) for term in task.data
    ]
    return all(type_.minimum <= value <= type_.maximum for value, type_ in types)


def arrangements(size: int, constants: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Values in every order among one another and relative to the constants.

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

    tasks: Sequence[Task]
    machine: Machine = field(init=False)

    def __post_init__(self) -> None:
        self.machine = machine_for(self.tasks[0].program)

    def failures(self, inputs: ArrayInputs) -> Failures:
        return failures(self.machine, self.state(inputs))

    def state(self, inputs: ArrayInputs) -> State:
        """The interpreter's state in which the body begins."""
        machine, program, bound = self.machine, self.tasks[0].program, self.tasks[0].bound
        state = machine.start(SymbolicChoices(ChoicePoint))
        span = program.graph.locations[self.tasks[0].start].span
        blocks: dict[int, int] = {}
        pointers: dict[str, int] = {}
        values: dict[str, int] = {}
        for task, store, block in zip(self.tasks, inputs.stores, inputs.blocks, strict=True):
            if not store.null and block not in blocks:
                layout = machine.context.layouts[program.variables[task.array].target]
                blocks[block] = allocate(state, layout, Storage.HEAP, span, count=len(store.cells))
                state.own(blocks[block]).cells = dict(enumerate(store.cells))
            pointers[dict(bound)[task.array]] = NULL if store.null else blocks[block]
            values |= {task.vocabulary.spots[spot][0]: store.spots[spot] for spot in task.spots}
            values |= {task.vocabulary.data[term]: store.data[term] for term in task.data}
            if task.length is not None:
                values[task.length] = len(store.cells)
        sources = {source: values[target] for target, source in bound if target in values}
        slots = {name: index for index, name in enumerate(program.variables)}
        for target, source in bound:
            if program.variables[target].kind is ValueKind.POINTER:
                state.vars[slots[target]] = pointers.get(source, NULL)
            elif source in sources:
                state.vars[slots[target]] = sources[source]  # others are inputs that are decided where they are read
        state.location = self.tasks[0].start
        return state
