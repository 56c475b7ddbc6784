"""Loads and stores as actions: one chain for each cell that the pointer may lead to.

What may fail is a message of the first chain, whatever the case: a null pointer, junk, a block that has ended, and what
is wrong with the places where the pointer may point. Each chain goes on from what it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from heapwright.engines.tvl.programs.literals import meaning
from heapwright.engines.tvl.programs.names import ENDED, FREED, atom, junk
from heapwright.engines.tvl.programs.places import ANY, OTHER, Access
from heapwright.engines.tvl.programs.resolve import Case
from heapwright.engines.tvl.programs.steps import Steps
from heapwright.engines.tvl.programs.tags import all_of, any_of
from heapwright.logic.actions import Action, Message, Update
from heapwright.logic.formulas import FALSE, HALF, And, Exists, Formula, Not
from heapwright.program.checks import CheckKind
from heapwright.program.commands import (
    Command,
    Havoc,
    Load,
    LoadCell,
    LoadData,
    LoadDataCell,
    Store,
    StoreCell,
    StoreData,
    StoreDataCell,
)
from heapwright.program.expressions import Compare, Const, Expr, Pointer, Var
from heapwright.program.graph import Edge
from heapwright.program.types import ValueKind

CONFUSED = "an object is accessed as one of another type"


class Accesses(Steps):
    def chains(self, edge: Edge[Command], base: str, title: str, cases: tuple[Case, ...]) -> list[list[Action]]:
        messages = tuple(self._messages(edge, base, cases))
        chains = [self._chain(edge, base, title, case) for case in cases if case.commands]
        if not chains:
            chains = [[Action(title, (atom(base, "v"),), FALSE)]]
        first, *others = chains[0]
        return [[replace(first, messages=messages), *others], *chains[1:]]

    # --- what may fail --------------------------------------------------------------------------------------------

    def _messages(self, edge: Edge[Command], base: str, cases: tuple[Case, ...]) -> Iterator[Message]:
        here = atom(base, "v")
        faults: dict[CheckKind, list[Formula]] = {
            CheckKind.NULL_DEREF: [self.tags.is_null(Var(base)), self.tags.is_near(Var(base))],
            CheckKind.INVALID_DEREF: [atom(junk(base)), Exists(("v",), And((here, atom(ENDED, "v"))))],
            CheckKind.USE_AFTER_FREE: [Exists(("v",), And((here, atom(FREED, "v"))))],
        }
        live, confused = self.live(base), []
        for case in cases:
            access = case.access
            assert access is not None
            where = all_of((live, self.condition(edge.command, base, case)))
            if access.fault is not None:
                faults.setdefault(access.fault, []).append(where)
            if access.bounds:
                faults.setdefault(CheckKind.BOUNDS, []).append(And((where, HALF)))
            if access.confused or self._is_too_much(access):
                confused.append(where)
        for check in edge.checks:
            formula = any_of(faults.get(check.kind, ()))
            if formula != FALSE:
                yield Message(formula, check.id)
        if confused:
            yield Message(any_of(confused), CONFUSED)

    def _is_too_much(self, access: Access) -> bool:
        cells = (access.cell, *access.overlapped)
        return any(cell is not None and cell.many and cell.field.kind is ValueKind.POINTER for cell in cells)

    def condition(self, command: Command, base: str, case: Case) -> Formula:
        """When a case is the one."""
        here, access = self.tags.at(base, case.places), case.access
        if access is None or access.index is None:
            return here
        if access.index == ANY:
            return And((here, HALF))
        index = index_of(command)
        if access.index != OTHER:
            return all_of((here, self._is_index(index, access.index)))
        return all_of((here, *(Not(self._is_index(index, i)) for i in range(access.among))))

    def _is_index(self, index: Expr, value: int) -> Formula:
        return meaning(self.heap, Compare("==", index, Const(value, index.type)))

    # --- what is done ---------------------------------------------------------------------------------------------

    def _chain(self, edge: Edge[Command], base: str, title: str, case: Case) -> list[Action]:
        valid = all_of((self.live(base), self.condition(edge.command, base, case)))
        first, *others = case.commands
        chain = self._actions(title, base, first, valid, edge)
        for other in others:
            chain += self._actions(f"{title}: overlapped", base, other, None, edge)
        return chain

    def _actions(
        self, title: str, base: str, command: Command, valid: Formula | None, edge: Edge[Command]
    ) -> list[Action]:
        match command:
            case Load(target, _, field):
                return [self._load(title, target, base, field, valid)]
            case Store(_, field, value):
                return self._store(title, base, field, value, valid)
            case LoadData() | StoreData() | Havoc():
                return self.data(Action(title, (atom(base, "v"),), valid), command, edge)
            case LoadCell() | StoreCell():
                return [Action(title, (atom(base, "v"),), FALSE)]
            case _:
                return [Action(title, (atom(base, "v"),), valid)]

    def _load(self, title: str, target: str, base: str, field: str, valid: Formula | None) -> Action:
        found = Exists(("u",), And((atom(base, "u"), atom(field, "u", "v"))))
        updates = [
            Update(target, ("v",), found),
            Update(junk(target), (), Exists(("u",), And((atom(base, "u"), atom(junk(field), "u"))))),
            *self.by_families(lambda family: family.loaded(target, base, field)),
        ]
        focus = (atom(base, "v"), found, *self.asked(lambda family: family.focus_loaded(target, base, field)))
        return Action(title, focus, valid, updates=tuple(updates))

    def _store(self, title: str, base: str, field: str, value: Pointer, valid: Formula | None) -> list[Action]:
        focus = [atom(base, "v"), *((atom(value.name, "v"),) if isinstance(value, Var) else ())]
        focus += self.asked(lambda family: family.focus_connected(base, field, value))
        cut = self.cutting(f"{title}: cut", base, field, valid=valid)
        return [cut, Action(title, tuple(focus), updates=tuple(self.connected(base, field, value)))]


def index_of(command: Command) -> Expr:
    assert isinstance(command, LoadCell | StoreCell | LoadDataCell | StoreDataCell)
    return command.index
