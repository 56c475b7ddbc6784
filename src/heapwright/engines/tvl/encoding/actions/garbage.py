"""Garbage: leak checks, and the removal of unreachable blocks.

A leak does not end a run. An edge with a leak check ends with one of two actions: one for heaps without garbage, and
one that reports garbage, if the check is selected, and goes on without it: the blocks that no variable reaches, and
freed ones that only those refer to. What is left is as if the fields of garbage had been set to null before. Runs go on
in the same way whatever the goal selects.

In a *lean* program, whose variables end with their last use, blocks may be garbage that a run still holds. They stay;
if membership will be queried, they become maybe-active.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from heapwright.engines.tvl.encoding.predicate_names import ENDED, FREED, HEAP, INPUT, LOST, closure, undecided
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.engines.tvl.formulas.rewriting import renamed
from heapwright.logic.actions import Action, Message, Update
from heapwright.logic.formulas import HALF, TRUE, And, Exists, Formula, Not, Or, atom
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.commands import Command
from heapwright.program.graph import Edge

NODE = "lost"  # a bound variable that no family uses


class GarbageCollection:
    """The ends of edges with leak checks. All have the same actions, but for what they report."""

    def __init__(self, heap: HeapVocabulary, goal: Goal, *, lean: bool = False) -> None:
        self.heap = heap
        self.goal = goal
        self.lean = lean
        self._formulas: dict[str, Formula] = {}

    def actions(self, edge: Edge[Command]) -> list[list[Action]]:
        """Alternatives for the end of an edge; one without an action if it has no leak check."""
        checks = [check for check in edge.checks if check.kind is CheckKind.LEAK and not check.cleanup]
        if not checks:
            return [[]]
        messages = tuple(Message(self._exists, check.id) for check in checks if self.goal.selects(check))
        return [[replace(self._found, messages=messages)], *([action] for action in self._others)]

    def cleanup(self, check: Check) -> Message:
        """A heap block is live, or has leaked."""
        return Message(Or((atom(LOST), Exists(("v",), And((atom(HEAP, "v"), Not(atom(FREED, "v"))))))), check.id)

    # --- formulas -----------------------------------------------------------------------------------------------------

    def garbage(self, node: str) -> Formula:
        """A live heap block that no variable reaches."""
        found = self._formulas.get(node)
        if found is None:
            found = self._formulas[node] = renamed(self._garbage, {"v": node})
        return found

    @cached_property
    def _garbage(self) -> Formula:
        reached = [formula for family in self.heap.families for formula in family.reached()]
        if not reached or len(self.heap.fields) + len(self.heap.arrays) > 1:  # families need not know every path
            root = Or(tuple(atom(variable, "a") for variable in self.heap.variables))
            path = closure(self.heap.any_holding_field("s", "t"), "a", "v")
            reached.append(Exists(("a",), And((root, path))))
        return And((atom(HEAP, "v"), Not(atom(FREED, "v")), Not(Or((*reached, *self._pointed)))))

    @cached_property
    def _exists(self) -> Formula:
        return Exists((NODE,), self.garbage(NODE))

    @property
    def _pointed(self) -> list[Formula]:
        return [atom(variable, "v") for variable in self.heap.variables]

    def _remembered(self, arrow: Formula) -> Formula:
        """v has not ended, or something refers to it: a variable, or an arrow from u. Blocks of the input heap are
        remembered: a cell that is not initialised yet may turn out to lead to them."""
        held = [formula for family in self.heap.families for formula in family.held()]
        held += [atom(INPUT, "v")] if self.heap.takes_inputs else []
        referred = Or((*self._pointed, *held, Exists(("u",), arrow)))
        return Or((Not(Or((atom(FREED, "v"), atom(ENDED, "v")))), referred))

    # --- actions ------------------------------------------------------------------------------------------------------

    @cached_property
    def _found(self) -> Action:
        """Actions on garbage after it is reported."""
        if not self.lean:
            return self._collected(TRUE)
        if self.goal.audit or self.goal.certificate:
            return replace(self._collected(HALF), precondition=None)
        return Action("garbage", retain=("v", self._remembered(self.heap.any_field("u", "v"))))

    @cached_property
    def _others(self) -> list[Action]:
        """Heaps in which nothing is lost; perhaps because a cell that is not initialised yet leads to the block."""
        if self.lean:
            return []
        retain = self._remembered(self.heap.any_field("u", "v"))
        found = [Action("no garbage", (), Not(self._exists), retain=("v", retain))]
        if self.heap.inputs:
            unread = Or(tuple(atom(undecided(cell), "u") for cell in self.heap.inputs))
            there = Exists(("u",), And((unread, Not(self.garbage("u")))))
            lost = Exists(("v",), And((self.garbage("v"), atom(INPUT, "v"))))
            found.append(Action("perhaps no garbage", (), And((lost, there))))
        return found

    def _collected(self, gone: Formula) -> Action:
        """Removes the garbage of which `gone` holds."""

        def lost(node: str) -> Formula:
            return And((self.garbage(node), gone))

        arrow = And((self.heap.any_field("u", "v"), Not(lost("u"))))
        retain = And((Not(lost("v")), self._remembered(arrow)))
        updates = [update for family in self.heap.families for update in family.collected(lost)]
        if self.heap.remembers_lost:
            updates.append(Update(LOST, (), Or((atom(LOST), And((self._exists, gone))))))
        return Action("garbage", (), self._exists, updates=tuple(updates), retain=("v", retain))
