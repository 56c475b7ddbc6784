"""The functions of the Python interface, as they run in the process of the helper.

checked({"files": ("list.c",)}, "auto", (), 300.0, 4000.0, {}).verdict
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.analysis.supervisor import Job
from heapwright.analysis.supervisor import check as supervised
from heapwright.api.results import CheckOutcome, CheckResult, Conjunct, InferResult, LineHeaps, ShowResult
from heapwright.base.errors import UsageError
from heapwright.c.syntax.tokens import coloured_tokens
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress, OptionValue
from heapwright.engines.infer.api import Options, infer_precondition
from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Assumption, Program
from heapwright.program.runs.interpreter import run
from heapwright.program.trace import Run
from heapwright.report.drawing.svg import svg
from heapwright.report.html.page import page_text
from heapwright.report.html.precondition_page import precondition_page
from heapwright.report.html.proofs import proof_page
from heapwright.report.html.refinements import proof_topics
from heapwright.report.html.report_page import report_page
from heapwright.report.json_report import json_object
from heapwright.report.messages import message
from heapwright.report.model import make_report
from heapwright.report.precondition import PreconditionReport, precondition_object, precondition_text
from heapwright.report.terminal.colours import PLAIN
from heapwright.report.terminal.console import Detail, render
from heapwright.report.terminal.heap_text import heap_lines
from heapwright.report.view_links import view_links
from heapwright.report.views import View, views
from heapwright.report.views_json import views_object
from heapwright.result.outcomes import Outcome
from heapwright.settings.properties import RESOURCES, goal_of

Source = Mapping[str, Any]


def checked(
    source: Source,
    engine: str,
    property: tuple[str, ...],
    timeout: float | None,
    memory: float | None,
    options: Mapping[str, OptionValue],
    tell: Callable[[str], None] = lambda text: None,
) -> CheckResult:
    read = Input(**source, resources=RESOURCES in property)
    goal = goal_of(property)
    job = Job(read, goal, engine, timeout=timeout, memory_mb=memory, keep_program=True, options=options)
    last = ""

    def advance(seconds: float, text: str) -> None:
        nonlocal last
        now = f"{seconds:.0f} s: {text}"
        if now != last:
            last = now
            tell(now)

    found = supervised(job, advance)
    if found.fault is not None:
        raise found.fault
    lowered = found.lowered
    report = make_report(
        read.files,
        read.function or "main",
        goal,
        found.result,
        lowered.sources if lowered else {},
        analysed=lowered is not None,
    )
    return CheckResult(
        report.verdict.value,
        tuple(map(_outcome, report.outcomes)),
        _told(report.assumptions),
        f"{report.name}: {report.verdict.value}: {report.summary}",
        render(report, PLAIN, Detail.NORMAL),
        json_object(report),
        report_page(report, lowered.program if lowered else None, coloured_tokens),
    )


def _outcome(outcome: Outcome) -> CheckOutcome:
    check, span = outcome.check, outcome.check.span
    return CheckOutcome(
        check.id,
        check.kind.value,
        outcome.verdict.value,
        span.file,
        span.line,
        span.column,
        check.function,
        message(outcome),
        outcome.engine,
        outcome.reason,
        tuple(f"{step.span}: {step.text}" for step in outcome.run.steps) if outcome.run else (),
    )


def shown(source: Source, engine: str, timeout: float | None) -> ShowResult:
    program = lowered(source)
    loaded = load_engine(engine)
    if not loaded.draws:
        raise UsageError(f"engine '{engine}' has no pictures", hint="use 'tvl'")
    limits = Limits(deadline=None if timeout is None else time.monotonic() + timeout)
    result = run_engine(loaded, program, Goal(pictures=True), limits, NullProgress())
    complete = result.complete and result.sound and bool(result.invariants)
    found = views(program, result) if result.invariants else ()
    assumptions = tuple(dict.fromkeys((*program.assumptions, *result.assumptions)))
    told: dict[str, Any] = {
        "function": program.entry.function,
        "engine": engine,
        "complete": complete,
        "reason": result.limit,
    }
    page = proof_page(
        found,
        program.sources,
        title=", ".join(program.files),
        assumptions=assumptions,
        seconds=float(result.stats.get("time_s", 0)),
        links=view_links(found, result),
        topics=(*proof_topics(result.proof), *result.topics),
        **told,
    )
    json = views_object(found, program.files, stats=result.stats, **told)
    return ShowResult(
        tuple(map(_line, found)), complete, result.limit, _told(assumptions), json, page_text(page, (), coloured_tokens)
    )


def inferred(source: Source, timeout: float | None, lengths: Mapping[str, str], cycles: bool) -> InferResult:
    program = lowered(source)
    deadline = None if timeout is None else time.monotonic() + timeout
    found = infer_precondition(program, Options(dict(lengths), cycles), deadline=deadline)
    sources = {name: program.sources.get(name, "") for name in program.files}
    report = PreconditionReport(program.files, program.entry.function, found, sources)
    return InferResult(
        program.entry.function,
        tuple(Conjunct(one.words, one.formula, one.macro) for one in found.conjuncts),
        not found.impossible,
        found.contract,
        found.assumptions,
        precondition_text(report),
        precondition_object(report),
        page_text(precondition_page(report), (), coloured_tokens),
    )


def _line(view: View) -> LineHeaps:
    title = f"{view.file}:{view.line}"
    return LineHeaps(
        view.file,
        view.line,
        view.column,
        view.function,
        tuple(svg(picture, title) for picture in view.pictures),
        tuple("\n".join(heap_lines(picture)) for picture in view.pictures),
    )


def lowered(source: Source) -> Program:
    return build(Input(**source), lambda text: None)


def ran(source: Source, seed: int, steps: int) -> Run:
    return run(lowered(source), Goal(), RandomChoices(seed), max_steps=steps, trace=True)


def _told(assumptions: tuple[Assumption, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.text for one in assumptions))
