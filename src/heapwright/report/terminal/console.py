"""The report for people, in the form of compiler diagnostics: span, severity, message and kind; source excerpt; run;
summary.

    list.c:21:10: error: 'p' was freed [use-after-free]
      21 |   return p->next;
         |          ^~~~~~~
    ...
    list.c: unsafe: 1 violated, 14 of 17 checks proved; 2 open at 1 place (explore, 0.4 s)

`Detail.QUIET` prints errors in a line each, the assumptions and the summary; `Detail.FULL` adds every step, every
proved and unknown check, proofs and statistics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum

from heapwright.base.source import Span
from heapwright.report.advice import engine_sentences, next_step
from heapwright.report.messages import counted, message
from heapwright.report.model import Report
from heapwright.report.places import Place, by_function
from heapwright.report.terminal.colours import PLAIN, Style
from heapwright.report.terminal.run_steps import (
    INDENT,
    MOST_STEPS,
    heap_at_end,
    last_heap,
    origin_lines,
    run_lines,
    step_lines,
)
from heapwright.report.terminal.source_excerpt import excerpt
from heapwright.result.outcomes import Outcome, ProgramVerdict, Verdict

LINES_SHOWN = 12  # of a counterexample
MOST_PLACES = 20  # without -v
MOST_REASONS = 4
MASKED_SHOWN = 4  # of masked checks that share a reason, without -v


class Detail(Enum):
    QUIET = 0
    NORMAL = 1
    FULL = 2


def render(report: Report, style: Style = PLAIN, detail: Detail = Detail.NORMAL) -> str:
    """The whole report as text that ends with a newline."""
    blocks: list[list[str]] = [list(_violation(outcome, report, style, detail)) for outcome in _violated(report)]
    if detail is not Detail.QUIET:
        blocks.append(list(_warnings(report, style)))
        blocks.append(list(_unknown(report, style, detail)))
        blocks.append(list(_masked(report, style, detail)))
        if detail is Detail.FULL:
            blocks.append(list(_proved(report, style)))
            blocks.append(list(_suppressed(report, style)))
    blocks.append(list(_assumptions(report, style)))
    if detail is Detail.FULL:
        blocks.append(list(_proof(report, style)))
        blocks.append(list(_statistics(report, style)))
    blocks.append(list(_conclusion(report, style, detail)))
    separator = "\n" if detail is Detail.QUIET else "\n\n"
    return style.clean(separator.join("\n".join(block) for block in blocks if block) + "\n")


# --- blocks ----------------------------------------------------------------------------------------------------------


def _violated(report: Report) -> tuple[Outcome, ...]:
    return report.having(Verdict.VIOLATED)


def _violation(outcome: Outcome, report: Report, style: Style, detail: Detail) -> Iterator[str]:
    check = outcome.check
    severity = style.error("error:")
    yield f"{style.strong(f'{check.span}:')} {severity} {style.strong(message(outcome))} [{check.kind.value}]"
    if detail is Detail.QUIET:
        return
    yield from _lines(excerpt(report.sources, check.span, style))
    run = outcome.run
    if run is None:
        return
    if run.violation:
        yield from origin_lines(run.violation, report.sources, style)
    yield from _titled(style.strong("run:"), run_lines(run, report.sources, style, fold=detail is not Detail.FULL))
    yield from _titled(style.strong("heap at the end:"), (INDENT + line for line in last_heap(run)))


def _warnings(report: Report, style: Style) -> Iterator[str]:
    for warning in report.warnings:
        yield f"{style.strong(f'{warning.span}:')} {style.warning('warning:')} {warning.text}"


def _unknown(report: Report, style: Style, detail: Detail) -> Iterator[str]:
    """The open checks by place and function, why they are open, and what to try next."""
    unknown = report.having(Verdict.UNKNOWN)
    if not unknown:
        return
    places = report.places
    where = counted(len(places), "place")
    yield style.warning("unknown:") + f" {counted(len(unknown), 'check')} at {where} could not be decided"
    full = detail is Detail.FULL
    left = len(places) if full else MOST_PLACES
    for function, group in by_function(places).items():
        if left:
            yield f"{'' if full else INDENT}{f'in {function}' if function else 'at the start of the program'}:"
        for place in group[:left]:
            yield from _place(place, report, style, full=full)
        left -= min(left, len(group))
    if not full and len(places) > MOST_PLACES:
        yield f"{INDENT}and {counted(len(places) - MOST_PLACES, 'more place')} (use -v to see them)"
    if full:
        yield from (f"{INDENT}{engine}: {sentence}" for engine, sentence in engine_sentences(report))
    else:
        yield from _reasons(unknown)
    advice = next_step(report)
    if not advice and not full:
        what = "the abstract counterexamples" if any(outcome.trace for outcome in unknown) else "each reason"
        advice = f"use -v to see {what}"
    if advice:
        yield f"{style.note('help:')} {advice}"


def _reasons(unknown: Sequence[Outcome]) -> Iterator[str]:
    counts = Counter(outcome.reason or "no reason given" for outcome in unknown)
    for reason, count in counts.most_common(MOST_REASONS):
        yield f"{INDENT}{counted(count, 'check')}: {reason}"
    if len(counts) > MOST_REASONS:
        yield f"{INDENT}and {counted(len(counts) - MOST_REASONS, 'other reason')}"


def _place(place: Place, report: Report, style: Style, *, full: bool) -> Iterator[str]:
    """One place: with `full`, its source, its reasons, and the run or the abstract counterexample that shows most."""
    kinds = ", ".join(kind.value for kind in place.kinds)
    if not full:
        yield f"{2 * INDENT}{style.strong(f'{place.span}:')} {place.text} [{kinds}]"
        return
    yield f"{style.strong(f'{place.span}:')} {style.warning('unknown:')} {place.text} [{kinds}]"
    yield from _lines(excerpt(report.sources, place.span, style, context=0))
    yield from (f"{INDENT}{style.note('reason:')} {reason}" for reason in place.reasons)
    outcome = place.evidence
    if outcome.run is not None:
        yield from _titled(f"{INDENT}unconfirmed violating run:", run_lines(outcome.run, report.sources, style))
        yield from _titled(f"{INDENT}heap at the end:", (2 * INDENT + line for line in last_heap(outcome.run)))
    elif outcome.trace:
        fold = len(outcome.trace) > MOST_STEPS
        yield from _titled(f"{INDENT}abstract counterexample:", step_lines(outcome.trace, style, fold=fold))
        heaps = (2 * INDENT + line for line in heap_at_end(outcome.trace))
        yield from _titled(f"{INDENT}abstract heaps in which the check may fail:", heaps)


def _masked(report: Report, style: Style, detail: Detail) -> Iterator[str]:
    groups: dict[str, list[Outcome]] = {}
    for outcome in report.having(Verdict.MASKED):
        groups.setdefault(message(outcome), []).append(outcome)
    for text, outcomes in groups.items():
        yield f"{style.warning('masked:')} {counted(len(outcomes), 'check')} {text}"
        shown = outcomes if detail is Detail.FULL else outcomes[:MASKED_SHOWN]
        spans = [f"{outcome.check.span} [{outcome.check.kind.value}]" for outcome in shown]
        more = len(outcomes) - len(spans)
        yield f"{INDENT}" + ", ".join(spans) + (f" and {more} more" if more else "")


def _proved(report: Report, style: Style) -> Iterator[str]:
    for outcome in report.having(Verdict.PROVED):
        check = outcome.check
        yield f"{check.span}: {style.good('proved:')} {message(outcome)} [{check.kind.value}]"


def _suppressed(report: Report, style: Style) -> Iterator[str]:
    for entry in report.suppressed:
        check = entry.outcome.check
        reason = f" ({entry.reason})" if entry.reason else ""
        yield f"{check.span}: {style.faint('suppressed:')} {message(entry.outcome)} [{check.kind.value}]{reason}"


def _assumptions(report: Report, style: Style) -> Iterator[str]:
    """Equal texts are printed once, with the first span and the number of others."""
    by_text: dict[str, list[Span]] = {}
    for assumption in report.assumptions:
        spans = by_text.setdefault(assumption.text, [])
        if assumption.span is not None:
            spans.append(assumption.span)
    if by_text:
        yield style.strong("assumptions:")
    for text, spans in by_text.items():
        more = f" and {counted(len(spans) - 1, 'other place')}" if len(spans) > 1 else ""
        yield f"{INDENT}- {text}" + (f" ({spans[0]}{more})" if spans else "")


def _proof(report: Report, style: Style) -> Iterator[str]:
    """The refinements of a proof, its shape precision, and its invariants per location."""
    proof = report.result.proof
    if proof is None:
        return
    if proof.refinements:
        yield style.strong("refinements:")
    for number, step in enumerate(proof.refinements, start=1):
        lines = " ".join(map(str, step.lines[-LINES_SHOWN:]))
        more = "... " if len(step.lines) > LINES_SHOWN else ""
        yield f"{INDENT}{number}. {step.check}: spurious counterexample along lines {more}{lines}"
        yield from (f"{INDENT}{INDENT}{added}" for added in step.added)
    yield from _titled(style.strong("shape precision:"), (f"{INDENT}{text}" for text in proof.shape_precision))
    yield style.strong("invariants:")
    for one in proof.invariants:
        shapes = f"; {counted(one.structures, 'structure')}" if one.structures else ""
        if one.invariant != "true" or shapes:
            yield f"{INDENT}{one.span} (location {one.location}): {one.invariant}{shapes}"


def _statistics(report: Report, style: Style) -> Iterator[str]:
    yield style.strong("statistics:")
    for name, value in report.result.stats.items():
        yield f"{INDENT}{name}: {value}"
    yield f"{INDENT}property: {report.goal.name}"
    yield f"{INDENT}SV-COMP result: {report.svcomp}"


# --- summary ---------------------------------------------------------------------------------------------------------


def _conclusion(report: Report, style: Style, detail: Detail) -> Iterator[str]:
    limit = report.result.limit
    reasons = [outcome.reason for outcome in report.having(Verdict.UNKNOWN) if outcome.reason]
    explained = bool(report.result.remarks) or any(limit in one or limit.startswith(one) for one in reasons)
    printed = detail is not Detail.QUIET and bool(report.places) and explained
    if limit and not printed:
        yield f"{style.warning('stopped:')} {limit}"
    yield summary(report, style)


def summary(report: Report, style: Style = PLAIN) -> str:
    """One line: `list.c: unsafe: 1 violated, 14 of 17 checks proved; 2 open at 1 place (explore, 0.4 s)`."""
    seconds = report.result.stats.get("time_s")
    took = f", {seconds:.1f} s" if isinstance(seconds, int | float) else ""
    suppressed = f", {len(report.suppressed)} suppressed" if report.suppressed else ""
    end = f" ({report.result.engine}{took})"
    if not report.analysed:
        return f"{report.name}: {style.warning('unknown')}: nothing was analysed{end}"
    if not report.outcomes and not report.suppressed:
        verdict = "" if report.verdict is ProgramVerdict.SAFE else f"{style.warning('unknown')}: "
        nothing = f"nothing to prove in {report.function}{_about(report)}{_uncalled(report)}"
        return f"{report.name}: {verdict}no checks: {nothing}{end}"
    paint = {
        ProgramVerdict.SAFE: style.good,
        ProgramVerdict.UNSAFE: style.error,
        ProgramVerdict.UNKNOWN: style.warning,
    }[report.verdict]
    return f"{report.name}: {paint(report.verdict.value)}: {report.summary}{suppressed}{end}"


def _about(report: Report) -> str:
    return "" if report.goal.name == "all" else f" about {report.goal.name}"


def _uncalled(report: Report) -> str:
    """That no error function is called, where only those are asked for: assertions are another property."""
    asked = sorted(report.goal.error_functions or ())
    if not asked:
        return ""
    functions = f"neither {' nor '.join(asked)} is" if len(asked) > 1 else f"{asked[0]} is not"
    return f": {functions} called (for assertions: --property assertions)"


def _lines(text: str) -> Iterator[str]:
    if text:
        yield from text.split("\n")


def _titled(title: str, lines: Iterator[str]) -> Iterator[str]:
    """The title and the lines; nothing if there are no lines."""
    content = list(lines)
    if content:
        yield title
        yield from content
