"""Commands as actions.

A command becomes one action or a chain of them, with extra locations in between. A failing check is a message whose
text is the identity of the check; a run goes on only where the check holds, except that no leak ends it (`garbage`).
Variables that are dead are null, temporaries at once, named ones when their scope ends (until then they keep blocks
from leaking).
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from heapwright.engines.tvl.encoding.actions.allocation import Blocks
from heapwright.engines.tvl.encoding.actions.conditions import meaning
from heapwright.engines.tvl.encoding.actions.garbage import GarbageCollection
from heapwright.engines.tvl.encoding.actions.input_materialization import InputMaterialization
from heapwright.engines.tvl.encoding.actions.loads_and_stores import CONFUSED, Accesses
from heapwright.engines.tvl.encoding.actions.predicate_updates import Steps, merged
from heapwright.engines.tvl.encoding.available_loads import AvailableLoads
from heapwright.engines.tvl.encoding.memory.points_to import Arithmetic
from heapwright.engines.tvl.encoding.predicate_names import is_junk, junk, points_to
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.logic.actions import Action, Message, Update
from heapwright.logic.formulas import FALSE, TRUE, And, Not, atom
from heapwright.program import commands as c
from heapwright.program import expressions as e
from heapwright.program.checks import Goal
from heapwright.program.dataflow.dead_ends import is_dead_end
from heapwright.program.dataflow.liveness import defined, used
from heapwright.program.dataflow.tracked_integers import comparison, tracked_constants
from heapwright.program.graph import Edge
from heapwright.program.printer import format_command
from heapwright.program.types import IntType

INT = IntType(32, True)


class Compiler:
    """Compiles the edges of one program."""

    def __init__(self, heap: HeapVocabulary, goal: Goal, *, lean: bool = False) -> None:
        self.heap = heap
        self.goal = goal
        self.garbage = GarbageCollection(heap, goal, lean=lean)
        self.steps = Steps(heap)
        self.accesses = Accesses(heap)
        self.blocks = Blocks(heap)
        self.growth = InputMaterialization(heap)
        self.liveness = heap.liveness
        self.flags = frozenset(tracked_constants(heap.resolved, truth_values=True))
        self.held = AvailableLoads(heap)
        self.temporaries = [name for name in heap.variables if heap.program.variables[name].temporary]
        self.numbers = {id(edge): number for number, edge in enumerate(heap.program.graph.edges)}

    def actions(self, edge: Edge[c.Command]) -> list[list[Action]]:
        """Alternative chains of actions; each leads from the source of the edge to its target."""
        first = [self._with_deaths(chain, edge) for chain in self.chains(edge)]
        return [[*chain, *end] for chain in first for end in self.garbage.actions(edge)]

    def beginning(self) -> list[Action]:
        """Initialisation, before the first command. Variables that may be read before they are written, if only on
        paths that no run goes, hold junk, as they do in the interpreter; the others may as well be null."""
        live = self.liveness.at(self.heap.program.graph.entry)
        read = [name for name in self.heap.variables if live & self.liveness.bit(name)]
        found = [Action("variables", updates=tuple(Update(junk(name), (), TRUE) for name in read))] if read else []
        return [*found, self.growth.beginning()] if self.heap.takes_inputs else found

    def circles(self, edge: Edge[c.Command]) -> list[list[Action]]:
        """Chains from the source of the edge back to it, which materialise the input cells that a test reads."""
        literal = self._tested(edge)
        if not self.heap.takes_inputs:
            return []
        rivals = [other for other in self.heap.program.graph.successors[edge.source] if other is not edge]
        live = [self._tested(other) for other in rivals if not self._is_dead(other)]
        if not isinstance(literal, e.ShapeLiteral) or (literal.negated and e.negate(literal) in live):
            return []
        holds = isinstance(edge.command, c.Assume) and not literal.negated and not live
        return [*self.growth.steps(f"{format_command(edge.command)}: inputs", literal, holds=holds)]

    def _tested(self, edge: Edge[c.Command]) -> e.Literal | None:
        if not isinstance(edge.command, c.Assume | c.Assert) or self._is_dead(edge):
            return None
        (case,) = self.heap.cases[self.numbers[id(edge)]]
        (command,) = case.commands
        assert isinstance(command, c.Assume | c.Assert)
        return command.literal

    def _is_dead(self, edge: Edge[c.Command]) -> bool:
        """Whether an edge with a test leads to a dead end."""
        return isinstance(edge.command, c.Assume) and is_dead_end(self.heap.program, edge.target)

    def chains(self, edge: Edge[c.Command]) -> list[list[Action]]:
        command, number = edge.command, self.numbers[id(edge)]
        title = format_command(command)
        match command:
            case c.Load() | c.Store() | c.LoadData() | c.StoreData() | c.Scramble():
                return self.accesses.chains(edge, command.base, title, self.heap.cases[number])
            case c.LoadCell() | c.StoreCell() | c.LoadDataCell() | c.StoreDataCell():
                return self.accesses.chains(edge, command.base, title, self.heap.cases[number])
            case c.Assign(target, value):
                return [[self._assign(title, target, self._final(edge, value))]]
            case c.Follow() | c.Reinterpret() | c.Shift():
                return [[self._move(title, command)]]
            case c.AnyPointer():
                return self.growth.any_pointer(title, command)
            case c.New():
                chains = [[self.blocks.new(title, command, number)]]
                if command.may_fail:
                    chains.append([self._assign(f"{title} fails", command.target, e.NULL)])
                return chains
            case c.Free():
                return self.blocks.freed(title, command, edge.checks)
            case c.Leave(base):
                return self.blocks.left(title, base)
            case c.Compute(target, value) if target in self.flags and (test := comparison(value)) is not None:
                return [self._truth(title, test, truth, target, edge) for truth in (True, False)]
            case c.Assume() | c.Assert() | c.Compute() | c.Havoc() | c.Distance() | c.Length():
                return [self._resolved(title, number, edge)]
            case c.Inspect(base):
                messages = (*self.accesses.ended(base, edge.checks), *self.blocks.faults(base, edge.checks))
                return [[Action(title, (atom(base, "v"),), messages=messages)]]
            case c.Skip():
                asked = [check for check in edge.checks if check.cleanup and self.goal.selects(check)]
                return [[Action(title, messages=tuple(map(self.garbage.cleanup, asked)))]]
            case c.External() | c.Copy() | c.Fill() | c.Protect():
                raise AssertionError(f"not supported: {title}")
        assert_never(command)

    def _resolved(self, title: str, number: int, edge: Edge[c.Command]) -> list[Action]:
        """Conditions and integers, as the families see them."""
        (case,) = self.heap.cases[number]
        (command,) = case.commands
        match command:
            case c.Assume(literal):
                action = self._assume(title, literal)
                if self.heap.takes_inputs and isinstance(literal, e.ShapeLiteral) and self._is_dead(edge):
                    return [replace(action, precondition=FALSE)]
                blind = (Message(TRUE, CONFUSED),) if self.growth.is_blind(literal) else ()
                return [replace(action, messages=blind)]
            case c.Assert(literal, check):
                fails = And((self.growth.is_decided(literal), Not(meaning(self.heap, literal))))
                claims = [Message(fails if self.growth.undecided_at(literal) else fails.operands[1], check.id)]
                claims += [Message(TRUE, CONFUSED)] if self.growth.is_blind(literal) else []
                return [replace(self._assume(title, literal), messages=tuple(claims))]
            case c.Compute() | c.Havoc():
                return self.steps.data(Action(title), command, edge)
        raise ValueError(f"no condition and no integer: {command}")

    def _assume(self, title: str, literal: e.Literal) -> Action:
        focus = [formula for family in self.heap.families for formula in family.focus(literal)]
        if isinstance(literal, e.PointerCompare):
            focus += [atom(p.name, "v") for p in (literal.left, literal.right) if isinstance(p, e.Var)]
        updates = tuple(self.steps.by_families(lambda family: family.learned(literal)))
        holds = meaning(self.heap, literal)
        if self.growth.undecided_at(literal):
            holds = And((self.growth.is_decided(literal), holds))
        return Action(title, tuple(focus), holds, updates=updates)

    def _truth(self, title: str, test: e.Compare, truth: bool, target: str, edge: Edge[c.Command]) -> list[Action]:
        """A variable gets the truth value of a comparison, in the case of one outcome."""
        literal = test if truth else e.negate(test)
        value = c.Compute(target, e.Const(int(truth), INT))
        outcome = f"{title}, {str(truth).lower()}"
        return [self._assume(outcome, literal), *self.steps.data(Action(title), value, edge)]

    # --- variables ------------------------------------------------------------------------------------------------

    def _final(self, edge: Edge[c.Command], value: e.Pointer) -> e.Pointer:
        """A variable that becomes junk and is not read again may as well become null."""
        target = defined(edge.command)
        assert target is not None
        dead = not self.liveness.at(edge.target) & self.liveness.bit(target)
        return e.NULL if isinstance(value, e.Junk) and dead else value

    def _assign(self, title: str, target: str, value: e.Pointer) -> Action:
        return Action(title, updates=tuple(self.steps.assigned(target, value)))

    def _move(self, title: str, command: Arithmetic) -> Action:
        """The same block at another offset."""
        target, base = command.target, e.Var(command.base)
        updates = [Update(target, ("v",), points_to(base, "v")), Update(junk(target), (), is_junk(base))]
        for family in self.heap.families:
            updates += self.heap.tags.moved(command) if family is self.heap.tags else family.assigned(target, base)
        return Action(title, updates=tuple(updates))

    def _with_deaths(self, chain: list[Action], edge: Edge[c.Command]) -> list[Action]:
        """Dead temporaries become null, so that they are no roots of the heap."""
        before, after = self.liveness.at(edge.source), self.liveness.at(edge.target)
        read, written = used(edge.command), defined(edge.command)
        kept_before, kept_after = self.held.at(edge.source), self.held.at(edge.target)
        dying = [
            name
            for name in self.temporaries
            if not (after & self.liveness.bit(name) or name in kept_after)
            and (before & self.liveness.bit(name) or name in kept_before or name in read or name == written)
        ]
        kills = [update for name in dying if name != written for update in self.steps.assigned(name, e.NULL)]
        *first, last = chain
        result = [*first, replace(last, updates=tuple(merged(last.updates, kills)))]
        if written in dying:
            result.append(self._assign(f"{written} is gone", written, e.NULL))
        gone = frozenset(
            name
            for name in self.heap.integers
            if not after & self.liveness.bit(name) and (before & self.liveness.bit(name) or name in read)
        )
        if gone:
            ends = (action for family in self.heap.families for action in family.gone(gone))
            result += [self.steps.completed(action) for action in ends]
        return result
