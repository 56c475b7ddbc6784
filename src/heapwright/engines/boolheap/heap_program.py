"""Heap programs: a C program with its commands translated to commands over heap formulas.

The input of the fixpoint. A heap program and its implicants (`implicants`) are the Boolean heap program of the paper,
which `program_text` serializes.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from heapwright.engines.boolheap.abstraction.folding import LONGEST, FoldedStep, folded
from heapwright.engines.boolheap.abstraction.obligations import Obligation, leaks_of, obligations_of
from heapwright.engines.boolheap.concrete.small_heaps import UNBORN, Heap, evaluator
from heapwright.engines.boolheap.domain.predicate_columns import AtomTable
from heapwright.engines.boolheap.domain.vectors import BooleanHeap, Vector, pruned
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.command_translation import Alternatives, has_inputs, translate_command
from heapwright.engines.boolheap.predicates.candidate_atoms import candidates_of
from heapwright.engines.boolheap.predicates.ghost_predicates import NO_GHOSTS, Ghosts
from heapwright.engines.boolheap.predicates.repeated_loads import repeated_loads
from heapwright.engines.boolheap.prover.implicants import Entailment
from heapwright.logic.connectives import TRUE
from heapwright.program.commands import Assert, Command
from heapwright.program.dataflow.liveness import Liveness
from heapwright.program.expressions import Compare, variables_of
from heapwright.program.graph import Edge, Graph, Program
from heapwright.program.printer import format_command
from heapwright.program.types import ValueKind

MOST_COMPARED = 6  # predicates from assertions that compare integers


@dataclass(frozen=True, slots=True)
class HeapStep:
    """The label of an edge: alternative command sequences, obligations, and the text of the statement. `splits` are
    preconditions by which heaps are split before it."""

    alternatives: Alternatives
    obligations: tuple[Obligation, ...]
    text: str
    splits: tuple[f.Formula, ...] = ()


@dataclass(frozen=True)
class HeapProgram:
    """`active`: the predicates in use at each location, as masks; `initial`: the heap at the entry; `context`: the post
    may depend on the vectors of the objects of variables (else it is Cartesian)."""

    graph: Graph[HeapStep]
    predicates: tuple[f.Formula, ...]
    active: tuple[int, ...]
    initial: BooleanHeap
    context: bool = True

    @property
    def columns(self) -> AtomTable:
        return AtomTable(self.predicates, context=self.context)


def translate(
    program: Program,
    predicates: Sequence[f.Formula],
    prover: Entailment,
    ghosts: Ghosts = NO_GHOSTS,
    *,
    leaks: frozenset[str] = frozenset(),
    uncertain: frozenset[str] = frozenset(),
    folds: bool = True,
) -> HeapProgram:
    """The heap program of a program. At a location, predicates over live variables alone are active. The prover says
    which of them input objects have. `leaks` are the selected leak checks, `uncertain` those that never hold. Where
    a step `folds` others, what is known before it does not say what they read: a certificate needs each by itself."""
    columns, liveness = AtomTable(tuple(predicates)), Liveness(program)
    named, unset = ghosts.named_at(program), ghosts.unset_at(program)
    again = repeated_loads(program)
    anywhere = frozenset[f.Term]().union(*again)
    counts = any(is_numeric(one) for one in predicates) or _asserts_numbers(program)
    steps, waiting = folded(
        program.graph,
        [_step(number, edge, program, counts, ghosts, uncertain) for number, edge in enumerate(program.graph.edges)],
        LONGEST if folds else -1,
    )

    def active_at(location: int) -> int:
        live = frozenset(one for one in program.variables if liveness.at(location) & liveness.bit(one))
        live = (live - waiting[location].set) | waiting[location].read
        idle = columns.of(anywhere - again[location])
        return columns.active(live | named.get(location, frozenset()), unset[location]) & ~idle

    active = tuple(map(active_at, range(len(program.graph.locations))))
    edges = tuple(
        Edge(
            edge.source,
            HeapStep(step.alternatives, step.obligations, format_command(edge.command)),
            edge.target,
            (),
            edge.span,
        )
        for edge, step in zip(program.graph.edges, steps, strict=True)
    )
    if leaks:
        edges = tuple(
            replace(made, command=_with_obligations(made.command, leaks_of(edge, columns, active[edge.target], leaks)))
            for made, edge in zip(edges, program.graph.edges, strict=True)
        )
    graph = Graph(program.graph.locations, edges, program.graph.entry)
    initial = _initial(program, columns.predicates, active[graph.entry], prover)
    return HeapProgram(graph, columns.predicates, active, initial)


def _asserts_numbers(program: Program) -> bool:
    """Whether integers matter to an assertion: it compares some, or branches lead to it."""
    return any(
        isinstance(edge.command, Assert) and isinstance(edge.command.literal, Compare) for edge in program.graph.edges
    )


def with_splits(program: HeapProgram, splits: Mapping[int, tuple[f.Formula, ...]]) -> HeapProgram:
    """The program with steps that split heaps by these preconditions, by edge."""
    edges = tuple(
        replace(edge, command=replace(edge.command, splits=splits.get(number, ())))
        for number, edge in enumerate(program.graph.edges)
    )
    return replace(program, graph=replace(program.graph, edges=edges))


def compared_by_assertions(program: Program) -> tuple[f.Formula, ...]:
    """Predicates from assertions that compare integers, read where lowering reads them."""
    asserted = [
        edge.command.literal
        for edge in program.graph.edges
        if isinstance(edge.command, Assert) and isinstance(edge.command.literal, Compare)
    ]
    if not any(variables_of(side) for literal in asserted for side in (literal.left, literal.right)):
        return ()
    nothing = frozenset[str]()
    steps = [_step(number, edge, program, True, NO_GHOSTS, nothing) for number, edge in enumerate(program.graph.edges)]
    wanted = [obligation.closed for step in folded(program.graph, steps)[0] for obligation in step.obligations]
    found = (one for one in candidates_of(wanted) if is_numeric(one))
    return tuple(itertools.islice(dict.fromkeys(found), MOST_COMPARED))


def _step(
    number: int, edge: Edge[Command], program: Program, counts: bool, ghosts: Ghosts, uncertain: frozenset[str]
) -> FoldedStep:
    """Claims of a line are checked first, then its ghost predicates are set, then the command is executed."""
    marks, claimed = ghosts.marks_at(number, program), ghosts.claim_at(number, program)
    obligations = obligations_of(edge, program, uncertain)
    if claimed is not None:
        check, formula = claimed
        obligations = (Obligation(check.id, TRUE, formula), *obligations)
    alternatives = tuple((*marks, *commands) for commands in translate_command(edge.command, program, counts))
    return FoldedStep(alternatives, obligations)


def _with_obligations(step: HeapStep, more: tuple[Obligation, ...]) -> HeapStep:
    return replace(step, obligations=(*step.obligations, *more))


def _initial(program: Program, predicates: Sequence[f.Formula], active: int, prover: Entailment) -> BooleanHeap:
    """The entry heap: no allocated object but inputs; pointer variables are junk, integers are unknown."""
    pointers = {one.name for one in program.variables.values() if one.kind is ValueKind.POINTER}
    fields = {one.name: (2,) for type in program.types.values() for one in type.fields}
    heap = Heap(1, (UNBORN,), dict.fromkeys(pointers, 2), fields)
    plain = [
        (index, evaluator(one))
        for index, one in enumerate(predicates)
        if active >> index & 1 and f.names_of(one) <= pointers and is_evaluable(one)
    ]
    vectors = []
    for v in heap.everything:
        vector = Vector(0, 0)
        for index, holds in plain:
            vector = vector.having(1 << index, holds(heap, v))
        vectors.append(vector)
    if has_inputs(program):
        vectors.append(_input(predicates, active, pointers, prover))
    return pruned(vectors)


def _input(predicates: Sequence[f.Formula], active: int, pointers: set[str], prover: Entailment) -> Vector:
    """The vector of an input object: what is entailed by that it is alive, that no variable points to an object yet,
    and that the fields of input objects lead to input objects or to null."""
    vector = Vector(0, 0)
    for index, one in enumerate(predicates):
        if not active >> index & 1:
            continue
        facts = [f.alive(f.V), *(f.eq(f.name(id), f.JUNK) for id in sorted(f.names_of(one) & pointers))]
        facts += [
            f.implies(f.alive(term.base), f.disj(f.eq(term, f.NULL), f.alive(term)))
            for term in f.subterms(f.atoms(one))
            if isinstance(term, f.Field)
        ]
        for value, claim in ((True, one), (False, f.negation(one))):
            if prover.entails(facts, claim) is not None:
                vector = vector.having(1 << index, value)
                break
    return vector


def is_numeric(formula: f.Formula) -> bool:
    """Whether the predicate compares integers."""
    return any(isinstance(one, f.Less | f.Same) for one in f.atoms(formula))


def is_evaluable(formula: f.Formula) -> bool:
    """Whether the predicate can be evaluated on a heap snapshot: it mentions no integers and no ghost predicates."""
    return not any(isinstance(one, f.Less | f.Same | f.Marked) for one in f.atoms(formula))
