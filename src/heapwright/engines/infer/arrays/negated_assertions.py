"""Obligations of a function over arrays, and the steps by which each of them fails: its negated assertion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heapwright.base.source import Span
from heapwright.engines.infer.algorithm import Arc
from heapwright.engines.infer.arrays.array_pointers import Access
from heapwright.engines.infer.arrays.command_translation import CommandTranslation
from heapwright.engines.infer.arrays.stores import Idle, IsNull, Outside, Step
from heapwright.program.checks import CheckKind
from heapwright.program.commands import Assert, Command
from heapwright.program.expressions import negate
from heapwright.program.graph import Edge

FAILED = -1  # the location after every failure


@dataclass(frozen=True, slots=True)
class Obligation:
    """Assertion that must hold at some edges; `arcs` lead from `FAILED` to its violations. It is analysed over one of
    the arrays, by its number."""

    id: str
    kind: str
    span: Span
    text: str
    arcs: tuple[Arc[Step], ...]
    followed: bool = True  # False: it depends on values that are not tracked

    @property
    def untracked(self) -> str:
        return "" if self.followed else "values"

    array: int = 0


@dataclass(frozen=True, slots=True)
class Obligations:
    translation: CommandTranslation

    def of(self, edges: list[Edge[Command]]) -> tuple[Obligation, ...]:
        """One for each check, in source order."""
        found: dict[str, Obligation] = {}
        for edge in edges:
            for new in (*self._accessed(edge), *self._asserted(edge)):
                old = found.get(new.id)
                arcs = new.arcs if old is None else (*old.arcs, *new.arcs)
                followed = new.followed and (old is None or old.followed)
                found[new.id] = Obligation(new.id, new.kind, new.span, new.text, arcs, followed)
        return tuple(sorted(found.values(), key=lambda d: (d.span, d.kind)))

    def _accessed(self, edge: Edge[Command]) -> Iterator[Obligation]:
        command, translation = edge.command, self.translation
        if not isinstance(command, Access) or command.base not in translation.pointers.within:
            return
        array = translation.program.variables[translation.pointers.array].source_name
        for check in edge.checks:
            if check.kind is CheckKind.NULL_DEREF:
                steps: list[Step] = [IsNull(True)]
                text, followed = f"{array} is not null", True
            elif check.kind is CheckKind.BOUNDS:
                steps = [
                    *translation.indexed(command.base, command.index),
                    Outside(translation.access(command.base, command.index)),
                ]
                text = f"the index is one of {array}"
                followed = translation.position(command.base, command.index) is not None
            else:
                continue  # blocks of parameters are live, and none is freed
            arcs = tuple(translation.chain(FAILED, steps, edge.source))
            yield Obligation(check.id, check.kind.value, check.span, text, arcs, followed)

    def _asserted(self, edge: Edge[Command]) -> Iterator[Obligation]:
        command = edge.command
        if isinstance(command, Assert):
            check = command.check
            step = self.translation.test(negate(command.literal))
            arcs = tuple(self.translation.chain(FAILED, [step or Idle()], edge.source))
            text = check.subject or "the assertion holds"
            yield Obligation(check.id, check.kind.value, check.span, text, arcs, step is not None)
