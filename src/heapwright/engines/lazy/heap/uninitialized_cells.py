"""Uninitialised cells that may be read: a block is private while one variable alone points to it, and a cell
that is set by then is never read as junk.

    t = malloc(sizeof *t); t->n = l; l = t;      no read of n gives junk
    t = malloc(sizeof *t); l = t; t->n = NULL;   a read through l might

A forward analysis: the cells that may still be junk, of each variable that is the only pointer to its block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from heapwright.program import commands as c
from heapwright.program.dataflow.liveness import Liveness, defined, used
from heapwright.program.expressions import PointerCompare, Var
from heapwright.program.graph import Edge, Graph

SiteCell = tuple[int, str]  # the edge that allocates, and the cell
Private = Mapping[str, frozenset[SiteCell]]


class UninitializedCells:
    """`created` are the pointer cells of what an edge allocates, `cell` is the cell that an edge accesses."""

    def __init__(
        self,
        graph: Graph[c.Command],
        liveness: Liveness,
        created: Callable[[int], Iterable[str]],
        cell: Callable[[int], str],
    ) -> None:
        self.graph = graph
        self.liveness = liveness
        self.created = created
        self.cell = cell
        self.readable: set[SiteCell] = set()
        self._solve()

    def _solve(self) -> None:
        numbers = {id(edge): number for number, edge in enumerate(self.graph.edges)}
        known: dict[int, Private] = {self.graph.entry: {}}
        waiting = [self.graph.entry]
        while waiting:
            location = waiting.pop()
            for edge in self.graph.successors[location]:
                after = self._after(edge, numbers[id(edge)], known[location])
                old = known.get(edge.target)
                joined = after if old is None else self._joined(old, after)
                if joined != old:
                    known[edge.target] = joined
                    waiting.append(edge.target)

    def _joined(self, one: Private, other: Private) -> Private:
        """What is private on both ways; what is so on one alone may be read from now on."""
        for name in one.keys() ^ other.keys():
            self.readable |= one.get(name, frozenset()) | other.get(name, frozenset())
        return {name: one[name] | other[name] for name in one.keys() & other.keys()}

    def _after(self, edge: Edge[c.Command], number: int, before: Private) -> Private:
        command, private = edge.command, dict(before)
        moved = self._moved(edge, private)
        match command:
            case c.New():
                private.pop(command.target, None)
                cells = frozenset() if command.zeroed else frozenset((number, one) for one in self.created(number))
                if command.replaces:
                    self.readable |= cells
                else:
                    private[command.target] = cells
                return private
            case c.Store(base, _, value):
                if base in private:
                    private[base] = frozenset(one for one in private[base] if one[1] != self.cell(number))
                if isinstance(value, Var):
                    self._publish(private, value.name)
            case c.Load(_, base):
                read = self.cell(number)
                self.readable |= {one for one in private.get(base, ()) if one[1] == read}
            case c.LoadData() | c.StoreData() | c.Free() | c.Leave() | c.Inspect():
                pass  # no pointer is read or copied
            case c.Assume(PointerCompare()) | c.Assert(PointerCompare(), _):
                pass
            case c.Assign() | c.Follow() | c.Reinterpret() if moved is not None:
                pass
            case (
                c.Assign()
                | c.Follow()
                | c.Shift()
                | c.Reinterpret()
                | c.AnyPointer()
                | c.External()
                | c.Compute()
                | c.Havoc()
                | c.Scramble()
                | c.Distance()
                | c.Length()
                | c.LoadCell()
                | c.StoreCell()
                | c.LoadDataCell()
                | c.StoreDataCell()
                | c.Copy()
                | c.Fill()
                | c.Protect()
                | c.Assume()
                | c.Assert()
                | c.Skip()
            ):
                for name in used(command):
                    self._publish(private, name)
        target = defined(command)
        if target is not None:
            private.pop(target, None)
            if moved is not None:
                private[target] = moved
        return private

    def _moved(self, edge: Edge[c.Command], private: dict[str, frozenset[SiteCell]]) -> frozenset[SiteCell] | None:
        """What is private of the target of a copy: the source is not used any more."""
        command = edge.command
        match command:
            case c.Assign(target, Var(source)) | c.Reinterpret(target, source):
                live = self.liveness.at(edge.target) & self.liveness.bit(source)
                if source != target and not live and source in private:
                    return private.pop(source)
        return None

    def _publish(self, private: dict[str, frozenset[SiteCell]], name: str) -> None:
        self.readable |= private.pop(name, frozenset())
