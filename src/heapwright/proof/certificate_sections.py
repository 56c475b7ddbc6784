"""Sections of a certificate as invariants with a membership test, deserialised by the engine that wrote them.

states = read_section(program, section)
states.contains(location, heap)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

from heapwright.base.errors import InputError
from heapwright.engines import load_reader
from heapwright.engines.api import ProofStates
from heapwright.engines.kit.conjunction import Conjunction
from heapwright.program.graph import Program
from heapwright.result.outcomes import Section

K = TypeVar("K")
T = TypeVar("T")
FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def read_section(program: Program, section: Section) -> ProofStates:
    """The invariant of a section; raises InputError if it is malformed."""
    reader = load_reader(section.engine)
    parts = well_formed(section, lambda: tuple(reader(program, part) for part in section.parts))
    if not parts:
        raise InputError(f"the section of '{section.engine}' in the certificate is empty")
    return parts[0] if len(parts) == 1 else ProofConjunction(parts)


def well_formed(section: Section, read: Callable[[], T]) -> T:
    """The value of `read`; its exceptions become one InputError about the section."""
    try:
        return read()
    except FAULTS as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"the section of '{section.engine}' in the certificate is malformed ({what})") from None


class ProofConjunction(Conjunction[ProofStates]):
    """The conjunction of the parts of a section. It distinguishes whatever one of them distinguishes."""

    def undecided(self) -> bool:
        return all(part.undecided() for part in self.parts)

    def pointers(self, location: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for part in self.parts for name in part.pointers(location)))

    def nulls(self, location: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for part in self.parts for name in part.nulls(location)))

    def numbers(self, location: int) -> Mapping[str, tuple[int, ...]]:
        return _merged([part.numbers(location) for part in self.parts])

    def fields(self) -> frozenset[tuple[str, str]]:
        return frozenset[tuple[str, str]]().union(*(part.fields() for part in self.parts))

    def data(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        return _merged([part.data() for part in self.parts])

    def kind(self, site: int) -> Hashable:
        return tuple(part.kind(site) for part in self.parts)


def _merged(tables: list[Mapping[K, tuple[int, ...]]]) -> dict[K, tuple[int, ...]]:
    found: dict[K, tuple[int, ...]] = {}
    for table in tables:
        for key, tries in table.items():
            found[key] = tuple(sorted({*found.get(key, ()), *tries}))
    return found
