"""Activation records: the variables of a recursive caller, saved while its callee runs.

They are the variables that are live after the call, which is known only when the graph is complete. `finish` connects
the ends of shared bodies to their callers and writes the records. Functions that call one another have one chain of
records, others have chains of their own: a chain of one type of records that hold the same variables is easy to follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from heapwright.base.source import Span
from heapwright.c.ast import FunctionDecl
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.storage.values import LValue, join
from heapwright.program.commands import (
    Assign,
    Assume,
    Leave,
    Load,
    LoadData,
    New,
    Store,
    StoreData,
)
from heapwright.program.dataflow.liveness import Liveness
from heapwright.program.expressions import (
    Compare,
    Const,
    IntVar,
    Var,
)
from heapwright.program.graph import Program
from heapwright.program.types import RECORD, Field, ObjectType, Storage, ValueKind, Variable

CALL_STACK = "call stack"


@dataclass
class SharedBody:
    """One body for all calls of a function."""

    function: FunctionDecl
    entry: int
    end: int
    result: LValue | None
    sites: list[int] = field(default_factory=list)  # return location of each call


@dataclass
class RecursiveCall:
    """A call during which the caller's variables must survive in a record."""

    caller: FunctionDecl
    save: tuple[int, int]  # the record is written between these locations
    restore: tuple[int, int]
    in_scope: tuple[str, ...]
    span: Span


def call_stacks(groups: Mapping[int, int], calls: Sequence[RecursiveCall]) -> dict[str, str]:
    """The variable that leads to the records of each function that calls itself; `groups` are those of functions (by
    id()) that call one another."""
    first: dict[int, str] = {}
    for call in calls:
        first.setdefault(groups[id(call.caller)], call.caller.name)
    alone = len(first) == 1
    names = {group: CALL_STACK if alone else f"{CALL_STACK} of {name}" for group, name in first.items()}
    return {call.caller.name: names[groups[id(call.caller)]] for call in calls}


class ActivationRecords(Part):
    def __init__(self, context: Context, shared: Mapping[int, SharedBody], recursive: Sequence[RecursiveCall]) -> None:
        super().__init__(context)
        self.shared = shared
        self.recursive = recursive

    def finish(self, program: Callable[[], Program]) -> None:
        """Connect the ends of shared bodies to their callers, then fill in the fields of records. `program` makes the
        program of the graph so far."""
        b = self.b
        for body in self.shared.values():
            site = IntVar(self.variables.site_variable(body.function), INT)
            b.function = body.function.name
            for number, location in enumerate(body.sites):
                b.current = body.end
                b.emit(_equals(site, number), target=location)
        for call in self.recursive:
            for start, end in (call.save, call.restore):
                b.current = start
                b.goto(end)
        liveness = Liveness(program())
        del b.edges[len(b.edges) - 2 * len(self.recursive) :]
        records = []
        for call in self.recursive:
            live = liveness.at(call.restore[1])
            records.append((call, self.to_save(call, {n for n in b.variables if live & liveness.bit(n)})))
        self.fill_records(records)

    def to_save(self, call: RecursiveCall, live: set[str]) -> list[str]:
        """The caller's variables that are live after the call, and its pointers that are in scope."""
        callee_results = {
            join(body.result.variable, scalar.path)
            for body in self.shared.values()
            if body.result is not None
            for scalar in self.layout.fields(body.result.type)
        }
        own = {n for n in live if self.b.variables[n].function == call.caller.name and n not in callee_results}
        return sorted(own | set(call.in_scope))

    def fill_records(self, calls: list[tuple[RecursiveCall, list[str]]]) -> None:
        b = self.b
        fields: dict[str, set[str]] = {}
        for call, saved in calls:
            fields.setdefault(call.caller.name, set()).update(saved)
        for name, variables in fields.items():
            self.layout.types[record_type(name)] = self.make_record_type(name, sorted(variables))
        stacks = call_stacks(self.context.callgraph.group, self.recursive)
        for call, _ in calls:
            name = call.caller.name
            saved = sorted(fields[name])  # the same in all calls: a later one must not lose variables of an earlier one
            b.function = name
            b.at(call.span)
            record = b.declare(Variable(f"{name}::$record", ValueKind.POINTER, None, record_type(name), "", name))
            self.save(call, saved, record, stacks[name])
            self.restore(call, saved, record, stacks[name])

    def make_record_type(self, function: str, variables: list[str]) -> ObjectType:
        size = self.layout.pointer_bits // 8
        fields = [Field("caller", ValueKind.POINTER, 0, size)]
        for index, name in enumerate(variables, 1):
            variable = self.b.variables[name]
            fields.append(Field(name, variable.kind, index * size, size, variable.type, variable.target))
        return ObjectType(record_type(function), size * len(fields), tuple(fields))

    def save(self, call: RecursiveCall, saved: list[str], record: str, stack: str) -> None:
        b = self.b
        b.current = call.save[0]
        b.emit(New(record, record_type(call.caller.name), Storage.STACK))
        for name in saved:
            type = b.variables[name].type
            b.emit(Store(record, name, Var(name)) if type is None else StoreData(record, name, IntVar(name, type)))
        b.emit(Store(record, "caller", Var(stack)))
        b.emit(Assign(stack, Var(record)))
        b.goto(call.save[1])

    def restore(self, call: RecursiveCall, saved: list[str], record: str, stack: str) -> None:
        b = self.b
        b.current = call.restore[0]
        b.emit(Assign(record, Var(stack)))
        for name in saved:
            data = b.variables[name].type is not None
            b.emit(LoadData(name, record, name) if data else Load(name, record, name))
        b.emit(Load(stack, record, "caller"))
        b.emit(Leave(record))
        b.goto(call.restore[1])


def _equals(variable: IntVar, number: int) -> Assume:
    return Assume(Compare("==", variable, Const(number, INT)))


def record_type(function: str) -> str:
    return RECORD + function
