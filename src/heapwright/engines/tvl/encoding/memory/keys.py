"""Keys: integer data of blocks on whose order an assertion depends.

Variables and cells that copies and comparisons connect form a group. A group is tracked where it has a cell and a claim
depends on it: `hw_sorted`, an assertion that compares, or a comparison right before an assertion that cannot hold. In

    if (p->key > q->key) reach_error();

`T.key` is such a cell, and the temporaries that `p->key` and `q->key` are read into carry its values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal as OneOf

from heapwright.program import expressions as e
from heapwright.program.commands import Assert, Assume, Command, Compute, Load, LoadData, StoreData
from heapwright.program.dataflow.tracked_integers import Groups, bare, comparison, field_name
from heapwright.program.graph import Program
from heapwright.program.types import IntType

Relation = OneOf["<", "<=", ">", ">="]
SWAPPED: Mapping[Relation, Relation] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True)
class Keys:
    """A group: one cell of each of some kinds of blocks, and the variables that carry values of it."""

    fields: tuple[str, ...]
    variables: tuple[str, ...]
    ordered: bool = True  # else they are compared for equality alone

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
        """The cell that a variable is loaded from."""
        cell = self.cell(command)
        return cell if _fits(self.types.get(cell), self.program.variables[command.target].type) else None

    def stored(self, command: StoreData) -> str | None:
        """The variable that is stored to a cell."""
        return variable_of(command.value) if _fits(command.value.type, self.types.get(self.cell(command))) else None

    def copied(self, command: Compute) -> str | None:
        """The variable that is copied to another one."""
        fits = _fits(command.value.type, self.program.variables[command.target].type)
        return variable_of(command.value) if fits else None


def _fits(inner: IntType | None, outer: IntType | None) -> bool:
    return inner is not None and outer is not None and outer.minimum <= inner.minimum and inner.maximum <= outer.maximum


def variable_of(expr: e.Expr) -> str | None:
    """The variable whose value an expression has."""
    source = bare(expr)
    return source.name if isinstance(source, e.IntVar) else None


def tracked_keys(cells: KeyCells, *, every: bool = False) -> tuple[Keys, ...]:
    """The groups on which claims depend, or every group."""
    groups = Groups()
    for edge in cells.program.graph.edges:
        for one, other in connected(cells, edge.command):
            groups.join(one, other)
    relevant = {groups.find(name) for name in claimed(cells.program)}
    members: dict[str, list[str]] = {}
    for name in groups.names():
        if every or groups.find(name) in relevant:
            members.setdefault(groups.find(name), []).append(name)
    found = (keys_of(cells, frozenset(names)) for _, names in sorted(members.items()))
    return tuple(keys for keys in found if keys is not None)


def keys_of(cells: KeyCells, group: frozenset[str]) -> Keys | None:
    """Groups without a cell, or with two cells of one kind of block, are left out: a block has one position in an
    order."""
    fields = group & cells.types.keys()
    if not fields or any(len(block & fields) > 1 for block in cells.blocks):
        return None
    ordered = any(group & set(names) for names in ordering(cells.program))
    return Keys(tuple(sorted(fields)), tuple(sorted(carriers(cells, group))), ordered)


def ordering(program: Program) -> Iterator[tuple[str, ...]]:
    """Variables and cells that are compared by more than equality."""
    for edge in program.graph.edges:
        match edge.command:
            case Assume(e.Compare(op)) | Assert(e.Compare(op), _) if op in ("==", "!="):
                continue
            case Assume(literal) | Assert(literal, _):
                yield from ((key,) for _, key in sorted_cells(literal))
            case Compute(_, value) if (test := comparison(value)) is None or test.op in ("==", "!="):
                continue
        yield from comparisons(edge.command)


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
        case Assume(e.Compare() as literal) | Assert(e.Compare() as literal, _):
            pair = compared(literal)
        case Compute(_, value):
            test = comparison(value)
            pair = compared(test) if test is not None else None
        case _:
            return
    if pair is not None:
        yield pair


def comparing(cells: KeyCells, keys: Keys) -> Iterator[tuple[int, str, str, frozenset[bool]]]:
    """Comparisons of a variable that the user named with a key: where, which variable, the one that the key was read
    into, and what decides them: whether the key is at most the value (False), whether it is at least that (True)."""
    loaded = reading(cells, keys)
    for edge in cells.program.graph.edges:
        match edge.command:
            case Assume(e.Compare(op) as literal) | Assert(e.Compare(op) as literal, _):
                pair = compared(literal)
                if pair is None or not set(pair) <= set(keys.variables):
                    continue
                for variable, key, is_left in ((pair[0], pair[1], True), (pair[1], pair[0], False)):
                    if key in loaded and not cells.program.variables[variable].temporary:
                        # i < key, i >= key: whether the key is at most i; the other way round if i is on the right.
                        strict = op in ("<", ">=")
                        sides = frozenset((True, False)) if op in ("==", "!=") else frozenset((strict != is_left,))
                        yield edge.source, variable, key, sides


def bases_of(cells: KeyCells) -> Mapping[str, frozenset[str]]:
    """The pointers through which each variable is read."""
    found: dict[str, set[str]] = {}
    for edge in cells.program.graph.edges:
        if isinstance(edge.command, LoadData):
            found.setdefault(edge.command.target, set()).add(edge.command.base)
    return {target: frozenset(bases) for target, bases in found.items()}


def reading(cells: KeyCells, keys: Keys) -> frozenset[str]:
    """The variables that keys are read into."""
    edges = cells.program.graph.edges
    loads = [edge.command for edge in edges if isinstance(edge.command, LoadData)]
    return frozenset(command.target for command in loads if cells.loaded(command) in keys.fields)


def compared(literal: e.Compare) -> tuple[str, str] | None:
    left, right = variable_of(literal.left), variable_of(literal.right)
    return (left, right) if left is not None and right is not None else None


SORTED: Mapping[str, Relation] = {"sorted": ">=", "sorted_down": "<="}  # of the key behind a link to that before it


def sorted_cells(literal: e.Literal) -> Iterator[tuple[str, str]]:
    """The link and the key of `hw_sorted` and similar predicates."""
    match literal:
        case e.ShapeLiteral(predicate, (e.Var(),), (link, key), _) if predicate in SORTED:
            yield link, key


# --- what is claimed -------------------------------------------------------------------------------------------------


def claimed(program: Program) -> Iterator[str]:
    """Variables and cells on which claims about data depend."""
    for edge in program.graph.edges:
        if isinstance(edge.command, Assert):
            yield from (key for _, key in sorted_cells(edge.command.literal))
    for claim in claims(program):
        yield from e.variables_of(claim.left) | e.variables_of(claim.right)


def claims(program: Program) -> list[e.Compare]:
    """The comparisons that assertions make, and those whose truth values they make use of."""
    values: dict[str, list[e.Expr]] = {}
    for edge in program.graph.edges:
        if isinstance(edge.command, Compute):
            values.setdefault(edge.command.target, []).append(edge.command.value)
    found = [
        literal
        for edge in program.graph.edges
        if isinstance(edge.command, Assert)
        for literal in deciding(program, edge.command.literal, edge.source)
    ]
    seen: set[str] = set()
    for literal in found:  # grows meanwhile
        for name in sorted(e.variables_of(literal.left) | e.variables_of(literal.right)):
            if name not in seen:
                seen.add(name)
                found += (test for value in values.get(name, ()) if (test := comparison(value)) is not None)
    return found


def deciding(program: Program, literal: e.Literal, location: int) -> Iterator[e.Compare]:
    """The comparison that an assertion makes, or what the conditions right before one that cannot hold exclude."""
    if not isinstance(literal, e.Compare):
        return
    yield literal
    if not isinstance(literal.left, e.Const) or not isinstance(literal.right, e.Const):
        return
    pending, seen = [location], {location}
    while pending:
        for edge in program.graph.predecessors[pending.pop()]:
            if isinstance(edge.command, Assume):
                if isinstance(found := edge.command.literal, e.Compare):
                    yield e.Compare(e.NEGATED[found.op], found.left, found.right)
            elif edge.source not in seen:
                seen.add(edge.source)
                pending.append(edge.source)


# --- along which links ------------------------------------------------------------------------------------------------


def orders_along(cells: KeyCells, keys: Keys, links: tuple[str, ...]) -> frozenset[tuple[str, Relation]]:
    """The links along which claims speak of the order of keys, with the relation of the key behind a link to the one
    before it: those of `hw_sorted`, those between a block and the one that it leads to, and, where a claim compares the
    keys of two other blocks, the link that leaves from blocks with keys, if it is one."""
    edges = cells.program.graph.edges
    literals = [edge.command.literal for edge in edges if isinstance(edge.command, Assume | Assert)]
    found: set[tuple[str, Relation]] = {
        (link, SORTED[literal.predicate])
        for literal in literals
        if isinstance(literal, e.ShapeLiteral)
        for link, key in sorted_cells(literal)
        if key in keys.fields
    }
    read, elsewhere = reading(cells, keys), False
    for claim in claims(cells.program):
        between = set(_between_neighbours(cells, claim))
        found |= between
        elsewhere = elsewhere or (not between and set(compared(claim) or ("",)) <= read)
    if elsewhere:
        leaving = [block & set(links) for block in cells.blocks if block & set(keys.fields)]
        found.update((link, ">=") for block in leaving if len(block) == 1 for link in block)
    return frozenset(found)


def _between_neighbours(cells: KeyCells, claim: e.Compare) -> Iterator[tuple[str, Relation]]:
    """Whether a claim compares the keys of a block and of the one that it leads to."""
    edges = cells.program.graph.edges
    pair = compared(claim)
    if pair is None or claim.op == "==" or claim.op == "!=":
        return
    keys = {(c.target, c.base) for edge in edges if isinstance(c := edge.command, LoadData)}
    links = {(c.target, c.base, c.field) for edge in edges if isinstance(c := edge.command, Load)}
    left, right = ({base for target, base in keys if target == name} for name in pair)
    for target, base, field in links:
        if target in left and base in right:
            yield field_name(cells.program, base, field), claim.op
        if target in right and base in left:
            yield field_name(cells.program, base, field), SWAPPED[claim.op]
