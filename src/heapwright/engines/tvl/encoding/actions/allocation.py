"""Lifetimes of blocks: `new`, `free` and `leave` as actions. A node is a block with all its parts."""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.engines.tvl.encoding.actions.predicate_updates import Steps
from heapwright.engines.tvl.encoding.memory.offsets import BlockAddress
from heapwright.engines.tvl.encoding.predicate_names import ENDED, FREED, HEAP, IS_NEW, is_type, junk
from heapwright.engines.tvl.encoding.predicates.offset_tags import any_of
from heapwright.logic.actions import Action, Message, NewNodes, Update
from heapwright.logic.formulas import FALSE, HALF, And, Exists, Formula, Not, Or, atom
from heapwright.program.checks import Check, CheckKind
from heapwright.program.commands import Free, New
from heapwright.program.expressions import Var
from heapwright.program.types import Storage


class Blocks(Steps):
    def new(self, title: str, command: New, site: int) -> Action:
        target, fresh = command.target, atom(IS_NEW, "v")
        blocks = self.heap.flow.blocks
        start = blocks.created(command, site)
        updates = [Update(target, ("v",), fresh), Update(junk(target), (), FALSE)]
        if command.storage is Storage.HEAP:
            updates.append(Update(HEAP, ("v",), Or((atom(HEAP, "v"), fresh))))
        if self.heap.several_types:
            name = is_type(blocks.kind(start).name)
            updates.append(Update(name, ("v",), Or((atom(name, "v"), fresh))))
        if not command.zeroed:
            cells = {cell.name for cell in blocks.cells(blocks.kind(start))}
            for field in (*self.heap.fields, *self.heap.arrays):
                if field in cells:
                    updates.append(Update(junk(field), ("v",), Or((atom(junk(field), "v"), fresh))))
        updates += self.tags.pointed(target, (start,))
        updates += self.by_families(lambda family: family.created(command))
        updates += self.by_families(lambda family: family.made(site))
        return Action(title, new=NewNodes(), updates=tuple(updates))

    def faults(self, base: str, checks: Sequence[Check], *, closes: bool = False) -> tuple[Message, ...]:
        """The checks of `free` that may fail."""
        here = atom(base, "v")
        elsewhere = FALSE if closes else Not(atom(HEAP, "v"))
        faults: dict[CheckKind, Formula] = {
            CheckKind.DOUBLE_FREE: Exists(("v",), And((here, atom(FREED, "v")))),
            CheckKind.INVALID_FREE: any_of(
                (
                    atom(junk(base)),
                    self.tags.is_near(Var(base)),
                    Exists(("v",), And((here, Or((elsewhere, atom(ENDED, "v")))))),
                    *self._inside(base),
                )
            ),
        }
        return tuple(Message(faults[check.kind], check.id) for check in checks if check.kind in faults)

    def freed(self, title: str, command: Free, checks: Sequence[Check]) -> list[list[Action]]:
        base = command.base
        here, null = atom(base, "v"), self.tags.is_null(Var(base))
        messages = self.faults(base, checks, closes=command.closes)
        starts = [address for address in self.heap.flow.pointers(base) if self._offset(address) in (0, None)]
        legal = And((self.live(base), self.tags.at(base, starts)))
        return [[Action(f"{title} (nothing to do)", (here,), null)], self._ending(title, base, FREED, legal, messages)]

    def left(self, title: str, base: str) -> list[list[Action]]:
        skipped = Action(f"{title} (nothing to do)", (atom(base, "v"),), Not(self.live(base)))
        return [[skipped], self._ending(title, base, ENDED, self.live(base), ())]

    def _offset(self, address: BlockAddress) -> int | None:
        return self.heap.flow.blocks.offset(address)

    def _inside(self, base: str) -> list[Formula]:
        """The pointer does not, or may not, point to the start of a block that has not been freed."""
        addresses = self.heap.flow.pointers(base)
        inside = [address for address in addresses if self._offset(address) not in (0, None)]
        unsure = [address for address in addresses if self._offset(address) is None]
        found: list[Formula] = [And((self.live(base), self.tags.at(base, inside)))] if inside else []
        return found + ([And((self.live(base), self.tags.at(base, unsure), HALF))] if unsure else [])

    def _ending(
        self, title: str, base: str, status: str, legal: Formula, messages: tuple[Message, ...]
    ) -> list[Action]:
        """Removes the edges of a block, then marks it as ended."""
        first = Action(title, (atom(base, "v"),), legal, messages)
        blocks = self.heap.flow.blocks
        kinds = [blocks.kind(address) for address in self.heap.flow.pointers(base)]
        cells = {cell.name for kind in kinds for cell in blocks.cells(kind)}
        fields = [field for field in (*self.heap.fields, *self.heap.arrays) if field in cells]
        cuts = [self.cutting(f"{title}: {field}", base, field) for field in fields]
        mark = Update(status, ("v",), Or((atom(status, "v"), atom(base, "v"))))
        return [first, *cuts, Action(f"{title}: mark", (atom(base, "v"),), updates=(mark,))]
