"""Available loads (must, forward): after `$5 = p.h`, and until $5, p or some h changes, a test of $5 is a test of p->h.

Lowering splits `p->h == 1` into a load and a test; this analysis relates them again.

    Loads(program, aliases).at(location).get("$5")    # ("p", "node.h")
"""

from __future__ import annotations

from typing import assert_never

from heapwright.engines.lazy.heap.aliases import Aliases
from heapwright.program import commands as c
from heapwright.program.dataflow.liveness import defined
from heapwright.program.dataflow.tracked_integers import bare
from heapwright.program.expressions import IntVar
from heapwright.program.graph import Edge, Program

CellRead = tuple[str, str]  # the pointer and the cell
LoadedCells = dict[str, CellRead]


class Loads:
    def __init__(self, program: Program, aliases: Aliases) -> None:
        self.program = program
        self.aliases = aliases
        self._at: dict[int, LoadedCells] = {}
        self._follow()

    def _follow(self) -> None:
        graph = self.program.graph
        numbers = {id(edge): number for number, edge in enumerate(graph.edges)}
        self._at[graph.entry] = {}
        waiting = [graph.entry]
        while waiting:
            location = waiting.pop()
            for edge in graph.successors[location]:
                after = self._after(edge, numbers[id(edge)], self._at[location])
                old = self._at.get(edge.target)
                joined = after if old is None else {name: read for name, read in old.items() if after.get(name) == read}
                if joined != old:
                    self._at[edge.target] = joined
                    waiting.append(edge.target)

    def at(self, location: int) -> LoadedCells:
        return self._at.get(location, {})

    def _after(self, edge: Edge[c.Command], number: int, known: LoadedCells) -> LoadedCells:
        command = edge.command
        target = defined(command)
        kept = {name: read for name, read in known.items() if target != name and target != read[0]}
        match command:
            case c.LoadData(name, base) if name != base:
                kept[name] = (base, self.aliases.cell(number))
            case c.Compute(name, value):
                source = bare(value)
                if isinstance(source, IntVar) and source.name in known and source.name != name:
                    kept[name] = known[source.name]
            case c.StoreData():
                cell = self.aliases.cell(number)
                kept = {name: read for name, read in kept.items() if read[1] != cell}
            case c.Free() | c.Leave() | c.External() | c.Copy() | c.Fill() | c.Protect():
                kept = {}
            case c.LoadData() | c.Assign() | c.Load() | c.Store() | c.Follow() | c.Reinterpret() | c.New():
                pass  # no integer in memory changes
            case c.Havoc() | c.Distance() | c.Length() | c.Assume() | c.Assert() | c.Skip() | c.Inspect():
                pass
            case c.AnyPointer() | c.Shift() | c.Scramble() | c.LoadCell() | c.StoreCell():
                pass  # coarse aliases: no plain cell changes
            case c.LoadDataCell() | c.StoreDataCell():
                pass
            case _:
                assert_never(command)
        return kept
