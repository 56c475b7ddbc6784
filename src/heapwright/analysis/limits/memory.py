"""Memory use of a process, measured from outside, without other packages.

>>> resident_mb(os.getpid()) > 1
True
"""

from __future__ import annotations

import contextlib
import os
import sys

MEGABYTE = 1024 * 1024


def resident_mb(pid: int) -> float | None:
    """Resident memory in megabytes; None if it cannot be read, for instance because the process has ended."""
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
    """Peak resident memory of this process in megabytes."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / MEGABYTE if sys.platform == "darwin" else peak / 1024


def forget_peak() -> None:
    """Lets the peak of this process begin anew at what is resident now, where the system can do that."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError), open("/proc/self/clear_refs", "wb") as file:
            file.write(b"5")


def cap_address_space(memory_mb: float) -> None:
    """Limits the address space, so that allocations too fast for the poll from outside fail with MemoryError. Address
    space is larger than resident memory, hence the margin."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    bound = int((2 * memory_mb + 2048) * MEGABYTE)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or bound < hard:
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
