"""Statistics that every engine reports: time, memory, the size of the program, and iterations.

statistics(program, start, iterations=posts, nodes=17)
"""

from __future__ import annotations

import resource
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the analysis of a specification does not load the program representation
    from heapwright.program.graph import Program


def statistics(program: Program, start: float, iterations: int, **own: float | str) -> dict[str, float | int | str]:
    """`start` is on the clock of `time.monotonic`; `own` are figures of the engine's own."""
    return {
        "time_s": round(time.monotonic() - start, 3),
        "peak_mb": peak_mb(),
        "locations": len(program.graph.locations),
        "iterations": iterations,
        **own,
    }


def peak_mb() -> int:
    """The peak memory use of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
