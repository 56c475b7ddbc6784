"""Roles of pointer fields: inverse fields (`prev`, `parent`), fields that share paths, and links of activation records.

Fields are inverses where the program stores both ways between the same two objects: `a.next = b` and `b.prev = a`, in
any order and through temporaries, so that `$1 = p.prev; $2 = p.next; $1.next = $2` and `$3.prev = $4` with the same
loads count too. This is a heuristic: an error costs precision, never soundness, since nothing assumes that such fields
are inverses.

    parents = FieldRoles(program, fields, flow)
    parents.forward, parents.backward     # ('tree.left', 'tree.right'), {'tree.parent': ('tree.left', 'tree.right')}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from heapwright.engines.tvl.encoding.memory.offsets import Kind
from heapwright.engines.tvl.encoding.memory.points_to import PointsTo
from heapwright.program.commands import Assert, Assign, Assume, Command, Load, LoadData, New, Store, StoreData
from heapwright.program.dataflow.liveness import defined
from heapwright.program.dataflow.tracked_integers import field_name
from heapwright.program.expressions import PointerCompare, ShapeLiteral, Var
from heapwright.program.graph import Graph, Program
from heapwright.program.types import Storage

DEREFERENCES = (Load, Store, LoadData, StoreData)
FAR = 200  # locations behind a load in which its value is looked for


@dataclass(frozen=True)
class FieldRoles:
    """Fields go by `T.f`; `fields` are those that the program reads or writes, `flow` is the points-to analysis."""

    program: Program
    fields: tuple[str, ...]
    flow: PointsTo
    arrays: tuple[str, ...] = ()  # cells that share a name

    # --- inverses -------------------------------------------------------------------------------------------------

    @cached_property
    def forward(self) -> tuple[str, ...]:
        """Fields that are no inverses of others."""
        return tuple(field for field in self.fields if field not in self.backward)

    @cached_property
    def backward(self) -> Mapping[str, tuple[str, ...]]:
        """Inverse fields, each with its forward fields. Of two inverse fields that one counts as backward which leads
        back from several, is read less, or comes later in its type."""
        partners: dict[str, set[str]] = {}
        for one, other in self._inverses():
            partners.setdefault(one, set()).add(other)
            partners.setdefault(other, set()).add(one)
        back: dict[str, tuple[str, ...]] = {}
        forth: set[str] = set()
        said = {back for _, back in self._claimed}
        for field in sorted(partners, key=lambda field: (field not in said, -len(partners[field]), self._use(field))):
            if field not in forth:
                found = sorted(partners[field] - back.keys())
                if found:
                    back[field] = tuple(found)
                    forth.update(found)
        return back

    def _use(self, field: str) -> tuple[int, int, str]:
        owner, _, name = field.rpartition(".")
        type_ = self.program.types.get(owner)
        declared = type_.field(name) if type_ is not None else None
        return self._loads[field], -(declared.offset if declared is not None else 0), field

    @cached_property
    def _loads(self) -> Counter[str]:
        commands = (edge.command for edge in self.program.graph.edges)
        return Counter(self._name(c.base, c.field) for c in commands if isinstance(c, Load))

    @cached_property
    def _claimed(self) -> tuple[tuple[str, str], ...]:
        """Pairs of forward and backward fields for which the program claims doubly linked lists."""
        commands = (edge.command for edge in self.program.graph.edges)
        literals = [command.literal for command in commands if isinstance(command, Assume | Assert)]
        shapes = [one for one in literals if isinstance(one, ShapeLiteral) and one.predicate == "dll"]
        return tuple((one.fields[0], one.fields[1]) for one in shapes if set(one.fields) <= set(self.fields))

    def _inverses(self) -> Iterator[tuple[str, str]]:
        yield from self._claimed
        stores: dict[tuple[str, str], set[str]] = {}
        for edge in self.program.graph.edges:
            command = edge.command
            if isinstance(command, Store) and isinstance(command.value, Var):
                ends = (self._access_path(command.base), self._access_path(command.value.name))
                stores.setdefault(ends, set()).add(self._name(command.base, command.field))
        for (source, target), fields in stores.items():
            if source != target:
                for field in fields:
                    for other in stores.get((target, source), ()):
                        if field < other:
                            yield field, other

    def _name(self, base: str, field: str) -> str:
        return field_name(self.program, base, field)

    @cached_property
    def _definitions(self) -> Mapping[str, Load | Assign]:
        """Definitions of temporaries that have one defining command, or copies of one."""
        found: dict[str, set[Load | Assign | None]] = {}
        for edge in self.program.graph.edges:
            target = defined(edge.command)
            if target is not None and self.program.variables[target].temporary:
                command = edge.command
                found.setdefault(target, set()).add(command if isinstance(command, Load | Assign) else None)
        return {name: c for name, all_ in found.items() if len(all_) == 1 for c in all_ if c is not None}

    def _access_path(self, variable: str, depth: int = 4) -> str:
        """The source of a variable's value: `p.next` for a temporary that was loaded from there."""
        command = self._definitions.get(variable)
        if depth == 0 or command is None:
            return variable
        if isinstance(command, Load):
            return f"{self._access_path(command.base, depth - 1)}.{command.field}"
        return self._access_path(command.value.name, depth - 1) if isinstance(command.value, Var) else variable

    # --- paths ----------------------------------------------------------------------------------------------------

    @cached_property
    def joined(self) -> tuple[str, ...]:
        """Forward fields that can follow one another with another one: paths that no single field describes."""
        found: set[str] = set()
        fields = [field for field in self.forward if field not in self.record_fields]
        for field in fields:
            for other in (*fields, *self.arrays):
                if other != field and (field in self.beyond(other) or self._owners[field] & self._owners[other]):
                    found.update((field, other))
                if other in self.arrays and other in self.beyond(field):
                    found.add(field)
        return tuple(field for field in self.forward if field in found)

    @cached_property
    def filled(self) -> tuple[str, ...]:
        """Fields of heap blocks that lead to blocks of other kinds, which the program uses without a test for null.
        Blocks on the stack and cells of arrays are seldom summarised."""
        blocks, stack = self.flow.blocks, self._on_stack
        found = []
        for field in self.forward:
            owners = self._owners[field]
            kinds = {blocks.kind(address) for address in self.flow.pointers(field)}
            summarised = any(kind.name not in stack for kind in owners) and not field.endswith("]")
            if summarised and kinds and not kinds & owners and field in self._used_untested:
                found.append(field)
        return tuple(found)

    @cached_property
    def _used_untested(self) -> frozenset[str]:
        """Fields of which a value is dereferenced before it is compared with null."""
        graph = self.program.graph
        loads = [(edge.target, edge.command) for edge in graph.edges if isinstance(edge.command, Load)]
        return frozenset(self._name(c.base, c.field) for location, c in loads if _is_used(graph, location, c.target))

    # --- activation records ---------------------------------------------------------------------------------------

    @cached_property
    def records(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The fields that make chains of blocks on the stack, as activation records are, each with the fields by which
        these hold other blocks; nothing else leads to their records."""
        kinds = frozenset(kind for kind in self.flow.blocks.kinds if kind.name in self._on_stack)
        chains = [f for f in self.forward if self._owners[f] <= kinds and f in self.beyond(f)]
        found = []
        for chain in chains:
            owners = self._owners[chain]
            to_records = [f for f in self.fields if owners & {self.flow.blocks.kind(p) for p in self.flow.pointers(f)}]
            holders = tuple(f for f in self.forward if self._owners[f] & owners and f != chain)
            if to_records == [chain] and all(self._owners[f] == owners for f in holders):
                found.append((chain, holders))
        return () if self.arrays else tuple(found)

    @property
    def record_fields(self) -> tuple[str, ...]:
        return tuple(field for chain, holders in self.records for field in (chain, *holders))

    @cached_property
    def _on_stack(self) -> frozenset[str]:
        """Types of which all objects that the program makes are on the stack."""
        made = [edge.command for edge in self.program.graph.edges if isinstance(edge.command, New)]
        elsewhere = {command.type for command in made if command.storage is not Storage.STACK}
        return frozenset(command.type for command in made) - elsewhere

    def is_record(self, variable: str) -> bool:
        """Whether a variable may point to a record."""
        kinds = {self.flow.blocks.kind(address) for address in self.flow.pointers(variable)}
        return any(kinds & self._owners[chain] for chain, _ in self.records)

    @cached_property
    def branching(self) -> frozenset[str]:
        """Two joined fields that paths take in turn, like left and right in a tree. What is reached along one of them
        alone is no part of the heap that programs care about, unless they say so, or walk back along a third one."""
        answered = {field for forth in self.backward.values() for field in forth}
        both = [
            (f, g) for f in self.joined for g in self.joined if f != g and f in self.beyond(g) and g in self.beyond(f)
        ]
        mixed = {field for pair in both for field in pair}
        return frozenset() if len(mixed) != 2 or mixed & (self._chained | answered) else frozenset(mixed)

    @cached_property
    def _chained(self) -> frozenset[str]:
        """Fields of shape predicates in the program."""
        commands = (edge.command for edge in self.program.graph.edges)
        literals = [command.literal for command in commands if isinstance(command, Assume | Assert)]
        shapes = [one for one in literals if isinstance(one, ShapeLiteral) and one.predicate != "tree"]
        return frozenset(field for one in shapes for field in one.fields)

    @cached_property
    def _owners(self) -> Mapping[str, frozenset[Kind]]:
        """The kinds of blocks that have a field."""
        blocks = self.flow.blocks
        cells = {kind: {cell.name for cell in blocks.cells(kind)} for kind in blocks.kinds}
        every = (*self.fields, *self.arrays)
        return {field: frozenset(kind for kind in blocks.kinds if field in cells[kind]) for field in every}

    def beyond(self, holder: str) -> frozenset[str]:
        """The fields that paths can go over from what a variable or field points to."""
        pending, found = [holder], set[str]()
        while pending:
            kinds = {self.flow.blocks.kind(address) for address in self.flow.pointers(pending.pop())}
            for field in (*self.fields, *self.arrays):
                if field not in found and kinds & self._owners[field]:
                    found.add(field)
                    pending.append(field)
        return frozenset(found)


def _is_used(graph: Graph[Command], location: int, name: str) -> bool:
    """Whether a variable is dereferenced behind a location, not far from it, before it is compared or overwritten."""
    seen = {(location, name)}
    waiting = [(location, name)]
    while waiting and len(seen) < FAR:
        location, name = waiting.pop()
        for edge in graph.successors[location]:
            command, target = edge.command, defined(edge.command)
            if isinstance(command, DEREFERENCES) and command.base == name:
                return True
            holders = {name} - {target}
            if isinstance(command, Assume) and isinstance(command.literal, PointerCompare):
                holders -= {one.name for one in (command.literal.left, command.literal.right) if isinstance(one, Var)}
            if isinstance(command, Assign) and command.value == Var(name):
                holders.add(command.target)
            new = {(edge.target, one) for one in holders} - seen
            waiting += sorted(new)
            seen |= new
    return False
