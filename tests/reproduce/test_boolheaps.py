"""Figures 1 and 2 of the paper on Boolean heaps, claims that can fail, and one program for real."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from heapwright.reproduce.boolheaps.figures import FIGURES, Figure, computed, example_agrees
from heapwright.reproduce.boolheaps.measure import Measurement, measure
from heapwright.reproduce.boolheaps.table import CYCLIC, PROVED, claims_of
from heapwright.reproduce.reproduction import Bounds

STATS = {"predicates": 12, "prover_calls": 40, "boolean_heaps": 25}


def rows() -> list[Measurement]:
    """As if everything had gone as it should."""
    good = [Measurement(name, 9, stats=STATS) for name in PROVED]
    return [*good, Measurement(CYCLIC, 8, ("35:shape",), stats=STATS)]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.title)
def test_updates_are_the_published_ones(figure: Figure) -> None:
    assert all(one.agrees for one in computed(figure))


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.title)
def test_another_update_would_be_noticed(figure: Figure) -> None:
    lines = (*figure.lines[:-1], replace(figure.lines[-1], true=figure.lines[-1].false))
    assert [one.agrees for one in computed(replace(figure, lines=lines))] == [True] * (len(lines) - 1) + [False]


def test_the_example_of_section_5() -> None:
    assert example_agrees()


def test_all_hold_where_all_is_well() -> None:
    assert all(claim.holds for claim in claims_of(rows()))


@pytest.mark.parametrize(
    ("place", "changes", "failing"),
    [
        (0, {"open_checks": ("7:null-deref",)}, {0}),
        (1, {"failure": "stopped: timeout", "proved": 0}, {0}),
        (PROVED.index("reverse"), {"stats": {**STATS, "prover_calls": 5000}}, {2}),
        (2, {"warm_calls": 3}, {3}),
        (len(PROVED), {"open_checks": ()}, {1}),
    ],
)
def test_each_claim_can_fail(place: int, changes: dict[str, Any], failing: set[int]) -> None:
    found = rows()
    found[place] = replace(found[place], **changes)
    assert {number for number, claim in enumerate(claims_of(found)) if not claim.holds} == failing


def test_one_program_for_real() -> None:
    found = measure("create", Bounds(timeout=60))
    assert (found.failure, found.open_checks, found.warm_calls) == ("", (), 0)
    assert found.proved > 5
