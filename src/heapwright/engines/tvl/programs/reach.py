"""Reachability along one field: its closure, what each variable reaches, cycles and sharing.

A field leads from an object to one object at most. Then a path along it is unique, and what is reached after the arrow
of `a` is gone is known unless `a` is on a cycle: everything that was reached through `a` is lost. Putting an arrow in
is exact in any graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heapwright.engines.tvl.programs.family import Family
from heapwright.engines.tvl.programs.names import (
    IS_NEW,
    atom,
    closure,
    closure_name,
    cycle_name,
    points_to,
    reach_name,
    shared_name,
)
from heapwright.logic.actions import Update
from heapwright.logic.formulas import FALSE, And, Equal, Exists, Formula, IfThenElse, Not, Or
from heapwright.logic.vocabulary import Predicate
from heapwright.program.commands import New
from heapwright.program.expressions import Pointer, Var


@dataclass(frozen=True)
class Reach(Family):
    """`t[f]`, `r[x,f]`, `c[f]`, `is[f]`"""

    field: str
    variables: tuple[str, ...]

    def predicates(self) -> Iterable[Predicate]:
        path = closure_name(self.field)
        yield from closures(self.field, self.variables, atom(self.field, "s", "t"), (self.field,))
        on_cycle = Exists(("w",), And((atom(self.field, "v", "w"), atom(path, "w", "v"))))
        yield Predicate(cycle_name(self.field), 1, on_cycle, ("v",))

    def assigned(self, target: str, value: Pointer) -> Iterable[Update]:
        return [copied(self.field, target, value)]

    def loaded(self, target: str, base: str, field: str) -> Iterable[Update]:
        if field != self.field:
            return [behind(self.field, target, base, field)]
        on_cycle = Exists(("a",), And((atom(base, "a"), atom(cycle_name(field), "a"))))
        beyond = And((atom(reach_name(base, field), "v"), Or((Not(atom(base, "v")), on_cycle))))
        return [Update(reach_name(target, field), ("v",), beyond)]

    def cut(self, base: str, field: str) -> Iterable[Update]:
        if field != self.field:
            return
        on_cycle = Exists(("a",), And((atom(base, "a"), atom(cycle_name(field), "a"))))
        step = And((atom(field, "s", "t"), Not(atom(base, "s"))))
        yield from severed(self.field, self.variables, base, field, step, on_cycle)
        lost = Exists(("a",), And((atom(base, "a"), atom(cycle_name(field), "a"), atom(closure_name(field), "a", "v"))))
        yield Update(cycle_name(field), ("v",), And((atom(cycle_name(field), "v"), Not(lost))))
        yield unshared(field, (field,), base, field)

    def connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        if field != self.field or not isinstance(value, Var):
            return
        path, cycle = closure_name(field), cycle_name(field)
        ends = (atom(base, "a"), atom(value.name, "b"))
        closed = Exists(("a", "b"), And((*ends, *(atom(path, *pair) for pair in ("ba", "bv", "va")))))
        yield Update(cycle, ("v",), Or((atom(cycle, "v"), closed)))
        yield from bridged(self.field, self.variables, (field,), base, value)

    def created(self, command: New) -> Iterable[Update]:
        return fresh(self.field, command.target)

    def reached(self) -> Iterable[Formula]:
        return [atom(reach_name(variable, self.field), "v") for variable in self.variables]


# --- along one field or several; "" is the name of all ---------------------------------------------------------------


def closures(along: str, variables: Sequence[str], step: Formula, fields: Sequence[str]) -> Iterable[Predicate]:
    path = closure_name(along)
    whole = closure(step, "u", "v")
    yield Predicate(path, 2, whole, ("u", "v"), reflexive=True, transitive=True, shown=frozenset())
    yield Predicate(shared_name(along), 1, shared(fields), ("v",))
    for variable in variables:
        reached = Exists(("u",), And((atom(variable, "u"), atom(path, "u", "v"))))
        yield Predicate(reach_name(variable, along), 1, reached, ("v",))


def shared(fields: Sequence[str], without: tuple[str, str] | None = None) -> Formula:
    """Two arrows lead to v: from two objects, or from two fields of one. `without` names an arrow that does not count
    by its field and the variable that points to its source."""

    def arrow(field: str, source: str) -> Formula:
        there = atom(field, source, "v")
        return And((there, Not(atom(without[1], source)))) if without and field == without[0] else there

    cases: list[Formula] = [
        Exists(("a", "b"), And((arrow(f, "a"), arrow(g, "b"), Not(Equal("a", "b")))))
        for place, f in enumerate(fields)
        for g in fields[place:]
    ]
    cases += [
        Exists(("a",), And((arrow(f, "a"), arrow(g, "a"))))
        for place, f in enumerate(fields)
        for g in fields[place + 1 :]
    ]
    return Or(tuple(cases)) if len(cases) > 1 else cases[0]


def copied(along: str, target: str, value: Pointer) -> Update:
    reached = atom(reach_name(value.name, along), "v") if isinstance(value, Var) else FALSE
    return Update(reach_name(target, along), ("v",), reached)


def behind(along: str, target: str, base: str, field: str) -> Update:
    """What is reached from base.field, where that is a step of another kind."""
    path = And((atom(base, "u"), atom(field, "u", "w"), atom(closure_name(along), "w", "v")))
    return Update(reach_name(target, along), ("v",), Exists(("u", "w"), path))


def fresh(along: str, target: str) -> Iterable[Update]:
    path = closure_name(along)
    both = And((atom(IS_NEW, "u"), atom(IS_NEW, "v")))
    yield Update(path, ("u", "v"), Or((atom(path, "u", "v"), both)))
    yield Update(reach_name(target, along), ("v",), atom(IS_NEW, "v"))


def unshared(along: str, fields: Sequence[str], base: str, field: str) -> Update:
    """Sharing after the arrow base.field is gone."""
    hit = Exists(("u",), And((atom(base, "u"), atom(field, "u", "v"))))
    still = shared(fields, without=(field, base))
    name = shared_name(along)
    return Update(name, ("v",), And((atom(name, "v"), Or((Not(hit), still)))))


def severed(
    along: str, variables: Sequence[str], base: str, field: str, step: Formula, tangled: Formula
) -> Iterable[Update]:
    """Closure and reachability after the arrow base.field is gone; evaluated anew over `step` where it is tangled."""
    path = closure_name(along)
    through = Exists(
        ("a", "b"),
        And((atom(base, "a"), atom(path, "u", "a"), atom(field, "a", "b"), atom(path, "b", "v"))),
    )
    kept = And((atom(path, "u", "v"), Not(through)))
    yield Update(path, ("u", "v"), IfThenElse(tangled, closure(step, "u", "v"), kept))
    for variable in variables:
        reach = reach_name(variable, along)
        if variable == base and along == field:
            yield Update(reach, ("v",), atom(base, "v"))
            continue
        lost = Exists(("a", "b"), And((atom(base, "a"), atom(reach, "a"), atom(field, "a", "b"), atom(path, "b", "v"))))
        anew = Exists(("u",), And((atom(variable, "u"), closure(step, "u", "v"))))
        yield Update(reach, ("v",), IfThenElse(tangled, anew, And((atom(reach, "v"), Not(lost)))))


def bridged(along: str, variables: Sequence[str], fields: Sequence[str], base: str, value: Var) -> Iterable[Update]:
    """Closure, reachability and sharing after an arrow was put in from base to value."""
    path = closure_name(along)
    over = Exists(
        ("a", "b"),
        And((atom(base, "a"), atom(value.name, "b"), atom(path, "u", "a"), atom(path, "b", "v"))),
    )
    yield Update(path, ("u", "v"), Or((atom(path, "u", "v"), over)))
    for variable in variables:
        reach = reach_name(variable, along)
        reaches = Exists(("a",), And((atom(base, "a"), atom(reach, "a"))))
        gained = And((reaches, atom(reach_name(value.name, along), "v")))
        yield Update(reach, ("v",), Or((atom(reach, "v"), gained)))
    met = Exists(("u",), Or(tuple(atom(f, "u", "v") for f in fields)))
    again = And((points_to(value, "v"), Exists(("a",), atom(base, "a")), met))
    yield Update(shared_name(along), ("v",), Or((atom(shared_name(along), "v"), again)))
