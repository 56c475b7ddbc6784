"""What an answer is, for any domain: the clauses that each demand needs, and how they fare on small inputs.

needed = Needed(part, clauses, missed=(), examples=(smallest,))
Answer(inferred, (needed,), clauses, inputs=23, harmless=20, excluded=0, complete=True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from heapwright.engines.infer.obligation_analysis import Demanded, Inferred, Part

C = TypeVar("C")  # a clause
D = TypeVar("D", bound=Demanded)
E = TypeVar("E")  # an element of the domain
I = TypeVar("I")  # noqa: E741  # an input
T = TypeVar("T")  # a task


@dataclass(frozen=True)
class Needed(Generic[D, E, C, I]):
    """What one demand needs. Of the small inputs that satisfy the clauses none may break it (`missed` are those that
    do: a fault of the analysis). `examples` are inputs that do, smallest first, one for each element that describes
    one."""

    part: Part[D, E]
    clauses: tuple[C, ...]
    missed: tuple[I, ...]
    examples: tuple[I, ...]


@dataclass(frozen=True)
class Answer(Generic[T, D, E, C, I]):
    """`clauses` is what all demands need together. Of the small `inputs` so many are `harmless`, as they break nothing;
    so many of these are `excluded` nevertheless."""

    inferred: Inferred[T, D, E]
    needed: tuple[Needed[D, E, C, I], ...]
    clauses: tuple[C, ...]
    inputs: int
    harmless: int
    excluded: int
    complete: bool  # all runs from small inputs came to an end

    @property
    def missed(self) -> int:
        return sum(len(one.missed) for one in self.needed)
