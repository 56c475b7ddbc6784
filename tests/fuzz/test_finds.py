"""Programs on which an engine once failed: how is said at the head, and by `// function: NAME` what was asked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heapwright.fuzz.trial import Bounds, EngineConfig, tried

FINDS = sorted((Path(__file__).parent / "finds").glob("*.c"))
SETTINGS = [
    EngineConfig("explore"),
    EngineConfig("fesa"),
    EngineConfig("tvl"),
    EngineConfig("tvl", (("embedding", "loose"),)),
    EngineConfig("lazy"),
    EngineConfig("boolheap"),
]


@pytest.mark.exhaustive(5)
@pytest.mark.parametrize("file", FINDS, ids=lambda file: file.stem)
@pytest.mark.parametrize("audit", [False, True])
def test_once_is_enough(file: Path, audit: bool) -> None:
    text = file.read_text(encoding="utf-8")
    named = re.match(r"// function: (\w+)", text)
    trial = tried(text, SETTINGS, Bounds(), function=named[1] if named else "main", audit=audit)
    assert not trial.refused
    assert trial.finds == []
    assert any(trial.proved.values())
