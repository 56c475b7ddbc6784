"""Reachability along one field: order along it, what each variable reaches, cycles and sharing.

A field f leads from an object to one object at most, so a path along it is unique and ends at null or in a cycle. One
object of each cycle is marked `cut[f]`: its arrow does not count in `t[f]`, which makes `t[f]` an order. The arrow that
closes a cycle is the one that is cut; when another arrow of the cycle is removed, the cut one counts again. So every
update is exact, on cycles too:

    x.f = y   where y reaches x:   cut[f](x); t[f] stays
              elsewhere:           what reaches x reaches what y reaches
    x.f = -   where cut[f](x):     t[f] stays
              on a cycle:          from behind x paths lead over the arrow that was cut to x
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from heapwright.engines.tvl.encoding.predicate_names import (
    IS_NEW,
    closure,
    closure_name,
    cut_name,
    cycle_name,
    points_to,
    reach_name,
    ring_name,
    shared_name,
)
from heapwright.engines.tvl.encoding.predicates.family import Family
from heapwright.engines.tvl.formulas.rewriting import renamed
from heapwright.logic.actions import Update
from heapwright.logic.formulas import FALSE, And, Equal, Exists, Formula, IfThenElse, Kleene, Not, Or, atom
from heapwright.logic.vocabulary import Constraint, Predicate
from heapwright.program.commands import New
from heapwright.program.expressions import Pointer, Var


@dataclass(frozen=True)
class Reach(Family):
    """`cut[f]`, `t[f]`, `r[x,f]`, `o[x,f]`, `c[f]`, `is[f]`"""

    field: str
    variables: tuple[str, ...]

    def predicates(self) -> Iterable[Predicate]:
        field, path, cut = self.field, closure_name(self.field), cut_name(self.field)
        yield Predicate(cut, 1)
        step = And((atom(field, "s", "t"), Not(atom(cut, "s"))))
        yield from closures(field, self.variables, step, (field,), ordered=True)
        ends = (atom(cut, "k"), atom(field, "k", "h"))
        between = (atom(path, "h", "v"), atom(path, "v", "k"))
        yield Predicate(cycle_name(field), 1, Exists(("k", "h"), And((*ends, *between))), ("v",))
        for variable in self.variables:
            end = (atom(reach_name(variable, field), "k"), atom(cut, "k"), atom(path, "v", "k"))
            around = Exists(("k",), And((atom(cycle_name(field), "v"), *end)))
            yield Predicate(ring_name(variable, field), 1, around, ("v",))

    def constraints(self) -> Iterable[Constraint]:
        field, path, cut = self.field, closure_name(self.field), cut_name(self.field)
        cycle, shared = cycle_name(self.field), shared_name(self.field)
        arrow, marked, other = atom(field, "u", "w"), atom(cut, "u"), Not(Equal("u", "v"))
        forth, back = atom(path, "u", "w"), atom(path, "w", "u")
        # An arrow leads up in the order, or is cut and leads back.
        for literals in (
            (arrow, marked, Not(back)),
            (arrow, Not(marked), Not(forth)),
            (arrow, Not(marked), back),
            (marked, Not(atom(cycle, "u"))),
            (marked, other, atom(path, "u", "v")),
            # A path goes over the one arrow from its start, and over the one arrow to its end.
            (arrow, other, atom(path, "u", "v"), Not(atom(path, "w", "v"))),
            (arrow, Not(atom(shared, "w")), Not(Equal("v", "w")), atom(path, "v", "w"), Not(atom(path, "v", "u"))),
            # What leads on from a cycle stays on it.
            (atom(cycle, "u"), arrow, Not(atom(cycle, "w"))),
            (atom(cycle, "u"), forth, Not(atom(cycle, "w"))),
        ):
            yield from excluded(*literals)
        yield Constraint(Not(Exists(("w",), arrow)), Not(marked))
        # What one object reaches is in order.
        fork = Exists(("u",), And((atom(path, "u", "v"), atom(path, "u", "w"))))
        yield Constraint(And((fork, Not(atom(path, "v", "w")))), atom(path, "w", "v"))
        for variable in self.variables:
            start = (atom(variable, "u"), atom(reach_name(variable, field), "v"))
            yield Constraint(And(start), atom(path, "u", "v"))

    # --- focus formulas of steps -------------------------------------------------------------------------------------

    def _at(self, base: str, predicate: str) -> Formula:
        """Whether a predicate holds of the object that a variable points to."""
        return Exists(("a",), And((atom(base, "a"), atom(predicate, "a"))))

    def focus_loaded(self, target: str, base: str, field: str) -> Iterable[Formula]:
        return [self._at(base, cut_name(field))] if field == self.field else []

    def focus_cut(self, base: str, field: str) -> Iterable[Formula]:
        return [self._at(base, name) for name in (cut_name(field), cycle_name(field))] if field == self.field else []

    def focus_connected(self, base: str, field: str, value: Pointer) -> Iterable[Formula]:
        if field != self.field or not isinstance(value, Var):
            return []
        return [And((atom(base, "v"), self._after(value.name)))]

    def _after(self, variable: str, node: str = "v") -> Formula:
        return after(self.field, self.variables, variable, node)

    # --- steps ------------------------------------------------------------------------------------------------------

    def assigned(self, target: str, value: Pointer) -> Iterable[Update]:
        yield from copied(self.field, self.variables, target, value)
        if target in self.variables:
            around = self._around(value.name) if isinstance(value, Var) else FALSE
            yield Update(ring_name(target, self.field), ("v",), around)

    def _around(self, variable: str) -> Formula:
        """v is on the cycle that a variable leads to."""
        if variable in self.variables:
            return atom(ring_name(variable, self.field), "v")
        path = closure_name(self.field)
        ends = (atom(variable, "b"), atom(path, "b", "k"), atom(cut_name(self.field), "k"), atom(path, "v", "k"))
        return And((atom(cycle_name(self.field), "v"), Exists(("b", "k"), And(ends))))

    def loaded(self, target: str, base: str, field: str) -> Iterable[Update]:
        if target not in self.variables:
            return
        ring = ring_name(target, self.field)
        if field != self.field:
            yield behind(self.field, target, base, field)
            path = closure_name(self.field)
            way = (atom(base, "u"), atom(field, "u", "w"), atom(path, "w", "k"), atom(cut_name(self.field), "k"))
            met = Exists(("u", "w", "k"), And((*way, atom(path, "v", "k"))))
            yield Update(ring, ("v",), And((atom(cycle_name(self.field), "v"), met)))
            return
        whole = And((atom(cycle_name(field), "v"), self._leads_to(base)))
        beyond = And((self._after(base), Not(atom(base, "v"))))
        reached = IfThenElse(self._at(base, cut_name(field)), whole, beyond)
        yield Update(reach_name(target, field), ("v",), reached)
        yield Update(ring, ("v",), self._around(base))

    def _leads_to(self, base: str, node: str = "v") -> Formula:
        """A node reaches the object that a variable points to."""
        return Exists(("a",), And((atom(base, "a"), atom(closure_name(self.field), node, "a"))))

    def cut(self, base: str, field: str) -> Iterable[Update]:
        if field != self.field:
            return
        path, cut, cycle, reach = closure_name(field), cut_name(field), cycle_name(field), self._after(base)
        behind_base = And((reach, Not(atom(base, "v"))))
        # The arrow that was cut counts again where base was on that cycle: from behind base to what was before it.
        reopened = And((self._at(base, cycle), Not(self._at(base, cut))))
        before_base = And((atom(cycle, "v"), self._leads_to(base)))

        def over(reaches: Formula, reaches_base: Formula) -> Formula:
            last = Exists(("k",), And((atom(cut, "k"), self._after(base, "k"), reaches)))
            return And((reopened, last, Not(reaches_base), before_base))

        from_u = self._leads_to(base, "u")
        kept = And((atom(path, "u", "v"), Not(And((from_u, behind_base)))))
        yield Update(path, ("u", "v"), Or((kept, over(atom(path, "u", "k"), from_u))))
        for variable in self.variables:
            name = reach_name(variable, field)
            if variable == base:
                yield Update(name, ("v",), atom(base, "v"))
                continue
            reaches_base = self._at(base, name)
            kept = And((atom(name, "v"), Not(And((reaches_base, behind_base)))))
            yield Update(name, ("v",), Or((kept, over(atom(name, "k"), reaches_base))))
        opened = self._at(base, cycle)
        for variable in self.variables:
            ring = ring_name(variable, field)
            lost = (
                FALSE
                if variable == base
                else And((atom(ring, "v"), Not(self._at(base, reach_name(variable, field))), Not(self._at(base, ring))))
            )
            yield Update(ring, ("v",), lost)
        yield Update(cut, ("v",), And((atom(cut, "v"), Not(And((opened, reach))))))
        around = Or((reach, self._leads_to(base)))
        yield Update(cycle, ("v",), And((atom(cycle, "v"), Not(And((opened, around))))))
        yield unshared(field, (field,), base, field)

    def connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        if field != self.field or not isinstance(value, Var):
            return
        cut, cycle, reach = cut_name(field), cycle_name(field), self._after(value.name)
        closing = And((atom(base, "v"), reach))
        closed = Exists(("v",), closing)
        yield Update(cut, ("v",), Or((atom(cut, "v"), closing)))
        yield Update(cycle, ("v",), Or((atom(cycle, "v"), And((closed, reach, self._leads_to(base))))))
        yield from bridged(self.field, self.variables, (field,), base, value, unless=closed)
        around = IfThenElse(closed, And((reach, self._leads_to(base))), self._around(value.name))
        for variable in self.variables:
            ring = ring_name(variable, field)
            gained = And((self._at(base, reach_name(variable, field)), around))
            yield Update(ring, ("v",), Or((atom(ring, "v"), gained)))

    def created(self, command: New) -> Iterable[Update]:
        yield from fresh(self.field, self.variables, command.target)
        if command.target in self.variables:
            yield Update(ring_name(command.target, self.field), ("v",), FALSE)

    def appeared(self) -> Iterable[Update]:
        return [itself(self.field)]

    def collected(self, lost: Callable[[str], Formula]) -> Iterable[Update]:
        """Reachable nodes reach no garbage: only sharing changes."""
        return [unshared_by(self.field, (self.field,), lost)]

    def reached(self) -> Iterable[Formula]:
        found = [atom(reach_name(variable, self.field), "v") for variable in self.variables]
        yield from found
        yield from (atom(ring_name(variable, self.field), "v") for variable in self.variables)


def excluded(*literals: Formula) -> Iterable[Constraint]:
    """Literals that never hold together: each is false where the others hold. Inequalities are not concluded."""
    for index, literal in enumerate(literals):
        inner = literal.operand if isinstance(literal, Not) else literal
        if not isinstance(inner, Equal):
            head = inner if isinstance(literal, Not) else Not(inner)
            yield Constraint(And(literals[:index] + literals[index + 1 :]), head)


# --- along one field or several; "" is the name of all ---------------------------------------------------------------


def closures(
    along: str, variables: Sequence[str], step: Formula, fields: Sequence[str], *, ordered: bool = False
) -> Iterable[Predicate]:
    path = closure_name(along)
    whole = closure(step, "u", "v")
    unshown: frozenset[Kleene] = frozenset()
    yield Predicate(path, 2, whole, ("u", "v"), reflexive=True, transitive=True, antisymmetric=ordered, shown=unshown)
    yield Predicate(shared_name(along), 1, shared(fields), ("v",))
    for variable in variables:
        reached = Exists(("u",), And((atom(variable, "u"), atom(path, "u", "v"))))
        yield Predicate(reach_name(variable, along), 1, reached, ("v",))


def shared(
    fields: Sequence[str], without: Callable[[str, str], Formula | None] = lambda field, source: None
) -> Formula:
    """Two arrows lead to v: from two objects, or from two fields of one. `without` gives the arrows that do not count,
    by their field and source."""

    def arrow(field: str, source: str) -> Formula:
        there, gone = atom(field, source, "v"), without(field, source)
        return there if gone is None else And((there, Not(gone)))

    cases: list[Formula] = [
        Exists(("a", "b"), And((arrow(f, "a"), arrow(g, "b"), Not(Equal("a", "b")))))
        for index, f in enumerate(fields)
        for g in fields[index:]
    ]
    cases += [
        Exists(("a",), And((arrow(f, "a"), arrow(g, "a"))))
        for index, f in enumerate(fields)
        for g in fields[index + 1 :]
    ]
    return Or(tuple(cases)) if len(cases) > 1 else cases[0]


def after(along: str, variables: Sequence[str], variable: str, node: str = "v") -> Formula:
    """A node is reached from a variable, whether or not that has a predicate."""
    if variable in variables:
        return atom(reach_name(variable, along), node)
    return Exists(("b",), And((atom(variable, "b"), atom(closure_name(along), "b", node))))


def copied(along: str, variables: Sequence[str], target: str, value: Pointer) -> Iterable[Update]:
    if target in variables:
        reached = after(along, variables, value.name) if isinstance(value, Var) else FALSE
        yield Update(reach_name(target, along), ("v",), reached)


def behind(along: str, target: str, base: str, field: str) -> Update:
    """The nodes reached from base.field, where that is a step of another kind."""
    path = And((atom(base, "u"), atom(field, "u", "w"), atom(closure_name(along), "w", "v")))
    return Update(reach_name(target, along), ("v",), Exists(("u", "w"), path))


def itself(along: str) -> Update:
    """A new node reaches itself."""
    path = closure_name(along)
    both = And((atom(IS_NEW, "u"), atom(IS_NEW, "v")))
    return Update(path, ("u", "v"), Or((atom(path, "u", "v"), both)))


def fresh(along: str, variables: Sequence[str], target: str) -> Iterable[Update]:
    yield itself(along)
    if target in variables:
        yield Update(reach_name(target, along), ("v",), atom(IS_NEW, "v"))


def unshared(along: str, fields: Sequence[str], base: str, field: str) -> Update:
    """Sharing after the removal of the arrow base.field."""
    hit = Exists(("u",), And((atom(base, "u"), atom(field, "u", "v"))))
    still = shared(fields, lambda other, source: atom(base, source) if other == field else None)
    name = shared_name(along)
    return Update(name, ("v",), And((atom(name, "v"), Or((Not(hit), still)))))


def unshared_by(along: str, fields: Sequence[str], lost: Callable[[str], Formula]) -> Update:
    """Sharing after the removal of the arrows of some objects."""
    hit = Exists(("u",), And((lost("u"), Or(tuple(atom(field, "u", "v") for field in fields)))))
    still = shared(fields, lambda field, source: lost(source))
    name = shared_name(along)
    return Update(name, ("v",), And((atom(name, "v"), Or((Not(hit), still)))))


def severed(
    along: str,
    variables: Sequence[str],
    base: str,
    field: str,
    step: Formula,
    tangled: Formula,
    detour: Callable[[Formula], Formula],
    survives: Callable[[Formula, Callable[[str], Formula]], Formula],
) -> Iterable[Update]:
    """Closure and reachability after the removal of the arrow base.field. `detour`: there is another path to v from
    nodes that reach s by a formula. Where the arrow is on a cycle, pairs that surely `survive`, from a node m, are
    kept; the rest is re-evaluated over `step`."""
    path = closure_name(along)
    through = Exists(
        ("a", "b"),
        And((atom(base, "a"), atom(path, "u", "a"), atom(field, "a", "b"), atom(path, "b", "v"))),
    )
    kept = And((atom(path, "u", "v"), Or((Not(through), detour(atom(path, "u", "s"))))))
    stays = survives(Equal("u", "m"), partial(atom, path, "u"))
    anew = And((atom(path, "u", "v"), Or((stays, closure(step, "u", "v")))))
    yield Update(path, ("u", "v"), IfThenElse(tangled, anew, kept))
    for variable in variables:
        reach = reach_name(variable, along)
        lost = Exists(("a", "b"), And((atom(base, "a"), atom(reach, "a"), atom(field, "a", "b"), atom(path, "b", "v"))))
        stays = survives(atom(variable, "m"), partial(atom, reach))
        again = Exists(("u",), And((atom(variable, "u"), closure(step, "u", "v"))))
        anew = And((atom(reach, "v"), Or((stays, again))))
        kept = And((atom(reach, "v"), Or((Not(lost), detour(atom(reach, "s"))))))
        yield Update(reach, ("v",), IfThenElse(tangled, anew, kept))


def bridged(
    along: str, variables: Sequence[str], fields: Sequence[str], base: str, value: Var, unless: Formula = FALSE
) -> Iterable[Update]:
    """Closure, reachability and sharing after an arrow was added from base to value; `unless`: when it does not
    count in the closure."""
    path = closure_name(along)
    behind_value = after(along, variables, value.name)
    over = And((Exists(("a",), And((atom(base, "a"), atom(path, "u", "a")))), behind_value))
    before = atom(path, "u", "v")
    yield Update(path, ("u", "v"), IfThenElse(unless, before, Or((before, over))))
    for variable in variables:
        reach = reach_name(variable, along)
        reaches = Exists(("a",), And((atom(base, "a"), atom(reach, "a"))))
        gained = Or((atom(reach, "v"), And((reaches, behind_value))))
        yield Update(reach, ("v",), IfThenElse(unless, atom(reach, "v"), gained))
    yield met_again(along, fields, base, value)


def met_again(along: str, fields: Sequence[str], base: str, value: Var) -> Update:
    """Sharing after an arrow was added from base to value."""
    met = Exists(("u",), Or(tuple(atom(f, "u", "v") for f in fields)))
    again = And((points_to(value, "v"), Exists(("a",), atom(base, "a")), met))
    return Update(shared_name(along), ("v",), Or((atom(shared_name(along), "v"), again)))


def after_updates(updates: Iterable[Update], name: str) -> Callable[..., Formula]:
    """A predicate after some updates, as a function of its arguments."""
    for update in updates:
        if update.predicate == name and (formula := update.formula) is not None:
            return lambda *nodes: renamed(formula, dict(zip(update.parameters, nodes, strict=True)))
    return partial(atom, name)
