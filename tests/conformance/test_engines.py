"""Every engine passes the conformance suite: a few programs always, the rest where slow tests run."""

from __future__ import annotations

import pytest

from heapwright.engines import ENGINES
from heapwright.testing.conformance import PROGRAMS, Conformance, name_of

FEW = ("lists/build_free_ok", "lists/shared_bad_double", "memory/junk_bad", "unselected/dereference_unknown")
QUICK = tuple(path for path in PROGRAMS if name_of(path).startswith(FEW))
REST = tuple(path for path in PROGRAMS if path not in QUICK)


class TestBoolHeap(Conformance):
    engine = "boolheap"
    programs = QUICK


class TestExplore(Conformance):
    engine = "explore"
    programs = QUICK


class TestFesa(Conformance):
    engine = "fesa"
    programs = QUICK


class TestLazy(Conformance):
    engine = "lazy"
    programs = QUICK


class TestTvl(Conformance):
    engine = "tvl"
    programs = QUICK


@pytest.mark.slow
class TestBoolHeapOnTheRest(Conformance):
    engine = "boolheap"
    programs = REST


@pytest.mark.slow
class TestExploreOnTheRest(Conformance):
    engine = "explore"
    programs = REST


@pytest.mark.slow
class TestFesaOnTheRest(Conformance):
    engine = "fesa"
    programs = REST


@pytest.mark.slow
class TestLazyOnTheRest(Conformance):
    engine = "lazy"
    programs = REST


@pytest.mark.slow
class TestTvlOnTheRest(Conformance):
    engine = "tvl"
    programs = REST


def test_no_engine_is_left_out() -> None:
    suites = [value for value in globals().values() if isinstance(value, type) and issubclass(value, Conformance)]
    for programs in (QUICK, REST):
        assert {suite.engine for suite in suites if suite.programs == programs} == set(ENGINES)
