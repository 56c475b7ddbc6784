"""Messages about checks: the claim of a check, and its verdict in one sentence.

>>> from heapwright.base.source import Span
>>> claim(Check(CheckKind.NULL_DEREF, Span("a.c", 1, 1), "main", subject="p"))
"'p' is not null"
"""

from __future__ import annotations

from typing import NamedTuple

from heapwright.program.checks import Check, CheckKind
from heapwright.result.outcomes import Outcome, Verdict

DESCRIPTIONS: dict[CheckKind, str] = {
    CheckKind.NULL_DEREF: "Dereference of a null pointer.",
    CheckKind.INVALID_DEREF: "Dereference of an uninitialised pointer, or of a pointer to an object whose lifetime has "
    "ended.",
    CheckKind.USE_AFTER_FREE: "Use of memory after it was freed.",
    CheckKind.DOUBLE_FREE: "Memory is freed twice.",
    CheckKind.INVALID_FREE: "The argument of free is not the start of a live heap block.",
    CheckKind.RESOURCE_LEAK: "A stream or directory is open and can no longer be closed.",
    CheckKind.LEAK: "A heap block has become unreachable and was not freed.",
    CheckKind.ASSERT: "An assertion fails, or an error function is called.",
    CheckKind.BOUNDS: "Access outside the bounds of a block.",
    CheckKind.SHAPE: "A data structure does not have the asserted shape.",
}

ADVICE: dict[CheckKind, str] = {
    CheckKind.NULL_DEREF: "Test the pointer before using it, or set it on every path to this point.",
    CheckKind.INVALID_DEREF: "Initialise the pointer, and do not use it after the lifetime of its target.",
    CheckKind.USE_AFTER_FREE: "Move the access before the free, and clear every pointer to the freed memory.",
    CheckKind.DOUBLE_FREE: "Set the pointer to null after freeing it, or give the memory a single owner.",
    CheckKind.INVALID_FREE: "Pass only the result of malloc, calloc or realloc to free.",
    CheckKind.RESOURCE_LEAK: "Close it before the last pointer to it is overwritten or goes out of scope.",
    CheckKind.LEAK: "Free the block before the last pointer to it is overwritten or goes out of scope.",
    CheckKind.ASSERT: "Look in the run for the step after which the condition is false.",
    CheckKind.BOUNDS: "Compare the index with the size of the block before the access.",
    CheckKind.SHAPE: "Look in the run for the step after which the links no longer have the shape.",
}


class Weakness(NamedTuple):
    """A number of the Common Weakness Enumeration, and a severity from 0 to 10 as code hosts show it."""

    cwe: int
    severity: float


WEAKNESSES: dict[CheckKind, Weakness] = {
    CheckKind.NULL_DEREF: Weakness(476, 5.5),
    CheckKind.INVALID_DEREF: Weakness(824, 7.5),
    CheckKind.USE_AFTER_FREE: Weakness(416, 8.8),
    CheckKind.DOUBLE_FREE: Weakness(415, 8.1),
    CheckKind.INVALID_FREE: Weakness(590, 7.5),
    CheckKind.LEAK: Weakness(401, 4.0),
    CheckKind.RESOURCE_LEAK: Weakness(772, 4.0),
    CheckKind.BOUNDS: Weakness(119, 8.8),
}


def claim(check: Check) -> str:
    """The condition that the check requires."""
    subject = f"'{check.subject}'" if check.subject else "the pointer"
    match check.kind:
        case CheckKind.NULL_DEREF:
            return f"{subject} is not null"
        case CheckKind.INVALID_DEREF:
            return f"{subject} points to a live object"
        case CheckKind.USE_AFTER_FREE:
            return f"{subject} does not point to freed memory"
        case CheckKind.DOUBLE_FREE:
            return f"{subject} has not been freed before"
        case CheckKind.INVALID_FREE:
            return f"{subject} points to the start of a heap block"
        case CheckKind.LEAK:
            return "all memory is freed at the end" if check.cleanup else "no memory leaks here"
        case CheckKind.RESOURCE_LEAK:
            return "all streams and directories that can no longer be closed are closed"
        case CheckKind.BOUNDS:
            return f"'{check.subject}' is within bounds" if check.subject else "the access is within bounds"
        case CheckKind.ASSERT if check.unsupported:
            return f"no run comes to {check.subject}, which is not supported"
        case CheckKind.ASSERT if check.forbidden_call:
            return f"'{check.forbidden_call}' is not called"
        case CheckKind.ASSERT | CheckKind.SHAPE:
            return f"'{check.subject}' holds" if check.subject else "the assertion holds"


def message(outcome: Outcome) -> str:
    """The message of an outcome, without source span and kind."""
    match outcome.verdict:
        case Verdict.VIOLATED if outcome.run and outcome.run.violation:
            return outcome.run.violation.message
        case Verdict.VIOLATED:
            return f"violated: {claim(outcome.check)}"
        case Verdict.UNKNOWN:
            return f"cannot prove that {claim(outcome.check)}"
        case Verdict.MASKED:
            return outcome.reason
        case Verdict.PROVED:
            return claim(outcome.check)


def counted(number: int, noun: str) -> str:
    """`1 step`, `2 steps`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")
