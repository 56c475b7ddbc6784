"""What tests of every part share: interrupts, and which tests a run leaves out.

README.md tells what the markers mean. With `--sample N` a part of each exhaustive test runs (`make test` has 1, CI 3):
always the same cases, chosen by a checksum of their names, and at least one. What a run left out is printed at its end.
"""

from __future__ import annotations

import signal
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")

COSTS = {"long": "make test-all", "exhaustive": "make test-all", "slow": "CI=true make test"}
LEFT_OUT = pytest.StashKey[Counter[str]]()


@pytest.fixture
def keyboard() -> Iterator[None]:
    """Interrupts arrive as from a keyboard, also where a shell in the background has turned them off."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


# --- sampling --------------------------------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sample", type=int, metavar="N", help="of the cases of an exhaustive(M) test N in M")


@pytest.hookimpl(trylast=True)  # after -m
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    share = config.getoption("--sample")
    if share is None:
        return
    kept = sampled({item.nodeid: -(-_one_in(item) // share) for item in items})
    out = [item for item in items if item.nodeid not in kept]
    items[:] = [item for item in items if item.nodeid in kept]
    config.hook.pytest_deselected(items=out)


def sampled(cases: Mapping[str, int]) -> set[str]:
    """Of the cases of each test, one in the given number, rounded up."""
    tests: dict[str, list[str]] = defaultdict(list)
    for case in cases:
        tests[case.split("[")[0]].append(case)
    kept: set[str] = set()
    for found in tests.values():
        found.sort(key=lambda case: (zlib.crc32(case.encode()), case))
        kept.update(found[: -(-len(found) // cases[found[0]])])
    return kept


def _one_in(item: pytest.Item) -> int:
    marker = item.get_closest_marker("exhaustive")
    return int(marker.args[0]) if marker else 1


# --- what was left out -----------------------------------------------------------------------------------------------


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = Counter()


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    for item in items:
        cost = next((name for name in COSTS if item.get_closest_marker(name)), "")
        item.config.stash[LEFT_OUT][cost] += 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        left_out = session.config.stash[LEFT_OUT]
        session.config.workeroutput["left_out"] = dict(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker of pytest-xdist has ended. All workers leave out the same."""
    config: pytest.Config = node.config
    left_out: Counter[str] = Counter(getattr(node, "workeroutput", {}).get("left_out", {}))
    config.stash[LEFT_OUT] = left_out


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for cost, command in COSTS.items():
        if count := config.stash[LEFT_OUT][cost]:
            terminalreporter.write_line(f"left out: {count} {cost} tests; `{command}` runs them")
