"""Replay of the queries of an analysis with exact update formulas by first-order axioms of reachability."""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.engines.infer.algorithm import ProverResult
from heapwright.engines.infer.closure_modes import Closure
from heapwright.engines.infer.heaps.inference import infer
from heapwright.engines.infer.heaps.program_translation import translate
from heapwright.engines.infer.heaps.prover.solver import Solver
from heapwright.engines.infer.obligation_analysis import Tell
from heapwright.program.graph import Program


@dataclass(frozen=True, slots=True)
class AxiomReplay:
    """`provable` queries are unsatisfiable. `proved`: those that the axioms prove, by the number of axiom stages.
    `wrong`: satisfiable ones that the axioms refute, which would be unsound."""

    queries: int
    provable: int
    proved: tuple[int, ...]
    wrong: int


def replayed_by_axioms(program: Program, tell: Tell) -> AxiomReplay:
    task = translate(program)
    exact = Solver(task.vocabulary, dangling=task.frees)
    infer(task, tell=tell, solver=exact)
    alone = Solver(task.vocabulary, dangling=task.frees, closure=Closure.AXIOMS)
    provable = wrong = 0
    for index, (query, answer) in enumerate(exact.queries.items()):
        tell(f"{index} of {len(exact.queries)} again")
        shown = alone.decide(query) is ProverResult.UNSAT
        provable += answer is ProverResult.UNSAT
        wrong += shown and answer is not ProverResult.UNSAT
    return AxiomReplay(len(exact.queries), provable, tuple(alone.counts.proved), wrong)
