"""The verdicts in the comments of tests/programs, held against what a real compiler's sanitizers see.

A program that is marked safe runs clean on every input drawn; one that is marked unsafe fails on some input, and each
failure is at a marked line. Leaks show as blocks that are still live when the program ends. This guards the marks, not
heapwright: a wrong mark would make a wrong analysis look right.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.collection import name_of, programs
from support.paths import TESTS

from heapwright.c.options import HEADERS
from heapwright.testing import conformance
from heapwright.testing.expectations import Expectation, read

SUPPORT = TESTS / "support"
RUNS = 60
DOES_NOT_COUNT = 99  # exit code of a run whose assumptions do not hold
FLAGS = ["-std=gnu17", "-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
FLAGS += ["-ftrivial-auto-var-init=pattern", "-fno-builtin", "-idirafter", str(HEADERS)]
SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=0:handle_abort=1:detect_stack_use_after_return=1:max_malloc_fill_size=4096",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


def runs_here(expected: Expectation) -> bool:
    return expected.gcc and expected.function is None and expected.data_model == "LP64"


# The structures are as large as the environment likes, and they are many.
CASES = [
    pytest.param(path, id=name_of(path), marks=[pytest.mark.long] if "structures" in path.parts else [])
    for path in programs()
    if runs_here(read(path))
]
CASES += [
    pytest.param(path, id=f"conformance/{conformance.name_of(path)}", marks=pytest.mark.slow)
    for path in conformance.PROGRAMS
    if runs_here(read(path))
]


@pytest.fixture(scope="session")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stubs as an object file; without a compiler that has the sanitizers there is nothing to hold against."""
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc")
    target = tmp_path_factory.mktemp("stubs") / "stubs.o"
    command = ["gcc", *FLAGS, "-c", str(SUPPORT / "verifier_stubs.c"), "-o", str(target)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode:
        pytest.skip(f"gcc cannot build with sanitizers: {built.stderr.splitlines()[0]}")
    return target


@pytest.mark.exhaustive(30)
@pytest.mark.parametrize("path", CASES)
def test_the_marks_are_what_a_compiled_program_shows(path: Path, stubs: Path, tmp_path: Path) -> None:
    expected = read(path)
    program = tmp_path / "program"
    include = ["-include", str(SUPPORT / "counting.h")]
    command = ["gcc", *FLAGS, *include, str(path), str(stubs), "-o", str(program), "-lm"]
    subprocess.run(command, check=True)
    marked = {line for line, _ in expected.bad}
    leaks = any(kind == "leak" for _, kind in expected.bad)
    failed: set[int] = set()
    kept = 0
    has_inputs = expected.malloc_may_fail or "_nondet_" in path.read_text()
    for seed in range(RUNS if has_inputs else 1):
        environment = {**os.environ, **SANITIZERS, "HW_SEED": str(seed)}
        if expected.malloc_may_fail:
            environment["HW_MAY_FAIL"] = "1"
        ran = subprocess.run([str(program)], capture_output=True, text=True, env=environment, timeout=20, check=False)
        if ran.returncode == DOES_NOT_COUNT:
            continue
        if live := re.search(r"^live blocks: (\d+)$", ran.stderr, re.MULTILINE):
            kept = max(kept, int(live[1]))
        if "Sanitizer" in ran.stderr or "runtime error" in ran.stderr or "Assertion" in ran.stderr:
            place = re.search(re.escape(path.name) + r":(\d+)", ran.stderr)
            assert place, ran.stderr
            failed.add(int(place[1]))
            if expected.verdict == "unsafe" and not leaks and failed == marked:
                break
    assert failed <= marked, f"fails at {sorted(failed - marked)}"
    if leaks:
        assert kept or failed, "no block is left over"
    elif expected.verdict == "unsafe":
        assert failed == marked, f"never fails at {sorted(marked - failed)}"
    elif not expected.keeps_blocks:
        assert kept == 0, "blocks are left over"
