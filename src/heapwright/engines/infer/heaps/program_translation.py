"""A program as steps over one kind of object with pointer fields to such objects, or the reason why it is not one.

    task = read(program)
    task.vocabulary.variables                  # the pointers that matter
    task.arcs                                  # the steps, against the flow of control
    task.demands                               # what must hold, and the structures in which it does not

Integers are not followed: what depends on them may go either way. Inputs are acyclic and closed (no pointer dangles),
and every `x->f = y` demands that y does not lead to x, so that no cycle comes into being.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.engines.infer.algorithm import Arc
from heapwright.engines.infer.function_body import region
from heapwright.engines.infer.heaps.negated_assertions import Demand, Demands
from heapwright.engines.infer.heaps.steps import Copy, Create, Forget, Idle, IsNull, Read, Release, Same, Step, Write
from heapwright.engines.infer.heaps.structure import Vocabulary
from heapwright.program.commands import (
    AnyPointer,
    Assert,
    Assign,
    Assume,
    Command,
    Compute,
    Free,
    Havoc,
    Load,
    LoadData,
    New,
    Skip,
    Store,
    StoreData,
)
from heapwright.program.expressions import IntVar, Junk, Literal, Null, Pointer, PointerCompare, ShapeLiteral, Var
from heapwright.program.graph import Edge, Program
from heapwright.program.printer import format_command
from heapwright.program.types import Storage

AT_ENTRY = " at entry"  # ends the name of the variable in which lowering keeps an input
INPUT_PREDICATES = ("acyclic", "disjoint", "all_reachable", "reach")
ORDERS = ("sorted", "sorted_down")
WITNESSES = ("a larger key", "a smaller key")  # no variable of a program has a name like this


@dataclass(frozen=True, slots=True)
class Task:
    """`inputs` are the variables that hold the inputs when the body begins, at location `start`; `copies` what else the
    prologue has put the same pointers into."""

    program: Program
    type: str
    fields: tuple[str, ...]
    start: int
    inputs: tuple[str, ...]
    copies: tuple[tuple[str, str], ...]
    vocabulary: Vocabulary
    arcs: tuple[Arc[Step], ...]
    demands: tuple[Demand, ...]
    frees: bool
    news: bool


def read(program: Program, *, cycles: bool = False) -> Task:
    """`cycles`: inputs may be cyclic, which is possible for functions that only read one pointer field."""
    start, bound = _prologue(program)
    edges = region(program, start)
    _all_supported(program, edges)
    kind, fields = _kind(program, edges)
    for field in fields:
        _written_first(edges, field)
    if cycles:
        _only_read(edges, fields)
    _initialised(program, start, edges, {target for target, _ in bound})
    inputs = tuple(target for target, _ in bound if _is_input(program, target))
    needed = _needed(edges)
    named = [*inputs, *(name for edge in edges for name in _read(edge.command) if name in needed)]
    frees = any(isinstance(edge.command, Free) for edge in edges)
    news = any(isinstance(edge.command, New) for edge in edges)
    key = "" if news or cycles else _key(edges)
    vocabulary = Vocabulary(
        (*dict.fromkeys(named), *(WITNESSES if key else ())),
        frees or news or _asks_allocation(edges),
        key,
        len(fields),
        cycles,
    )
    number = {name: place for place, name in enumerate(vocabulary.variables)}
    arcs = [
        Arc(edge.target, step, edge.source)
        for edge in edges
        for step in _steps(edge.command, number, fields, frees and news)
    ]
    demands = Demands(program, vocabulary, number, fields, frees, reuse=frees and news).of(edges)
    sources = {source: target for target, source in bound if target in inputs}
    copies = [(target, sources[source]) for target, source in bound if source in sources and target not in inputs]
    copies += list(sources.items())
    return Task(program, kind, fields, start, inputs, tuple(copies), vocabulary, tuple(arcs), demands, frees, news)


# --- where the body begins -------------------------------------------------------------------------------------------


def _prologue(program: Program) -> tuple[int, list[tuple[str, str]]]:
    """The location after the inputs have been bound, and which variable holds which input pointer."""
    location, pointers, numbers, bound = program.graph.entry, set[str](), set[str](), list[tuple[str, str]]()
    while len(program.graph.successors[location]) == 1:
        edge = program.graph.successors[location][0]
        match edge.command:
            case AnyPointer(target, _) if _is_bound(program, edge.target, target, bound):
                pointers.add(target)
            case Havoc(target):
                numbers.add(target)
            case Assign(target, Var(name)) if name in pointers:
                bound.append((target, name))
            case Compute(target, IntVar(name)) if name in numbers:
                pass  # any number is as good as any other
            case Skip():
                pass
            case _:
                break
        location = edge.target
    if not program.entry.any_heap:
        raise InputError("a precondition is of a function: name one with -f")
    return location, bound


def _is_bound(program: Program, location: int, pointer: str, bound: list[tuple[str, str]]) -> bool:
    """Whether a pointer becomes an input at once: it is put aside as a parameter's, or is the first value of a global
    variable. One that the body asks for is neither."""
    for edge in program.graph.successors[location]:
        match edge.command:
            case Assign(target, Var(name)) if name == pointer:
                first = all(target != other for other, _ in bound)
                return target.endswith(AT_ENTRY) or (first and not program.variables[target].function)
    return False


def _is_input(program: Program, name: str) -> bool:
    variable = program.variables[name]
    return bool(variable.source_name) and not name.endswith(AT_ENTRY)


# --- what is in reach ------------------------------------------------------------------------------------------------

_SUPPORTED = Assign | Load | Store | LoadData | StoreData | Compute | Havoc | New | Free | Assume | Assert | Skip


def _all_supported(program: Program, edges: list[Edge[Command]]) -> None:
    for edge in edges:
        if not isinstance(edge.command, _SUPPORTED):
            what = f"'{format_command(edge.command)}' in a precondition"
            raise UnsupportedError(
                what, edge.span, hint="preconditions are found for functions over one linked list type"
            )


def _kind(program: Program, edges: list[Edge[Command]]) -> tuple[str, tuple[str, ...]]:
    """The one type of objects, and the pointer fields that are used, in the order in which they are declared; one at
    least, if there is one."""
    bases = {name for edge in edges for name in _dereferenced(edge.command)}
    kinds = {program.variables[name].target for name in bases}
    fields = {edge.command.field for edge in edges if isinstance(edge.command, Load | Store)}
    for edge in edges:
        literal = _literal(edge.command)
        if isinstance(literal, ShapeLiteral):
            kinds |= {program.variables[p.name].target for p in literal.pointers if isinstance(p, Var)}
            if literal.predicate in INPUT_PREDICATES:
                fields |= set(literal.fields)
            elif literal.predicate in ORDERS:
                fields.add(literal.fields[0])
    kinds |= {edge.command.type for edge in edges if isinstance(edge.command, New)}
    if len(kinds) > 1:
        raise UnsupportedError(f"a precondition over objects of several types ({', '.join(sorted(kinds))})")
    if not kinds:
        raise InputError("the function dereferences nothing: it needs no precondition")
    kind = kinds.pop()
    type_ = program.types.get(kind)
    if type_ is None or type_.cells is not None or type_.parts:
        raise UnsupportedError(f"a precondition over objects of type '{kind}', which are no plain structs")
    used = [f.name for f in type_.fields if f.name in fields] or [f.name for f in type_.fields if f.target == kind][:1]
    for field in (*used, *sorted(fields - set(used))):
        declared = type_.field(field)
        if declared is None or declared.target != kind:
            raise UnsupportedError(f"a precondition over the field '{field}', which does not lead to '{kind}' again")
    return kind, tuple(used) or ("",)


def _only_read(edges: list[Edge[Command]], fields: tuple[str, ...]) -> None:
    """Refuses what cyclic inputs are not followed through: what a write does to a circle depends on the order of the
    objects on it, which reachability does not tell."""
    if len(fields) > 1:
        raise UnsupportedError(f"a cyclic input with several pointer fields ({', '.join(fields)})")
    for edge in edges:
        if isinstance(edge.command, Store | Free | New):
            what = f"'{format_command(edge.command)}' with cyclic inputs"
            raise UnsupportedError(what, edge.span, hint="without --allow-cycles inputs are acyclic")


def _literal(command: Command) -> Literal | None:
    return command.literal if isinstance(command, Assume | Assert) else None


def _asks_allocation(edges: list[Edge[Command]]) -> bool:
    return any(
        isinstance(literal, ShapeLiteral) and literal.predicate == "all_reachable"
        for literal in (_literal(edge.command) for edge in edges)
    )


def _key(edges: list[Edge[Command]]) -> str:
    """The one integer field whose order is asked about; none if it is written. New objects have any key, and a program
    that makes them is treated as if it wrote it."""
    literals = [edge.command.literal for edge in edges if isinstance(edge.command, Assert)]
    keys = {one.fields[1] for one in literals if isinstance(one, ShapeLiteral) and one.predicate in ORDERS}
    written = {edge.command.field for edge in edges if isinstance(edge.command, StoreData)}
    return keys.pop() if len(keys) == 1 and not keys & written else ""


def _names(*pointers: Pointer) -> Iterator[str]:
    for pointer in pointers:
        if isinstance(pointer, Var):
            yield pointer.name


def _dereferenced(command: Command) -> Iterator[str]:
    if isinstance(command, Load | Store | LoadData | StoreData | Free):
        yield command.base


def _used(command: Command) -> Iterator[str]:
    """The variables whose value matters at once."""
    yield from _dereferenced(command)
    match command:
        case Store(_, _, value):
            yield from _names(value)
        case Assume(literal) | Assert(literal):
            match literal:
                case PointerCompare(_, left, right):
                    yield from _names(left, right)
                case ShapeLiteral(_, pointers):
                    yield from _names(*pointers)
        case _:
            pass


def _read(command: Command) -> Iterator[str]:
    yield from _used(command)
    if isinstance(command, Assign):
        yield from _names(command.value)


def _needed(edges: list[Edge[Command]]) -> set[str]:
    """The variables whose value may come to matter."""
    needed = {name for edge in edges for name in _used(edge.command)}
    while True:
        more = {
            edge.command.value.name
            for edge in edges
            if isinstance(edge.command, Assign)
            and isinstance(edge.command.value, Var)
            and edge.command.target in needed
        } - needed
        if not more:
            return needed
        needed |= more


def _written_first(edges: list[Edge[Command]], field: str) -> None:
    """Refuses a program that may look at a field of a new object before it has written it."""
    leaving: dict[int, list[Edge[Command]]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    for new in edges:
        command = new.command
        if not isinstance(command, New):
            continue
        if command.count is not None or command.size is not None or command.storage is not Storage.HEAP:
            raise UnsupportedError("this allocation in a precondition", new.span)
        if command.zeroed:
            continue
        seen: set[tuple[int, frozenset[str]]] = set()
        pending = [(new.target, frozenset({command.target}))]
        while pending:
            location, names = pending.pop()
            if (location, names) in seen or not names:
                continue
            seen.add((location, names))
            for edge in leaving.get(location, ()):
                after = _names_of_new(edge, names, field)
                if after is not None:
                    pending.append((edge.target, after))


def _names_of_new(edge: Edge[Command], names: frozenset[str], field: str) -> frozenset[str] | None:
    """The variables that hold a new object after a command; None if its field has been written or it is gone."""
    match edge.command:
        case Store(base, written, value):
            if isinstance(value, Var) and value.name in names:
                raise UnsupportedError(
                    f"a new object that is linked before its own field '{field}' is written", edge.span
                )
            return None if base in names and written == field else names
        case Free(base) if base in names:
            return None
        case Load(target, base, read):
            if base in names and read == field:
                raise UnsupportedError("the field of a new object that is read before it is written", edge.span)
            return names - {target}
        case Assign(target, Var(name)) if name in names:
            return names | {target}
        case Assign(target) | New(target):
            return names - {target}
        case Assume(ShapeLiteral(_, pointers)) | Assert(ShapeLiteral(_, pointers)):
            if names & {*_names(*pointers)}:
                raise UnsupportedError("a predicate of a new object whose field is not written yet", edge.span)
            return names
        case _:
            return names


def _initialised(program: Program, start: int, edges: list[Edge[Command]], bound: set[str]) -> None:
    """Refuses a program in which a pointer may be used before it has a value."""
    leaving: dict[int, list[Edge[Command]]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    junk: dict[int, frozenset[str]] = {start: frozenset(set(program.variables) - bound)}
    pending = [start]
    while pending:
        location = pending.pop()
        for edge in leaving.get(location, ()):
            here = junk[location]
            for name in _used(edge.command):
                if name in here:
                    shown = program.variables[name].source_name or name
                    raise UnsupportedError(f"'{shown}', which may be used before it has a value", edge.span)
            after = _junk_after(edge.command, here)
            old = junk.get(edge.target)
            new = after if old is None else old | after
            if new != old:
                junk[edge.target] = new
                pending.append(edge.target)


def _junk_after(command: Command, junk: frozenset[str]) -> frozenset[str]:
    match command:
        case Assign(target, Junk()):
            return junk | {target}
        case Assign(target, Var(name)) if name in junk:
            return junk | {target}
        case Assign(target, _) | Load(target) | New(target):
            return junk - {target}
        case _:
            return junk


# --- steps -----------------------------------------------------------------------------------------------------------


def _steps(command: Command, number: dict[str, int], fields: tuple[str, ...], reuse: bool) -> list[Step]:
    """What a command does, one step for each way that it may go. `reuse`: a new object may have the address of one that
    was freed, so that comparing pointers says nothing."""
    match command:
        case Assign(target, _) if target not in number:
            return [Idle()]
        case Assign(target, Null()):
            return [Copy(number[target], None)]
        case Assign(target, Var(name)) if name in number:
            return [Copy(number[target], number[name])]
        case Assign(target, _):
            return [Forget(number[target])]
        case Load(target, base, field):
            return [Read(number.get(target), number[base], fields.index(field))]
        case LoadData(_, base) | StoreData(base):
            return [Read(None, number[base])]
        case Store(base, field, value):
            if isinstance(value, Junk):
                raise UnsupportedError("a store of an uninitialised pointer")
            return [Write(number[base], number[value.name] if isinstance(value, Var) else None, fields.index(field))]
        case New(target, may_fail=may_fail):
            if target not in number:
                raise UnsupportedError("memory that is allocated and never used in a precondition")
            create: list[Step] = [Create(number[target])]
            return [*create, Copy(number[target], None)] if may_fail else create
        case Free(base):
            return [IsNull(number[base], True), Release(number[base])]
        case Assume(literal) | Assert(literal):
            return [_test(literal, number, reuse)]
        case _:
            return [Idle()]


def _test(literal: Literal, number: dict[str, int], reuse: bool) -> Step:
    match literal:
        case PointerCompare("==" | "!=" as op, Var(left), Var(right)) if not reuse:
            return Same(number[left], number[right], op == "==")
        case PointerCompare("==" | "!=" as op, Var(name), Null()) | PointerCompare(
            "==" | "!=" as op, Null(), Var(name)
        ):
            return IsNull(number[name], op == "==")
        case _:
            return Idle()  # integers are not followed, and shapes that are assumed only take away what may fail
