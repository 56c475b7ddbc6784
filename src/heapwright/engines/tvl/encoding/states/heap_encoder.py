"""Encodes a concrete heap as a 2-valued structure over the vocabulary.

    filling = HeapEncoder(heap, signature, view, blocks, Draft.empty(signature, len(blocks)))
    filling.variables(pointers, live)
    filling.fates()
    filling.fields()

The first nodes are blocks. A value that the heap does not determine is *open*: `may` 0 and `must` 1, see membership.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from heapwright.engines.tvl.encoding.predicate_names import (
    ENDED,
    FREED,
    HEAP,
    INPUT,
    LOST,
    carries,
    equals,
    is_type,
    junk,
    undecided,
)
from heapwright.engines.tvl.encoding.predicates.activation_records import Frames
from heapwright.engines.tvl.encoding.predicates.allocation_sites import Sites
from heapwright.engines.tvl.encoding.predicates.integer_constants import Constants
from heapwright.engines.tvl.encoding.predicates.key_order import Order
from heapwright.engines.tvl.encoding.predicates.offset_tags import SOMEWHERE
from heapwright.engines.tvl.encoding.states.concrete_heaps import Value, View
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.engines.tvl.structures.structure import Draft, Signature
from heapwright.program.commands import New
from heapwright.program.runs.snapshot import ANY_ADDRESS, JUNK_ADDRESS, UNDECIDED_ADDRESS, Address
from heapwright.program.types import Storage

ANYWHERE = "?"  # the tag of an unknown offset


class HeapEncoder:
    """Writes the values of a heap into a structure whose first nodes are blocks."""

    def __init__(
        self, heap: HeapVocabulary, signature: Signature, view: View, blocks: Sequence[int], draft: Draft
    ) -> None:
        self.heap = heap
        self.signature = signature
        self.view = view
        self.blocks = blocks
        self.draft = draft
        self.node = {block: index for index, block in enumerate(blocks)}

    def true(self, name: str, *nodes: int) -> None:
        self._set(name, nodes, (self.draft.may, self.draft.must))

    def open(self, name: str, *nodes: int) -> None:
        self._set(name, nodes, (self.draft.must,))

    def _set(self, name: str, nodes: tuple[int, ...], tables: Iterable[list[int]]) -> None:
        bit = 0
        for node in nodes:
            bit = bit * self.draft.n + node
        for table in tables:
            table[self.signature.number[name]] |= 1 << bit

    # --- pointers -------------------------------------------------------------------------------------------------

    def variables(self, pointers: Mapping[str, Address], live: Sequence[str]) -> None:
        """Pointer variables; dead junk may have become null."""
        for name, address in pointers.items():
            if address == ANY_ADDRESS:
                self._anything(name)
                continue
            if address == JUNK_ADDRESS:
                (self.true if name in live else self.open)(junk(name))
            target = self.view.target(address)
            if target:
                self.true(name, self.node[target])
            self._where(name, address)
        for family in self.heap.families:
            if isinstance(family, Constants):
                for name, values in family.values.items():
                    if name in self.heap.program.variables:
                        self._constants(name, values, self.view.snapshot.data[name])

    def _where(self, name: str, address: Address, *nodes: int) -> None:
        """The offset of a pointer in its block, or from null."""
        tags = self.heap.tags.tags(name)
        if tags and self.view.target(address):
            exact = self.view.tag(address)
            unsure = exact is None or ANYWHERE in tags
            for tag in tags:
                if unsure and (exact is None or tag in (exact, ANYWHERE)):
                    self.open(f"{name}@{tag}", *nodes)
                elif tag == exact:
                    self.true(f"{name}@{tag}", *nodes)
        if address.object == 0 and address.index:
            offset = f"null{address.index:+}"
            offsets = self.heap.tags.offsets(name)
            for near in offsets:
                if near == offset and SOMEWHERE not in offsets:
                    self.true(f"{name} {near}", *nodes)
                elif near in (offset, SOMEWHERE):
                    self.open(f"{name} {near}", *nodes)

    def _constants(self, name: str, values: Iterable[int], known: int | None, *nodes: int) -> None:
        for value in values:
            if known is None:
                self.open(equals(name, value), *nodes)
            elif known == value:
                self.true(equals(name, value), *nodes)

    # --- blocks ---------------------------------------------------------------------------------------------------

    def fates(self) -> None:
        """Storage classes and ends of lifetime of blocks."""
        lost = self.view.snapshot.lost
        if self.heap.remembers_lost and lost is not False:
            (self.true if lost else self.open)(LOST)
        for block, node in self.node.items():
            item = self.view.snapshot.objects[block]
            if item.storage is Storage.HEAP:
                self.true(HEAP, node)
            if item.status in ("freed", "ended"):
                self.true(FREED if item.status == "freed" else ENDED, node)
            if self.heap.several_types:
                self.true(is_type(self.view.kinds[block].name), node)
            if self.heap.takes_inputs and item.allocated is None:
                self.true(INPUT, node)
            for names in self._origins(block):
                for name in names:
                    if name is not None:
                        (self.true if len(names) == 1 else self.open)(name, node)

    def _origins(self, block: int) -> Iterator[set[str | None]]:
        """Names of the possible origins of a block; None: another one."""
        span = self.view.snapshot.objects[block].allocated
        edges = enumerate(self.heap.program.graph.edges)
        sites = [(site, c) for site, edge in edges if isinstance(c := edge.command, New) and edge.span == span]
        for family in self.heap.families:
            if isinstance(family, Sites):
                yield {family.name(command) for _, command in sites}
            elif isinstance(family, Frames):
                yield {family.origin(site) for site, _ in sites}

    def fields(self) -> None:
        for block, node in self.node.items():
            cells, live = self.view.cells[block], self.view.snapshot.objects[block].status == "live"
            for name in (*self.heap.fields, *self.heap.arrays):
                for value in cells.get(name, ()):
                    assert isinstance(value, Address)
                    self._pointer(name, node, value)
            for family in self.heap.families:
                if isinstance(family, Constants):
                    for name, values in family.values.items():
                        if name not in self.heap.program.variables:
                            self._data(name, values, node, cells.get(name), live)

    def _anything(self, name: str, *node: int) -> None:
        """A variable, or a cell of a node, with an unknown value."""
        self.open(junk(name), *node)
        for target in self.node.values():
            self.open(name, *node, target)
        for tag in self.heap.tags.tags(name):
            self.open(f"{name}@{tag}", *node)
        for offset in self.heap.tags.offsets(name):
            self.open(f"{name} {offset}", *node)
        if name in self.heap.inputs:
            self.open(undecided(name), *node)

    def _pointer(self, name: str, node: int, address: Address) -> None:
        if address == ANY_ADDRESS:
            self._anything(name, node)
            return
        if address == JUNK_ADDRESS:
            self.true(junk(name), node)
        if name in self.heap.inputs and (address == UNDECIDED_ADDRESS or name in self.heap.arrays):
            (self.open if name in self.heap.arrays else self.true)(undecided(name), node)
        target = self.view.target(address)
        if target:
            self.true(name, node, self.node[target])
        if name in self.heap.fields:
            self._where(name, address, node)

    def _data(self, name: str, values: Iterable[int], node: int, found: list[Value] | None, live: bool) -> None:
        """Integer values; those of blocks whose lifetime has ended are kept."""
        if found is not None or not live:
            known = found[0] if found is not None and len(found) == 1 else None
            assert not isinstance(known, Address)
            self._constants(name, values, known, node)

    # --- keys -----------------------------------------------------------------------------------------------------

    def order(self, order: Order, groups: Sequence[tuple[str, ...]], first: int, live: Sequence[str]) -> None:
        """Positions in an order; the nodes from `first` on are values at which the variables of the groups are. Others
        are at blocks with their values, or at nothing."""
        ranks: list[int | None] = [self._key(order, block) for block in self.blocks]
        ranks += [None] * (self.draft.n - len(ranks))
        for node, group in enumerate(groups, first):
            self.true(order.value, node)
            ranks[node] = self.view.snapshot.data[group[0]]
            for name in group:
                self.true(carries(name), node)
        aside = {name for group in groups for name in group}
        for name in live:
            value = self.view.snapshot.data[name]
            for node in range(len(self.blocks)):
                if name not in aside and (value is None or ranks[node] in (None, value)):
                    self.open(carries(name), node)
        for u, lower in enumerate(ranks):
            for v, upper in enumerate(ranks):
                if u == v:
                    self.true(order.name, u, v)
                elif lower is None or upper is None:
                    self.open(order.name, u, v)
                elif lower <= upper if order.keys.ordered else lower == upper:
                    self.true(order.name, u, v)

    def _key(self, order: Order, block: int) -> int | None:
        cells = self.view.cells[block]
        found = [value for name in order.keys.fields for value in cells.get(name, ())]
        known = found[0] if len(found) == 1 else None
        assert not isinstance(known, Address)
        return known
