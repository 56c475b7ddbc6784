"""Fields that hold an object: `has[f]` of v where the field f of v leads somewhere.

    struct item { struct item *next; struct tree *node; };        while (s) { n = s->node; ... n->left ...

Merged items have different trees, so that `item.node` is 1/2 of each and could be null. What they have in common is
that they have one. It is no name of a node: items with and without an object stay merged where they were.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heapwright.engines.tvl.encoding.predicate_names import filled_name
from heapwright.engines.tvl.encoding.predicates.family import Family, on_new_node
from heapwright.logic.actions import Update
from heapwright.logic.formulas import FALSE, And, Exists, Not, Or, atom
from heapwright.logic.vocabulary import Predicate
from heapwright.program.commands import New
from heapwright.program.expressions import Pointer, Var


@dataclass(frozen=True)
class FilledFields(Family):
    """`has[f]`"""

    field: str

    @property
    def name(self) -> str:
        return filled_name(self.field)

    def predicates(self) -> Iterable[Predicate]:
        leads = Exists(("w",), atom(self.field, "v", "w"))
        yield Predicate(self.name, 1, leads, ("v",), abstraction=False)

    def cut(self, base: str, field: str) -> Iterable[Update]:
        if field == self.field:
            yield Update(self.name, ("v",), And((atom(self.name, "v"), Not(atom(base, "v")))))

    def connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        if field == self.field and isinstance(value, Var):
            here = And((atom(base, "v"), Exists(("w",), atom(value.name, "w"))))
            yield Update(self.name, ("v",), Or((atom(self.name, "v"), here)))

    def created(self, command: New) -> Iterable[Update]:
        yield on_new_node(self.name, FALSE)

    def appeared(self) -> Iterable[Update]:
        yield on_new_node(self.name, FALSE)
