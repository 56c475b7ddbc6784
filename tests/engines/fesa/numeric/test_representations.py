"""Boolean domains against explicit sets of vectors: the exact ones are equal to them, the cheap one is above."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from engines.fesa.numeric import explicit
from engines.fesa.numeric.explicit import Explicit, VectorSet
from hypothesis import given, settings
from hypothesis import strategies as st

from heapwright.engines.fesa.numeric.api import at_most_one, expand, fold, same, vectors
from heapwright.engines.fesa.numeric.bdd import Diagrams
from heapwright.engines.fesa.numeric.pairs import Pairs
from heapwright.engines.fesa.numeric.sat import Sat

FLAGS = ("a", "b", "c", "d")
EXACT: list[Callable[[], Any]] = [lambda: Diagrams(nodes=1 << 16), Sat, Explicit]
ALL = [*EXACT, Pairs]
IDS = ["bdd", "sat", "explicit", "pairs"]

sets = st.builds(
    lambda vectors: VectorSet(FLAGS, frozenset(vectors)),
    st.sets(st.tuples(*[st.booleans()] * len(FLAGS)), max_size=10),
)


def made(domain: Any, wanted: VectorSet) -> Any:
    """The function of a set of vectors, put together from literals."""
    result = domain.bottom()
    for vector in sorted(wanted.vectors):
        one = domain.top()
        for flag, value in zip(wanted.flags, vector, strict=True):
            one = domain.meet(one, domain.literal(flag, value))
        result = domain.join(result, one)
    return result


def seen(domain: Any, function: Any, flags: tuple[str, ...] = FLAGS) -> frozenset[tuple[bool, ...]]:
    return frozenset(vectors(domain, function, flags))


def both(kind: Callable[[], Any], operation: Callable[[Any, list[Any]], Any], *wanted: VectorSet) -> tuple[Any, Any]:
    """The result of an operation in a domain and in the reference, as sets of vectors."""
    domain, reference = kind(), Explicit()
    found = operation(domain, [made(domain, one) for one in wanted])
    truth = operation(reference, list(wanted))
    return seen(domain, found, (*FLAGS, "x", "y")), seen(reference, truth, (*FLAGS, "x", "y"))


ONTO = {"c": "a", "d": "b"}
BACK = {"a": "c", "b": "d"}
OPERATIONS: dict[str, Callable[[Any, list[Any]], Any]] = {
    "meet": lambda d, f: d.meet(f[0], f[1]),
    "join": lambda d, f: d.join(f[0], f[1]),
    "drop": lambda d, f: d.drop(f[0], ["b", "d"]),
    "swap": lambda d, f: d.rename(f[0], {"a": "c", "c": "a"}),
    "add": lambda d, f: d.meet(f[0], same(d, "x", "a")),
    "restrict": lambda d, f: d.meet(f[0], at_most_one(d, ("a", "b", "c"))),
    "fold": lambda d, f: fold(d, f[0], ONTO),
    "expand": lambda d, f: expand(d, f[0], {"a": "x", "b": "y"}, d.top()),
}


@pytest.mark.parametrize("kind", EXACT, ids=IDS[:3])
@pytest.mark.parametrize("name", OPERATIONS)
@settings(max_examples=15, deadline=None)
@given(one=sets, other=sets)
def test_exact_domains_are_the_definition(kind: Callable[[], Any], name: str, one: VectorSet, other: VectorSet) -> None:
    found, truth = both(kind, OPERATIONS[name], one, other)
    assert found == truth


@pytest.mark.parametrize("name", OPERATIONS)
@settings(max_examples=20, deadline=None)
@given(one=sets, other=sets)
def test_pairs_are_above(name: str, one: VectorSet, other: VectorSet) -> None:
    found, truth = both(Pairs, OPERATIONS[name], one, other)
    assert found >= truth


@settings(max_examples=25, deadline=None)
@given(wanted=sets)
def test_pairs_keep_every_clause_of_two_literals(wanted: VectorSet) -> None:
    domain = Pairs()
    found = seen(domain, made(domain, wanted))
    literals = [(flag, value) for flag in FLAGS for value in (False, True)]
    place = {flag: number for number, flag in enumerate(FLAGS)}
    for one in literals:
        for other in literals:
            holds = all(v[place[one[0]]] is one[1] or v[place[other[0]]] is other[1] for v in wanted.vectors)
            kept = all(v[place[one[0]]] is one[1] or v[place[other[0]]] is other[1] for v in found)
            assert kept == holds


@pytest.mark.parametrize("kind", ALL, ids=IDS)
@settings(max_examples=15, deadline=None)
@given(one=sets, other=sets)
def test_order_emptiness_and_values(kind: Callable[[], Any], one: VectorSet, other: VectorSet) -> None:
    domain = kind()
    left, right = made(domain, one), made(domain, other)
    left_seen, right_seen = seen(domain, left), seen(domain, right)
    assert domain.leq(left, right) == (left_seen <= right_seen)
    assert domain.is_bottom(left) == (not left_seen)
    for place, flag in enumerate(FLAGS):
        assert domain.values(left, flag) == tuple(any(v[place] is value for v in left_seen) for value in (False, True))


@pytest.mark.parametrize("kind", EXACT, ids=IDS[:3])
@settings(max_examples=20, deadline=None)
@given(one=sets, other=sets)
def test_fold_and_expand_are_a_galois_connection(kind: Callable[[], Any], one: VectorSet, other: VectorSet) -> None:
    """fold(f) is below g just where f is below expand(g); g knows nothing of the flags that are folded away."""
    domain = kind()
    f = made(domain, one)
    g = domain.drop(made(domain, other), ["c", "d"])
    assert domain.leq(fold(domain, f, ONTO), g) == domain.leq(f, expand(domain, g, BACK, domain.top()))


@pytest.mark.parametrize("kind", EXACT, ids=IDS[:3])
@settings(max_examples=20, deadline=None)
@given(one=sets, other=sets)
def test_fold_and_expand_are_those_of_definition_1(kind: Callable[[], Any], one: VectorSet, other: VectorSet) -> None:
    domain = kind()
    f, known = made(domain, one), made(domain, other)
    assert seen(domain, fold(domain, f, ONTO)) == seen(domain, explicit.fold(domain, f, ONTO))
    less = domain.drop(f, list(ONTO))
    whole = domain.meet(explicit.expand(domain, less, BACK), known)
    assert seen(domain, expand(domain, less, BACK, known)) == seen(domain, whole)


@pytest.mark.parametrize("kind", ALL, ids=IDS)
@settings(max_examples=20, deadline=None)
@given(wanted=sets)
def test_expanding_what_was_folded_gives_no_less(kind: Callable[[], Any], wanted: VectorSet) -> None:
    domain = kind()
    f = made(domain, wanted)
    assert domain.leq(f, expand(domain, fold(domain, f, ONTO), BACK, domain.top()))


@pytest.mark.parametrize("ask", ["possible", "drop"])
def test_the_order_of_a_set_numbers_nothing(ask: str) -> None:
    """Sizes of diagrams once depended on the hash seed."""
    numbers = []
    for flags in ("abc", "cab"):
        domain = Diagrams(nodes=1 << 16)
        getattr(domain, ask)(domain.literal("z"), flags)
        numbers.append(domain.numbers)
    assert numbers[0] == numbers[1]
