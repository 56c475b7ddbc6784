"""A program as steps over an array and integers, or the reason why it is not one.

    (task,) = read_arrays(program, {"a": "n"})   # the parameter n is the number of cells of a
    task.arcs                                    # the steps, against the flow of control
    task.demands                                 # what must hold, and how it fails

The function gets pointers to the first cell of a block of integers each, or null, and integers. There is a task for
each array that is accessed, in which the others are not followed: what is loaded from them may be anything, and what is
stored into them may be stored into this one, as callers may give the same array twice. A demand on an access is of the
task of its array; an assertion is of all of them. Integers are index
variables or data variables by what they are used for (`integer_kinds`); what is neither a position plus a constant nor
a copy of an element may have any value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.base.source import Span
from heapwright.engines.infer.algorithm import Arc
from heapwright.engines.infer.arrays.array_pointers import HINT, Access, Pointers, pointers_of
from heapwright.engines.infer.arrays.integer_kinds import constant_of, kinds_of, plain_of
from heapwright.engines.infer.arrays.jump_threading import threaded
from heapwright.engines.infer.arrays.stores import (
    LENGTH,
    ZERO,
    ForgetData,
    ForgetSpot,
    Gather,
    Idle,
    IsNull,
    Load,
    Move,
    Order,
    Outside,
    Put,
    Scramble,
    Spot,
    Step,
    Take,
    Vocabulary,
    Weigh,
)
from heapwright.engines.infer.function_body import closing, is_parameter, prologue, region
from heapwright.program.checks import CheckKind
from heapwright.program.commands import (
    Assert,
    Assign,
    Assume,
    Command,
    Compute,
    Distance,
    Havoc,
    LoadDataCell,
    Shift,
    Skip,
    StoreDataCell,
)
from heapwright.program.expressions import (
    Binary,
    Compare,
    Convert,
    Expr,
    IntVar,
    Literal,
    Null,
    PointerCompare,
    Var,
    negate,
)
from heapwright.program.graph import Edge, Program
from heapwright.program.printer import format_command
from heapwright.program.types import IntType

INDEX = "index"  # of an access that is not a variable
WIDE = IntType(80, True)  # whatever an index may be, signed or not
FAILED = -1  # the place behind every failure


@dataclass(frozen=True, slots=True)
class Demand:
    """Something that must hold wherever it is asked for; `arcs` lead from `FAILED` to where it does not. It is followed
    over one of the arrays, by its number."""

    id: str
    kind: str
    span: Span
    text: str
    arcs: tuple[Arc[Step], ...]
    followed: bool = True  # False: it depends on what is not followed
    array: int = 0


@dataclass(frozen=True, slots=True)
class Task:
    """`array` is the parameter, `spots` and `data` the inputs that are index and data variables, by their numbers;
    `bound` is what the prologue puts the inputs into. `length` is the name of the parameter that is the length. The
    body begins at the location `start`; what is known of inputs is known at the place `begin`."""

    program: Program
    array: str
    length: str | None
    start: int
    begin: int
    spots: tuple[int, ...]
    data: tuple[int, ...]
    bound: tuple[tuple[str, str], ...]
    vocabulary: Vocabulary
    arcs: tuple[Arc[Step], ...]
    demands: tuple[Demand, ...]

    def shown(self, name: str) -> str:
        return self.program.variables[name].source_name or name


def about_arrays(program: Program) -> bool:
    """Whether a function accesses cells of arrays, and no objects."""
    return any(isinstance(edge.command, Access) for edge in program.graph.edges)


def read_arrays(program: Program, lengths: Mapping[str, str] | None = None) -> tuple[Task, ...]:
    """A task for each array; all have the same inputs, but for the parameters that are lengths."""
    start, bound = prologue(program)
    edges = threaded(region(program, start), start)
    _all_supported(edges)
    arrays = pointers_of(program, edges, bound, start)
    parameters = tuple(target for target, _ in bound if is_parameter(program, target))
    known = _lengths(program, lengths or {}, [one.array for one in arrays], parameters, edges)
    tasks = [_task(program, edges, start, bound, parameters, one, known.get(one.array)) for one in arrays]
    return tuple(
        replace(task, demands=tuple(replace(demand, array=number) for demand in task.demands))
        for number, task in enumerate(tasks)
    )


def _task(
    program: Program,
    edges: list[Edge[Command]],
    start: int,
    bound: list[tuple[str, str]],
    parameters: tuple[str, ...],
    pointers: Pointers,
    length: str | None,
) -> Task:
    kinds = kinds_of(edges, {length} if length is not None else set())
    spots = tuple((name, _type(program, name)) for name in sorted(kinds.spots - {length}))
    data = tuple(sorted(kinds.data))
    index = (*spots, *((name, WIDE) for name in sorted(pointers.moving)), (INDEX, WIDE))
    measured = [type_ for _, type_ in spots] + ([_type(program, length)] if length is not None else [])
    longest = min((type_.maximum for type_ in measured), default=IntType(32, True).maximum)
    vocabulary = Vocabulary(index, data, tuple(sorted(kinds.constants)), pointers.cell, longest)
    reader = _Reader(program, vocabulary, length, pointers)
    round_ = closing(edges, start)
    arcs = [arc for edge in edges for arc in reader.arcs(edge, closes=edge in round_)]
    begin, arriving = reader.arriving(start, [name for name in parameters if name in pointers.moving])
    return Task(
        program,
        pointers.array,
        length,
        start,
        begin,
        tuple(k for k, (name, _) in enumerate(spots) if name in parameters),
        tuple(k for k, name in enumerate(data) if name in parameters),
        tuple(bound),
        vocabulary,
        (*arcs, *arriving),
        reader.demands(edges),
    )


def _type(program: Program, name: str) -> IntType:
    found = program.variables[name].type
    assert found is not None
    return found


# --- what is in reach ------------------------------------------------------------------------------------------------

_SUPPORTED = Assign | Shift | Distance | Compute | Havoc | LoadDataCell | StoreDataCell | Assume | Assert | Skip


def _all_supported(edges: list[Edge[Command]]) -> None:
    for edge in edges:
        if not isinstance(edge.command, _SUPPORTED):
            raise UnsupportedError(f"'{format_command(edge.command)}' in a precondition", edge.span, hint=HINT)


def _lengths(
    program: Program,
    lengths: Mapping[str, str],
    arrays: list[str],
    parameters: tuple[str, ...],
    edges: list[Edge[Command]],
) -> dict[str, str]:
    """The parameters that are said to be the lengths of arrays."""
    found: dict[str, str] = {}
    by_name = {program.variables[name].source_name: name for name in parameters}
    for shown, length in lengths.items():
        array, chosen = by_name.get(shown), by_name.get(length)
        if array not in arrays or array is None:
            raise InputError(f"'{shown}' is no array that the function accesses")
        if chosen is None or program.variables[chosen].type is None:
            raise InputError(f"the function has no integer parameter '{length}' that could be the length of '{shown}'")
        found[array] = chosen
    for edge in edges:
        command = edge.command
        if isinstance(command, Compute | Havoc | LoadDataCell) and command.target in found.values():
            shown = program.variables[command.target].source_name
            raise UnsupportedError(f"'{shown}', which is the length of an array and changes", edge.span)
    return found


# --- steps -----------------------------------------------------------------------------------------------------------


@dataclass
class _Reader:
    program: Program
    vocabulary: Vocabulary
    length: str | None
    pointers: Pointers

    def __post_init__(self) -> None:
        self.spots = {name: k for k, (name, _) in enumerate(self.vocabulary.spots)}
        self.data = {name: k for k, name in enumerate(self.vocabulary.data)}
        self.index = Spot(self.spots[INDEX], 0, WIDE)
        self.places = len(self.program.graph.locations)

    def arcs(self, edge: Edge[Command], *, closes: bool) -> Iterator[Arc[Step]]:
        """The arcs of an edge; one that closes a loop ends in a place where what is known is gathered."""
        gather: list[Step] = [Gather()] if closes else []
        for steps in self._ways(edge.command):
            yield from self._chain(edge.target, [*steps, *gather], edge.source)

    def arriving(self, start: int, moving: list[str]) -> tuple[int, list[Arc[Step]]]:
        """The place where inputs are given, and how it leads to where the body begins: moving parameters are at the
        first cell."""
        steps: list[Step] = [Move(self.spots[name], Spot(ZERO, 0, WIDE)) for name in moving]
        self.places += 1
        begin = self.places
        return begin, list(self._chain(start, steps or [Idle()], begin))

    def _chain(self, source: int, steps: list[Step], target: int) -> Iterator[Arc[Step]]:
        """Steps one after the other, given in the order in which they are executed, between two places."""
        for step in reversed(steps[1:]):
            self.places += 1
            yield Arc(source, step, self.places)
            source = self.places
        yield Arc(source, steps[0], target)

    def _ways(self, command: Command) -> list[list[Step]]:
        """What a command does, one list of steps for each way that it may go."""
        match command:
            case Compute(target, value):
                return [[self._computed(target, value)]]
            case Havoc(target):
                return [[self._forgotten(target)]]
            case Assign(target, Var(name)) if target in self.pointers.moving:
                return [[Move(self.spots[target], self._pointer(name))]]
            case Assign(target, _) if target in self.pointers.moving:
                return [[ForgetSpot(self.spots[target])]]
            case Shift(target, base, offset) if target in self.pointers.moving:
                spot = self._place(base, offset)
                return [[ForgetSpot(self.spots[target]) if spot is None else Move(self.spots[target], spot)]]
            case Distance(target, left, right) if target in self.spots:
                known = right in self.pointers.fixed and left in self.pointers.within
                return [[Move(self.spots[target], self._pointer(left)) if known else self._forgotten(target)]]
            case Distance(target):
                return [[self._forgotten(target)]]
            case LoadDataCell(target, base) if base not in self.pointers.within:
                return [[self._forgotten(target)]]
            case StoreDataCell(base) if base not in self.pointers.within:
                return [[Scramble()]]
            case LoadDataCell(target, base, index):
                way: list[Step] = [*self._indexed(base, index), Load(self._loaded(target), self._at(base, index))]
                return [way if self._loaded(target) is not None else [*way, self._forgotten(target)]]
            case StoreDataCell(base, index, value):
                stored = self._term(value) if value.type == self.vocabulary.cell else None
                return [[*self._indexed(base, index), Put(self._at(base, index), stored)]]
            case Assume(literal) | Assert(literal):
                return [[self._test(literal) or Idle()]]
            case _:
                return [[Idle()]]

    def _loaded(self, target: str) -> int | None:
        return self.data.get(target) if self.program.variables[target].type == self.vocabulary.cell else None

    def _computed(self, target: str, value: Expr) -> Step:
        if target in self.data:
            term = self._term(value) if value.type == self.program.variables[target].type else None
            return ForgetData(self.data[target]) if term is None else Take(self.data[target], term)
        if target in self.spots:
            spot = self._spot(value)
            if spot is not None and value.type == self.vocabulary.spots[self.spots[target]][1]:
                return Move(self.spots[target], spot)
        return self._forgotten(target)

    def _forgotten(self, target: str) -> Step:
        if target in self.data:
            return ForgetData(self.data[target])
        return ForgetSpot(self.spots[target]) if target in self.spots else Idle()

    def _at(self, base: str, index: Expr) -> Spot:
        spot = self._place(base, index)
        return spot if spot is not None and spot.base >= 0 and spot.offset == 0 else self.index

    def _indexed(self, base: str, index: Expr) -> list[Step]:
        """What puts the index of an access into a variable, where it is not one."""
        spot = self._place(base, index)
        if spot is None:
            return [ForgetSpot(self.index.base)]
        return [] if spot.base >= 0 and spot.offset == 0 else [Move(self.index.base, spot)]

    def _place(self, base: str, index: Expr) -> Spot | None:
        """The position so far from where a pointer is; None where that is not known."""
        if base not in self.pointers.moving:
            return self._spot(index)
        offset = constant_of(index)
        return None if offset is None else Spot(self.spots[base], offset, WIDE)

    def _pointer(self, name: str) -> Spot:
        return Spot(self.spots[name] if name in self.pointers.moving else ZERO, 0, WIDE)

    def _spot(self, expr: Expr) -> Spot | None:
        """A position plus a constant; None where an expression is anything else."""
        constant = constant_of(expr)
        if constant is not None:
            return Spot(ZERO, constant, expr.type)
        match expr:
            case IntVar(name, type_) if name == self.length:
                return Spot(LENGTH, 0, type_)
            case IntVar(name, type_) if name in self.spots:
                return Spot(self.spots[name], 0, type_)
            case Convert(operand, type_):
                inner = plain_of(expr)
                return self._spot(operand) if inner is not expr else None
            case Binary("+" | "-" as op, left, right, type_):
                base, offset = self._spot(left), constant_of(right)
                if base is None or offset is None:
                    base, offset = (self._spot(right), constant_of(left)) if op == "+" else (None, None)
                if base is None or offset is None or base.offset:
                    return None
                return Spot(base.base, offset if op == "+" else -offset, type_)
        return None

    def _term(self, expr: Expr) -> int | None:
        constant = constant_of(expr)
        if constant is not None:
            constants = self.vocabulary.constants
            return len(self.data) + constants.index(constant) if constant in constants else None
        inner = plain_of(expr)
        return self.data.get(inner.name) if isinstance(inner, IntVar) else None

    def _test(self, literal: Literal) -> Step | None:
        """A test as a step; None if it depends on what is not followed."""
        match literal:
            case Compare(op, left, right):
                one, two = self._term(left), self._term(right)
                known = len(self.data)
                if one is not None and two is not None and (one < known or two < known):
                    return Weigh(op, one, two)
                first, second = self._spot(left), self._spot(right)
                if first is not None and second is not None:
                    return Order(op, first, second)
            case PointerCompare("==" | "!=" as op, Var(name), Null()) | PointerCompare(
                "==" | "!=" as op, Null(), Var(name)
            ) if name in self.pointers.within:
                if name in self.pointers.moving and op == "!=":
                    return None  # what is moved from null is not null any more
                return IsNull(op == "==")
            case PointerCompare(op, Var(one), Var(two)) if {one, two} <= self.pointers.within:
                return Order(op, self._pointer(one), self._pointer(two))
        return None

    # --- demands ---------------------------------------------------------------------------------------------------

    def demands(self, edges: list[Edge[Command]]) -> tuple[Demand, ...]:
        """One for each check, in source order."""
        found: dict[str, Demand] = {}
        for edge in edges:
            for new in (*self._accessed(edge), *self._asserted(edge)):
                old = found.get(new.id)
                arcs = new.arcs if old is None else (*old.arcs, *new.arcs)
                followed = new.followed and (old is None or old.followed)
                found[new.id] = Demand(new.id, new.kind, new.span, new.text, arcs, followed)
        return tuple(sorted(found.values(), key=lambda d: (d.span, d.kind)))

    def _accessed(self, edge: Edge[Command]) -> Iterator[Demand]:
        command = edge.command
        if not isinstance(command, Access) or command.base not in self.pointers.within:
            return
        array = self.program.variables[self.pointers.array].source_name
        for check in edge.checks:
            if check.kind is CheckKind.NULL_DEREF:
                steps: list[Step] = [IsNull(True)]
                text, followed = f"{array} is not null", True
            elif check.kind is CheckKind.BOUNDS:
                steps = [*self._indexed(command.base, command.index), Outside(self._at(command.base, command.index))]
                text = f"the index is one of {array}"
                followed = self._place(command.base, command.index) is not None
            else:
                continue  # what a parameter points to is live, and nothing is freed
            arcs = tuple(self._chain(FAILED, steps, edge.source))
            yield Demand(check.id, check.kind.value, check.span, text, arcs, followed)

    def _asserted(self, edge: Edge[Command]) -> Iterator[Demand]:
        command = edge.command
        if isinstance(command, Assert):
            check = command.check
            step = self._test(negate(command.literal))
            arcs = tuple(self._chain(FAILED, [step or Idle()], edge.source))
            text = check.subject or "the assertion holds"
            yield Demand(check.id, check.kind.value, check.span, text, arcs, step is not None)
