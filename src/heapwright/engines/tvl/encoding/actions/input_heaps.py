"""Lazy initialisation of input heaps in the abstraction, as in the interpreter
(program/semantics/input_heap.py).

A cell of an input block is undecided until it is first read: it has no target yet. The chain of a load therefore
begins with alternatives: the cell holds null, a fresh block with all its cells undecided, or an input block that is
known already. Blocks that were never reached do not exist.

    x = any node          x is null, points to a fresh block, or to a known one
    y = x.next            the same of y, where x.next is undecided

A known block is chosen by means of a root node of all inputs: the edge `picked` leads from it to any of them, and is
loaded like a field.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heapwright.engines.tvl.encoding.actions.predicate_updates import Steps, merged
from heapwright.engines.tvl.encoding.memory.offsets import BlockAddress
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
        """The root node of all inputs."""
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
        addresses = self.heap.flow.blocks.passed(type)
        yield from ((FRESH, [self._fresh(f"{title}: fresh", address)]) for address in addresses)
        yield KNOWN, self._known(f"{title}: known", addresses, among)

    def _fresh(self, title: str, address: BlockAddress) -> Action:
        """A fresh block."""
        blocks, new = self.heap.flow.blocks, atom(IS_NEW, "v")
        kind = blocks.kind(address)
        marks = [INPUT, *([is_type(kind.name)] if self.heap.several_types else ())]
        if not self.heap.of_environment and kind.name != FUNCTION_OBJECT:
            marks.append(HEAP)
        cells = {cell.name for cell in blocks.cells(kind)}
        marks += [undecided(cell) for cell in self.heap.inputs if cell in cells]
        updates = [Update(FRESH, ("v",), new), *(Update(mark, ("v",), Or((atom(mark, "v"), new))) for mark in marks)]
        updates += self.tags.pointed(FRESH, (address,))
        updates += self.by_families(lambda family: family.created(New(FRESH, kind.name, Storage.HEAP)))
        return Action(title, new=NewNodes(), updates=tuple(updates))

    def _known(self, title: str, addresses: Sequence[BlockAddress], among: Formula) -> list[Action]:
        kinds = {self.heap.flow.blocks.kind(address): None for address in addresses}
        right = any_of([self.tags.is_kind(kind, "v") for kind in kinds])
        return self.picked(title, KNOWN, all_of((atom(INPUT, "v"), right, among)), addresses)

    def picked(self, title: str, target: str, formula: Formula, addresses: Sequence[BlockAddress]) -> list[Action]:
        """A variable gets the address of a node that satisfies a formula over v."""
        choice = And((atom(INPUTS, "u"), formula, HALF))
        found = Exists(("u",), And((atom(INPUTS, "u"), atom(PICKED, "u", "v"))))
        updates = [Update(target, ("v",), found), Update(PICKED, ("u", "v"), FALSE)]
        for family in self.heap.families:
            is_tags = family is self.tags
            updates += self.tags.pointed(target, addresses) if is_tags else family.loaded(target, INPUTS, PICKED)
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
        """The values that an undecided cell may get."""
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
