"""The families of activation records that a program needs: frames, nesting, and what records tell of one another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from heapwright.engines.tvl.encoding import predicate_names as names
from heapwright.engines.tvl.encoding.memory.offsets import Kind
from heapwright.engines.tvl.encoding.predicates.activation_records import Frames, Return
from heapwright.engines.tvl.encoding.predicates.call_nesting import Nesting
from heapwright.engines.tvl.encoding.predicates.family import Family
from heapwright.engines.tvl.encoding.predicates.field_reachability import Reach
from heapwright.engines.tvl.encoding.predicates.heap_reachability import ReachAll
from heapwright.engines.tvl.encoding.predicates.held_successors import HeldSuccessors
from heapwright.engines.tvl.encoding.predicates.integer_constants import Constants
from heapwright.engines.tvl.encoding.record_trimming import SITE, calls_of_records
from heapwright.program.commands import Load, New, Store, StoreData
from heapwright.program.dataflow.tracked_integers import field_name
from heapwright.program.expressions import IntVar, Var

if TYPE_CHECKING:
    from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary


def frames_of(heap: HeapVocabulary, along: list[Reach], mixing: list[ReachAll]) -> Iterator[Family]:
    """Activation records, and reachability from them."""
    chains = {chain for chain, _ in heap.roles.records}
    own = [one for one in along if one.field not in chains and one.field not in heap.roles.joined]
    stores = [edge.command for edge in heap.resolved.graph.edges if isinstance(edge.command, Store)]
    before, values = 0, Constants(heap.resolved, heap.cells_of, heap.counters).values
    for chain, holders in heap.roles.records:
        records = next(one for one in along if one.field == chain)
        beyond = frozenset(field for holder in holders for field in heap.roles.beyond(holder))
        below: list[Reach | ReachAll] = [one for one in own if one.field in beyond]
        below += (one for one in mixing if beyond & set(one.fields))
        makers = {c.base for c in stores if field_name(heap.resolved, c.base, c.field) == chain}
        made = tuple(site for site, kind in _made(heap).items() if chain in heap.cells_by_kind[kind])
        linking = tuple(sorted(makers & set(records.variables)))
        frames = Frames(records, holders, tuple(below), made, linking, before, _returns(heap, made, values))
        yield frames
        yield from (Nesting(frames, holder) for holder in holders)
        yield from (HeldSuccessors(*found) for found in _successors(heap, holders, [one.field for one in own]))
        before += len(made)


def _successors(heap: HeapVocabulary, holders: tuple[str, ...], along: list[str]) -> Iterator[tuple[str, str, str]]:
    """Two fields of records that are set from a variable and from what a field led to from there."""
    edges = [edge.command for edge in heap.resolved.graph.edges]
    loads = {(c.base, field_name(heap.resolved, c.base, c.field), c.target) for c in edges if isinstance(c, Load)}
    held: dict[str, set[str]] = {}
    for c in edges:
        if isinstance(c, Store) and isinstance(c.value, Var):
            held.setdefault(field_name(heap.resolved, c.base, c.field), set()).add(c.value.name)
    for first in holders:
        for second in holders:
            for field in along if first != second else ():
                pairs = ((x, y) for x in held.get(first, ()) for y in held.get(second, ()))
                if any((x, field, y) in loads for x, y in pairs):
                    yield first, field, second


def _returns(heap: HeapVocabulary, made: tuple[int, ...], values: Mapping[str, tuple[int, ...]]) -> tuple[Return, ...]:
    """What the sites in records tell of the calls that made those below."""
    calls = calls_of_records(heap.resolved)
    found: dict[str, set[int]] = {}
    for cell, site in return_sites(heap):
        for value in values.get(cell, ()):
            known = found.setdefault(names.equals(cell, value), set())
            known.update(edge for edge in made if calls.get(edge) == (site, value))
    return tuple(Return(value, frozenset(edges)) for value, edges in found.items())


def return_sites(heap: HeapVocabulary) -> frozenset[tuple[str, str]]:
    """The cells of records that say where a function returns to, and the variables from which they are set. That
    the two agree is true of runs, not of every heap, so that only the program with lean records has this."""
    if heap.origin is None:
        return frozenset()
    stores = [edge.command for edge in heap.resolved.graph.edges if isinstance(edge.command, StoreData)]
    chains = {chain for chain, _ in heap.roles.records}
    cells = {name for kind, owned in heap.cells_by_kind.items() if owned & chains for name in owned}
    set_to: dict[str, set[str]] = {}  # "" for anything else
    for c in stores:
        site = c.value.name if isinstance(c.value, IntVar) and c.value.name.endswith(SITE) else ""
        set_to.setdefault(field_name(heap.resolved, c.base, c.field), set()).add(site)
    return frozenset(
        (cell, site) for cell, sites in set_to.items() if cell in cells and "" not in sites for site in sites
    )


def _made(heap: HeapVocabulary) -> Mapping[int, Kind]:
    """The kind of block that each edge allocates, if any."""
    edges, blocks = heap.program.graph.edges, heap.flow.blocks
    news = [(site, edge.command) for site, edge in enumerate(edges) if isinstance(edge.command, New)]
    return {site: blocks.kind(blocks.created(command, site)) for site, command in news}
