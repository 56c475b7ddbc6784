"""The published figures of Table 1."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Published:
    """Seconds on a 3 GHz Intel Xeon, and numbers of refinements; `shapes_prove`: no false positive."""

    program: str
    predicates_s: float
    predicates_refinements: int
    shapes_s: float
    shapes_prove: bool
    both_s: float
    both_refinements: int


TABLE_1 = (
    Published("simple", 0.16, 0, 0.48, True, 0.51, 1),
    Published("simple_backw", 0.36, 4, 0.43, True, 0.58, 5),
    Published("list", 0.15, 0, 3.74, True, 4.63, 3),
    Published("list_flag", 0.15, 0, 0.26, False, 1.18, 4),
    Published("alternating", 0.20, 1, 0.26, False, 1.77, 5),
    Published("splice", 0.68, 3, 0.66, False, 6.10, 7),
)
