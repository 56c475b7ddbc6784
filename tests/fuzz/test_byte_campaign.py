"""The interpreter and gcc agree on programs that look at memory byte by byte."""

from __future__ import annotations

import shutil

import pytest

from heapwright.fuzz.byte_campaign import compare_bytes

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")]


def test_the_interpreter_agrees_with_gcc() -> None:
    found = list(compare_bytes(range(12)))
    assert not [one.detail for one in found if one.agrees is False]
    assert sum(one.agrees is True for one in found) >= 6
