"""The base class of certificate readers, by a reader of the smallest kind."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import pytest
from cli.hand_made import small_program

from heapwright.engines import ENGINES, declaration_of, load_reader
from heapwright.engines.kit.certificate_reader import CertificateReader, and_another
from heapwright.program.commands import New
from heapwright.program.runs.snapshot import Snapshot

PROGRAM = small_program("a.c")
LAST = len(PROGRAM.graph.locations) - 1


class Counts(CertificateReader):
    """Knows how many heaps there are."""

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        return None

    @cached_property
    def values(self) -> Mapping[str, tuple[int, ...]]:
        return {}

    @cached_property
    def pointer_fields(self) -> frozenset[tuple[str, str]]:
        return frozenset({("node", "next")})

    @cached_property
    def data_fields(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        return {("node", "key"): (0, 1)}


def test_locations_are_decoded() -> None:
    part = {"locations": {"0": [1, 2], str(LAST): []}}
    assert Counts(PROGRAM).by_location(part, lambda location, known: (location, len(known))) == {
        0: (0, 2),
        LAST: (LAST, 0),
    }


@pytest.mark.parametrize("location", ["-1", str(LAST + 1), "first"])
def test_a_location_that_the_program_does_not_have(location: str) -> None:
    with pytest.raises(ValueError, match=r"location|invalid literal"):
        Counts(PROGRAM).by_location({"locations": {location: []}}, lambda location, known: known)


def test_what_most_engines_distinguish() -> None:
    reader = Counts(PROGRAM)
    assert not reader.undecided()
    assert (reader.fields(), reader.data()) == (reader.pointer_fields, reader.data_fields)
    for number, edge in enumerate(PROGRAM.graph.edges):
        made = isinstance(edge.command, New)
        assert (reader.kind(number) is not None) == made
    for location in range(LAST + 1):
        assert set(reader.pointers(location)) <= set(reader.live(location))
        assert reader.numbers(location) == {}


def test_another_number_is_none_of_the_constants() -> None:
    assert and_another([]) == (0,)
    assert and_another([2, 0, 1]) == (0, 1, 2, 3)


@pytest.mark.parametrize("engine", [name for name in ENGINES if declaration_of(name).reads_certificate])
def test_every_reader_is_one(engine: str) -> None:
    reader = load_reader(engine)
    assert isinstance(reader, type)
    assert issubclass(reader, CertificateReader)
