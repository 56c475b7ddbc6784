"""Open checks by place: a place is an access, that is a source span and its subject, with all that is open about it.

list.c:12:7: 'p' may be null or freed [null-deref, use-after-free]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from heapwright.base.source import Span
from heapwright.program.checks import LEAK_KINDS, CheckKind
from heapwright.result.outcomes import Outcome, Verdict

# What a pointer may be, in this order.
STATES = {
    CheckKind.NULL_DEREF: "null",
    CheckKind.USE_AFTER_FREE: "freed",
    CheckKind.INVALID_DEREF: "invalid",
    CheckKind.BOUNDS: "out of bounds",
    CheckKind.DOUBLE_FREE: "freed already",
    CheckKind.INVALID_FREE: "not the start of a heap block",
}


@dataclass(frozen=True, slots=True)
class Place:
    """`outcomes` are the open ones, `subject` is the user's text."""

    span: Span
    function: str
    subject: str
    outcomes: tuple[Outcome, ...]

    @property
    def kinds(self) -> tuple[CheckKind, ...]:
        return tuple(outcome.check.kind for outcome in self.outcomes)

    @property
    def text(self) -> str:
        """The open checks in words: `'p' may be null or freed`."""
        return "; ".join(_clauses(self.outcomes))

    @property
    def reasons(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(outcome.reason for outcome in self.outcomes if outcome.reason))

    @property
    def evidence(self) -> Outcome:
        """The outcome that shows most: one with a run, else one with an abstract counterexample."""
        return min(self.outcomes, key=_rank)


def open_places(outcomes: Iterable[Outcome]) -> tuple[Place, ...]:
    """The places of unknown checks, in source order."""
    by_span: dict[tuple[str, int, int], list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.verdict is Verdict.UNKNOWN:
            span = outcome.check.span
            by_span.setdefault((span.file, span.line, span.column), []).append(outcome)
    return tuple(place for key in sorted(by_span) for place in _places(by_span[key]))


def by_function(places: Iterable[Place]) -> dict[str, list[Place]]:
    """Places by function, the likeliest cause first: those that a run or an abstract counterexample shows, and of these
    the first in the source."""
    found: dict[str, list[Place]] = {}
    for place in sorted(places, key=lambda place: (_rank(place.evidence), place.span)):
        found.setdefault(place.function, []).append(place)
    return found


def _rank(outcome: Outcome) -> int:
    return 0 if outcome.run is not None else 1 if outcome.trace else 2


def _places(outcomes: Sequence[Outcome]) -> Iterator[Place]:
    """The places at one span: one for each subject. An element of an access, and a check without a subject, belong to
    the access."""
    subjects = sorted({outcome.check.subject for outcome in outcomes}, key=lambda one: (not one, len(one), one))
    groups: dict[str, list[Outcome]] = {}
    for subject in subjects:
        owner = next((one for one in groups if not subject or subject.startswith((f"{one}[", f"{one}->"))), subject)
        groups.setdefault(owner, []).extend(outcome for outcome in outcomes if outcome.check.subject == subject)
    for subject, group in groups.items():
        group.sort(key=lambda outcome: _order(outcome.check.kind))
        yield Place(group[0].check.span, group[0].check.function, subject, tuple(group))


def _order(kind: CheckKind) -> int:
    return [*STATES, CheckKind.ASSERT, CheckKind.SHAPE, *LEAK_KINDS].index(kind)


def _clauses(outcomes: Sequence[Outcome]) -> Iterator[str]:
    states: dict[str, list[str]] = {}
    for check in (outcome.check for outcome in outcomes):
        if check.kind in STATES:
            states.setdefault(check.subject, []).append(STATES[check.kind])
    for subject, words in states.items():
        what = f"'{subject}'" if subject else "the pointer"
        yield f"{what} may be {_listed(words)}"
    for check in (outcome.check for outcome in outcomes):
        match check.kind:
            case CheckKind.LEAK:
                yield "memory may still be allocated at the end" if check.cleanup else "memory may leak"
            case CheckKind.RESOURCE_LEAK:
                yield "a stream or directory may stay open"
            case CheckKind.ASSERT if check.unsupported:
                yield f"{check.subject} is not supported"
            case CheckKind.ASSERT if check.forbidden_call:
                yield f"'{check.forbidden_call}' may be called"
            case CheckKind.ASSERT | CheckKind.SHAPE:
                yield f"'{check.subject}' may be false" if check.subject else "the assertion may fail"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
