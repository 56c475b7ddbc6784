"""Pairs of structures over the same nodes, one before a step and one after it, and assertions about a half of them."""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.engines.infer.heaps.steps import Load, Release, Step, Write, plain
from heapwright.engines.infer.heaps.structure import Structure, Vocabulary

Assertion = tuple[int, int, int, int]
"""Assertion about the sought half: (0, variable, -, value): it is null; (1, node, column, value); (2 + field, node,
node, value): paths of a field."""


PATHS = 2  # the kind of assertions about paths of the first field


def paths_of(field: int) -> int:
    """The number of the paths of a field among columns."""
    return -1 - field


@dataclass(frozen=True, slots=True)
class Pair:
    """Of `after` only the columns that the step modifies are used, see `touched`; its nodes are single where those of
    `before` are, as they denote the same objects. `ahead`: the half after the step is sought, else the one before."""

    before: Structure
    after: Structure
    ahead: bool = False

    @property
    def sought(self) -> Structure:
        return self.after if self.ahead else self.before


def touched(step: Step, vocabulary: Vocabulary) -> frozenset[int]:
    """Columns that a step without exact transformer modifies; negative numbers are the paths of fields, see
    `paths_of`."""
    match plain(step):
        case Load(target, _) if target is not None:
            return frozenset(range(vocabulary.at(target), vocabulary.at(target + 1)))
        case Write(_, _, field):
            return frozenset((paths_of(field), *vocabulary.reaching(field)))
        case Release():
            fields = range(vocabulary.fields)
            reached = [column for field in fields for column in (paths_of(field), *vocabulary.reaching(field))]
            return frozenset((vocabulary.alloc, *reached))
        case _:
            return frozenset()
