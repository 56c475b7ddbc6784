"""What the comments of examples/ promise a newcomer is what heapwright says."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.paths import EXAMPLES

from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.result.outcomes import Result, Verdict


def check(path: Path, function: str | None = None, engine: str = "explore") -> Result:
    program = build(Input((str(path),), function=function), phase=lambda message: None)
    return analyze(program, Goal(), engine, Limits(), NullProgress())


def violated(result: Result) -> list[tuple[str, str]]:
    """Kinds of violations, each with the source line."""
    found = []
    for outcome in result.outcomes:
        if outcome.verdict is Verdict.VIOLATED:
            span = outcome.check.span
            found.append((outcome.check.kind.value, Path(span.file).read_text().splitlines()[span.line - 1].strip()))
    return found


def test_every_example_is_here() -> None:
    names = {path.stem for path in EXAMPLES.glob("*.c")}
    lists = {"queue", "queue_buggy", "list_reverse", "tree", "embedded_list", "remove_last", "list_append"}
    assert names == lists | {"string_length", "tree_rotation", "list_drain"}


@pytest.mark.parametrize("name", ["queue", "list_reverse", "tree", "embedded_list"])
def test_safe_examples_are_proved(name: str) -> None:
    assert check(EXAMPLES / f"{name}.c").verdict.value == "safe"


@pytest.mark.parametrize("name", ["tree_rotation", "list_drain"])
def test_structures_of_any_size_are_proved(name: str) -> None:
    assert check(EXAMPLES / f"{name}.c", engine="fesa").verdict.value == "safe"


def test_the_seeded_bug_is_found_where_it_is() -> None:
    found = violated(check(EXAMPLES / "queue_buggy.c"))
    assert found == [("use-after-free", "queue->last->next = node; /* writes to the freed node */")]


def test_a_function_by_itself_is_not_refuted() -> None:
    assert not violated(check(EXAMPLES / "remove_last.c", "remove_last"))


def test_without_its_assumption_the_function_breaks_on_the_empty_list(tmp_path: Path) -> None:
    text = (EXAMPLES / "remove_last.c").read_text()
    weaker = tmp_path / "weaker.c"
    weaker.write_text(text.replace("list != NULL && hw_acyclic", "hw_acyclic"))
    assert ("null-deref", "while ((*link)->next)") in violated(check(weaker, "remove_last"))
