"""Errors reported to users: one root, one child per thing that a user can do about it.

>>> raise InputError("unexpected '}'", Span("list.c", 3, 1))
Traceback (most recent call last):
heapwright.base.errors.InputError: list.c:3:1: unexpected '}'
"""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.base.source import Span


class HeapwrightError(Exception):
    """Root of all errors; the command line prints it as a one-line diagnostic."""

    exit_code = 2

    def __init__(self, message: str, span: Span | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.span}: {self.message}" if self.span else self.message


class UsageError(HeapwrightError):
    """The command line or a configuration file names something that does not exist."""


class InputError(HeapwrightError):
    """A file cannot be read or is malformed."""


class StaleSnapshot(InputError):
    """Files are not what they were when they were listed; another attempt may succeed."""


class UnsupportedError(HeapwrightError):
    """A construct that is not supported; `construct` names it."""

    def __init__(self, construct: str, span: Span | None = None, hint: str = "") -> None:
        super().__init__(f"{construct} is not supported", span, hint)
        self.construct = construct


class LimitReached(HeapwrightError):
    """A time or memory limit stopped the analysis; results found before it stay valid."""

    exit_code = 3


class InternalError(HeapwrightError):
    """A fault of heapwright itself; `details` is the traceback, for a bug report."""

    exit_code = 4

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(f"internal error: {message}", hint="please report it with the file that causes it")
        self.details = details


class Contradiction(InternalError):
    """Engines disagree: one proves a check that a run of another one violates. `choices` are those of the run,
    `sources` the texts of the program, once they are known."""

    def __init__(
        self,
        check: str,
        proved_by: str,
        violated_by: str,
        choices: tuple[int, ...],
        sources: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"engines disagree on {check}: proved by {proved_by}, violated by a run of {violated_by}")
        self.check = check
        self.proved_by = proved_by
        self.violated_by = violated_by
        self.choices = choices
        self.sources = dict(sources or {})

    def __reduce__(self) -> tuple[type[Contradiction], tuple[object, ...]]:
        return Contradiction, (self.check, self.proved_by, self.violated_by, self.choices, self.sources)
