"""Update formulas of single steps, for core predicates and families: the parts of actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from heapwright.engines.tvl.encoding.predicate_names import ENDED, FREED, is_junk, junk, points_to, undecided
from heapwright.engines.tvl.encoding.predicates.family import Data, Family
from heapwright.engines.tvl.encoding.predicates.offset_tags import Tags
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.logic.actions import Action, Message, Update
from heapwright.logic.formulas import And, Exists, Formula, Not, Or, atom
from heapwright.program.commands import Command
from heapwright.program.expressions import Pointer
from heapwright.program.graph import Edge


class Steps:
    def __init__(self, heap: HeapVocabulary) -> None:
        self.heap = heap

    @property
    def tags(self) -> Tags:
        return self.heap.tags

    def by_families(self, updates: Callable[[Family], Iterable[Update]]) -> Iterable[Update]:
        return (update for family in self.heap.families for update in updates(family))

    def asked(self, formulas: Callable[[Family], Iterable[Formula]]) -> Iterable[Formula]:
        return (formula for family in self.heap.families for formula in formulas(family))

    def data(self, action: Action, command: Data, edge: Edge[Command]) -> list[Action]:
        """An integer variable or a cell gets a value; nodes that are no blocks may come and go."""
        focus = (*action.focus, *self.asked(lambda family: family.focus_computed(command)))
        updates = tuple(self.by_families(lambda family: family.computed(command)))
        chain = [replace(action, focus=focus, updates=updates)]
        after, bit = self.heap.liveness.at(edge.target), self.heap.liveness.bit
        live = frozenset(name for name in self.heap.integers if after & bit(name))
        for family in self.heap.families:
            chain[-1:] = family.staged(chain[-1], command, live)
        return [self.completed(action) for action in chain]

    def completed(self, action: Action) -> Action:
        """The action, with the updates of each family for new nodes that are no blocks, and for the updates of
        others."""
        if action.new is not None:
            told = {update.predicate for update in action.updates}
            others = [u for u in self.by_families(lambda family: family.appeared()) if u.predicate not in told]
            action = replace(action, updates=(*action.updates, *others))
        return replace(action, updates=(*action.updates, *self.by_families(lambda family: family.followed(action))))

    def live(self, base: str) -> Formula:
        """The variable points to a block that has not ended."""
        return Exists(("v",), And((atom(base, "v"), Not(atom(FREED, "v")), Not(atom(ENDED, "v")))))

    def assigned(self, target: str, value: Pointer) -> Iterable[Update]:
        """target = value"""
        yield Update(target, ("v",), points_to(value, "v"))
        yield Update(junk(target), (), is_junk(value))
        yield from self.by_families(lambda family: family.assigned(target, value))

    def cutting(
        self, title: str, base: str, field: str, messages: tuple[Message, ...] = (), valid: Formula | None = None
    ) -> Action:
        """base.field is null afterwards."""
        old = Exists(("u",), And((atom(base, "u"), atom(field, "u", "v"))))
        updates = [
            Update(field, ("u", "v"), And((atom(field, "u", "v"), Not(atom(base, "u"))))),
            Update(junk(field), ("u",), And((atom(junk(field), "u"), Not(atom(base, "u"))))),
            *self.settled(base, field),
            *self.by_families(lambda family: family.cut(base, field)),
        ]
        focus = (atom(base, "v"), old, *self.asked(lambda family: family.focus_cut(base, field)))
        return Action(title, focus, valid, messages, updates=tuple(updates))

    def settled(self, base: str, cell: str) -> Iterable[Update]:
        """The cell of an input block is initialised."""
        if cell in self.heap.inputs:
            name = undecided(cell)
            yield Update(name, ("u",), And((atom(name, "u"), Not(atom(base, "u")))))

    def connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        """base.field, which is null, points to a value afterwards."""
        here = atom(base, "u")
        yield Update(field, ("u", "v"), Or((atom(field, "u", "v"), And((here, points_to(value, "v"))))))
        yield Update(junk(field), ("u",), Or((atom(junk(field), "u"), And((here, is_junk(value))))))
        yield from self.by_families(lambda family: family.connected(base, field, value))


def merged(updates: Iterable[Update], kills: Sequence[Update]) -> list[Update]:
    """The updates of an action, where those of dying variables win."""
    killed = {update.predicate for update in kills}
    return [*(update for update in updates if update.predicate not in killed), *kills]
