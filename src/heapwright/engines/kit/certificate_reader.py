"""Base class of certificate readers: an invariant read back from a part of a certificate's section.

A reader of an engine decodes the locations of its part (`by_location`), decides membership (`contains`), and declares
the integer values and the fields that its states distinguish; defaults that most engines share are here. It loads no
transformer (tests/test_architecture.py).

    class StructureReader(CertificateReader):
        def __init__(self, program, part):
            super().__init__(program)
            self.structures = self.by_location(part, lambda location, known: ...)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any, TypeVar

from heapwright.program.commands import New
from heapwright.program.dataflow.liveness import Liveness
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Snapshot
from heapwright.program.types import ValueKind

T = TypeVar("T")


class CertificateReader(ABC):
    """A deserialised invariant (`ProofStates`)."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def by_location(self, part: Mapping[str, Any], read: Callable[[int, Any], T]) -> dict[int, T]:
        """The states of each location, decoded; raises ValueError for a location that the program does not have."""
        found: dict[int, T] = {}
        for text, known in part["locations"].items():
            location = int(text)
            if not 0 <= location < len(self.program.graph.locations):
                raise ValueError(f"there is no location {location}")
            found[location] = read(location, known)
        return found

    @abstractmethod
    def contains(self, location: int, heap: Snapshot) -> bool | None: ...

    def undecided(self) -> bool:
        return False

    # --- distinguished variables, fields and values -------------------------------------------------------------------

    @cached_property
    def liveness(self) -> Liveness:
        return Liveness(self.program)

    def live(self, location: int, kind: ValueKind | None = None) -> list[str]:
        """The live variables at a location, of that kind or of all."""
        mask = self.liveness.at(location)
        variables = self.program.variables.items()
        return [n for n, v in variables if mask & self.liveness.bit(n) and kind in (None, v.kind)]

    def pointers(self, location: int) -> tuple[str, ...]:
        return tuple(self.live(location, ValueKind.POINTER))

    def nulls(self, location: int) -> tuple[str, ...]:
        return ()

    @cached_property
    @abstractmethod
    def values(self) -> Mapping[str, tuple[int, ...]]:
        """Representative values of integer variables (and of whatever else has some), by name."""

    def numbers(self, location: int) -> Mapping[str, tuple[int, ...]]:
        return {name: self.values[name] for name in self.live(location, ValueKind.DATA) if name in self.values}

    @cached_property
    @abstractmethod
    def pointer_fields(self) -> frozenset[tuple[str, str]]: ...

    @cached_property
    @abstractmethod
    def data_fields(self) -> Mapping[tuple[str, str], tuple[int, ...]]: ...

    def fields(self) -> frozenset[tuple[str, str]]:
        return self.pointer_fields

    def data(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        return self.data_fields

    def kind(self, site: int) -> Hashable:
        """The type and the storage class of the blocks that the edge allocates, if any."""
        command = self.program.graph.edges[site].command
        return (command.type, command.storage) if isinstance(command, New) else None


def and_another(constants: Iterable[int]) -> tuple[int, ...]:
    """Representatives of integers that are compared with constants only: each constant, and one other integer.

    >>> and_another([0, 5])
    (0, 5, 1)
    """
    known = sorted(constants)
    return (*known, next(n for n in range(len(known) + 1) if n not in known))
