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
from dataclasses import dataclass

from heapwright.base.source import Span
from heapwright.engines.infer.heaps.structure import (
    HALF,
    NO,
    YES,
    Node,
    Structure,
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
    width = vocabulary.width
    one = Node(tuple(values.get(column, HALF) for column in range(width)), single=True, footprint=True)
    rest = Node((HALF,) * width)
    nulls = tuple((null or {}).get(k, HALF) for k in range(len(vocabulary.variables)))
    alone, among = ((YES,),), ((YES, HALF), (HALF, HALF))
    drafts = (
        Structure(nulls, (one,), (alone,) * vocabulary.fields, vocabulary.cyclic),
        Structure(nulls, (one, rest), (among,) * vocabulary.fields, vocabulary.cyclic),
    )
    return [structure for structure in map(normalise, drafts) if structure is not None]


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
    width, size = vocabulary.width, len(vocabulary.variables)
    first, last = reversed(witnesses) if down else witnesses
    ends = tuple(
        Node(
            tuple(YES if column in (vocabulary.at(k), vocabulary.reach(variable)) else HALF for column in range(width)),
            single=True,
            footprint=True,
        )
        for k in (first, last)
    )
    nulls = (HALF,) * size
    rest = Node((HALF,) * width)
    two, others = ((YES, HALF), (HALF, YES)), ((YES, HALF, HALF), (HALF, YES, HALF), (HALF, HALF, HALF))
    more = vocabulary.fields - 1
    drafts = (
        Structure(nulls, ends, (((YES, YES), (NO, YES)), *(two,) * more)),
        Structure(nulls, (*ends, rest), (((YES, YES, HALF), (NO, YES, HALF), (HALF,) * 3), *(others,) * more)),
    )
    return [structure for structure in map(normalise, drafts) if structure is not None]


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
    fields: Sequence[str]
    frees: bool
    reuse: bool = False  # a new object may have the address of one that was freed

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
        there = {
            self.vocabulary.at(self.number[base]): YES,
            self.vocabulary.reach(self.number[value], self.fields.index(field)): YES,
        }
        failing = tuple((edge.source, structure) for structure in some_object(self.vocabulary, there))
        text = f"{self._shown(value)} does not lead to {self._shown(base)}, so that {field} makes no cycle"
        return [Obligation(cycle_id(edge), CYCLE, edge.span, text, failing)]

    def _asserted(self, edge: Edge[c.Command]) -> list[Obligation]:
        command = edge.command
        if not isinstance(command, c.Assert):
            return []
        negated = self._failing(command.literal)
        failing = [unknown(self.vocabulary)] if negated is None else negated
        text = self._claimed(command.literal) or command.check.subject or "the assertion holds"
        at = tuple((edge.source, structure) for structure in failing)
        check = command.check
        untracked = self._untracked(command.literal) if negated is None else ""
        return [Obligation(check.id, check.kind.value, check.span, text, at, untracked)]

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
                variables = [self.number[p.name] for p in pointers if isinstance(p, Var)]
                if len(variables) != len(pointers) or literal.fields[0] not in self.fields:
                    return None
                if negated:
                    return self._shaped(predicate, variables, self.fields.index(literal.fields[0]))
                return self._misshapen(predicate, variables, literal.fields)
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

    def _misshapen(self, predicate: str, variables: list[int], fields: Sequence[str]) -> list[Structure] | None:
        """The heaps that violate a shape predicate; it is false where it would have to read a freed object."""
        alloc = self.vocabulary.alloc
        failing: list[Structure] = []
        along = self.fields.index(fields[0])
        reach = [self.vocabulary.reach(k, along) for k in variables]
        if self.frees:
            for column in reach:
                failing += some_object(self.vocabulary, {column: YES, alloc: NO})
        match predicate, variables:
            case "acyclic", _ if self.vocabulary.cyclic:
                return None
            case "acyclic", _:
                return failing  # every field is acyclic
            case "disjoint", _:
                return failing + some_object(self.vocabulary, dict.fromkeys(reach, YES))
            case "reach", (_, end):
                ended = null_pointer(self.vocabulary, end) if self.vocabulary.cyclic else []
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
            case "acyclic":
                return [unknown(self.vocabulary)]
            case "reach":
                there = some_object(self.vocabulary, {reach[0]: YES, self.vocabulary.at(variables[1]): YES})
                return there + null_pointer(self.vocabulary, variables[1])  # every path ends in null
            case "disjoint":
                return all_objects(self.vocabulary, [{reach[0]: NO}, {reach[0]: YES, reach[1]: NO}])
            case "all_reachable":
                first = [{**dict.fromkeys(reach[:i], NO), reach[i]: YES, alloc: YES} for i in range(len(reach))]
                return all_objects(self.vocabulary, [{alloc: NO}, *first])
        return None

    def _shown(self, name: str) -> str:
        return self.program.variables[name].source_name or "what is stored"


def cycle_id(edge: Edge[c.Command]) -> str:
    return f"{edge.span}:{CYCLE}"
