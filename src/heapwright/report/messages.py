"""Sentences about checks: what a check claims, and what its verdict says.

>>> from heapwright.base.source import Span
>>> claim(Check(CheckKind.NULL_DEREF, Span("a.c", 1, 1), "main", subject="p"))
"'p' is not null"
"""

from __future__ import annotations

from heapwright.program.checks import Check, CheckKind
from heapwright.result.outcomes import Outcome, Verdict

DESCRIPTIONS: dict[CheckKind, str] = {
    CheckKind.NULL_DEREF: "A null pointer is dereferenced.",
    CheckKind.INVALID_DEREF: "A pointer is dereferenced that is uninitialised, or whose object is out of scope.",
    CheckKind.USE_AFTER_FREE: "Memory is used after it was freed.",
    CheckKind.DOUBLE_FREE: "Memory is freed twice.",
    CheckKind.INVALID_FREE: "Something is freed that is not the start of a live heap block.",
    CheckKind.LEAK: "A heap block can no longer be reached and was not freed.",
    CheckKind.ASSERT: "An assertion fails, or an error function is called.",
    CheckKind.BOUNDS: "Memory is accessed outside the bounds of its block.",
    CheckKind.SHAPE: "A data structure does not have the shape that is claimed.",
}

ADVICE: dict[CheckKind, str] = {
    CheckKind.NULL_DEREF: "Test the pointer before it is used, or make sure that it is set on every way here.",
    CheckKind.INVALID_DEREF: "Initialise the pointer, and let it not outlive the variable that it points to.",
    CheckKind.USE_AFTER_FREE: "Read what is needed before memory is freed, and drop every pointer to it afterwards.",
    CheckKind.DOUBLE_FREE: "Set the pointer to null after it is freed, or make clear who owns the memory.",
    CheckKind.INVALID_FREE: "Pass to free only what malloc, calloc or realloc returned.",
    CheckKind.LEAK: "Free the block before the last pointer to it is overwritten or goes out of scope.",
    CheckKind.ASSERT: "Follow the run to the step at which the condition stops to hold.",
    CheckKind.BOUNDS: "Compare the index with the size of the block before the access.",
    CheckKind.SHAPE: "Follow the run to the step at which the links stop to have that shape.",
}


def claim(check: Check) -> str:
    """What the check says must hold."""
    subject = f"'{check.subject}'" if check.subject else "the pointer"
    match check.kind:
        case CheckKind.NULL_DEREF:
            return f"{subject} is not null"
        case CheckKind.INVALID_DEREF:
            return f"{subject} points to an object that exists"
        case CheckKind.USE_AFTER_FREE:
            return f"{subject} points to memory that is not freed"
        case CheckKind.DOUBLE_FREE:
            return f"{subject} is not freed already"
        case CheckKind.INVALID_FREE:
            return f"{subject} is the start of a heap block"
        case CheckKind.LEAK:
            return "all memory is freed at the end" if check.cleanup else "no memory is lost here"
        case CheckKind.BOUNDS:
            return f"'{check.subject}' is within bounds" if check.subject else "the access is within bounds"
        case CheckKind.ASSERT if check.error_function:
            return f"'{check.error_function}' is not called"
        case CheckKind.ASSERT | CheckKind.SHAPE:
            return f"'{check.subject}' holds" if check.subject else "the assertion holds"


def message(outcome: Outcome) -> str:
    """One sentence on an outcome, without place and kind."""
    match outcome.verdict:
        case Verdict.VIOLATED if outcome.run and outcome.run.violation:
            return outcome.run.violation.message
        case Verdict.VIOLATED:
            return f"it does not hold that {claim(outcome.check)}"
        case Verdict.UNKNOWN:
            return f"cannot prove that {claim(outcome.check)}"
        case Verdict.PROVED:
            return claim(outcome.check)
