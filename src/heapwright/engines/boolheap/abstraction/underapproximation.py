"""`hwp#`: the best formula over given predicates that entails a weakest precondition (section 7 of the paper).

A formula over predicates is a set of vectors: here all that entail the precondition. It is computed vector by vector,
and implicants are reused.

>>> from heapwright.engines.boolheap.logic.parser import parse
>>> predicates = [parse(one) for one in ("x = v", "y = z", "v.next = z")]
>>> str(of_command(predicates, (Link(name("x"), "next", name("y")),), predicates[2]).true)
'x != v & z = v.next | x = v & y = z'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.engines.boolheap.concrete.formula_samples import Samples
from heapwright.engines.boolheap.concrete.small_heaps import sample, signature_of
from heapwright.engines.boolheap.domain.vectors import Vector
from heapwright.engines.boolheap.logic.formulas import Formula, conj, name, negation
from heapwright.engines.boolheap.logic.heap_commands import HeapCommand, Link
from heapwright.engines.boolheap.logic.printing import text
from heapwright.engines.boolheap.logic.weakest_preconditions import hwp
from heapwright.engines.boolheap.prover.implicants import Cube, Deduction

HEAPS = 300
__all__ = ["Link", "UnderApproximation", "Update", "name", "of_command"]


@dataclass(frozen=True, slots=True)
class UnderApproximation:
    """A disjunction of cubes over predicates."""

    predicates: tuple[Formula, ...]
    cubes: tuple[Cube, ...]

    def holds(self, ones: int) -> bool:
        """Its value on the vector in which exactly these predicates are true."""
        zeros = (1 << len(self.predicates)) - 1 & ~ones
        return any(cube.within(ones, zeros) for cube in self.cubes)

    def __str__(self) -> str:
        return " | ".join(sorted(map(self._cube, self.cubes))) or "false"

    def _cube(self, cube: Cube) -> str:
        literals = [
            one if cube.ones >> index & 1 else negation(one)
            for index, one in enumerate(self.predicates)
            if (cube.ones | cube.zeros) >> index & 1
        ]
        return text(conj(*literals))


@dataclass(frozen=True, slots=True)
class Update:
    """When a predicate becomes true, and when false; unknown otherwise. `vectors` are those that some heap
    has."""

    true: UnderApproximation
    false: UnderApproximation
    vectors: tuple[int, ...]


def of_command(predicates: Sequence[Formula], commands: Sequence[HeapCommand], goal: Formula) -> Update:
    """The update of a predicate in the Boolean heap program of a command, as in Figure 2."""
    from heapwright.engines.boolheap.prover.entailment import Prover

    precondition = hwp(commands, goal)
    signature = signature_of([*predicates, precondition.formula, precondition.supposed])
    samples = Samples(sample(signature, HEAPS), signature)
    deduction = Deduction(predicates, samples, Prover())
    query = deduction.query(precondition.supposed, precondition.formula)
    vectors = []
    for vector in _full(len(predicates)):
        if not deduction.impossible(precondition.supposed, *vector):
            vectors.append(vector.ones)
            deduction.value(query, *vector)
    given = tuple(predicates)
    return Update(
        UnderApproximation(given, _shortest(query.proving.found)),
        UnderApproximation(given, _shortest(query.refuting.found)),
        tuple(vectors),
    )


def _full(width: int) -> list[Vector]:
    everything = (1 << width) - 1
    return [Vector(ones, everything & ~ones) for ones in range(everything + 1)]


def _shortest(cubes: Sequence[Cube]) -> tuple[Cube, ...]:
    """Without cubes that contain another one."""
    kept = list(dict.fromkeys(cubes))
    return tuple(one for one in kept if not any(one != other and other.within(one.ones, one.zeros) for other in kept))
