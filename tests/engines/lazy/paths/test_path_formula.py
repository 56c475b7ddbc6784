"""Path formulas: by lvalue constants and by arrays they agree, and on paths that runs take they are satisfiable."""

from __future__ import annotations

import random
from pathlib import Path as File

import pytest
from engines.lazy.programs import compiled
from support.random_runs import random_program

from heapwright.engines.lazy.heap.aliases import Aliases, unsupported
from heapwright.engines.lazy.logic.solver import Solver
from heapwright.engines.lazy.logic.terms import Formula, eq, num, var
from heapwright.engines.lazy.paths.command_semantics import Semantics
from heapwright.engines.lazy.paths.interpolants import NoSequence, faults, interpolate
from heapwright.engines.lazy.paths.lvalue_path_formula import LvalueFormula
from heapwright.engines.lazy.paths.path_formula import Path, PathFormula, without_heap
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.logic.connectives import FALSE, TRUE
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.semantics.state import Fault, Stop

PER_PROGRAM = 50

ALIASES = """int main(void) {
    struct node *p = malloc(sizeof *p), *q, *r;
    q = __VERIFIER_nondet_int() ? p : malloc(sizeof *q);
    p->h = 1; q->h = 2; p->n = q; r = p->n;
    if (__VERIFIER_nondet_int()) r->h = 3;
    if (__VERIFIER_nondet_int()) free(q);
    if (q == p) r = q;
    if (r->h == 3) p->n = NULL;
    if (p->h == q->h) r = NULL;
    if (p->n == r) p->h = r->h;
    return 0;
}"""


def semantics_of(program: Program) -> Semantics | None:
    heap = HeapVocabulary(program)
    return None if unsupported(heap) else Semantics(program, Aliases(heap))


def walk(program: Program, draw: random.Random, longest: int) -> tuple[int, ...]:
    """A way through the graph, whether a run can take it or not."""
    numbers = {id(edge): number for number, edge in enumerate(program.graph.edges)}
    location = program.graph.entry
    found: list[int] = []
    while program.graph.successors[location] and len(found) < longest:
        edge = draw.choice(program.graph.successors[location])
        found.append(numbers[id(edge)])
        location = edge.target
    return tuple(found)


def agreement(semantics: Semantics, draw: random.Random, count: int) -> list[bool]:
    """Whether each path of some is feasible, of which both formulas must know."""
    solver, found = Solver(), []
    for _ in range(count):
        path = Path(semantics, walk(semantics.program, draw, draw.randint(3, 40)))
        by_arrays = solver.satisfiable(PathFormula(path.steps()).formulas)
        by_lvalues = solver.satisfiable(LvalueFormula(path).formulas)
        assert by_arrays == by_lvalues, path.edges
        if by_arrays:
            assert solver.satisfiable(PathFormula(without_heap(path.steps())).formulas), path.edges
        found.append(by_arrays)
    return found


@pytest.mark.exhaustive(2)
@pytest.mark.parametrize("seed", range(2))
def test_lvalues_and_arrays_agree_where_pointers_meet(seed: int, tmp_path: File) -> None:
    semantics = semantics_of(compiled(tmp_path, ALIASES))
    assert semantics is not None
    found = agreement(semantics, random.Random(seed), 2 * PER_PROGRAM)
    assert {True, False} == set(found)


@pytest.mark.exhaustive(3)
@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 16))])
def test_lvalues_and_arrays_agree_on_random_paths(seed: int, tmp_path: File) -> None:
    semantics = semantics_of(random_program(seed, tmp_path, size=8, kind="plain"))
    assert semantics is not None
    agreement(semantics, random.Random(seed), PER_PROGRAM)


@pytest.mark.parametrize("seed", range(4))
def test_paths_of_runs_are_feasible(seed: int, tmp_path: File) -> None:
    program = random_program(seed, tmp_path, size=8, kind="plain")
    semantics = semantics_of(program)
    assert semantics is not None
    solver = Solver()
    for number in range(10):
        path = Path(semantics, taken(program, number))
        assert solver.satisfiable(PathFormula(path.steps()).formulas)
        assert solver.satisfiable(LvalueFormula(path).formulas)


def taken(program: Program, seed: int) -> tuple[int, ...]:
    """The edges of a random run, up to forty."""
    machine = Machine(program, Goal(frozenset(CheckKind) - {CheckKind.LEAK}))
    state = machine.start(RandomChoices(seed))
    numbers = {id(edge): number for number, edge in enumerate(program.graph.edges)}
    found: list[int] = []
    try:
        while len(found) < 40 and program.graph.successors[state.location]:
            edges = program.graph.successors[state.location]
            place = 0 if len(edges) == 1 else machine.pick(state.location)(state)
            state.location = machine.executes(state.location)[place](state)
            found.append(numbers[id(edges[place])])
    except (Stop, Fault):
        pass
    return tuple(found)


@pytest.mark.parametrize("seed", range(3))
def test_sequences_of_infeasible_paths_are_interpolants(seed: int, tmp_path: File) -> None:
    semantics = semantics_of(compiled(tmp_path, ALIASES))
    assert semantics is not None
    draw, solver = random.Random(seed), Solver()
    found: list[tuple[Path, tuple[Formula, ...]]] = []
    while len(found) < 10:
        path = Path(semantics, walk(semantics.program, draw, 45))
        try:
            sequence = interpolate(path, path.steps(), solver)
        except NoSequence:
            continue
        if sequence is not None:
            found.append((path, sequence))
            assert len(sequence) == len(path.edges) + 1
            assert faults(path, sequence, semantics, solver) == []
    path, refuted = found[-1]
    assert faults(path, (*refuted[:-1], TRUE), semantics, solver)
    assert faults(path, (FALSE,) * len(refuted), semantics, solver)
    foreign = (eq(var("nobody"), num(0)), *refuted[1:])
    assert faults(path, foreign, semantics, solver)
