"""The initial shape type of a component, from concrete heaps (Beyer, Henzinger, Théoduloz, Zufferey, FASE 2010): if
objects of random runs form chains of one type, reachability is tracked. A wrong guess costs time only.

    types = chained(program)       # {'node'}
"""

from __future__ import annotations

from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import Snapshot, snapshots

RUNS, STEPS = 4, 120
EVERY = 7  # steps between two inspected heaps
CHAIN = 3  # objects that make a chain


def chained_types(program: Program) -> frozenset[str]:
    """The types whose objects form a chain in some run."""
    found: set[str] = set()
    machine = Machine(program, Goal())
    for seed in range(RUNS):
        for step, (_, heap) in enumerate(snapshots(machine, RandomChoices(seed), max_steps=STEPS)):
            if step % EVERY == 0:
                found |= _chains(heap)
    return frozenset(found)


def _chains(heap: Snapshot) -> set[str]:
    found: set[str] = set()
    for start in heap.objects:
        number, seen = start, {start}
        while len(seen) < CHAIN:
            here = heap.objects[number]
            following = [
                address.object
                for address in here.pointers.values()
                if address.object in heap.objects and heap.objects[address.object].type == here.type
            ]
            fresh = [one for one in following if one not in seen]
            if not fresh:
                break
            number = fresh[0]
            seen.add(number)
        else:
            found.add(heap.objects[start].type)
    return found
