"""Trace explanation: the steps in the backward slice of the failure, in source terms.

The run is made twice. The first time, each command records an event with the variables and blocks that it read and
wrote; then a backward slice from the end marks the relevant events. The second time, pictures of the heap are taken at
those.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from heapwright.program.choices import ChoiceRequest
from heapwright.program.commands import (
    Assert,
    Assign,
    Assume,
    Command,
    Compute,
    Copy,
    Fill,
    FloatingPoint,
    Follow,
    Free,
    Havoc,
    Inspect,
    Leave,
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
from heapwright.program.dataflow.liveness import defined, literal_variables, used
from heapwright.program.explanation.failed_checks import Names, base_of, character, returns_nothing
from heapwright.program.explanation.slicing import Event, backward_slice, shown_steps
from heapwright.program.explanation.source_words import source_of
from heapwright.program.explanation.state_pictures import picture
from heapwright.program.expressions import Compare, Const, Expr, Junk, Var, variables_of
from heapwright.program.graph import Edge, Program
from heapwright.program.printer import format_expr, format_literal, format_pointer
from heapwright.program.semantics.objects import NULL, Symbol, is_pointer, object_of
from heapwright.program.semantics.state import Fault, Leak, State
from heapwright.program.trace import Choice, Run, TraceStep, Violation
from heapwright.program.types import Storage, ValueKind

MOST_PICTURES = 60
NONE: frozenset[int] = frozenset()
NO_ADDRESS = "no valid address"  # a pointer without a value, or from an integer


@dataclass
class Narrator:
    """Called by the interpreter: `begin`, then `before` and `after` each command, `leaked`, `failed` or
    `stopped`, and `end`."""

    program: Program
    names: Names = field(init=False)
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.names = Names(self.program)
        self._slots = {name: slot for slot, name in enumerate(self.program.variables)}
        self._relevant: frozenset[int] = frozenset()
        self._drawn: frozenset[int] = frozenset()
        self._omitted = 0
        self._facts: dict[int, tuple[frozenset[str], str | None, bool]] = {}
        self._pictures = False
        self._history: object = None
        self._touched: frozenset[int] = frozenset()
        self._notes: list[str] = []
        self._chosen: frozenset[int] | None = None
        self._pictured: frozenset[int] = frozenset()

    def begin(self, state: State, *, pictures: bool) -> None:
        """From a state on; the steps before it are omitted."""
        self._omitted = state.steps
        self.names = Names(self.program)
        self.events = []
        self._pictures = pictures
        self._history = state.history

    # --- long runs ---------------------------------------------------------------------------------------------------

    def choose(self, steps: frozenset[int]) -> None:
        """Of a run that is told in part: the steps that are relevant."""
        self._chosen = steps
        self._pictured = frozenset(sorted(steps)[-MOST_PICTURES:])

    def leave_out(self, state: State, until: int, execute: Callable[[State, int], None]) -> None:
        """Steps up to this number are executed, and not told."""
        if self.events:
            last, text = self.events[-1].step, f"steps left out: {until - state.steps}"
            self.events.append(Event(TraceStep(last.span, last.function, text)))
        execute(state, until)
        self._history = state.history

    # --- one command -------------------------------------------------------------------------------------------------

    def before(self, state: State, edge: Edge[Command]) -> None:
        """Records values that the command is about to overwrite."""
        reads, name, _ = self._static(edge)
        self._touched = self._blocks(state, reads) | (self._blocks(state, (name,)) if name else NONE)

    def after(self, state: State, edge: Edge[Command]) -> None:
        command = edge.command
        _, name, _ = self._static(edge)
        if name is not None:
            self.names.returned(name, self._without_value(command))
        choice = self._new_choice(state)
        text = self._text(state, edge, choice)
        touched = self._touched | (self._blocks(state, (name,)) if name else NONE)
        always = choice is not None or isinstance(command, Free)
        always = always or (isinstance(command, New) and command.storage is Storage.HEAP)
        self._add(state, edge, text, choice, name or "", touched, always)

    def _without_value(self, command: Command) -> str:
        """The function whose missing return value a command writes to a variable."""
        match command:
            case Assign(_, Var(source)) | Reinterpret(_, source):
                return self.names.without_value(source)
        return returns_nothing(self.program, command)

    def _add(
        self,
        state: State,
        edge: Edge[Command],
        text: str,
        choice: Choice | None,
        writes: str,
        blocks: frozenset[int],
        always: bool,
    ) -> None:
        index = len(self.events)
        reads, _, model = self._static(edge)
        function = self.program.graph.locations[edge.source].function
        heap = None
        if self._chosen is not None and state.steps in self._chosen:
            self._relevant |= {index}
            self._drawn |= {index} if state.steps in self._pictured else NONE
        if self._pictures and index in self._drawn:
            heap = picture(self.program, state, self.names, function)
        notes, self._notes = tuple(self._notes), []
        step = TraceStep(edge.span, function, text, notes, choice, heap, index in self._drawn)
        self.events.append(Event(step, reads, writes, blocks, always, model))

    def failed(self, state: State, edge: Edge[Command], fault: Fault, ended: Run) -> Violation | None:
        """The last step: a check fails on it."""
        violation = ended.violation
        text = violation.message if violation is not None else ended.reason
        blocks: set[int] = set()
        if is_pointer(fault.pointer):
            blocks.add(state.objects[object_of(fault.pointer)].block)
        self._add(state, edge, text, self._new_choice(state), "", frozenset(blocks), True)
        return violation

    def leaked(self, state: State, edge: Edge[Command], leak: Leak, message: str) -> None:
        """A leak check fails on the last step."""
        self._add(state, edge, message, self._new_choice(state), "", frozenset((leak.identity,)), True)

    def stopped(self, state: State, edge: Edge[Command], reason: str) -> None:
        if reason:
            self._add(state, edge, reason, self._new_choice(state), "", frozenset(), True)

    def _static(self, edge: Edge[Command]) -> tuple[frozenset[str], str | None, bool]:
        """The variables that an edge reads and writes, and whether it is a step of a library model."""
        found = self._facts.get(id(edge))
        if found is None:
            model = any(self.program.graph.locations[end].model for end in (edge.source, edge.target))
            found = self._facts[id(edge)] = (used(edge.command), defined(edge.command), model)
        return found

    def _blocks(self, state: State, names: Collection[str]) -> frozenset[int]:
        found = set()
        for name in names:
            slot = self._slots.get(name)
            if slot is not None and self.program.variables[name].kind is ValueKind.POINTER:
                value = state.vars[slot]
                if is_pointer(value) and object_of(value) in state.objects:
                    found.add(state.objects[object_of(value)].block)
        return frozenset(found)

    def _new_choice(self, state: State) -> Choice | None:
        """The choice of the last command."""
        history = state.history
        if history is self._history or history is None:
            return None
        self._history = history
        _, request, answer = history
        assert isinstance(request, ChoiceRequest)
        if isinstance(answer, Symbol):
            known = state.symbols[answer.id]
            return request.answered(known.low, known.used)
        return request.answered(answer)

    def end(self, state: State, violation: Violation | None) -> None:
        """After the first pass: the relevant steps."""
        if not self._pictures:
            self._relevant = backward_slice(self.events, violation is not None)
            self._drawn = frozenset(sorted(self._relevant)[-MOST_PICTURES:])

    def steps(self) -> tuple[TraceStep, ...]:
        """The events that are shown, each with its relevance."""
        return shown_steps(self.events, self._relevant, self._omitted)

    # --- words -------------------------------------------------------------------------------------------------------

    def _value(self, state: State, name: str) -> str:
        value = state.vars[self._slots[name]]
        variable = self.program.variables[name]
        pointer = variable.kind is ValueKind.POINTER
        return self.names.pointer(state, value) if pointer else self.names.data(state, value, variable.type)

    def _expr(self, expr: Expr) -> str:
        if isinstance(expr, Const):
            return character(expr.value, expr.type)
        return format_expr(expr, self.names.variable, conversions=False)

    def _cell(self, base: str, index: Expr) -> str:
        return f"{self.names.variable(base).removeprefix('&')}[{self._expr(index)}]"

    def _set(self, state: State, name: str, source: str) -> str:
        """A variable got a value from an expression; a temporary only takes its name."""
        if self.names.is_temporary(name):
            self.names.call(name, source)
            return ""
        shown, value = self.names.variable(name), self._value(state, name)
        if source in (value, NO_ADDRESS):
            return f"{shown} = {source}"
        kind = self.program.variables[name].kind
        return f"{shown} = {source} is {value}" if kind is ValueKind.POINTER else f"{shown} = {source}, that is {value}"

    def _internal(self, state: State, command: Command) -> bool:
        """Bookkeeping of calls: variables without a source name, and blocks of no variable."""
        names = {base_of(command), defined(command) or ""} - {""}
        if any(" " in self.program.variables[name].source_name for name in names):
            return True
        base = base_of(command)
        if not base or not self.names.is_temporary(base):
            return False
        obj = state.objects.get(object_of(state.vars[self._slots[base]]))
        block = state.blocks[obj.block] if obj is not None else None
        return block is not None and block.storage is Storage.STACK and not block.name

    def _text(self, state: State, edge: Edge[Command], choice: Choice | None) -> str:
        command, (_, _, model) = edge.command, self._static(edge)
        told = self._words(state, command)
        if model and (choice is None or isinstance(command, Assume)) and not isinstance(command, Free | New):
            self._notes = []
            return source_of(self.program, edge.span)  # the steps of a library model fold to the call
        if told and choice is None and ("$" in told or self._internal(state, command)):
            self._notes = []
            return ""
        return told

    def _words(self, state: State, command: Command) -> str:
        match command:
            case New():
                return self._new(state, command)
            case Free(base, closes):
                return self._free(state, base, closes)
            case Leave(base):
                return f"the scope of {self.names.variable(base).lstrip('&')} ends"
            case FloatingPoint():
                return ""
            case Havoc(source="console"):  # part of a call of the library
                return ""
            case Havoc(target):
                return self._havoc(state, command, target)
            case Assume(literal):
                text = format_literal(literal, self.names.variable, conversions=False)
                if not any(letter.isalpha() for letter in text):
                    return ""  # a test of constants, from inlining
                if isinstance(literal, Compare):
                    self._note_values(state, literal_variables(literal))
                return f"{text} is true"
            case Assert(literal, _):
                return f"the assertion {format_literal(literal, self.names.variable, conversions=False)} holds"
            case Store() | StoreData() | StoreCell() | StoreDataCell() | Scramble():
                return self._store(state, command)
            case Copy(base, source):
                return f"bytes are copied from {self.names.variable(source)} to {self.names.variable(base)}"
            case Fill(base):
                return f"the bytes of {self.names.variable(base)} are set"
            case Protect():
                return ""
            case Inspect():
                return ""
            case Skip(note):
                return note
            case _:
                return self._assignment(state, command)

    def _new(self, state: State, command: New) -> str:
        pointer = state.vars[self._slots[command.target]]
        shown = self.names.variable(command.target)
        if pointer == NULL:
            self.names.call(command.target, "null")
            return f"the allocation fails: {shown} is null" if shown != "a value" else "the allocation fails"
        obj = state.objects[object_of(pointer)]
        block = state.blocks[obj.block]
        size = f"{block.size} byte{'' if block.size == 1 else 's'}"
        if command.storage is not Storage.HEAP:
            self.names.call(command.target, f"&{block.name or 'a variable'}")
            return ""
        what = self.names.object(state, object_of(pointer))
        self.names.call(command.target, what)
        if self.names.is_temporary(command.target):
            return f"a new {what} ({size}) is allocated"
        return f"{shown} points to a new {what} ({size})"

    def _free(self, state: State, base: str, closes: bool) -> str:
        value = state.vars[self._slots[base]]
        shown = self.names.variable(base)
        if closes:
            return f"{self.names.object(state, object_of(value))} is closed" if is_pointer(value) else ""
        if value == NULL:
            return f"free({shown}) does nothing: {shown} is null"
        return f"free({shown}): {self.names.object(state, object_of(value))} is freed"

    def _havoc(self, state: State, command: Havoc, target: str) -> str:
        source = f"{command.source}()" if command.source.isidentifier() else command.source or "any value"
        if command.approximate:
            source = "something unknown"
        function = self.names.without_value(target)
        if command.source == "uninitialised":
            self.names.call(target, f"{function}()" if function else self.names.variable(target))
            return f"{function} returns without a value" if function else ""
        value = self._value(state, target)
        self.names.call(target, source)
        if self.names.is_temporary(target):
            return f"{source} gives {value}"
        return f"{self.names.variable(target)} = {source} gives {value}"

    def _note_values(self, state: State, names: frozenset[str]) -> None:
        self._notes += [
            f"{self.names.variable(name)} is {self._value(state, name)}"
            for name in sorted(names)
            if not self.names.is_temporary(name)
        ]

    def _store(self, state: State, command: Store | StoreData | StoreCell | StoreDataCell | Scramble) -> str:
        base = command.base
        match command:
            case Store(_, name, pointer):
                shown = format_pointer(pointer, self.names.variable)
                value = f" is {self._value(state, pointer.name)}" if isinstance(pointer, Var) else ""
                return f"{self.names.access(base, name)} = {shown}" + (value if not value.endswith(f" {shown}") else "")
            case StoreData(_, name, expr):
                self._note_values(state, variables_of(expr))
                return f"{self.names.access(base, name)} = {self._expr(expr)}"
            case StoreCell(_, index, pointer):
                self._note_values(state, variables_of(index))
                return f"{self._cell(base, index)} = {format_pointer(pointer, self.names.variable)}"
            case StoreDataCell(_, index, expr):
                self._note_values(state, variables_of(index) | variables_of(expr))
                return f"{self._cell(base, index)} = {self._expr(expr)}"
            case Scramble():
                return ""

    def _assignment(self, state: State, command: Command) -> str:
        match command:
            case Assign(target, value):
                if isinstance(value, Junk):
                    function = self.names.without_value(target)
                    self.names.call(target, f"{function}()" if function else NO_ADDRESS)
                    return f"{function} returns without a value" if function else ""
                return self._set(state, target, format_pointer(value, self.names.variable))
            case Load(target, base, name) | LoadData(target, base, name):
                return self._set(state, target, self.names.access(base, name))
            case Follow(target, base, owner, part, up):
                inner = self.names.variable(base)
                return self._set(
                    state, target, f"the {owner} around {inner}" if up else f"&{self.names.access(base, part)}"
                )
            case Shift(target, base, offset):
                return self._set(state, target, f"{self.names.variable(base)} + {self._expr(offset)}")
            case Reinterpret(target, base, _):
                return self._set(state, target, self.names.variable(base))
            case LoadCell(target, base, index) | LoadDataCell(target, base, index):
                return self._set(state, target, self._cell(base, index))
            case Compute(target, expr):
                return self._set(state, target, self._expr(expr))
            case _:
                target_name = defined(command)
                if target_name is None:
                    return ""
                base = base_of(command)
                return self._set(state, target_name, self.names.variable(base) if base else "any value")
