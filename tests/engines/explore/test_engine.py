"""The search: what it finds, what it may claim, and that it agrees with the interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.assembler import assemble
from support.paths import ROOT
from support.running import NODE, explored, verdicts

from heapwright.analysis.judgement import run_engine
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.explore.engine import Explore
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.commands import Assign
from heapwright.program.expressions import NULL
from heapwright.program.runs.interpreter import replay, run
from heapwright.program.trace import Ending
from heapwright.result.outcomes import ProgramVerdict, Verdict

BUILD = """
h = null
loop:
havoc i
if i == 0 goto built
p = new node
p.next = h
h = p
goto loop
built:
p = null
"""
DESTROY = """
destroy:
if h == null goto end
p = h.next
free h
h = p
goto destroy
"""


def test_the_engine_is_registered() -> None:
    engine = load_engine("explore")
    assert engine.name == "explore"
    assert engine.proves == frozenset(CheckKind)


def test_a_program_without_checks_is_safe() -> None:
    assert explored("var i: i32\nhavoc i\ni = i * i").verdict is ProgramVerdict.SAFE


def test_a_safe_program_is_proved() -> None:
    result = explored(NODE + "p = new node\nhavoc i\nif i == 0 goto no\nfree p\ngoto end\nno:\nfree p")
    assert result.verdict is ProgramVerdict.SAFE
    assert result.complete
    assert result.stats["runs"] == 2
    for name in ("time_s", "peak_mb", "locations", "iterations", "states", "runs", "depth"):
        assert name in result.stats


def test_endless_loops_come_back_to_known_states() -> None:
    """Without a bound being hit: the search is exhaustive."""
    text = NODE + "loop:\np = new node\nhavoc i\nif i == 0 goto done\nfree p\ngoto loop\ndone:\nfree p"
    assert explored(text).verdict is ProgramVerdict.SAFE
    assert explored(NODE + "i = 0\nloop:\nif i == 5 goto loop\ni = i + 1\ngoto loop").verdict is ProgramVerdict.SAFE


def test_a_bound_leaves_checks_open_and_says_which() -> None:
    result = explored(NODE + BUILD + DESTROY, objects=3)
    assert result.verdict is ProgramVerdict.UNKNOWN
    assert not result.complete
    assert "more than 3 heap blocks" in result.limit
    assert all("3 heap blocks" in outcome.reason for outcome in result.outcomes)


def test_steps_and_states_and_time_are_bounds() -> None:
    loop = NODE + "i = 0\nl:\ni = i + 1\nif i < 100000 goto l\nassert i == 7"
    assert "more than 50 steps" in explored(loop, steps=50).limit
    assert "more than 5 states" in explored(NODE + BUILD + DESTROY, states=5).limit
    expired = Limits(deadline=time.monotonic() - 1)
    assert "time ran out" in run_engine(Explore(), assemble(loop), Goal(), expired, NullProgress()).limit


def test_every_violated_check_is_found_with_a_short_run() -> None:
    text = NODE + BUILD + "free h\ni = h.data\nfree h"
    result = explored(text, objects=4)
    found = {
        f"{o.check.span.line}:{o.check.kind.value}": o.run for o in result.outcomes if o.verdict is Verdict.VIOLATED
    }
    assert set(found) == {"19:leak", "20:null-deref", "20:use-after-free"}
    lengths = {name: len(run.choices) for name, run in found.items() if run is not None}
    assert lengths == {"19:leak": 3, "20:null-deref": 1, "20:use-after-free": 2}


def test_a_violation_is_passed_on_at_once() -> None:
    progress = NullProgress()
    run_engine(Explore(), assemble(NODE + "p = null\ni = p.data"), Goal(), Limits(), progress)
    assert [outcome.check.id for outcome in progress.outcomes] == ["t.c:9:1:null-deref"]


def test_long_deterministic_ways_are_followed() -> None:
    text = NODE + "i = 0\nl:\ni = i + 1\nif i < 500 goto l\nassert i == 7"
    assert verdicts(explored(text)) == {"12:assert": "violated"}


def test_deep_nondeterministic_ways_are_followed() -> None:
    """A list of six with a seven at its end."""
    text = (
        NODE
        + """h = null
loop:
havoc i
if i == 0 goto built
p = new node
havoc j
p.data = j
p.next = h
h = p
goto loop
built:
i = 0
q = h
walk:
if q == null goto end
i = i + 1
j = q.data
q = q.next
if i < 6 goto walk
if j != 7 goto walk
assert i == 0
"""
    )
    result = explored(text, objects=8, states=60_000)
    assert verdicts(result).get("28:assert") == "violated"


def test_inputs_are_split_where_they_are_compared() -> None:
    """No value has to be guessed, however odd the constant."""
    text = NODE + "havoc n\nif n != 123457 goto end\nassert n == 0"
    assert verdicts(explored(text)) == {"10:assert": "violated"}
    assert explored(NODE + "havoc n\nif n < 1000 goto end\nassert n > 999").verdict is ProgramVerdict.SAFE
    assert explored(NODE + "havoc n\ni = n + 1\nif n == 2147483647 goto end\nassert i > n").complete


def test_copies_agree() -> None:
    assert explored(NODE + "p = new node\nhavoc n\np.data = n\ni = p.data\nassert i == n\nfree p").complete


def test_a_narrow_input_is_tried_in_full() -> None:
    text = NODE + "havoc n 0 9\ni = n * n\nassert i != 49"
    assert verdicts(explored(text)) == {"10:assert": "violated"}
    assert explored(NODE + "havoc n 0 9\ni = n * n\nassert i < 82").verdict is ProgramVerdict.SAFE


def test_a_wide_input_is_tried_in_part() -> None:
    result = explored(NODE + "havoc n\ni = n * 2\nassert i != 46000")
    assert result.verdict is ProgramVerdict.UNKNOWN
    assert "only some values" in result.limit


def test_a_violation_by_approximation_is_unknown_with_its_run() -> None:
    result = explored(NODE + "havoc n approximate\nassert n != 5")
    outcome = result.outcomes[0]
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.run is not None
    assert outcome.run.ending is Ending.VIOLATION
    assert "which is approximated" in outcome.reason


def test_an_exact_run_is_found_behind_an_approximate_one() -> None:
    long_way = "skip\n" * 300
    text = f"{NODE}havoc i\nif i == 3 goto late\nhavoc n approximate\nif n == 5 goto bad\ngoto end\nlate:\n{long_way}"
    text += "bad:\nassert j != j"
    assert verdicts(explored(text)) == {"315:assert": "violated"}


def test_a_wrong_cast_is_no_proof() -> None:
    text = "type a 8: v@0: i32\ntype b 8: w@0 -> b\nvar p -> a\nvar q -> b\np = new a\np.v = 1\nq = (b) p\nq = q.w\n"
    assert "a pointer is used whose bytes are not those of one" in explored(text + "q = q.w").limit


def test_input_heaps() -> None:
    walk = "p = any node\nassume acyclic(p, next)\nl:\nif p == null goto end\np = p.next\ngoto l"
    result = explored(NODE + walk, goal=Goal(frozenset((CheckKind.NULL_DEREF, CheckKind.USE_AFTER_FREE))))
    assert "input heaps of more than 4 objects" in result.limit
    assert not [o for o in result.outcomes if o.verdict is Verdict.VIOLATED]
    bad = explored(NODE + "p = any node\nassume p != null\nq = p.next\ni = q.data")
    found = next(o for o in bad.outcomes if o.verdict is Verdict.VIOLATED)
    assert found.check.id == "t.c:11:1:null-deref"
    free_twice = explored(NODE + "p = any node\nassume p != null\nq = p.next\nfree p\nfree q", input_objects=2)
    assert verdicts(free_twice)["12:double-free"] == "violated"


def test_input_heaps_that_are_left_out_are_named() -> None:
    declarations = "type head 8: next@0 -> head\ntype item 16: v@0: i32, link@8 part head\ntype int[] 4: [] : i32\n"
    declarations += "var l -> head\nvar x -> item\nvar a -> int[]\nvar i: i32\n"
    assert "part of others" in explored(declarations + "l = any head").limit
    assert "more than one cell" in explored(declarations + "a = any int[]").limit
    assert explored(declarations + "x = any item").complete


def test_cleanup_and_leaks() -> None:
    text = NODE + "h = new node\ncleanup"
    assert explored(text).verdict is ProgramVerdict.SAFE
    assert verdicts(explored(text, Goal(cleanup=True))) == {"9:leak": "violated"}


# --- agreement with the interpreter ----------------------------------------------------------------------------------

COMMANDS = [
    "p = null",
    "p = new node",
    "q = new node mayfail",
    "p = q",
    "q = p",
    "h = p",
    "p = h",
    "h = q",
    "p = p.next",
    "q = p.next",
    "p.next = q",
    "q.next = h",
    "p.next = null",
    "p.data = n",
    "q.data = i + 1",
    "i = p.data",
    "n = q.data",
    "havoc n",
    "havoc i 0 2",
    "havoc j approximate",
    "i = i + 1",
    "n = n - i",
    "i = 0",
    "n = n * 2",
    "free p",
    "free q",
    "free h",
    "assert p != null",
    "assert p == q",
    "assert i != 2",
    "assert n < 3",
    "assert acyclic(p, next)",
    "p = any node",
    "q = any node",
    "a = new int[] count (i)",
    "a = new int[] count (3) zeroed",
    "a = a + 1",
    "a = a + n",
    "a[i] = n",
    "n = a[i]",
    "n = a[n]",
    "free a",
    "k = new item",
    "l = &k.link",
    "k = owner l item.link",
    "l.next = m",
    "l = l.next",
    "m = l",
    "i = k.value",
    "free k",
    "leave s",
    "s = new node stack",
    "p = s",
    "scramble p.data",
]
TESTS = ["p == null", "p == q", "h != q", "i < 2", "n == 1", "i == n", "n >= i", "j == 0", "l == m", "a == null"]
DECLARATIONS = (
    """
type int[] 4: [] : i32
type head 8: next@0 -> head
type item 16: value@0: i32, link@8 part head
"""
    + NODE
    + """
var a -> int[]
var k -> item
var l -> head
var m -> head
var s -> node
"""
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Straight lines with jumps forwards and backwards between them."""
    count = draw(st.integers(3, 10))
    lines: list[str] = ["h = null", "p = null", "q = null"]
    for index in range(count):
        lines.append(f"l{index}:")
        lines.append(draw(st.sampled_from(COMMANDS)))
        if draw(st.integers(0, 2)) == 0:
            target = draw(st.integers(0, count))
            lines.append(f"if {draw(st.sampled_from(TESTS))} goto l{target}")
    lines.append(f"l{count}:")
    lines.append("skip")
    return DECLARATIONS + "\n".join(lines)


@settings(max_examples=120, deadline=None)
@given(programs(), st.integers(0, 1000))
def test_exhaustive_search_agrees_with_random_runs(text: str, seed: int) -> None:
    """No random run violates what was proved, and every violation found can be replayed."""
    program = assemble(text)
    limits = Limits(steps=300, objects=5, states=3_000)
    result = run_engine(Explore(), program, Goal(), limits, NullProgress())
    verdict = {outcome.check.id: outcome.verdict for outcome in result.outcomes}
    for outcome in result.outcomes:
        if outcome.verdict is Verdict.VIOLATED:
            assert outcome.run is not None
            again = replay(program, Goal(), outcome.run.choices, check=outcome.check.id)
            assert again == outcome.run
            assert again.exact
        assert "did not when replayed" not in outcome.reason
    for number in range(30):
        one = run(program, Goal(), RandomChoices(seed + number), max_steps=300)
        for violation, part in one.failures:
            found = verdict[violation.check.id]
            assert found is not Verdict.PROVED
            if result.complete and part.exact:
                assert found is Verdict.VIOLATED


SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
from support.running import explored
result = explored({text!r}, objects=5)
stats = {{k: v for k, v in result.stats.items() if k not in ("time_s", "peak_mb")}}
print(result.outcomes, result.limit, stats)
"""


@pytest.mark.parametrize("text", [NODE + BUILD + DESTROY, NODE + BUILD + "free h\ni = h.data\nfree h"])
def test_the_hash_seed_changes_nothing(text: str) -> None:
    tests = str(ROOT / "tests")
    answers = set()
    for seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", SCRIPT.format(tests=tests, text=text)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        answers.add(done.stdout)
    assert len(answers) == 1


def test_locations_that_no_run_reaches() -> None:
    text = NODE + "p = null\nif p == null goto one\nh = null\none:\nhavoc i\nif i == 0 goto end\ni = 3"
    program = assemble(text)
    result = explored(text)
    assert [edge.command for edge in program.graph.edges if edge.source in result.unreached] == [Assign("h", NULL)]
    assert not explored(text, steps=1).unreached, "the search was not exhaustive"
    assert not explored(text, Goal(frozenset())).unreached, "there was none"
