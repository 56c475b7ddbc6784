"""Lazy initialisation of input heaps in the abstraction, as in the interpreter
(program/semantics/input_heap.py).

A cell of an input block is undecided until it is initialised: it leads nowhere yet. Reading it decides it, and so the
chain of a load has alternatives before it: the cell holds null, a block that nothing has led to so far, with all its
cells undecided, or an input block that is known already. Blocks that nobody looks at do not exist.

    x = any node          x is null, points to a fresh block, or to a known one
    y = x.next            the same of y, where x.next is undecided

A block that is known is chosen with the help of a node that stands for all inputs: `picked` leads from it to any of
them, and is read like a field.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heapwright.engines.tvl.encoding.actions.predicate_updates import Steps, merged
from heapwright.engines.tvl.encoding.memory.offsets import Place
from heapwright.engines.tvl.encoding.predicate_names import (
    FRESH,
    HEAP,
    INPUT,
    INPUTS,
    IS_NEW,
    KNOWN,
    PICKED,
    is_type,
    undecided,
)
from heapwright.engines.tvl.encoding.predicates.offset_tags import all_of, any_of
from heapwright.logic.actions import Action, NewNodes, Update
from heapwright.logic.formulas import FALSE, HALF, TRUE, And, Exists, Formula, Or, atom
from heapwright.program.commands import AnyPointer, New
from heapwright.program.expressions import NULL, Var
from heapwright.program.types import FUNCTION_OBJECT, Storage


class Inputs(Steps):
    def beginning(self) -> Action:
        """The node that stands for all inputs."""
        updates = [Update(INPUTS, ("v",), atom(IS_NEW, "v")), *self.by_families(lambda family: family.appeared())]
        return Action("inputs", new=NewNodes(), updates=tuple(updates))

    def any_pointer(self, title: str, command: AnyPointer) -> list[list[Action]]:
        chains = [[Action(f"{title}: null", updates=tuple(self.assigned(command.target, NULL)))]]
        for source, found in self.sources(title, command.type):
            updates = merged(self.assigned(command.target, Var(source)), tuple(self.assigned(source, NULL)))
            chains.append([*found, Action(title, updates=tuple(updates))])
        return chains

    def sources(self, title: str, type: str | None, among: Formula = TRUE) -> Iterable[tuple[str, list[Action]]]:
        """Blocks that an input pointer may point to, and the variable that points to each; `among` is a formula over v
        of known ones that count."""
        if type is None:
            return
        places = self.heap.flow.blocks.passed(type)
        yield from ((FRESH, [self._fresh(f"{title}: fresh", place)]) for place in places)
        yield KNOWN, self._known(f"{title}: known", places, among)

    def _fresh(self, title: str, place: Place) -> Action:
        """A block that nothing has led to so far."""
        blocks, new = self.heap.flow.blocks, atom(IS_NEW, "v")
        kind = blocks.kind(place)
        marks = [INPUT, *([is_type(kind.name)] if self.heap.several_types else ())]
        if not self.heap.of_environment and kind.name != FUNCTION_OBJECT:
            marks.append(HEAP)
        cells = {cell.name for cell in blocks.cells(kind)}
        marks += [undecided(cell) for cell in self.heap.inputs if cell in cells]
        updates = [Update(FRESH, ("v",), new), *(Update(mark, ("v",), Or((atom(mark, "v"), new))) for mark in marks)]
        updates += self.tags.placed(FRESH, (place,))
        updates += self.by_families(lambda family: family.created(New(FRESH, kind.name, Storage.HEAP)))
        return Action(title, new=NewNodes(), updates=tuple(updates))

    def _known(self, title: str, places: Sequence[Place], among: Formula) -> list[Action]:
        kinds = {self.heap.flow.blocks.kind(place): None for place in places}
        right = any_of([self.tags.is_kind(kind, "v") for kind in kinds])
        return self.picked(title, KNOWN, all_of((atom(INPUT, "v"), right, among)), places)

    def picked(self, title: str, target: str, formula: Formula, places: Sequence[Place]) -> list[Action]:
        """A variable points to a node of which a formula over v holds."""
        choice = And((atom(INPUTS, "u"), formula, HALF))
        found = Exists(("u",), And((atom(INPUTS, "u"), atom(PICKED, "u", "v"))))
        updates = [Update(target, ("v",), found), Update(PICKED, ("u", "v"), FALSE)]
        for family in self.heap.families:
            is_tags = family is self.tags
            updates += self.tags.placed(target, places) if is_tags else family.loaded(target, INPUTS, PICKED)
        return [
            Action(title, (), Exists(("v",), formula), updates=(Update(PICKED, ("u", "v"), choice),)),
            Action(title, (found,), Exists(("v",), found), updates=tuple(updates)),
        ]

    # --- cells ----------------------------------------------------------------------------------------------------

    def is_undecided(self, base: str, cell: str) -> Formula:
        if cell not in self.heap.inputs:
            return FALSE
        return Exists(("u",), And((atom(base, "u"), atom(undecided(cell), "u"))))

    def decisions(
        self, title: str, base: str, cell: str, valid: Formula | None, among: Formula = TRUE
    ) -> list[list[Action]]:
        """What an undecided cell may turn out to hold."""
        if cell not in self.heap.inputs:
            return []
        here = (atom(base, "v"),)
        open_ = all_of((valid or TRUE, self.is_undecided(base, cell)))
        chains = [[Action(f"{title}: null", here, open_, updates=tuple(self.settled(base, cell)))]]
        for source, found in self.sources(title, self.heap.flow.inputs[cell], among):
            chains.append([Action(title, here, open_), *found, self.connect(title, base, cell, source)])
        return chains

    def connect(self, title: str, base: str, cell: str, source: str) -> Action:
        """base.cell, which was undecided, holds what a variable of the analysis points to; that is null afterwards."""
        updates = [*self.connected(base, cell, Var(source)), *self.settled(base, cell)]
        focus = [atom(base, "v"), *self.asked(lambda family: family.focus_connected(base, cell, Var(source)))]
        ended = tuple(self.assigned(source, NULL))
        return Action(title, tuple(focus), updates=tuple(merged(updates, ended)))
