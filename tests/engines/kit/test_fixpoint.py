"""The fixpoint that engines share, over a domain in which everything can be counted."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from heapwright.base.source import NOWHERE
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.kit.fixpoint import Fixpoint, Node, StopAnalysis
from heapwright.engines.kit.iteration_order import Sweeps, first_edge_first, last_edge_first, loops_first
from heapwright.program.graph import Edge, Graph, Location

# 0 -> 1 -> 2 -> 1 (a loop of two), 1 -> 3
LOOP = ((0, 1), (1, 2), (2, 1), (1, 3))


def graph(*edges: tuple[int, int]) -> Graph[int]:
    count = 1 + max(max(edge) for edge in edges)
    locations = tuple(Location(index, NOWHERE, "main") for index in range(count))
    return Graph(locations, tuple(Edge(source, 1, target) for source, target in edges), 0)


class Counting:
    """A state is a number, an edge adds its command, and a location keeps numbers below a bound."""

    def __init__(self, program: Graph[int], bound: int = 5) -> None:
        self.program, self.bound = program, bound
        self.at: dict[int, set[int]] = {}
        self.followed: list[tuple[int, int]] = []  # (state, edge)

    def initial(self) -> Iterable[int]:
        return [0]

    def post(self, node: Node[int], edge: int) -> Iterable[int]:
        self.followed.append((node.state, edge))
        return [node.state + self.program.edges[edge].command]

    def keep(self, state: int, node: Node[int] | None, edge: int) -> int | None:
        known = self.at.setdefault(0 if node is None else self.program.edges[edge].target, set())
        if state in known or state > self.bound:
            return None
        known.add(state)
        return state

    def current(self, nodes: list[Node[int]]) -> list[Node[int]]:
        return nodes

    def size(self) -> int:
        return len(self.followed)

    def status(self, waiting: int) -> str:
        return f"{waiting} waiting"


def fixpoint(domain: Counting, limits: Limits | None = None, *, together: bool = True) -> Fixpoint[int]:
    order = loops_first(domain.program)
    return Fixpoint(domain.program, domain, order, limits or Limits(), NullProgress(), together=together)


@pytest.mark.parametrize("together", [True, False])
def test_it_ends_when_nothing_is_new(together: bool) -> None:
    domain = Counting(graph(*LOOP))
    assert fixpoint(domain, together=together).run()
    assert domain.at == {0: {0}, 1: {1, 3, 5}, 2: {2, 4}, 3: {2, 4}}


def test_a_state_knows_the_edges_to_it() -> None:
    domain = Counting(graph(*LOOP))
    found: dict[tuple[int, int], tuple[int, ...]] = {}
    work = fixpoint(domain)
    work.start()
    while work.worklist:
        for node in [item for _, _, item in work.worklist._heap]:
            found[node.location, node.state] = node.edges()
        work.step()
    assert found[3, 4] == (0, 1, 2, 3)
    assert work.complete


def test_limits_end_it_incomplete() -> None:
    assert not fixpoint(Counting(graph(*LOOP)), Limits(deadline=0.0)).run()
    domain = Counting(graph(*LOOP), bound=10**9)
    work = fixpoint(domain, Limits(states=50))
    assert not work.run()
    assert not work.complete
    assert 50 < len(domain.followed) < 60


def test_a_domain_may_stop_it() -> None:
    class Stubborn(Counting):
        def post(self, node: Node[int], edge: int) -> Iterable[int]:
            if edge == 2:
                raise StopAnalysis
            return super().post(node, edge)

    assert not fixpoint(Stubborn(graph(*LOOP))).run()


def test_a_loop_is_stable_before_what_follows_it() -> None:
    domain = Counting(graph(*LOOP))
    fixpoint(domain).run()
    locations = [domain.program.edges[edge].source for _, edge in domain.followed]
    assert locations.index(0) == 0
    behind = Counting(graph((0, 1), (1, 2), (2, 1), (1, 3), (3, 4)))
    fixpoint(behind).run()
    order = [behind.program.edges[edge].source for _, edge in behind.followed]
    assert order.index(3) > max(place for place, location in enumerate(order) if location in (1, 2))


def test_sweeps_follow_nested_loops_in_turns_and_what_comes_behind_last() -> None:
    """Around 1 -> 2 -> 3 -> 1 there is a loop 2 -> 3 -> 2, and 4 -> 5 comes behind."""
    domain = Counting(graph((0, 1), (1, 2), (2, 3), (3, 2), (3, 1), (1, 4), (4, 5)), bound=9)
    assert Fixpoint(domain.program, domain, Sweeps(domain.program), Limits(), NullProgress()).run()
    order = [domain.program.edges[edge].source for _, edge in domain.followed]
    turns = [place for place, before in zip(order, [None, *order], strict=False) if place != before]
    assert turns[:8] == [0, 1, 2, 3, 1, 2, 3, 1]
    assert order.index(4) > max(place for place, location in enumerate(order) if location in (1, 2, 3))
    stable = Counting(domain.program, bound=9)
    assert fixpoint(stable).run()
    assert stable.at == domain.at


def test_orders_differ_in_the_edge_that_they_prefer() -> None:
    diamond = graph((0, 1), (0, 2), (1, 3), (2, 3))
    assert first_edge_first(diamond) == [0, 2, 1, 3]
    assert last_edge_first(diamond) == [0, 1, 2, 3]


# --- trees -----------------------------------------------------------------------------------------------------------


class Growing(Counting):
    """Keeps every number below the bound, so that the reached states are a tree."""

    def keep(self, state: int, node: Node[int] | None, edge: int) -> int | None:
        return state if state <= self.bound else None


def tree(domain: Counting) -> Fixpoint[int]:
    return Fixpoint(domain.program, domain, None, Limits(), NullProgress(), together=False, tree=True)


def test_without_an_order_states_are_taken_as_they_come() -> None:
    domain = Growing(graph(*LOOP))
    assert tree(domain).run()
    states = [state for state, _ in domain.followed]
    assert states == sorted(states)


def test_a_subtree_is_removed_and_grows_again() -> None:
    domain = Growing(graph(*LOOP))
    work = tree(domain)
    assert work.run()
    before = [(node.location, node.state) for node in work.nodes()]
    pivot = next(node for node in work.nodes() if node.location == 2)
    gone = work.cut(pivot)
    assert pivot in gone
    assert not any(node.alive for node in gone)
    assert {node.number for node in gone}.isdisjoint(node.number for node in work.nodes())
    assert not work.complete, "the edge to it is to be followed again"
    while work.step():
        pass
    assert work.complete
    assert sorted((node.location, node.state) for node in work.nodes()) == sorted(before)
    assert all(node.pending == [] for node in work.nodes())


def test_of_a_root_all_is_removed() -> None:
    work = tree(Growing(graph(*LOOP)))
    work.run()
    work.cut(work.roots[0])
    assert list(work.nodes()) == []
