"""A run over a project: find units, ask the store, analyse what it does not know, and keep every answer.

    done = run_project(request, watcher)
    done.rows                           # one for each unit: where its answer is in the store

Without a budget each unit has its time limit. With one, the run goes breadth first: every unit gets a few seconds, then
those that are still open get four times as many, and so on until the budget is spent.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from heapwright.analysis.pipeline import Input, Snapshot
from heapwright.analysis.supervisor import Job
from heapwright.base.errors import InputError, StaleSnapshot
from heapwright.c.translation_unit_facts import TranslationUnitFacts
from heapwright.project.findings.record import Recorder
from heapwright.project.running.executor import Executor, LocalExecutor
from heapwright.project.running.scan import scan
from heapwright.project.running.work import UnitTask
from heapwright.project.store.database import Answer, Store
from heapwright.project.store.digests import FileDigests
from heapwright.project.store.key import Question, Tool, inputs_of, installed_tool, unit_key
from heapwright.project.store.limits import UnitLimits
from heapwright.project.store.manifest import absent_candidates, manifest_id, manifest_text, own_files, read_manifest
from heapwright.project.units.compilations import SourceTree
from heapwright.project.units.discovery import changed_units, find_units
from heapwright.project.units.link_steps import LinkSteps, link_steps
from heapwright.project.units.selection import Selection, changed_since, revision_of, selected
from heapwright.project.units.unit import Unit
from heapwright.settings.properties import RESOURCES

FIRST, FACTOR, LAST = 5.0, 4.0, 300.0  # seconds of the first round of a budget, growth from round to round, the last
LEAST = 0.5  # seconds that are worth a start
UNTOUCHED = "not analysed: the budget was spent"
CHANGED = "it changed while the project was analysed"

Retry = Literal["", "unknown", "failed"]


@dataclass(frozen=True)
class Request:
    """What to run. `timeout` is that of each unit, None for the default, infinite for none; `budget` is for the whole
    run, in seconds."""

    question: Question = field(default_factory=Question)
    timeout: float | None = None
    memory_mb: float | None = None
    bounds: Mapping[str, int] = field(default_factory=dict)
    budget: float | None = None
    jobs: int = 1
    selection: Selection = field(default_factory=Selection)
    since: str | None = None
    retry: Retry = ""

    def limits(self, timeout: float) -> UnitLimits:
        return UnitLimits(_finite(timeout), _finite(self.memory_mb), dict(self.bounds))


@dataclass(slots=True)
class Row:
    """A unit and its answer, which is in the store under its key. `verdict` is that before suppressions."""

    unit: Unit
    key: str
    verdict: str = "unknown"
    complete: bool = False
    fresh: bool = False  # analysed in this run
    answered: bool = False


@dataclass(frozen=True)
class Finished:
    """A run, with a row for each unit, in their order."""

    run: int
    root: str
    rows: tuple[Row, ...]
    seconds: float
    interrupted: bool = False


class Watcher:
    """What somebody who waits may see of a run; this one looks away."""

    def scanning(self, count: int, total: int) -> None:
        pass

    def begin(self, rows: Sequence[Row]) -> None:
        pass

    def answered(self, row: Row) -> None:
        pass

    def round(self, number: int, count: int, seconds: float) -> None:
        pass

    def activities(self, running: list[tuple[str, str]]) -> None:
        pass

    def end(self) -> None:
        pass


def run_project(
    tree: SourceTree,
    store: Store,
    request: Request,
    executor: Executor | None = None,
    watcher: Watcher | None = None,
) -> Finished:
    """Runs over a tree; answers are in the store. An interrupt ends it early, and nothing that was done is lost."""
    session = _Session(tree, store, request, executor or LocalExecutor(request.jobs, request.question.engine))
    return session.run(watcher or Watcher())


class _Session:
    def __init__(self, tree: SourceTree, store: Store, request: Request, executor: Executor) -> None:
        self.tree, self.store, self.request, self.executor = tree, store, request, executor
        self.begin = time.monotonic()
        self.tool: Tool = installed_tool()
        self.digests = FileDigests()
        self.absent: dict[str, frozenset[str]] = {}

    def run(self, watcher: Watcher) -> Finished:
        units = self._units(watcher)
        rows = list({key: Row(unit, key) for unit in units for key in [self._key(unit)]}.values())
        options = {"engine": self.request.question.engine, "units": len(rows)}
        number = self.store.begin_run(revision_of(self.tree.root), options)
        watcher.begin(rows)
        self._serve(number, rows, watcher)
        self._refuse(number, rows, watcher)
        interrupted = False
        try:
            for turn, timeout in enumerate(self._rounds(), 1):
                waiting = [row for row in rows if self._is_open(row, timeout)]
                if not waiting or time.monotonic() >= self._until - LEAST:
                    break
                watcher.round(turn, len(waiting), timeout)
                self._round(number, waiting, timeout, watcher)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            watcher.end()
            self.store.end_run(number)
        return Finished(number, self.tree.root, tuple(rows), time.monotonic() - self.begin, interrupted)

    # --- what there is -----------------------------------------------------------------------------------------------

    def _units(self, watcher: Watcher) -> list[Unit]:
        facts = self._facts(watcher)
        database = self.tree.database
        links = link_steps(os.path.dirname(os.path.abspath(database))) if database else LinkSteps()
        units = find_units(self.tree.root, list(zip(self.tree.compilations, facts, strict=True)), links)
        units = selected(units, self.request.selection)
        if self.request.since is not None:
            changed = changed_since(self.tree.root, self.request.since)
            units = list(changed_units(units, self.absent, changed))
        return units

    def _facts(self, watcher: Watcher) -> list[TranslationUnitFacts]:
        """Facts about every compilation, from its manifest where that is valid."""
        compilations = self.tree.compilations
        identities = [manifest_id(one, self.tool) for one in compilations]
        found: dict[int, TranslationUnitFacts] = {}
        for number, (one, identity) in enumerate(zip(compilations, identities, strict=True)):
            text = self.store.manifest(identity)
            known = read_manifest(text, self.digests) if text is not None else None
            if known is not None:
                found[number], absent = known
                self.absent[one.file] = self.absent.get(one.file, frozenset()) | absent
        missing = [number for number in range(len(compilations)) if number not in found]
        if missing:
            began = time.time_ns()
            scanned = scan(
                [compilations[number] for number in missing],
                self.request.jobs,
                lambda count: watcher.scanning(count, len(missing)),
            )
            kept = []
            for place, number in enumerate(missing):
                found[number] = scanned[place]
                one = compilations[number]
                files = own_files(found[number])
                self.absent[one.file] = frozenset(absent_candidates(one, files, self.digests))
                text = manifest_text(one, found[number], self.digests) if _older(files, began) else None
                kept += [(identities[number], text)] if text is not None else []
            self.store.keep_manifests(self.tool.package, kept)
        return [found[number] for number in range(len(compilations))]

    def _key(self, unit: Unit) -> str:
        return unit_key(unit, self.tree.root, self.digests.of, self.request.question, self.tool)

    # --- what is known -----------------------------------------------------------------------------------------------

    @property
    def _until(self) -> float:
        budget = self.request.budget
        return float("inf") if budget is None else self.begin + budget

    def _rounds(self) -> Iterator[float]:
        """The time limits of each round."""
        given = self.request.timeout
        if self.request.budget is None:
            yield given or FIRST
            return
        seconds, last = min(FIRST, given or FIRST), given or LAST
        while seconds < last:
            yield seconds
            seconds *= FACTOR
        yield last

    def _serve(self, run: int, rows: Sequence[Row], watcher: Watcher) -> None:
        """Takes what the store knows."""
        first, *_ = self._rounds()
        request = self.request.limits(first)
        served = []
        for row in rows:
            answer = self.store.answer(row.key)
            if answer is not None and answer.serves(request) and not self._retried(answer):
                _take(row, answer)
                served.append((row.key, answer.verdict))
                watcher.answered(row)
        self.store.serve(run, served)

    def _retried(self, answer: Answer) -> bool:
        match self.request.retry:
            case "unknown":
                return answer.verdict == "unknown"
            case "failed":
                return answer.faulty or answer.verdict == "refused"
        return False

    def _is_open(self, row: Row, timeout: float) -> bool:
        """Whether a row has no answer, or one that a limit cut and that so much time may change."""
        if not row.answered:
            return True
        if row.complete or row.verdict in ("refused", "failed"):
            return False
        answer = self.store.answer(row.key)
        return answer is None or not answer.serves(self.request.limits(timeout))

    # --- what is not -------------------------------------------------------------------------------------------------

    def _round(self, run: int, waiting: list[Row], timeout: float, watcher: Watcher) -> None:
        by_key = {row.key: row for row in waiting}
        before = self.store.seconds_by_name()
        order = sorted(waiting, key=lambda row: -before.get(row.unit.name, 0.0))  # the longest first

        def done(key: str, answer: Answer) -> None:
            self._keep(run, by_key[key], answer, watcher)

        def tasks() -> Iterator[tuple[str, str, UnitTask]]:
            for row in order:
                seconds = min(timeout, self._until - time.monotonic())
                made = self._task(row.unit, seconds) if seconds >= LEAST else None
                if isinstance(made, Answer):
                    done(row.key, made)
                elif made is not None:
                    yield row.key, row.unit.name, made

        self.executor.run(tasks(), done, watcher.activities, self._until)

    def _refuse(self, run: int, rows: Sequence[Row], watcher: Watcher) -> None:
        """Answers units that cannot be parsed: that costs nothing, whatever the budget is."""
        for row in rows:
            if row.unit.error and not row.answered:
                first, *_ = self._rounds()
                recorder = Recorder(self.tree.root, self.request.limits(first))
                self._keep(run, row, recorder.of_error(InputError(row.unit.error)), watcher)

    def _keep(self, run: int, row: Row, answer: Answer, watcher: Watcher) -> None:
        unit, root = row.unit, self.tree.root
        answer = replace(answer, body={**answer.body, "notes": list(unit.notes)})
        self.store.record(run, row.key, (root, unit.name, unit.entry, inputs_of(unit, root, self.digests.of)), answer)
        _take(row, answer, fresh=True)
        watcher.answered(row)

    def _task(self, unit: Unit, seconds: float) -> UnitTask | Answer:
        """The work on a unit with a snapshot of its files; an answer if they are not what they were."""
        recorder = Recorder(self.tree.root, self.request.limits(seconds))
        contents = {file: self.digests.read(file) for file in unit.files}
        changed = next((file for file, data in contents.items() if data is None), None)
        if changed is not None:
            return recorder.of_error(StaleSnapshot(f"{changed}: {CHANGED}"))
        request, question = self.request, self.request.question
        source = Input(
            tuple(one.file for one in unit.compilations),
            function=None if unit.is_program else unit.entry,
            malloc_may_fail=question.malloc_may_fail,
            externals=question.externals,
            inputs=question.inputs,
            resources=RESOURCES in question.goal.name.split(" + "),
            snapshot=Snapshot(
                tuple(one.options for one in unit.compilations),
                {file: data for file, data in contents.items() if data is not None},
            ),
        )
        job = Job(
            source,
            question.goal,
            question.engine,
            dict(request.bounds),
            _finite(seconds),
            _finite(request.memory_mb),
            options=question.options,
        )
        return UnitTask(job, self.tree.root)


def _finite(limit: float | None) -> float | None:
    return limit if limit is not None and limit < float("inf") else None


def _take(row: Row, answer: Answer, *, fresh: bool = False) -> None:
    row.verdict, row.complete, row.fresh, row.answered = answer.verdict, answer.complete, fresh or row.fresh, True


def _older(files: Sequence[str], moment: int) -> bool:
    """Whether these files were not written since a moment: what a scan saw is then what has their digests."""
    try:
        return all(os.stat(file).st_mtime_ns < moment for file in files)
    except OSError:
        return False
