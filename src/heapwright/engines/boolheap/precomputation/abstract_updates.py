"""The updates of a Boolean heap program as a whole: `hwp#` of each predicate over each step, before any fixpoint.

An update is all implicants of a precondition that have at most `LITERALS` literals, of one object (Definition 5). The
sample proposes them: a set of literals that some pair satisfies of which the goal holds, and none of which it does not,
while each smaller set has one. They are found as hitting sets: as long as a pair is left that spoils a set, one of its
literals must be one that this pair does not satisfy. The prover confirms a proposal, or a heap that refutes it joins
the sample and the search is repeated.

What entails a predicate contradicts its negation: so it is known which vectors do not exist, without a question.

    for task in tasks(analysis):
        complete(task)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from heapwright.engines.boolheap.domain.predicate_columns import AtomTable
from heapwright.engines.boolheap.domain.vectors import bits
from heapwright.engines.boolheap.fixpoint import Analysis
from heapwright.engines.boolheap.logic.formulas import Formula, negation
from heapwright.engines.boolheap.prover.implicants import Cube, Deduction, Implicants, Query
from heapwright.logic.connectives import FALSE, TRUE

LITERALS = 3


@dataclass
class Task:
    """One question over some columns; `known` are the columns that are in use where it is asked."""

    columns: AtomTable
    deduction: Deduction
    query: Query
    known: set[int] = field(default_factory=set)

    @property
    def own(self) -> int:
        """The bit of the goal, if it is a predicate itself: that it follows from itself says nothing."""
        predicates, goal = self.columns.predicates, self.query.goal
        return 1 << predicates.index(goal) if goal in predicates else 0


def tasks(analysis: Analysis) -> tuple[list[Task], list[Task]]:
    """What is asked of all vectors alike, and what steps and checks ask, each once."""
    general: dict[tuple[int, Formula, Formula], Task] = {}
    special: dict[tuple[int, Formula, Formula], Task] = {}

    def add(to: dict[tuple[int, Formula, Formula], Task], columns: AtomTable, query: Query, known: int) -> None:
        if query.goal != FALSE:
            deduction = analysis.deductions.of(columns)
            key = (id(deduction), query.supposed, query.goal)
            to.setdefault(key, Task(columns, deduction, query)).known.add(known)

    base = analysis.columns
    for active in analysis.active:
        for query in analysis.sharpening.queries:
            add(general, base, query, active)
    for number, edge in enumerate(analysis.program.graph.edges):
        for obligation in edge.command.obligations:
            place = edge.target if obligation.after else edge.source
            for formula in (obligation.closed, obligation.everywhere):
                if formula not in (TRUE, FALSE):
                    query = analysis.deductions.of(base).query(TRUE, formula)
                    add(special, base, query, analysis.active[place])
        for step in analysis.steps(number):
            sharpens = step.sharpening.queries if step.splits or step.supposed != TRUE else []
            asked = [*sharpens, *(one.query for one in step.updates if one.query is not None)]
            for query in asked:
                if query.simple is not None and step.columns is not base and query in sharpens:
                    add(special, step.columns, query.simple, step.before)
                add(special, step.columns, query, step.before)
    return list(general.values()), [task for key, task in special.items() if key not in general]


def inherit_implicants(analysis: Analysis) -> None:
    """What follows from vectors as they are follows where a step has one more predicate."""
    base = analysis.columns
    own = (1 << base.width) - 1
    for columns, deduction in analysis.deductions.all():
        if columns.width == base.width + 1:
            for query in analysis.deductions.of(base).queries:
                if query.supposed == TRUE:
                    other = deduction.query(TRUE, query.goal)
                    for here, there in ((query.proving, other.proving), (query.refuting, other.refuting)):
                        there.found += [
                            cube
                            for cube in here.found
                            if not (cube.ones | cube.zeros) & ~own and cube not in there.found
                        ]


def complete(task: Task) -> None:
    """Finds all implicants of a question with few literals."""
    query = task.query
    known = {mask & ~task.own for mask in task.known}
    for value in (True, False):
        implicants, asked = _of(query, value), set[Cube]()
        while True:
            rows = _rows(task)
            good, bad = (rows.true, rows.false) if value else (rows.false, rows.true)
            simple = [] if query.simple is None else _of(query.simple, value).found
            new = [one for one in _candidates(rows, good, bad, (*implicants.found, *simple), known) if one not in asked]
            if not new:
                break
            asked.update(new)
            for cube in new:
                _confirm(task, cube, value)


def _of(query: Query, value: bool) -> Implicants:
    return query.proving if value else query.refuting


def _confirm(task: Task, cube: Cube, value: bool) -> None:
    """Whether a proposal is an implicant: known already, or asked."""
    deduction, query = task.deduction, task.query
    bit = task.own
    impossible = deduction.query(query.supposed, FALSE)
    found: Cube | None = cube
    if not bit or not deduction.entailed(impossible, *_with_negation(cube, bit, value)):
        places = [one.bit_length() - 1 for one in bits(cube.ones | cube.zeros)]
        goal = query.goal if value else negation(query.goal)
        found = deduction.confirm(places[::-1], query.supposed, goal, cube.ones)
        if bit and found is not None:
            impossible.proving.found.append(Cube(*_with_negation(found, bit, value)))
    if found is not None:
        _of(query, value).found.append(found)


def _with_negation(cube: Cube, bit: int, value: bool) -> tuple[int, int]:
    """The literals of a cube, and that the predicate of that bit has not the value that they entail."""
    return (cube.ones, cube.zeros | bit) if value else (cube.ones | bit, cube.zeros)


@dataclass(frozen=True)
class _Rows:
    """The different vectors in the sample where something is supposed: of each column the rows in which it holds, as a
    mask; the rows where the goal holds, and where it does not."""

    columns: tuple[int, ...]
    true: int
    false: int


def _rows(task: Task) -> _Rows:
    samples, query = task.deduction.samples, task.query
    formulas = (query.supposed, query.goal, *task.columns.predicates)
    values = [format(samples.mask(one), f"0{len(samples)}b") for one in formulas]
    different = [row for row in dict.fromkeys(zip(*values, strict=True)) if row[0] == "1"]
    if not different:
        return _Rows((0,) * task.columns.width, 0, 0)
    masks = [int("".join(column), 2) for column in zip(*different, strict=True)]
    return _Rows(tuple(masks[2:]), masks[1], masks[0] & ~masks[1])


def _candidates(rows: _Rows, good: int, bad: int, found: Sequence[Cube], known: Iterable[int]) -> Iterator[Cube]:
    """The smallest sets of literals that only good rows satisfy, and that contain none that was found."""
    largest = [mask for mask in known if not any(mask != other and not mask & ~other for other in known)]
    every = good | bad

    def rows_of(ones: int, zeros: int) -> int:
        left = every
        for bit in bits(ones):
            left &= rows.columns[bit.bit_length() - 1]
        for bit in bits(zeros):
            left &= ~rows.columns[bit.bit_length() - 1]
        return left

    def is_smallest(ones: int, zeros: int) -> bool:
        return all(rows_of(ones & ~bit, zeros & ~bit) & bad for bit in bits(ones | zeros))

    def search(ones: int, zeros: int, left: int, banned: tuple[int, int], more: int) -> Iterator[Cube]:
        if any(cube.within(ones, zeros) for cube in found):
            return
        spoiling = left & bad
        if not spoiling:
            if is_smallest(ones, zeros):
                yield Cube(ones, zeros)
            return
        if not more:
            return
        row = spoiling & -spoiling
        for place, mask in enumerate(rows.columns):
            bit, holds = 1 << place, bool(mask & row)
            said = ones | zeros | bit
            if said == ones | zeros or banned[holds] & bit or all(said & ~one for one in largest):
                continue
            fewer = left & ~mask if holds else left & mask
            if fewer & good:
                yield from search(
                    ones if holds else ones | bit, zeros | bit if holds else zeros, fewer, banned, more - 1
                )
            banned = (banned[0], banned[1] | bit) if holds else (banned[0] | bit, banned[1])

    if good:
        yield from search(0, 0, every, (0, 0), LITERALS)
