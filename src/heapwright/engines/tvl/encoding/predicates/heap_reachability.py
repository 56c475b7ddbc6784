"""Reachability along all fields together, for objects with several.

The removal of an arrow a -> b is exact unless it is on a cycle: there, paths that surely survive are kept
(`_survival`), and the rest is re-evaluated. Elsewhere, what was reached over the arrow is still reached where there is
a detour: let s be the last object of another path that leads to a, and d the next one. Then s -> d is another arrow, d
leads to a no more, and neither the way to s nor that from d goes over a -> b, which would close a cycle or make d lead
to a. The two ways meet again in something that is shared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from heapwright.engines.tvl.encoding.predicate_names import closure_name, points_to, reach_name, shared_name
from heapwright.engines.tvl.encoding.predicates import field_reachability as reach
from heapwright.engines.tvl.encoding.predicates.family import Family
from heapwright.engines.tvl.encoding.predicates.offset_tags import any_of
from heapwright.logic.actions import Update
from heapwright.logic.formulas import FALSE, HALF, And, Equal, Exists, Formula, Not, Or, atom
from heapwright.logic.vocabulary import Constraint, Predicate
from heapwright.program.commands import New
from heapwright.program.expressions import Pointer, Var

ALL = ""  # the name of all fields in `t[]`, `r[x]`, `is[]`


@dataclass(frozen=True)
class ReachAll(Family):
    """`t[]`, `r[x]`, `is[]`"""

    along: tuple[reach.Reach, ...]  # reachability along each of the fields
    variables: tuple[str, ...]
    arrays: tuple[str, ...] = ()  # cells that share a name, so that an object has several arrows of it

    @property
    def fields(self) -> tuple[str, ...]:
        return (*(one.field for one in self.along), *self.arrays)

    def predicates(self) -> Iterable[Predicate]:
        step = Or(tuple(atom(field, "s", "t") for field in self.fields))
        return reach.closures(ALL, self.variables, step, self.fields)

    def constraints(self) -> Iterable[Constraint]:
        """Predicates along all fields and along one of them; what is not shared has one arrow."""
        yield from self._paths()
        lone = Not(atom(shared_name(ALL), "v"))
        for one_field in self.along:
            field = one_field.field
            pairs = [(atom(closure_name(field), "u", "v"), atom(closure_name(ALL), "u", "v"))]
            pairs.append((atom(shared_name(field), "v"), atom(shared_name(ALL), "v")))
            both = [x for x in self.variables if x in one_field.variables]
            pairs += [(atom(reach_name(x, field), "v"), atom(reach_name(x, ALL), "v")) for x in both]
            for one, every in pairs:
                yield Constraint(one, every)
                yield Constraint(Not(every), Not(one))
        for field in self.fields:
            for other in self.fields:
                elsewhere = Exists(("a",), And((atom(field, "a", "v"), Not(Equal("a", "b")))))
                yield Constraint(And((lone, elsewhere)), Not(atom(other, "b", "v")))
                if other != field:
                    yield Constraint(And((lone, atom(field, "b", "v"))), Not(atom(other, "b", "v")))

    def _paths(self) -> Iterable[Constraint]:
        path, lone = closure_name(ALL), Not(atom(shared_name(ALL), "v"))
        yield from reach.excluded(atom(path, "u", "w"), atom(path, "w", "v"), Not(atom(path, "u", "v")))
        for field in self.fields:
            arrow, astray = atom(field, "u", "w"), []
            yield from reach.excluded(arrow, Not(atom(path, "u", "w")))
            # A path to what is not shared comes over its one arrow.
            only = (atom(field, "u", "v"), lone, Not(Equal("w", "v")))
            yield from reach.excluded(*only, atom(path, "w", "v"), Not(atom(path, "w", "u")))
            # A path goes over one of the arrows from its start.
            for other in self.fields:
                if other != field:
                    astray.append(Not(Exists(("b",), And((atom(other, "u", "b"), atom(path, "b", "v"))))))
            start = (atom(path, "u", "v"), Not(Equal("u", "v")), arrow)
            yield Constraint(And((*start, *astray)), atom(path, "w", "v"))
        for variable in self.variables:
            yield Constraint(And((atom(variable, "u"), atom(reach_name(variable, ALL), "v"))), atom(path, "u", "v"))

    def focus_loaded(self, target: str, base: str, field: str) -> Iterable[Formula]:
        """The nodes that the target will reach, so that they are not merged with others."""
        path = And((atom(base, "u"), atom(field, "u", "w"), atom(closure_name(ALL), "w", "v")))
        return [Exists(("u", "w"), path)] if target in self.variables else []

    def assigned(self, target: str, value: Pointer) -> Iterable[Update]:
        return reach.copied(ALL, self.variables, target, value)

    def loaded(self, target: str, base: str, field: str) -> Iterable[Update]:
        return [reach.behind(ALL, target, base, field)] if target in self.variables else []

    def cut(self, base: str, field: str) -> Iterable[Update]:
        if field not in self.fields:
            return
        below = (atom(base, "a"), atom(field, "a", "b"))
        cyclic = Exists(("a", "b"), And((*below, atom(closure_name(ALL), "b", "a"))))
        step = Or(self._arrows("s", "t", base, field))
        ways = self._detour(base, field), self._survival(base, field)
        yield from reach.severed(ALL, self.variables, base, field, step, cyclic, *ways)
        yield reach.unshared(ALL, self.fields, base, field)

    def _arrows(self, source: str, target: str, base: str, field: str) -> tuple[Formula, ...]:
        """All arrows but base.field."""
        others = [atom(other, source, target) for other in self.fields if other != field]
        return (*others, And((atom(field, source, target), Not(atom(base, source)))))

    def _detour(self, base: str, field: str) -> Callable[[Formula], Formula]:
        """Another way to v than over the arrow base.field, from where s is reached."""
        path = closure_name(ALL)
        to_base = Exists(("a",), And((atom(base, "a"), atom(path, "s", "a"))))
        from_next = Exists(("a",), And((atom(base, "a"), atom(path, "d", "a"))))
        leaves = (to_base, Or(self._arrows("s", "d", base, field)), Not(from_next), atom(path, "d", "v"))
        behind_arrow = (atom(base, "a"), atom(field, "a", "b"), atom(path, "b", "m"))
        meets = Exists(("a", "b", "m"), And((*behind_arrow, atom(shared_name(ALL), "m"), atom(path, "m", "v"))))
        return lambda reached: And((meets, Exists(("s", "d"), And((reached, *leaves)))))

    def _survival(self, base: str, field: str) -> Callable[[Formula, Callable[[str], Formula]], Formula]:
        """What is surely reached without the arrow a -> b = base.field, where it is on a cycle: v from a node m, or
        from a node n that comes after m along one field. A way needs the arrow only where it leads to a and v is behind
        b; a itself is reached without it, and so is v from b. Along one field the closure is exact."""
        path = closure_name(ALL)
        lines = [reach.after_updates(one.cut(base, field), closure_name(one.field)) for one in self.along]

        def line(source: str, target: str) -> Formula:
            return any_of([after(source, target) for after in lines])

        def astray(reaches: Callable[[str], Formula], target: str) -> Formula:
            arrow = (atom(base, "a"), reaches("a"), atom(field, "a", "b"), atom(path, "b", target))
            return Exists(("a", "b"), And(arrow))

        def way(source: str) -> Formula:
            behind_arrow = Exists(("a",), And((atom(base, "a"), atom(field, "a", source))))
            straight = Not(astray(lambda node: atom(path, source, node), "v"))
            return Or((line(source, "v"), And((atom(path, source, "v"), Or((straight, behind_arrow))))))

        onwards = Or((way("m"), Exists(("n",), And((line("m", "n"), way("n"))))))

        def survives(start: Formula, reaches: Callable[[str], Formula]) -> Formula:
            there = Or((start, And((reaches("m"), Or((atom(base, "m"), Not(astray(reaches, "m"))))))))
            return Exists(("m",), And((there, onwards)))

        return survives

    def connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        if field not in self.fields or not isinstance(value, Var):
            return ()
        return reach.bridged(ALL, self.variables, self.fields, base, value)

    def overwritten(self, base: str, cells: str, value: Pointer) -> Iterable[Update]:
        """Nodes reached through the old value of the cell may still be reached through others."""
        if cells not in self.fields:
            return
        path, here = closure_name(ALL), atom(base, "a")
        gone = And((atom(cells, "a", "w"), Not(points_to(value, "w"))))
        out = (gone, atom(path, "w", "v"))

        def kept(before: Formula, lost: Formula) -> Formula:
            return And((before, Or((Not(lost), HALF))))

        behind_value: Formula = FALSE
        if isinstance(value, Var):
            lost = Exists(("b", "a", "w"), And((atom(value.name, "b"), here, atom(path, "b", "a"), *out)))
            behind_value = kept(Exists(("b",), And((atom(value.name, "b"), atom(path, "b", "v")))), lost)
        lost = Exists(("a", "w"), And((here, atom(path, "u", "a"), *out)))
        over = And((Exists(("a",), And((here, atom(path, "u", "a")))), behind_value))
        yield Update(path, ("u", "v"), Or((kept(atom(path, "u", "v"), lost), over)))
        for variable in self.variables:
            reached = reach_name(variable, ALL)
            lost = Exists(("a", "w"), And((here, atom(reached, "a"), *out)))
            gained = And((Exists(("a",), And((here, atom(reached, "a")))), behind_value))
            yield Update(reached, ("v",), Or((kept(atom(reached, "v"), lost), gained)))
        hit = Exists(("a",), And((here, atom(cells, "a", "v"), Not(points_to(value, "v")))))
        others = [atom(f, "u", "v") for f in self.fields if f != cells]
        met = Exists(("u",), Or((*others, And((atom(cells, "u", "v"), Not(atom(base, "u")))))))
        again = And((points_to(value, "v"), Exists(("a",), here), met))
        yield Update(shared_name(ALL), ("v",), Or((kept(atom(shared_name(ALL), "v"), hit), again)))

    def created(self, command: New) -> Iterable[Update]:
        return reach.fresh(ALL, self.variables, command.target)

    def appeared(self) -> Iterable[Update]:
        return [reach.itself(ALL)]

    def collected(self, lost: Callable[[str], Formula]) -> Iterable[Update]:
        return [reach.unshared_by(ALL, self.fields, lost)]

    def reached(self) -> Iterable[Formula]:
        return [atom(reach_name(variable, ALL), "v") for variable in self.variables]
