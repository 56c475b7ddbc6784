"""The part of a cluster that runs on its workers: one unit in a child of the worker.

A worker needs the package and nothing else: a task carries the files of its unit. It refuses tasks of another package,
since their answers would not be those of the key. A unit that crashes takes its child with it, not the worker.
"""

from __future__ import annotations

import functools
import threading
from collections import deque

from heapwright.base.errors import InputError
from heapwright.project.findings.record import answer_text
from heapwright.project.running.batch import Item, RunningBatch
from heapwright.project.running.pool import Pool
from heapwright.project.running.work import UnitTask, preload
from heapwright.project.store.database import Answer
from heapwright.project.store.digests import digest_of
from heapwright.project.store.key import installed_tool

_LOCK = threading.Lock()


@functools.cache
def tool_digest() -> str:
    """The digest of the installed package and of the libraries that it uses."""
    tool = installed_tool()
    return digest_of([tool.package, dict(tool.libraries)])


@functools.cache
def _prepared(engine: str) -> bool:
    preload(engine)
    return True


def run_unit(tool: str, task: UnitTask) -> str:
    """The text of the answer to a unit; raises InputError if the client has another package."""
    if tool != tool_digest():
        raise InputError("a worker of the cluster has another version of heapwright, or of a library that it uses")
    with _LOCK:
        _prepared(task.job.engine)
    answers: list[Answer] = []
    items: deque[Item] = deque([("", "", task)])

    def start() -> RunningBatch | None:
        return (
            RunningBatch(items.popleft(), lambda: None, lambda key, answer: answers.append(answer)) if items else None
        )

    Pool[list[Item]](1).run(start, lambda one, again: items.extend(again))
    return answer_text(answers[0])
