"""Engines that misbehave, to see that limits hold and failures are reported in a sentence."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import time

from heapwright.base.errors import LimitReached
from heapwright.base.source import NOWHERE
from heapwright.engines.api import Declaration, Limits, Progress
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.program.trace import Choice, ChoiceKind, Ending, Run, TraceStep, Violation
from heapwright.result.outcomes import NO_RUNS, Outcome, Result, Verdict


def run_that_breaks(check: Check, kind: ChoiceKind = ChoiceKind.INPUT) -> Run:
    choice = Choice(kind, "__VERIFIER_nondet_int", 1, NOWHERE)
    steps = (TraceStep(check.span, check.function, "does it", important=True),)
    return Run((choice,), steps, Ending.VIOLATION, Violation(check, f"breaks at '{check.subject}'"))


class Base(Declaration):
    name = "fake"
    proves = frozenset(CheckKind)

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        checks = [check for check in program.checks if goal.selects(check)]
        outcomes = self.outcomes(checks, limits, progress)
        return Result(self.name, tuple(outcomes), dropped=NO_RUNS, stats={"iterations": 3})

    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        return [Outcome(check, Verdict.PROVED, self.name) for check in checks]


class Proves(Base):
    pass


class Breaks(Base):
    """Breaks the first check and proves the rest."""

    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        first, *rest = super().outcomes(checks, limits, progress)
        return [Outcome(first.check, Verdict.VIOLATED, self.name, run_that_breaks(first.check)), *rest]


class Shrugs(Base):
    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        return [Outcome(check, Verdict.UNKNOWN, self.name, reason="not attempted") for check in checks]


class Forgets(Base):
    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        return []


class Unsound(Base):
    """Claims proofs, and admits that it dropped runs."""

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        result = super().analyze(program, goal, limits, progress)
        return Result(self.name, result.outcomes, dropped="all but ten runs", limit="only ten runs")


class Guesses(Base):
    """Claims a violation with a run that depends on an approximation."""

    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        runs = [run_that_breaks(check, ChoiceKind.APPROXIMATE) for check in checks]
        return [Outcome(c, Verdict.VIOLATED, self.name, run) for c, run in zip(checks, runs, strict=True)]


class FindsAndSleeps(Breaks):
    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        progress.found(super().outcomes(checks, limits, progress)[0])
        progress.update("asleep")
        time.sleep(60)
        return []


class Sleeps(Base):
    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        progress.update("asleep")
        time.sleep(60)
        return []


class Behaves(Shrugs):
    """Looks at the clock and stops by itself."""

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        while not limits.expired():
            time.sleep(0.01)
        result = super().analyze(program, goal, limits, progress)
        return Result(
            self.name, result.outcomes, dropped="one run", complete=False, limit="looked at two of three runs"
        )


class Spins(Base):
    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        while True:
            progress.update("spinning")


class Hoards(Base):
    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        hoard = []
        while True:
            hoard.append(bytearray(10_000_000))


class Segfaults(Base):
    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        faulthandler.disable()  # which would tell at length
        ctypes.string_at(0)
        return []


class Raises(Base):
    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        raise ZeroDivisionError("a secret")


class FindsAndRaises(Breaks):
    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        progress.found(super().outcomes(checks, limits, progress)[0])
        raise ZeroDivisionError("a secret")


class Stops(Base):
    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        raise LimitReached("enough states")


class Interrupts(FindsAndSleeps):
    """Sends an interrupt to whoever watches, as Ctrl-C does."""

    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        import signal
        import threading

        threading.Timer(0.3, lambda: os.kill(os.getppid(), signal.SIGINT)).start()
        return super().outcomes(checks, limits, progress)


class Rolls(Base):
    """Runs the program a few times with random choices; what such a run breaks is violated, the rest unknown."""

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        from heapwright.program.choices import RandomChoices
        from heapwright.program.runs.interpreter import run

        found: dict[str, Outcome] = {}
        for seed in range(20):
            one = run(program, goal, RandomChoices(seed), max_steps=2000, trace=True)
            if one.violation is not None and one.exact:
                check = one.violation.check
                found.setdefault(check.id, Outcome(check, Verdict.VIOLATED, self.name, one))
        outcomes = tuple(
            found.get(check.id) or Outcome(check, Verdict.UNKNOWN, self.name, reason="no run broke it")
            for check in program.checks
            if goal.selects(check)
        )
        return Result(self.name, outcomes, dropped=NO_RUNS)


class Minds(Base):
    """Shows the bounds it was given."""

    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        reason = f"steps={limits.steps} objects={limits.objects} values={limits.values} states={limits.states}"
        return [Outcome(check, Verdict.UNKNOWN, self.name, reason=reason) for check in checks]


ENGINES = {
    name.lower(): f"cli.fake_engines:{name}"
    for name, value in list(globals().items())
    if isinstance(value, type) and issubclass(value, Base) and value is not Base
}
