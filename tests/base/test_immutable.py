"""Immutable classes behave as frozen dataclasses with slots do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from functools import cached_property

import pytest

from heapwright.base.immutable import Immutable


class Pair(Immutable):
    left: int
    right: tuple[int, ...] = ()

    @property
    def swapped(self) -> tuple[tuple[int, ...], int]:
        return self.right, self.left


@dataclasses.dataclass(frozen=True, slots=True)
class Plain:
    left: int
    right: tuple[int, ...] = ()


class Other(Immutable):
    left: int
    right: tuple[int, ...] = ()


class Nothing(Immutable):
    pass


class Kept(Immutable):
    value: int

    @cached_property
    def square(self) -> int:
        return self.value * self.value


class Own(Immutable):
    name: str
    place: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


@pytest.mark.parametrize("made", [Pair, Plain])
def test_arguments(made: type[Pair]) -> None:
    assert made(1, (2,)).right == (2,)
    assert made(right=(3,), left=1) == made(1, (3,))
    assert made(1).right == ()
    make: Callable[..., Pair] = made
    for positional, named in (((), {}), ((1, (), 3), {}), ((1,), {"up": 2})):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            make(*positional, **named)


@pytest.mark.parametrize("made", [Pair, Plain])
def test_values_do_not_change(made: type[Pair]) -> None:
    value = made(1)
    with pytest.raises(AttributeError):
        value.left = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del value.left
    with pytest.raises((AttributeError, TypeError)):
        setattr(value, "up", 2)  # noqa: B010  # what mypy would refuse
    assert value.left == 1
    assert not hasattr(value, "__dict__")


@pytest.mark.parametrize("made", [Pair, Plain])
def test_what_is_made_from_values(made: type[Pair]) -> None:
    value = made(1, (2,))
    assert repr(value) == f"{made.__name__}(left=1, right=(2,))"
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value
    assert dataclasses.replace(value, left=5) == made(5, (2,))
    assert [field.name for field in dataclasses.fields(value)] == ["left", "right"]
    assert dataclasses.asdict(value) == {"left": 1, "right": (2,)}
    match value:
        case made(left, right):
            assert (left, right) == (1, (2,))
        case _:
            pytest.fail("a value does not match its class")


def test_equality_is_within_a_class() -> None:
    assert Pair(1) == Pair(1)
    assert hash(Pair(1)) == hash(Pair(1))
    assert Pair(1) != Pair(2)
    assert Pair(1) != Other(1)
    assert Pair(1) != 1
    assert Nothing() == Nothing() != Pair(1)
    assert {Pair(1): "a"}[Pair(1)] == "a"
    with pytest.raises(TypeError):
        hash(Pair([]))  # type: ignore[arg-type]


def test_properties_are_computed_once_where_they_are_kept() -> None:
    value = Kept(3)
    assert value.square == 9
    assert vars(value) == {"square": 9}
    assert Pair(1, (2,)).swapped == ((2,), 1)


def test_a_class_may_have_an_equality_of_its_own() -> None:
    assert Own("a", 1) == Own("a", 2)
    assert len({Own("a", 1), Own("a", 2)}) == 1
