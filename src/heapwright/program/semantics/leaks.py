"""Leaks: live heap blocks that have become unreachable.

A command can only leak blocks that were reachable through the pointers that it drops: the old value of a variable or
field, the contents of a block that ends, and temporaries that are dead after it. So the check starts from those, and
searches from the roots only as far as necessary.

    check_dropped(state, dropped, root_slots(liveness, location), check)   # raises Fault for the first lost block
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from heapwright.base.source import NOWHERE
from heapwright.program.checks import Check, CheckKind
from heapwright.program.commands import Command, Free, Leave, New, Scramble, Store, StoreCell
from heapwright.program.dataflow.liveness import Liveness, defined, slots
from heapwright.program.expressions import Const, Expr
from heapwright.program.graph import Edge, Program
from heapwright.program.semantics.access import AccessType, AccessTypes, locate
from heapwright.program.semantics.evaluation import Evaluation
from heapwright.program.semantics.objects import NULL, PARTIAL, PointerValue, is_pointer, object_of
from heapwright.program.semantics.reachability import escaped_roots, pointers_in, reachable_blocks
from heapwright.program.semantics.state import Execute, Fault, State, Stop
from heapwright.program.types import IntType, Storage, ValueKind

Dropped = Callable[[State], list[PointerValue]]

ZERO = Const(0, IntType(32, True))


def root_slots(liveness: Liveness, location: int) -> tuple[int, ...]:
    """The variables that keep the heap alive at a location: all source variables, and live temporaries."""
    return slots(liveness.pointers & (~liveness.temporaries | liveness.at(location)))


def dying_temporaries(liveness: Liveness, source: int, target: int) -> tuple[int, ...]:
    """Temporary pointers that are live at `source` and dead at `target`."""
    return slots(liveness.pointers & liveness.temporaries & liveness.at(source) & ~liveness.at(target))


def check_dropped(state: State, dropped: Iterable[PointerValue], roots: tuple[int, ...], check: Check) -> None:
    """Raises a fault for the first block that was reachable through the dropped pointers and is not from the roots."""
    blocks = state.blocks
    variables = state.vars
    for pointer in dropped:
        if not is_pointer(pointer):
            continue
        obj = state.objects.get(object_of(pointer))
        if obj is None or blocks[obj.block].status > PARTIAL:
            continue
        kept = [variables[slot] for slot in roots] + escaped_roots(state)
        if pointer in kept:
            continue
        reached = reachable_blocks(state, kept, obj.block)
        if reached is None:
            continue
        lost = (reachable_blocks(state, [pointer]) or set()) - reached
        report_first(state, lost, check)


def check_nothing_live(state: State, check: Check) -> None:
    """Raises a fault for the first heap block that is still there."""
    report_first(state, set(state.blocks), check)


def report_first(state: State, candidates: set[int], check: Check) -> None:
    blocks = state.blocks
    live = [b for b in candidates if blocks[b].storage is Storage.HEAP and blocks[b].status <= PARTIAL]
    live = [b for b in live if b not in state.escaped]  # the environment keeps them
    if live:
        first = min(live, key=lambda b: blocks[b].number)
        raise Fault(CheckKind.LEAK, blocks[first].root, block=first, check=check)


class LeakChecks:
    def __init__(self, program: Program, evaluation: Evaluation, liveness: Liveness, access_types: AccessTypes) -> None:
        self.program = program
        self.evaluation = evaluation
        self.liveness = liveness
        self.access_types = access_types
        self.slots = evaluation.slots

    def after(self, execute: Execute, edge: Edge[Command], check: Check) -> Execute:
        """A step, followed by its leak check."""
        if check.cleanup:

            def then_check_all(state: State) -> int:
                target = execute(state)
                check_nothing_live(state, check)
                return target

            return then_check_all
        roots = root_slots(self.liveness, edge.target)
        dying = dying_temporaries(self.liveness, edge.source, edge.target)
        before = self._dropped_by(edge.command)
        created = self.slots[edge.command.target] if isinstance(edge.command, New) else None
        name = defined(edge.command)
        overwritten = None
        if name is not None and self.program.variables[name].kind is ValueKind.POINTER:
            overwritten = self.slots[name]

        def then_check(state: State) -> int:
            variables = state.vars
            dropped = before(state) if before is not None else []
            if overwritten is not None:
                dropped.append(variables[overwritten])
            for slot in dying:
                dropped.append(variables[slot])
            target = execute(state)
            if created is not None:
                dropped.append(state.vars[created])
            check_dropped(state, dropped, roots, check)
            return target

        return then_check

    def _dropped_by(self, command: Command) -> Dropped | None:
        """The pointers in memory that a command overwrites, or whose block it ends."""
        match command:
            case Free(base) | Leave(base):
                slot = self.slots[base]

                def contents(state: State) -> list[PointerValue]:
                    obj = state.objects.get(object_of(state.vars[slot]))
                    return [] if obj is None else pointers_in(state, state.blocks[obj.block].root)

                return contents
            case Store(base, field, _) | Scramble(base, field):
                return self._old_value(base, self.access_types.field(base, field, ValueKind.POINTER), ZERO)
            case StoreCell(base, index, _):
                return self._old_value(base, self.access_types.cell(base, ValueKind.POINTER), index)
            case _:
                return None

    def _old_value(self, base: str, want: AccessType, index: Expr) -> Dropped:
        slot, number = self.slots[base], self.evaluation.number(index, NOWHERE)

        def old(state: State) -> list[PointerValue]:
            try:
                place = locate(state, state.vars[slot], want, number(state) if want.cell else 0)
            except (Fault, Stop):
                return []  # the command itself fails in the same way
            obj = state.objects[place.number]
            value = (obj.cells or {}).get(place.key, NULL) if place.cell else obj.fields[place.key]
            return [value] if place.field.kind is ValueKind.POINTER else []

        return old
