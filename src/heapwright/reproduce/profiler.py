"""Sampling profiler: the share of time in some modules, and memory growth.

    with SamplingProfiler(frozenset({"heapwright.engines.tvl.constraints.coerce"})) as sampled:
        analyse()
    sampled.share  # 0.4; None if there were too few samples
    sampled.growth_mb

The measured code is neither slowed down nor instrumented.
"""

from __future__ import annotations

import os
import sys
import threading
from types import FrameType, TracebackType

from heapwright.analysis.limits.memory import resident_mb

PERIOD = 0.002  # seconds
WEIGHED = 10  # samples per measurement of memory
FEWEST = 10  # minimum number of samples of a share


class SamplingProfiler:
    """Samples the thread that enters the context."""

    def __init__(self, modules: frozenset[str]) -> None:
        self.modules = modules
        self.looks = 0
        self.hits = 0
        self.growth_mb = 0.0
        self._thread = threading.get_ident()
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._interval = sys.getswitchinterval()
        self._before = 0.0

    def __enter__(self) -> SamplingProfiler:
        self._before = resident_mb(os.getpid()) or 0.0
        sys.setswitchinterval(PERIOD / 4)
        self._watcher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._over.set()
        self._watcher.join()
        self._weigh()
        sys.setswitchinterval(self._interval)

    def _watch(self) -> None:
        while not self._over.wait(PERIOD):
            frame = sys._current_frames().get(self._thread)
            self.looks += 1
            self.hits += self._inside(frame)
            if self.looks % WEIGHED == 0:
                self._weigh()

    def _weigh(self) -> None:
        self.growth_mb = max(self.growth_mb, (resident_mb(os.getpid()) or 0.0) - self._before)

    def _inside(self, frame: FrameType | None) -> bool:
        while frame is not None:
            if frame.f_globals.get("__name__") in self.modules:
                return True
            frame = frame.f_back
        return False

    @property
    def share(self) -> float | None:
        return self.hits / self.looks if self.looks >= FEWEST else None
