"""Heaps that runs of the program pass: whatever an analysis describes, a few of them look like it.

They join the sample, so that what does not follow is seen without a prover; nothing rests on them.
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.engines.boolheap.heaps import DEAD, LIVE, UNBORN, Heap
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.interpreter import Machine
from heapwright.program.snapshot import NULL_ADDRESS, UNDECIDED_ADDRESS, Address, Snapshot, snapshots
from heapwright.program.types import ValueKind

RUNS, STEPS = 40, 300
MOST = 400  # heaps
LARGEST = 7  # objects


def heaps_of_runs(program: Program) -> Iterator[Heap]:
    """Heaps of some runs, each once; the same ones every time."""
    seen: set[tuple[object, ...]] = set()
    for _, heap in heaps_at_locations(program):
        key = _key(heap)
        if key not in seen:
            seen.add(key)
            yield heap


def _key(heap: Heap) -> tuple[object, ...]:
    return heap.status, *sorted(heap.variables.items()), *sorted(heap.fields.items())


def heaps_at_locations(program: Program) -> Iterator[tuple[int, Heap]]:
    """Heaps of some runs with where they are, each once."""
    machine = Machine(program, Goal(kinds=frozenset(CheckKind) - {CheckKind.LEAK}))  # a leak would end a run
    seen: set[tuple[object, ...]] = set()
    heaps: set[tuple[object, ...]] = set()
    for seed in range(RUNS):
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
    """A heap of a run as formulas see it: fields of dead objects are junk, one object is still to be allocated.
    What an input holds that nobody has looked at may be anything, null for one."""
    numbers = {one: place for place, one in enumerate(snapshot.objects)}
    size = len(numbers) + 1

    def target(address: Address) -> int:
        return numbers.get(address.object, size if address in (NULL_ADDRESS, UNDECIDED_ADDRESS) else size + 1)

    fields: dict[str, list[int]] = {}
    for type in program.types.values():
        for one in type.fields:
            if one.kind is ValueKind.POINTER:
                fields[one.name] = [size + 1] * size
    for number, object in snapshot.objects.items():
        if object.status == "live" and object.start == UNDECIDED_ADDRESS:
            for one in program.types[object.type].fields:
                if one.kind is ValueKind.POINTER:
                    fields[one.name][numbers[number]] = size
        for name, address in object.pointers.items():
            fields[name][numbers[number]] = target(address)
    status = [LIVE if one.status == "live" else DEAD for one in snapshot.objects.values()]
    return Heap(
        size,
        (*status, UNBORN),
        {name: target(address) for name, address in snapshot.pointers.items()},
        {name: tuple(targets) for name, targets in fields.items()},
    )
