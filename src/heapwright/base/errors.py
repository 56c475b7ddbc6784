"""What can go wrong outside the program under analysis: one root, one child per thing a user can do about it.

>>> raise InputError("unexpected '}'", Span("list.c", 3, 1))
Traceback (most recent call last):
heapwright.base.errors.InputError: list.c:3:1: unexpected '}'
"""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.base.source import Span


class HeapwrightError(Exception):
    """The root; the command line prints it as one sentence."""

    exit_code = 2

    def __init__(self, message: str, span: Span | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.span}: {self.message}" if self.span else self.message


class UsageError(HeapwrightError):
    """The command line or a configuration file asks for something that does not exist."""


class InputError(HeapwrightError):
    """A file cannot be read or is not what it should be."""


class UnsupportedError(HeapwrightError):
    """A construct that cannot be expressed soundly; `construct` names it."""

    def __init__(self, construct: str, span: Span | None = None, hint: str = "") -> None:
        super().__init__(f"cannot express {construct}", span, hint)
        self.construct = construct


class LimitReached(HeapwrightError):
    """A time or memory limit stopped the analysis; what was reached so far still counts."""

    exit_code = 3


class InternalError(HeapwrightError):
    """A fault of heapwright itself; `details` is the traceback for whoever mends it."""

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(f"internal error: {message}", hint="please report it with the file that causes it")
        self.details = details


class Contradiction(InternalError):
    """One engine proves a check that another one breaks with a run: one of them is wrong. `choices` are those of the
    run; `sources` the texts it is about, once they are known."""

    def __init__(
        self,
        check: str,
        proved_by: str,
        violated_by: str,
        choices: tuple[int, ...],
        sources: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(
            f"{proved_by} proves {check}, and {violated_by} has a run that breaks it: one of them is wrong"
        )
        self.check = check
        self.proved_by = proved_by
        self.violated_by = violated_by
        self.choices = choices
        self.sources = dict(sources or {})

    def __reduce__(self) -> tuple[type[Contradiction], tuple[object, ...]]:
        return Contradiction, (self.check, self.proved_by, self.violated_by, self.choices, self.sources)
