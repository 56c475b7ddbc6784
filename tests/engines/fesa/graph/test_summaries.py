"""Summaries against the heaps that they stand for: nothing is lost by folding nodes and taking objects out again."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from engines.fesa.heaps import World, snapshots
from hypothesis import given, settings
from hypothesis import strategies as st
from oxidd.bdd import BDDFunction

from heapwright.engines.fesa.graph.abstract_heap import Cell, Heap, Instrumentation, Name, edge, into, out, variable
from heapwright.engines.fesa.graph.widening import APART, LADDER, LOOPS, TYPES, Rule, Widening
from heapwright.engines.fesa.numeric.api import vectors
from heapwright.program.runs.snapshot import Address, HeapObject, Snapshot
from heapwright.program.types import Storage

MODES = [Instrumentation(), Instrumentation(out=False, into=False)]
IDS = ["instrumented", "plain"]


def chain(length: int, *, closed: bool = False) -> Snapshot:
    """x leads to the first of so many nodes, each to the next along `left`."""
    objects = {
        number: HeapObject(
            "node",
            Storage.HEAP,
            "live",
            {"left": Address(number % length + 1 if closed or number < length else 0), "right": Address(0)},
        )
        for number in range(1, length + 1)
    }
    return Snapshot({"x": Address(1), "y": Address(0)}, {}, objects)


def node(number: int) -> Name:
    return Name("n", (str(number),))


def folded(world: World, concrete: Snapshot, order: list[int]) -> tuple[Heap[BDDFunction], Name]:
    heap = world.exact(concrete)
    first, *others = order
    for other in others:
        heap = world.summaries.summarized(heap, node(first), node(other))
    return heap, node(first)


def test_a_list_of_three_in_one_summary() -> None:
    """The roles that section 2.2 computes: first, inner and last element, seen with either other one as the ghost."""
    world = World(Instrumentation(out=False, into=False))
    heap, summary = folded(world, chain(3), [1, 2, 3])
    flags = (edge(variable("x"), summary), into(summary, "left"), out(summary, "left"))
    found = {"".join(str(int(v)) for v in vector) for vector in vectors(world.domain, heap.function, flags)}
    assert found == {"000", "001", "010", "100", "101"}


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_the_summary_of_a_list_describes_lists_of_other_lengths(length: int) -> None:
    world = World()
    heap, _ = folded(world, chain(4), [1, 2, 3, 4])
    assert world.contains(heap, chain(length)) == (length > 1)


def test_a_list_is_no_ring() -> None:
    world = World()
    heap, _ = folded(world, chain(4), [1, 2, 3, 4])
    assert not world.contains(heap, chain(4, closed=True))


@pytest.mark.parametrize("mode", MODES, ids=IDS)
@settings(max_examples=30, deadline=None)
@given(concrete=snapshots(), seed=st.randoms(use_true_random=False))
def test_summarising_keeps_the_heap(mode: Instrumentation, concrete: Snapshot, seed: Random) -> None:
    world = World(mode)
    heap = world.exact(concrete)
    assert world.contains(heap, concrete)
    while len(heap.nodes) > 1:
        one, other = seed.sample(sorted(heap.nodes), 2)
        heap = world.summaries.summarized(heap, one, other)
        assert world.contains(heap, concrete)


@pytest.mark.parametrize("mode", MODES, ids=IDS)
@settings(max_examples=30, deadline=None)
@given(concrete=snapshots(), seed=st.randoms(use_true_random=False))
def test_taking_an_object_out_keeps_the_heap(mode: Instrumentation, concrete: Snapshot, seed: Random) -> None:
    """Observation 1: some case of materialisation has the heap, whatever was summarised before."""
    world = World(mode)
    heap = world.exact(concrete)
    for _ in range(len(heap.nodes) - 1):
        one, other = seed.sample(sorted(heap.nodes), 2)
        heap = world.summaries.summarized(heap, one, other)
        summary = seed.choice([name for name, found in sorted(heap.nodes.items()) if found.summary])
        cases = world.summaries.materialized(heap, summary, Name("d"))
        assert any(world.contains(case, concrete) for case in cases)
        if mode.out:
            cells = {cell for case in cases for name in case.nodes for cell in case.sources(name)}
            reduced = [world.reduction.consistent_pointers(case, sorted(cells)) for case in cases]
            assert any(world.contains(case, concrete) for case in reduced)
            supported = [world.reduction.supported(case) for case in reduced]
            assert any(world.contains(case, concrete) for case in supported)


@settings(max_examples=30, deadline=None)
@given(concrete=snapshots())
def test_naming_nodes_keeps_the_heap(concrete: Snapshot) -> None:
    world = World()
    widening = Widening(world.lattice, world.summaries)
    named = widening.named(world.exact(concrete))
    assert world.contains(named, concrete)
    assert set(widening.named(named).nodes) == set(named.nodes)


@settings(max_examples=30, deadline=None)
@given(one=snapshots(3), other=snapshots(3))
def test_joins_are_above(one: Snapshot, other: Snapshot) -> None:
    world = World()
    widening = Widening(world.lattice, world.summaries)
    left, right = (widening.named(world.exact(found)) for found in (one, other))
    joined = world.lattice.join(left, right)
    assert world.lattice.leq(left, joined)
    assert world.lattice.leq(right, joined)
    assert world.contains(joined, one)
    assert world.contains(joined, other)


def test_order_of_taking_objects_out_does_not_matter() -> None:
    """Observation 2, for two summaries."""
    world = World(Instrumentation(out=False, into=False))
    heap = world.exact(chain(4))
    heap = world.summaries.summarized(heap, node(1), node(3))
    heap = world.summaries.summarized(heap, node(2), node(4))
    more = 2  # the case of three objects and more
    first = world.summaries.materialized(heap, node(1), Name("d"))[more]
    one = world.summaries.materialized(first, node(2), Name("e"))[more]
    second = world.summaries.materialized(heap, node(2), Name("e"))[more]
    other = world.summaries.materialized(second, node(1), Name("d"))[more]
    assert one.flags == other.flags
    assert world.domain.leq(one.function, other.function)
    assert world.domain.leq(other.function, one.function)


def test_a_self_loop_is_no_ghost_edge() -> None:
    world = World()
    concrete = Snapshot(
        {"x": Address(1), "y": Address(0)},
        {},
        {
            1: HeapObject("node", Storage.HEAP, "live", {"left": Address(1), "right": Address(0)}),
            2: HeapObject("node", Storage.HEAP, "live", {"left": Address(2), "right": Address(0)}),
        },
    )
    heap, summary = folded(world, concrete, [1, 2])
    assert edge(Cell(summary, "left"), summary) in heap.flags
    assert heap.ghost_fields(summary) == []


def test_nodes_of_which_one_is_there_stay_plain() -> None:
    """x points to either of two nodes: as one node it is still a single object."""
    world = World()
    one, other = (world.lattice.renamed(world.exact(chain(1)), {node(1): node(n)}) for n in (1, 2))
    either = world.lattice.join(one, other)
    united = world.summaries.united(either, node(1), node(2))
    assert united is not None
    assert not united.nodes[node(1)].summary
    assert world.contains(united, chain(1))
    assert not world.contains(united, chain(2))
    assert world.summaries.united(world.exact(chain(2)), node(1), node(2)) is None


@settings(max_examples=30, deadline=None)
@given(concrete=snapshots())
def test_keeping_objects_apart_keeps_the_heap(concrete: Snapshot) -> None:
    world = World()
    widening = Widening(world.lattice, world.summaries, APART)
    named = widening.named(world.exact(concrete))
    assert world.contains(named, concrete)
    assert set(widening.named(named).nodes) == set(named.nodes)


@pytest.mark.parametrize("rule", LADDER)
@settings(max_examples=20, deadline=None)
@given(one=snapshots(3), other=snapshots(3))
def test_widening_is_above_both_heaps_and_comes_to_an_end(rule: Rule, one: Snapshot, other: Snapshot) -> None:
    world = World()
    widening = Widening(world.lattice, world.summaries, rule)
    first = widening.widened(None, world.exact(one))
    both = widening.widened(first, world.exact(other))
    assert world.contains(both, one)
    assert world.contains(both, other)
    assert world.lattice.leq(widening.widened(both, both), both)


@pytest.mark.parametrize(("rule", "nodes"), [(TYPES, 1), (LOOPS, 2)])
def test_what_is_partitioned(rule: Rule, nodes: int) -> None:
    """A chain of two from x and a lost node: by type they are one, by the variables that reach them two."""
    world = World()
    lost = HeapObject("node", Storage.HEAP, "live", {"left": Address(0), "right": Address(0)})
    concrete = chain(2)
    heap = world.exact(replace(concrete, objects={**concrete.objects, 3: lost}))
    found = Widening(world.lattice, world.summaries, rule).widened(None, heap)
    assert list(found.nodes) == [node(1), node(3)][:nodes]  # the oldest keep their names
