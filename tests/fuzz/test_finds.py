"""Programs on which an engine once failed; the first line of each says how."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.fuzz.trial import Bounds, Setting, tried

FINDS = sorted((Path(__file__).parent / "finds").glob("*.c"))
SETTINGS = [Setting("explore"), Setting("fesa"), Setting("tvl"), Setting("tvl", (("embedding", "loose"),))]


@pytest.mark.parametrize("file", FINDS, ids=lambda file: file.stem)
@pytest.mark.parametrize("audit", [False, True])
def test_once_is_enough(file: Path, audit: bool) -> None:
    trial = tried(file.read_text(encoding="utf-8"), SETTINGS, Bounds(), audit=audit)
    assert not trial.refused
    assert trial.finds == []
    assert any(trial.proved.values())
