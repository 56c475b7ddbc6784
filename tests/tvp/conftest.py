"""Every test of specifications works in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from tvp.reading import Folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path)
