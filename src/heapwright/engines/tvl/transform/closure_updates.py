"""The closure of an acyclic relation after one edge was added or removed, from the closure before (Dong and Su)."""

from __future__ import annotations

from heapwright.engines.tvl.formulas.rewriting import (
    all_variables,
    fresh_variable,
    make_and,
    make_exists,
    make_not,
    make_or,
    renamed,
)
from heapwright.logic.formulas import Atom, Formula, TransitiveClosure


def edge_added(closure: TransitiveClosure, named: Atom, plus: Formula, reflexive: bool) -> Formula:
    """Pairs that a path over one new edge connects."""
    left, right = named.arguments
    used = all_variables(plus) | {left, right, closure.source, closure.target}
    u = fresh_variable(used)
    v = fresh_variable(used, {u})

    def path(source: str, target: str) -> Formula:
        return Atom(named.predicate, (source, target))

    def edge(source: str, target: str) -> Formula:
        return renamed(plus, {closure.source: source, closure.target: target})

    middle = make_exists((u, v), make_and(path(left, u), edge(u, v), path(v, right)))
    if reflexive:
        return middle
    tail = make_exists((u,), make_and(path(left, u), edge(u, right)))
    head = make_exists((v,), make_and(edge(left, v), path(v, right)))
    return make_or(tail, head, middle, edge(left, right))


def edge_removed(closure: TransitiveClosure, named: Atom, minus: Formula, reflexive: bool) -> Formula:
    """Pairs that lose their last path when one edge goes. Suspicious are those that a path over it connected; the
    others, and the edges that stay, are trusty; at most three trusty pairs in a row connect whatever is connected."""
    left, right = named.arguments
    assert isinstance(closure.body, Atom)
    used = set(all_variables(minus) | {left, right, closure.source, closure.target})
    u, v, w, z = (make_fresh(used) for _ in range(4))

    def path(source: str, target: str) -> Formula:
        return Atom(named.predicate, (source, target))

    ends = {closure.source: left, closure.target: right}
    gone = renamed(minus, {closure.source: w, closure.target: z})
    suspicious = make_exists((w, z), make_and(path(left, w), gone, path(z, right)))
    stays = make_and(renamed(closure.body, ends), make_not(renamed(minus, ends)))
    trusty = make_or(make_and(path(left, right), make_not(suspicious)), stays)

    def trusted(source: str, target: str) -> Formula:
        return renamed(trusty, {left: source, right: target})

    three = make_exists((u, v), make_and(trusted(left, u), trusted(u, v), trusted(v, right)))
    if reflexive:
        return make_not(three)
    two = make_exists((u,), make_and(trusted(left, u), trusted(u, right)))
    return make_not(make_or(trusty, two, three))


def make_fresh(used: set[str]) -> str:
    name = fresh_variable(used)
    used.add(name)
    return name
