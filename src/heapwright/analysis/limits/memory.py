"""How much memory a process holds, read from outside it and without help from other packages.

>>> resident_mb(os.getpid()) > 1
True
"""

from __future__ import annotations

import os
import sys

MEGABYTE = 1024 * 1024


def resident_mb(pid: int) -> float | None:
    """Resident memory in megabytes; None when it cannot be told, because the process has ended for instance."""
    if sys.platform == "linux":
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                pages = int(file.read().split()[1])
        except (OSError, IndexError, ValueError):
            return None
        return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE
    import subprocess

    try:
        answer = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
        return int(answer.stdout) / 1024
    except (OSError, subprocess.CalledProcessError, ValueError):
        return None


def own_peak_mb() -> float:
    """The most memory that this process has held."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / MEGABYTE if sys.platform == "darwin" else peak / 1024


def cap_address_space(memory_mb: float) -> None:
    """A backstop for allocations too quick to be seen from outside: they fail with MemoryError. The bound is on address
    space, of which a process has far more than it holds, hence the margin."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    bound = int((2 * memory_mb + 2048) * MEGABYTE)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or bound < hard:
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
