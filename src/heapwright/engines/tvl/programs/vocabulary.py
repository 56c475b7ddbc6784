"""The vocabulary of a program: variables, fields, what became of objects, and families of further predicates.

| predicate | meaning |
|---|---|
| `x` | variable x points to v |
| `junk x`, `junk T.f` | the variable, or the field f of v, holds junk |
| `T.f` | the field f of u points to v |
| `freed`, `ended`, `heap` | v was freed, its scope has ended, it lives on the heap |
| `is T` | v is an object of type T (where there are several types) |
| `i==c`, `T.d==c` | an integer variable, or the data field d of v, has the value c |
| `new@n` | v comes from the n-th allocation (in programs without loops) |
| `cut[f]`, `t[f]` | the arrow of v that closes a cycle of f; the order along f but for those arrows |
| `r[x,f]`, `c[f]`, `is[f]` | v comes after x in that order; v is on a cycle of f; two f lead to v |
| `t[]`, `r[x]`, `is[]` | closure, reachability and sharing along several fields together, where paths can mix them |
| `b[f,g]`, `b[g]` | where f leads from v, g leads back to v, and the other way round, for fields that go together |

Fields that only lead back (`prev`, `parent`) have no reachability of their own: what is before v in the order can be
reached along them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from heapwright.engines.tvl.programs.constants import Constants
from heapwright.engines.tvl.programs.data import field_name
from heapwright.engines.tvl.programs.family import Family
from heapwright.engines.tvl.programs.fields import FieldRoles
from heapwright.engines.tvl.programs.inverse import Inverse
from heapwright.engines.tvl.programs.names import ENDED, FREED, HEAP, atom, is_type, junk
from heapwright.engines.tvl.programs.reach import Reach
from heapwright.engines.tvl.programs.reach_all import ReachAll
from heapwright.engines.tvl.programs.sites import Sites
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
        families: list[Family] = [Constants(self.program), Sites(self.program)]
        roles = FieldRoles(self.program, self.fields)
        along = [Reach(field, self._leading_to((field,), roles)) for field in roles.forward]
        families += along
        families += [Inverse(back, forth, self.variables) for back, forth in roles.backward.items()]
        if roles.joined:
            mixed = tuple(one for one in along if one.field in roles.joined)
            families.append(ReachAll(mixed, self._leading_to(roles.joined, roles)))
        return tuple(families)

    def _leading_to(self, fields: tuple[str, ...], roles: FieldRoles) -> tuple[str, ...]:
        """The variables from which paths can come to some fields."""
        types = {name: self.program.variables[name].target for name in self.variables}
        return tuple(name for name in self.variables if roles.from_type(types[name]) & set(fields))

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
