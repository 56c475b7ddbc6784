"""The published figures of Table 1."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """Seconds on a 3 GHz Intel Xeon, and numbers of refinements; `shapes_prove`: no false positive."""

    program: str
    predicates_s: float
    predicates_refinements: int
    shapes_s: float
    shapes_prove: bool
    both_s: float
    both_refinements: int


TABLE_1 = (
    PublishedRow("simple", 0.16, 0, 0.48, True, 0.51, 1),
    PublishedRow("simple_backw", 0.36, 4, 0.43, True, 0.58, 5),
    PublishedRow("list", 0.15, 0, 3.74, True, 4.63, 3),
    PublishedRow("list_flag", 0.15, 0, 0.26, False, 1.18, 4),
    PublishedRow("alternating", 0.20, 1, 0.26, False, 1.77, 5),
    PublishedRow("splice", 0.68, 3, 0.66, False, 6.10, 7),
)
