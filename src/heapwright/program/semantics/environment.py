"""The environment: calls of functions without a body, and the memory that they can reach.

All that a call is handed escapes. At each call everything that has escaped becomes undecided, like the cells of an
input heap: a pointer is null, something that had escaped by then, or memory of the environment.

    call_external(state, [state.vars[slot]])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heapwright.program.choices import ChoiceRequest
from heapwright.program.number_text import NUMBER_TEXT, number_text
from heapwright.program.requests import Request
from heapwright.program.semantics.memory import objects_of, view_of
from heapwright.program.semantics.objects import (
    PARTIAL,
    UNREAD,
    PointerValue,
    is_pointer,
    may_be_valid,
    object_of,
)
from heapwright.program.semantics.reachability import reachable_blocks, writable_blocks
from heapwright.program.semantics.state import Console, Execute, State, Stop
from heapwright.program.trace import ChoiceKind, Ending
from heapwright.program.types import FUNCTION_OBJECT, IntType, Storage


def call_external(state: State, handed: list[PointerValue], lent: Sequence[tuple[PointerValue, str]] = ()) -> None:
    """Everything reachable from the passed pointers escapes, and its contents are inputs from now on. What is lent does
    not escape; only objects of other types than the given ones become inputs."""
    passed = [*handed, *(pointer for pointer, _ in lent)]
    if any(may_be_valid(pointer) for pointer in passed):
        raise Stop(Ending.CUT, "a pointer is handed over whose bytes are not those of one")
    alive = [one for one in state.escaped if one in state.blocks and state.blocks[one].status <= PARTIAL]
    roots = [pointer for pointer in handed if is_pointer(pointer)]
    roots += [state.blocks[one].root for one in alive]
    reached = _reached(state, roots)
    behind = _written_behind(state, lent)
    state.clock += 1
    state.called = state.clock
    escaped = list(alive)
    for identity in sorted(reached):
        if _can_change(state, identity):
            _forget_contents(state, identity)
            if identity not in alive:
                escaped.append(identity)
    state.escaped = tuple(escaped)
    for identity in sorted(behind - reached):
        if _can_change(state, identity):
            _forget_contents(state, identity)
            state.blocks[identity] = state.blocks[identity]._replace(lent=True)


def _written_behind(state: State, lent: Sequence[tuple[PointerValue, str]]) -> set[int]:
    """The blocks that can be written behind what is lent; an open cell of an input heap may lead to any of it."""
    found: set[int] = set()
    for pointer, type in lent:
        if is_pointer(pointer):
            behind = writable_blocks(state, pointer, type)
            if any(_leads_on(state, one) for one in behind | {state.objects[object_of(pointer)].block}):
                behind |= reachable_blocks(state, [state.blocks[one].root for one in state.inputs]) or set()
            found |= behind
    return found


def _reached(state: State, roots: list[PointerValue]) -> set[int]:
    reached = reachable_blocks(state, roots) or set()
    if any(_leads_on(state, one) for one in reached if one not in state.escaped):
        reached |= reachable_blocks(state, [*roots, *(state.blocks[one].root for one in state.inputs)]) or set()
    return reached


def is_environment(state: State, identity: int) -> bool:
    """Whether a block is memory of the environment: one object is known of it, not what lies around it."""
    block = state.blocks[identity]
    of_environment = block.input and block.storage is Storage.STATIC and identity in state.escaped and not block.name
    return of_environment and state.objects[block.root].length is None


def leave_environment_object(state: State, identity: int) -> None:
    """An access beside the known object: whether there is memory is not known."""
    span = state.blocks[identity].allocated
    if state.choose(ChoiceRequest(ChoiceKind.APPROXIMATE, "extent", span), (0, 1)) == 0:
        raise Stop(Ending.CUT, "access beside an object of the environment")


def _leads_on(state: State, identity: int) -> bool:
    """Whether a block has cells of an input heap that are still open: they may lead to any other part of it."""
    block = state.blocks[identity]
    if not block.input or block.status > PARTIAL:
        return False
    objects = [state.objects[number] for number in objects_of(state, block.root)]
    return any(UNREAD in one.fields or (one.cells is not None and one.layout.holds_pointers) for one in objects)


def _can_change(state: State, identity: int) -> bool:
    block = state.blocks[identity]
    fixed = block.protected or state.objects[block.root].layout.name == FUNCTION_OBJECT
    return block.status <= PARTIAL and not fixed


def _forget_contents(state: State, identity: int) -> None:
    block = state.blocks[identity]
    state.blocks[identity] = block._replace(input=True, zeroed=False)
    for number in [*objects_of(state, block.root)]:
        obj = state.own(number)
        obj.fields = list(obj.layout.undecided) if obj.fields else []
        obj.rewritten = True
        if obj.cells is not None:
            obj.cells = {}
    view = view_of(state, identity)
    if view is not None:
        state.own(view).cells = {}


# --- programs that are executed --------------------------------------------------------------------------------------


def make_request(
    request: Request, operands: list[Callable[[State], int]], console: Console | None, target: int
) -> Execute:
    def execute(state: State) -> int:
        values = [operand(state) for operand in operands]
        if console is not None:
            console.request(request.name, request.text, values)
        return target

    return execute


def number_character(operation: str, operands: tuple[int, ...], size: int, type: IntType) -> int | None:
    """A character of the text of a number by a conversion specification, or the length of the text."""
    text = number_text(operation.removeprefix(NUMBER_TEXT), operands[0])
    if text is None or len(operands) == 1:
        return None if text is None else len(text)
    return text[operands[1]] if 0 <= operands[1] < len(text) else None
