"""The vocabulary of a program: variables, fields, what became of objects, and reachability.

| predicate | meaning |
|---|---|
| `x` | variable x points to v |
| `junk x`, `junk T.f` | the variable, or the field f of v, holds junk |
| `T.f` | the field f of u points to v |
| `freed`, `ended`, `heap` | v was freed, its scope has ended, it lives on the heap |
| `is T` | v is an object of type T (where there are several types) |
| `i==c`, `T.d==c` | an integer variable, or the data field d of v, has the value c |
| `t[f]`, `r[x,f]`, `c[f]`, `is[f]` | closure of f; v is reached from x along f; v is on a cycle of f; two f lead to v |
| `t[]`, `r[x]`, `is[]` | the same along all fields, where there are several |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from heapwright.engines.tvl.programs.data import field_name, tracked_constants
from heapwright.logic.formulas import (
    And,
    Atom,
    Equal,
    Exists,
    Formula,
    Not,
    Or,
    TransitiveClosure,
)
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary
from heapwright.program.commands import Load, New, Store
from heapwright.program.graph import Program
from heapwright.program.types import ValueKind

FREED, ENDED, HEAP = "freed", "ended", "heap"


def atom(predicate: str, *variables: str) -> Atom:
    return Atom(predicate, variables)


def closure(step: Formula, left: str, right: str, source: str = "s", target: str = "t") -> Formula:
    """left reaches right by zero or more steps; `step` is over source and target."""
    return Or((Equal(left, right), TransitiveClosure(left, right, source, target, step)))


def junk(name: str) -> str:
    return f"junk {name}"


def closure_name(field: str) -> str:
    return f"t[{field}]"


def reach_name(variable: str, field: str) -> str:
    return f"r[{variable},{field}]" if field else f"r[{variable}]"


def cycle_name(field: str) -> str:
    return f"c[{field}]"


def shared_name(field: str) -> str:
    return f"is[{field}]"


def equals(name: str, value: int) -> str:
    return f"{name}=={value}"


@dataclass(frozen=True)
class HeapVocabulary:
    """Which predicates a program needs."""

    program: Program

    @cached_property
    def variables(self) -> tuple[str, ...]:
        return tuple(n for n, v in self.program.variables.items() if v.kind is ValueKind.POINTER)

    @cached_property
    def types(self) -> tuple[str, ...]:
        """Of the objects that the program creates."""
        found = {edge.command.type for edge in self.program.graph.edges if isinstance(edge.command, New)}
        return tuple(sorted(found))

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Pointer fields that are read or written, by type."""
        used = {
            self.field(edge.command.base, edge.command.field)
            for edge in self.program.graph.edges
            if isinstance(edge.command, Load | Store)
        }
        return tuple(sorted(used))

    def field(self, base: str, name: str) -> str:
        return field_name(self.program, base, name)

    def fields_of(self, type: str) -> tuple[str, ...]:
        return tuple(field for field in self.fields if field.startswith(f"{type}."))

    @property
    def several_fields(self) -> bool:
        return len(self.fields) > 1

    @property
    def several_types(self) -> bool:
        return len(self.types) > 1

    # --- data -----------------------------------------------------------------------------------------------------

    @cached_property
    def constants(self) -> dict[str, tuple[int, ...]]:
        """The values of interest of integer variables and data fields that are set to constants and tested."""
        return tracked_constants(self.program)

    # --- the vocabulary -------------------------------------------------------------------------------------------

    @cached_property
    def vocabulary(self) -> Vocabulary:
        predicates = [Predicate(name, 1, unique=True, pointer=True) for name in self.variables]
        predicates += [Predicate(junk(name), 0) for name in self.variables]
        predicates += [Predicate(name, 1) for name in (FREED, ENDED, HEAP)]
        if self.several_types:
            predicates += [Predicate(f"is {name}", 1) for name in self.types]
        for name, values in self.constants.items():
            arity = 1 if self.is_field(name) else 0
            predicates += [Predicate(equals(name, value), arity) for value in values]
        for field in self.fields:
            predicates += [Predicate(field, 2, function=True), Predicate(junk(field), 1)]
        for field in self.fields:
            predicates += self._instrumentation(field, atom(field, "s", "t"))
        if self.several_fields:
            predicates += self._instrumentation("", self.any_field("s", "t"))
        return Vocabulary(tuple(predicates))

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """What holds in every heap and does not follow from one definition alone."""
        return tuple(integrity(self))

    def is_field(self, name: str) -> bool:
        return name not in self.program.variables

    def any_field(self, source: str, target: str, fields: Iterable[str] | None = None) -> Formula:
        return Or(tuple(atom(field, source, target) for field in (self.fields if fields is None else fields)))

    def _instrumentation(self, field: str, step: Formula) -> list[Predicate]:
        path = closure_name(field)
        found = [
            Predicate(path, 2, closure(step, "u", "v"), ("u", "v"), reflexive=True, transitive=True, shown=frozenset()),
            Predicate(shared_name(field), 1, self.shared(field), ("v",)),
        ]
        if field:
            on_cycle = Exists(("w",), And((atom(field, "v", "w"), atom(path, "w", "v"))))
            found.append(Predicate(cycle_name(field), 1, on_cycle, ("v",)))
        for variable in self.variables:
            reached = Exists(("u",), And((atom(variable, "u"), atom(path, "u", "v"))))
            found.append(Predicate(reach_name(variable, field), 1, reached, ("v",)))
        return found

    def shared(self, along: str, without: tuple[str, str] | None = None) -> Formula:
        """Two arrows lead to v: from two objects, or from two fields of one. `without` names an arrow that does not
        count by its field and the variable that points to its source."""

        def arrow(field: str, source: str) -> Formula:
            there = atom(field, source, "v")
            return And((there, Not(atom(without[1], source)))) if without and field == without[0] else there

        fields = (along,) if along else self.fields
        cases: list[Formula] = [
            Exists(("a", "b"), And((arrow(f, "a"), arrow(g, "b"), Not(Equal("a", "b")))))
            for place, f in enumerate(fields)
            for g in fields[place:]
        ]
        cases += [
            Exists(("a",), And((arrow(f, "a"), arrow(g, "a"))))
            for place, f in enumerate(fields)
            for g in fields[place + 1 :]
        ]
        return Or(tuple(cases)) if len(cases) > 1 else cases[0]


# --- integrity -------------------------------------------------------------------------------------------------------


def integrity(heap: HeapVocabulary) -> Iterator[Constraint]:
    for field in heap.fields:
        arrow = atom(field, "u", "v")
        yield Constraint(atom(junk(field), "u"), Not(arrow))
        yield Constraint(Or((atom(FREED, "u"), atom(ENDED, "u"))), Not(arrow))
        owner = field.rpartition(".")[0]
        if heap.several_types and owner in heap.types:
            yield Constraint(Exists(("v",), arrow), atom(f"is {owner}", "u"))
    for variable in heap.variables:
        yield Constraint(atom(junk(variable)), Not(atom(variable, "v")))
    for name, values in heap.constants.items():
        arguments = ("v",) if heap.is_field(name) else ()
        for one in values:
            for other in values:
                if one != other:
                    yield Constraint(atom(equals(name, one), *arguments), Not(atom(equals(name, other), *arguments)))
    if heap.several_types:
        for one_type in heap.types:
            for other_type in heap.types:
                if one_type != other_type:
                    yield Constraint(atom(f"is {one_type}", "v"), Not(atom(f"is {other_type}", "v")))
    if heap.several_fields:
        yield from _all_fields(heap)


def _all_fields(heap: HeapVocabulary) -> Iterator[Constraint]:
    """Predicates along all fields and along one of them; what is not shared has one arrow."""
    unshared = Not(atom(shared_name(""), "v"))
    for field in heap.fields:
        pairs = [(atom(closure_name(field), "u", "v"), atom(closure_name(""), "u", "v"))]
        pairs.append((atom(shared_name(field), "v"), atom(shared_name(""), "v")))
        pairs += [(atom(reach_name(x, field), "v"), atom(reach_name(x, ""), "v")) for x in heap.variables]
        for one, all_ in pairs:
            yield Constraint(one, all_)
            yield Constraint(Not(all_), Not(one))
        for other in heap.fields:
            elsewhere = Exists(("a",), And((atom(field, "a", "v"), Not(Equal("a", "b")))))
            yield Constraint(And((unshared, elsewhere)), Not(atom(other, "b", "v")))
            if other != field:
                yield Constraint(And((unshared, atom(field, "b", "v"))), Not(atom(other, "b", "v")))
