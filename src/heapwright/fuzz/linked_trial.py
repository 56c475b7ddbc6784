"""One program in two files: the interpreter against gcc on both, and engines on the visible one against that run.

    trial = LinkedTrial(generate_externals(7))
    trial.compare(run_batch([trial.files])[0])      # do the interpreter and gcc agree on the run of both files?
    trial.hold(EngineConfig("tvl"), Bounds())       # what fails in that run is not proved; its heaps are contained

With a hidden body it goes one way: the run is one of those that an engine must expect of the visible file.
"""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from heapwright.c.lower import lower
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.fuzz.generators.two_files import HIDDEN, RENAMED_MAIN, VISIBLE, TwoFiles
from heapwright.fuzz.linked_heaps import visible_heap
from heapwright.fuzz.trial import WRONG_PROOF, Bounds, EngineConfig, Finding, asked, audited, predicates_of
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.commands import Compute
from heapwright.program.expressions import Const
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine, ended_by
from heapwright.program.runs.snapshot import Address, Snapshot, snapshot
from heapwright.program.semantics.state import Fault, State, Stop
from heapwright.program.trace import Ending, Run
from heapwright.result.outcomes import Result, Verdict
from heapwright.witness.sanitizer_run import judge

DIFFERS = "gcc differs"
STEPS = 4_000
WITHOUT_LEAKS = Goal(kinds=frozenset(CheckKind) - {CheckKind.LEAK}, name="all but leaks")


@dataclass
class Execution:
    """The run of both files by the interpreter. `heaps`: those at the marks `step = N;` of the visible file. `failed`:
    the checks of the visible file that fail in it, as long as hidden code keeps to what is assumed of it."""

    ending: Ending
    run: Run
    exact: bool
    result: int | None = None
    heaps: list[tuple[int, Snapshot]] = field(default_factory=list)
    failed: frozenset[str] = frozenset()


class LinkedTrial:
    """Raises HeapwrightError for a program that is refused."""

    def __init__(self, files: TwoFiles) -> None:
        self.files = files
        renamed = files.hidden_main and files.function == "main"
        self.entry = RENAMED_MAIN if renamed else files.function
        with tempfile.TemporaryDirectory() as directory:
            here = os.getcwd()
            os.chdir(directory)  # spans have the names of the files
            try:
                Path(VISIBLE).write_text(files.visible, encoding="utf-8")
                Path(HIDDEN).write_text(files.hidden, encoding="utf-8")
                self.unit = parse(VISIBLE, ParseOptions())
                linked = parse(VISIBLE, ParseOptions(defines=(f"main={RENAMED_MAIN}",))) if renamed else self.unit
                self.whole = lower([linked, parse(HIDDEN, ParseOptions())])
            finally:
                os.chdir(here)
        self.execution = _executed(self.whole, self.files)

    # --- both files --------------------------------------------------------------------------------------------------

    @property
    def comparable(self) -> bool:
        """Whether the run has an end, without choices."""
        return self.execution.exact and self.execution.ending in (Ending.EXIT, Ending.VIOLATION)

    def compare(self, output: str) -> Finding | None:
        """The difference between the run of gcc and that of the interpreter."""
        made = self.execution
        if made.run.violation is not None:
            confirmed = judge(output, made.run.violation)
            # a call through a null pointer has no frame, and its caller is missing from the report at times
            null_call = made.run.violation.check.kind is CheckKind.NULL_DEREF and "(pc 0x000000000000 " in output
            if confirmed.confirmed or null_call:
                return None
            message = f"{made.run.violation.check.id} was expected; {confirmed.reason}"
        else:
            printed = re.search(r"^checksum (\d+)$", output, re.MULTILINE)
            expected = None if made.result is None else made.result % 2**32
            if printed is not None and int(printed[1]) == expected:
                return None
            message = f"checksum {expected} was expected; {printed[1] if printed else 'none is printed'}"
        return Finding(DIFFERS, "interpreter", f"{message}\n{output[:1_500]}")

    # --- the visible file --------------------------------------------------------------------------------------------

    def hold(self, setting: EngineConfig, bounds: Bounds) -> tuple[Result, int, list[Finding]]:
        """The result of an engine for the visible file, how many heaps it contains, and what is wrong with it."""
        program = self.visible
        goal = Goal(audit=True) if self.files.leaks else Goal(WITHOUT_LEAKS.kinds, audit=True)
        predicates = predicates_of(self.files.visible, setting.engine)
        result = asked(program, goal, setting, predicates, bounds)
        finds = [Finding(WRONG_PROOF, setting.name, id) for id in sorted(self.execution.failed) if _denied(result, id)]
        count, lost = audited(program, result, setting, self.heaps(program))
        return result, count, finds + lost

    @property
    def visible(self) -> Program:
        return lower([self.unit], function=self.files.function, inputs=self.files.inputs)

    def heaps(self, program: Program) -> list[tuple[int, Snapshot]]:
        """The heaps of the run at locations of the visible program."""
        if "argv" in program.variables:
            return []  # its strings are the hidden file's
        marks = _marks(program)
        found = [(marks.get(mark, []), heap) for mark, heap in self.execution.heaps]
        moved = [(at[0], visible_heap(heap, self.whole, program, self.entry)) for at, heap in found if len(at) == 1]
        return [(location, heap) for location, heap in moved if heap is not None]


def _denied(result: Result, failed: str) -> bool:
    """Whether a check that fails is proved or masked. A variable that is a block in one of the programs alone has its
    checks at other columns of the line."""
    verdicts = {one.check.id: one.verdict for one in result.outcomes}
    alike = [verdict for id, verdict in verdicts.items() if _line_and_kind(id) == _line_and_kind(failed)]
    asked = [verdicts[failed]] if failed in verdicts else alike
    return all(verdict in (Verdict.PROVED, Verdict.MASKED) for verdict in asked)


def _line_and_kind(check: str) -> tuple[str, str]:
    """Of the identity of a check.

    >>> _line_and_kind("visible.c:55:5:bounds")
    ('visible.c:55', 'bounds')
    """
    span, _, kind = check.rpartition(":")
    return span.rpartition(":")[0], kind


def _executed(program: Program, files: TwoFiles) -> Execution:
    machine = Machine(program, Goal() if files.leaks else WITHOUT_LEAKS)
    state = machine.start(RandomChoices(0))
    marks = {location: mark for mark, locations in _marks(program).items() for location in locations}
    heaps: list[tuple[int, Snapshot]] = []
    honest = True
    try:
        while state.steps < STEPS:
            mark = marks.get(state.location)
            if mark is not None and honest:
                heap = snapshot(program, state)
                honest = files.leaks or not _dangles(program, heap)
                heaps += [(mark, heap)] if honest else []
            state.location = machine.steps[state.location](state)
            state.steps += 1
        run = Run(state.choices(), (), Ending.CUT)
    except Stop as stop:
        run = Run(state.choices(), (), stop.ending, reason=stop.reason)
    except Fault as fault:
        run = ended_by(machine, state, fault)
    names = list(program.variables)
    result = state.vars[names.index("main::$result")] if "main::$result" in names else None
    return Execution(
        run.ending,
        run,
        not run.choices,
        result if isinstance(result, int) else None,
        heaps,
        _failed(run, state, files) if honest and not run.choices else frozenset(),
    )


def _failed(run: Run, state: State, files: TwoFiles) -> frozenset[str]:
    checks = [leak.check for leak in state.leaks] if files.leaks else []
    checks += [run.violation.check] if run.violation is not None else []
    return frozenset(check.id for check in checks if check.span.file == VISIBLE)


def _marks(program: Program) -> dict[int, list[int]]:
    """The locations of the statements `step = N;` by N."""
    found: dict[int, list[int]] = {}
    for edge in program.graph.edges:
        match edge.command:
            case Compute("step", Const(number, _)) if number:
                found.setdefault(number, []).append(edge.source)
            case _:
                continue
    return found


def _dangles(program: Program, heap: Snapshot) -> bool:
    """Whether hidden code may hold a pointer to memory that has ended, which it is assumed not to use."""
    addresses = [
        address
        for name, address in heap.pointers.items()
        if not program.variables[name].temporary and not name.startswith("&")
    ]
    for one in heap.objects.values():
        addresses += one.pointers.values()
        addresses += [cell for cell in one.cells.values() if isinstance(cell, Address)]
    ended = {number for number, one in heap.objects.items() if one.status in ("freed", "ended")}
    return any(address.object in ended for address in addresses)
