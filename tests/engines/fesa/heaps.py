"""Random concrete heaps of a few nodes, and the abstract heaps that describe exactly one."""

from __future__ import annotations

from hypothesis import strategies as st
from oxidd.bdd import BDDFunction

from heapwright.engines.fesa.graph.abstract_heap import Heap, Instrumentation, Name, Node, home
from heapwright.engines.fesa.graph.lattice import Lattice
from heapwright.engines.fesa.graph.reduction import Reduction
from heapwright.engines.fesa.graph.summaries import Summaries
from heapwright.engines.fesa.numeric.bdd import Diagrams
from heapwright.engines.fesa.numeric.serialization import allowing
from heapwright.engines.fesa.states.membership import Membership, objects_of
from heapwright.program.runs.snapshot import Address, HeapObject, Snapshot
from heapwright.program.types import Storage

FIELDS = ("left", "right")
VARIABLES = ("x", "y")
READ = frozenset(f"node.{field}" for field in FIELDS)


@st.composite
def snapshots(draw: st.DrawFn, most: int = 4) -> Snapshot:
    """A few nodes, some of them freed but still referred to."""
    count = draw(st.integers(1, most))
    address = st.builds(Address, st.integers(-1, count))
    freed = draw(st.sets(st.integers(1, count), max_size=1))
    objects = {}
    for number in range(1, count + 1):
        pointers = {} if number in freed else {field: draw(address) for field in FIELDS}
        objects[number] = HeapObject("node", Storage.HEAP, "freed" if number in freed else "live", pointers)
    return Snapshot({name: draw(address) for name in VARIABLES}, {}, objects)


class World:
    """A Boolean domain with everything that works on it."""

    def __init__(self, instrumentation: Instrumentation | None = None) -> None:
        self.domain = Diagrams(home, nodes=1 << 18)
        self.lattice = Lattice(self.domain)
        self.summaries = Summaries(self.domain, self.lattice)
        self.reduction = Reduction(self.domain, self.lattice)
        self.instrumentation = instrumentation or Instrumentation()

    def member(self, heap: Heap[BDDFunction]) -> Membership:
        allows = allowing(self.domain, heap.function, heap.flags)
        return Membership(heap.nodes, heap.flags, allows, frozenset(VARIABLES), READ, self.instrumentation, {})

    def contains(self, heap: Heap[BDDFunction], concrete: Snapshot) -> bool:
        return self.member(heap).contains(concrete) is True

    def exact(self, concrete: Snapshot) -> Heap[BDDFunction]:
        """A plain node for each object that is live or referred to."""
        empty: Heap[BDDFunction] = Heap({}, frozenset(), self.domain.top())
        member = self.member(empty)
        tracked = member.tracked(concrete)
        names = {Name("n", (str(number),)): number for number in objects_of(tracked)}
        nodes = {name: Node("node", Storage.HEAP) for name in names}
        flags = frozenset(member.true(tracked, names, {}))
        function = self.domain.top()
        for flag in sorted(flags):
            function = self.domain.meet(function, self.domain.literal(flag))
        return Heap(nodes, flags, function)
