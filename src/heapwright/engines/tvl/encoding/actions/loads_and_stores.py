"""Loads and stores as actions: one chain for each cell that the pointer may lead to.

The failing checks are messages of the first chain: a null pointer, junk, a block whose lifetime has ended, and invalid
offsets of the pointer. Each chain continues from its own case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from heapwright.engines.tvl.encoding.actions.conditions import meaning
from heapwright.engines.tvl.encoding.actions.input_heaps import Inputs
from heapwright.engines.tvl.encoding.actions.predicate_updates import merged
from heapwright.engines.tvl.encoding.memory.cells import ANY, OTHER, Cell
from heapwright.engines.tvl.encoding.memory.resolved_commands import Case
from heapwright.engines.tvl.encoding.predicate_names import ENDED, FREED, chosen, is_junk, junk, points_to
from heapwright.engines.tvl.encoding.predicates.offset_tags import all_of, any_of
from heapwright.logic.actions import Action, Message, Update
from heapwright.logic.formulas import FALSE, HALF, TRUE, And, Exists, Formula, IfThenElse, Not, Or, atom
from heapwright.program import commands as c
from heapwright.program.checks import Check, CheckKind
from heapwright.program.expressions import JUNK, NULL, Compare, Const, Expr, Pointer, Var
from heapwright.program.graph import Edge

CONFUSED = "an object is accessed at a type other than its own"


class Accesses(Inputs):
    def chains(self, edge: Edge[c.Command], base: str, title: str, cases: tuple[Case, ...]) -> list[list[Action]]:
        messages = tuple(self._messages(edge, base, cases))
        chains = [chain for case in cases if case.commands for chain in self._chains(edge, base, title, case)]
        if not chains:
            chains = [[Action(title, (atom(base, "v"),), FALSE)]]
        first, *others = chains[0]
        return [[replace(first, messages=messages), *others], *chains[1:]]

    # --- what may fail --------------------------------------------------------------------------------------------

    def ended(self, base: str, checks: Sequence[Check]) -> Iterator[Message]:
        """The pointer is junk, or leads into a block that has ended."""
        for check in checks:
            formula = self._ended(base).get(check.kind)
            if formula is not None:
                yield Message(formula, check.id)

    def _ended(self, base: str) -> dict[CheckKind, Formula]:
        here = atom(base, "v")
        return {
            CheckKind.INVALID_DEREF: any_of((atom(junk(base)), Exists(("v",), And((here, atom(ENDED, "v")))))),
            CheckKind.USE_AFTER_FREE: Exists(("v",), And((here, atom(FREED, "v")))),
        }

    def _messages(self, edge: Edge[c.Command], base: str, cases: tuple[Case, ...]) -> Iterator[Message]:
        faults: dict[CheckKind, list[Formula]] = {
            CheckKind.NULL_DEREF: [self.tags.is_null(Var(base)), self.tags.is_near(Var(base))],
            **{kind: [formula] for kind, formula in self._ended(base).items()},
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
            if access.confused:
                confused.append(where)
        for check in edge.checks:
            formula = any_of(faults.get(check.kind, ()))
            if formula != FALSE:
                yield Message(formula, check.id)
        if confused:
            yield Message(any_of(confused), CONFUSED)

    def condition(self, command: c.Command, base: str, case: Case) -> Formula:
        """The condition of a case."""
        here, access = self.tags.at(base, case.addresses), case.access
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

    def _chains(self, edge: Edge[c.Command], base: str, title: str, case: Case) -> list[list[Action]]:
        valid = all_of((self.live(base), self.condition(edge.command, base, case)))
        assert case.access is not None
        cells = [case.access.cell, *case.access.overlapped]
        first, *others = case.commands
        more = [
            action
            for other, cell in zip(others, cells[1:], strict=True)
            for chain in self._actions(f"{title}: overlapped", base, other, cell, None, edge)
            for action in chain
        ]
        return [[*chain, *more] for chain in self._actions(title, base, first, cells[0], valid, edge)]

    def _actions(
        self,
        title: str,
        base: str,
        command: c.Command,
        cell: Cell | None,
        valid: Formula | None,
        edge: Edge[c.Command],
    ) -> list[list[Action]]:
        """Alternative chains; a store has one."""
        match command:
            case c.Load(target, _, field):
                decided = all_of((valid or TRUE, Not(self.is_undecided(base, field))))
                first = [*self.decisions(title, base, field, valid)]
                load = self._load(title, target, base, field, valid)
                return [[replace(load, precondition=decided)], *([*chain, load] for chain in first)]
            case c.Store(_, field, value):
                return [self._store(title, base, field, value, valid)]
            case c.LoadData() | c.StoreData() | c.Havoc():
                return [self.data(Action(title, (atom(base, "v"),), valid), command, edge)]
            case c.LoadCell(target):
                assert cell is not None
                return self._load_one(title, target, base, cell.name, valid)
            case c.StoreCell(_, _, value):
                assert cell is not None
                return [[self._store_one(title, base, cell.name, value, valid)]]
            case c.Skip():
                return [[Action(title, (atom(base, "v"),), valid)]]
        raise ValueError(f"no access: {command}")

    # --- cells that share a name ----------------------------------------------------------------------------------

    def _load_one(self, title: str, target: str, base: str, cells: str, valid: Formula | None) -> list[list[Action]]:
        """Null, junk, or the target of one of the cells: one is chosen, and then loaded like a field."""
        here, one = (atom(base, "v"),), chosen(cells)
        junky = Exists(("u",), And((atom(base, "u"), atom(junk(cells), "u"))))
        found = Exists(("u",), And((atom(base, "u"), atom(one, "u", "v"))))
        updates = [Update(target, ("v",), found), Update(junk(target), (), FALSE), Update(one, ("u", "v"), FALSE)]
        for family in self.heap.families:
            tags = family is self.tags
            updates += (
                self.tags.pointed(target, self.heap.flow.pointers(cells)) if tags else family.loaded(target, base, one)
            )
        choice = And((atom(base, "u"), atom(cells, "u", "v"), HALF))
        near = [Update(f"{target} {offset}", (), HALF) for offset in self.tags.offsets(target)]
        nothing = tuple(merged(self.assigned(target, NULL), near))
        unset = tuple(self.assigned(target, JUNK))
        decisions = [
            [
                Action(title, here, all_of((valid or TRUE, self.is_undecided(base, cells)))),
                *found_input,
                self._store_one(title, base, cells, Var(source), None),
                Action(
                    title, updates=tuple(merged(self.assigned(target, Var(source)), [*self.assigned(source, NULL)]))
                ),
            ]
            for source, found_input in self.sources(title, self.heap.flow.inputs.get(cells))
        ]
        return [
            *decisions,
            [
                Action(f"{title}: one", here, valid, updates=(Update(one, ("u", "v"), choice),)),
                Action(title, (*here, found), Exists(("v",), found), updates=tuple(updates)),
            ],
            [Action(f"{title}: null", here, valid, updates=nothing)],
            [Action(f"{title}: junk", here, all_of((valid or TRUE, junky)), updates=unset)],
        ]

    def _store_one(self, title: str, base: str, cells: str, value: Pointer, valid: Formula | None) -> Action:
        here, before, junky = atom(base, "u"), atom(cells, "u", "v"), atom(junk(cells), "u")
        after = Or((points_to(value, "v"), And((before, HALF))))
        updates = [
            Update(cells, ("u", "v"), IfThenElse(here, after, before)),
            Update(junk(cells), ("u",), IfThenElse(here, Or((is_junk(value), And((junky, HALF)))), junky)),
            *self.by_families(lambda family: family.overwritten(base, cells, value)),
        ]
        focus = [atom(base, "v"), *((atom(value.name, "v"),) if isinstance(value, Var) else ())]
        return Action(title, tuple(focus), valid, updates=tuple(updates))

    # --- fields ---------------------------------------------------------------------------------------------------

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


def index_of(command: c.Command) -> Expr:
    assert isinstance(command, c.LoadCell | c.StoreCell | c.LoadDataCell | c.StoreDataCell)
    return command.index
