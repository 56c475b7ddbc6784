"""The engine on C programs: what it proves, and that it never proves a marked violation."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.collection import name_of, programs
from support.judging import never_proves_a_violation

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.tvl.engine import Tvl
from heapwright.engines.tvl.focus.strategies import RefineKind
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind
from heapwright.result.outcomes import ProgramVerdict, Result, Verdict
from heapwright.settings.properties import goal_of
from heapwright.testing.expectations import read

PROVED = [
    "arrays/counted_ok",
    "arrays/counted_step_ok",
    "booleans/both_ok",
    "booleans/condition_ok",
    "booleans/empty_ok",
    "booleans/equal_ok",
    "booleans/find_ok",
    "booleans/flip_ok",
    "booleans/member_ok",
    "booleans/negation_ok",
    "booleans/search_ok",
    "booleans/take_ok",
    "booleans/toggle_ok",
    "calls/mutual_free_ok",
    "calls/mutual_parity_ok",
    "calls/mutual_walk_ok",
    "calls/recursive_append_ok",
    "calls/recursive_build_ok",
    "calls/recursive_deal_ok",
    "calls/recursive_drop_ok",
    "calls/recursive_filter_ok",
    "calls/recursive_last_ok",
    "calls/recursive_reference_ok",
    "calls/recursive_reverse_ok",
    "calls/recursive_skip_ok",
    "calls/recursive_turn_ok",
    "circular/sentinel_ok",
    "control/goto_cleanup_ok",
    "dll/insert_after_ok",
    "dll/remove_ok",
    "embedded/deep_ok",
    "embedded/hlist_ok",
    "lists/build_free_ok",
    "lists/payload_ok",
    "lists/remove_ok",
    "lists/unbounded_ok",
    "memory/may_fail_ok",
    "memory/untyped_ok",
    "pointers/deep_ok",
    "pointers/field_address_ok",
    "pointers/interior_keeps_ok",
    "pointers/swap_ok",
    "structs/embedded_copy_ok",
    "specs/dll_ok",
    "specs/tree_ok",
    "structs/self_copy_ok",
    "trees/parent_ok",
    "trees/rotate_ok",
    "unions/tagged_ok",
]


def analysed(
    path: Path, embedding: EmbeddingKind = "strict", refine: RefineKind = "formula", states: int = 2_000
) -> Result:
    expected = read(path)
    program = build(expected.input(path), lambda phase: None)
    limits = Limits(states=states)
    return run_engine(
        Tvl(embedding=embedding, focus=refine), program, goal_of(expected.properties), limits, NullProgress()
    )


@pytest.mark.exhaustive(4)
@pytest.mark.parametrize("path", [p for p in programs() if name_of(p) in PROVED], ids=name_of)
def test_proved(path: Path) -> None:
    assert analysed(path, states=5_000).verdict is ProgramVerdict.SAFE


@pytest.mark.slow
def test_two_calls_that_wait_with_nodes_of_two_lists() -> None:
    merge = next(path for path in programs() if name_of(path) == "calls/recursive_merge_ok")
    assert analysed(merge, states=40_000).verdict is ProgramVerdict.SAFE


# Safe because a list has several nodes, which loose embedding does not remember.
LONG_ENOUGH = ("dll/remove_ok",)


@pytest.mark.exhaustive(3)
@pytest.mark.parametrize("path", [p for p in programs() if name_of(p) in PROVED], ids=name_of)
def test_proved_with_loose_embedding(path: Path) -> None:
    assert (analysed(path, "loose", states=5_000).verdict is ProgramVerdict.SAFE) == (name_of(path) not in LONG_ENOUGH)


@pytest.mark.exhaustive(4)
@pytest.mark.parametrize("path", [p for p in programs() if name_of(p) in PROVED], ids=name_of)
def test_proved_with_adaptive_embedding(path: Path) -> None:
    assert analysed(path, "adaptive").verdict is ProgramVerdict.SAFE


AGREEING = (
    "lists/build",
    "lists/reverse",
    "lists/unbounded",
    "lists/order",
    "dll/insert",
    "dll/remove",
    "trees/rotate",
)


@pytest.mark.exhaustive(11)
@pytest.mark.parametrize("path", [p for p in programs() if name_of(p).startswith(AGREEING)], ids=name_of)
@pytest.mark.parametrize("embedding", ["strict", "loose"])
def test_both_ways_of_refining_agree(path: Path, embedding: EmbeddingKind) -> None:
    by_formula, by_meet = analysed(path, embedding), analysed(path, embedding, refine="meet")
    assert by_formula.complete
    assert by_meet.complete
    assert [outcome.verdict for outcome in by_meet.outcomes] == [outcome.verdict for outcome in by_formula.outcomes]
    assert by_meet.stats["structures_in_graph"] == by_formula.stats["structures_in_graph"]


BAD = [path for path in programs() if read(path).bad and not name_of(path).startswith("structures/")]
FOLDERS = ("lists", "dll", "circular", "trees", "booleans", "calls/recursive_")


@pytest.mark.exhaustive(10)
@pytest.mark.parametrize("path", [p for p in BAD if name_of(p).startswith(FOLDERS)], ids=name_of)
@pytest.mark.parametrize("embedding", ["strict", "loose", "adaptive"])
@pytest.mark.slow
def test_bugs_in_structures_are_not_proved_away(path: Path, embedding: EmbeddingKind) -> None:
    never_proves_a_violation(read(path), analysed(path, embedding))


@pytest.mark.long
@pytest.mark.parametrize("path", [p for p in BAD if not name_of(p).startswith(FOLDERS)], ids=name_of)
@pytest.mark.parametrize("embedding", ["strict", "loose"])
def test_no_bug_is_proved_away(path: Path, embedding: EmbeddingKind) -> None:
    never_proves_a_violation(read(path), analysed(path, embedding))


def test_the_contents_of_arrays_are_unknown_and_indices_checked(tmp_path: Path) -> None:
    path = tmp_path / "array.c"
    text = """// expect: safe
    #include <assert.h>
    int main(void) {
        int a[20];
        a[3] = 1;
        for (int i = 0; i < 20; i++)
            a[i] = 2;
        assert(a[3] == 2);
        return 0;
    }
    """
    path.write_text(text, encoding="utf-8")
    result = analysed(path)
    unknown = {(o.check.span.line, o.check.kind.value) for o in result.outcomes if o.verdict is not Verdict.PROVED}
    assert unknown == {(7, "bounds"), (8, "assert")}
