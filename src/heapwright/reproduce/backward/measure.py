"""One program: the precondition of each of its obligations, in a child process.

measure("append", Bounds(timeout=60)).needs

`VISITS` bounds the elements from which the fixpoints of a program on lists are continued, some 300 at most, so that an
engine that does not reach a fixpoint is stopped whatever the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from heapwright.analysis.limits.process import Send
from heapwright.base.errors import LimitReached
from heapwright.engines.infer.api import Closure, Inference, Options, inferred
from heapwright.reproduce.isolated_measurement import program_of, run_isolated
from heapwright.reproduce.reproduction import Bounds

VISITS = 2_000
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

        def run(cache: Path) -> Inference:
            tell = send if self.program in LENGTHS else _Visits(send)
            return inferred(program, options, tell=tell, cache=cache)

        try:
            cold, warm = _twice(run)
        except LimitReached as limit:
            return Measurement(self.program, failure=f"stopped: {limit}")
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


@dataclass(slots=True)
class _Visits:
    """Counts the visits of an analysis, and ends it when there are too many."""

    send: Send
    visits: int = 0

    def __call__(self, text: str) -> None:
        self.send(text)
        self.visits += 1
        if self.visits > VISITS:
            raise LimitReached(f"no fixpoint after {VISITS} visits")


def _twice(run: Callable[[Path], Inference]) -> tuple[Inference, Inference]:
    """A run with a cold query cache, and one with a warm cache."""
    with TemporaryDirectory() as directory:
        cold, warm = (run(Path(directory) / "answers") for _ in range(2))
    return cold, warm
