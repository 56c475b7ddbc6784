"""Allocation sites: `new@n` holds of the object that the n-th allocation of the program created.

Only for programs without loops: there each allocation is executed once, so that objects are never merged and the
abstraction is exact. With loops these predicates would separate objects that should be merged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from heapwright.engines.tvl.encoding.predicate_names import IS_NEW
from heapwright.engines.tvl.encoding.predicates.family import Family
from heapwright.logic.actions import Update
from heapwright.logic.formulas import Or, atom
from heapwright.logic.vocabulary import Predicate
from heapwright.program.commands import New
from heapwright.program.graph import Program


@dataclass(frozen=True)
class Sites(Family):
    """`new@n`"""

    program: Program

    @cached_property
    def _names(self) -> dict[New, str]:
        """By command: equal ones on several edges share a name, which costs precision only."""
        graph = self.program.graph
        if graph.loop_heads:
            return {}
        commands = dict.fromkeys(edge.command for edge in graph.edges if isinstance(edge.command, New))
        return {command: f"new@{number}" for number, command in enumerate(commands)}

    def name(self, command: New) -> str | None:
        """The predicate of the objects that a command makes."""
        return self._names.get(command)

    def predicates(self) -> Iterable[Predicate]:
        return [Predicate(name, 1) for name in self._names.values()]

    def created(self, command: New) -> Iterable[Update]:
        name = self.name(command)
        return [Update(name, ("v",), Or((atom(name, "v"), atom(IS_NEW, "v"))))] if name else []
