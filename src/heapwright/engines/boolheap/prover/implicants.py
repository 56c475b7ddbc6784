"""What follows from literals: implicants that were found before, the sample of heaps, and the prover last.

A question has what a command supposes, a goal, and the literals that are known. Literals are signed numbers of atoms;
an implicant is a set of them that suffices for the goal, and serves whoever knows as much. Implicants are the updates
of a Boolean heap program (Figure 2): `hwp#` of the goal as far as anybody asked for it.
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

ATTEMPTS = 4  # at a smaller implicant, each after a counterexample to the last


Search = Callable[[tuple[Heap, int] | None], Heap | None]  # from a heap and an object that may be near


class Entailment(Protocol):
    interrupted: bool  # whether the last query was cut short

    def entails(self, assumptions: Sequence[Formula], goal: Formula) -> tuple[int, ...] | None: ...

    def counterexample(self, assumptions: Sequence[Formula], goal: Formula, search: Search) -> Heap | None:
        """Asked where the last question was not entailed: a heap that shows it, searched for or remembered."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The atoms that hold and those that do not, as bit masks."""

    ones: int
    zeros: int

    def within(self, ones: int, zeros: int) -> bool:
        return not (self.ones & ~ones or self.zeros & ~zeros)


@dataclass
class Implicants:
    """Of one goal: cubes that entail it, and what was known when nothing could be shown."""

    found: list[Cube] = field(default_factory=list)
    failed: list[Cube] = field(default_factory=list)


@dataclass
class Query:
    """Questions that differ in what is known only. `supposed` is what a command supposes of the state before it."""

    supposed: Formula
    goal: Formula
    proving: Implicants = field(default_factory=Implicants)
    refuting: Implicants = field(default_factory=Implicants)
    simple: Query | None = None  # the same, nothing being supposed


class Deduction:
    """`atoms` are formulas; known literals are masks over their places. Those with high places are given up first.
    Where it does not ask (any more), it tells what implicants tell that were found before."""

    def __init__(
        self, atoms: Sequence[Formula], samples: Samples, prover: Entailment, *, uses_prover: bool = True
    ) -> None:
        self.uses_prover = uses_prover
        self.atoms = tuple(atoms)
        self.samples = samples
        self.prover = prover
        self.asked = 0
        self._spots: dict[tuple[int, int], int] = {}
        self._seen = -1
        self._questions: dict[tuple[Formula, Formula], Query] = {}

    def query(self, supposed: Formula, goal: Formula) -> Query:
        key = (supposed, goal)
        if key not in self._questions:
            simple = None if supposed == TRUE else self.query(TRUE, goal)
            self._questions[key] = Query(supposed, goal, simple=simple)
        return self._questions[key]

    @property
    def queries(self) -> tuple[Query, ...]:
        return tuple(self._questions.values())

    def _spot(self, ones: int, zeros: int) -> int:
        """The pairs of the sample that agree with what is known."""
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
        """What implicants tell that have been found already."""
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
        """Whether nothing agrees with what is known and with what is supposed."""
        query = self.query(supposed, FALSE)
        if self.entailed(query, ones, zeros):
            return True
        if not self.uses_prover or self._spot(ones, zeros) & self.samples.mask(supposed):
            return False
        return self._search(query.proving, supposed, FALSE, ones, zeros)

    def _search(self, implicants: Implicants, supposed: Formula, goal: Formula, ones: int, zeros: int) -> bool:
        """Looks for a new implicant within what is known. All of it is asked about first: a heap that shows that it
        does not suffice agrees with everything that is known here, and so answers other questions, too."""
        if any((ones | cube.ones, zeros | cube.zeros) == (cube.ones, cube.zeros) for cube in implicants.failed):
            return False
        places = [place for place in range(len(self.atoms) - 1, -1, -1) if (ones | zeros) >> place & 1]
        cube = self.confirm(places, supposed, goal, ones)
        if cube is None:
            implicants.failed.append(Cube(ones, zeros))
            return False
        implicants.found.append(self._smaller(cube, supposed, goal))
        return True

    def _smaller(self, cube: Cube, supposed: Formula, goal: Formula) -> Cube:
        """An implicant within another one: what no heap of the sample needs is given up as far as it can be."""
        for _ in range(ATTEMPTS):
            places = [place for place in range(len(self.atoms) - 1, -1, -1) if (cube.ones | cube.zeros) >> place & 1]
            bad = self.samples.mask(supposed) & ~self.samples.mask(goal)
            all_masks = [self._mask(1 << place) for place in places]
            masks = [mask if cube.ones >> place & 1 else ~mask for place, mask in zip(places, all_masks, strict=True)]
            few = [places[kept] for kept in shrink(masks, bad)]
            if len(few) == len(places):
                break
            size = len(self.samples)
            found = self.confirm(few, supposed, goal, cube.ones)
            if found is not None:
                return found
            if size == len(self.samples):  # nothing shows why
                break
        return cube

    def confirm(self, places: Sequence[int], supposed: Formula, goal: Formula, ones: int) -> Cube | None:
        """Asks the prover: the literals at these places that suffice. If they do not, a heap that shows it joins the
        sample, where one is found."""
        self.asked += 1
        literals = [self.atoms[place] if ones >> place & 1 else negation(self.atoms[place]) for place in places]
        assumptions = [supposed, *literals]
        core = self.prover.entails(assumptions, goal)
        if core is None:
            wanted = [*assumptions, negation(goal)]
            heap = self.prover.counterexample(assumptions, goal, lambda near: self.samples.search(wanted, near))
            if heap is not None:
                self.samples.add(heap)
            return None
        used = [places[place - 1] for place in core if place]
        positive = sum(1 << place for place in used if ones >> place & 1)
        return Cube(positive, sum(1 << place for place in used) & ~positive)
