"""Obligations, and the structures that violate them: the negated assertions of section 4.2.1 of the paper.

A universal assertion is violated by one object: a node of the footprint, alone or with a summary node for all others.
An existential assertion is violated by a single structure.

>>> vocabulary = Vocabulary(("x", "y"))
>>> shared = some_object(vocabulary, {vocabulary.reach(0): YES, vocabulary.reach(1): YES})
>>> [len(structure.nodes) for structure in shared]
[1, 2]
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from heapwright.base.source import Span
from heapwright.engines.infer.heaps.object_layout import ObjectLayout
from heapwright.engines.infer.heaps.structure import (
    HALF,
    NO,
    YES,
    Node,
    Structure,
    Tree,
    Vocabulary,
    normalise,
    unknown,
    with_null,
)
from heapwright.program import commands as c
from heapwright.program.checks import CheckKind
from heapwright.program.expressions import Compare, Const, Literal, Null, Pointer, PointerCompare, ShapeLiteral, Var
from heapwright.program.graph import Edge, Program

CYCLE = "cycle"
ORDERS = ("sorted", "sorted_down")


@dataclass(frozen=True, slots=True)
class Obligation:
    """Assertion that must hold at some edges; `kind` is that of a check, or `cycle`. `failing` are locations and the
    structures that violate it there."""

    id: str
    kind: str
    span: Span
    text: str
    failing: tuple[tuple[int, Structure], ...]
    untracked: str = ""  # what it depends on that is not tracked, so that it may fail in any state

    @property
    def followed(self) -> bool:
        return not self.untracked


def some_object(
    vocabulary: Vocabulary, values: Mapping[int, int], null: Mapping[int, int] | None = None
) -> list[Structure]:
    """The heaps with an object of these values: that one alone, or with others."""
    return objects(vocabulary, [values], {}, null)


def objects(
    vocabulary: Vocabulary,
    values: Sequence[Mapping[int, int]],
    paths: Mapping[tuple[int, int, int], int],
    null: Mapping[int, int] | None = None,
) -> list[Structure]:
    """The heaps with different objects of these values, alone or with others. `paths`: whether one reaches another
    along a field."""
    width, size = vocabulary.width, len(values)
    ones = tuple(
        Node(tuple(each.get(column, HALF) for column in range(width)), single=True, footprint=True) for each in values
    )
    nulls = tuple((null or {}).get(k, HALF) for k in range(len(vocabulary.variables)))
    found: list[Structure] = []
    for nodes in (ones, (*ones, Node((HALF,) * width))):
        numbers = range(len(nodes))
        tables = tuple(
            tuple(tuple(YES if i == j < size else paths.get((i, j, field), HALF) for j in numbers) for i in numbers)
            for field in range(vocabulary.fields)
        )
        settled = normalise(Structure(nulls, nodes, tables, vocabulary.cyclic))
        found += [] if settled is None else [settled]
    return found


def all_objects(vocabulary: Vocabulary, kinds: Sequence[Mapping[int, int]]) -> list[Structure]:
    """The heaps all of whose objects are of these kinds, which exclude one another: a summary node for each kind that
    has objects."""
    nodes = [Node(tuple(values.get(column, HALF) for column in range(vocabulary.width))) for values in kinds]
    nulls = (HALF,) * len(vocabulary.variables)
    found: list[Structure] = []
    for size in range(1, len(nodes) + 1):
        for some in itertools.combinations(nodes, size):
            table = ((HALF,) * size,) * size
            draft = Structure(nulls, some, (table,) * vocabulary.fields, vocabulary.cyclic)
            settled = normalise(draft)
            found += [] if settled is None else [settled]
    return found


def out_of_order(vocabulary: Vocabulary, variable: int, *, down: bool = False) -> list[Structure]:
    """The heaps in which the witnesses are on the list of a variable in the wrong order."""
    witnesses = vocabulary.witnesses
    assert witnesses is not None, "an asserted order requires a key"
    first, last = reversed(witnesses) if down else witnesses
    ends = [{vocabulary.at(k): YES, vocabulary.reach(variable): YES} for k in (first, last)]
    return objects(vocabulary, ends, {(0, 1, 0): YES, (1, 0, 0): NO})


def not_doubly_linked(vocabulary: Vocabulary, variable: int, field: int, back: int) -> list[Structure]:
    """The heaps in which an object on the list of a variable does not lead back to one before it, or leads back to one
    that is neither before it nor what the variable leads back to."""
    assert vocabulary.witnesses is not None, "an asserted doubly linked list requires witnesses"
    on, behind = vocabulary.reach(variable, field), vocabulary.reach(variable, back)
    first, last = ({vocabulary.at(k): YES} for k in vocabulary.witnesses)
    here, beyond, strange, off = {**first, on: YES}, {**last, on: YES}, {**last, behind: NO}, {**last, on: NO}
    found = objects(vocabulary, [here, beyond], {(0, 1, field): YES, (1, 0, back): NO})
    found += objects(vocabulary, [here, {**strange, **off}], {(0, 1, back): YES})
    return found + objects(vocabulary, [here, {**strange, **beyond}], {(0, 1, back): YES, (1, 0, field): NO})


def null_pointer(vocabulary: Vocabulary, *variables: int) -> list[Structure]:
    """The heaps in which these variables are null."""
    structure = unknown(vocabulary)
    for variable in variables:
        structure = with_null(structure, variable, YES)
    settled = normalise(structure)
    return [] if settled is None else [settled]


@dataclass(frozen=True, slots=True)
class Obligations:
    program: Program
    vocabulary: Vocabulary
    number: Mapping[str, int]
    layout: ObjectLayout
    frees: bool
    reuse: bool  # a new object may have the address of one that was freed
    trees: Mapping[tuple[int, str, tuple[str, ...]], Tree]  # tests of inputs

    def of(self, edges: Sequence[Edge[c.Command]]) -> tuple[Obligation, ...]:
        """One for each check and each write that may make a cycle, in source order."""
        found: dict[str, Obligation] = {}
        for edge in edges:
            for new in (*self._checks(edge), *self._asserted(edge), *self._cycles(edge)):
                old = found.get(new.id)
                failing = (
                    new.failing
                    if old is None
                    else (*old.failing, *(one for one in new.failing if one not in old.failing))
                )
                untracked = new.untracked or ("" if old is None else old.untracked)
                found[new.id] = Obligation(new.id, new.kind, new.span, new.text, failing, untracked)
        return tuple(sorted(found.values(), key=lambda d: (d.span, d.kind)))

    def _checks(self, edge: Edge[c.Command]) -> list[Obligation]:
        command = edge.command
        if not isinstance(command, c.Load | c.Store | c.LoadData | c.StoreData | c.Free | c.Inspect):
            return []
        base = self.number[command.base]
        freed = (
            some_object(self.vocabulary, {self.vocabulary.at(base): YES, self.vocabulary.alloc: NO})
            if self.frees
            else []
        )
        violations = {
            CheckKind.NULL_DEREF: ("is not null", null_pointer(self.vocabulary, base)),
            CheckKind.USE_AFTER_FREE: ("has not been freed", freed),
            CheckKind.DOUBLE_FREE: ("has not been freed", freed),
        }
        found: list[Obligation] = []
        for check in edge.checks:
            text, failing = violations.get(check.kind, ("", []))
            if failing:
                shown = f"{check.subject or self._shown(command.base)} {text}"
                at = tuple((edge.source, structure) for structure in failing)
                found.append(Obligation(check.id, check.kind.value, check.span, shown, at))
        return found

    def _cycles(self, edge: Edge[c.Command]) -> list[Obligation]:
        match edge.command:
            case c.Store(base, field, Var(value)):
                pass
            case _:
                return []
        along = self._field(base, field)
        if along is None or not self.layout.loops(along):
            return []
        there = {
            self.vocabulary.at(self.number[base]): YES,
            self.vocabulary.reach(self.number[value], along): YES,
        }
        failing = tuple((edge.source, structure) for structure in some_object(self.vocabulary, there))
        text = f"{self._shown(value)} does not lead to {self._shown(base)}, so that {field} makes no cycle"
        return [Obligation(cycle_id(edge), CYCLE, edge.span, text, failing)]

    def _asserted(self, edge: Edge[c.Command]) -> list[Obligation]:
        command = edge.command
        if not isinstance(command, c.Assert):
            return []
        negated = self._no_tree(edge.source, command.literal)
        negated = self._failing(command.literal) if negated is None else negated
        failing = [unknown(self.vocabulary)] if negated is None else negated
        text = self._claimed(command.literal) or command.check.subject or "the assertion holds"
        at = tuple((edge.source, structure) for structure in failing)
        check = command.check
        untracked = self._untracked(command.literal) if negated is None else ""
        return [Obligation(check.id, check.kind.value, check.span, text, at, untracked)]

    def _no_tree(self, location: int, literal: Literal) -> list[Structure] | None:
        """The heaps that violate an assertion about a tree that has not changed since the entry."""
        match literal:
            case ShapeLiteral("tree", (Var(name),), fields, negated) if (location, name, fields[:2]) in self.trees:
                ghost = self.number[self.trees[location, name, fields[:2]].name]
                settled = normalise(with_null(unknown(self.vocabulary), ghost, YES if negated else NO))
                return [] if settled is None else [settled]
        return None

    def _untracked(self, literal: Literal) -> str:
        match literal:
            case PointerCompare():
                return "addresses" if self.reuse else "the order of addresses"
            case ShapeLiteral(predicate):
                return "the order of integers" if predicate in ORDERS else f"the shape hw_{predicate}"
            case _:
                return "integers"

    def _claimed(self, literal: Literal) -> str:
        """A shape predicate in the syntax of heapwright.h."""
        if not isinstance(literal, ShapeLiteral):
            return ""
        pointers = [self._shown(pointer.name) if isinstance(pointer, Var) else "0" for pointer in literal.pointers]
        sign = "!" if literal.negated else ""
        return f"{sign}hw_{literal.predicate}({', '.join((*pointers, *literal.fields))})"

    def _failing(self, literal: Literal) -> list[Structure] | None:
        """The heaps that violate a literal; None if it depends on values that are not tracked."""
        match literal:
            case Compare(op, Const(left), Const(right)) if op in ("==", "!="):
                return [] if (left == right) == (op == "==") else [unknown(self.vocabulary)]
            case PointerCompare("==" | "!=" as op, left, right) if not self.reuse:
                return self._equal(left, right) if op == "!=" else self._different(left, right)
            case ShapeLiteral(predicate, pointers, _, negated):
                names = [p.name for p in pointers if isinstance(p, Var)]
                along = self._field(names[0], literal.fields[0]) if names else None
                if len(names) != len(pointers) or along is None or not self.layout.loops(along):
                    return None
                if predicate == "all_reachable" and self.layout.several:
                    return None
                variables = [self.number[name] for name in names]
                if negated:
                    return self._shaped(predicate, variables, along)
                return self._misshapen(predicate, variables, along, literal.fields)
            case _:
                return None

    def _equal(self, left: Pointer, right: Pointer) -> list[Structure]:
        variables = [self.number[p.name] for p in (left, right) if isinstance(p, Var)]
        both = null_pointer(self.vocabulary, *variables)
        if len(variables) == 2:
            both += some_object(self.vocabulary, {self.vocabulary.at(k): YES for k in variables})
        return both

    def _different(self, left: Pointer, right: Pointer) -> list[Structure] | None:
        match left, right:
            case (Var(name), Null()) | (Null(), Var(name)):
                return some_object(self.vocabulary, {self.vocabulary.at(self.number[name]): YES})
            case Var(one), Var(other):
                first, second = self.vocabulary.at(self.number[one]), self.vocabulary.at(self.number[other])
                cases = some_object(self.vocabulary, {first: YES, second: NO})
                return cases + some_object(self.vocabulary, {first: NO, second: YES})
        return None

    def _field(self, name: str, field: str) -> int | None:
        return self.layout.number(self.program.variables[name].target, field)

    def _misshapen(
        self, predicate: str, variables: list[int], along: int, fields: Sequence[str]
    ) -> list[Structure] | None:
        """The heaps that violate a shape predicate; it is false where it would have to read a freed object."""
        alloc = self.vocabulary.alloc
        failing: list[Structure] = []
        reach = [self.vocabulary.reach(k, along) for k in variables]
        if self.frees:
            for column in reach:
                failing += some_object(self.vocabulary, {column: YES, alloc: NO})
        match predicate, variables:
            case "acyclic", (one,) if self.vocabulary.cyclic:
                return self._endless(one)
            case "acyclic", _:
                return failing  # every field is acyclic
            case "cyclic", (one,) if self.vocabulary.cyclic:
                here = {self.vocabulary.at(one): YES}
                leaving = objects(self.vocabulary, [here, {reach[0]: YES}], {(1, 0, along): NO})
                return some_object(self.vocabulary, {reach[0]: YES, self.vocabulary.ends: YES}) + leaving
            case "cyclic", (one,):
                return failing + some_object(self.vocabulary, {self.vocabulary.at(one): YES})
            case "dll", (one,) if self.vocabulary.pair:
                back = self.layout.number(self.layout.types[self.layout.fields[along].source], fields[1])
                return None if back is None else failing + not_doubly_linked(self.vocabulary, one, along, back)
            case "disjoint", _:
                return failing + some_object(self.vocabulary, dict.fromkeys(reach, YES))
            case "reach", (_, end):
                ended = null_pointer(self.vocabulary, end) if self.vocabulary.cyclic else []  # perhaps it never ends
                return failing + ended + some_object(self.vocabulary, {reach[0]: NO, self.vocabulary.at(end): YES})
            case "all_reachable", _:
                return failing + some_object(self.vocabulary, {**dict.fromkeys(reach, NO), alloc: YES})
            case "sorted" | "sorted_down", (one,) if along == 0 and fields[1] == self.vocabulary.key:
                return failing + out_of_order(self.vocabulary, one, down=predicate == "sorted_down")
        return None

    def _shaped(self, predicate: str, variables: list[int], along: int) -> list[Structure] | None:
        """The heaps that satisfy a shape predicate, or more where it would have to read a freed object."""
        alloc = self.vocabulary.alloc
        reach = [self.vocabulary.reach(k, along) for k in variables]
        match predicate:
            case "acyclic" if self.vocabulary.cyclic:
                ending = some_object(self.vocabulary, {reach[0]: YES, self.vocabulary.ends: YES})
                return ending + null_pointer(self.vocabulary, variables[0])
            case "acyclic":
                return [unknown(self.vocabulary)]
            case "cyclic":
                circles = self._circles(variables[0]) if self.vocabulary.cyclic else []
                return circles + null_pointer(self.vocabulary, variables[0])
            case "reach":
                there = some_object(self.vocabulary, {reach[0]: YES, self.vocabulary.at(variables[1]): YES})
                return there + null_pointer(self.vocabulary, variables[1])  # every path ends in null
            case "disjoint":
                return all_objects(self.vocabulary, [{reach[0]: NO}, {reach[0]: YES, reach[1]: NO}])
            case "all_reachable":
                first = [{**dict.fromkeys(reach[:i], NO), reach[i]: YES, alloc: YES} for i in range(len(reach))]
                return all_objects(self.vocabulary, [{alloc: NO}, *first])
        return None

    def _endless(self, variable: int) -> list[Structure]:
        """The heaps in which a variable is not null, and no object that it reaches is the last."""
        reach, ends = self.vocabulary.reach(variable), self.vocabulary.ends
        found = all_objects(self.vocabulary, [{reach: NO}, {reach: YES, ends: NO}])
        settled = [normalise(with_null(structure, variable, NO)) for structure in found]
        return [one for one in settled if one is not None]

    def _circles(self, variable: int) -> list[Structure]:
        """The heaps in which a variable is on a circle: alone, or with objects that lead back to it."""
        vocabulary = self.vocabulary
        at, reach, ends = vocabulary.at(variable), vocabulary.reach(variable), vocabulary.ends
        kinds = [{at: YES, reach: YES, ends: NO}, {at: NO, reach: YES, ends: NO}, {at: NO, reach: NO}]
        nodes = [Node(tuple(kind.get(c, HALF) for c in range(vocabulary.width))) for kind in kinds]
        nulls = tuple(NO if k == variable else HALF for k in range(len(vocabulary.variables)))
        found: list[Structure] = []
        for others in ((), (1,), (2,), (1, 2)):
            chosen = (0, *others)
            table = tuple(tuple(YES if i != j and {i, j} == {0, 1} else HALF for j in chosen) for i in chosen)
            one, *rest = (nodes[i] for i in chosen)
            draft = Structure(nulls, (replace(one, single=True), *rest), (table,), True)
            settled = normalise(draft)
            found += [] if settled is None else [settled]
        return found

    def _shown(self, name: str) -> str:
        return self.program.variables[name].source_name or "what is stored"


def cycle_id(edge: Edge[c.Command]) -> str:
    return f"{edge.span}:{CYCLE}"
