"""Vectors and decision diagrams lead a fixpoint to the same heaps."""

from __future__ import annotations

import subprocess
import sys

from support.paths import ROOT

SCRIPT = ROOT / "bench" / "boolheaps.py"


def test_the_fixpoint_is_the_same_over_diagrams() -> None:
    command = [sys.executable, str(SCRIPT), "--packages", "oxidd", "create"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "heaps and alarms are the same everywhere" in done.stdout
    assert "oxidd: " in done.stdout
