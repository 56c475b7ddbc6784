"""The canonical form does not depend on the names of objects, and tells different heaps apart."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from support.assembler import assemble

from heapwright.base.source import NOWHERE
from heapwright.program.checks import Goal
from heapwright.program.choices import RecordedChoices
from heapwright.program.runs.canonical_form import Canonical
from heapwright.program.runs.interpreter import Machine
from heapwright.program.semantics.memory import allocate, end
from heapwright.program.semantics.objects import FREED, NULL
from heapwright.program.semantics.state import State
from heapwright.program.types import Storage

PROGRAM = assemble("""
type node 24: left@0 -> node, right@8 -> node, data@16: i32
var x -> node
var y -> node
var i: i32
x = x.left
y = y.left
x.data = i
x = y
goto end
""")
COUNT = 5
links = st.lists(st.tuples(st.integers(0, COUNT), st.integers(0, COUNT)), min_size=COUNT, max_size=COUNT)


def build(shape: list[tuple[int, int]], freed: set[int], roots: tuple[int, int], order: list[int]) -> State:
    """A heap of nodes 1..COUNT, allocated in an order of its own; 0 is null."""
    machine = Machine(PROGRAM, Goal())
    state = machine.start(RecordedChoices(()))
    layout = machine.context.layouts["node"]
    names = {0: NULL}
    for node in order:
        names[node] = allocate(state, layout, Storage.HEAP, NOWHERE, zeroed=True)
    for node, (left, right) in enumerate(shape, 1):
        state.own(names[node]).fields[:] = [names[left], names[right], node % 2]
    for node in sorted(freed, key=lambda n: names[n]):
        end(state, state.objects[names[node]].block, FREED, NOWHERE)
    state.vars[:] = [names[roots[0]], names[roots[1]], 7]
    return state


def key(state: State) -> bytes:
    return Canonical(Machine(PROGRAM, Goal())).key(state)


@given(links, st.sets(st.integers(1, COUNT)), st.tuples(st.integers(0, COUNT), st.integers(0, COUNT)), st.randoms())
def test_renaming_objects_changes_nothing(
    shape: list[tuple[int, int]], freed: set[int], roots: tuple[int, int], shuffler: random.Random
) -> None:
    order = list(range(1, COUNT + 1))
    first = key(build(shape, freed, roots, order))
    shuffler.shuffle(order)
    assert key(build(shape, freed, roots, order)) == first


@given(links, links)
def test_equal_forms_mean_isomorphic_heaps(one: list[tuple[int, int]], two: list[tuple[int, int]]) -> None:
    order = list(range(1, COUNT + 1))
    first, second = build(one, set(), (1, 2), order), build(two, set(), (1, 2), order)
    same = _unfold(one) == _unfold(two)
    assert (key(first) == key(second)) == same


def _unfold(shape: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """The part of the heap that nodes 1 and 2 reach, numbered as it is met: a plain definition to compare with."""
    numbers = {0: 0, 1: 1, 2: 2}
    pending = [1, 2]
    found: list[tuple[int, ...]] = []
    for node in pending:
        for target in shape[node - 1]:
            if target not in numbers:
                numbers[target] = len(numbers)
                pending.append(target)
        found.append((numbers[shape[node - 1][0]], numbers[shape[node - 1][1]], node % 2))
    return found


def test_a_block_that_came_after_the_end_of_another_counts() -> None:
    """It may have the same address."""
    states = []
    for later in (False, True):
        machine = Machine(PROGRAM, Goal())
        state = machine.start(RecordedChoices(()))
        layout = machine.context.layouts["node"]
        made = [allocate(state, layout, Storage.HEAP, NOWHERE, zeroed=True)]
        if later:
            end(state, state.objects[made[0]].block, FREED, NOWHERE)
        made.append(allocate(state, layout, Storage.HEAP, NOWHERE, zeroed=True))
        if not later:
            end(state, state.objects[made[0]].block, FREED, NOWHERE)
        state.vars[:] = [made[0], made[1], 0]
        states.append(key(state))
    assert states[0] != states[1]


def test_dead_variables_and_unreachable_blocks_do_not_count() -> None:
    machine = Machine(PROGRAM, Goal(kinds=frozenset()))
    layout = machine.context.layouts["node"]
    keys = []
    for number in (1, 2):
        state = machine.start(RecordedChoices(()))
        for _ in range(number):
            lost = allocate(state, layout, Storage.HEAP, NOWHERE)
        kept = allocate(state, layout, Storage.HEAP, NOWHERE, zeroed=True)
        state.location = 3  # only y is read from here on
        state.vars[:] = [lost, kept, number]
        keys.append(Canonical(machine).key(state))
        assert len(state.blocks) == 1
    assert keys[0] == keys[1]
