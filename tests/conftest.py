"""What tests of every part share."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def keyboard() -> Iterator[None]:
    """Interrupts arrive as from a keyboard, also where a shell in the background has turned them off."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)
