"""The figures of Table 2, as printed. Time is in milliseconds, memory in kilobytes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figures:
    """Structures: total, average and maximum per location; time: total and refinement; memory."""

    total: int
    average: float
    top: int
    time_ms: int
    refinement_ms: int
    memory_kb: int


@dataclass(frozen=True, slots=True)
class PublishedRow:
    program: str
    locations: int
    loops: int
    strict: Figures
    loose: Figures


TABLE = (
    PublishedRow("sll-loop", 33, 2, Figures(109, 3.3, 9, 20, 6, 88), Figures(59, 1.8, 4, 11, 5, 72)),
    PublishedRow("sll-reverse", 52, 3, Figures(226, 4.4, 9, 34, 12, 188), Figures(104, 2.0, 4, 28, 14, 129)),
    PublishedRow("sll-delete", 49, 3, Figures(485, 9.9, 48, 202, 59, 379), Figures(215, 4.4, 20, 100, 44, 235)),
    PublishedRow("dll-loop", 35, 2, Figures(113, 3.2, 9, 27, 18, 463), Figures(61, 1.7, 4, 19, 11, 441)),
    PublishedRow("dll-pairs", 42, 2, Figures(191, 4.6, 15, 69, 50, 896), Figures(105, 2.5, 8, 43, 31, 846)),
)
