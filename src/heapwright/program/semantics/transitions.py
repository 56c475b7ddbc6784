"""Concrete semantics of commands, compiled to functions of a state.

A command is compiled once into a closure that changes the state and gives the next location. It raises `Fault` when a
check fails, `Stop` when the run cannot go on, and `ChoicePoint` when a search must choose first; then it may be started
again, so a closure requests choices before it changes anything, or keeps what was chosen at once.

    execute = CommandCompiler(program, goal, context, evaluation, liveness).compile(edge)
    location = execute(state)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heapwright.base.source import Span
from heapwright.program.checks import FREE_KINDS, Check, CheckKind, Goal
from heapwright.program.choices import ChoiceRequest
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
    FloatingPoint,
    Follow,
    Free,
    FromInteger,
    Havoc,
    Inspect,
    Leave,
    Length,
    Load,
    LoadCell,
    LoadData,
    LoadDataCell,
    New,
    Overlay,
    Padding,
    Protect,
    Reinterpret,
    Scramble,
    Shift,
    Skip,
    Store,
    StoreCell,
    StoreData,
    StoreDataCell,
    ToInteger,
)
from heapwright.program.dataflow.liveness import Liveness
from heapwright.program.expressions import UNKNOWN
from heapwright.program.graph import Edge, Program
from heapwright.program.semantics.access import AccessTypes, freed_block, inspected, settled_index
from heapwright.program.semantics.byte_memory.conversions import from_integer, number_step
from heapwright.program.semantics.byte_memory.copies import byte_command
from heapwright.program.semantics.environment import call_external, is_environment, make_request
from heapwright.program.semantics.evaluation import Evaluation
from heapwright.program.semantics.input_heap import any_pointer, any_strings
from heapwright.program.semantics.leaks import LeakChecks
from heapwright.program.semantics.links import owner_of, part_of, reinterpreted
from heapwright.program.semantics.loads_and_stores import (
    load,
    load_cell,
    load_data,
    load_data_cell,
    scramble,
    store,
    store_cell,
    store_data,
)
from heapwright.program.semantics.memory import allocate, distance, end, length, replace_block, shifted
from heapwright.program.semantics.objects import FREED, JUNK, LEFT, NULL, OUTSIDE, PARTIAL, PointerValue, object_of
from heapwright.program.semantics.state import Execute, Fault, SearchContext, State, Stop
from heapwright.program.trace import ChoiceKind, Ending
from heapwright.program.types import IntType, Storage, ValueKind

LARGEST_COUNT = 1 << 32
LARGEST_SIZE = 1 << 40


class CommandCompiler:
    """Compiles the commands of one program for one goal; without live variables, leak checks are left out."""

    def __init__(
        self, program: Program, goal: Goal, context: SearchContext, evaluation: Evaluation, liveness: Liveness | None
    ) -> None:
        self.program = program
        self.goal = goal
        self.context = context
        self.evaluation = evaluation
        self.slots = evaluation.slots
        self.access_types = AccessTypes(program, context)
        self.leak_checks = None if liveness is None else LeakChecks(program, evaluation, liveness, self.access_types)

    def compile(self, edge: Edge[Command]) -> Execute:
        execute = self._command(edge.command, edge.target, edge.span, edge.checks)
        if self.leak_checks is None:
            return execute
        checks = [one for one in edge.checks if self.goal.selects(one) or not one.cleanup]
        resource = next((one for one in checks if one.kind is CheckKind.RESOURCE_LEAK), None)
        for check in checks:
            if check.kind is CheckKind.LEAK:
                execute = self.leak_checks.after(execute, edge, check, None if check.cleanup else resource)
        return execute

    # --- one command -------------------------------------------------------------------------------------------------

    def _command(self, command: Command, target: int, span: Span, checks: Sequence[Check]) -> Execute:
        match command:
            case Assign() | Follow() | Shift() | Reinterpret() | AnyPointer():
                return self._pointer_value(command, target, span)
            case Load(variable, base, field):
                want = self.access_types.field(base, field, ValueKind.POINTER)
                return load(self.slots[variable], self.slots[base], want, target, span)
            case Store(base, field, value):
                want = self.access_types.field(base, field, ValueKind.POINTER)
                return store(self.slots[base], want, self.evaluation.pointer(value), target)
            case LoadData(variable, base, field):
                want = self.access_types.field(base, field, ValueKind.DATA)
                return load_data(self.slots[variable], self.slots[base], want, target, span)
            case StoreData(base, field, expr):
                want = self.access_types.field(base, field, ValueKind.DATA)
                return store_data(self.slots[base], want, self.evaluation.expression(expr, span), target)
            case LoadCell() | StoreCell() | LoadDataCell() | StoreDataCell():
                return self._cell(command, target, span)
            case New():
                return self._new(command, target, span)
            case Free() | Leave() | Inspect():
                return self._lifetime(command, target, span, checks)
            case Compute() | Havoc() | Distance() | Length() | Scramble():
                return self._data(command, target, span)
            case Assert(literal, check):
                return _assert(self.evaluation.literal(literal, span), check, target)
            case External(_, names, lent):
                lends = [(self.slots[name], type) for name, type in lent]
                return _external([self.slots[name] for name in names], lends, target)
            case Copy() | Fill() | Protect() | Padding():
                return byte_command(command, self.evaluation, target, span)
            case Skip(unmodelled=reason) if reason:
                return _unmodelled(target, span)
            case Skip(request=request) if request is not None:
                operands = [self.evaluation.number(operand, span) for operand in request.operands]
                return make_request(request, operands, self.context.console, target)
            case Assume() | Skip():
                return lambda state: target

    def _lifetime(self, command: Free | Leave | Inspect, target: int, span: Span, checks: Sequence[Check]) -> Execute:
        base = self.slots[command.base]
        match command:
            case Free():
                return _free(base, command.closes, target, span)
            case Leave():
                return _leave(base, target, span)
            case Inspect():
                return inspected(base, any(check.kind in FREE_KINDS for check in checks), target)

    def _pointer_value(
        self, command: Assign | Follow | Shift | Reinterpret | AnyPointer, target: int, span: Span
    ) -> Execute:
        slot = self.slots[command.target]
        match command:
            case FromInteger():
                return from_integer(command, self.evaluation, _unmodelled(target, span), target, span)
            case Assign(_, value):
                pointer = self.evaluation.pointer(value)
                if value == UNKNOWN:
                    return _unknown(slot, _unmodelled(target, span))

                def assign(state: State) -> int:
                    state.vars[slot] = pointer(state)
                    return target

                return assign
            case Follow(_, base_name, owner_name, part, up):
                base, owner, move = self.slots[base_name], self.context.layouts[owner_name], owner_of if up else part_of

                def follow(state: State) -> int:
                    state.vars[slot] = move(state, state.vars[base], owner, part)
                    return target

                return follow
            case Shift(_, base_name, offset, unit):
                base, number = self.slots[base_name], self.evaluation.number(offset, span)

                def shift(state: State) -> int:
                    state.vars[slot] = shifted(state, state.vars[base], number(state), unit)
                    return target

                return shift
            case Reinterpret(_, base_name, type_name):
                base = self.slots[base_name]

                def reinterpret(state: State) -> int:
                    state.vars[slot] = reinterpreted(state, state.vars[base], type_name)
                    return target

                return reinterpret
            case AnyPointer(_, type_name, _, count) if count:
                number_slot = self.slots[count]

                def strings(state: State) -> int:
                    state.vars[slot] = any_strings(state, type_name, state.vars[number_slot], span)
                    return target

                return strings
            case AnyPointer(_, type_name, environment, _, fresh):

                def any_value(state: State) -> int:
                    state.vars[slot] = any_pointer(state, type_name, span, environment=environment, fresh=fresh)
                    return target

                return any_value

    def _data(self, command: Compute | Havoc | Distance | Length | Scramble, target: int, span: Span) -> Execute:
        match command:
            case Scramble(base, name, start, end):
                want = self.access_types.field(base, name, ValueKind.DATA)
                if want.field is not None:
                    want = want._replace(kind=want.field.kind)
                return scramble(self.slots[base], want, start, end, target)
            case Compute(name, expr):
                slot, value = self.slots[name], self.evaluation.expression(expr, span)

                def compute(state: State) -> int:
                    state.vars[slot] = value(state)
                    return target

                return compute
            case Overlay() | ToInteger() | FloatingPoint():
                return number_step(command, self.evaluation, self._havoc(command, target, span), target, span)
            case Havoc():
                return self._havoc(command, target, span)
            case Distance():
                return self._distance(command, target, span)
            case Length(name, base):
                slot, base_slot = self.slots[name], self.slots[base]

                def measure(state: State) -> int:
                    state.vars[slot] = length(state, state.vars[base_slot])
                    return target

                return measure

    def _havoc(self, command: Havoc, target: int, span: Span) -> Execute:
        slot = self.slots[command.target]
        low = command.type.minimum if command.low is None else command.low
        high = command.type.maximum if command.high is None else command.high
        kind = ChoiceKind.APPROXIMATE if command.approximate else ChoiceKind.INPUT
        source = "approximation" if command.approximate else command.source
        constants = self.evaluation.constants.get(("", command.target), ())
        request = ChoiceRequest(kind, source, span, low, high, constants=constants)

        def havoc(state: State) -> int:
            state.vars[slot] = state.fresh(request)
            return target

        return havoc

    def _distance(self, command: Distance, target: int, span: Span) -> Execute:
        slot, left, right = self.slots[command.target], self.slots[command.left], self.slots[command.right]
        type, unit = self.program.variables[command.target].type or IntType(64, True), command.unit
        request = ChoiceRequest(ChoiceKind.APPROXIMATE, "approximation", span, type.minimum, type.maximum)

        def measure(state: State) -> int:
            found = distance(state, state.vars[left], state.vars[right], unit)
            state.vars[slot] = state.fresh(request) if found is None else found
            return target

        return measure

    def _new(self, command: New, target: int, span: Span) -> Execute:
        slot = self.slots[command.target]
        layout = self.context.layouts[command.type] if command.type else self.context.untyped
        count = None if command.count is None else self.evaluation.number(command.count, span)
        size = None if command.size is None else self.evaluation.number(command.size, span)
        storage, zeroed, may_fail = command.storage, command.zeroed, command.may_fail
        name = "" if storage is Storage.HEAP else self.program.variables[command.target].source_name.lstrip("&")
        request = ChoiceRequest(ChoiceKind.INPUT, "malloc", span, 0, 1)
        replaces = self.slots.get(command.replaces)

        def new(state: State) -> int:
            cells = None if count is None else count(state)
            bytes = None if size is None else size(state)
            possible = (cells is None or 0 <= cells <= LARGEST_COUNT) and (bytes is None or 0 <= bytes <= LARGEST_SIZE)
            if not possible and not may_fail:
                raise Stop(Ending.BLOCKED, "an allocation of impossible size is assumed not to return")
            if may_fail and (not possible or state.choose(request, (0, 1)) == 1):
                state.vars[slot] = NULL
                return target
            made = allocate(state, layout, storage, span, count=cells, size=bytes, zeroed=zeroed, name=name)
            if replaces is not None:
                replace_block(state, state.vars[replaces], made)
            state.vars[slot] = made
            return target

        return new

    def _cell(self, command: LoadCell | StoreCell | LoadDataCell | StoreDataCell, target: int, span: Span) -> Execute:
        base, value = self.slots[command.base], self.evaluation.expression(command.index, span)
        kind = ValueKind.POINTER if isinstance(command, LoadCell | StoreCell) else ValueKind.DATA
        want = self.access_types.cell(command.base, kind, direct=command.direct)

        def index(state: State) -> int:
            found = value(state)
            return found if type(found) is int else settled_index(state, state.vars[base], found, want)

        match command:
            case LoadCell(variable, _, _):
                return load_cell(self.slots[variable], base, index, want, target, span)
            case LoadDataCell(variable, _, _):
                return load_data_cell(self.slots[variable], base, index, want, target, span)
            case StoreCell(_, _, pointer):
                return store_cell(base, index, want, self.evaluation.pointer(pointer), target)
            case StoreDataCell(_, _, expr):
                return store_cell(base, index, want, self.evaluation.expression(expr, span), target)


# --- the ends of blocks, assertions ----------------------------------------------------------------------------------


def _unmodelled(target: int, span: Span) -> Execute:
    """The run continues as if nothing had happened, and depends on an approximation."""
    request = ChoiceRequest(ChoiceKind.APPROXIMATE, "approximation", span)

    def go_on(state: State) -> int:
        state.choose(request, (0,))
        return target

    return go_on


def _unknown(slot: int, unmodelled: Execute) -> Execute:
    """Junk stands for the pointer, and the run depends on an approximation."""

    def assign(state: State) -> int:
        state.vars[slot] = JUNK
        return unmodelled(state)

    return assign


def _free(base: int, closes: bool, target: int, span: Span) -> Execute:
    def free(state: State) -> int:
        pointer = state.vars[base]
        if pointer == NULL:
            return target
        block = freed_block(state, pointer, closes=closes)
        if is_environment(state, block) and not closes:
            _free_unknown(state, pointer, block, span)
        else:
            end(state, block, FREED, span)
        return target

    return free


def _free_unknown(state: State, pointer: PointerValue, identity: int, span: Span) -> None:
    """Whether memory of the environment may be freed is not known."""
    request = ChoiceRequest(ChoiceKind.APPROXIMATE, "ownership", span)
    if state.choose(request, (0, 1)) == 1:
        raise Fault(CheckKind.INVALID_FREE, pointer)
    end(state, identity, FREED, span)


def _external(handed: list[int], lent: list[tuple[int, str]], target: int) -> Execute:
    def call(state: State) -> int:
        lends = [(state.vars[slot], type) for slot, type in lent]
        call_external(state, [state.vars[slot] for slot in handed], lends)
        return target

    return call


def _leave(base: int, target: int, span: Span) -> Execute:
    def leave(state: State) -> int:
        obj = state.objects.get(object_of(state.vars[base]))
        if obj is not None and obj.status != OUTSIDE and state.blocks[obj.block].status <= PARTIAL:
            end(state, obj.block, LEFT, span)
        return target

    return leave


def _assert(test: Callable[[State], bool], check: Check, target: int) -> Execute:
    def verify(state: State) -> int:
        if not test(state):
            raise Fault(check.kind, check=check)
        return target

    return verify
