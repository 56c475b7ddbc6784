"""Which integers are keys: data of blocks whose order decides a claim.

Variables and cells that copies and comparisons connect form a group. A group is tracked where it has a cell and a claim
depends on it: `hw_sorted`, an assertion that compares, or a comparison right before an assertion that cannot hold. In

    if (p->key > q->key) reach_error();

`T.key` is such a cell, and the temporaries that `p->key` and `q->key` are read into carry its values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from heapwright.program.commands import Assert, Assume, Command, Compute, LoadData, StoreData
from heapwright.program.expressions import Compare, Const, Expr, IntVar, Literal, ShapeLiteral, Var, variables_of
from heapwright.program.graph import Program
from heapwright.program.tracked import Groups, bare, comparison, field_name
from heapwright.program.types import IntType


@dataclass(frozen=True)
class Keys:
    """A group: one cell of each of some kinds of blocks, and the variables that carry values of it."""

    fields: tuple[str, ...]
    variables: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.fields[0]


@dataclass(frozen=True)
class KeyCells:
    """A program whose commands name cells; the cells of each kind of block, and the types of those with integers."""

    program: Program
    blocks: tuple[frozenset[str], ...]
    types: Mapping[str, IntType]

    def cell(self, command: LoadData | StoreData) -> str:
        return field_name(self.program, command.base, command.field)

    # A value is known where a copy keeps it: types decide that.

    def loaded(self, command: LoadData) -> str | None:
        """The cell whose value a variable takes over."""
        cell = self.cell(command)
        return cell if _fits(self.types.get(cell), self.program.variables[command.target].type) else None

    def stored(self, command: StoreData) -> str | None:
        """The variable whose value a cell takes over."""
        return variable_of(command.value) if _fits(command.value.type, self.types.get(self.cell(command))) else None

    def copied(self, command: Compute) -> str | None:
        """The variable whose value another one takes over."""
        fits = _fits(command.value.type, self.program.variables[command.target].type)
        return variable_of(command.value) if fits else None


def _fits(inner: IntType | None, outer: IntType | None) -> bool:
    return inner is not None and outer is not None and outer.minimum <= inner.minimum and inner.maximum <= outer.maximum


def variable_of(expr: Expr) -> str | None:
    """The variable whose value an expression has."""
    source = bare(expr)
    return source.name if isinstance(source, IntVar) else None


def tracked_keys(cells: KeyCells) -> tuple[Keys, ...]:
    groups = Groups()
    for edge in cells.program.graph.edges:
        for one, other in connected(cells, edge.command):
            groups.join(one, other)
    relevant = {groups.find(name) for name in claimed(cells.program)}
    members: dict[str, list[str]] = {}
    for name in groups.names():
        if groups.find(name) in relevant:
            members.setdefault(groups.find(name), []).append(name)
    found = (keys_of(cells, frozenset(names)) for _, names in sorted(members.items()))
    return tuple(keys for keys in found if keys is not None)


def keys_of(cells: KeyCells, group: frozenset[str]) -> Keys | None:
    """A group with no cell, or with two of one kind of block, is none: a block has one place in an order."""
    fields = group & cells.types.keys()
    if not fields or any(len(block & fields) > 1 for block in cells.blocks):
        return None
    return Keys(tuple(sorted(fields)), tuple(sorted(carriers(cells, group))))


def carriers(cells: KeyCells, group: frozenset[str]) -> frozenset[str]:
    """Variables that are compared with others, or that take a known value somewhere and hand it on."""
    used: set[str] = set()
    taken: set[str] = set()
    given: set[str] = set()
    for edge in cells.program.graph.edges:
        used.update(name for pair in comparisons(edge.command) for name in pair)
        match edge.command:
            case LoadData(target):
                taken.add(target)
            case Compute(target) as copy if (source := cells.copied(copy)) is not None:
                taken.add(target)
                given.add(source)
            case StoreData() as store if (source := cells.stored(store)) is not None:
                given.add(source)
    return frozenset(used | (taken & given)) & group


# --- what is connected -----------------------------------------------------------------------------------------------


def connected(cells: KeyCells, command: Command) -> Iterator[tuple[str, str]]:
    match command:
        case LoadData(target) if (source := cells.loaded(command)) is not None:
            yield target, source
        case StoreData() if (source := cells.stored(command)) is not None:
            yield source, cells.cell(command)
        case Compute(target) if (source := cells.copied(command)) is not None:
            yield target, source
        case Assume(literal) | Assert(literal, _):
            yield from ((key, key) for _, key in sorted_cells(literal))
    yield from comparisons(command)


def comparisons(command: Command) -> Iterator[tuple[str, str]]:
    """Pairs of variables that a command compares, in a condition or for a value."""
    match command:
        case Assume(Compare() as literal) | Assert(Compare() as literal, _):
            pair = compared(literal)
        case Compute(_, value):
            test = comparison(value)
            pair = compared(test) if test is not None else None
        case _:
            return
    if pair is not None:
        yield pair


def compared(literal: Compare) -> tuple[str, str] | None:
    left, right = variable_of(literal.left), variable_of(literal.right)
    return (left, right) if left is not None and right is not None else None


def sorted_cells(literal: Literal) -> Iterator[tuple[str, str]]:
    """The link and the key of which `hw_sorted` speaks."""
    match literal:
        case ShapeLiteral("sorted", (Var(),), (link, key), _):
            yield link, key


# --- what is claimed -------------------------------------------------------------------------------------------------


def claimed(program: Program) -> Iterator[str]:
    """Variables and cells on which claims about data rest."""
    sources: dict[str, set[str]] = {}
    for edge in program.graph.edges:
        if isinstance(edge.command, Compute):
            sources.setdefault(edge.command.target, set()).update(variables_of(edge.command.value))
    pending: list[str] = []
    for edge in program.graph.edges:
        if isinstance(edge.command, Assert):
            yield from (key for _, key in sorted_cells(edge.command.literal))
            for literal in deciding(program, edge.command.literal, edge.source):
                pending += variables_of(literal.left) | variables_of(literal.right)
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            yield name
            pending += sources.get(name, ())


def deciding(program: Program, literal: Literal, location: int) -> Iterator[Compare]:
    """The comparison that an assertion makes, or those of the conditions right before one that cannot hold."""
    if not isinstance(literal, Compare):
        return
    yield literal
    if not isinstance(literal.left, Const) or not isinstance(literal.right, Const):
        return
    pending, seen = [location], {location}
    while pending:
        for edge in program.graph.predecessors[pending.pop()]:
            if isinstance(edge.command, Assume):
                if isinstance(edge.command.literal, Compare):
                    yield edge.command.literal
            elif edge.source not in seen:
                seen.add(edge.source)
                pending.append(edge.source)


def sorted_along(cells: KeyCells, keys: Keys, links: tuple[str, ...]) -> frozenset[str]:
    """The links along which claims speak of the order of keys: those of `hw_sorted`, and, where claims are of another
    kind, those that leave from blocks with keys."""
    found = {
        link
        for edge in cells.program.graph.edges
        if isinstance(edge.command, Assume | Assert)
        for link, key in sorted_cells(edge.command.literal)
        if key in keys.fields
    }
    keyed = [block for block in cells.blocks if block & set(keys.fields)]
    return frozenset(found or (link for link in links if any(link in block for block in keyed)))
