"""Membership in the concretisation of an abstract heap: the definition that the analysis is tested against.

Objects are assigned to nodes of their type, one at most to a plain node. The assignment is right when every choice of a
representative and of another object as ghost, for each summary, gives a vector of the function. Where a summary has
only one object, the ghost's flags may have any value. So may those of a cell whose value is unknown: a heap that
is then rejected is rejected for every value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from heapwright.engines.fesa.graph import abstract_heap as g
from heapwright.engines.fesa.numeric.serialization import Allows
from heapwright.program.dataflow.liveness import Liveness
from heapwright.program.runs.snapshot import ANY_ADDRESS, NULL_ADDRESS, Address, Snapshot
from heapwright.program.types import Storage

MOST_ASSIGNMENTS = 10_000
MOST_VIEWS = 20_000  # of one heap: choices of representatives and ghosts, over all assignments
MOST_ANSWERS = 100_000  # that are kept at one location


def kept_variables(liveness: Liveness, location: int, *, scopes: bool) -> int:
    """Live variables; with `scopes`, dead pointers of the user, too."""
    return liveness.at(location) | (liveness.pointers & ~liveness.temporaries if scopes else 0)


@dataclass(frozen=True)
class TrackedHeap:
    """A concrete heap with what its tracked cells hold; object 0 has the variables."""

    heap: Snapshot
    pointers: Mapping[tuple[int, str], Address]
    instrumentation: g.Instrumentation

    @cached_property
    def cells(self) -> dict[int, list[tuple[str, Address]]]:
        """By object."""
        found: dict[int, list[tuple[str, Address]]] = {}
        for (source, field), address in self.pointers.items():
            found.setdefault(source, []).append((field, address))
        return found

    @cached_property
    def hits(self) -> dict[str, Counter[int]]:
        """By counter, how many fields point to each object."""
        found = {counter: Counter[int]() for counter in self.instrumentation.all_counters}
        for (source, field), address in self.pointers.items():
            if source:
                for counter in self.instrumentation.counters(self.heap.objects[source].type, field):
                    found[counter][address.object] += 1
        return found

    def inputs_beside(self, name: str) -> bool:
        """Whether there is an input object of the type that a variable points to, or any if it points to none, that it
        does not lead to."""
        waiting, seen = [self.pointers.get((0, name), NULL_ADDRESS).object], {0}
        first = self.heap.objects.get(waiting[0])
        while waiting:
            number = waiting.pop()
            if number not in seen:
                seen.add(number)
                waiting += [address.object for _, address in self.cells.get(number, ())]
        inputs = [n for n, item in self.heap.objects.items() if item.allocated is None and item.storage is Storage.HEAP]
        return any(n not in seen and (first is None or self.heap.objects[n].type == first.type) for n in inputs)

    def has_cycle(self, fields: frozenset[str], anchors: frozenset[str], *, rooted: bool) -> bool:
        """Whether live objects form a cycle along some fields that goes through none that an anchor points to, nor
        through one of a global if those are `rooted`."""
        anchored = {
            address.object for (source, name), address in self.pointers.items() if not source and name in anchors
        }
        live = {number for number, item in self.heap.objects.items() if item.status == "live"}
        if rooted:
            anchored |= {number for number in live if self.heap.objects[number].storage is Storage.STATIC}
        leads: dict[int, set[int]] = {number: set() for number in live}
        for (source, field), address in self.pointers.items():
            if (
                source in live
                and address.object in live - anchored
                and f"{self.heap.objects[source].type}.{field}" in fields
            ):
                leads[source].add(address.object)
        while ends := [number for number, targets in leads.items() if not targets & leads.keys()]:
            for number in ends:
                del leads[number]
        return bool(leads)


class Membership:
    """Membership in the heaps of one location: `nodes` and `flags` are those of the abstract heap, `allows` asks its
    function; `live` are the variables that matter there, `read` the pointer fields that are tracked, `constants` the
    numbers that live variables and fields (`type.field` of the block) are compared with. Along the
    fields `acyclic` live blocks form no cycle, but through blocks that `anchors` point to and, if they are `rooted`,
    those of globals. `arbitrary`: an input that
    leads to any heap, and to all there is of its type."""

    def __init__(
        self,
        nodes: Mapping[g.Name, g.Node],
        flags: frozenset[g.Flag],
        allows: Allows,
        live: frozenset[str],
        read: frozenset[str],
        instrumentation: g.Instrumentation,
        constants: Mapping[str, tuple[int, ...]],
        acyclic: frozenset[str] = frozenset(),
        arbitrary: str = "",
        anchors: frozenset[str] = frozenset(),
        *,
        rooted: bool = False,
    ) -> None:
        self.nodes = nodes
        self.flags = flags
        self.allows = allows
        self.live = live
        self.read = read
        self.instrumentation = instrumentation
        self.constants = constants
        self.acyclic = frozenset() if arbitrary else acyclic
        self.arbitrary = arbitrary
        self.anchors = anchors
        self.rooted = rooted
        self.known: dict[
            tuple[frozenset[g.Flag], frozenset[g.Flag]], bool
        ] = {}  # of vectors, by what is 1 and what is open
        self.optional = frozenset(f for f in flags if f.kind in ("out", "into", "equal"))
        self.untold: frozenset[tuple[int, str]] = frozenset()  # cells of the heap that is asked about
        self.garbage = False  # whether there may be objects besides those of that heap
        self.names = tuple(sorted(live | constants.keys()))
        self.fields: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}  # that matter, by type
        self.answers: dict[Hashable, bool | None] = {}  # by the heap as far as it is looked at

    def answer(self, heap: Snapshot, *, lost: bool | None) -> bool | None:
        """Membership of a heap without its garbage, which abstract heaps keep: undecided where that may be missing
        because blocks were `lost` before. Heaps that differ in dead variables or untracked fields alone are asked about
        once."""
        key = (bool(lost), self._looked_at(heap))
        if key not in self.answers:
            if len(self.answers) >= MOST_ANSWERS:
                self.answers.clear()
            found = self.contains(heap)
            self.answers[key] = None if found is False and lost and self.contains(heap, garbage=True) else found
        return self.answers[key]

    def _looked_at(self, heap: Snapshot) -> Hashable:
        """What membership of a heap depends on."""
        variables = [(heap.pointers.get(name), heap.data.get(name)) for name in self.names]
        objects = []
        for number, item in heap.objects.items():
            pointers, data = self._looked_at_in(item.type)
            held = tuple((name, item.pointers[name]) for name in pointers if name in item.pointers)
            numbers = tuple((name, item.data[name]) for name in data if name in item.data)
            objects.append((number, item.type, item.storage, item.status, item.allocated is None, held, numbers))
        return tuple(variables), tuple(objects)

    def _looked_at_in(self, type: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The pointer and the data fields of blocks of a type that matter."""
        if type not in self.fields:
            prefix = f"{type}."
            self.fields[type] = (
                tuple(sorted(name.removeprefix(prefix) for name in self.read if name.startswith(prefix))),
                tuple(sorted(name.removeprefix(prefix) for name in self.constants if name.startswith(prefix))),
            )
        return self.fields[type]

    def contains(self, concrete: Snapshot, *, garbage: bool = False) -> bool | None:
        """None if there are too many assignments to try. `garbage`: whether it may be with objects that nothing in it
        reaches."""
        self.garbage = garbage
        tracked = self.tracked(concrete)
        self.untold = frozenset(cell for cell, address in tracked.pointers.items() if address == ANY_ADDRESS)
        if self.untold:
            told = {cell: address for cell, address in tracked.pointers.items() if cell not in self.untold}
            tracked = TrackedHeap(concrete, told, self.instrumentation)
        open_ = any(not source and name in self.anchors for source, name in self.untold)
        if self.acyclic and not open_ and tracked.has_cycle(self.acyclic, self.anchors, rooted=self.rooted):
            return False
        if self.arbitrary and not self.untold and tracked.inputs_beside(self.arbitrary):
            return False
        left = MOST_VIEWS
        for count, node_of in enumerate(self._assignments(tracked, objects_of(tracked), {})):
            if count == MOST_ASSIGNMENTS:
                return None
            seen, fits = self._described(tracked, node_of, left)
            left -= seen
            if fits or left <= 0:
                return fits or None
        return False

    def _assignments(
        self, tracked: TrackedHeap, objects: Sequence[int], node_of: Mapping[int, g.Name]
    ) -> Iterator[Mapping[int, g.Name]]:
        """Assignments of objects to nodes, without those that no vector can allow."""
        if not objects:
            yield node_of
            return
        number, *others = objects
        item = tracked.heap.objects[number]
        for name, node in self.nodes.items():
            fits = (node.type, node.storage, node.element) == (item.type, item.storage, item.position)
            fits &= node.summary or name not in node_of.values()
            fits &= item.status != "live" or g.exists(name) in self.flags
            if fits and self._edges_fit(number, tracked.pointers, {**node_of, number: name}):
                yield from self._assignments(tracked, others, {**node_of, number: name})

    def _edges_fit(
        self, number: int, pointers: Mapping[tuple[int, str], Address], node_of: Mapping[int, g.Name]
    ) -> bool:
        """Whether the edges from and to an object, as far as the other ends have nodes, are ones that may be there."""
        for (source, field), address in pointers.items():
            if number not in (source, address.object) or not address.object:
                continue
            holder = g.NOWHERE if source == 0 else node_of.get(source)
            target = g.JUNK if address.object == -1 else node_of.get(address.object)
            if holder is None or target is None:
                continue
            other = holder == target and source != address.object
            flag = g.out(holder, field) if other else g.edge(g.Cell(holder, field), target)
            if flag not in self.flags:
                return False
        return True

    def tracked(self, concrete: Snapshot) -> TrackedHeap:
        found = {(0, name): address for name, address in concrete.pointers.items() if name in self.live}
        for number, item in concrete.objects.items():
            for field, address in item.pointers.items():
                if f"{item.type}.{field}" in self.read:
                    found[number, field] = address
        return TrackedHeap(concrete, found, self.instrumentation)

    def _described(self, tracked: TrackedHeap, node_of: Mapping[int, g.Name], most: int) -> tuple[int, bool]:
        """The number of views that were tested, and whether all of them are vectors (no if there were too many)."""
        members: dict[g.Name, list[int]] = {}
        for number, node in node_of.items():
            members.setdefault(node, []).append(number)
        seen = 0
        for representatives, ghosts in _views(members):
            seen += 1
            if seen > most or not self._is_vector(tracked, representatives, ghosts):
                return seen, False
        return seen, True

    def _is_vector(
        self, tracked: TrackedHeap, representatives: Mapping[g.Name, int], ghosts: Mapping[g.Name, int]
    ) -> bool:
        true = frozenset(self.true(tracked, representatives, ghosts))
        if self.garbage:
            true = frozenset(flag for flag in true if flag.kind != "count")
        if not true <= self.flags:
            return False
        open_ = frozenset(f for f in self.optional if self._open(f, tracked.heap, representatives, ghosts))
        if self.untold:
            open_ |= {f for f in self.flags if self._untold(f, representatives, ghosts)}
        if self.garbage:
            open_ |= {f for f in self.flags if self._of_garbage(f, representatives)}
        if (true, open_) not in self.known:
            self.known[true, open_] = self.allows(true, open_)
        return self.known[true, open_]

    def true(
        self, tracked: TrackedHeap, representatives: Mapping[g.Name, int], ghosts: Mapping[g.Name, int]
    ) -> Iterator[g.Flag]:
        """The flags that are 1 in this view of a concrete heap."""
        concrete = tracked.heap
        node_of = {number: node for node, number in representatives.items()}
        ghost_of = {number: node for node, number in ghosts.items()}
        for source in (0, *node_of, *ghost_of):
            holder, ghost = g.NOWHERE if source == 0 else node_of.get(source), ghost_of.get(source)
            for field, address in tracked.cells.get(source, ()):
                target = g.JUNK if address.object == -1 else node_of.get(address.object)
                if holder is not None and target is not None:
                    yield g.edge(g.Cell(holder, field), target)
                if holder is not None and address.object and self.instrumentation.out:
                    yield g.some(g.Cell(holder, field))
                if holder is not None and source and ghost_of.get(address.object) == holder:
                    yield g.out(holder, field)
                if target is not None and ghost == target:
                    yield g.into(target, field)
        for node, number in representatives.items():
            if concrete.objects[number].status == "live":
                yield g.exists(node)
            if self.instrumentation.into:
                for counter, hits in tracked.hits.items():
                    told = min(hits[number], g.MANY)
                    yield from (g.count(node, bit, counter) for bit in (0, 1) if told >> bit & 1)
        for name, value in concrete.data.items():
            if value is not None and value in self.constants.get(name, ()):
                yield g.equal(g.variable(name), value)
        for node, number in representatives.items():
            item = concrete.objects[number]
            for name, value in item.data.items():
                if value is not None and value in self.constants.get(f"{item.type}.{name}", ()):
                    yield g.equal(g.Cell(node, name), value)

    def _open(
        self, flag: g.Flag, concrete: Snapshot, representatives: Mapping[g.Name, int], ghosts: Mapping[g.Name, int]
    ) -> bool:
        """Whether a flag may have any value in a concrete heap."""
        if flag.kind in ("out", "into"):
            return flag.node in representatives and flag.node not in ghosts
        if flag.kind == "equal":
            holder = representatives.get(flag.cell.node, 0)
            live = not flag.cell.is_field or (holder > 0 and concrete.objects[holder].status == "live")
            return live and self._data(flag, concrete, representatives) is None
        return False

    def _untold(self, flag: g.Flag, representatives: Mapping[g.Name, int], ghosts: Mapping[g.Name, int]) -> bool:
        """Whether a flag depends on a cell of unknown value."""
        match flag.kind:
            case "edge" | "some":
                holder = representatives.get(flag.cell.node, -1) if flag.cell.is_field else 0
                return (holder, flag.cell.field) in self.untold
            case "out":
                return (representatives.get(flag.node, -1), flag.field) in self.untold
            case "into":
                return (ghosts.get(flag.node, -1), flag.field) in self.untold
            case "count":
                return any(source for source, _ in self.untold)
        return False

    def _of_garbage(self, flag: g.Flag, representatives: Mapping[g.Name, int]) -> bool:
        """Whether a flag depends on objects that nothing reaches: they may have any node that is left, point anywhere,
        and count where they point."""
        if flag.kind == "count":
            return True
        holder = flag.node if flag.cell == g.NO_CELL else flag.cell.node
        node = self.nodes.get(holder)
        return node is not None and node.storage is Storage.HEAP and holder not in representatives

    def _data(self, flag: g.Flag, concrete: Snapshot, representatives: Mapping[g.Name, int]) -> int | None:
        if not flag.cell.is_field:
            return concrete.data.get(flag.cell.field)
        holder = representatives.get(flag.cell.node, 0)
        return concrete.objects[holder].data.get(flag.cell.field) if holder else None


def objects_of(tracked: TrackedHeap) -> list[int]:
    """Live ones, and those of the others that something refers to."""
    referred = {address.object for address in tracked.pointers.values()}
    return [n for n, item in tracked.heap.objects.items() if item.status == "live" or n in referred]


def _views(members: Mapping[g.Name, list[int]]) -> Iterator[tuple[dict[g.Name, int], dict[g.Name, int]]]:
    """All choices of a representative, and of a ghost where there is another object."""
    nodes = list(members)
    pairs = [
        [(one, other) for one in found for other in found if other != one] if len(found) > 1 else [(found[0], 0)]
        for found in members.values()
    ]
    for choice in product(*pairs):
        yield (
            {node: one for node, (one, _) in zip(nodes, choice, strict=True)},
            {node: other for node, (_, other) in zip(nodes, choice, strict=True) if other},
        )
