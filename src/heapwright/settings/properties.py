"""SV-COMP properties: parsing to goals, and verdicts in SV-COMP format.

A property is a name (`assertions` is one of our own) or a file with lines such as
`CHECK( init(main()), LTL(G valid-free) )`.

>>> goal = goal_of(["valid-free"])
>>> sorted(kind.value for kind in goal.kinds)
['double-free', 'invalid-free']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import reduce
from pathlib import Path

from heapwright.base.errors import InputError, UsageError
from heapwright.base.source import Span
from heapwright.program.checks import DEREF_KINDS, FREE_KINDS, Check, CheckKind, Goal
from heapwright.result.outcomes import Outcome, ProgramVerdict, Verdict

ERROR_FUNCTIONS = frozenset({"__VERIFIER_error", "reach_error"})
ASSERTIONS = "assertions"  # all of them; SV-COMP has no word for it
MEMSAFETY = frozenset({*DEREF_KINDS, *FREE_KINDS, CheckKind.LEAK})

RESOURCES = "resource-leak"

PROPERTIES: dict[str, Goal] = {
    goal.name: goal
    for goal in (
        Goal(MEMSAFETY, name="valid-memsafety"),
        Goal(frozenset({CheckKind.LEAK}), cleanup=True, name="valid-memcleanup"),
        Goal(frozenset({CheckKind.ASSERT}), ERROR_FUNCTIONS, name="unreach-call"),
        Goal(frozenset(DEREF_KINDS), name="valid-deref"),
        Goal(frozenset(FREE_KINDS), name="valid-free"),
        Goal(frozenset({CheckKind.LEAK}), name="valid-memtrack"),
        Goal(frozenset({CheckKind.RESOURCE_LEAK}), name=RESOURCES),
        Goal(frozenset({CheckKind.ASSERT}), name=ASSERTIONS),
    )
}

_LINE = re.compile(r"CHECK\s*\(\s*init\s*\(\s*(\w+)\s*\(\s*\)\s*\)\s*,\s*LTL\s*\(\s*(.*?)\s*\)\s*\)\s*")
_ALWAYS = re.compile(r"G\s+([\w-]+)")
_NEVER_CALLED = re.compile(r"G\s*!\s*call\s*\(\s*(\w+)\s*\(\s*\)\s*\)")


def goal_of(properties: Sequence[str]) -> Goal:
    """The union of the goals of properties; every check if there are none."""
    return reduce(_both, map(_goal, properties)) if properties else Goal()


def _goal(word: str) -> Goal:
    if word in PROPERTIES:
        return PROPERTIES[word]
    if word.endswith(".prp"):
        return _goal_of_file(Path(word))
    raise UsageError(f"unknown property '{word}'", hint="properties: " + ", ".join(PROPERTIES) + ", or a .prp file")


def _both(left: Goal, right: Goal) -> Goal:
    functions: frozenset[str] | None = frozenset()
    for goal in (left, right):
        if CheckKind.ASSERT in goal.kinds and functions is not None:
            functions = None if goal.error_functions is None else functions | goal.error_functions
    names = dict.fromkeys((*left.name.split(" + "), *right.name.split(" + ")))
    return Goal(left.kinds | right.kinds, functions, left.cleanup or right.cleanup, " + ".join(names))


def _goal_of_file(path: Path) -> Goal:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"'{path}' is not a property file: it is not UTF-8 text") from None
    goals = [
        _goal_of_line(line.strip(), Span(str(path), number, 1))
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip()
    ]
    if not goals:
        raise InputError(
            f"'{path}' contains no property", hint="expected a line such as: CHECK( init(main()), LTL(G valid-free) )"
        )
    return reduce(_both, goals)


def _goal_of_line(line: str, span: Span) -> Goal:
    match = _LINE.fullmatch(line)
    if not match:
        raise InputError("expected 'CHECK( init(main()), LTL(...) )'", span)
    function, formula = match.groups()
    if function != "main":
        raise InputError(f"entry function '{function}' instead of main", span, "use --function and a property name")
    called = _NEVER_CALLED.fullmatch(formula)
    if called and called[1] in ERROR_FUNCTIONS:
        return Goal(frozenset({CheckKind.ASSERT}), frozenset({called[1]}), name="unreach-call")
    always = _ALWAYS.fullmatch(formula)
    if always and always[1] in PROPERTIES and always[1] not in ("unreach-call", ASSERTIONS):
        return PROPERTIES[always[1]]
    raise InputError(f"property '{formula}' is not supported", span)


# --- results in SV-COMP format ---------------------------------------------------------------------------------------


def violated_word(check: Check, goal: Goal) -> str:
    """The property that a violated check violates: `valid-deref`."""
    if check.kind in DEREF_KINDS:
        return "valid-deref"
    if check.kind in FREE_KINDS:
        return "valid-free"
    if check.kind is CheckKind.LEAK:
        return "valid-memcleanup" if check.cleanup or goal.name == "valid-memcleanup" else "valid-memtrack"
    return RESOURCES if check.kind is CheckKind.RESOURCE_LEAK else "unreach-call"


def violated_formula(check: Check, goal: Goal) -> str:
    """The formula of that property in a witness: `G valid-deref`, `G ! call(reach_error())`."""
    word = violated_word(check, goal)
    return f"G ! call({check.error_function or 'reach_error'}())" if word == "unreach-call" else f"G {word}"


def goal_formula(goal: Goal) -> str:
    """The formula of a goal in a witness: `G valid-free`; those of several properties are joined by `&&`."""
    calls = ("unreach-call", ASSERTIONS)
    words = goal.name.split(" + ")
    return " && ".join("G ! call(reach_error())" if word in calls else f"G {word}" for word in words)


def result_word(outcomes: Iterable[Outcome], verdict: ProgramVerdict, goal: Goal) -> str:
    """`true`, `unknown`, or `false(valid-deref)` after the violated check with the shortest run."""
    violated = [outcome for outcome in outcomes if outcome.verdict is Verdict.VIOLATED]
    if violated:
        first = min(violated, key=lambda outcome: 0 if outcome.run is None else outcome.run.length)
        return f"false({violated_word(first.check, goal)})"
    return "true" if verdict is ProgramVerdict.SAFE else "unknown"
