"""The work on one unit, in a process of its own: parse, lower, analyse, and make the record. A function of a library
is analysed under the precondition that `infer` finds for it, if it finds one.

    task = UnitTask(job, root)          # picklable: a worker elsewhere needs nothing but the package; see batch.py
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, replace

from heapwright.analysis.function_contracts import ContractSearch, inferred_contract, under
from heapwright.analysis.limits.memory import own_peak_mb
from heapwright.analysis.limits.process import Cause, ProcessResult, Send
from heapwright.analysis.pipeline import build
from heapwright.analysis.schedule import stages_of
from heapwright.analysis.supervisor import Job, JobTask, MessageCollector, limits_of, names
from heapwright.base.errors import InputError
from heapwright.project.findings.record import Recorder, answer_text
from heapwright.project.store.limits import UnitLimits
from heapwright.result.outcomes import Verdict

# Variables by which clang would read files that no key knows.
FOREIGN = (
    *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "SDKROOT", "COMPILER_PATH"),
    *("CCC_OVERRIDE_OPTIONS", "CCC_ADD_ARGS", "SOURCE_DATE_EPOCH", "GCC_EXEC_PREFIX"),
)


@dataclass(frozen=True)
class UnitTask:
    """The analysis of one unit; `job.source` has a snapshot of its files."""

    job: Job
    root: str

    @property
    def limits(self) -> UnitLimits:
        return UnitLimits(self.job.timeout, self.job.memory_mb, dict(self.job.bounds))

    def __call__(self, send: Send) -> str:
        """The text of the answer. What is found on the way is sent, so that it survives the process."""
        begin = time.monotonic()
        search = self._contract(begin)
        if search.contract is not None:
            with suppress(InputError):  # the header of contracts has a name that the file defines otherwise
                return self._answer(search, begin, send)
        return self._answer(ContractSearch(cut=search.cut), begin, send)

    def _contract(self, begin: float) -> ContractSearch:
        """Only engine `auto` infers, in a third of the time at most."""
        if self.job.source.function is None or self.job.engine != "auto":
            return ContractSearch()
        return inferred_contract(self.job.source, None if self.job.timeout is None else begin + self.job.timeout / 3)

    def _answer(self, search: ContractSearch, begin: float, send: Send) -> str:
        job, contract = self.job, search.contract
        if job.timeout is not None:
            job = replace(job, timeout=max(0.1, begin + job.timeout - time.monotonic()))
        if contract is not None:
            job = replace(job, source=under(job.source, contract))
            send(contract)
        stages = stages_of(job.engine)
        collector = MessageCollector(self.job, names(stages))  # its sentences name the limit that was asked for

        def both(message: object) -> None:
            collector.receive(message)
            send(message)

        result = JobTask(job, stages, limits_of(job), processes=1)(both)
        ended = ProcessResult(Cause.FINISHED, time.monotonic() - begin, own_peak_mb(), result)
        recorder = Recorder(self.root, self.limits, contract, job.goal)
        found = collector.job_result(ended)
        failing = any(outcome.verdict is Verdict.VIOLATED for outcome in found.result.outcomes)
        program = build(job.source, lambda text: None) if failing else None
        return answer_text(recorder.of_result(found, final=not search.cut, program=program))


def clear_environment() -> None:
    """In a child process: answers must not depend on these variables."""
    for name in FOREIGN:
        os.environ.pop(name, None)


def preload(engine: str) -> None:
    """Imports what units need, before processes are forked: each then starts with all of it."""
    import gc

    from heapwright.analysis.pipeline import Input, Snapshot
    from heapwright.c.options import ParseOptions
    from heapwright.engines import load_engine

    for stage in stages_of(engine):
        load_engine(stage.engine)
    text = b"#include <stdlib.h>\nint main(void) { int *p = malloc(sizeof *p); free(p); return 0; }\n"
    snapshot = Snapshot((ParseOptions(),), {"/heapwright/start.c": text})
    job = Job(Input(("/heapwright/start.c",), snapshot=snapshot), engine="explore")
    JobTask(job, stages_of("explore"), limits_of(job), processes=1)(lambda message: None)
    gc.collect()
    gc.freeze()
