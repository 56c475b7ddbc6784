"""Comparison of the reachability encodings of sections 4.3 and 4.3.1.

Each list program is analysed with each encoding. Then every query of the analysis with update formulas, whose answers
are exact, is repeated with the first-order axioms alone: how many of the provable ones are proved, and that none with a
countermodel is.

    replay("append", Bounds(timeout=60)).proved
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heapwright.analysis.limits.process import Send
from heapwright.engines.infer.api import Closure, replayed_by_axioms
from heapwright.reproduce.backward.measure import Measurement, measure
from heapwright.reproduce.isolated_measurement import program_of, run_isolated
from heapwright.reproduce.reproduction import Bounds, Claim, Table

PROGRAMS = ("append", "reverse", "delete")
REPLAYED = ("append", "reverse")  # with axioms alone, delete takes many minutes


@dataclass(frozen=True, slots=True)
class ReplayedQueries:
    """`provable` queries have no countermodel. `proved` are those proved by the axioms, by the axioms that were needed;
    `wrong` ones have a countermodel and were proved."""

    program: str
    questions: int = 0
    provable: int = 0
    proved: tuple[int, ...] = ()
    wrong: int = 0
    failure: str = ""


def replay(program: str, bounds: Bounds, phase: Callable[[str], None] = lambda text: None) -> ReplayedQueries:
    return run_isolated(
        _Replay(program), f"{program}, queries", bounds, phase, lambda why: ReplayedQueries(program, failure=why)
    )


@dataclass(frozen=True)
class _Replay:
    program: str

    def __call__(self, send: Send) -> ReplayedQueries:
        found = replayed_by_axioms(program_of("backward", self.program, function=self.program), send)
        return ReplayedQueries(self.program, found.queries, found.provable, found.proved, found.wrong)


@dataclass(frozen=True, slots=True)
class ClosureComparison:
    tables: tuple[Table, ...]
    claims: tuple[Claim, ...]
    rows: tuple[dict[str, object], ...]


def compare(phase: Callable[[str], None], bounds: Bounds) -> ClosureComparison:
    runs = [
        (way, measure(program, bounds, phase, way))
        for program in PROGRAMS
        for way in Closure
        if way is not Closure.AXIOMS or program in REPLAYED
    ]
    replayed = [replay(program, bounds, phase) for program in REPLAYED]
    rows = [{"program": run.program, "closure": way.value, **_figures(run)} for way, run in runs]
    again = [
        {
            "program": one.program,
            "questions": one.questions,
            "provable": one.provable,
            "proved": list(one.proved),
            "wrong": one.wrong,
            "failure": one.failure,
        }
        for one in replayed
    ]
    return ClosureComparison((ways_table(runs), replay_table(replayed)), claims_of(runs, replayed), (*rows, *again))


def _figures(run: Measurement) -> dict[str, object]:
    return {
        "needs": needs(run),
        "structures": sum(need.structures for need in run.needs),
        "questions": run.questions,
        "models": run.models,
        "unknown": run.unknown,
        "time_s": round(run.time_s, 2),
        "missed": run.missed,
        "excluded": run.excluded,
        "harmless": run.harmless,
        "failure": run.failure,
    }


def needs(run: Measurement) -> str:
    """The precondition of a program: the conjunction over its obligations."""
    found = dict.fromkeys(need.words for need in run.needs if need.words != "nothing")
    return " and ".join(found) or "nothing"


def ways_table(runs: Sequence[tuple[Closure, Measurement]]) -> Table:
    lines = [
        (
            f"{run.program}, {way}",
            run.failure or f"{run.time_s:.1f} s",
            str(run.questions),
            str(run.models),
            str(run.unknown),
            str(sum(need.structures for need in run.needs)),
            f"{run.excluded} of {run.harmless}",
            "-" if run.failure else needs(run),
        )
        for way, run in runs
    ]
    columns = ("program, closure", "cold", "queries", "models", "unknown", "structures", "safe excluded", "needs")
    return Table(columns, tuple(lines), "encodings of reachability")


def replay_table(replayed: Sequence[ReplayedQueries]) -> Table:
    lines = [
        (
            one.program,
            one.failure or str(one.questions),
            str(one.provable),
            *(str(sum(one.proved[: stage + 1])) for stage in range(3)),
            str(one.wrong),
        )
        for one in replayed
    ]
    columns = ("program", "queries", "provable", "first axioms", "and (4)", "and (5)", "wrongly")
    return Table(columns, tuple(lines), "queries proved by first-order axioms, of the provable ones")


def claims_of(runs: Sequence[tuple[Closure, Measurement]], replayed: Sequence[ReplayedQueries]) -> tuple[Claim, ...]:
    missed = {f"{run.program}, {way}": run.missed for way, run in runs if run.missed}
    failed = [f"{run.program}, {way} {run.failure}" for way, run in runs if run.failure]
    wrong = {one.program: one.wrong for one in replayed if one.wrong}
    left_out = [f"{one.program} {one.failure}" for one in replayed if one.failure]
    return (
        Claim(
            "under no encoding of reachability a small heap is allowed and fails",
            not missed and not failed,
            str(missed or failed or ""),
        ),
        Claim(
            "first-order axioms prove no query that has a countermodel",
            not wrong and not left_out,
            str(wrong or left_out or ""),
        ),
    )
