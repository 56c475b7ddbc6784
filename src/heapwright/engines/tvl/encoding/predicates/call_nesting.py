"""Nested calls: `nested[x,g]` holds if each record from x on holds in g an object below that of its caller.

During `destroy(tree->left)` a record holds the node of the call that waits, and later records hold nodes below it:
where one record holds w' and another one holds w, which is reached from w', `caller` leads from the second
one to the first. So nothing below what the last record holds is held by another record.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heapwright.engines.tvl.encoding import predicate_names as names
from heapwright.engines.tvl.encoding.predicates.activation_records import (
    Frames,
    Property,
    Relation,
    fields_of,
    name_of,
    path_of,
)
from heapwright.engines.tvl.encoding.predicates.family import Family
from heapwright.engines.tvl.encoding.predicates.field_reachability import Reach, after, after_updates
from heapwright.engines.tvl.encoding.predicates.offset_tags import all_of, any_of
from heapwright.logic.actions import Update
from heapwright.logic.formulas import TRUE, And, Equal, Exists, Formula, IfThenElse, Not, Or, atom
from heapwright.logic.vocabulary import Constraint, Predicate
from heapwright.program.commands import New
from heapwright.program.expressions import Pointer, Var

EARLY, LATE, UPPER, LOWER = "early", "late", "upper", "lower"  # bound variables that no other family uses


@dataclass(frozen=True)
class Nesting(Family):
    frames: Frames
    holder: str

    @property
    def chain(self) -> Reach:
        return self.frames.chain

    @property
    def variables(self) -> tuple[str, ...]:
        return self.chain.variables

    def _name(self, variable: str) -> str:
        return names.nesting_name(variable, self.holder)

    def predicates(self) -> Iterable[Predicate]:
        for variable in self.variables:
            definition = self._nested(self.frames.on_chain(variable))
            yield Predicate(self._name(variable), 0, definition, (), shown=frozenset())

    def _nested(
        self,
        records: Property,
        order: Relation | None = None,
        holds: Relation | None = None,
        path: Relation | None = None,
    ) -> Formula:
        """The definition, of predicates as they are or will be."""
        order = order or (lambda u, v: atom(names.closure_name(self.chain.field), u, v))
        holds = holds or (lambda u, v: atom(self.holder, u, v))
        held = (records(EARLY), records(LATE), holds(EARLY, UPPER), holds(LATE, LOWER))
        wrong = (Not(Equal(UPPER, LOWER)), (path or self.frames.path)(UPPER, LOWER), Not(order(LATE, EARLY)))
        return Not(Exists((EARLY, LATE, UPPER, LOWER), And((*held, *wrong))))

    def constraints(self) -> Iterable[Constraint]:
        """Nothing below what the last record holds is held by the others."""
        for variable in self.variables:
            stray = And((atom(self.holder, "u", "v"), Not(self.frames.on_chain(variable)("u"))))
            last = Exists(("a",), And((atom(variable, "a"), atom(self.holder, "a", "w"))))
            other = (self._is_held("v"), Not(Exists(("u",), stray)), Not(Equal("v", "w")))
            body = (atom(self._name(variable)), last, *other)
            for family in self.frames.below:
                yield Constraint(And(body), Not(path_of(family, "w", "v")))

    def _is_held(self, node: str) -> Formula:
        return any_of(self.frames.held_by(self.holder, node))

    def _at(self, base: str, predicate: str) -> Formula:
        return Exists(("a",), And((atom(base, "a"), atom(predicate, "a"))))

    def _has(self, base: str, variable: str) -> Formula:
        return self._at(base, names.reach_name(variable, self.chain.field))

    # --- steps --------------------------------------------------------------------------------------------------------

    def assigned(self, target: str, value: Pointer) -> Iterable[Update]:
        if target in self.variables:
            known = value.name if isinstance(value, Var) and value.name in self.variables else None
            yield Update(self._name(target), (), TRUE if known is None else atom(self._name(known)))

    def created(self, command: New) -> Iterable[Update]:
        if command.target in self.variables:
            yield Update(self._name(command.target), (), TRUE)

    def loaded(self, target: str, base: str, field: str) -> Iterable[Update]:
        if target not in self.variables:
            return
        records = after_updates(self.chain.loaded(target, base, field), names.reach_name(target, self.chain.field))
        anew = self._nested(records)
        if field == self.chain.field and base in self.variables:
            fewer = And((Not(self._at(base, names.cut_name(field))), atom(self._name(base))))
            anew = Or((fewer, anew))
        yield Update(self._name(target), (), anew)

    def cut(self, base: str, field: str) -> Iterable[Update]:
        """The removal of an edge on no cycle through what is held keeps the order."""
        for variable in self.variables:
            opened: Formula | None = None
            if field == self.chain.field:
                updates = list(self.chain.cut(base, field))
                records = after_updates(updates, names.reach_name(variable, field))
                order = after_updates(updates, names.closure_name(field))
                anew = self._nested(records, order)
                opened = self._at(base, names.cycle_name(field))
            elif field == self.holder:
                anew = self._nested(
                    self.frames.on_chain(variable), holds=lambda u, v: And((atom(field, u, v), Not(atom(base, u))))
                )
            else:
                family = next((family for family in self.frames.below if field in fields_of(family)), None)
                if family is None:
                    return
                path = self.frames.path_after(list(family.cut(base, field)))
                anew = self._nested(self.frames.on_chain(variable), path=path)
                opened = self._opened(base, field) if isinstance(family, Reach) else None
            name = self._name(variable)
            kept = atom(name) if opened is None else And((atom(name), Not(opened)))
            yield Update(name, (), Or((kept, anew)))

    def _opened(self, base: str, field: str) -> Formula:
        """The edge lies on a cycle of which a node is held. Where a cycle is opened, new paths lead to nodes of it
        alone."""
        cycle = names.cycle_name(field)
        return And((self._at(base, cycle), Exists((LOWER,), And((self._is_held(LOWER), atom(cycle, LOWER))))))

    def connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        if not isinstance(value, Var):
            return
        if field == self.chain.field:
            yield from self._linked(base, value.name)
        elif field == self.holder:
            yield from self._filled(base, value.name)
        for family in self.frames.below:
            if field in fields_of(family):
                path = self.frames.path_after(list(family.connected(base, field, value)))
                behind = after(name_of(family), family.variables, value.name, LOWER)
                below = Exists((LOWER,), And((self._is_held(LOWER), behind)))
                for variable in self.variables:
                    affected = And((self._at(base, names.held_name(variable)), below))
                    anew = self._nested(self.frames.on_chain(variable), path=path)
                    name = self._name(variable)
                    yield Update(name, (), IfThenElse(affected, anew, atom(name)))

    def _linked(self, base: str, value: str) -> Iterable[Update]:
        """A record that has had no caller gets one: what later records hold must not be below what it holds."""
        if value not in self.variables:
            return
        updates = list(self.chain.connected(base, self.chain.field, Var(value)))
        closed = Exists(("v",), And((atom(base, "v"), atom(names.reach_name(value, self.chain.field), "v"))))
        mine = Exists(("a",), And((atom(base, "a"), atom(self.holder, "a", UPPER))))
        other = Exists((LATE,), And((self.frames.on_chain(value)(LATE), atom(self.holder, LATE, LOWER))))
        apart = (Not(Equal(UPPER, LOWER)), self.frames.path(UPPER, LOWER))
        below = Exists((UPPER, LOWER), And((mine, self._is_held(LOWER), other, *apart)))
        first = all_of((atom(self._name(value)), Not(below)))
        for variable in self.variables:
            name = self._name(variable)
            here = Exists(("a",), And((atom(base, "a"), atom(variable, "a"))))
            records = after_updates(updates, names.reach_name(variable, self.chain.field))
            order = after_updates(updates, names.closure_name(self.chain.field))
            anew = self._nested(records, order)
            linked = IfThenElse(And((here, Not(closed))), first, anew)
            yield Update(name, (), IfThenElse(self._has(base, variable), linked, atom(name)))

    def _filled(self, base: str, value: str) -> Iterable[Update]:
        """One record alone is in order, whatever it holds."""
        called = Exists(("a", "b"), And((atom(base, "a"), atom(self.chain.field, "a", "b"))))

        def holds(u: str, v: str) -> Formula:
            return Or((atom(self.holder, u, v), And((atom(base, u), atom(value, v)))))

        for variable in self.variables:
            name = self._name(variable)
            here = Exists(("a",), And((atom(base, "a"), atom(variable, "a"))))
            alone = And((here, Not(called)))
            anew = self._nested(self.frames.on_chain(variable), holds=holds)
            affected = And((self._has(base, variable), Not(alone)))
            yield Update(name, (), IfThenElse(affected, anew, atom(name)))
