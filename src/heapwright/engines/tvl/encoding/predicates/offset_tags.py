"""Offset predicates: the offset at which a pointer points into its block, where the kind of the block does not
determine it.

| predicate | meaning |
|---|---|
| `x@p` | variable x points to the address p of a block |
| `T.f@p` | the cell f of v points to the address p of a block |
| `x null+8`, `T.f null+8` | the variable, or the cell of v, holds the address so many bytes from null |

A variable that holds the start of every `item` that it points to, and the part `link` of nothing, needs none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from heapwright.engines.tvl.encoding.memory.offsets import SOMEWHERE_NEAR_NULL, BlockAddress, Kind
from heapwright.engines.tvl.encoding.memory.points_to import Arithmetic, PointsTo, arrived
from heapwright.engines.tvl.encoding.predicate_names import is_junk, is_type, not_null, points_to
from heapwright.engines.tvl.encoding.predicates.family import Family
from heapwright.logic.actions import Update
from heapwright.logic.formulas import FALSE, HALF, TRUE, And, Exists, Formula, Not, Or, atom
from heapwright.logic.vocabulary import Constraint, Predicate
from heapwright.program.commands import New
from heapwright.program.expressions import Null, Pointer, Var
from heapwright.program.semantics.objects import NULL, is_pointer, offset_from_null

SOMEWHERE = f"null{offset_from_null(SOMEWHERE_NEAR_NULL):+}"


def any_of(formulas: Sequence[Formula]) -> Formula:
    if TRUE in formulas:
        return TRUE
    kept = [formula for formula in dict.fromkeys(formulas) if formula != FALSE]
    return FALSE if not kept else kept[0] if len(kept) == 1 else Or(tuple(kept))


def all_of(formulas: Sequence[Formula]) -> Formula:
    if FALSE in formulas:
        return FALSE
    kept = [formula for formula in dict.fromkeys(formulas) if formula != TRUE]
    return TRUE if not kept else kept[0] if len(kept) == 1 else And(tuple(kept))


@dataclass(frozen=True)
class Tags(Family):
    """`variables` and `fields` are those of the vocabulary; only they have predicates."""

    flow: PointsTo
    variables: tuple[str, ...]
    fields: tuple[str, ...]

    # --- what is tracked ------------------------------------------------------------------------------------------

    @cached_property
    def _tags(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for name in (*self.variables, *self.fields):
            addresses = self.flow.pointers(name)
            kinds = [self.flow.blocks.kind(address) for address in addresses]
            if len(set(kinds)) < len(kinds):
                found[name] = tuple(dict.fromkeys(self.flow.blocks.tag(address) for address in addresses))
        return found

    def tags(self, name: str) -> tuple[str, ...]:
        """The addresses of a variable or cell that have predicates."""
        return self._tags.get(name, ())

    def offsets(self, name: str) -> tuple[str, ...]:
        return tuple(self.flow.blocks.tag(address) for address in self.flow.near_null(name))

    def predicates(self) -> Iterable[Predicate]:
        for arity, names in ((0, self.variables), (1, self.fields)):
            for name in names:
                yield from (Predicate(f"{name}@{tag}", arity) for tag in self.tags(name))
                yield from (Predicate(f"{name} {offset}", arity) for offset in self.offsets(name))

    def constraints(self) -> Iterable[Constraint]:
        for arguments, names in (((), self.variables), (("v",), self.fields)):
            for name in names:
                here = [atom(f"{name}@{tag}", *arguments) for tag in self.tags(name)]
                near = [atom(f"{name} {offset}", *arguments) for offset in self.offsets(name)]
                for group in (here, near):
                    for one in group:
                        yield from (Constraint(one, Not(other)) for other in group if other != one)
                arrow = atom(name, *arguments, "w")
                yield from (Constraint(one, Not(arrow)) for one in near)

    # --- what a pointer holds -------------------------------------------------------------------------------------

    def is_kind(self, kind: Kind, node: str) -> Formula:
        return atom(is_type(kind.name), node) if len(self.flow.blocks.kinds) > 1 else TRUE

    def at(self, variable: str, addresses: Sequence[BlockAddress]) -> Formula:
        """The variable points to one of some addresses."""
        if set(addresses) == set(self.flow.pointers(variable)):
            return not_null(Var(variable))
        cases = [
            all_of((self.is_kind(self.flow.blocks.kind(address), "v"), self._tagged(variable, address)))
            for address in addresses
        ]
        return Exists(("v",), And((atom(variable, "v"), any_of(cases)))) if cases else FALSE

    def _tagged(self, variable: str, address: BlockAddress) -> Formula:
        tag = self.flow.blocks.tag(address)
        return atom(f"{variable}@{tag}") if self.tags(variable) else TRUE

    def is_tag(self, pointer: Pointer, tag: str) -> Formula:
        if not isinstance(pointer, Var):
            return FALSE
        if self.tags(pointer.name):
            return atom(f"{pointer.name}@{tag}") if tag in self.tags(pointer.name) else FALSE
        blocks = self.flow.blocks
        return self.at(pointer.name, [p for p in self.flow.pointers(pointer.name) if blocks.tag(p) == tag])

    def is_near(self, pointer: Pointer, offset: str | None = None) -> Formula:
        """The pointer is an address near null, but not null: at an offset, or at any."""
        if not isinstance(pointer, Var):
            return FALSE
        known = [o for o in self.offsets(pointer.name) if offset in (None, o)]
        return any_of([atom(f"{pointer.name} {o}") for o in known])

    def is_null(self, pointer: Pointer) -> Formula:
        if isinstance(pointer, Null):
            return TRUE
        return all_of((Not(not_null(pointer)), Not(is_junk(pointer)), Not(self.is_near(pointer))))

    def _cell_has(self, field: str, tag: str) -> Formula:
        """The cell of u points to an address."""
        if self.tags(field):
            return atom(f"{field}@{tag}", "u") if tag in self.tags(field) else FALSE
        kinds = [self.flow.blocks.kind(p) for p in self.flow.pointers(field) if self.flow.blocks.tag(p) == tag]
        return Exists(("w",), And((atom(field, "u", "w"), any_of([self.is_kind(kind, "w") for kind in kinds]))))

    # --- steps ----------------------------------------------------------------------------------------------------

    def assigned(self, target: str, value: Pointer) -> Iterable[Update]:
        yield from (Update(f"{target}@{tag}", (), self.is_tag(value, tag)) for tag in self.tags(target))
        yield from (Update(f"{target} {near}", (), self.is_near(value, near)) for near in self.offsets(target))

    def loaded(self, target: str, base: str, field: str) -> Iterable[Update]:
        for tag in self.tags(target):
            yield Update(f"{target}@{tag}", (), Exists(("u",), And((atom(base, "u"), self._cell_has(field, tag)))))
        for near in self.offsets(target):
            known = near in self.offsets(field)
            found = Exists(("u",), And((atom(base, "u"), atom(f"{field} {near}", "u")))) if known else FALSE
            yield Update(f"{target} {near}", (), found)

    def cut(self, base: str, field: str) -> Iterable[Update]:
        for name in self._of_cell(field):
            yield Update(name, ("u",), And((atom(name, "u"), Not(atom(base, "u")))))

    def connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        here = atom(base, "u")
        for tag in self.tags(field):
            name = f"{field}@{tag}"
            yield Update(name, ("u",), Or((atom(name, "u"), And((here, self.is_tag(value, tag))))))
        for near in self.offsets(field):
            name = f"{field} {near}"
            yield Update(name, ("u",), Or((atom(name, "u"), And((here, self.is_near(value, near))))))

    def _of_cell(self, field: str) -> list[str]:
        if field not in self.fields:
            return []  # cells that share a name: what is read from them may be near null at any offset
        return [f"{field}@{tag}" for tag in self.tags(field)] + [f"{field} {near}" for near in self.offsets(field)]

    def moved(self, command: Arithmetic) -> Iterable[Update]:
        """target = base + something: the same block at another address, or another address near null."""
        target, base, blocks = command.target, command.base, self.flow.blocks
        sources = [(address, self.at(base, [address])) for address in self.flow.pointers(base)]
        sources += [(NULL, self.is_null(Var(base)))] if NULL in self.flow.of(base) else []
        sources += [(address, self.is_near(Var(base), blocks.tag(address))) for address in self.flow.near_null(base)]
        cases: dict[str, list[Formula]] = {}
        for address, here in sources:
            results = arrived(blocks, command, address)
            for result in results:
                sure = here if len(results) == 1 else And((here, HALF))
                name = f"{target}@{blocks.tag(result)}" if is_pointer(result) else f"{target} {blocks.tag(result)}"
                cases.setdefault(name, []).append(sure)
        names = [f"{target}@{tag}" for tag in self.tags(target)] + [f"{target} {o}" for o in self.offsets(target)]
        return [Update(name, (), any_of(cases.get(name, []))) for name in names]

    def pointed(self, target: str, addresses: Sequence[BlockAddress]) -> Iterable[Update]:
        """The target points to one of some addresses, whichever."""
        tags = {self.flow.blocks.tag(address) for address in addresses}
        for tag in self.tags(target):
            yield Update(f"{target}@{tag}", (), FALSE if tag not in tags else TRUE if len(tags) == 1 else HALF)
        yield from (Update(f"{target} {near}", (), FALSE) for near in self.offsets(target))

    def created(self, command: New) -> Iterable[Update]:
        return ()  # the compiler says where the new block is pointed to, by `pointed`

    # --- comparisons ----------------------------------------------------------------------------------------------

    def same(self, left: Pointer, right: Pointer) -> Formula:
        """Both hold one address; they are not junk, and not left over from blocks that have ended."""
        if isinstance(left, Null) or isinstance(right, Null):
            return self.is_null(right if isinstance(left, Null) else left)
        if not isinstance(left, Var) or not isinstance(right, Var):
            return FALSE
        near: list[Formula] = []
        for one in self.offsets(left.name):
            for other in self.offsets(right.name):
                both = And((atom(f"{left.name} {one}"), atom(f"{right.name} {other}")))
                if SOMEWHERE in (one, other):
                    near.append(And((both, HALF)))
                elif one == other:
                    near.append(both)
        return any_of([all_of((self.is_null(left), self.is_null(right))), *near, self._same_address(left, right)])

    def _same_address(self, left: Var, right: Var) -> Formula:
        blocks = self.flow.blocks
        both = And((points_to(left, "v"), points_to(right, "v")))
        cases: list[tuple[bool | None, Formula]] = []
        for one in self.flow.pointers(left.name):
            for other in self.flow.pointers(right.name):
                if blocks.kind(one) == blocks.kind(other):
                    where = (self._tagged(left.name, one), self._tagged(right.name, other))
                    cases.append((blocks.same(one, other), all_of((self.is_kind(blocks.kind(one), "v"), *where))))
        if all(equal for equal, _ in cases):
            return Exists(("v",), both) if cases else FALSE
        weighed = [here if equal else And((here, HALF)) for equal, here in cases if equal is not False]
        return Exists(("v",), And((both, any_of(weighed)))) if weighed else FALSE
