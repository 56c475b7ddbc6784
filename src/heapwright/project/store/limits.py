"""Limits of an answer, and which requests it serves.

A complete answer serves every request. One that a limit cut serves requests whose limits are no larger. The answer of
a unit that crashed serves none.

>>> UnitLimits(timeout=5, memory_mb=100).within(UnitLimits(timeout=20, memory_mb=100))
True
>>> UnitLimits(timeout=None).within(UnitLimits(timeout=20))
False
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class UnitLimits:
    """Seconds and megabytes of a unit, None for no limit; `bounds` are those of the search, by their names."""

    timeout: float | None = None
    memory_mb: float | None = None
    bounds: Mapping[str, int] = field(default_factory=dict)

    def within(self, other: UnitLimits) -> bool:
        """Whether no limit is larger than that of `other`."""
        return (
            _no_larger(self.timeout, other.timeout)
            and _no_larger(self.memory_mb, other.memory_mb)
            and self.bounds.keys() == other.bounds.keys()
            and all(self.bounds[name] <= other.bounds[name] for name in self.bounds)
        )

    def text(self) -> str:
        content = {"timeout": self.timeout, "memory_mb": self.memory_mb, "bounds": dict(self.bounds)}
        return json.dumps(content, sort_keys=True)


def read_limits(text: str) -> UnitLimits:
    content = json.loads(text)
    return UnitLimits(content["timeout"], content["memory_mb"], content["bounds"])


def _no_larger(one: float | None, other: float | None) -> bool:
    return other is None or (one is not None and one <= other)
