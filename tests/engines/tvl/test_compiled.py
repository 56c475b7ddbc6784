"""The kernel compiled by mypyc passes the tests that the plain one passes. Compiling takes a minute or more."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.paths import ROOT

TESTS = (
    "constraints/test_coerce test_deadline formulas/test_evaluation test_fixpoint focus/test_focus structures/test_laws"
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("mypyc") is None, reason="mypyc is not installed"),
    pytest.mark.skipif(
        not any(shutil.which(compiler) for compiler in ("cc", "gcc", "clang")), reason="there is no C compiler"
    ),
]


def ran(*arguments: str, package: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": "" if package is None else str(package)}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_the_compiled_kernel_passes_the_tests_of_the_kernel(tmp_path: Path) -> None:
    made = ran("hatch_build.py", str(tmp_path))
    assert made.returncode == 0, made.stdout + made.stderr
    where = ran("-c", "import heapwright.engines.tvl.constraints.coerce as m; print(m.__file__)", package=tmp_path)
    assert where.stdout.startswith(str(tmp_path))
    assert not where.stdout.strip().endswith(".py"), "the compiled module is the one that is loaded"
    files = [f"tests/engines/tvl/{name}.py" for name in TESTS.split()]
    tested = ran("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *files, package=tmp_path)
    assert tested.returncode == 0, tested.stdout[-2000:] + tested.stderr[-2000:]
    assert " passed" in tested.stdout
