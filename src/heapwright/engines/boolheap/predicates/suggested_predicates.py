"""Initial heap predicates, from the types, variables and assertions of a program.

Of an object v: which variables point to it, whether it is null, junk or alive; for a field that leads from a type to
itself, if it is the only one or an annotation names it, which variables reach it, if anything is done with what they
reach, and whether it reaches null, and, where such a field of one variable is read twice, whether it is null; for the
other pointer fields, whether what they lead to is alive. Where a field of a variable is read again, which object it
leads to. Assertions and assumed shapes add the atoms that they are made of. Where one field leads back where
another one came from (`prev`), there are the constraints that say so of an object (Wies et al., VMCAI 2006), and which
variables come next to it. Closed predicates: comparisons of integers that are only assigned constants.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable

from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.command_translation import claim, condition, ordered
from heapwright.engines.boolheap.predicates.repeated_loads import read_by, repeated_loads
from heapwright.logic.connectives import Not, Truth
from heapwright.program import commands as c
from heapwright.program.dataflow.liveness import Liveness, defined
from heapwright.program.expressions import Compare, Const, Literal, ShapeLiteral, Var
from heapwright.program.graph import Program
from heapwright.program.types import ObjectType, ValueKind


def suggested_predicates(program: Program, given: Iterable[f.Formula] = ()) -> tuple[f.Formula, ...]:
    """The initial predicates and those of the user, without duplicates."""
    found: dict[f.Formula, None] = {}
    for one in (
        *_points(program),
        *_paths(program),
        *_inverse_constraints(program),
        *_repeated(program),
        *_annotated(program),
        *_flags(program),
        *given,
    ):
        bare = one.operand if isinstance(one, Not) else one
        if not isinstance(bare, Truth):
            found[bare] = None
    return tuple(found)


def live_pointers(program: Program) -> list[str]:
    live = Liveness(program)
    somewhere = 0
    for location in range(len(program.graph.locations)):
        somewhere |= live.at(location)
    return [
        one.name
        for one in program.variables.values()
        if one.kind is ValueKind.POINTER and somewhere & live.bit(one.name)
    ]


def _points(program: Program) -> Iterable[f.Formula]:
    yield from (f.eq(f.NULL, f.V), f.eq(f.JUNK, f.V), f.alive(f.V))
    yield from (f.eq(f.name(one), f.V) for one in live_pointers(program))


def _paths(program: Program) -> Iterable[f.Formula]:
    loads = Counter(
        (edge.command.base, edge.command.field) for edge in program.graph.edges if isinstance(edge.command, c.Load)
    )
    read = {link for _, link in loads}
    named = {one.fields[0] for one in _shapes(program)} | {forth for forth, _ in inverse(program)}
    again = {link for (_, link), times in loads.items() if times > 1}
    for type in program.types.values():
        own = _recursive_fields(type)
        walked = own if len(own) == 1 else [one for one in own if one in named]
        for link in own:
            if link in walked:
                yield f.reach(link, f.V, f.NULL)
                if link in again:
                    yield f.eq(f.field(link, f.V), f.NULL)
                followed = _traversal_variables(program, link)
                for one in live_pointers(program):
                    if one in followed and program.variables[one].target == type.name:
                        yield f.reach(link, f.name(one), f.V)
        for other in type.fields:
            if other.kind is ValueKind.POINTER and other.name not in walked and other.name in read:
                yield f.disj(f.eq(f.field(other.name, f.V), f.NULL), f.alive(f.field(other.name, f.V)))


def _traversal_variables(program: Program, link: str) -> frozenset[str]:
    """The variables from which reachability along a field is relevant: the field is loaded or stored through them, they
    are stored there, their object is freed, or an annotation mentions them; and variables copied to one of them."""
    found: set[str] = set()
    copies: list[tuple[str, str]] = []
    for command in (edge.command for edge in program.graph.edges):
        match command:
            case c.Load(_, base, field) if field == link:
                found.add(base)
            case c.Store(base, field, value) if field == link:
                found.add(base)
                if isinstance(value, Var):
                    found.add(value.name)
            case c.Free(base) | c.Leave(base):
                found.add(base)
            case c.Assign(target, Var(source)):
                copies.append((target, source))
    for shape in _shapes(program):
        found.update(one.name for one in shape.pointers if isinstance(one, Var))
    while more := {source for target, source in copies if target in found} - found:
        found |= more
    return frozenset(found)


def _recursive_fields(type: ObjectType) -> list[str]:
    """The recursive pointer fields: from a type to itself."""
    return [one.name for one in type.fields if one.kind is ValueKind.POINTER and one.target == type.name]


def _literals(program: Program) -> list[Literal]:
    """The asserted literals, and the assumed shape literals."""
    commands = [edge.command for edge in program.graph.edges]
    return [
        one.literal
        for one in commands
        if isinstance(one, c.Assert) or (isinstance(one, c.Assume) and isinstance(one.literal, ShapeLiteral))
    ]


def _shapes(program: Program) -> list[ShapeLiteral]:
    return [one for one in _literals(program) if isinstance(one, ShapeLiteral)]


def inverse(program: Program) -> list[tuple[str, str]]:
    """Pairs of fields of which the second leads back: annotations say so, or the program writes `x->next = y` and
    `y->prev = x`. The first is the one that is read more often."""
    found = {(one.fields[0], one.fields[1]) for one in _shapes(program) if one.predicate == "dll"}
    commands = [edge.command for edge in program.graph.edges]
    stores = {
        (one.base, one.field, one.value.name)
        for one in commands
        if isinstance(one, c.Store) and isinstance(one.value, Var)
    }
    reads = Counter(one.field for one in commands if isinstance(one, c.Load))
    for type in program.types.values():
        for forth, back in itertools.permutations(_recursive_fields(type), 2):
            both = any((y, back, x) in stores for x, one, y in stores if one == forth)
            if both and (back, forth) not in found and reads[forth] >= reads[back]:
                found.add((forth, back))
    return sorted(found)


def _inverse_constraints(program: Program) -> Iterable[f.Formula]:
    """Field constraints: where a field leads back, which objects are where it should lead; and which objects a variable
    comes next to that is written there, or read and written through."""
    pairs = inverse(program)
    commands = [edge.command for edge in program.graph.edges]
    for forth, back in pairs:
        yield f.eq(f.field(back, f.field(forth, f.V)), f.V)
        yield f.disj(f.eq(f.field(back, f.V), f.NULL), f.eq(f.field(forth, f.field(back, f.V)), f.V))
        if any(isinstance(one, c.Load) and one.field == back for one in commands):
            yield f.eq(f.field(back, f.V), f.NULL)  # of one in the middle, this depends on the fields before it
    links = {link for pair in pairs for link in pair}
    stores = [one for one in commands if isinstance(one, c.Store) and one.field in links]
    for store in stores:
        if isinstance(store.value, Var):
            yield f.eq(f.field(store.field, f.V), f.name(store.value.name))
    again = frozenset[f.Field]().union(*repeated_loads(program))
    for load in commands:
        term = read_by(load)
        if term in again:  # what was read there is written, and the next to read it must know where
            targets = {store.field for store in stores if isinstance(load, c.Load) and store.value == Var(load.target)}
            yield from (f.eq(f.field(link, f.V), term) for link in sorted(targets))
    written = {store.base for store in stores}
    for load in commands:
        if isinstance(load, c.Load) and load.field in links and load.target in written:
            yield f.eq(f.field(load.field, f.V), f.name(load.target))


def _repeated(program: Program) -> Iterable[f.Formula]:
    """Targets of repeatedly loaded fields."""
    found = {term for terms in repeated_loads(program) for term in terms}
    yield from (f.eq(term, f.V) for term in sorted(found, key=f.term_text))


def _annotated(program: Program) -> Iterable[f.Formula]:
    for literal in _literals(program):
        found = claim(literal)
        if found is not None and isinstance(literal, ShapeLiteral) and literal.predicate.startswith("sorted"):
            yield ordered(literal)  # as a whole: it holds of every object, its parts do not
        elif found is not None:
            yield from f.atoms(found.everywhere)


def _flags(program: Program) -> Iterable[f.Formula]:
    """Comparisons of integer variables that are only assigned constants."""
    commands = [edge.command for edge in program.graph.edges]
    other = {defined(one) for one in commands if not (isinstance(one, c.Compute) and isinstance(one.value, Const))}
    flags = {defined(one) for one in commands} - other
    for one in commands:
        if isinstance(one, c.Assume) and isinstance(one.literal, Compare):
            found = condition(one.literal)
            if f.names_of(found) and f.names_of(found) <= flags:
                yield from f.atoms(found)
