"""The published figures: Table 1 with and without instrumentation, and Table 2 on TVLA."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figures:
    """`size` is in variables and clauses, "-" without projections."""

    projections: int
    size: str
    time_ms: int
    memory_mb: int
    iterations: str
    warnings: int


@dataclass(frozen=True, slots=True)
class PublishedRow:
    program: str
    without: Figures
    instrumented: Figures


TABLE_1 = (
    PublishedRow("three-element-list", Figures(0, "-", 2, 10, "-", 1), Figures(0, "-", 3, 10, "-", 0)),
    PublishedRow("singly-linked-list", Figures(33, "20/36", 30, 12, "4/3", 6), Figures(42, "36/55", 132, 14, "5/3", 0)),
    PublishedRow("doubly-linked-list", Figures(12, "23/37", 13, 10, "2/2", 7), Figures(15, "47/76", 49, 13, "3/2", 0)),
    PublishedRow("summarize-tree", Figures(0, "-", 2, 12, "-", 0), Figures(0, "-", 2, 13, "-", 0)),
    PublishedRow("access-tree", Figures(38, "15/15", 48, 10, "3", 6), Figures(12, "131/298", 32, 17, "2", 0)),
    PublishedRow("deallocate-tree", Figures(95, "32/45", 380, 25, "5", 28), Figures(80, "52/95", 1511, 26, "5", 1)),
    PublishedRow("deallocate-graph", Figures(96, "34/51", 375, 23, "5", 44), Figures(139, "57/104", 1425, 26, "5", 1)),
)


@dataclass(frozen=True, slots=True)
class Tvla:
    program: str
    predicates: int
    time_ms: int
    memory_mb: int
    iterations: int
    warnings: int


TABLE_2 = (Tvla("singly-linked-list", 16, 176, 14, 40, 0), Tvla("deallocate-tree", 19, 3391, 20, 66, 26))
