"""The options of a search, and what it found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from heapwright.engines.lazy.paths.path_constraints import PathKind
from heapwright.program.checks import Check
from heapwright.program.trace import Run

ShapeMode = Literal["lazy", "never", "always"]


@dataclass(frozen=True)
class Options:
    """`shapes`: structures are tracked on demand (lazy), never, or always: then the initial precision is the finest,
    and there is no refinement. `refinements`: maximum number of refinements. `explicit`: explore small heaps explicitly
    first. `paths`: the form of path formulas."""

    shapes: ShapeMode = "lazy"
    refinements: int = 400
    until_alarm: bool = False  # end at the first check that is given up
    checked: bool = False  # check every interpolant sequence
    explicit: bool = False
    paths: PathKind = "arrays"
    print_paths: bool = False  # as progress notes


@dataclass
class CheckResults:
    """Checks that a replayed run violates, and checks that were given up, with the reason and the path."""

    violated: dict[str, Run] = field(default_factory=dict)
    given_up: dict[str, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    complete: bool = False
    limit: str = ""

    def has_result(self, check: Check) -> bool:
        return check.id in self.violated or check.id in self.given_up
