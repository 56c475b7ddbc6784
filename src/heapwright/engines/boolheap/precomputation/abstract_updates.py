"""The updates of a Boolean heap program as a whole: `hwp#` of each predicate over each step, before any fixpoint.

An update is the set of all prime implicants of a precondition with at most `LITERALS` literals, at one object
(Definition 5). Candidates come from the sample: minimal sets of literals that are satisfied by a pair that satisfies
the goal and by no pair that does not. They are computed as hitting sets: while a pair refutes a set, a literal that is
false of the pair is added. The prover confirms a candidate, or a countermodel joins the sample and the search is
repeated.

An implicant of a predicate contradicts its negation, which excludes vectors without further queries.

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
    """One query over an atom table; `known` are the sets of predicates active where it is made."""

    columns: AtomTable
    deduction: Deduction
    query: Query
    known: set[int] = field(default_factory=set)

    @property
    def own(self) -> int:
        """The bit of the goal if it is a predicate, whose trivial implicant is excluded."""
        predicates, goal = self.columns.predicates, self.query.goal
        return 1 << predicates.index(goal) if goal in predicates else 0


def tasks(analysis: Analysis) -> tuple[list[Task], list[Task]]:
    """The queries of sharpening, and those of steps and checks, each once."""
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
            location = edge.target if obligation.after else edge.source
            for formula in (obligation.closed, obligation.everywhere):
                if formula not in (TRUE, FALSE):
                    query = analysis.deductions.of(base).query(TRUE, formula)
                    add(special, base, query, analysis.active[location])
        for step in analysis.steps(number):
            sharpens = step.sharpening.queries if step.splits or step.supposed != TRUE else []
            queries = [*sharpens, *(one.query for one in step.updates if one.query is not None)]
            for query in queries:
                if query.simple is not None and step.columns is not base and query in sharpens:
                    add(special, step.columns, query.simple, step.before)
                add(special, step.columns, query, step.before)
    return list(general.values()), [task for key, task in special.items() if key not in general]


def inherit_implicants(analysis: Analysis) -> None:
    """Copies implicants over the base table to the tables of steps with one more predicate."""
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
    """Computes all implicants of a query with at most `LITERALS` literals."""
    query = task.query
    known = {mask & ~task.own for mask in task.known}
    for value in (True, False):
        implicants, tried = _of(query, value), set[Cube]()
        while True:
            rows = _rows(task)
            good, bad = (rows.true, rows.false) if value else (rows.false, rows.true)
            simple = [] if query.simple is None else _of(query.simple, value).found
            new = [one for one in _candidates(rows, good, bad, (*implicants.found, *simple), known) if one not in tried]
            if not new:
                break
            tried.update(new)
            for cube in new:
                _confirm(task, cube, value)


def _of(query: Query, value: bool) -> Implicants:
    return query.proving if value else query.refuting


def _confirm(task: Task, cube: Cube, value: bool) -> None:
    """Adds a candidate if it is an implicant, by known implicants or by the prover."""
    deduction, query = task.deduction, task.query
    bit = task.own
    impossible = deduction.query(query.supposed, FALSE)
    found: Cube | None = cube
    if not bit or not deduction.entailed(impossible, *_with_negation(cube, bit, value)):
        indices = [one.bit_length() - 1 for one in bits(cube.ones | cube.zeros)]
        goal = query.goal if value else negation(query.goal)
        found = deduction.confirm(indices[::-1], query.supposed, goal, cube.ones)
        if bit and found is not None:
            impossible.proving.found.append(Cube(*_with_negation(found, bit, value)))
    if found is not None:
        _of(query, value).found.append(found)


def _with_negation(cube: Cube, bit: int, value: bool) -> tuple[int, int]:
    """The cube with the negation of the entailed value of a predicate."""
    return (cube.ones, cube.zeros | bit) if value else (cube.ones | bit, cube.zeros)


@dataclass(frozen=True)
class _Rows:
    """The distinct vectors of the sample that satisfy the assumption: for each predicate the rows that satisfy it, as a
    mask; the rows that satisfy the goal, and the others."""

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
    """The minimal cubes that only good rows satisfy, and that are not covered by known implicants."""
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
        for index, mask in enumerate(rows.columns):
            bit, holds = 1 << index, bool(mask & row)
            decided = ones | zeros | bit
            if decided == ones | zeros or banned[holds] & bit or all(decided & ~one for one in largest):
                continue
            fewer = left & ~mask if holds else left & mask
            if fewer & good:
                yield from search(
                    ones if holds else ones | bit, zeros | bit if holds else zeros, fewer, banned, more - 1
                )
            banned = (banned[0], banned[1] | bit) if holds else (banned[0] | bit, banned[1])

    if good:
        yield from search(0, 0, every, (0, 0), LITERALS)
