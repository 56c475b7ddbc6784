"""`heapwright check FILE.c...`: prove checks, or refute them with a run."""

from __future__ import annotations

import argparse
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from heapwright.analysis.schedule import SCHEDULES, stages_of
from heapwright.analysis.supervisor import Job, JobResult, check
from heapwright.base.errors import Contradiction, InputError, UsageError
from heapwright.base.output_files import refuse_links
from heapwright.cli.commands.show_predicates import SHOW, show_predicates
from heapwright.cli.failure import evidence, report_error
from heapwright.cli.options import Values, add_config, add_files, add_group, input_of, resolve
from heapwright.cli.output_files import writable, write_to
from heapwright.cli.parser import Parser
from heapwright.cli.progress import ProgressLine
from heapwright.engines import ENGINES
from heapwright.report.model import Report, make_report
from heapwright.report.terminal.colours import style_for
from heapwright.report.terminal.console import Detail, render
from heapwright.result.outcomes import Verdict
from heapwright.settings.properties import goal_of
from heapwright.settings.table import ENGINE_OPTIONS, GOAL, INPUT, LIMITS, OUTPUT

BOUNDS = ("steps", "objects", "values", "states")
EXITS = {0: "every check is proved", 1: "a check is violated", 3: "unknown, or a limit was reached"}


def add_arguments(parser: Parser) -> None:
    add_files(parser, several=True)
    names = ", ".join((*SCHEDULES, *ENGINES))
    engine = replace(GOAL["engine"], help=f"engine or schedule (default auto): {names}")
    add_group(parser, "goal", {**GOAL, "engine": engine})
    add_group(parser, "input", INPUT)
    add_group(parser, "engine options", ENGINE_OPTIONS)
    parser.add_argument("--show-predicates", action="store_true", help="print the vocabulary of tvl and exit")
    add_group(parser, "limits", LIMITS)
    add_group(parser, "output", OUTPUT)
    parser.add_argument(
        "--no-suppress", dest="set_suppress", action="store_const", const=False, help="ignore suppression comments"
    )
    add_config(parser)
    detail = parser.add_mutually_exclusive_group()
    detail.add_argument("-q", "--quiet", action="store_true", help="print errors, assumptions and the summary only")
    detail.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="print every step, every proved and unknown check, and statistics",
    )


def execute(arguments: argparse.Namespace) -> int:
    values = resolve(arguments)
    job = job_of(arguments, values)
    if arguments.show_predicates or values.table.get("predicate-file") == SHOW:  # an option of an engine
        if job.engine not in ("auto", "tvl"):
            raise UsageError(f"--show-predicates prints the vocabulary of tvl, not of '{job.engine}'")
        return show_predicates(job.source, values)
    _writable(values)
    try:
        found = _with_progress(job, verbose=arguments.verbose)
    except Contradiction as error:
        return _contradicted(error, values.maybe("keep-evidence"), verbose=arguments.verbose)
    if values.flag("confirm"):
        from heapwright.cli.witness_files import confirm_by_test

        found = confirm_by_test(job, found)
    result = replace(found.result, assumptions=(*values.configured, *found.result.assumptions))
    found = replace(found, result=result)
    report = make_report(
        job.source.files,
        job.source.function or "main",
        job.goal,
        found.result,
        found.lowered.sources if found.lowered else {},
        suppress=values.flag("suppress"),
        analysed=found.lowered is not None,
    )
    detail = Detail.QUIET if arguments.quiet else Detail.FULL if arguments.verbose else Detail.NORMAL
    _write(report, job, found, values, detail)
    if found.fault is not None:
        report_error(found.fault, verbose=arguments.verbose)
    return 130 if found.interrupted else report.verdict.exit_code


def _contradicted(error: Contradiction, path: str | None, *, verbose: bool) -> int:
    """No verdict; the evidence is written only if the user chose a file for it."""
    code = report_error(error, verbose=verbose)
    if path is None:
        print("heapwright: no verdict is given; --keep-evidence FILE writes a reproducer", file=sys.stderr)
    else:
        write_to(path, evidence(error, sys.argv[1:]))
        print(f"heapwright: no verdict is given; wrote a reproducer to {path}", file=sys.stderr)
    return code


def job_of(arguments: argparse.Namespace, values: Values) -> Job:
    engine = values.text("engine")
    stages = stages_of(engine)  # reports an unknown name before the input is read
    values.require_options_of(stage.engine for stage in stages)
    return Job(
        input_of(arguments, values),
        replace(goal_of(values.items("property")), certificate=values.maybe("proof") is not None),
        engine,
        {name: count for name in BOUNDS if (count := values.count(name)) is not None},
        values.limit("timeout"),
        values.limit("memory"),
        keep_program=any(values.maybe(name) for name in ("witness", "proof", "html")) or values.flag("confirm"),
        options=values.engine_options(),
    )


def _with_progress(job: Job, *, verbose: bool) -> JobResult:
    line = ProgressLine(sys.stderr)

    def note(text: str) -> None:
        line.clear()
        print(text, file=sys.stderr, flush=True)

    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        return check(job, line.show, note) if verbose else check(job, line.show)
    finally:
        line.clear()
        signal.signal(signal.SIGTERM, previous)


def _interrupt(number: int, frame: object) -> None:
    """SIGTERM is handled like Ctrl-C: the outcomes found so far are reported."""
    raise KeyboardInterrupt


# --- output ----------------------------------------------------------------------------------------------------------


def _writable(values: Values) -> None:
    """Rejects unusable outputs before the analysis."""
    paths = [path for name in ("json", "sarif") if (path := values.maybe(name)) is not None]
    if paths.count("-") > 1:
        raise UsageError("--json - cannot be combined with --sarif -")
    html = values.maybe("html")
    if html is not None:
        from heapwright.cli.page_files import page_writable

        page_writable(html)
    for name in ("proof", "keep-evidence", "save-input"):
        paths += [path] if (path := values.maybe(name)) is not None else []
    for path in paths:
        writable(path)
    witness = values.maybe("witness")
    if witness is not None:
        refuse_links(witness)
    if witness is not None and Path(witness).exists() and not Path(witness).is_dir():
        raise InputError(f"cannot write witnesses to '{witness}': it is not a directory")


def _write(report: Report, job: Job, found: JobResult, values: Values, detail: Detail) -> None:
    console: TextIO = sys.stderr if "-" in (values.maybe("json"), values.maybe("sarif")) else sys.stdout
    console.write(render(report, style_for(console, values.text("color")), detail))
    console.flush()
    json_path, sarif_path, witness = values.maybe("json"), values.maybe("sarif"), values.maybe("witness")
    if json_path is not None:
        from heapwright.report.json_report import json_text

        write_to(json_path, json_text(report))
    if sarif_path is not None:
        from heapwright.report.sarif import sarif_text

        write_to(sarif_path, sarif_text(report, unknown=detail is Detail.FULL))
    if witness is not None:
        from heapwright.cli.witness_files import write_witnesses

        for line in write_witnesses(report, job, found, Path(witness)):
            print(line, file=console)
    saved = values.maybe("save-input")
    if saved is not None:
        from heapwright.cli.witness_files import save_input

        print(save_input(report, job, Path(saved)), file=console)
    html = values.maybe("html")
    if html is not None:
        from heapwright.cli.page_files import write_page
        from heapwright.report.html.report_page import page_and_films

        program = found.lowered.program if found.lowered else None
        print(write_page(html, *page_and_films(report, program)), file=console)
    proof = values.maybe("proof")
    if proof is not None:
        print(_certify(job, found, proof), file=console)


def _certify(job: Job, found: JobResult, path: str) -> str:
    """Writes the certificate; returns a message."""
    from heapwright import __version__
    from heapwright.cli.commands.verify_proof import input_table
    from heapwright.proof.certificate import certificate_of, certificate_text

    proved = [outcome for outcome in found.result.outcomes if outcome.verdict is Verdict.PROVED]
    program = found.lowered.program if found.lowered else None
    if not proved or program is None:
        return "no certificate: nothing was proved"
    certificate = certificate_of(input_table(job.source), program, job.goal, found.result)
    if not certificate.sections:
        return f"no certificate: the engines have no certificate for the {len(proved)} proved checks"
    write_to(path, certificate_text(certificate, __version__))
    count = f"{len(certificate.claims)} of {len(proved)} proved checks"
    return f"wrote certificate of {count} to {path} (check it with 'heapwright verify-proof {path}')"
