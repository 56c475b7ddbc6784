"""Witness files: for each violation a C test that fails at the same line and an SV-COMP witness; for a proof a
correctness witness, if the engine has loop invariants in C.

witnesses/list-21-use-after-free.c
witnesses/list-21-use-after-free.yml
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from heapwright import __version__
from heapwright.analysis.supervisor import Job, JobResult
from heapwright.base.errors import HeapwrightError
from heapwright.base.output_files import make_folder, write_whole
from heapwright.base.source import file_stem
from heapwright.program.checks import Check
from heapwright.program.graph import Program
from heapwright.report.model import Report
from heapwright.result.outcomes import Outcome, ProgramVerdict, Verdict
from heapwright.settings.properties import goal_formula, violated_formula


def write_witnesses(report: Report, job: Job, found: JobResult, directory: Path) -> Iterator[str]:
    """Writes witnesses; yields a line per file: its path, or the reason why there is none."""
    program = found.lowered.program if found.lowered else None
    if program is None:
        return
    from heapwright.witness.c_test import write_c_test
    from heapwright.witness.svcomp import correctness_witness, violation_witness

    names: set[str] = set()
    for outcome in report.having(Verdict.VIOLATED):
        if outcome.run is None:
            continue
        name = _unused(_name(outcome.check), names)
        try:
            test = write_c_test(program, outcome.run, directory, name=name, defines=job.source.define)
            yield f"wrote {test}"
        except HeapwrightError as error:
            yield f"no C test of {outcome.check.id}: {error.message}"
        witness = violation_witness(
            program,
            outcome.run,
            specification=violated_formula(outcome.check, job.goal),
            data_model=job.source.data_model,
            version=__version__,
        )
        yield f"wrote {_write(directory / f'{name}.yml', witness)}"
    proof = report.result.proof
    if proof is not None and report.verdict is ProgramVerdict.SAFE:
        text = correctness_witness(
            program,
            proof,
            specification=goal_formula(job.goal),
            data_model=job.source.data_model,
            version=__version__,
        )
        yield f"wrote {_write(directory / f'{file_stem(report.files[0])}-proof.yml', text)}"


def save_input(report: Report, job: Job, path: Path) -> str:
    """Writes the input of the first violation that has one; returns a message."""
    from heapwright.analysis.saved_input import input_of

    violated = report.having(Verdict.VIOLATED)
    for outcome in violated:
        text = input_of(job.source, job.goal, outcome)
        if text is not None:
            write_whole(str(path), text.decode("utf-8", "surrogateescape"), errors="surrogateescape")
            return f"wrote {path}, the input of {outcome.check.span} [{outcome.check.kind.value}]"
    if not violated:
        return f"no violation, so that {path} is not written"
    return f"no standard input was found on which the program fails likewise, so that {path} is not written"


def confirm_by_test(job: Job, found: JobResult) -> JobResult:
    """Confirms unconfirmed violations: a run that depends on an approximation is a violation if its C test fails with
    the same error."""
    program = found.lowered.program if found.lowered else None
    if program is None:
        return found
    outcomes = tuple(_confirmed(outcome, program, job) for outcome in found.result.outcomes)
    return replace(found, result=replace(found.result, outcomes=outcomes))


def _confirmed(outcome: Outcome, program: Program, job: Job) -> Outcome:
    run = outcome.run
    if outcome.verdict is not Verdict.UNKNOWN or run is None or run.violation is None:
        return outcome
    from heapwright.witness.c_test import confirm, write_c_test

    with TemporaryDirectory() as directory:
        try:
            test = write_c_test(program, run, Path(directory), defines=job.source.define)
        except HeapwrightError as error:
            return replace(outcome, reason=f"{outcome.reason}; no C test: {error.message}")
        confirmation = confirm(test, run.violation)
    if confirmation.confirmed:
        return replace(outcome, verdict=Verdict.VIOLATED, reason="confirmed: the C test of this run fails")
    return replace(outcome, reason=f"{outcome.reason}; its C test does not confirm it: {confirmation.reason}")


def _name(check: Check) -> str:
    return f"{file_stem(check.span.file)}-{check.span.line}-{check.kind.value}"


def _unused(name: str, names: set[str]) -> str:
    """The name, with a number appended if it is taken."""
    candidate, number = name, 1
    while candidate in names:
        number += 1
        candidate = f"{name}-{number}"
    names.add(candidate)
    return candidate


def _write(path: Path, text: str) -> Path:
    make_folder(str(path.parent))
    write_whole(str(path), text, errors="surrogateescape")
    return path
