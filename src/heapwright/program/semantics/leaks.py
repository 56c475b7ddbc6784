"""Leaks: live heap blocks that nothing leads to any more.

A command can only lose what led through the pointers that it drops: the old value of a variable or field, the contents
of a block that ends, and temporaries that are not needed after it. So the check starts from those, and looks from the
roots only as far as it must.

    check_dropped(state, dropped, root_slots(liveness, location), check)   # raises Fault for the first lost block
"""

from __future__ import annotations

from collections.abc import Iterable

from heapwright.program.checks import Check, CheckKind
from heapwright.program.dataflow.liveness import Liveness, slots
from heapwright.program.semantics.reachability import reachable_blocks
from heapwright.program.semantics.state import PARTIAL, Fault, PointerValue, State, is_pointer, object_of
from heapwright.program.types import Storage


def root_slots(liveness: Liveness, location: int) -> tuple[int, ...]:
    """The variables that keep the heap alive at a location: all that the user wrote, and temporaries still needed."""
    return slots(liveness.pointers & (~liveness.temporaries | liveness.at(location)))


def dying_temporaries(liveness: Liveness, source: int, target: int) -> tuple[int, ...]:
    """Temporary pointers that are needed at `source` and no longer at `target`."""
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
        kept = [variables[slot] for slot in roots]
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
    if live:
        first = min(live, key=lambda b: blocks[b].number)
        raise Fault(CheckKind.LEAK, blocks[first].root, block=first, check=check)
