"""The table of TVLA's examples: what is said of each folder."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

from support.paths import ROOT


def script() -> Any:
    """bench/tvla.py, which is no package."""
    spec = importlib.util.spec_from_file_location("bench_tvla", ROOT / "bench" / "tvla.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look it up
    spec.loader.exec_module(module)
    return module


TVLA = script()


def run(structures: int, *, stopped: str = "", messages: int = 0) -> Any:
    return TVLA.Run(1.0, 1.0, {"exit": structures}, message_count=messages, total=structures, stopped=stopped)


def table(*found: tuple[str, Any, Any]) -> list[str]:
    summary = TVLA.Summary()
    for program, theirs, ours in found:
        summary.taken(TVLA.Example("sll", program, "sll", "part"), theirs, ours)
    text: str = summary.table()
    return text.splitlines()[2:]


def test_examples_that_agree_are_counted() -> None:
    assert table(("append", run(3), run(3)), ("swap", run(4), run(4))) == ["| `sll` | 2 | 2 |  |"]


def test_a_difference_is_told() -> None:
    (line,) = table(("append", run(3), run(3)), ("swap", run(4), run(5)))
    assert line == "| `sll` | 2 | 1 | swap: structures at 1 of 1 locations: exit 4/5 |"


def test_other_messages_are_a_difference() -> None:
    (line,) = table(("swap", run(4), run(4, messages=1)))
    assert line == "| `sll` | 1 | 0 | swap: 0 and 1 messages |"


def test_a_refusal_is_told_in_its_words() -> None:
    (line,) = table(("swap", run(4), run(0, stopped="swap.tvp:1:1: error: threads are not supported")))
    assert line == "| `sll` | 1 | 0 | swap: refused: threads are not supported |"


def test_what_does_not_finish_agrees_with_nothing() -> None:
    (line,) = table(("swap", run(4), run(0, stopped="timeout")))
    assert line == "| `sll` | 1 | 0 | swap: heapwright: timeout |"
