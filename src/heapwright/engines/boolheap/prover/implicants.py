"""Entailment by cached implicants, then by sampled counterexamples, then by the prover.

A query has the assumption of a command, a goal, and a cube of literals. An implicant is a cube that entails the goal
under the assumption, and answers every query whose cube contains it. Implicants are the updates of a Boolean heap
program (Figure 2): `hwp#` of the goal, as far as it was queried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from heapwright.engines.boolheap.concrete.formula_samples import Samples, shrink
from heapwright.engines.boolheap.concrete.small_heaps import Heap
from heapwright.engines.boolheap.domain.vectors import bits
from heapwright.engines.boolheap.logic.formulas import Formula, negation
from heapwright.logic.connectives import FALSE, TRUE

ATTEMPTS = 4  # to shrink an implicant, each after a counterexample to the last


Search = Callable[[tuple[Heap, int] | None], Heap | None]  # from a candidate heap and object


class Entailment(Protocol):
    interrupted: bool  # whether the last query was cut short

    def entails(self, assumptions: Sequence[Formula], goal: Formula) -> tuple[int, ...] | None: ...

    def counterexample(self, assumptions: Sequence[Formula], goal: Formula, search: Search) -> Heap | None:
        """A countermodel of the last query, which was not entailed: from the search or from a cache."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The atoms that hold and those that do not, as bit masks."""

    ones: int
    zeros: int

    def within(self, ones: int, zeros: int) -> bool:
        return not (self.ones & ~ones or self.zeros & ~zeros)


@dataclass
class Implicants:
    """Cubes that entail a goal, and cubes for which the prover failed."""

    found: list[Cube] = field(default_factory=list)
    failed: list[Cube] = field(default_factory=list)


@dataclass
class Query:
    """Entailment queries that differ in their cubes only. `supposed` is the assumption of a command."""

    supposed: Formula
    goal: Formula
    proving: Implicants = field(default_factory=Implicants)
    refuting: Implicants = field(default_factory=Implicants)
    simple: Query | None = None  # the same without an assumption


class Deduction:
    """Entailment over a list of atoms; cubes are masks over their indices, and implicants drop atoms with high indices
    first. Without `uses_prover`, known implicants alone answer queries."""

    def __init__(
        self, atoms: Sequence[Formula], samples: Samples, prover: Entailment, *, uses_prover: bool = True
    ) -> None:
        self.uses_prover = uses_prover
        self.atoms = tuple(atoms)
        self.samples = samples
        self.prover = prover
        self._spots: dict[tuple[int, int], int] = {}
        self._seen = -1
        self._queries: dict[tuple[Formula, Formula], Query] = {}

    def query(self, supposed: Formula, goal: Formula) -> Query:
        key = (supposed, goal)
        if key not in self._queries:
            simple = None if supposed == TRUE else self.query(TRUE, goal)
            self._queries[key] = Query(supposed, goal, simple=simple)
        return self._queries[key]

    @property
    def queries(self) -> tuple[Query, ...]:
        return tuple(self._queries.values())

    def _spot(self, ones: int, zeros: int) -> int:
        """The pairs of the sample that satisfy the cube."""
        self._refresh()
        key = (ones, zeros)
        found = self._spots.get(key)
        if found is None:
            found = self.samples.everything
            for bit in bits(ones):
                found &= self._mask(bit)
            for bit in bits(zeros):
                found &= ~self._mask(bit)
            self._spots[key] = found
        return found

    def _refresh(self) -> None:
        if self._seen != len(self.samples):
            self._seen = len(self.samples)
            self._spots.clear()

    def _mask(self, bit: int) -> int:
        return self.samples.mask(self.atoms[bit.bit_length() - 1])

    def entailed(self, query: Query, ones: int, zeros: int) -> bool | None:
        """The value of the goal by known implicants; None if they do not decide it."""
        for one in (query, query.simple):
            if one is not None:
                if any(cube.within(ones, zeros) for cube in one.proving.found):
                    return True
                if any(cube.within(ones, zeros) for cube in one.refuting.found):
                    return False
        return None

    def value(self, query: Query, ones: int, zeros: int) -> bool | None:
        """Whether the goal is entailed, or its negation; None if neither is."""
        entailed = self.entailed(query, ones, zeros)
        if entailed is not None or not self.uses_prover:
            return entailed
        here = self._spot(ones, zeros) & self.samples.mask(query.supposed)
        goal = self.samples.mask(query.goal)
        if not here & ~goal and self._search(query.proving, query.supposed, query.goal, ones, zeros):
            return True
        negated = negation(query.goal)
        if not here & goal and self._search(query.refuting, query.supposed, negated, ones, zeros):
            return False
        return None

    def impossible(self, supposed: Formula, ones: int, zeros: int) -> bool:
        """Whether the cube and the assumption are inconsistent."""
        query = self.query(supposed, FALSE)
        if self.entailed(query, ones, zeros):
            return True
        if not self.uses_prover or self._spot(ones, zeros) & self.samples.mask(supposed):
            return False
        return self._search(query.proving, supposed, FALSE, ones, zeros)

    def _search(self, implicants: Implicants, supposed: Formula, goal: Formula, ones: int, zeros: int) -> bool:
        """Searches a new implicant within the cube. The whole cube is queried first: a countermodel satisfies all of it
        and answers other queries, too."""
        if any((ones | cube.ones, zeros | cube.zeros) == (cube.ones, cube.zeros) for cube in implicants.failed):
            return False
        indices = [index for index in range(len(self.atoms) - 1, -1, -1) if (ones | zeros) >> index & 1]
        cube = self.confirm(indices, supposed, goal, ones)
        if cube is None:
            implicants.failed.append(Cube(ones, zeros))
            return False
        implicants.found.append(self._smaller(cube, supposed, goal))
        return True

    def _smaller(self, cube: Cube, supposed: Formula, goal: Formula) -> Cube:
        """A smaller implicant: literals that no heap of the sample needs are dropped if the prover agrees."""
        for _ in range(ATTEMPTS):
            indices = [index for index in range(len(self.atoms) - 1, -1, -1) if (cube.ones | cube.zeros) >> index & 1]
            bad = self.samples.mask(supposed) & ~self.samples.mask(goal)
            all_masks = [self._mask(1 << index) for index in indices]
            masks = [mask if cube.ones >> index & 1 else ~mask for index, mask in zip(indices, all_masks, strict=True)]
            few = [indices[kept] for kept in shrink(masks, bad)]
            if len(few) == len(indices):
                break
            size = len(self.samples)
            found = self.confirm(few, supposed, goal, cube.ones)
            if found is not None:
                return found
            if size == len(self.samples):  # no countermodel was found
                break
        return cube

    def confirm(self, indices: Sequence[int], supposed: Formula, goal: Formula, ones: int) -> Cube | None:
        """Queries the prover for the literals at these indices: those in the unsat core. If they do not entail the
        goal, a countermodel joins the sample if one is found."""
        literals = [self.atoms[index] if ones >> index & 1 else negation(self.atoms[index]) for index in indices]
        assumptions = [supposed, *literals]
        core = self.prover.entails(assumptions, goal)
        if core is None:
            wanted = [*assumptions, negation(goal)]
            heap = self.prover.counterexample(assumptions, goal, lambda near: self.samples.search(wanted, near))
            if heap is not None:
                self.samples.add(heap)
            return None
        used = [indices[index - 1] for index in core if index]
        positive = sum(1 << index for index in used if ones >> index & 1)
        return Cube(positive, sum(1 << index for index in used) & ~positive)
