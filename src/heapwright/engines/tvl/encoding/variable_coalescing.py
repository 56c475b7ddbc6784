"""Variable coalescing: pointer variables of one type whose live ranges do not overlap share one variable, and dead
copies are removed.

    x = y; f(x); z = w; g(z)    becomes    y; f(y); w; g(w)   where y and w are dead afterwards

Every variable counts as a temporary here, so that the engine drops a pointer as soon as it is dead. In C a pointer
of the user's keeps its block from leaking until the scope ends; a leak alarm in the coalesced program may therefore be
spurious, and its proofs hold only if there is none. Edges and locations keep their numbers.

Variables share only if they are of one type and one points-to set contains the other: otherwise more offsets would have
to be tracked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace

from heapwright.engines.tvl.encoding.available_loads import AvailableLoads
from heapwright.engines.tvl.encoding.memory.offsets import BlockAddress
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.program.commands import Assert, Assign, Assume, Command, Skip
from heapwright.program.dataflow.liveness import Liveness, defined, used
from heapwright.program.expressions import Literal, Pointer, PointerCompare, ShapeLiteral, Var
from heapwright.program.graph import Edge, Program
from heapwright.program.types import Variable

NAMES = (
    "target",
    "base",
    "source",
    "pointer",
    "replaces",
    "left",
    "right",
    "summarize",
)  # what commands call variables


def coalesced(heap: HeapVocabulary) -> Program:
    return coalesced_with_names(heap)[0]


def coalesced_with_names(heap: HeapVocabulary, *, numbered: bool = False) -> tuple[Program, Mapping[str, str]]:
    """The lean program, and which of its variables each pointer variable became. `numbered`: these have numbers for
    names, in the order of the program, so that programs that do the same are alike."""
    program, liveness = heap.program, heap.liveness
    edges = [_without_dead_copy(edge, liveness) for edge in program.graph.edges]
    together = _together(heap, edges)
    partner: dict[str, str] = {}
    members: dict[str, int] = {}  # the variables that share one, as a set
    addresses: dict[str, frozenset[BlockAddress]] = {}  # where a shared variable may point
    for name in _in_order(heap, edges):
        kind = heap.flow.of(name)
        alike = [other for other in members if _alike(heap, name, other, kind, addresses[other])]
        for other in _copied_first(edges, heap.liveness, name, alike, members):
            if not members[other] & together[name]:
                partner[name] = other
                members[other] |= liveness.bit(name)
                addresses[other] |= kind
                break
        else:
            partner[name] = name
            members[name], addresses[name] = liveness.bit(name), kind
    if numbered:
        return _numbered(heap, edges, partner)
    shared = [replace(edge, command=_without_self_copy(renamed(edge.command, partner))) for edge in edges]
    variables = {
        name: variable if name not in partner else _unnamed(variable)
        for name, variable in program.variables.items()
        if partner.get(name, name) == name
    }
    made = replace(program, graph=replace(program.graph, edges=tuple(shared)), variables=variables)
    return made, partner


def _numbered(
    heap: HeapVocabulary, edges: list[Edge[Command]], partner: Mapping[str, str]
) -> tuple[Program, Mapping[str, str]]:
    """The lean program with numbers for names, its pointers last."""
    program = heap.program
    numbers = {name: f"@{number}" for number, name in enumerate(dict.fromkeys(partner.values()), start=1)}
    names = {name: numbers[other] for name, other in partner.items()}
    shared = [replace(edge, command=_without_self_copy(renamed(edge.command, names))) for edge in edges]
    variables = {name: variable for name, variable in program.variables.items() if name not in partner}
    for name, number in numbers.items():
        variables[number] = replace(_unnamed(program.variables[name]), name=number, function="")
    return replace(program, graph=replace(program.graph, edges=tuple(shared)), variables=variables), names


def _unnamed(variable: Variable) -> Variable:
    return replace(variable, source_name="")


def _without_dead_copy(edge: Edge[Command], liveness: Liveness) -> Edge[Command]:
    command = edge.command
    if isinstance(command, Assign) and not liveness.at(edge.target) & liveness.bit(command.target):
        return replace(edge, command=Skip())
    return edge


def _without_self_copy(command: Command) -> Command:
    return Skip() if isinstance(command, Assign) and command.value == Var(command.target) else command


# --- who may share ----------------------------------------------------------------------------------------------------


def _together(heap: HeapVocabulary, edges: list[Edge[Command]]) -> dict[str, int]:
    """For each pointer variable those that may hold something else at the same time: where one of the two is set, the
    other is needed, and they are not made equal there."""
    liveness, held = heap.liveness, AvailableLoads(heap)
    found = dict.fromkeys(heap.variables, 0)
    needed = [
        liveness.at(location) & liveness.pointers | liveness.mask(held.at(location))
        for location in range(len(heap.program.graph.locations))
    ]
    for edge in edges:
        target = defined(edge.command)
        if target in found:
            assert target is not None
            after = needed[edge.target]
            if isinstance(edge.command, Assign) and isinstance(edge.command.value, Var):
                after &= ~liveness.bit(edge.command.value.name)  # both hold the same
            found[target] |= after
            for name in heap.variables:
                if after & liveness.bit(name):
                    found[name] |= liveness.bit(target)
    return found


def _in_order(heap: HeapVocabulary, edges: list[Edge[Command]]) -> Iterator[str]:
    """Pointer variables in the order of the program."""
    seen: set[str] = set()
    for edge in edges:
        for name in (*sorted(used(edge.command)), defined(edge.command)):
            if name in heap.variables and name not in seen:
                assert name is not None
                seen.add(name)
                yield name
    yield from (name for name in heap.variables if name not in seen)


def _alike(
    heap: HeapVocabulary, name: str, other: str, addresses: frozenset[BlockAddress], others: frozenset[BlockAddress]
) -> bool:
    """Of one type, and the points-to set of one contains that of the other."""
    variables = heap.program.variables
    return variables[name].target == variables[other].target and (addresses <= others or others <= addresses)


def _copied_first(
    edges: list[Edge[Command]], liveness: Liveness, name: str, alike: list[str], members: Mapping[str, int]
) -> list[str]:
    """The variables that are copied from or to a variable come first; such a copy is removed."""
    copies = 0
    for edge in edges:
        if isinstance(edge.command, Assign) and isinstance(edge.command.value, Var):
            ends = (edge.command.target, edge.command.value.name)
            if name in ends:
                copies |= liveness.bit(ends[0]) | liveness.bit(ends[1])
    return sorted(alike, key=lambda other: not members[other] & copies)


# --- renaming ---------------------------------------------------------------------------------------------------------


def renamed(command: Command, names: Mapping[str, str]) -> Command:
    """A command over other pointer variables.

    >>> renamed(Assign("x", Var("y")), {"x": "z"})
    Assign(target='z', value=Var(name='y'))
    """
    changes: dict[str, object] = {}
    for field in fields(command):
        value = getattr(command, field.name)
        if field.name in NAMES and isinstance(value, str):
            changes[field.name] = names.get(value, value)
        elif isinstance(value, Var):
            changes[field.name] = _pointer(value, names)
    if isinstance(command, Assume | Assert):
        changes["literal"] = _literal(command.literal, names)
    return replace(command, **changes)  # type: ignore[arg-type]  # the values have the types of the fields


def _pointer(pointer: Pointer, names: Mapping[str, str]) -> Pointer:
    return Var(names.get(pointer.name, pointer.name)) if isinstance(pointer, Var) else pointer


def _literal(literal: Literal, names: Mapping[str, str]) -> Literal:
    match literal:
        case PointerCompare(_, left, right):
            return replace(literal, left=_pointer(left, names), right=_pointer(right, names))
        case ShapeLiteral(_, pointers):
            return replace(literal, pointers=tuple(_pointer(pointer, names) for pointer in pointers))
    return literal
