"""Which checks of an edge may fail in a Boolean heap."""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.engines.boolheap.columns import Columns
from heapwright.engines.boolheap.formulas import JUNK, NULL, TRUE, Formula, V, alive, eq, name
from heapwright.engines.boolheap.meaning import Claim, claim, only_heap
from heapwright.engines.boolheap.post import Sharpening
from heapwright.engines.boolheap.vectors import BooleanHeap, Vector
from heapwright.program import commands as c
from heapwright.program.checks import DEREF_KINDS, FREE_KINDS, Check, CheckKind
from heapwright.program.graph import Edge, Program

PROVES = frozenset((*DEREF_KINDS, *FREE_KINDS, CheckKind.ASSERT, CheckKind.SHAPE))


class Checker:
    def __init__(self, program: Program, columns: Columns, sharpening: Sharpening) -> None:
        self.columns = columns
        self.sharpening = sharpening
        self.only_heap = only_heap(program)
        self.scopes_end = any(isinstance(edge.command, c.Leave) for edge in program.graph.edges)
        places = {one: 1 << place for place, one in enumerate(columns.predicates)}
        self.null, self.junk, self.alive = (places[one] for one in (eq(NULL, V), eq(JUNK, V), alive(V)))

    def failing(self, edge: Edge[c.Command], heap: BooleanHeap) -> Iterator[Check]:
        command = edge.command
        if isinstance(command, c.Assert):
            wanted = claim(command.literal)
            if wanted is None or not self._holds(wanted, heap):
                yield command.check
        kinds: frozenset[CheckKind] = frozenset()
        if isinstance(command, c.Free):
            kinds = self._freed(heap, command.base)
        elif isinstance(command, c.Load | c.Store | c.LoadData | c.StoreData):
            kinds = self._accessed(heap, command.base)
        for check in edge.checks:
            if check.kind in kinds or check.kind not in PROVES:
                yield check

    def _vector(self, heap: BooleanHeap, base: str) -> Vector:
        found = self.columns.of_point(heap, name(base))
        return Vector(0, 0) if found is None else found

    def _accessed(self, heap: BooleanHeap, base: str) -> frozenset[CheckKind]:
        vector = self._vector(heap, base)
        kinds = set()
        if not vector.zeros & self.null:
            kinds.add(CheckKind.NULL_DEREF)
        if not vector.zeros & self.junk:
            kinds.add(CheckKind.INVALID_DEREF)
        if self._may_be_dead(vector):
            kinds |= (
                {CheckKind.USE_AFTER_FREE, CheckKind.INVALID_DEREF} if self.scopes_end else {CheckKind.USE_AFTER_FREE}
            )
        return frozenset(kinds)

    def _freed(self, heap: BooleanHeap, base: str) -> frozenset[CheckKind]:
        vector = self._vector(heap, base)
        kinds = set()
        if not vector.zeros & self.junk or not self.only_heap:
            kinds.add(CheckKind.INVALID_FREE)
        if self._may_be_dead(vector):
            kinds.add(CheckKind.DOUBLE_FREE)
        return frozenset(kinds)

    def _may_be_dead(self, vector: Vector) -> bool:
        return not vector.ones & (self.alive | self.null | self.junk)

    def _holds(self, wanted: Claim, heap: BooleanHeap) -> bool:
        around = self.columns.at_points(heap)
        known = [self.sharpening.known(around, one) for one in sorted(heap)]
        return any(self._entails(one, wanted.closed) for one in known) and all(
            self._entails(one, wanted.everywhere) for one in known
        )

    def _entails(self, known: Vector, formula: Formula) -> bool:
        deduction = self.sharpening.deduction
        return formula == TRUE or deduction.value(deduction.question(TRUE, formula), *known) is True
