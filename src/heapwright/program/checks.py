"""Checks, and the goal of an analysis: the checks that are selected.

>>> Check(CheckKind.LEAK, Span("list.c", 9, 1), "main").id
'list.c:9:1:leak'
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from heapwright.base.source import Span


class CheckKind(Enum):
    NULL_DEREF = "null-deref"
    INVALID_DEREF = "invalid-deref"  # uninitialised, or out of scope
    USE_AFTER_FREE = "use-after-free"
    DOUBLE_FREE = "double-free"
    INVALID_FREE = "invalid-free"  # not the start of a live heap block
    LEAK = "leak"
    RESOURCE_LEAK = "resource-leak"  # an open stream or directory; these checks exist only if they are asked for
    ASSERT = "assert"
    BOUNDS = "bounds"
    SHAPE = "shape"


DEREF_KINDS = (CheckKind.NULL_DEREF, CheckKind.INVALID_DEREF, CheckKind.USE_AFTER_FREE, CheckKind.BOUNDS)
FREE_KINDS = (CheckKind.DOUBLE_FREE, CheckKind.INVALID_FREE)
LEAK_KINDS = (CheckKind.LEAK, CheckKind.RESOURCE_LEAK)


@dataclass(frozen=True, slots=True)
class Check:
    """Identified by span and kind: inlined copies of a statement share their checks."""

    kind: CheckKind
    span: Span
    function: str
    subject: str = ""  # the user's text: the pointer that is dereferenced or freed, the condition, the array access
    error_function: str = ""  # of an assertion: the function whose call is the failure (reach_error)
    cleanup: bool = False  # of a leak: claims that no heap block at all is live when main has returned
    unsupported: bool = False  # of an assertion: claims that a construct of C which is not supported is not reached

    @property
    def id(self) -> str:
        return f"{self.span}:{self.kind.value}{':unsupported' if self.unsupported else ''}"

    @property
    def forbidden_call(self) -> str:
        """Of an assertion: the function of the program's own that must not be called; "" for `assert` itself."""
        return "" if self.error_function == "assert" else self.error_function

    @property
    def undefined_behaviour(self) -> bool:
        """Whether a failure is undefined behaviour in C. A failing assertion ends the program, and a leak
        does no harm to the rest of the run."""
        return self.unsupported or self.kind not in (*LEAK_KINDS, CheckKind.ASSERT, CheckKind.SHAPE)

    @property
    def ends_run(self) -> bool:
        """Whether a run ends where the check fails, selected or not."""
        return self.kind not in LEAK_KINDS


@dataclass(frozen=True, slots=True)
class Goal:
    """The selected checks. `cleanup`: blocks that a global still reaches at exit are leaks too. `pictures`: abstract
    states at each location are requested as well, which takes time. `audit`: membership of concrete heaps will be
    queried, in the same process. `proved`: checks that an earlier engine has proved; they may be assumed to hold.
    `violated`: checks that an earlier engine has violated. They need no verdict, but other runs may violate them too: a
    run ends there, unless the check is a leak. `certificate`: the invariants behind the proof are requested, as plain
    data."""

    kinds: frozenset[CheckKind] = frozenset(CheckKind)
    error_functions: frozenset[str] | None = None  # restricts assertions to calls of these; None: all assertions
    cleanup: bool = False
    name: str = "all"
    only: frozenset[str] | None = None  # restricts it to the checks with these identities
    pictures: bool = False
    audit: bool = False
    proved: frozenset[str] = frozenset()
    violated: frozenset[str] = frozenset()
    certificate: bool = False

    def selects(self, check: Check) -> bool:
        if self.only is not None and check.id not in self.only:
            return False
        if check.unsupported:
            return True  # whatever the property: it has no semantics
        if check.kind not in self.kinds or (check.cleanup and not self.cleanup):
            return False
        if check.kind is CheckKind.ASSERT and self.error_functions is not None:
            return check.error_function in self.error_functions
        return True

    def includes(self, check: Check) -> bool:
        """Whether an engine must decide a check: it is selected, or its failure is undefined behaviour and it has not
        been decided before."""
        decided = check.id in self.proved or check.id in self.violated
        return self.selects(check) or (check.undefined_behaviour and not decided)
