"""Inverse fields: `prev` of a doubly linked list, `parent` of a tree.

For a backward field g and the forward fields f that it inverts

| predicate | holds of v where |
|---|---|
| `b[f,g]` | g leads back to v from where f leads |
| `b[g]` | one of the fields f leads back to v from where g leads |
| `is[g]` | two g lead to v |

the first two also where the first field leads nowhere. Every update is exact: a field leads to one object at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from heapwright.engines.tvl.encoding.predicate_names import IS_NEW, back_name, closure_name, forth_name, shared_name
from heapwright.engines.tvl.encoding.predicates.family import Family
from heapwright.engines.tvl.encoding.predicates.field_reachability import met_again, shared, unshared, unshared_by
from heapwright.logic.actions import Update
from heapwright.logic.formulas import And, Equal, Exists, ForAll, Formula, Not, Or, atom
from heapwright.logic.vocabulary import Predicate
from heapwright.program.commands import New
from heapwright.program.expressions import Pointer, Var


@dataclass(frozen=True)
class Inverse(Family):
    """`b[f,g]`, `b[g]`, `is[g]`"""

    backward: str
    forward: tuple[str, ...]
    variables: tuple[str, ...]

    def predicates(self) -> Iterable[Predicate]:
        for field in self.forward:
            astray = Exists(("w",), And((atom(field, "v", "w"), Not(atom(self.backward, "w", "v")))))
            yield Predicate(forth_name(field, self.backward), 1, Not(astray), ("v",))
        nowhere = [Not(atom(field, "w", "v")) for field in self.forward]
        astray = Exists(("w",), And((atom(self.backward, "v", "w"), *nowhere)))
        yield Predicate(back_name(self.backward), 1, Not(astray), ("v",))
        yield Predicate(shared_name(self.backward), 1, shared((self.backward,)), ("v",))

    def _any_forward(self, source: str, target: str, without: str = "") -> Formula:
        return Or(tuple(atom(field, source, target) for field in self.forward if field != without))

    def cut(self, base: str, field: str) -> Iterable[Update]:
        here = atom(base, "v")
        back = back_name(self.backward)
        if field == self.backward:
            yield unshared(field, (field,), base, field)
            yield Update(back, ("v",), Or((atom(back, "v"), here)))
            for other in self.forward:
                forth = forth_name(other, field)
                lost = Exists(("a",), And((atom(base, "a"), atom(field, "a", "v"), atom(other, "v", "a"))))
                yield Update(forth, ("v",), And((atom(forth, "v"), Not(lost))))
        elif field in self.forward:
            forth = forth_name(field, self.backward)
            yield Update(forth, ("v",), Or((atom(forth, "v"), here)))
            pair = (atom(base, "a"), atom(field, "a", "v"), atom(self.backward, "v", "a"))
            lost = Exists(("a",), And((*pair, Not(self._any_forward("a", "v", without=field)))))
            yield Update(back, ("v",), And((atom(back, "v"), Not(lost))))

    def connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        if not isinstance(value, Var) or field not in (self.backward, *self.forward):
            return
        here, there = atom(base, "v"), atom(value.name, "v")
        back = back_name(self.backward)

        def answered(answer: Formula) -> Formula:
            """The target of the edge from v leads back, if v is the node that was linked."""
            return Or((Not(here), ForAll(("w",), Or((Not(atom(value.name, "w")), answer)))))

        if field == self.backward:
            yield met_again(field, (field,), base, value)
            yield Update(back, ("v",), And((atom(back, "v"), answered(self._any_forward("w", "v")))))
            for other in self.forward:
                forth = forth_name(other, field)
                gained = And((there, Exists(("a",), And((atom(base, "a"), atom(other, "v", "a"))))))
                yield Update(forth, ("v",), Or((atom(forth, "v"), gained)))
        else:
            forth = forth_name(field, self.backward)
            yield Update(forth, ("v",), And((atom(forth, "v"), answered(atom(self.backward, "w", "v")))))
            gained = And((there, Exists(("a",), And((atom(base, "a"), atom(self.backward, "v", "a"))))))
            yield Update(back, ("v",), Or((atom(back, "v"), gained)))

    def created(self, command: New) -> Iterable[Update]:
        return self.appeared()

    def appeared(self) -> Iterable[Update]:
        names = [back_name(self.backward), *(forth_name(field, self.backward) for field in self.forward)]
        return [Update(name, ("v",), Or((atom(name, "v"), atom(IS_NEW, "v")))) for name in names]

    def collected(self, lost: Callable[[str], Formula]) -> Iterable[Update]:
        return [unshared_by(self.backward, (self.backward,), lost)]

    def reached(self) -> Iterable[Formula]:
        """From whatever a variable points to, back along arrows that are answered."""
        pointed = Or(tuple(atom(variable, "a") for variable in self.variables))
        for field in self.forward:
            path = closure_name(field)
            answered = Or((Equal("u", "a"), atom(forth_name(field, self.backward), "u")))
            between = ForAll(("u",), Or((Not(And((atom(path, "v", "u"), atom(path, "u", "a")))), answered)))
            yield Exists(("a",), And((pointed, atom(path, "v", "a"), between)))
