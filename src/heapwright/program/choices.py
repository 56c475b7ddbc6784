"""Sources of nondeterministic choices: recorded, random, or symbolic for a search.

A run makes two kinds of requests. `value` requests a number of a range when an input appears; the result None makes it
a symbolic input, which gets a value when that matters. `pick` requests one of a few options.

>>> from heapwright.base.source import NOWHERE
>>> RandomChoices(7).pick(ChoiceRequest(ChoiceKind.INPUT, "malloc", NOWHERE), (0, 1)) in (0, 1)
True
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from heapwright.base.errors import InputError
from heapwright.base.source import Span
from heapwright.program.trace import Choice, ChoiceKind


@dataclass(frozen=True, slots=True)
class ChoiceRequest:
    """A pending choice; the fields are those of the `Choice` that it becomes. `constants` are the numbers that the
    program compares such a value with, `targets` the heap blocks and byte offsets of the options of an input
    pointer."""

    kind: ChoiceKind
    source: str
    span: Span
    low: int = 0
    high: int = 0
    block: int = -1
    offset: int = 0
    size: int = 0
    constants: tuple[int, ...] = ()
    targets: tuple[tuple[int, int], ...] = ()
    type: str = ""
    real: int | None = None  # of an approximate request: a value that some exact run has each time

    @property
    def approximate(self) -> bool:
        return self.kind is ChoiceKind.APPROXIMATE

    def rests(self, answer: int) -> bool:
        """Whether a run with this value depends on an approximation."""
        return self.approximate and answer != self.real

    def answered(self, value: int, used: bool = True) -> Choice:
        """The choice as it is recorded. An approximation that was never read counts as an input: the run does not
        depend on it."""
        kind = self.kind if used and self.rests(value) else ChoiceKind.INPUT
        choice = Choice(kind, self.source, value, self.span, self.block, self.offset, self.size)
        if not self.targets:
            return choice
        target, offset = self.targets[value]
        return replace(choice, target=target, target_offset=offset, type=self.type if value == 1 else "")


class ChoiceSource(Protocol):
    def value(self, request: ChoiceRequest) -> int | None: ...

    def pick(self, request: ChoiceRequest, options: Sequence[int]) -> int: ...


class UnmatchedChoices(InputError):
    """A run requests other choices than those that were recorded."""


class RecordedChoices:
    """The choices of an earlier run in their order; after the last one, the value nearest to 0."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self._choices = tuple(choices)
        self._next = 0

    def _take(self, request: ChoiceRequest) -> int | None:
        if self._next == len(self._choices):
            return None
        choice = self._choices[self._next]
        if choice.source != request.source:
            expected = f"expected a choice on '{request.source}', found one on '{choice.source}'"
            raise UnmatchedChoices(f"the recorded choices do not match the program: {expected}", request.span)
        self._next += 1
        return choice.value

    def value(self, request: ChoiceRequest) -> int | None:
        value = self._take(request)
        if value is None:
            return min(max(0, request.low), request.high)
        if not request.low <= value <= request.high:
            raise UnmatchedChoices(f"the recorded value {value} of '{request.source}' is out of range", request.span)
        return value

    def pick(self, request: ChoiceRequest, options: Sequence[int]) -> int:
        value = self._take(request)
        if value is None:
            return options[0]
        if value not in options:
            raise UnmatchedChoices(f"the recorded choice {value} on '{request.source}' is not possible", request.span)
        return value


class RandomChoices:
    """Random choices by a seeded generator: small numbers and those around the program's constants more often than
    others."""

    def __init__(self, seed: int, *, spread: int = 4) -> None:
        self._random = random.Random(seed)
        self._spread = spread

    def value(self, request: ChoiceRequest) -> int | None:
        draw = self._random
        kind = draw.random()
        if kind < 0.6:
            value = draw.randint(-self._spread, self._spread)
        elif kind < 0.9 and request.constants:
            value = draw.choice(request.constants) + draw.randint(-1, 1)
        else:
            value = draw.randint(request.low, request.high)
        return min(max(value, request.low), request.high)

    def pick(self, request: ChoiceRequest, options: Sequence[int]) -> int:
        return self._random.choice(options)


class SymbolicChoices:
    """For a search: numbers become symbolic inputs, and a choice among options raises the exception that `choice_point`
    makes."""

    def __init__(self, choice_point: Callable[[ChoiceRequest, tuple[int, ...]], Exception]) -> None:
        self._choice_point = choice_point

    def value(self, request: ChoiceRequest) -> int | None:
        return None

    def pick(self, request: ChoiceRequest, options: Sequence[int]) -> int:
        raise self._choice_point(request, tuple(options))
