"""Measurements of the programs of the paper on preconditions in which everything is as the paper says."""

from __future__ import annotations

from heapwright.reproduce.backward.measure import Measurement, Need
from heapwright.reproduce.backward.table import EXPECTED, PROGRAMS


def rows() -> list[Measurement]:
    found = []
    for program in PROGRAMS:
        needs = tuple(
            Need(f"{place}: something", kind, words, 0 if words == "nothing" else 6)
            for place, ((name, kind), words) in enumerate(EXPECTED.items())
            if name == program
        )
        found.append(
            Measurement(program, (*needs, Need("9: a pointer", "null-deref", "nothing", 0)), heaps=10, harmless=4)
        )
    return found
