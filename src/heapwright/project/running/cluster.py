"""Units on a cluster of Dask: a scheduler that exists, or one on this machine.

    ClusterExecutor("tls://head:8786", insecure=False)
    ClusterExecutor("local:4", insecure=False)

A scheduler executes what its clients send, so that anything but `local:N`, which listens on this machine alone, needs
TLS. Tasks run at least once: a lost worker's are run again. Only a few tasks for each worker are under way, since each
carries its files. If the scheduler goes, the run ends, and the next one goes on from the store.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import queue
import re
import time
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from heapwright.base.errors import HeapwrightError, InternalError, LimitReached, UsageError
from heapwright.project.findings.record import Recorder, answer_of
from heapwright.project.running.batch import Done
from heapwright.project.running.cluster_worker import run_unit, tool_digest
from heapwright.project.running.executor import Activities, Tasks
from heapwright.project.running.work import UnitTask

if TYPE_CHECKING:
    from heapwright.project.store.database import Answer

AHEAD = 3  # tasks for each worker that are under way
CONNECT = 10.0  # seconds for a connection with the scheduler
PATIENCE = 60.0  # seconds for the first worker
ALONE = 60.0  # seconds without any worker, after which a run ends
TICK = 0.5
FETCH = 2.0  # seconds for an answer that is ready, after which the cluster is looked at
RETRIES = 2
_LOCAL = re.compile(r"local:([1-9][0-9]{0,3})")
AGAIN = "run the same command again, it goes on from the store"
GONE = f"the scheduler of the cluster is gone; {AGAIN}"


class ClusterExecutor:
    def __init__(self, address: str, *, insecure: bool) -> None:
        local = _LOCAL.fullmatch(address)
        if local is None and not address.startswith(("tls://", "tcp://")):
            raise UsageError(f"'{address}' is not the address of a cluster", hint="tls://HOST:PORT, or local:N")
        if local is None and not address.startswith("tls://") and not insecure:
            raise UsageError(
                "a cluster without TLS executes what anybody sends", hint="use tls://, or --cluster-insecure"
            )
        try:
            import distributed
        except ImportError:
            raise UsageError("--cluster needs Dask", hint="pip install 'heapwright[cluster]'") from None
        self._dask: Any = distributed
        self._cluster: Any = None
        self._most, self._ask_again = AHEAD, 0.0
        self._worked = time.monotonic()  # when there was a worker
        if local is not None:
            self._cluster = self._dask.LocalCluster(
                n_workers=int(local[1]),
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=None,
                memory_limit=0,
            )
        try:
            self._client: Any = self._dask.Client(self._cluster or address, timeout=CONNECT)
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TypeError:  # what Dask raises then
            self.close()
            raise UsageError(
                f"there are no certificates for {address}",
                hint="name them in Dask's configuration, distributed.comm.tls",
            ) from None
        except (OSError, TimeoutError) as error:
            self.close()
            raise LimitReached(f"the cluster at {address} does not answer: {error}") from None

    def run(self, tasks: Tasks, done: Done, activities: Activities, until: float = float("inf")) -> None:
        try:
            self._run(tasks, done, activities, until)
        except OSError as error:  # of a connection
            raise LimitReached(f"{GONE} ({error})") from None

    def _run(self, tasks: Tasks, done: Done, activities: Activities, until: float) -> None:
        ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        under_way: dict[Any, tuple[str, str, UnitTask]] = {}
        numbers = itertools.count()
        left = True
        self._worked = time.monotonic()
        try:
            while left or under_way:
                while left and len(under_way) < self._capacity() and time.monotonic() < until:
                    task = next(tasks, None)
                    if task is None:
                        left = False
                        break
                    under_way[self._submit(task, next(numbers), ended)] = task
                left = left and time.monotonic() < until
                try:
                    future = ended.get(timeout=TICK)
                except queue.Empty:
                    self._look(under_way)
                    activities([(name, "on the cluster") for _, name, _ in itertools.islice(under_way.values(), 8)])
                    continue
                key, _, work = under_way[future]
                answer = self._answer(future, work, under_way)
                del under_way[future]
                done(key, answer)
        finally:
            if under_way and self._client.status == "running":
                with contextlib.suppress(OSError, TimeoutError):
                    self._client.cancel(list(under_way), force=True)

    def _submit(self, task: tuple[str, str, UnitTask], number: int, ended: queue.SimpleQueue[Any]) -> Any:
        key, name, work = task
        future = self._client.submit(
            run_unit,
            tool_digest(),
            work,
            key=f"{name}-{key[:12]}-{number}",
            pure=False,
            retries=RETRIES,
            priority=-number,
        )
        future.add_done_callback(ended.put)
        return future

    def _capacity(self) -> int:
        """How many tasks may be under way; asked once in a while, since workers come and go."""
        if time.monotonic() >= self._ask_again:
            self._ask_again = time.monotonic() + 5.0
            self._most = AHEAD * max(1, self._threads())
        return self._most

    def _threads(self) -> int:
        """The threads of all workers."""
        found = int(sum(self._client.nthreads().values()))
        if found:
            self._worked = time.monotonic()
        return found

    def _look(self, under_way: Collection[Any]) -> None:
        """Ends the run if the scheduler or every worker of the cluster is gone."""
        if self._client.status not in ("running", "connecting") or any(one.status == "cancelled" for one in under_way):
            raise LimitReached(GONE)
        if time.monotonic() - self._worked >= ALONE and not self._threads():
            raise LimitReached(f"the cluster has had no worker for {ALONE:g} s; {AGAIN}")

    def _answer(self, future: Any, work: UnitTask, under_way: Collection[Any]) -> Answer:
        try:
            return answer_of(json.loads(self._value(future, under_way)))
        except HeapwrightError as error:
            raise error from None
        except self._dask.KilledWorker as error:
            fault = InternalError(f"workers of the cluster died with this unit: {error}")
            return Recorder(work.root, work.limits).of_error(fault)
        except Exception as error:
            if future.status in ("cancelled", "lost") or self._client.status != "running":
                raise LimitReached(GONE) from None
            return Recorder(work.root, work.limits).of_error(InternalError(f"{type(error).__name__}: {error}"))

    def _value(self, future: Any, under_way: Collection[Any]) -> str:
        """What a task returned. It is on its worker: if that is lost now, the task runs again."""
        while True:
            try:
                return str(future.result(timeout=FETCH))
            except TimeoutError:
                self._look(under_way)

    def close(self) -> None:
        for one in (getattr(self, "_client", None), self._cluster):
            if one is not None:
                one.close(timeout=5)
