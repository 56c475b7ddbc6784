"""The vocabulary of a program: variables, fields, what became of objects, and families of further predicates.

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

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from heapwright.engines.tvl.programs.constants import Constants
from heapwright.engines.tvl.programs.data import field_name
from heapwright.engines.tvl.programs.family import Family
from heapwright.engines.tvl.programs.names import ENDED, FREED, HEAP, atom, is_type, junk
from heapwright.engines.tvl.programs.reach import Reach
from heapwright.engines.tvl.programs.reach_all import ReachAll
from heapwright.logic.formulas import Exists, Formula, Not, Or
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary
from heapwright.program.commands import Load, New, Store
from heapwright.program.graph import Program
from heapwright.program.types import ValueKind


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
    def several_types(self) -> bool:
        return len(self.types) > 1

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """What is tracked beyond variables, fields and the fate of objects."""
        families: list[Family] = [Constants(self.program)]
        families += [Reach(field, self.variables) for field in self.fields]
        if len(self.fields) > 1:
            families.append(ReachAll(self.fields, self.variables))
        return tuple(families)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        predicates = [Predicate(name, 1, unique=True, pointer=True) for name in self.variables]
        predicates += [Predicate(junk(name), 0) for name in self.variables]
        predicates += [Predicate(name, 1) for name in (FREED, ENDED, HEAP)]
        if self.several_types:
            predicates += [Predicate(is_type(name), 1) for name in self.types]
        for field in self.fields:
            predicates += [Predicate(field, 2, function=True), Predicate(junk(field), 1)]
        for family in self.families:
            predicates += family.predicates()
        return Vocabulary(tuple(predicates))

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """What holds in every heap and does not follow from one definition alone."""
        found = [*self._integrity()]
        for family in self.families:
            found += family.constraints()
        return tuple(found)

    def _integrity(self) -> Iterator[Constraint]:
        for field in self.fields:
            arrow = atom(field, "u", "v")
            yield Constraint(atom(junk(field), "u"), Not(arrow))
            yield Constraint(Or((atom(FREED, "u"), atom(ENDED, "u"))), Not(arrow))
            owner = field.rpartition(".")[0]
            if self.several_types and owner in self.types:
                yield Constraint(Exists(("v",), arrow), atom(is_type(owner), "u"))
        for variable in self.variables:
            yield Constraint(atom(junk(variable)), Not(atom(variable, "v")))
        if self.several_types:
            for one_type in self.types:
                for other_type in self.types:
                    if one_type != other_type:
                        yield Constraint(atom(is_type(one_type), "v"), Not(atom(is_type(other_type), "v")))

    def any_field(self, source: str, target: str) -> Formula:
        return Or(tuple(atom(field, source, target) for field in self.fields))
