"""The shape type that a component begins with, guessed from concrete heaps (as Beyer, Henzinger, Théoduloz and Zufferey
do, FASE 2010): a few random runs show whether its objects form chains of their own type, for which reachability will be
needed sooner or later. A wrong guess costs time, nothing else.

    types = chained(program)       # {'node'}
"""

from __future__ import annotations

from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import Snapshot, snapshots

RUNS, STEPS = 4, 120
EVERY = 7  # so many steps from one look to the next
CHAIN = 3  # objects that make a chain


def chained_types(program: Program) -> frozenset[str]:
    """The types of objects of which three in a row were seen."""
    found: set[str] = set()
    machine = Machine(program, Goal(frozenset(CheckKind) - {CheckKind.LEAK}))
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
