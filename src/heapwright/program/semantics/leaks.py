"""Leaks: live heap blocks that have become unreachable.

A command can only leak blocks that were reachable through the pointers that it drops: the old value of a variable or
field, the contents of a block that ends, and temporaries that are dead after it. So the check starts from those, and
searches from the roots only as far as necessary.

    lost = lost_through(state, dropped, root_slots(liveness, location))
    if record(state, lost, check):      # a leak: the run goes on
        lose(state, lost)               # ... without the blocks

A leak does not end a run. The blocks that are lost with a step are garbage from then on: no command observes them, and
no later leak check fails because of them. Only cleanup checks and `all_reachable` still see them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from heapwright.base.source import NOWHERE
from heapwright.program.checks import Check
from heapwright.program.commands import (
    AnyPointer,
    Assert,
    Assign,
    Assume,
    Command,
    Compute,
    Copy,
    Distance,
    External,
    Fill,
    Follow,
    Free,
    Havoc,
    Inspect,
    Leave,
    Length,
    Load,
    LoadCell,
    LoadData,
    LoadDataCell,
    New,
    Protect,
    Reinterpret,
    Scramble,
    Shift,
    Skip,
    Store,
    StoreCell,
    StoreData,
    StoreDataCell,
)
from heapwright.program.dataflow.liveness import Liveness, defined, slots
from heapwright.program.expressions import Const, Expr
from heapwright.program.graph import Edge, Program
from heapwright.program.semantics.access import AccessType, AccessTypes, locate
from heapwright.program.semantics.byte_memory.storage import check_suspects
from heapwright.program.semantics.evaluation import Evaluation
from heapwright.program.semantics.memory import forget, objects_of
from heapwright.program.semantics.objects import (
    JUNK,
    NULL,
    PARTIAL,
    UNREAD,
    Block,
    Bytes,
    PointerValue,
    digits_in,
    held_pointers,
    is_pointer,
    object_of,
)
from heapwright.program.semantics.reachability import escaped_roots, pointers_in, reachable_blocks
from heapwright.program.semantics.state import Execute, Fault, Garbage, State, Stop
from heapwright.program.types import IntType, Storage, ValueKind

Dropped = Callable[[State], list[PointerValue]]

BEHIND_UNREAD = "an input cell that was not read may lead to a block that was lost"
RESOURCES = ("heapwright_file", "heapwright_directory")  # the structs behind FILE and DIR in the bundled headers
ZERO = Const(0, IntType(32, True))


def root_slots(liveness: Liveness, location: int) -> tuple[int, ...]:
    """The variables that keep the heap alive at a location: all source variables, and live temporaries."""
    return slots(liveness.pointers & (~liveness.temporaries | liveness.at(location)))


def dying_temporaries(liveness: Liveness, source: int, target: int) -> tuple[int, ...]:
    """Temporary pointers that are live at `source` and dead at `target`."""
    return slots(liveness.pointers & liveness.temporaries & liveness.at(source) & ~liveness.at(target))


def lost_through(state: State, dropped: Iterable[PointerValue], roots: tuple[int, ...]) -> set[int]:
    """The blocks that were reachable through the dropped pointers and are not reachable from the roots."""
    lost: set[int] = set()
    objects, blocks, garbage = state.objects, state.blocks, state.garbage
    kept: list[PointerValue] | None = None
    for pointer in dropped:
        obj = objects.get(object_of(pointer))
        if obj is None or blocks[obj.block].status > PARTIAL or obj.block in garbage or obj.block in lost:
            continue
        if kept is None:
            kept = [state.vars[slot] for slot in roots]
            if state.escaped:
                kept += escaped_roots(state)
        if pointer in kept:
            continue
        reached = reachable_blocks(state, kept, obj.block)
        if reached is not None:
            lost |= (reachable_blocks(state, [pointer]) or set()) - reached
    return lost


def record(state: State, candidates: Iterable[int], check: Check) -> bool:
    """Records a leak of the first live heap block among the candidates; whether there is one."""
    blocks = state.blocks
    live = [one for one in candidates if blocks[one].storage is Storage.HEAP and blocks[one].status <= PARTIAL]
    live = [one for one in live if one not in state.escaped]  # the environment keeps them
    if live:
        state.leaked(check, min(live, key=lambda one: blocks[one].number))
    return bool(live)


def record_resource(state: State, candidates: Iterable[int], check: Check) -> bool:
    """Records a leak of the first open stream or directory among the candidates; whether there is one."""
    blocks = state.blocks
    found = [one for one in candidates if _is_open_resource(state, blocks[one]) and one not in state.escaped]
    if found:
        state.leaked(check, min(found, key=lambda one: blocks[one].number))
    return bool(found)


def _is_open_resource(state: State, block: Block) -> bool:
    return (
        block.storage is Storage.STATIC
        and block.status <= PARTIAL
        and state.objects[block.root].layout.name in RESOURCES
    )


def lose(state: State, lost: set[int]) -> None:
    """Makes blocks garbage: they leave the state, or are kept apart for the few that can see them."""
    state.lost = True
    if any(state.blocks[identity].input for identity in lost):
        _lose_inputs(state, lost)
    for identity in sorted(lost):
        if _is_kept(state, identity):
            state.garbage |= {identity}
    forgotten = lost - state.garbage
    for identity in forgotten:
        forget(state, identity)
    if forgotten:
        for slot in state.context.pointer_variables:  # dead temporaries
            value = state.vars[slot]
            if is_pointer(value) and object_of(value) not in state.objects:
                state.vars[slot] = JUNK


def _is_kept(state: State, identity: int) -> bool:
    match state.context.garbage:
        case Garbage.NONE:
            return False
        case Garbage.ALL:
            return True
        case Garbage.ONE_OF_EACH_TYPE:
            block = state.blocks[identity]
            types = {state.objects[state.blocks[other].root].layout for other in state.garbage}
            new = state.objects[block.root].layout not in types
            return new and block.storage is Storage.HEAP and block.status <= PARTIAL


def _lose_inputs(state: State, lost: set[int]) -> None:
    """A block of the input heap that was lost is no value of a cell that is read later. Runs in which such a cell leads
    to the block, so that it is not lost, are left out; the search is then recorded as not exhaustive."""
    names = {state.objects[number].layout.name for one in lost for number in objects_of(state, state.blocks[one].root)}
    state.inputs = tuple(identity for identity in state.inputs if identity not in lost)
    for number, obj in state.objects.items():
        if obj.block in lost or obj.status > PARTIAL:
            continue
        for slot in obj.layout.pointer_slots:
            if obj.fields and obj.fields[slot] == UNREAD and obj.layout.fields[slot].target in names:
                state.context.hit(BEHIND_UNREAD, state.blocks[state.objects[number].block].allocated)
                return


def _held_by_integers(state: State, lost: set[int], variables: tuple[int, ...]) -> set[int]:
    """The blocks that integers in variables lead to. When the last one is dropped no command checks: they are suspects
    from now on."""
    pointers = held_pointers(digits_in(state.vars[slot] for slot in variables))
    known = [pointer for pointer in pointers if object_of(pointer) in state.objects]
    held = lost & (reachable_blocks(state, known) or set()) if known else set()
    state.suspects |= held
    return held


class LeakChecks:
    def __init__(self, program: Program, evaluation: Evaluation, liveness: Liveness, access_types: AccessTypes) -> None:
        self.program = program
        self.evaluation = evaluation
        self.liveness = liveness
        self.access_types = access_types
        self.slots = evaluation.slots
        self._all = liveness.mask(list(program.variables))

    def after(self, execute: Execute, edge: Edge[Command], check: Check, resource: Check | None) -> Execute:
        """A step, followed by its leak check; `resource` is that of streams, if it is asked for."""
        if check.cleanup:

            def then_check_all(state: State) -> int:
                target = execute(state)
                record(state, state.blocks, check)
                return target

            return then_check_all
        roots = root_slots(self.liveness, edge.target)
        integers = slots(
            ~self.liveness.pointers & self._all & (~self.liveness.temporaries | self.liveness.at(edge.target))
        )
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
            lost = lost_through(state, dropped, roots)
            if state.suspects:
                check_suspects(state)
            if lost and state.context.leaks_matter:
                lost -= _held_by_integers(state, lost, integers)
            if lost:
                closed = resource is None or not record_resource(state, lost, resource)
                if record(state, lost, check) or not closed:
                    lose(state, lost)
            return target

        return then_check

    def _dropped_by(self, command: Command) -> Dropped | None:
        """The pointers in memory that a command overwrites, or whose block it ends."""
        match command:
            case Free(base) | Leave(base) | Copy(base) | Fill(base):
                slot = self.slots[base]

                def contents(state: State) -> list[PointerValue]:
                    obj = state.objects.get(object_of(state.vars[slot]))
                    return [] if obj is None else pointers_in(state, state.blocks[obj.block].root)

                return contents
            case Store(base, field, _) | Scramble(base, field):
                return self._old_value(base, self.access_types.field(base, field, ValueKind.POINTER), ZERO)
            case StoreCell(base, index, _):
                return self._old_value(base, self.access_types.cell(base, ValueKind.POINTER, direct=False), index)
            case (
                Assign()
                | Load()
                | Follow()
                | Shift()
                | Reinterpret()
                | New()
                | AnyPointer()
                | External()
                | Protect()
                | Inspect()
                | Compute()
                | LoadData()
                | StoreData()
                | Havoc()
                | Distance()
                | Length()
                | LoadCell()
                | LoadDataCell()
                | StoreDataCell()
                | Assume()
                | Assert()
                | Skip()
            ):
                return None  # no pointer in memory, perhaps one in a variable

    def _old_value(self, base: str, want: AccessType, index: Expr) -> Dropped:
        slot, number = self.slots[base], self.evaluation.number(index, NOWHERE)

        def old(state: State) -> list[PointerValue]:
            try:
                scalar = locate(state, state.vars[slot], want, number(state) if want.cell else 0)
            except (Fault, Stop):
                return []  # the command itself fails in the same way
            obj = state.objects[scalar.number]
            value = (obj.cells or {}).get(scalar.key, NULL) if scalar.cell else obj.fields[scalar.key]
            if isinstance(value, Bytes):
                return held_pointers(value.digits)
            return [value] if scalar.field.kind is ValueKind.POINTER else []

        return old
