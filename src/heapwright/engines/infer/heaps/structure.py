"""3-valued structures over acyclic pointer fields: the elements of the domain of section 4 of the paper.

A structure has *nodes*, each of which denotes one object or more (a summary node), and gives a truth value to
- `null` of each pointer variable,
- of each node: whether a variable is there (`at`), whether a variable reaches it along a field (`reach`), whether it is
  allocated;
- of two nodes: whether the first reaches the second along a field (`paths`, which hold of an object and itself).

A value is `NO`, `YES` or `HALF` (indefinite). Every two nodes differ in a value, but unlike in canonical
abstraction they may differ in a definite value against an indefinite one, so that an object may fit several nodes.

>>> vocabulary = Vocabulary(("x", "y"))
>>> unknown(vocabulary).nodes[0].values
(2, 2, 2, 2)
>>> vocabulary.at(1), vocabulary.reach(1)
(2, 3)

`normalise` applies the integrity constraints of heaps; what needs a proof is left to the prover.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

NO, YES, HALF = 0, 1, 2
READ = ">"  # between the parts of an access path; in no name of a variable of a program


@dataclass(frozen=True, slots=True)
class Tree:
    """A ghost variable that is null if what a term led to at the entry was a tree by two fields, and else equal to it;
    no step changes it."""

    name: str
    term: str
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The pointer variables, and whether allocation matters: it does where something is allocated, freed or
    asserted. The values of a node are in the order at(0), reach(0), at(1), reach(1), ..., alloc; with several fields
    there are as many columns for reach.

    With a `key` the last two variables are ghosts, which no step changes: witnesses that a list is not sorted. The key
    of the first is larger than that of the second. With a `pair` they are any two objects, witnesses that a list is not
    doubly linked."""

    variables: tuple[str, ...]
    allocation: bool = False
    key: str = ""
    fields: int = 1
    cyclic: bool = False  # fields may be cyclic; then the last column is whether the field of a node is null
    kinds: tuple[int, ...] = ()  # the type of the object of each variable, if objects have several types
    edges: tuple[tuple[int, int], ...] = ()  # of each field, the type that has it, and the type that it leads to
    trees: tuple[Tree, ...] = ()
    pair: bool = False

    @property
    def witnesses(self) -> tuple[int, int] | None:
        """The numbers of the two ghost variables."""
        count = len(self.variables)
        return (count - 2, count - 1) if self.key or self.pair else None

    @property
    def ghosts(self) -> frozenset[int]:
        """The numbers of variables that hold what an access path led to at the entry; no step changes them."""
        return frozenset(k for k, name in enumerate(self.variables) if READ in name)

    @property
    def roots(self) -> frozenset[int]:
        """The numbers of the variables of `trees`."""
        names = {tree.name for tree in self.trees}
        return frozenset(k for k, name in enumerate(self.variables) if name in names)

    @property
    def width(self) -> int:
        return self.ends + self.cyclic

    @property
    def ends(self) -> int:
        return self.alloc + self.allocation

    @property
    def alloc(self) -> int:
        return (1 + self.fields) * len(self.variables)

    def at(self, variable: int) -> int:
        return (1 + self.fields) * variable

    def reach(self, variable: int, field: int = 0) -> int:
        return (1 + self.fields) * variable + 1 + field

    def reaching(self, field: int) -> list[int]:
        """The columns of what variables reach along a field."""
        return [self.reach(k, field) for k in range(len(self.variables))]


@dataclass(frozen=True, slots=True)
class Node:
    """`single`: it denotes one object. `footprint`: the program has accessed it on the analysed path; this guides blur
    and does not change the concretisation."""

    values: tuple[int, ...]
    single: bool = False
    footprint: bool = False


Table = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Structure:
    """`paths` has a table for each field."""

    null: tuple[int, ...]
    nodes: tuple[Node, ...]
    paths: tuple[Table, ...]
    cyclic: bool = False

    def at(self, variable: int) -> int:
        return (1 + len(self.paths)) * variable

    def reach(self, variable: int, field: int = 0) -> int:
        return (1 + len(self.paths)) * variable + 1 + field

    def columns(self, variable: int) -> range:
        """All columns of a variable."""
        return range(self.at(variable), self.at(variable + 1))


def unknown(vocabulary: Vocabulary) -> Structure:
    """Every heap: one summary node with indefinite values."""
    nodes = (Node((HALF,) * vocabulary.width),)
    return Structure((HALF,) * len(vocabulary.variables), nodes, (((HALF,),),) * vocabulary.fields, vocabulary.cyclic)


# --- changes ---------------------------------------------------------------------------------------------------------


def with_null(structure: Structure, variable: int, value: int) -> Structure:
    null = structure.null
    return replace(structure, null=(*null[:variable], value, *null[variable + 1 :]))


def with_value(structure: Structure, node: int, column: int, value: int) -> Structure:
    nodes = list(structure.nodes)
    values = nodes[node].values
    nodes[node] = replace(nodes[node], values=(*values[:column], value, *values[column + 1 :]))
    return replace(structure, nodes=tuple(nodes))


def with_path(structure: Structure, source: int, target: int, value: int, field: int = 0) -> Structure:
    rows = [list(row) for row in structure.paths[field]]
    rows[source][target] = value
    return with_table(structure, tuple(map(tuple, rows)), field)


def with_table(structure: Structure, table: Table, field: int) -> Structure:
    return replace(structure, paths=(*structure.paths[:field], table, *structure.paths[field + 1 :]))


def with_marks(structure: Structure, node: int, *, single: bool, footprint: bool) -> Structure:
    nodes = list(structure.nodes)
    nodes[node] = replace(nodes[node], single=single, footprint=footprint)
    return replace(structure, nodes=tuple(nodes))


def bifurcate(structure: Structure, node: int) -> Structure:
    """Two nodes for one; the copy, with the same values, is the last node."""
    return selected(structure, (*range(len(structure.nodes)), node))


def selected(structure: Structure, indices: Sequence[int]) -> Structure:
    """The nodes with these indices, which may be repeated, in this order."""
    return Structure(
        structure.null,
        tuple(structure.nodes[index] for index in indices),
        tuple(tuple(tuple(path[i][j] for j in indices) for i in indices) for path in structure.paths),
        structure.cyclic,
    )


def forget(structure: Structure, variable: int) -> Structure:
    """Havoc of a variable."""
    columns = structure.columns(variable)
    nodes = tuple(
        replace(node, values=tuple(HALF if c in columns else v for c, v in enumerate(node.values)))
        for node in structure.nodes
    )
    return with_null(replace(structure, nodes=nodes), variable, HALF)


def forget_paths(structure: Structure, field: int = 0) -> Structure:
    """Havoc of a field, and of reachability along it."""
    columns = {structure.reach(k, field) for k in range(len(structure.null))}
    nodes = tuple(
        replace(node, values=tuple(HALF if c in columns else v for c, v in enumerate(node.values)))
        for node in structure.nodes
    )
    size = len(nodes)
    return with_table(replace(structure, nodes=nodes), ((HALF,) * size,) * size, field)


def only_between(structure: Structure, variables: Sequence[int]) -> Structure:
    """Reachability from these variables is kept among them only."""
    kept = {i for i, node in enumerate(structure.nodes) if any(node.values[structure.at(k)] == YES for k in variables)}
    columns = {column for k in variables for column in structure.columns(k) if column != structure.at(k)}
    nodes = tuple(
        node
        if i in kept
        else replace(node, values=tuple(HALF if c in columns else v for c, v in enumerate(node.values)))
        for i, node in enumerate(structure.nodes)
    )
    paths = tuple(
        tuple(
            tuple(HALF if i in kept and j not in kept else value for j, value in enumerate(row))
            for i, row in enumerate(path)
        )
        for path in structure.paths
    )
    return replace(structure, nodes=nodes, paths=paths)


def knows(structure: Structure, variable: int) -> bool:
    """Whether a value of a variable is definite."""
    columns = structure.columns(variable)
    return structure.null[variable] != HALF or any(
        node.values[column] != HALF for node in structure.nodes for column in columns
    )


# --- integrity constraints -------------------------------------------------------------------------------------------


class _Contradiction(Exception):
    """The structure violates an integrity constraint."""


class _Draft:
    """A structure that is being sharpened."""

    def __init__(self, structure: Structure) -> None:
        self.null = list(structure.null)
        self.values = [list(node.values) for node in structure.nodes]
        self.single = [node.single for node in structure.nodes]
        self.paths = [[list(row) for row in path] for path in structure.paths]
        self.at, self.reach, self.cyclic = structure.at, structure.reach, structure.cyclic
        self.changed = False

    def settle(self, row: list[int], index: int, value: int) -> None:
        if row[index] == HALF:
            row[index] = value
            self.changed = True
        elif row[index] != value:
            raise _Contradiction

    def equal(self, row: list[int], index: int, other: list[int], at: int) -> None:
        if row[index] != HALF:
            self.settle(other, at, row[index])
        elif other[at] != HALF:
            self.settle(row, index, other[at])

    def variable(self, k: int) -> None:
        at, fields = self.at(k), range(len(self.paths))
        size = range(len(self.values))
        here = [i for i in size if self.values[i][at] == YES]
        if self.null[k] == YES:
            for i in size:
                self.settle(self.values[i], at, NO)
                for field in fields:
                    self.settle(self.values[i], self.reach(k, field), NO)
        elif here:
            index = here[0]
            self.settle(self.null, k, NO)
            if not self.single[index]:
                self.single[index] = self.changed = True
            for i in size:
                self.settle(self.values[i], at, YES if i == index else NO)
                for field in fields:
                    self.equal(self.values[i], self.reach(k, field), self.paths[field][index], i)
        else:
            for i in size:
                for reach in (self.reach(k, field) for field in fields):
                    if self.values[i][reach] == YES:
                        self.settle(self.null, k, NO)
                    if self.values[i][reach] == NO:
                        self.settle(self.values[i], at, NO)
            self.somewhere(k, at)

    def somewhere(self, k: int, at: int) -> None:
        """A variable that is not null is at some node."""
        left = [i for i in range(len(self.values)) if self.values[i][at] == HALF]
        if not left:
            self.settle(self.null, k, YES)
        elif self.null[k] == NO and len(left) == 1 and self.single[left[0]]:
            self.settle(self.values[left[0]], at, YES)

    def along(self, path: list[list[int]]) -> None:
        size = range(len(self.values))
        for i in size:
            if path[i][i] == YES and not self.single[i] and not self.cyclic:  # reachability is antisymmetric
                self.single[i] = self.changed = True
            if self.single[i]:
                self.settle(path[i], i, YES)
            elif path[i][i] == NO:
                raise _Contradiction  # every object reaches itself
        for i in size:
            for j in size:
                if i != j and path[i][j] == YES and not self.cyclic:
                    self.settle(path[j], i, NO)  # the field is acyclic


def normalise(structure: Structure) -> Structure | None:
    """The structure sharpened by the integrity constraints of heaps; None if it is inconsistent."""
    draft = _Draft(structure)
    try:
        draft.changed = True
        while draft.changed:
            draft.changed = False
            for path in draft.paths:
                draft.along(path)
            for variable in range(len(draft.null)):
                draft.variable(variable)
    except _Contradiction:
        return None
    nodes = tuple(
        Node(tuple(values), single, old.footprint)
        for values, single, old in zip(draft.values, draft.single, structure.nodes, strict=True)
    )
    return replace(
        structure,
        null=tuple(draft.null),
        nodes=nodes,
        paths=tuple(tuple(map(tuple, path)) for path in draft.paths),
    )
