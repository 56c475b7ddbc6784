"""Abstract transformers: what each command makes of a state, and which of its checks may fail.

Transfer(program).step(state, command, site, failures)    # changes the state; False if no run gets past the command
"""

from __future__ import annotations

from typing import assert_never

from heapwright.engines.floor.domain import intervals, pointers
from heapwright.engines.floor.domain.differences import Term, index_of
from heapwright.engines.floor.domain.layouts import CELLS, Layouts
from heapwright.engines.floor.domain.pointers import (
    ANY_POINTER,
    JUNK_POINTER,
    NULL,
    NULL_POINTER,
    ZERO,
    Pointer,
    recent,
    site_of,
)
from heapwright.engines.floor.domain.state import State
from heapwright.engines.floor.transform.access import Memory
from heapwright.engines.floor.transform.arguments import Arguments
from heapwright.engines.floor.transform.arithmetic import assign, evaluate, linear, set_number, upper
from heapwright.engines.floor.transform.bulk import Bulk
from heapwright.engines.floor.transform.conditions import assume_compare
from heapwright.engines.floor.transform.extents import Extents
from heapwright.engines.floor.transform.lifetimes import Lifetimes
from heapwright.engines.floor.transform.pointer_conditions import PointerConditions
from heapwright.engines.floor.transform.positions import Positions
from heapwright.engines.floor.transform.scalars import Failures, Want
from heapwright.engines.floor.transform.terminators import Terminators
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
from heapwright.program.expressions import (
    Compare,
    Expr,
    Junk,
    Literal,
    Null,
    PointerCompare,
    ShapeLiteral,
    Var,
    negate,
)
from heapwright.program.expressions import Pointer as PointerOperand
from heapwright.program.graph import Program
from heapwright.program.types import IntType, Storage, ValueKind

WORD = IntType(64, True)


class Transfer:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.layouts = Layouts(program)
        edges = enumerate(program.graph.edges, start=1)
        self.sites = {number: edge.command for number, edge in edges if isinstance(edge.command, New)}
        self.storage = {number: command.storage for number, command in self.sites.items()}
        variables = program.variables.values()
        self.sources = frozenset(one.name for one in variables if one.kind is ValueKind.POINTER and not one.temporary)
        self.extents = Extents(program, self.layouts)
        self.terminators = Terminators(program, self.layouts)
        self.memory = Memory(program, self.layouts, self.storage, self.sources, self.extents, self.terminators)
        self.storage |= {site_of(key): Storage.STATIC for key in self.memory.arguments}
        self.positions = Positions(self.memory)
        self.lifetimes = Lifetimes(program, self.memory, self.positions)
        self.bulk = Bulk(self.memory, self.positions)
        self.arguments = Arguments(program, self.memory)
        self.conditions = PointerConditions(self.memory, self.positions, self.sites)

    def step(self, state: State, command: Command, site: int, failures: Failures) -> bool:
        """The state after the command of an edge, whose number is the site of its allocation; whether there is one."""
        match command:
            case Assign() | Follow() | Shift() | Reinterpret() | AnyPointer():
                self._pointer_value(state, command, site)
                return True
            case Compute() | Havoc() | Distance() | Length():
                self._number(state, command)
                return True
            case Load() | LoadCell():
                return self._load(state, command, failures)
            case LoadData() | LoadDataCell():
                return self._load_data(state, command, failures)
            case Store() | StoreCell():
                return self._store(state, command, failures)
            case StoreData() | StoreDataCell():
                return self._store_data(state, command, failures)
            case Scramble():
                return self._scramble(state, command, failures)
            case New():
                return self.lifetimes.allocate(state, site, command)
            case Free(base, closes):
                return self.lifetimes.free(state, base, closes, failures)
            case Leave(base):
                self.lifetimes.leave(state, base)
                return True
            case External():
                self.bulk.call(state, command)
                return True
            case Copy():
                return self.bulk.copy(state, command, failures)
            case Fill():
                return self.bulk.fill(state, command, failures)
            case Protect(base):
                self.bulk.protect(state, base)
                return True
            case Assume(literal):
                return self.assume(state, literal)
            case Assert():
                return self._assert(state, command, failures)
            case Inspect(base):
                self.lifetimes.inspect(state, base, failures)
                return True
            case Skip():
                return True  # behind what is not modelled nothing is proved (analysis/judgement.py)
        assert_never(command)

    # --- values ------------------------------------------------------------------------------------------------------

    def operand(self, state: State, operand: PointerOperand) -> Pointer:
        match operand:
            case Null():
                return NULL_POINTER
            case Junk(unknown):
                return ANY_POINTER if unknown else JUNK_POINTER
            case Var(name):
                return self.memory.pointer(state, name)

    def _pointer_value(
        self, state: State, command: Assign | Follow | Shift | Reinterpret | AnyPointer, site: int
    ) -> None:
        target = command.target
        match command:
            case Assign(_, value):
                index = index_of(value.name) if isinstance(value, Var) else None
                kin = value.name if isinstance(value, Var) else None
                self.set_pointer(state, target, self.operand(state, value), index, kin)
            case Follow(_, base):
                self.set_pointer(state, target, self.positions.follow(state, command), kin=base)
            case Shift():
                self._shift(state, command)
            case Reinterpret(_, base):
                found = self.positions.reinterpret(state, command)
                before = self.memory.pointer(state, base)
                self.set_pointer(state, target, found, index_of(base) if found == before else None, kin=base)
            case AnyPointer() if recent(site) in self.memory.arguments:
                self.arguments.begin(state, site, command)
            case AnyPointer(_, type, environment, count):
                found = self.memory.from_outside(state, type)
                if count:
                    found = found.without(NULL) if not found.unknown else found
                elif not environment and not self.memory.overlapping:
                    found = found.where(lambda key: key == pointers.ENVIRONMENT)
                self.set_pointer(state, target, found)

    def set_pointer(
        self, state: State, target: str, value: Pointer, index: Term | None = None, kin: str | None = None
    ) -> None:
        """target = value, whose index is that of another pointer, if given; it is in the block that `kin` is in."""
        if kin == target:
            state.same_blocks.drop_behind(target)
        else:
            state.same_blocks.drop_variable(target)
            if kin is not None:
                state.same_blocks.add(target, kin)
        own = index_of(target)
        if index != own:
            state.differences.forget(own)
            if index is not None:
                state.differences.same(own, index)
        if value == JUNK_POINTER and target in self.sources:
            state.pointers.pop(target, None)
        else:
            state.pointers[target] = value
        source = None if index is None or isinstance(index, str) else str(index[1])
        self.extents.assign(state, target, value, source)
        self.terminators.assign(state, target, value, source)

    def _shift(self, state: State, command: Shift) -> None:
        target, base, offset = command.target, command.base, command.offset
        number = evaluate(state, offset)
        inside = self.extents.has(state, base, number, upper(state, offset))
        pointer = self.memory.filled(state, base)
        inside = inside and not pointer.unknown and self.extents.counts_in(state, pointer, command.unit)
        moved = self.positions.shifted(state, pointer, number, command.unit)
        behind = self.terminators.before_shift(state, command)
        self._set_shifted(state, target, moved, base, offset)
        self.terminators.shift(state, command, number, behind)
        self.extents.shift(state, target, base, number, inside=inside)

    def _set_shifted(self, state: State, target: str, moved: Pointer, base: str, offset: Expr) -> None:
        own, before = index_of(target), index_of(base)
        start, form = state.value(before), linear(state, offset)
        known = not moved.unknown and all(self.positions.moves_active(state, *where) for where in moved.targets)
        if known and form is not None and form[0] is None:
            self.set_pointer(state, target, moved, before, kin=base)
            state.differences.move(own, form[1])
            return
        self.set_pointer(state, target, moved, kin=base)
        if known and form is not None and form[0] is not None and start[0] == start[1]:
            distance = form[1] + start[0]
            state.differences.add(own, form[0], distance)
            state.differences.add(form[0], own, -distance)

    def _number(self, state: State, command: Compute | Havoc | Distance | Length) -> None:
        whole = intervals.range_of(self.program.variables[command.target].type or WORD)
        match command:
            case Compute(target, expr):
                assign(state, target, expr)
                self.terminators.copied(state, target, expr)
            case Havoc(target, type):
                low = type.minimum if command.low is None else command.low
                high = type.maximum if command.high is None else command.high
                set_number(state, target, (low, high))
            case Distance(target, left, right, unit):
                one, other = self.memory.pointer(state, left), self.memory.pointer(state, right)
                found = self.positions.distance(state, one, other, unit)
                if found is not None:
                    high, low = (
                        state.bound(index_of(left), index_of(right)),
                        -state.bound(index_of(right), index_of(left)),
                    )
                    found = intervals.meet(found, (low, high)) or found
                set_number(state, target, whole if found is None else intervals.meet(found, whole) or whole)
            case Length(target, base):
                self.lifetimes.length(state, target, base, whole)
                self.terminators.length(state, target, base)

    # --- loads and stores --------------------------------------------------------------------------------------------

    def _load(self, state: State, command: Load | LoadCell, failures: Failures) -> bool:
        want, index = self._wanted(command, ValueKind.POINTER)
        self.arguments.measure(state, command.base)
        found = self.memory.locate(state, command.base, want, index, failures)
        if found is None:
            return False
        string = self.arguments.load(state, command) if isinstance(command, LoadCell) else None
        self.set_pointer(state, command.target, string or self.memory.read_pointer(state, found, want))
        if string:
            self.terminators.string(state, command.target)
            return True
        self.extents.load(state, command.target, found)
        self.terminators.load(state, command.target, found)
        if command.target != command.base:
            for holder in self.memory.holders(found, command.base, _field_of(command)):
                state.same_blocks.add(command.target, holder)
        return True

    def _load_data(self, state: State, command: LoadData | LoadDataCell, failures: Failures) -> bool:
        want, index = self._wanted(command, ValueKind.DATA)
        found = self.memory.locate(state, command.base, want, index, failures)
        if found is None:
            return False
        whole = intervals.range_of(self.program.variables[command.target].type or WORD)
        value = self.memory.read_number(state, found, want, whole)
        term = self.memory.term(found)
        same = found.accesses and found.accesses[0].field == want.field and want.field is not None
        form, number = (None, ZERO) if index is None else (linear(state, index), evaluate(state, index))
        set_number(state, command.target, value)
        if found.accesses and all(one.place is not None and one.place[1] == CELLS for one in found.accesses):
            self.terminators.loaded(state, command.target, command.base, form, number)
        if term is not None and same:
            state.differences.same(command.target, term)
        return True

    def _store(self, state: State, command: Store | StoreCell, failures: Failures) -> bool:
        want, index = self._wanted(command, ValueKind.POINTER)
        found = self.memory.locate(state, command.base, want, index, failures)
        found = None if found is None else self.memory.check_writable(state, found, failures)
        if found is None:
            return False
        value = self.operand(state, command.value)
        self.memory.write(state, found, want, value)
        source = command.value.name if isinstance(command.value, Var) else None
        self.extents.store(state, found, value, source)
        self.terminators.store(state, found, source)
        if isinstance(command.value, Var):
            for holder in self.memory.holders(found, command.base, _field_of(command)):
                state.same_blocks.add(holder, command.value.name)
        return True

    def _store_data(self, state: State, command: StoreData | StoreDataCell, failures: Failures) -> bool:
        want, index = self._wanted(command, ValueKind.DATA)
        found = self.memory.locate(state, command.base, want, index, failures)
        found = None if found is None else self.memory.check_writable(state, found, failures)
        if found is None:
            return False
        value, form, term = evaluate(state, command.value), linear(state, command.value), self.memory.term(found)
        found.keeps = self.terminators.kept_by(state, command.base, index, value)
        self.memory.write(state, found, want, value)
        if found.keeps:
            self.terminators.written(state, command.base, found, index, value)
        same = found.accesses and found.accesses[0].field == want.field and want.field is not None
        if term is not None and same and form is not None and form[0] is not None:
            state.differences.add(term, form[0], form[1])
            state.differences.add(form[0], term, -form[1])
        return True

    def _scramble(self, state: State, command: Scramble, failures: Failures) -> bool:
        want = self.memory.want_field(command.base, command.field, ValueKind.DATA)
        if want.field is not None:
            want = want._replace(kind=want.field.kind)
        found = self.memory.locate(state, command.base, want, None, failures)
        found = None if found is None else self.memory.check_writable(state, found, failures)
        if found is None:
            return False
        self.memory.write(state, found, want, ANY_POINTER if want.kind is ValueKind.POINTER else intervals.ANYWHERE)
        return True

    def _wanted(
        self,
        command: Load | LoadCell | LoadData | LoadDataCell | Store | StoreCell | StoreData | StoreDataCell,
        kind: ValueKind,
    ) -> tuple[Want, Expr | None]:
        match command:
            case LoadCell() | LoadDataCell() | StoreCell() | StoreDataCell():
                return self.memory.want_cell(command.base, kind), command.index
            case _:
                return self.memory.want_field(command.base, command.field, kind), None

    # --- conditions --------------------------------------------------------------------------------------------------

    def _assert(self, state: State, command: Assert, failures: Failures) -> bool:
        if self.assume(state.copy(), negate(command.literal)):
            failures.add(command.check.kind)
        return self.assume(state, command.literal)

    def assume(self, state: State, literal: Literal) -> bool:
        """Whether a condition may hold; the state is narrowed to where it does."""
        match literal:
            case Compare(op, left, right):
                return assume_compare(state, op, left, right) and self.terminators.compared(state, op, left, right)
            case PointerCompare(op, one, other):
                self.arguments.assume(state, op, one, other)
                return self.conditions.assume(state, op, one, other)
            case ShapeLiteral():
                return True


def _field_of(command: Load | LoadCell | Store | StoreCell) -> str | None:
    return command.field if isinstance(command, Load | Store) else None
