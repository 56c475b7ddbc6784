"""Heaps of random runs of the program, added to the sample.

They refute entailments without the prover. Soundness does not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from heapwright.engines.boolheap.concrete.interpreter_heaps import ABSENT, UNKNOWN, indexed_heap
from heapwright.engines.boolheap.concrete.small_heaps import DEAD, LIVE, UNBORN, Heap
from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import Snapshot, snapshots

RUNS, STEPS = 40, 300
MOST = 400  # maximum number of heaps
LARGEST = 7  # maximum number of objects


def heaps_of_runs(program: Program, expired: Callable[[], bool]) -> Iterator[Heap]:
    """Distinct heaps of random runs; deterministic while time is left."""
    seen: set[tuple[object, ...]] = set()
    for _, heap in heaps_at_locations(program, expired):
        key = _key(heap)
        if key not in seen:
            seen.add(key)
            yield heap


def _key(heap: Heap) -> tuple[object, ...]:
    return heap.status, *sorted(heap.variables.items()), *sorted(heap.fields.items())


def heaps_at_locations(program: Program, expired: Callable[[], bool] = lambda: False) -> Iterator[tuple[int, Heap]]:
    """Distinct pairs of a location and a heap of random runs."""
    machine = Machine(program, Goal())
    seen: set[tuple[object, ...]] = set()
    heaps: set[tuple[object, ...]] = set()
    for seed in range(RUNS):
        if expired():
            return
        for location, snapshot in snapshots(machine, RandomChoices(seed), max_steps=STEPS):
            if len(snapshot.objects) >= LARGEST:
                break
            heap = concrete_heap(program, snapshot)
            key = _key(heap)
            if (location, *key) not in seen:
                seen.add((location, *key))
                heaps.add(key)
                yield location, heap
            if len(heaps) >= MOST:
                return


def concrete_heap(program: Program, snapshot: Snapshot) -> Heap:
    """A snapshot as a heap on which formulas are evaluated: unknown pointers are null, absent fields are junk."""
    indexed = indexed_heap(program, snapshot)
    null, junk = indexed.size, indexed.size + 1
    meant = {UNKNOWN: null, ABSENT: junk}
    return Heap(
        indexed.size,
        (*(LIVE if one.status == "live" else DEAD for one in snapshot.objects.values()), UNBORN),
        {name: meant.get(target, target) for name, target in indexed.variables.items()},
        {name: tuple(meant.get(target, target) for target in targets) for name, targets in indexed.fields.items()},
    )
