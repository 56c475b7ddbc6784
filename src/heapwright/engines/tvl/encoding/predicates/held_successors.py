"""Records that hold an object and its successor: `leads[g,f,h]` holds of a record if f leads from what it holds in g to
what it holds in h; of all other nodes as well.

    second = l->next; r = reverse(second); second->next = l; l->next = NULL;

Once `reverse` has returned, that l still leads to `second` is what the record remembers. Nothing else tells in which of
the pending nodes a path to the reversed list begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heapwright.engines.tvl.encoding import predicate_names as names
from heapwright.engines.tvl.encoding.predicates.family import Family
from heapwright.logic.actions import Update
from heapwright.logic.formulas import And, Exists, Formula, Not, Or, atom
from heapwright.logic.vocabulary import Constraint, Predicate
from heapwright.program.commands import New
from heapwright.program.expressions import Pointer, Var


@dataclass(frozen=True)
class HeldSuccessors(Family):
    """`leads[g,f,h]`"""

    first: str
    field: str
    second: str

    @property
    def _name(self) -> str:
        return names.leading_name(self.first, self.field, self.second)

    @property
    def _kept(self) -> Formula:
        return atom(self._name, "v")

    def _astray(self, first: Formula, second: Formula) -> Formula:
        """The record v holds two objects, given as formulas over a and b, and f does not lead from one to the other."""
        return Exists(("a", "b"), And((first, second, Not(atom(self.field, "a", "b")))))

    def predicates(self) -> Iterable[Predicate]:
        definition = Not(self._astray(atom(self.first, "v", "a"), atom(self.second, "v", "b")))
        yield Predicate(self._name, 1, definition, ("v",), abstraction=False, shown=frozenset())

    def constraints(self) -> Iterable[Constraint]:
        first, second = atom(self.first, "v", "a"), atom(self.second, "v", "b")
        yield Constraint(And((self._kept, first, second)), atom(self.field, "a", "b"))
        yield Constraint(And((self._kept, first, Not(atom(self.field, "a", "b")))), Not(second))

    def created(self, command: New) -> Iterable[Update]:
        return self.appeared()

    def appeared(self) -> Iterable[Update]:
        yield Update(self._name, ("v",), Or((self._kept, atom(names.IS_NEW, "v"))))

    def focus_loaded(self, target: str, base: str, field: str) -> Iterable[Formula]:
        """Where one of the two is loaded, the other one must be known for this predicate to tell anything."""
        for mine, other in ((self.first, self.second), (self.second, self.first)):
            if field == mine:
                yield Exists(("a",), And((atom(base, "a"), atom(other, "a", "v"))))

    def cut(self, base: str, field: str) -> Iterable[Update]:
        if field in (self.first, self.second):
            yield Update(self._name, ("v",), Or((self._kept, atom(base, "v"))))
        elif field == self.field:
            held = (atom(base, "a"), atom(self.first, "v", "a"), atom(self.second, "v", "b"))
            yield Update(self._name, ("v",), And((self._kept, Not(Exists(("a", "b"), And(held))))))

    def connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        if not isinstance(value, Var):
            return
        if field in (self.first, self.second):
            ends = {self.first: atom(self.first, "v", "a"), self.second: atom(self.second, "v", "b")}
            ends[field] = atom(value.name, "a" if field == self.first else "b")
            wrong = And((atom(base, "v"), self._astray(ends[self.first], ends[self.second])))
            yield Update(self._name, ("v",), And((self._kept, Not(wrong))))
        elif field == self.field:
            held = (atom(base, "a"), atom(self.first, "v", "a"), atom(value.name, "b"), atom(self.second, "v", "b"))
            yield Update(self._name, ("v",), Or((self._kept, Exists(("a", "b"), And(held)))))
