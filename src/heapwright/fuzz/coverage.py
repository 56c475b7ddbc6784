"""Coverage of situations, which guides the fuzzer.

A situation is a kind of command and what its pointers are when it runs: null, junk, freed, or a live object that is
shared, on a cycle, or neither; and whether two of them are the same. A program is worth keeping if its runs have a
situation that no program before had.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass

from heapwright.program.commands import Command
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Address, Snapshot


def situations(program: Program, heaps: Iterable[tuple[int, Snapshot]]) -> frozenset[str]:
    """The commands that leave the locations at which heaps were seen."""
    found: set[str] = set()
    for location, heap in heaps:
        shape = _Shape(heap)
        for edge in program.graph.successors[location]:
            found.add(_situation(edge.command, heap.pointers, shape))
    return frozenset(found)


def _situation(command: Command, pointers: Mapping[str, Address], shape: _Shape) -> str:
    name = type(command).__name__
    named = [value for value in _values(command) if value in pointers]
    states = [shape.state(pointers[variable]) for variable in named]
    same = len({pointers[variable] for variable in named}) < len(named)
    return f"{name}: {' '.join(states)}{' same' if same else ''}"


def _values(command: Command) -> list[str]:
    """The texts in a command, also in its literal: names of variables are among them."""
    found: list[str] = []
    waiting: list[object] = [command]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.append(value)
        elif is_dataclass(value):
            waiting += [getattr(value, one.name) for one in reversed(fields(value))]
    return found


class _Shape:
    """The pointers to the objects of a heap, computed once."""

    def __init__(self, heap: Snapshot) -> None:
        self.heap = heap
        self.arrows = {
            number: [a.object for a in one.pointers.values() if a.object > 0] for number, one in heap.objects.items()
        }
        counts = Counter(target for targets in self.arrows.values() for target in targets)
        self.shared = {number for number, count in counts.items() if count > 1}

    def state(self, address: Address) -> str:
        if address.object <= 0:
            return {0: "null", -1: "junk"}.get(address.object, "undecided")
        one = self.heap.objects.get(address.object)
        if one is None or one.status != "live":
            return "dead"
        circular = self._reaches_itself(address.object)
        shared = address.object in self.shared
        links = sum(target > 0 for target in self.arrows[address.object])
        return f"live{'+shared' * shared}{'+circular' * circular}+{min(links, 2)}"

    def _reaches_itself(self, number: int) -> bool:
        seen: set[int] = set()
        waiting = list(self.arrows.get(number, ()))
        while waiting:
            one = waiting.pop()
            if one == number:
                return True
            if one not in seen:
                seen.add(one)
                waiting += self.arrows.get(one, ())
        return False
