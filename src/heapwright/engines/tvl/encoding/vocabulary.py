"""The vocabulary of a program: variables, fields, lifetimes of objects, and families of instrumentation predicates.

| predicate | meaning |
|---|---|
| `x` | variable x points to v |
| `junk x`, `junk T.f` | the variable, or the field f of v, holds junk |
| `T.f` | the field f of u points to v |
| `T[]` | one of the cells of u that share a name points to v |
| `freed`, `ended`, `heap` | v was freed, its scope has ended, it lives on the heap |
| `lost blocks` | a live block has become unreachable before (where something asks for that) |
| `undecided T.f`, `input` | the field f of the input block v has not been read yet; v is an input block |
| `is T` | v is an object of type T (where there are several types) |
| `key i`, `value[T.d]` | v has the value of the integer variable i; v is a value, no block |
| `dle[T.d]`, `deq[T.d]` | the key d of u is at most that of v; they are equal (where nothing else matters) |
| `below[i]`, `above[i]` | the key of v is at most, or at least, the integer variable i |
| `inOrder[T.f]`, `inOrder[T.f<]` | the key of what f leads to is at least that of v, or in another relation to it |
| `i==c`, `T.d==c` | an integer variable, or the data field d of v, has the value c |
| `new@n` | v comes from the n-th allocation (in programs without loops) |
| `cut[f]`, `t[f]` | the arrow of v that closes a cycle of f; the order along f but for those arrows |
| `r[x,f]`, `o[x,f]` | v comes after x in that order; v is on the cycle that x leads to |
| `c[f]`, `is[f]` | v is on a cycle of f; two f lead to v |
| `t[]`, `r[x]`, `is[]` | closure, reachability and sharing along several fields together, where paths can mix them |
| `h[x]`, `p[g,n]` | v is reached from what activation records hold; one of the n-th call holds v in its field g |
| `n[g]`, `nested[x,g]` | the record v holds something in g; records hold what is below what their callers hold |
| `leads[g,f,h]` | where the record v holds something in g and in h, f leads from the first to the second |
| `has[f]` | the field f of v leads somewhere (where what it leads to is used without a test) |
| `b[f,g]`, `b[g]` | where f leads from v, g leads back to v, and the other way round, for fields that go together |

Fields that only lead back (`prev`, `parent`) have no reachability of their own: what is before v in the order can be
reached along them. Fields that paths take in turn (`left`, `right`) have no `r[x,f]` and `o[x,f]` each, but `r[x]`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from heapwright.engines.tvl.encoding import predicate_names as names
from heapwright.engines.tvl.encoding.memory.cells import Cell
from heapwright.engines.tvl.encoding.memory.field_roles import FieldRoles
from heapwright.engines.tvl.encoding.memory.keys import KeyCells, Keys, orders_along, tracked_keys
from heapwright.engines.tvl.encoding.memory.offsets import Kind
from heapwright.engines.tvl.encoding.memory.points_to import PointsTo, flow_of
from heapwright.engines.tvl.encoding.memory.resolved_commands import Case, Resolver
from heapwright.engines.tvl.encoding.predicates.allocation_sites import Sites
from heapwright.engines.tvl.encoding.predicates.family import Family
from heapwright.engines.tvl.encoding.predicates.field_reachability import Reach
from heapwright.engines.tvl.encoding.predicates.filled_fields import FilledFields
from heapwright.engines.tvl.encoding.predicates.heap_reachability import ReachAll
from heapwright.engines.tvl.encoding.predicates.integer_constants import Constants
from heapwright.engines.tvl.encoding.predicates.inverse_fields import Inverse
from heapwright.engines.tvl.encoding.predicates.key_bounds import sides
from heapwright.engines.tvl.encoding.predicates.key_order import Order
from heapwright.engines.tvl.encoding.predicates.offset_tags import Tags
from heapwright.engines.tvl.encoding.predicates.sortedness import InOrder
from heapwright.engines.tvl.encoding.record_families import frames_of, return_sites
from heapwright.engines.tvl.encoding.remembered_successors import is_remembered
from heapwright.logic.formulas import Exists, Formula, Not, Or, atom
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary
from heapwright.program.commands import AnyPointer, Assert, Assume, Load, New
from heapwright.program.dataflow.liveness import Liveness
from heapwright.program.dataflow.tracked_integers import field_name
from heapwright.program.dataflow.value_sets import ValueSets
from heapwright.program.expressions import PointerCompare, ShapeLiteral, Var
from heapwright.program.graph import Program
from heapwright.program.types import ValueKind, Variable

Supply = Callable[[Vocabulary], Vocabulary]  # adds user predicates


@dataclass(frozen=True)
class HeapVocabulary:
    """The predicates that a program needs. `origin` is that of the program from which this one was made, if from
    any."""

    program: Program
    origin: HeapVocabulary | None = None
    all_keys: bool = False  # not only those on which claims depend
    supplied: Supply | None = None  # further instrumentation predicates, whose updates are derived
    counted: bool = False  # the program has constants for variables with one value, see `counting`
    counters: Mapping[str, tuple[int, ...]] = dataclasses.field(default_factory=dict)  # with all their values

    @classmethod
    def counting(cls, program: Program, all_keys: bool = False, supplied: Supply | None = None) -> HeapVocabulary:
        """That of a program with constants for variables that have one value; others with few are followed."""
        values = ValueSets(program)
        folded = values.folded()
        counted = folded is not program or bool(values.counters)
        return cls(folded, None, all_keys, supplied, counted, values.counters)

    def __post_init__(self) -> None:
        """The analysis of a program with inputs has variables of its own."""
        if any(isinstance(edge.command, AnyPointer) for edge in self.program.graph.edges):
            own = {
                name: Variable(name, ValueKind.POINTER) for name in (names.INPUTS, names.FRESH, names.KNOWN, names.OPEN)
            }
            augmented = replace(self.program, variables={**self.program.variables, **own})
            object.__setattr__(self, "program", augmented)

    @cached_property
    def of_environment(self) -> bool:
        """Whether inputs are memory of the environment, which is not on the heap of the program."""
        edges = self.program.graph.edges
        return any(isinstance(edge.command, AnyPointer) and edge.command.environment for edge in edges)

    @cached_property
    def flow(self) -> PointsTo:
        return flow_of(self.program)

    @cached_property
    def liveness(self) -> Liveness:
        return Liveness(self.program)

    @cached_property
    def _resolution(self) -> tuple[Program, tuple[tuple[Case, ...], ...]]:
        return Resolver(self.program, self.flow).resolved()

    @property
    def resolved(self) -> Program:
        """The program as families see it, with cells instead of fields."""
        return self._resolution[0]

    @property
    def cases(self) -> tuple[tuple[Case, ...], ...]:
        """Of each edge of the program."""
        return self._resolution[1]

    @cached_property
    def variables(self) -> tuple[str, ...]:
        return tuple(n for n, v in self.program.variables.items() if v.kind is ValueKind.POINTER)

    @cached_property
    def integers(self) -> tuple[str, ...]:
        return tuple(n for n, v in self.program.variables.items() if v.kind is ValueKind.DATA)

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The kinds of the blocks that the program creates."""
        return tuple(kind.name for kind in self.flow.blocks.kinds)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Cells that hold pointers and are read or written."""
        return tuple(sorted({cell.name for cell in self._used if not cell.many} | self._in_shapes))

    @cached_property
    def arrays(self) -> tuple[str, ...]:
        """The same of cells that share a name with others of their block."""
        return tuple(sorted({cell.name for cell in self._used if cell.many}))

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Cells that may be undecided."""
        return tuple(cell for cell in (*self.fields, *self.arrays) if cell in self.flow.inputs)

    @property
    def takes_inputs(self) -> bool:
        return names.INPUTS in self.program.variables

    @property
    def _in_shapes(self) -> set[str]:
        """Cells of input blocks that shape predicates of heapwright.h read."""
        commands = (edge.command for edge in self.resolved.graph.edges)
        literals = (command.literal for command in commands if isinstance(command, Assume | Assert))
        return {cell for one in literals if isinstance(one, ShapeLiteral) for cell in one.fields} & set(
            self.flow.inputs
        )

    @property
    def _used(self) -> Iterator[Cell]:
        for case in (case for cases in self.cases for case in cases if case.access is not None):
            assert case.access is not None
            for cell in (case.access.cell, *case.access.overlapped):
                if cell is not None and cell.field.kind is ValueKind.POINTER:
                    yield cell

    def cells_of(self, command: New) -> frozenset[str]:
        """The cells of the blocks that a command makes."""
        if command.target == names.FRESH:
            return next(cells for kind, cells in self.cells_by_kind.items() if kind.name == command.type)
        sites = [site for site, edge in enumerate(self.program.graph.edges) if edge.command == command]
        kinds = [self.flow.blocks.kind(self.flow.blocks.created(command, site)) for site in sites]
        return frozenset(cell.name for kind in kinds for cell in self.flow.blocks.cells(kind))

    @cached_property
    def remembers_lost(self) -> bool:
        """Some check depends on garbage that was lost before."""
        commands = (edge.command for edge in self.program.graph.edges)
        literals = (command.literal for command in commands if isinstance(command, Assume | Assert))
        asked = any(isinstance(one, ShapeLiteral) and one.predicate == "all_reachable" for one in literals)
        return asked or any(check.cleanup for check in self.program.checks)

    @property
    def several_types(self) -> bool:
        return len(self.types) > 1

    @cached_property
    def tags(self) -> Tags:
        return Tags(self.flow, self.variables, self.fields)

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """Families of predicates beyond variables, fields and lifetimes."""
        unnamed = frozenset(cell for cell, _ in return_sites(self))
        constants = Constants(self.resolved, self.cells_of, self.counters, unnamed)
        families: list[Family] = [self.tags, constants, Sites(self.resolved)]
        roles = self.roles
        holders = {holder for _, each in roles.records for holder in each}
        forward = [field for field in roles.forward if field not in holders]
        along = [Reach(f, () if f in roles.branching else self._leading_to((f,))) for f in forward]
        families += along
        mixing: list[ReachAll] = []
        families += self._inverses()
        families += self._filled()
        if roles.joined or self.arrays:
            mixed = tuple(one for one in along if one.field in roles.joined)
            leading = self._leading_to((*roles.joined, *self.arrays))
            mixing.append(ReachAll(mixed, leading, self.arrays))
        families += mixing
        families += frames_of(self, along, mixing)
        for keys in self.keys:
            order = Order(self.key_cells, keys)
            links = orders_along((self.origin or self).key_cells, keys, roles.forward) if keys.ordered else ()
            reaches = {reach.field: reach for reach in along}
            families.append(order)
            families += [InOrder(order, reaches[link], relation) for link, relation in sorted(links) if link in reaches]
            families += sides(order)
        return tuple(families)

    @property
    def reachability(self) -> tuple[Family, ...]:
        """Reachability from all variables, and which fields are set; without activation records and arrays."""
        roles = self.roles
        along = [Reach(one, self._leading_to((one,))) for one in roles.forward]
        families: list[Family] = [*along, *self._inverses(), *self._filled()]
        if roles.joined:
            mixed = tuple(one for one in along if one.field in roles.joined)
            families.append(ReachAll(mixed, self._leading_to(roles.joined), ()))
        return tuple(families)

    def _filled(self) -> list[FilledFields]:
        return [FilledFields(field) for field in self.roles.filled if field not in self.inputs]

    def _inverses(self) -> list[Inverse]:
        return [Inverse(back, forth, self.variables) for back, forth in self.roles.backward.items()]

    @cached_property
    def keys(self) -> tuple[Keys, ...]:
        """The groups of integers whose order is tracked."""
        return tracked_keys(self.key_cells, every=self.all_keys)

    @cached_property
    def key_cells(self) -> KeyCells:
        blocks = self.flow.blocks
        cells = [cell for kind in blocks.kinds for cell in blocks.cells(kind) if not cell.many]
        types = {cell.name: cell.field.type for cell in cells if cell.field.type is not None}
        return KeyCells(self.resolved, tuple(self.cells_by_kind.values()), types)

    @cached_property
    def roles(self) -> FieldRoles:
        return FieldRoles((self.origin or self).resolved, self.fields, self.flow, self.arrays)

    def _leading_to(self, fields: tuple[str, ...]) -> tuple[str, ...]:
        """The variables from which paths can come to some fields. What records lead to is another matter."""
        chains = fields in {(chain,) for chain, _ in self.roles.records}
        leading = [name for name in self.variables if self.roles.is_record(name) == chains]
        return tuple(name for name in leading if self.roles.beyond(name) & set(fields))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return self.supplied(self._own) if self.supplied is not None else self._own

    @cached_property
    def added(self) -> tuple[Predicate, ...]:
        """User predicates."""
        return tuple(predicate for predicate in self.vocabulary.predicates if predicate.name not in self._own)

    @cached_property
    def _own(self) -> Vocabulary:
        predicates = [Predicate(name, 1, unique=True, pointer=True) for name in self.variables]
        predicates += [Predicate(names.junk(name), 0) for name in self.variables]
        predicates += [Predicate(name, 1) for name in (names.FREED, names.ENDED, names.HEAP)]
        predicates += [Predicate(names.LOST, 0, abstraction=False)] if self.remembers_lost else []
        if self.several_types:
            predicates += [Predicate(names.is_type(name), 1) for name in self.types]
        for field in self.fields:
            pairs = self._tested(field) if field in self.roles.branching else ()
            predicates += [Predicate(field, 2, function=True, separates=pairs), Predicate(names.junk(field), 1)]
        for cells in self.arrays:
            predicates += [
                Predicate(cells, 2),
                Predicate(names.junk(cells), 1),
                Predicate(names.chosen(cells), 2, function=True),
            ]
        if self.takes_inputs:
            predicates += [Predicate(names.INPUT, 1, abstraction=False), Predicate(names.PICKED, 2, function=True)]
            predicates += [Predicate(names.undecided(cell), 1) for cell in self.inputs]
        for family in self.families:
            predicates += family.predicates()
        return Vocabulary(tuple(predicates))

    def _tested(self, field: str) -> tuple[tuple[str, str], ...]:
        """Pairs x, y for which the program tests whether x.field is y."""
        read: dict[str, set[str]] = {}
        found: set[tuple[str, str]] = set()
        for edge in self.resolved.graph.edges:
            if isinstance(c := edge.command, Load) and field_name(self.resolved, c.base, c.field) == field:
                read.setdefault(c.target, set()).add(c.base)
        for edge in self.resolved.graph.edges:
            match edge.command:
                case Assume(PointerCompare(_, Var(one), Var(other))):
                    found.update((base, other) for base in read.get(one, ()))
                    found.update((base, one) for base in read.get(other, ()))
        return tuple(sorted(found))

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """Integrity constraints that do not follow from one definition alone."""
        found = [*self._integrity()]
        for family in self.families:
            found += family.constraints()
        return tuple(found)

    def _integrity(self) -> Iterator[Constraint]:
        for cell in self.inputs:
            unknown, arrow = atom(names.undecided(cell), "u"), atom(cell, "u", "v")
            yield Constraint(unknown, atom(names.INPUT, "u"))
            if cell in self.fields:
                yield Constraint(unknown, Not(arrow))
                yield Constraint(Exists(("v",), arrow), Not(unknown))
                yield Constraint(unknown, Not(atom(names.junk(cell), "u")))
        for field in (*self.fields, *self.arrays):
            arrow = atom(field, "u", "v")
            if field in self.fields:
                yield Constraint(atom(names.junk(field), "u"), Not(arrow))
            else:
                yield Constraint(atom(names.chosen(field), "u", "v"), arrow)
                yield Constraint(Not(arrow), Not(atom(names.chosen(field), "u", "v")))
            yield Constraint(Or((atom(names.FREED, "u"), atom(names.ENDED, "u"))), Not(arrow))
            owners = [kind for kind in self.flow.blocks.kinds if field in self.cells_by_kind[kind]]
            if self.several_types:
                for kind in self.flow.blocks.kinds:
                    if kind not in owners:
                        yield Constraint(atom(names.is_type(kind.name), "u"), Not(arrow))
                        yield Constraint(Exists(("v",), arrow), Not(atom(names.is_type(kind.name), "u")))
        for variable in self.variables:
            yield Constraint(atom(names.junk(variable)), Not(atom(variable, "v")))
        if self.several_types:
            for one_type in self.types:
                for other_type in self.types:
                    if one_type != other_type:
                        yield Constraint(atom(names.is_type(one_type), "v"), Not(atom(names.is_type(other_type), "v")))

    @cached_property
    def cells_by_kind(self) -> dict[Kind, frozenset[str]]:
        blocks = self.flow.blocks
        return {kind: frozenset(cell.name for cell in blocks.cells(kind)) for kind in blocks.kinds}

    def any_holding_field(self, source: str, target: str) -> Formula:
        """Without fields that only remember what others lead to."""
        fields = (field for field in (*self.fields, *self.arrays) if not is_remembered(field))
        return Or(tuple(atom(field, source, target) for field in fields))

    def any_field(self, source: str, target: str) -> Formula:
        return Or(tuple(atom(field, source, target) for field in (*self.fields, *self.arrays)))
