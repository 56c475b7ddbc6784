"""Properties in SV-COMP's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.base.errors import InputError
from heapwright.base.source import Span
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.trace import Ending, Run
from heapwright.result.outcomes import Outcome, ProgramVerdict, Verdict
from heapwright.settings.properties import (
    PROPERTIES,
    goal_formula,
    goal_of,
    result_word,
    violated_formula,
    violated_word,
)

MEMSAFETY = """\
CHECK( init(main()), LTL(G valid-free) )
CHECK( init(main()), LTL(G valid-deref) )
CHECK( init(main()), LTL(G valid-memtrack) )

"""


def goal_of_text(text: str, tmp_path: Path) -> Goal:
    path = tmp_path / "p.prp"
    path.write_text(text, encoding="utf-8")
    return goal_of([str(path)])


def test_default_is_everything() -> None:
    assert goal_of([]) == Goal()
    assert goal_of([]).kinds == frozenset(CheckKind)


def test_words() -> None:
    assert CheckKind.ASSERT not in goal_of(["valid-memsafety"]).kinds
    assert goal_of(["valid-memcleanup"]).cleanup
    assert goal_of(["unreach-call"]).error_functions == frozenset({"__VERIFIER_error", "reach_error"})


def test_assertions_are_all_assertions(tmp_path: Path) -> None:
    goal = goal_of(["assertions"])
    assert (goal.kinds, goal.error_functions) == (frozenset({CheckKind.ASSERT}), None)
    assert goal_formula(goal) == "G ! call(reach_error())"
    assert goal_of(["assertions", "unreach-call"]).error_functions is None
    with pytest.raises(InputError, match="'G assertions' is not supported"):
        goal_of_text("CHECK( init(main()), LTL(G assertions) )\n", tmp_path)


def test_memory_safety_file_is_the_word(tmp_path: Path) -> None:
    assert goal_of_text(MEMSAFETY, tmp_path).kinds == PROPERTIES["valid-memsafety"].kinds


@pytest.mark.parametrize("function", ["reach_error", "__VERIFIER_error"])
def test_unreachable_call(function: str, tmp_path: Path) -> None:
    goal = goal_of_text(f"CHECK( init(main()), LTL(G ! call({function}())) )\n", tmp_path)
    assert (goal.kinds, goal.error_functions) == (frozenset({CheckKind.ASSERT}), frozenset({function}))


def test_combination() -> None:
    goal = goal_of(["unreach-call", "valid-memcleanup"])
    assert goal.kinds == {CheckKind.ASSERT, CheckKind.LEAK}
    assert goal.cleanup
    assert goal.error_functions == frozenset({"__VERIFIER_error", "reach_error"})
    assert goal.name == "unreach-call + valid-memcleanup"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("CHECK( init(main()), LTL(F end) )", "property 'F end' is not supported"),
        ("CHECK( init(main()), LTL(G ! overflow) )", "property 'G ! overflow' is not supported"),
        ("CHECK( init(main()), LTL(G ! call(abort())) )", "is not supported"),
        ("CHECK( init(f()), LTL(G valid-free) )", "entry function 'f' instead of main"),
        ("hello", "expected 'CHECK( init(main())"),
    ],
)
def test_refusals_name_the_line(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refusal:
        goal_of_text("\n" + line + "\n", tmp_path)
    assert message in str(refusal.value)
    assert refusal.value.span is not None
    assert refusal.value.span.line == 2


def test_empty_and_binary_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="contains no property"):
        goal_of_text("\n\n", tmp_path)
    (tmp_path / "b.prp").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        goal_of([str(tmp_path / "b.prp")])


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (CheckKind.NULL_DEREF, "valid-deref"),
        (CheckKind.BOUNDS, "valid-deref"),
        (CheckKind.USE_AFTER_FREE, "valid-deref"),
        (CheckKind.DOUBLE_FREE, "valid-free"),
        (CheckKind.LEAK, "valid-memtrack"),
        (CheckKind.ASSERT, "unreach-call"),
    ],
)
def test_result_words(kind: CheckKind, word: str) -> None:
    check = Check(kind, Span("a.c", 1, 1), "main")
    outcomes = [Outcome(check, Verdict.VIOLATED, "explore")]
    assert result_word(outcomes, ProgramVerdict.UNSAFE, Goal()) == f"false({word})"


def test_other_results() -> None:
    assert result_word([], ProgramVerdict.SAFE, Goal()) == "true"
    assert result_word([], ProgramVerdict.UNKNOWN, Goal()) == "unknown"
    leak = Check(CheckKind.LEAK, Span("a.c", 1, 1), "main")
    assert violated_word(leak, PROPERTIES["valid-memcleanup"]) == "valid-memcleanup"
    error = Check(CheckKind.ASSERT, Span("a.c", 1, 1), "main", error_function="__VERIFIER_error")
    assert violated_formula(error, Goal()) == "G ! call(__VERIFIER_error())"


def test_the_result_is_that_of_the_shortest_run() -> None:
    kinds = ((CheckKind.LEAK, 9), (CheckKind.NULL_DEREF, 4), (CheckKind.DOUBLE_FREE, 7))
    outcomes = [
        Outcome(
            Check(kind, Span("a.c", line, 1), "main"),
            Verdict.VIOLATED,
            "x",
            Run((), (), Ending.VIOLATION, length=length),
        )
        for line, (kind, length) in enumerate(kinds, 1)
    ]
    assert result_word(outcomes, ProgramVerdict.UNSAFE, Goal()) == "false(valid-deref)"
