"""The model of all reports: the result of an analysis with suppressions applied.

report = make_report(("list.c",), "main", Goal(), result, sources)
report.verdict, report.count(Verdict.PROVED)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from heapwright.base.source import printable
from heapwright.program.checks import Goal
from heapwright.program.graph import Assumption
from heapwright.report.messages import counted
from heapwright.report.places import Place, open_places
from heapwright.result.outcomes import Outcome, ProgramVerdict, Result, Verdict, verdict_of
from heapwright.settings.properties import result_word
from heapwright.settings.suppressions import SuppressedCheck, Warning, split


@dataclass(frozen=True)
class Report:
    """`outcomes` are those that count for the verdict; `result` is the result of the engines."""

    files: tuple[str, ...]
    function: str
    goal: Goal
    result: Result
    outcomes: tuple[Outcome, ...]
    suppressed: tuple[SuppressedCheck, ...] = ()
    warnings: tuple[Warning, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    analysed: bool = True  # False if a limit was reached before the program was lowered

    @property
    def name(self) -> str:
        """The name in the summary: `list.c`, `list.c (+2 files)`."""
        more = len(self.files) - 1
        return printable(self.files[0]) + (f" (+{more} file{'s' if more > 1 else ''})" if more else "")

    @property
    def verdict(self) -> ProgramVerdict:
        return verdict_of((outcome.verdict for outcome in self.outcomes), self.result.sound and self.analysed)

    @property
    def svcomp(self) -> str:
        """The result in SV-COMP's format, where suppressed checks count."""
        everything = [*self.outcomes, *(entry.outcome for entry in self.suppressed)]
        verdict = ProgramVerdict.UNKNOWN if self.suppressed else self.verdict
        return result_word(sorted(everything, key=_source_order), verdict, self.goal)

    @cached_property
    def assumptions(self) -> tuple[Assumption, ...]:
        """The assumptions of the verdict, without duplicates; suppressed checks are among them."""
        suppressed = (
            Assumption(
                f"suppressed: {entry.outcome.check.kind.value}" + _because(entry.reason), entry.outcome.check.span
            )
            for entry in self.suppressed
        )
        return tuple(dict.fromkeys((*self.result.assumptions, *suppressed)))

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The places of open checks."""
        return open_places(self.outcomes)

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of checks by verdict, of places with open checks, and of suppressed checks."""
        return {
            "checks": len(self.outcomes),
            **{verdict.value: self.count(verdict) for verdict in Verdict},
            "places": len(self.places),
            "suppressed": len(self.suppressed),
        }

    @property
    def summary(self) -> str:
        """`1 violated, 152 of 164 checks proved; 11 open at 5 places`; without open checks `1 violated, 2 proved`."""
        counts = self.counts
        others = [f"{counts[name]} {name}" for name in ("violated", "masked") if counts[name]]
        if not counts["unknown"]:
            proved = [f"{counts['proved']} proved"] * bool(counts["proved"] or not counts["checks"])
            return ", ".join([*others[:1], *proved, *others[1:]])
        proved = [f"{counts['proved']} of {counted(counts['checks'], 'check')} proved"]
        where = counted(counts["places"], "place")
        return ", ".join([*others, *proved]) + f"; {counts['unknown']} open at {where}"

    def having(self, verdict: Verdict) -> tuple[Outcome, ...]:
        return tuple(outcome for outcome in self.outcomes if outcome.verdict is verdict)

    def count(self, verdict: Verdict) -> int:
        return len(self.having(verdict))


def make_report(
    files: Sequence[str],
    function: str,
    goal: Goal,
    result: Result,
    sources: Mapping[str, str],
    *,
    suppress: bool = True,
    analysed: bool = True,
) -> Report:
    """Applies suppression comments (unless `suppress` is False) and sorts outcomes in source order."""
    outcomes = tuple(sorted(result.outcomes, key=_source_order))
    if not suppress:
        return Report(tuple(files), function, goal, result, outcomes, (), (), sources, analysed)
    parts = split(outcomes, sources)
    return Report(
        tuple(files), function, goal, result, parts.outcomes, parts.suppressed, parts.warnings, sources, analysed
    )


def _source_order(outcome: Outcome) -> tuple[object, ...]:
    return (outcome.check.span, outcome.check.kind.value)


def _because(reason: str) -> str:
    return f" ({reason})" if reason else ""
