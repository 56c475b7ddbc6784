"""Engines with one fault each: what guards against the fault must see it. Most are `explore`, which has none, with a
result that is changed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

from heapwright.engines.api import Declaration, Limits, Option, Progress
from heapwright.engines.explore.engine import Explore
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.program.heap_picture import HeapPicture
from heapwright.program.runs.snapshot import Snapshot
from heapwright.program.trace import Choice, ChoiceKind, Run
from heapwright.result.outcomes import NO_RUNS, Outcome, Result, Section, Verdict

# --- wrong verdicts --------------------------------------------------------------------------------------------------


class Boast(Declaration):
    """Proves everything that it is asked about."""

    name = "boast"
    proves = frozenset(CheckKind)

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        checks = [check for check in program.checks if goal.includes(check)]
        return Result(self.name, tuple(Outcome(check, Verdict.PROVED, self.name) for check in checks), dropped=NO_RUNS)


class ShortSighted(Explore):
    """Follows short runs and says that there are no others."""

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        found = super().analyze(program, goal, replace(limits, steps=2), progress)
        proved = [Outcome(one.check, Verdict.PROVED, self.name) for one in found.outcomes]
        return replace(found, outcomes=tuple(proved), dropped=NO_RUNS, complete=True)


class Slander(Explore):
    """Every check that it is asked about is violated, by one and the same run."""

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        found = super().analyze(program, goal, limits, progress)
        run = next((one.run for one in found.outcomes if one.run is not None), None)
        outcomes = [replace(one, verdict=Verdict.VIOLATED, run=self.shown(run)) for one in found.outcomes]
        return replace(found, outcomes=tuple(outcomes))

    def shown(self, run: Run | None) -> Run | None:
        return run


class NoRun(Slander):
    def shown(self, run: Run | None) -> Run | None:
        return None


class ApproximateRun(Slander):
    def shown(self, run: Run | None) -> Run | None:
        assert run is not None
        choices = [replace(choice, kind=ChoiceKind.APPROXIMATE) for choice in run.choices]
        return replace(run, choices=tuple(choices))


class InventedRun(Slander):
    """Its runs make a choice that the program does not ask for."""

    def shown(self, run: Run | None) -> Run | None:
        assert run is not None
        span = run.choices[0].span
        return replace(run, choices=(Choice(ChoiceKind.INPUT, "dice", 6, span), *run.choices))


class Mumble(Explore):
    """Does not say why it does not know."""

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        found = super().analyze(program, goal, limits, progress)
        return replace(found, outcomes=tuple(Outcome(one.check, Verdict.UNKNOWN, "") for one in found.outcomes))


# --- states and limits -----------------------------------------------------------------------------------------------


class NoHeaps:
    def contains(self, location: int, heap: Snapshot) -> bool | None:
        return location == 0


class Forgetful(Explore):
    """Its states contain the heap at the entry and no other."""

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        return replace(super().analyze(program, goal, limits, progress), states=NoHeaps())


class Endless(Explore):
    """Never looks at its limits."""

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        while limits.expired():
            progress.update("still searching")
        return super().analyze(program, goal, limits, progress)


class Hasty(Explore):
    """Does not say that it was cut short."""

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        return replace(super().analyze(program, goal, limits, progress), dropped=NO_RUNS, complete=True)


# --- answers as data -------------------------------------------------------------------------------------------------


class Unordered(Explore):
    """Its reasons come in the order of a set."""

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        reason = ", ".join({f"reason {number}" for number in range(20)})
        found = super().analyze(program, goal, limits, progress)
        return replace(found, outcomes=tuple(replace(one, reason=reason) for one in found.outcomes))


class Unpicklable(Explore):
    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        stats: Any = {"states": lambda: 0}
        return replace(super().analyze(program, goal, limits, progress), stats=stats)


class Scribble(Explore):
    """Its pictures are of locations that the program does not have."""

    draws = True

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        pictures = {len(program.graph.locations): (HeapPicture((), ()),)}
        return replace(super().analyze(program, goal, limits, progress), invariants=pictures)


# --- certificates ----------------------------------------------------------------------------------------------------


class Forgery(Explore):
    """Leaves the states of the last location out."""

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        found = super().analyze(program, goal, limits, progress)
        (section,) = found.sections
        (part,) = section.parts
        kept = dict(list(part["locations"].items())[:-1])
        return replace(found, sections=(replace(section, parts=({**part, "locations": kept},)),))


class Evasion:
    """States that tell nothing about any heap: nothing is found against them."""

    def __init__(self, program: Program, part: Mapping[str, Any]) -> None:
        pass

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        return None

    def undecided(self) -> bool:
        return True

    def pointers(self, location: int) -> tuple[str, ...]:
        return ()

    def nulls(self, location: int) -> tuple[str, ...]:
        return ()

    def numbers(self, location: int) -> Mapping[str, tuple[int, ...]]:
        return {}

    def fields(self) -> frozenset[tuple[str, str]]:
        return frozenset()

    def data(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        return {}

    def kind(self, site: int) -> Hashable:
        return None


class Evasive(Boast):
    name = "evasive"
    reads_certificate = "support.faulty_engines:Evasion"

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        found = super().analyze(program, goal, limits, progress)
        claims = tuple(one.check.id for one in found.outcomes)
        return replace(found, sections=(Section(self.name, claims, ({"locations": {"0": []}},)),))


# --- options ---------------------------------------------------------------------------------------------------------


class WrongDefault(Explore):
    options = (Option("depth", "count", "deep", "how deep to search"),)


class UnknownOption(Explore):
    options = (Option("depth", "count", 3, "how deep to search"),)
