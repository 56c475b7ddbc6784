"""The cores and the memory that this process may use: those of its affinity and of its control group.

>>> available_cores() >= 1
True
"""

from __future__ import annotations

import os
from pathlib import Path

SHARE = 0.8  # of the memory, for all units together
MOST_MB = 4000.0  # for one unit
_GROUP = Path("/sys/fs/cgroup")


def available_cores(group: Path = _GROUP) -> int:
    """Cores by affinity, and not more than the quota of the control group."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    words = _words(group / "cpu.max") or [
        *_words(group / "cpu/cpu.cfs_quota_us"),
        *_words(group / "cpu/cpu.cfs_period_us"),
    ]
    if len(words) == 2 and words[0].isdecimal() and words[1].isdecimal() and int(words[1]):
        return max(1, min(cores, -(-int(words[0]) // int(words[1]))))
    return cores


def memory_for_each(jobs: int, group: Path = _GROUP) -> float:
    """Megabytes for each of so many units that run at the same time."""
    return min(MOST_MB, max(256.0, SHARE * _total_mb(group) / max(jobs, 1)))


def _total_mb(group: Path) -> float:
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**20
    except (ValueError, OSError):
        return MOST_MB
    words = _words(group / "memory.max") or _words(group / "memory/memory.limit_in_bytes")
    return min(total, int(words[0]) / 2**20) if words and words[0].isdecimal() else total


def _words(path: Path) -> list[str]:
    try:
        return path.read_text().split()
    except OSError:
        return []
