"""Memory values: bytes of known and unknown numbers, and what operations make of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.paths import TESTS

from heapwright.analysis.pipeline import Input, build
from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.runs.interpreter import run
from heapwright.program.semantics.byte_memory import memory_values, storage
from heapwright.program.semantics.byte_memory.memory_values import as_pointer, as_scalar, digits_of, pointer_digits
from heapwright.program.semantics.objects import (
    JUNK,
    NULL,
    SCRAMBLED,
    UNKNOWN,
    UNSET,
    AddressNumber,
    Bytes,
    Fragment,
    Symbol,
    held_pointers,
    number_in,
    pointer_from,
)
from heapwright.program.trace import Ending


@given(st.integers(-(1 << 31), (1 << 31) - 1))
def test_the_bytes_of_a_number_make_it_up(number: int) -> None:
    assert as_scalar(digits_of(number, 4), signed=True) == number


@pytest.mark.parametrize("value", [Symbol(3, 1), AddressNumber(5, 1), UNSET, SCRAMBLED])
def test_the_bytes_of_what_is_not_known_make_it_up(value: object) -> None:
    digits = digits_of(value, 8)
    assert as_scalar(digits, signed=False) == value
    mixed = as_scalar((digits[1], digits[0], *digits[2:]), signed=False)
    assert mixed == value if value in (UNSET, SCRAMBLED) else isinstance(mixed, Bytes)


@pytest.mark.parametrize("pointer", [NULL, JUNK, 7, (7, 3)])
def test_pointers_survive_their_bytes(pointer: int | tuple[int, int]) -> None:
    assert as_pointer(pointer_digits(pointer, 8)) == pointer


def test_unknown_is_not_junk() -> None:
    assert pointer_digits(UNKNOWN, 8) == (SCRAMBLED,) * 8
    assert isinstance(as_pointer(pointer_digits(UNKNOWN, 8)), Bytes)
    assert number_in(pointer_from(42)) == 42
    assert isinstance(as_pointer(pointer_digits(pointer_from(42), 8)), Bytes)


def test_half_a_pointer_holds_nothing() -> None:
    whole = pointer_digits(7, 8)
    assert held_pointers(whole) == [7]
    assert held_pointers(whole[:7]) == []
    assert as_scalar(whole[:4], signed=False) == Bytes(whole[:4], signed=False)
    assert as_pointer((*whole[:7], 0)) == Bytes((*whole[:7], 0), signed=False)
    assert Fragment(AddressNumber(7), 0) == whole[0]


def test_a_wrong_byte_order_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    program = build(Input((str(TESTS / "programs" / "bytes" / "unions_ok.c"),)), phase=lambda message: None)
    assert run(program, Goal(), RandomChoices(1)).ending is Ending.EXIT
    real = memory_values.content_digits
    monkeypatch.setattr(storage, "content_digits", lambda value, kind, size: real(value, kind, size)[::-1])
    assert run(program, Goal(), RandomChoices(1)).ending is Ending.VIOLATION
