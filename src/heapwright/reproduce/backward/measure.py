"""One program: the precondition of each of its obligations, in a child process.

measure("append", Bounds(timeout=60)).needs
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from heapwright.analysis.limits.process import Send
from heapwright.engines.infer.api import Closure, Inference, Options, inferred
from heapwright.reproduce.isolated_measurement import program_of, run_isolated
from heapwright.reproduce.reproduction import Bounds

OBJECTS = 4  # of heaps; of arrays, the number of cells
FUNCTIONS = {"strlen": "length"}  # functions whose name differs from that of the program
LENGTHS = {"strlen": {}, "max": {"a": "n"}}  # array programs, with their length parameters


@dataclass(frozen=True, slots=True)
class Need:
    """The precondition of one obligation in words, and the number of structures at the entry."""

    demand: str
    kind: str
    words: str
    structures: int


@dataclass(frozen=True, slots=True)
class Measurement:
    """`warm_s` is the time with a warm query cache. `missed` small heaps are allowed and fail; `excluded` of the
    `harmless` (safe) ones are not allowed. `failure` is the reason if there is no measurement."""

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
        """The precondition of the obligations of a kind; of several, the one with the most structures."""
        found = [need for need in self.needs if need.kind == kind]
        return max(found, key=lambda need: need.structures, default=Need("", kind, "", 0))


def measure(
    program: str,
    bounds: Bounds,
    phase: Callable[[str], None] = lambda text: None,
    closure: Closure = Closure.UPDATES,
) -> Measurement:
    label = program if closure is Closure.UPDATES else f"{program}, {closure}"
    return run_isolated(_Run(program, closure), label, bounds, phase, lambda why: Measurement(program, failure=why))


@dataclass(frozen=True)
class _Run:
    program: str
    closure: Closure = Closure.UPDATES

    def __call__(self, send: Send) -> Measurement:
        name = FUNCTIONS.get(self.program, self.program)
        program = program_of("backward", self.program, function=name)
        options = Options(LENGTHS.get(self.program, {}), closure=self.closure if self.program not in LENGTHS else None)
        cold, warm = _twice(lambda cache: inferred(program, options, tell=send, cache=cache))
        result = cold.judged(OBJECTS, send)
        needs = tuple(
            Need(f"{one.line}: {one.text}", one.kind, " and ".join(one.needs) or "nothing", one.structures)
            for one in result.requirements
        )
        return Measurement(
            self.program,
            needs,
            result.heaps,
            result.missed,
            result.harmless,
            result.excluded,
            cold.counts.questions,
            cold.counts.models,
            cold.counts.unknown,
            cold.seconds,
            warm.seconds,
            warm.counts.questions,
        )


def _twice(run: Callable[[Path], Inference]) -> tuple[Inference, Inference]:
    """A run with a cold query cache, and one with a warm cache."""
    with TemporaryDirectory() as directory:
        cold, warm = (run(Path(directory) / "answers") for _ in range(2))
    return cold, warm
