"""The supported programs over linked objects: plain structs, pointer fields between them, and no pointer that may be
used uninitialised. What is not supported raises `UnsupportedError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.engines.infer.heaps.object_layout import ObjectLayout, PointerField
from heapwright.engines.infer.heaps.prover.terms import split
from heapwright.program.commands import (
    Assert,
    Assign,
    Assume,
    Command,
    Compute,
    Free,
    Havoc,
    Inspect,
    Load,
    LoadData,
    New,
    Skip,
    Store,
    StoreData,
)
from heapwright.program.expressions import (
    Compare,
    Const,
    IntVar,
    Junk,
    Literal,
    Pointer,
    PointerCompare,
    ShapeLiteral,
    Var,
)
from heapwright.program.graph import Edge, Program
from heapwright.program.printer import format_command
from heapwright.program.types import Storage

INPUT_PREDICATES = ("acyclic", "cyclic", "disjoint", "all_reachable", "reach", "tree", "dll")
ORDERS = ("sorted", "sorted_down")
_SUPPORTED = (
    Assign | Load | Store | LoadData | StoreData | Compute | Havoc | New | Free | Assume | Assert | Skip | Inspect
)


def require_supported(program: Program, edges: list[Edge[Command]]) -> None:
    for edge in edges:
        if not isinstance(edge.command, _SUPPORTED):
            what = f"'{format_command(edge.command)}' in a precondition"
            raise UnsupportedError(
                what, edge.span, hint="preconditions are found for functions over one linked list type"
            )


def object_layout(program: Program, edges: list[Edge[Command]]) -> ObjectLayout:
    """The struct types of the objects that are accessed, and the pointer fields, in the order of their declaration; at
    least one field, nameless if there is none."""
    kinds = {program.variables[name].target for edge in edges for name in _dereferenced(edge.command)}
    read = {
        (program.variables[edge.command.base].target, edge.command.field)
        for edge in edges
        if isinstance(edge.command, Load | Store)
    }
    for edge in edges:
        literal = _literal(edge.command)
        if isinstance(literal, ShapeLiteral):
            pointed = {program.variables[p.name].target for p in literal.pointers if isinstance(p, Var)}
            kinds |= pointed
            followed = literal.fields if literal.predicate in INPUT_PREDICATES else ()
            if literal.predicate in ORDERS:
                followed = literal.fields[:1]
            read |= {(kind, field) for kind in pointed for field in followed}
    kinds |= {edge.command.type for edge in edges if isinstance(edge.command, New)}
    kinds = kinds or _compared_types(program, edges)
    if not kinds:
        raise UnsupportedError("a precondition of an assertion that is about no object")
    types = _accessed_types(program, kinds, read)
    numbers = {kind: number for number, kind in enumerate(types)}
    declared = [
        PointerField(field.name, numbers[kind], numbers[field.target])
        for kind in types
        for field in program.types[kind].fields
        if (kind, field.name) in read
    ]
    itself = [
        PointerField(field.name, numbers[kind], numbers[kind])
        for kind in types
        for field in program.types[kind].fields
        if field.target == kind
    ]
    return ObjectLayout(types, tuple(declared or itself[:1] or [PointerField("", 0, 0)]))


def _accessed_types(program: Program, kinds: set[str], read: set[tuple[str, str]]) -> tuple[str, ...]:
    """The types of accessed objects, and those that accessed fields lead to."""
    found = set(kinds)
    for kind, name in read:
        type_ = program.types.get(kind)
        field = None if type_ is None else type_.field(name)
        if field is None or field.target not in program.types:
            raise UnsupportedError(f"a precondition over the field '{name}', which does not lead to a struct")
        found.add(field.target)
    for kind in sorted(found):
        type_ = program.types.get(kind)
        if type_ is None or type_.cells is not None or type_.parts:
            raise UnsupportedError(f"a precondition over objects of type '{kind}', which are no plain structs")
    return tuple(kind for kind in program.types if kind in found)


def require_typed(program: Program, layout: ObjectLayout, variables: Iterable[str]) -> None:
    """Rejects a pointer to another type where objects have several types: which fields it has would be unknown."""
    for name in variables if layout.several else ():
        variable = program.variables[name]
        if variable.target not in layout.types:
            shown = variable.source_name or name
            raise UnsupportedError(f"'{shown}', which points to none of {', '.join(layout.types)}")


def _compared_types(program: Program, edges: list[Edge[Command]]) -> set[str]:
    """The types of pointers that a function only compares; assertions may depend on them."""
    if not any(isinstance(edge.command, Assert) for edge in edges):
        raise InputError("the function dereferences nothing: it needs no precondition")
    return {program.variables[name].target for edge in edges for name in _compared(edge.command)}


def kinds_of(program: Program, layout: ObjectLayout, terms: Sequence[str]) -> tuple[int, ...]:
    """The types of what variables and ghosts point to."""
    found: list[int] = []
    for term in terms:
        name, path = split(term)
        kind = layout.followed(layout.types.index(program.variables[name].target), path)
        assert kind is not None, "a ghost follows the fields of its type"
        found.append(kind)
    return tuple(found)


def asserts_doubly_linked(edges: list[Edge[Command]]) -> bool:
    asserted = [edge.command.literal for edge in edges if isinstance(edge.command, Assert)]
    return any(isinstance(one, ShapeLiteral) and one.predicate == "dll" and not one.negated for one in asserted)


def doubly_linked_fields(
    program: Program, edges: list[Edge[Command]], layout: ObjectLayout
) -> tuple[tuple[int, int], ...]:
    """The pairs of fields by which a function tests for doubly linked lists."""
    found: dict[tuple[int, int], None] = {}
    for literal in (_literal(edge.command) for edge in edges):
        match literal:
            case ShapeLiteral("dll", (Var(name),), fields):
                one, other = (layout.number(program.variables[name].target, field) for field in fields[:2])
                if one is not None and other is not None:
                    found[one, other] = None
    return tuple(found)


def require_read_only(edges: list[Edge[Command]], fields: tuple[str, ...]) -> None:
    """Rejects writes with cyclic inputs: the effect of a write on a cycle depends on the order of its objects, which
    reachability does not determine."""
    if len(fields) > 1:
        raise UnsupportedError(f"a cyclic input with several pointer fields ({', '.join(fields)})")
    for edge in edges:
        if isinstance(edge.command, Store | Free | New):
            what = f"'{format_command(edge.command)}' with cyclic inputs"
            raise UnsupportedError(what, edge.span, hint="without --allow-cycles inputs are acyclic")


def _compared(command: Command) -> Iterator[str]:
    literal = _literal(command)
    if isinstance(literal, PointerCompare):
        yield from _names(literal.left, literal.right)


def _literal(command: Command) -> Literal | None:
    return command.literal if isinstance(command, Assume | Assert) else None


def after_free(edges: Sequence[Edge[Command]]) -> frozenset[int]:
    """The locations at which an object may have been freed."""
    return _after(edges, (Free,))


def after_change(edges: Sequence[Edge[Command]]) -> frozenset[int]:
    """The locations at which a pointer field may have changed."""
    return _after(edges, (Free, Store, New))


def _after(edges: Sequence[Edge[Command]], kinds: tuple[type, ...]) -> frozenset[int]:
    leaving: dict[int, list[int]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge.target)
    pending = [edge.target for edge in edges if isinstance(edge.command, kinds)]
    found = set(pending)
    while pending:
        new = set(leaving.get(pending.pop(), ())) - found
        found |= new
        pending += new
    return frozenset(found)


def tests_allocation(edges: list[Edge[Command]]) -> bool:
    return any(
        isinstance(literal, ShapeLiteral) and literal.predicate == "all_reachable"
        for literal in (_literal(edge.command) for edge in edges)
    )


def ordered_key(edges: list[Edge[Command]]) -> str:
    """The integer field whose order is asserted; none if it is written. New objects have any key: an allocation counts
    as a write."""
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
    """The pointer variables that a command uses, other than to copy them."""
    yield from _dereferenced(command)
    match command:
        case Inspect(base):
            yield base
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


def read_variables(command: Command) -> Iterator[str]:
    yield from _used(command)
    if isinstance(command, Assign):
        yield from _names(command.value)


def relevant(edges: list[Edge[Command]]) -> set[str]:
    """The relevant variables: used, or copied to a relevant one."""
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


def decided(literal: Literal) -> bool | None:
    """The truth of a comparison of constants; None of other literals."""
    match literal:
        case Compare("==" | "!=" as op, Const(left), Const(right)):
            return (left == right) == (op == "==")
    return None


def threaded(edges: Sequence[Edge[Command]]) -> list[Edge[Command]]:
    """The edges, in which a computed constant that is tested next leads to the outcome of the test: conditions such as
    those of hw_assume are kept in integers, which are not tracked."""
    leaving: dict[int, list[Edge[Command]]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    found: list[Edge[Command]] = []
    for edge in edges:
        match edge.command:
            case Compute(target, Const(value)):
                outcomes = [
                    (_outcome(test.command, target, value), test.target) for test in leaving.get(edge.target, ())
                ]
                if all(holds is not None for holds, _ in outcomes):
                    found += [
                        Edge(edge.source, edge.command, location, edge.checks, edge.span)
                        for holds, location in outcomes
                        if holds
                    ]
                    continue
            case _:
                pass
        found.append(edge)
    return found


def _outcome(command: Command, name: str, value: int) -> bool | None:
    """Whether a variable with this value passes a test; None if that is not known."""
    match command:
        case Assume(Compare("==" | "!=" as op, IntVar(tested), Const(constant))) if tested == name:
            return (value == constant) == (op == "==")
    return None


def require_written_first(edges: list[Edge[Command]], layout: ObjectLayout, field: int) -> None:
    """Rejects a program that may read a field of a new object before it is initialised."""
    leaving: dict[int, list[Edge[Command]]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    for new in edges:
        command = new.command
        if not isinstance(command, New) or command.type != layout.types[layout.fields[field].source]:
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
                after = _names_of_new(edge, names, layout.fields[field].name)
                if after is not None:
                    pending.append((edge.target, after))


def _names_of_new(edge: Edge[Command], names: frozenset[str], field: str) -> frozenset[str] | None:
    """The variables that point to a new object after a command; None if its field has been written or it is freed."""
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


def require_initialised(program: Program, start: int, edges: list[Edge[Command]], bound: set[str]) -> None:
    """Rejects a program that may use an uninitialised pointer."""
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
