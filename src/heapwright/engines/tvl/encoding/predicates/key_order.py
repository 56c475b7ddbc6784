"""The order of keys: `dle[T.d](u, v)` where the key of u is at most that of v. Keys that are compared for equality
alone have `deq[T.d](u, v)` instead, where they are equal.

Every node has a position in the order, so that `dle` is a total preorder, and `deq` an equivalence. The position of a
block is that of its cell d. A variable that carries keys is at a node with its value, `key i`: after `i = p.d` at the
block of p, after `i = j` at the node of j, and after `i = i + 1` or an input at a node made for it, a `value`, which is
no block and goes when no variable is at it. A variable that is at no node has an unknown value. Before p.d changes,
variables that are at the block of p move to a value with its old position.

    i = p.d; j = q.d; assume i < j      decides dle(q, p): it is false
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from heapwright.engines.tvl.encoding.memory.keys import KeyCells, Keys, compared
from heapwright.engines.tvl.encoding.predicate_names import IS_NEW, carries, order_name, value_name
from heapwright.engines.tvl.encoding.predicates.family import Data, Family
from heapwright.logic.actions import Action, NewNodes, Update
from heapwright.logic.formulas import FALSE, HALF, TRUE, And, Exists, Formula, IfThenElse, Not, Or, atom
from heapwright.logic.vocabulary import Constraint, Predicate
from heapwright.program.commands import Compute, LoadData, New, StoreData
from heapwright.program.expressions import Compare, Literal

Where = Callable[[str], Formula]


@dataclass(frozen=True)
class Order(Family):
    cells: KeyCells
    keys: Keys

    @cached_property
    def name(self) -> str:
        return order_name(self.keys.name, ordered=self.keys.ordered)

    @cached_property
    def value(self) -> str:
        return value_name(self.keys.name)

    def below(self, lower: str, upper: str) -> Formula:
        return atom(self.name, lower, upper)

    def predicates(self) -> Iterable[Predicate]:
        symmetric = not self.keys.ordered
        yield Predicate(self.name, 2, reflexive=True, transitive=True, symmetric=symmetric, shown=frozenset())
        yield Predicate(self.value, 1)
        yield from (Predicate(carries(name), 1, unique=True, pointer=True) for name in self.keys.variables)

    def constraints(self) -> Iterable[Constraint]:
        """The order is total, equality symmetric; and transitivity turned round."""
        if self.keys.ordered:
            yield Constraint(Not(self.below("u", "v")), self.below("v", "u"))
        else:
            yield Constraint(Not(self.below("u", "v")), Not(self.below("v", "u")))
        yield Constraint(And((self.below("u", "w"), Not(self.below("u", "v")))), Not(self.below("w", "v")))
        yield Constraint(And((Not(self.below("u", "v")), self.below("w", "v"))), Not(self.below("u", "w")))

    # --- objects ------------------------------------------------------------------------------------------------------

    def created(self, command: New) -> Iterable[Update]:
        return self.appeared()

    def appeared(self) -> Iterable[Update]:
        return [self.taken(lambda node: atom(IS_NEW, node), None)]

    def held(self) -> Iterable[Formula]:
        return [atom(carries(name), "v") for name in self.keys.variables]

    def changed(self, command: Data) -> Where | None:
        """The object whose position a command changes."""
        if isinstance(command, StoreData) and self.cells.cell(command) in self.keys.fields:
            return lambda node: atom(command.base, node)
        return None

    def order_after(self, command: StoreData, lower: str, upper: str) -> Formula:
        """dle(lower, upper) after an object has another key."""
        return self._moved(lambda node: atom(command.base, node), self._source(command), lower, upper)

    def _source(self, command: StoreData) -> Where | None:
        name = self.cells.stored(command)
        return None if name not in self.keys.variables else lambda node: atom(carries(name), node)

    # --- positions ----------------------------------------------------------------------------------------------------

    def taken(self, who: Where, position: Where | None) -> Update:
        """The order after some nodes take the position of one; None: any position."""
        return Update(self.name, ("u", "v"), self._moved(who, position, "u", "v"))

    def _moved(self, who: Where, position: Where | None, lower: str, upper: str) -> Formula:
        def at_position(relation: Formula) -> Formula:
            if position is None:
                return HALF
            there = Exists(("a",), position("a"))
            return IfThenElse(there, Exists(("a",), And((position("a"), relation))), HALF)

        above, beneath = at_position(self.below("a", upper)), at_position(self.below(lower, "a"))
        old = self.below(lower, upper)
        return IfThenElse(who(lower), IfThenElse(who(upper), TRUE, above), IfThenElse(who(upper), beneath, old))

    def computed(self, command: Data) -> Iterable[Update]:
        if isinstance(command, StoreData) and self.changed(command) is not None:
            yield Update(self.name, ("u", "v"), self.order_after(command, "u", "v"))

    def staged(self, action: Action, command: Data, live: frozenset[str]) -> list[Action]:
        if isinstance(command, StoreData):
            return self._stored(action, command, live)
        target = command.target
        if target not in self.keys.variables or target not in live:
            return [action]
        position = self._known(command)
        stays = [atom(carries(name), "v") for name in self.keys.variables if name != target]
        if position is not None:
            moved = Update(carries(target), ("v",), position("v"))
            retain = Or((Not(atom(self.value, "v")), *stays, position("v")))
            return [replace(action, updates=(*action.updates, moved), retain=("v", retain))]
        fresh = atom(IS_NEW, "v")
        updates = [
            Update(carries(target), ("v",), fresh),
            Update(self.value, ("v",), Or((atom(self.value, "v"), fresh))),
            self.taken(lambda node: atom(IS_NEW, node), None),
        ]
        retain = Or((Not(atom(self.value, "v")), *stays))
        return [replace(action, new=NewNodes(), updates=(*action.updates, *updates), retain=("v", retain))]

    def _known(self, command: Data) -> Where | None:
        """The node whose position a variable takes."""
        match command:
            case LoadData() if self.cells.loaded(command) in self.keys.fields:
                return lambda node: atom(command.base, node)
            case Compute() if (source := self.cells.copied(command)) in self.keys.variables:
                return lambda node: atom(carries(source), node)
        return None

    def _stored(self, action: Action, command: StoreData, live: frozenset[str]) -> list[Action]:
        """First, what is at the object moves to a value of its own. The variable that is written needs not: if it is at
        the object, nothing changes."""
        source = self.cells.stored(command)
        others = [name for name in self.keys.variables if name in live and name != source]
        changed = self.changed(command)
        if changed is None or not others:
            return [action]
        at_object = Or(tuple(And((changed("v"), atom(carries(name), "v"))) for name in others))
        updates = [self.taken(lambda node: atom(IS_NEW, node), changed)]
        updates.append(Update(self.value, ("v",), Or((atom(self.value, "v"), atom(IS_NEW, "v")))))
        for name in others:
            was_there = Exists(("a",), And((changed("a"), atom(carries(name), "a"))))
            moves = And((atom(IS_NEW, "v"), was_there))
            updates.append(
                Update(carries(name), ("v",), Or((And((atom(carries(name), "v"), Not(changed("v")))), moves)))
            )
        aside = replace(action, title=f"{action.title}: keep", new=NewNodes("v", at_object), updates=tuple(updates))
        return [aside, replace(action, precondition=None, messages=())]

    def gone(self, names: frozenset[str]) -> Iterable[Action]:
        dead = [name for name in self.keys.variables if name in names]
        if dead:
            stay = [atom(carries(name), "v") for name in self.keys.variables if name not in names]
            retain = Or((Not(atom(self.value, "v")), *stay))
            updates = tuple(Update(carries(name), ("v",), FALSE) for name in dead)
            yield Action(f"{', '.join(dead)} gone", updates=updates, retain=("v", retain))

    # --- conditions ---------------------------------------------------------------------------------------------------

    def _pair(self, literal: Literal) -> tuple[str, str] | None:
        pair = compared(literal) if isinstance(literal, Compare) else None
        return pair if pair is not None and set(pair) <= set(self.keys.variables) else None

    def focus(self, literal: Literal) -> Iterable[Formula]:
        pair = self._pair(literal)
        if pair is not None:
            ends = (atom(carries(pair[0]), "u"), atom(carries(pair[1]), "v"))
            yield And((*ends, self.below("u", "v")))
            if self.keys.ordered:
                yield And((*ends, self.below("v", "u")))

    def meaning(self, literal: Literal) -> Formula | None:
        pair = self._pair(literal)
        if pair is None or not isinstance(literal, Compare):
            return None
        left, right = (atom(carries(pair[0]), "u"), atom(carries(pair[1]), "v"))
        at_most = Exists(("u", "v"), And((left, right, self.below("u", "v"))))
        at_least = Exists(("u", "v"), And((left, right, self.below("v", "u"))))
        meanings: dict[str, Formula] = {
            "<=": at_most,
            ">": Not(at_most),
            ">=": at_least,
            "<": Not(at_least),
            "==": And((at_most, at_least)),
            "!=": Not(And((at_most, at_least))),
        }
        return IfThenElse(And((Exists(("u",), left), Exists(("v",), right))), meanings[literal.op], HALF)
