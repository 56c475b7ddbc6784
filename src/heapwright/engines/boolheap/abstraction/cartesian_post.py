"""The Cartesian post of a step on Boolean heaps (Definition 5, Theorem 2), with case splits before and after it.

Before a field load or an allocation, the heap is split by the vector of the object loaded or allocated: the weakest
precondition of `x = v` is a temporary predicate. Each vector is then updated separately: a predicate becomes true if
its weakest precondition is entailed, false if that of its negation is, and unknown otherwise. Vectors inconsistent with
the assumption of the step are dropped. After the step, heaps are split until each variable has one vector, and vectors
are sharpened (focus and coerce of 3-valued logic).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from heapwright.engines.boolheap.concrete.formula_samples import Samples
from heapwright.engines.boolheap.domain.predicate_columns import AtomTable
from heapwright.engines.boolheap.domain.vectors import BooleanHeap, Vector, bits
from heapwright.engines.boolheap.logic.formulas import (
    CHOSEN,
    FRESH,
    Field,
    Formula,
    Term,
    V,
    atoms,
    eq,
    is_closed,
    negation,
)
from heapwright.engines.boolheap.logic.heap_commands import Create, HeapCommand, Point
from heapwright.engines.boolheap.logic.weakest_preconditions import hwp
from heapwright.engines.boolheap.prover.implicants import Deduction, Entailment, Query
from heapwright.logic.connectives import TRUE, Truth

MOST_OPEN = 3  # vectors of variables by which a heap is split at a time


@dataclass(frozen=True)
class Update:
    """The update of one predicate: a constant, the value of an atom, or the answer to a query."""

    column: int
    constant: bool | None = None
    atom: int | None = None
    negated: bool = False
    query: Query | None = None


class Deductions:
    """One deduction per atom table, so that steps share implicants."""

    def __init__(self, samples: Samples, prover: Entailment, *, uses_prover: bool = True) -> None:
        self.samples = samples
        self.prover = prover
        self.uses_prover = uses_prover
        self._by_columns: dict[tuple[Formula, ...], tuple[AtomTable, Deduction]] = {}

    def of(self, columns: AtomTable) -> Deduction:
        if columns.atoms not in self._by_columns:
            made = Deduction(columns.atoms, self.samples, self.prover, uses_prover=self.uses_prover)
            self._by_columns[columns.atoms] = (columns, made)
        return self._by_columns[columns.atoms][1]

    def stop_queries(self) -> None:
        """Answer later queries from known implicants alone."""
        self.uses_prover = False
        for _, deduction in self.all():
            deduction.uses_prover = False

    def all(self) -> Iterable[tuple[AtomTable, Deduction]]:
        return self._by_columns.values()


class Sharpening:
    """Sharpening (coerce): makes entailed predicates of vectors definite, and drops inconsistent vectors."""

    def __init__(self, columns: AtomTable, deduction: Deduction, supposed: Formula = TRUE) -> None:
        self.columns = columns
        self.deduction = deduction
        self.supposed = supposed
        self.queries = [self.deduction.query(supposed, one) for one in columns.predicates]
        self._known: dict[tuple[BooleanHeap, int], BooleanHeap | None] = {}

    def literals(self, around: Vector, vector: Vector) -> Vector:
        return Vector(vector.ones | around.ones, vector.zeros | around.zeros).only(self.columns.distinct)

    def sharpen(self, heap: BooleanHeap, active: int) -> BooleanHeap | None:
        """The sharpened heap; None if its concretisation is empty."""
        key = (heap, active)
        if key not in self._known:
            self._known[key] = self._stable(heap, active)
        return self._known[key]

    def _stable(self, heap: BooleanHeap, active: int) -> BooleanHeap | None:
        while True:
            if not self._has_points(heap, active):
                return None
            around = self.columns.at_points(heap)
            after = []
            for vector in sorted(heap):
                better = self._sharpen_vector(around, vector, active)
                if better is not None:
                    after.append(better)
            result = heap.of(after)
            if result == heap:
                return heap
            heap = result

    def _has_points(self, heap: BooleanHeap, active: int) -> bool:
        wanted = self.columns.unique & active
        return all(any(one.ones & bit for one in heap) for bit in bits(wanted))

    def _sharpen_vector(self, around: Vector, vector: Vector, active: int) -> Vector | None:
        known = self.literals(around, vector)
        if self.deduction.impossible(self.supposed, *known):
            return None
        for index, query in enumerate(self.queries):
            bit = 1 << index
            if active & bit and not (vector.ones | vector.zeros) & bit:
                value = self.deduction.value(query, *known)
                if value is not None:
                    vector = vector.having(bit, value)
                    known = self.literals(around, vector)
        return vector


class Step:
    """One command sequence between two locations; `before` and `after` are the predicates active there. Without
    `splitting`, field loads do not split heaps. `splits` are further temporary predicates: vectors, and for closed ones
    heaps, are split by them, and by the atoms of an assumption about all objects."""

    def __init__(
        self,
        commands: Sequence[HeapCommand],
        columns: AtomTable,
        before: int,
        after: int,
        deductions: Deductions,
        splitting: bool = True,
        splits: Sequence[Formula] = (),
    ) -> None:
        self.commands = tuple(commands)
        self.plain = columns
        self.before, self.after = before, after
        term = found_term(commands)
        predicate = None if term is None else eq(term, V)
        wanted = splitting or not isinstance(term, Field)
        self.splits = False
        if wanted and term is not None and predicate is not None:
            if predicate not in columns.predicates:
                columns = columns.extended(term, predicate)
            bit = 1 << columns.predicates.index(predicate)
            self.splits = not before & bit
            self.before |= bit
        self.supposed = hwp(commands, TRUE).supposed
        columns = self._with_temporaries(columns, splits)
        self.columns = columns
        self.deduction = deductions.of(columns)
        self.sharpening = Sharpening(columns, self.deduction, self.supposed)
        self.updates = tuple(self._update(index) for index in range(self.plain.width) if after >> index & 1)
        self._seen: dict[BooleanHeap, tuple[BooleanHeap, ...]] = {}

    def _with_temporaries(self, columns: AtomTable, splits: Sequence[Formula]) -> AtomTable:
        """The table with temporary predicates, which become active before the step."""
        more = tuple(one for one in dict.fromkeys(splits) if one not in columns.predicates)
        columns = columns.with_temporaries(more)
        places = {one: 1 << index for index, one in enumerate(columns.predicates)}
        self.before |= sum(places[one] for one in more)
        chosen = sum(places[one] for one in dict.fromkeys(splits)) & self.before & ~columns.unique
        supposed = () if is_closed(self.supposed) else dict.fromkeys(atoms(self.supposed))
        self.closed = chosen & columns.closed
        self.at_points = chosen & ~columns.closed
        self.open = self.at_points | sum(places.get(one, 0) for one in supposed) & self.before & ~columns.unique
        self.open &= ~columns.closed
        return columns

    def _update(self, column: int) -> Update:
        goal = hwp(self.commands, self.plain.predicates[column]).formula
        if isinstance(goal, Truth):
            return Update(column, constant=goal.value)
        known = self.columns.atoms
        query = self.deduction.query(self.supposed, goal)
        for negated, wanted in ((False, goal), (True, negation(goal))):
            if wanted in known:
                return Update(column, atom=known.index(wanted), negated=negated, query=query)
        return Update(column, query=query)

    def post(self, heap: BooleanHeap) -> tuple[BooleanHeap, ...]:
        """The successors of all cases of a heap; not yet split and sharpened for the target location."""
        if heap not in self._seen:
            found = (self._transform(one) for one in self._split(heap))
            self._seen[heap] = tuple(dict.fromkeys(one for one in found if one))
        return self._seen[heap]

    def _split(self, heap: BooleanHeap) -> Iterator[BooleanHeap]:
        if not self.splits and self.supposed == TRUE and not self.closed | self.open:
            yield heap
            return
        unique = self.columns.unique & self.before if self.splits else 0
        for part in heap.split(unique, self.closed) if unique | self.closed else (heap,):
            for whole in self._by_points(part):
                sharper = self.sharpening.sharpen(whole, self.before)
                if sharper is not None and self.open:
                    sharper = self.sharpening.sharpen(sharper.of(self._halves(sharper)), self.before)
                if sharper is not None:
                    yield sharper

    def _by_points(self, heap: BooleanHeap) -> Iterable[BooleanHeap]:
        """The heap, split by what the vectors of variables leave open of the temporary predicates."""
        heaps = [heap]
        for bit in bits(self.at_points):
            found: list[BooleanHeap] = []
            for one in heaps:
                open = [v for v in sorted(one) if v.ones & self.columns.unique and not (v.ones | v.zeros) & bit]
                if len(open) > MOST_OPEN:
                    found.append(one)
                    continue
                rest = [v for v in one if v not in open]
                for halves in itertools.product(*(_halved(v, bit) for v in open)):
                    found.append(one.of((*rest, *halves)))
            heaps = found
        return heaps

    def _halves(self, heap: BooleanHeap) -> Iterator[Vector]:
        """The vectors, split by the predicates that they leave open. A vector of one object alone is not: it would be
        two objects."""
        for vector in heap:
            parts = [vector]
            if not vector.ones & self.columns.unique:
                for bit in bits(self.open):
                    parts = [half for one in parts for half in _halved(one, bit)]
            yield from parts

    def _transform(self, heap: BooleanHeap) -> BooleanHeap:
        around = self.columns.at_points(heap)
        return heap.of(self._update_vector(self.sharpening.literals(around, one), around, one) for one in sorted(heap))

    def _update_vector(self, known: Vector, around: Vector, vector: Vector) -> Vector:
        everything = Vector(vector.ones | around.ones, vector.zeros | around.zeros)
        after = Vector(0, 0)
        for update in self.updates:
            value = update.constant
            if update.atom is not None:
                bit = 1 << update.atom
                value = True if everything.ones & bit else False if everything.zeros & bit else None
                value = value if value is None or not update.negated else not value
            if value is None and update.query is not None:
                value = self.deduction.value(update.query, *known)
            if value is not None:
                after = after.having(1 << update.column, value)
        return after


def _halved(vector: Vector, bit: int) -> tuple[Vector, ...]:
    if (vector.ones | vector.zeros) & bit:
        return (vector,)
    return vector.having(bit, True), vector.having(bit, False)


def found_term(commands: Sequence[HeapCommand]) -> Term | None:
    """The object that a step loads, allocates or receives as an input; None if there is none."""
    for command in commands:
        if isinstance(command, Create):
            return FRESH
        if isinstance(command, Point) and (isinstance(command.value, Field) or command.value == CHOSEN):
            return command.value
    return None
