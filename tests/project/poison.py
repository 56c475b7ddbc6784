"""A unit that ends its process, wherever it runs: workers of a cluster import this module."""

from __future__ import annotations

import os
import signal
import time

from heapwright.analysis.limits.process import Send
from heapwright.project.running.work import UnitTask


class PoisonTask(UnitTask):
    def __call__(self, send: Send) -> str:
        if self.job.source.files[0].endswith("poison.c"):
            os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(60)
        return super().__call__(send)
