"""Every engine of the registry passes the conformance suite: on a few programs always, on a part of the rest where slow
tests run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from heapwright.engines import ENGINES
from heapwright.testing.conformance import PROGRAMS, Conformance, name_of

FEW = ("lists/build_free_ok", "lists/shared_bad_double", "memory/junk_bad", "unselected/dereference_unknown")
QUICK = tuple(path for path in PROGRAMS if name_of(path) in FEW)
REST = tuple(path for path in PROGRAMS if path not in QUICK)


def suite(engine: str, programs: Sequence[Path]) -> type[Conformance]:
    return type(f"Test_{engine}", (Conformance,), {"engine": engine, "programs": programs})


for _name in ENGINES:
    globals()[f"Test_{_name}"] = suite(_name, QUICK)
    globals()[f"Test_{_name}_on_the_rest"] = pytest.mark.slow(pytest.mark.exhaustive(9)(suite(_name, REST)))
