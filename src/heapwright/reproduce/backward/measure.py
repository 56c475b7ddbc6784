"""One program: what each of its assertions needs, in a process of its own.

measure("append", Bounds(timeout=60)).needs
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from heapwright.analysis.limits.process import Send
from heapwright.engines.infer.arrays.inference import infer_arrays
from heapwright.engines.infer.arrays.preconditions import claims
from heapwright.engines.infer.arrays.preconditions.claim_selection import answer_arrays, small_arrays
from heapwright.engines.infer.arrays.program_translation import read_arrays
from heapwright.engines.infer.heaps.inference import infer
from heapwright.engines.infer.heaps.preconditions.clause_selection import answer, small_heaps
from heapwright.engines.infer.heaps.preconditions.clauses import clause_words
from heapwright.engines.infer.heaps.program_translation import read
from heapwright.engines.infer.heaps.prover.closure_modes import Closure
from heapwright.engines.infer.obligation_analysis import Demanded, Inferred
from heapwright.engines.infer.precondition import Answer
from heapwright.engines.infer.query_cache import Cache
from heapwright.program.graph import Program
from heapwright.reproduce.isolated_measurement import program_of, run_isolated
from heapwright.reproduce.reproduction import Bounds

C = TypeVar("C")
D = TypeVar("D", bound=Demanded)
E = TypeVar("E")
F = TypeVar("F")
I = TypeVar("I")  # noqa: E741  # an input
T = TypeVar("T")
OBJECTS = 4  # of heaps; of arrays, the number of cells
FUNCTIONS = {"strlen": "length"}  # where the name is not that of the program
LENGTHS = {"strlen": {}, "max": {"a": "n"}}  # the programs over arrays, and the parameters that are lengths


@dataclass(frozen=True, slots=True)
class Need:
    """What one demand needs: its precondition in words, and the number of structures at the entry."""

    demand: str
    kind: str
    words: str
    structures: int


@dataclass(frozen=True, slots=True)
class Measured:
    """`warm_s` is the time with the answers of the first analysis in a cache. `missed` small heaps are allowed and
    fail; `excluded` of `harmless` ones are not allowed and do not. `failure` says why there is nothing."""

    program: str
    needs: tuple[Need, ...] = ()
    heaps: int = 0
    missed: int = 0
    harmless: int = 0
    excluded: int = 0
    questions: int = 0
    models: int = 0
    unknown: int = 0
    time_s: float = 0.0
    warm_s: float = 0.0
    warm_questions: int = 0
    failure: str = ""

    def need(self, kind: str) -> Need:
        """What the demands of a kind need; of several, the one that needs most."""
        found = [need for need in self.needs if need.kind == kind]
        return max(found, key=lambda need: need.structures, default=Need("", kind, "", 0))


def measure(
    program: str,
    bounds: Bounds,
    phase: Callable[[str], None] = lambda text: None,
    closure: Closure = Closure.UPDATES,
) -> Measured:
    label = program if closure is Closure.UPDATES else f"{program}, {closure}"
    return run_isolated(_Run(program, closure), label, bounds, phase, lambda why: Measured(program, failure=why))


@dataclass(frozen=True)
class _Run:
    program: str
    closure: Closure = Closure.UPDATES

    def __call__(self, send: Send) -> Measured:
        name = FUNCTIONS.get(self.program, self.program)
        program = program_of("backward", self.program, function=name)
        return self._arrays(program, send) if self.program in LENGTHS else self._heaps(program, send)

    def _arrays(self, program: Program, send: Send) -> Measured:
        tasks = read_arrays(program, LENGTHS[self.program])
        found, warm = _twice(lambda cache: infer_arrays(tasks, tell=send, cache=cache))
        send("running small arrays")
        names = [claims.shown(task) for task in tasks]
        result = answer_arrays(found, small_arrays(tasks, OBJECTS))
        return self._measured(result, warm, lambda said: claims.clause_words(said.clause, names[said.array]))

    def _heaps(self, program: Program, send: Send) -> Measured:
        task = read(program)
        found, warm = _twice(lambda cache: infer(task, tell=send, cache=cache, closure=self.closure))
        send("running small heaps")
        result = answer(found, small_heaps(task, OBJECTS))
        return self._measured(result, warm, lambda clause: clause_words(clause, task.fields))

    def _measured(self, result: Answer[T, D, E, C, I], warm: Inferred[T, D, E], words: Callable[[C], str]) -> Measured:
        needs = tuple(
            Need(
                f"{one.part.demand.span.line}: {one.part.demand.text}",
                one.part.demand.kind,
                " and ".join(words(clause) for clause in one.clauses) or "nothing",
                len(one.part.bad),
            )
            for one in result.needed
        )
        counts = result.inferred.counts
        return Measured(
            self.program,
            needs,
            result.inputs,
            result.missed,
            result.harmless,
            result.excluded,
            counts.questions,
            counts.models,
            counts.unknown,
            result.inferred.seconds,
            warm.seconds,
            warm.counts.questions,
        )


def _twice(run: Callable[[Cache], F]) -> tuple[F, F]:
    """A run, and another one that finds the answers of the first."""
    with TemporaryDirectory() as directory:
        cold, warm = (run(Cache(Path(directory) / "answers")) for _ in range(2))
    return cold, warm
