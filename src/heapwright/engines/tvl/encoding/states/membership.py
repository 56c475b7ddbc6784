"""Membership in the concretisation: whether a concrete heap embeds in a structure of its location.

A heap of the interpreter becomes a 2-valued structure over the vocabulary, which must embed in a structure of the
location. The heap does not determine some values, which the analysis chooses: which arrow of a cycle is
cut, at which node the value of an integer variable is, whether a freed block that nothing refers to is kept. These are
enumerated. An unconstrained value (an unknown integer, the key of a freed block) is *open*: in the embedding it
matches every value. It is written as neither possible nor excluded (`may` 0, `must` 1), which Kleene's connectives pass
on, so that the values of definitions are open only where they depend on open ones.

A dead variable is null in the analysis if it is a temporary, and may be null where it was junk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, islice, product

from heapwright.engines.tvl.encoding.available_loads import AvailableLoads
from heapwright.engines.tvl.encoding.predicate_names import FRESH, INPUTS, KNOWN, OPEN, cut_name
from heapwright.engines.tvl.encoding.predicates.field_reachability import Reach
from heapwright.engines.tvl.encoding.predicates.key_order import Order
from heapwright.engines.tvl.encoding.states.concrete_heaps import Concrete, View
from heapwright.engines.tvl.encoding.states.heap_encoder import HeapEncoder
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.engines.tvl.formulas.dependencies import definition_order
from heapwright.engines.tvl.formulas.evaluation import Compiler, Evaluate, readings
from heapwright.engines.tvl.structures.bit_sets import Layouts
from heapwright.engines.tvl.structures.embedding import embeds
from heapwright.engines.tvl.structures.structure import Draft, Signature, Structure
from heapwright.program.runs.snapshot import ANY_ADDRESS, NULL_ADDRESS, UNDECIDED_ADDRESS, Address, Snapshot

MOST = 400  # structures that are tried for one heap
OWN_VARIABLES = (INPUTS, FRESH, KNOWN, OPEN)


class Membership:
    """Of the structures of one analysis, by location."""

    def __init__(
        self, heap: HeapVocabulary, signature: Signature, structures: Sequence[Sequence[Structure]] = ()
    ) -> None:
        self.heap = heap
        self.structures = structures
        self.signature = signature
        self.concrete = Concrete(heap)
        self.layouts = Layouts()
        self.held = AvailableLoads(heap)
        compiler = Compiler(self.signature)
        self.definitions: list[tuple[int, Evaluate]] = [
            (self.signature.number[p.name], compiler.function(readings(p.definition, p.parameters)))
            for p in definition_order(heap.vocabulary)
            if p.definition is not None
        ]
        self._known: dict[tuple[object, Structure], bool] = {}

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        """None if the heap has blocks that cannot be distinguished, or too many cases would have to be tried. A heap
        with unread input cells denotes many heaps, and the analysis may have read further: then the answer is never
        False."""
        found = self.listed(location, heap)
        view = self.concrete.view(heap) if found is False else None
        return None if view is not None and _is_open(view) else found

    def listed(self, location: int, heap: Snapshot) -> bool | None:
        """As `contains`, with unread input cells taken as they are, so that the answer may be False."""
        return self.described(location, heap, self.structures[location], location)

    def described(self, location: int, heap: Snapshot, by: Iterable[Structure], key: object) -> bool | None:
        """Whether a heap is in the concretisation of some structures of a location; `key` identifies the structures."""
        view = self.concrete.view(heap)
        if view is None:
            return None
        drafts = self.drafts(location, view)
        if any(self._embedded(draft, by, key) for draft in islice(drafts, MOST)):
            return True
        return None if next(drafts, None) is not None else False

    def _embedded(self, draft: Draft, by: Iterable[Structure], key: object) -> bool:
        found = self._known.get((key, frozen := draft.freeze()))
        if found is None:
            found = self._known[key, frozen] = any(embeds(self.signature, draft, one) for one in by)
        return found

    def complete(self, filling: HeapEncoder) -> None:
        """Values of the further predicates of a larger vocabulary, before definitions are evaluated."""

    # --- structures of a heap -------------------------------------------------------------------------------------

    def drafts(self, location: int, view: View) -> Iterator[Draft]:
        """The structures that a heap may be, with open values."""
        pointers = {name: self._value(location, view, name) for name in self.heap.variables}
        objects = view.snapshot.objects
        ended = [n for n in view.kinds if objects[n].status != "live" and objects[n].allocated is not None]
        referred = {view.target(address) for address in pointers.values()}
        for cells in view.cells.values():
            for name in (*self.heap.fields, *self.heap.arrays):
                referred |= {view.target(value) for value in cells.get(name, ()) if isinstance(value, Address)}
        loose = [n for n in ended if n not in referred]
        for kept in _subsets(loose):
            blocks = [n for n in view.kinds if n not in loose or n in kept]
            for cuts in product(*(list(self._cuts(view, blocks, reach.field)) for reach in self._reaches)):
                for values in product(*(list(self._carried(location, view, order)) for order in self._orders)):
                    yield self._draft(location, view, pointers, blocks, cuts, values)

    def _value(self, location: int, view: View, name: str) -> Address:
        """The value of a variable as the analysis represents it."""
        if name in OWN_VARIABLES:
            return NULL_ADDRESS
        needed = self._live(location, (name,)) or name in self.held.at(location)
        if self.heap.program.variables[name].temporary and not needed:
            return NULL_ADDRESS
        return view.snapshot.pointers[name]

    def _live(self, location: int, names: Iterable[str]) -> list[str]:
        live = self.heap.liveness.at(location)
        return [name for name in names if live & self.heap.liveness.bit(name)]

    @cached_property
    def _reaches(self) -> list[Reach]:
        return [family for family in self.heap.families if isinstance(family, Reach)]

    @cached_property
    def _orders(self) -> list[Order]:
        return [family for family in self.heap.families if isinstance(family, Order)]

    def _cuts(self, view: View, blocks: Sequence[int], field: str) -> Iterator[tuple[int, ...]]:
        """One block of each cycle of a field; where a value is unknown, any block may be cut."""
        if self._untold(view, blocks, field):
            return iter([()])
        after: dict[int, int] = {}
        for block in blocks:
            values = view.cells[block].get(field, ())
            targets = [view.target(value) for value in values if isinstance(value, Address)]
            after.update((block, target) for target in targets if target)
        return product(*_cycles(after))

    def _untold(self, view: View, blocks: Sequence[int], field: str) -> bool:
        return any(ANY_ADDRESS in view.cells[block].get(field, ()) for block in blocks)

    def _carried(self, location: int, view: View, order: Order) -> Iterator[tuple[tuple[str, ...], ...]]:
        """The variables at values of their own: groups of those that share one."""

        def grouped(rest: Sequence[str], groups: tuple[tuple[str, ...], ...]) -> Iterator[tuple[tuple[str, ...], ...]]:
            if not rest:
                yield groups
                return
            name, *others = rest
            yield from grouped(others, groups)
            yield from grouped(others, (*groups, (name,)))
            for index, group in enumerate(groups):
                if view.snapshot.data[group[0]] == view.snapshot.data[name]:
                    yield from grouped(others, (*groups[:index], (*group, name), *groups[index + 1 :]))

        return grouped(self._live(location, order.keys.variables), ())

    def _draft(
        self,
        location: int,
        view: View,
        pointers: Mapping[str, Address],
        blocks: Sequence[int],
        cuts: Sequence[tuple[int, ...]],
        values: Sequence[tuple[tuple[str, ...], ...]],
    ) -> Draft:
        count = len(blocks) + sum(map(len, values)) + self.heap.takes_inputs
        filling = HeapEncoder(self.heap, self.signature, view, blocks, Draft.empty(self.signature, count))
        filling.variables(pointers, self._live(location, pointers))
        filling.fates()
        filling.fields()
        for reach, marked in zip(self._reaches, cuts, strict=True):
            for block in marked:
                filling.true(cut_name(reach.field), filling.node[block])
            if self._untold(view, blocks, reach.field):
                for node in filling.node.values():
                    filling.open(cut_name(reach.field), node)
        first = len(blocks)
        for order, groups in zip(self._orders, values, strict=True):
            filling.order(order, groups, first, self._live(location, order.keys.variables))
            first += len(groups)
        if self.heap.takes_inputs:
            filling.true(INPUTS, count - 1)
        self.complete(filling)
        draft = filling.draft
        for number, function in self.definitions:
            draft.may[number], draft.must[number] = function(draft.may, draft.must, self.layouts.of(draft.n))
        return draft


def _is_open(view: View) -> bool:
    cells = (values for block in view.cells.values() for values in block.values())
    return any(UNDECIDED_ADDRESS in values for values in cells)


def _subsets(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """None of them, all of them, then the others."""
    yield ()
    for size in range(len(items), 0, -1):
        yield from combinations(items, size)


def _cycles(after: dict[int, int]) -> list[list[int]]:
    """The cycles of a function."""
    found: list[list[int]] = []
    seen: set[int] = set()
    for start in after:
        path: list[int] = []
        node: int | None = start
        while node is not None and node not in seen:
            seen.add(node)
            path.append(node)
            node = after.get(node)
        if node in path:
            found.append(path[path.index(node) :])
    return found
