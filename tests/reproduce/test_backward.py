"""`heapwright reproduce backward`: claims that can fail, and the whole of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from reproduce.as_published import rows

from heapwright.engines.infer.closure_modes import Closure
from heapwright.reproduce.backward import closures
from heapwright.reproduce.backward.closures import ReplayedQueries
from heapwright.reproduce.backward.measure import Measurement, Need
from heapwright.reproduce.backward.table import claims_of, needs_table, reproduce
from heapwright.reproduce.reproduction import Bounds


def test_what_the_paper_says_holds() -> None:
    assert all(claim.holds for claim in claims_of(rows()))
    assert "27" in needs_table(rows()).text()


@pytest.mark.parametrize(
    ("place", "change"),
    [
        (0, {"missed": 1}),
        (1, {"excluded": 1}),
        (2, {"failure": "stopped", "needs": ()}),
        (0, {"needs": (Need("1: it", "cycle", "x is null", 3),)}),
        (1, {"needs": (Need("1: it", "shape", "nothing", 0),)}),
        (4, {"needs": (Need("1: it", "bounds", "s is not null", 1),)}),
        (5, {"needs": (Need("1: it", "assert", "mi is 0", 1),)}),
    ],
)
def test_what_differs_is_a_claim_that_fails(place: int, change: dict[str, object]) -> None:
    found = rows()
    found[place] = replace(found[place], **change)  # type: ignore[arg-type]  # a table of changes
    assert not all(claim.holds for claim in claims_of(found))


@pytest.mark.long
def test_all_of_it() -> None:
    assert reproduce(lambda text: None, Bounds(timeout=600)).held


def _runs() -> list[tuple[Closure, Measurement]]:
    return [(way, Measurement("append", (Need("1: it", "cycle", "x is null", 3),), questions=7)) for way in Closure]


def test_ways_of_telling_reachability_stand_beside_one_another() -> None:
    table = closures.ways_table(_runs()).text()
    assert [line.split()[1] for line in table.splitlines()[2:]] == ["updates", "regions", "axioms"]
    replayed = [ReplayedQueries("append", questions=10, provable=6, proved=(3, 2))]
    assert closures.replay_table(replayed).rows == (("append", "10", "6", "3", "5", "5", "0"),)
    assert all(claim.holds for claim in closures.claims_of(_runs(), replayed))


@pytest.mark.parametrize("change", [{"missed": 1}, {"failure": "stopped"}])
def test_a_way_that_is_wrong_is_a_claim_that_fails(change: dict[str, object]) -> None:
    runs = _runs()
    runs[1] = (Closure.REGIONS, replace(runs[1][1], **change))  # type: ignore[arg-type]  # a table of changes
    assert not all(claim.holds for claim in closures.claims_of(runs, []))


@pytest.mark.parametrize("again", [ReplayedQueries("append", wrong=1), ReplayedQueries("append", failure="stopped")])
def test_a_wrong_proof_is_a_claim_that_fails(again: ReplayedQueries) -> None:
    assert not all(claim.holds for claim in closures.claims_of(_runs(), [again]))
