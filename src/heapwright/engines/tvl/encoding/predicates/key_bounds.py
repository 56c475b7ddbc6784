"""Bounds of keys by variables: `below[i](v)` where the key of v is at most i, `above[i](v)` where it is at least i;
where keys are compared for equality alone, `below[i](v)` means that it is i.

Programs that compare a number with one key after another and come back to an earlier one later, as in

    while (node) { parent = node; node = key < node->key ? node->left : node->right; }
    if (key < parent->key) parent->left = fresh; else parent->right = fresh;

need such comparisons remembered of the objects to which `parent` and `node` point, also where heaps that differ in
nothing else would be joined. They do not separate other objects, of which there are many: the structures would
multiply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from heapwright.engines.tvl.encoding.memory.keys import bases_of, comparing
from heapwright.engines.tvl.encoding.predicate_names import carries, side_name
from heapwright.engines.tvl.encoding.predicates.family import Family, on_new_node
from heapwright.engines.tvl.encoding.predicates.key_order import Order
from heapwright.engines.tvl.formulas.rewriting import renamed
from heapwright.logic.actions import Action, Update
from heapwright.logic.formulas import HALF, And, Exists, Formula, Not, atom
from heapwright.logic.vocabulary import Predicate
from heapwright.program.commands import New


@dataclass(frozen=True)
class KeyBound(Family):
    order: Order
    variable: str
    above: bool
    pointers: tuple[str, ...] = ()  # the variables through which the keys are read that it is compared with

    @property
    def name(self) -> str:
        return side_name(self.variable, above=self.above)

    def predicates(self) -> Iterable[Predicate]:
        here = And((atom(carries(self.variable), "u"), self._on_side("v", "u")))
        separates = tuple((pointer,) for pointer in self.pointers)
        yield Predicate(self.name, 1, Exists(("u",), here), ("v",), abstraction=False, separates=separates)

    def _on_side(self, node: str, value: str) -> Formula:
        return self.order.below(value, node) if self.above else self.order.below(node, value)

    def created(self, command: New) -> Iterable[Update]:
        anything = And((Exists(("u",), atom(carries(self.variable), "u")), HALF))
        return [on_new_node(self.name, anything)]

    def collected(self, lost: Callable[[str], Formula]) -> Iterable[Update]:
        """The value of a variable whose node goes is unknown."""
        kept = Exists(("u",), And((atom(carries(self.variable), "u"), Not(lost("u")))))
        return [Update(self.name, ("v",), And((atom(self.name, "v"), kept)))]

    def followed(self, action: Action) -> Iterable[Update]:
        updates = {update.predicate: update for update in action.updates}
        where, order = updates.get(carries(self.variable)), updates.get(self.order.name)
        if where is None and order is None:
            return
        here: Formula = atom(carries(self.variable), "u")
        if where is not None and where.formula is not None:
            here = renamed(where.formula, dict(zip(where.parameters, ("u",), strict=True)))
        on_side = self._on_side("v", "u")
        if order is not None and order.formula is not None:
            ends = ("u", "v") if self.above else ("v", "u")
            on_side = renamed(order.formula, dict(zip(order.parameters, ends, strict=True)))
        yield Update(self.name, ("v",), Exists(("u",), And((here, on_side))))


def sides(order: Order) -> Iterator[KeyBound]:
    """Of variables that are compared with keys at several locations: the sides that decide those comparisons."""
    found: dict[str, dict[int, set[bool]]] = {}
    read: dict[str, set[str]] = {}
    bases = bases_of(order.cells)
    for location, variable, key, aboves in comparing(order.cells, order.keys):
        found.setdefault(variable, {}).setdefault(location, set()).update(aboves)
        read.setdefault(variable, set()).update(bases.get(key, ()))
    for variable, by_location in sorted(found.items()):
        if len(by_location) > 1:
            for above in sorted(set().union(*by_location.values())) if order.keys.ordered else (False,):
                yield KeyBound(order, variable, above, tuple(sorted(read[variable])))
