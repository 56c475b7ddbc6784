"""A store for each test, and no cache directory of the user."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from heapwright.project.store.database import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path), str(tmp_path / "answers.sqlite"))
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _cache_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
