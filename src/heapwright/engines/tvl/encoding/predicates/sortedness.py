"""Sortedness along a field: `inOrder[f](v)` holds if the key of v is at most that of its successor.

A list is sorted if all of its nodes are in order. If all nodes between two nodes of a list are in order, so are the
keys of the two. Other relations than "at least" have their sign in the name: `inOrder[left<](v)` means that the left
child of v, if there is one, has a smaller key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from heapwright.engines.tvl.encoding.memory.keys import SORTED, Relation
from heapwright.engines.tvl.encoding.predicate_names import IS_NEW, closure_name, in_order_name
from heapwright.engines.tvl.encoding.predicates.family import Data, Family
from heapwright.engines.tvl.encoding.predicates.field_reachability import Reach, after
from heapwright.engines.tvl.encoding.predicates.key_order import Order
from heapwright.logic.actions import Update
from heapwright.logic.formulas import And, Equal, Exists, Formula, IfThenElse, Not, Or, atom
from heapwright.logic.vocabulary import Constraint, Predicate
from heapwright.program.commands import New, StoreData
from heapwright.program.expressions import Literal, Pointer, ShapeLiteral, Var


@dataclass(frozen=True)
class InOrder(Family):
    """`relation`: of the key behind the field to the key before it."""

    order: Order
    reach: Reach
    relation: Relation = ">="

    @property
    def field(self) -> str:
        return self.reach.field

    @property
    def name(self) -> str:
        return in_order_name(self.field, self.relation)

    def _right(self, node: str, following: str, below: Callable[[str, str], Formula]) -> Formula:
        """Whether the keys of two nodes are as they should be."""
        match self.relation:
            case ">=":
                return below(node, following)
            case ">":
                return Not(below(following, node))
            case "<=":
                return below(following, node)
            case "<":
                return Not(below(node, following))

    def predicates(self) -> Iterable[Predicate]:
        wrong = Exists(("w",), And((atom(self.field, "v", "w"), Not(self._right("v", "w", self.order.below)))))
        yield Predicate(self.name, 1, Not(wrong), ("v",))

    def constraints(self) -> Iterable[Constraint]:
        path = closure_name(self.field)
        between = And((atom(path, "u", "w"), atom(path, "w", "v"), Not(Equal("w", "v"))))
        broken = Exists(("w",), And((between, Not(atom(self.name, "w")))))
        apart = (Not(Equal("u", "v")),) if self.relation in ("<", ">") else ()
        yield Constraint(And((atom(path, "u", "v"), *apart, Not(broken))), self._right("u", "v", self.order.below))

    def created(self, command: New) -> Iterable[Update]:
        return self.appeared()

    def appeared(self) -> Iterable[Update]:
        return [Update(self.name, ("v",), Or((atom(self.name, "v"), atom(IS_NEW, "v"))))]

    def cut(self, base: str, field: str) -> Iterable[Update]:
        if field == self.field:
            yield Update(self.name, ("v",), Or((atom(self.name, "v"), atom(base, "v"))))

    def connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        if field == self.field and isinstance(value, Var):
            wrong = Exists(("w",), And((atom(value.name, "w"), Not(self._right("v", "w", self.order.below)))))
            yield Update(self.name, ("v",), IfThenElse(atom(base, "v"), Not(wrong), atom(self.name, "v")))

    def computed(self, command: Data) -> Iterable[Update]:
        changed = self.order.changed(command)
        if changed is None or not isinstance(command, StoreData):
            return
        before = Exists(("w",), And((changed("w"), atom(self.field, "v", "w"))))
        as_it_should = self._right("v", "w", partial(self.order.order_after, command))
        wrong = Exists(("w",), And((atom(self.field, "v", "w"), Not(as_it_should))))
        yield Update(self.name, ("v",), IfThenElse(Or((changed("v"), before)), Not(wrong), atom(self.name, "v")))

    # --- hw_sorted ----------------------------------------------------------------------------------------------------

    def _reached(self, literal: Literal) -> Formula | None:
        """The nodes that must be in order for the literal to hold."""
        match literal:
            case ShapeLiteral(predicate, (Var(name),), (link, key), _) if SORTED.get(predicate) == self.relation:
                if link == self.field and key in self.order.keys.fields:
                    return after(self.field, self.reach.variables, name)
        return None

    def meaning(self, literal: Literal) -> Formula | None:
        """The part of `hw_sorted` that is about keys."""
        reached = self._reached(literal)
        if reached is None:
            return None
        return Not(Exists(("v",), And((reached, Not(atom(self.name, "v"))))))

    def learned(self, literal: Literal) -> Iterable[Update]:
        reached = self._reached(literal)
        if reached is not None and isinstance(literal, ShapeLiteral) and not literal.negated:
            yield Update(self.name, ("v",), Or((atom(self.name, "v"), reached)))
