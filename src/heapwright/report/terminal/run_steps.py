"""A run as text: numbered steps with source spans, folded to the important ones.

    1  list.c:12:7: x = malloc(...)          allocates #1
    …  12 steps
    2  list.c:20:3: free(x)                  frees #1

Folding does not change the numbers of steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heapwright.program.trace import Ending, Run, TraceStep, Violation
from heapwright.report.messages import counted
from heapwright.report.terminal.colours import PLAIN, Style
from heapwright.report.terminal.heap_text import heap_lines
from heapwright.report.terminal.source_excerpt import line_of

MOST_STEPS = 40  # of a folded run
INDENT = "  "


def run_lines(run: Run, sources: Mapping[str, str], style: Style = PLAIN, *, fold: bool = True) -> Iterator[str]:
    """The steps of a run; folded, only the important ones and the last."""
    yield from step_lines(run.steps, style, fold=fold)


def step_lines(all_steps: Sequence[TraceStep], style: Style = PLAIN, *, fold: bool = True) -> Iterator[str]:
    width = len(str(len(all_steps)))
    function, functions = "", _functions(all_steps)
    for first, last, steps in folded(all_steps) if fold else unfolded(all_steps):
        if first != last or len(steps) != 1:
            yield INDENT + style.faint(f"{'…':>{width}}  {counted(last - first + 1, 'step')}")
            continue
        step = steps[0]
        if functions[first - 1] != function:
            function = functions[first - 1]
            yield f"{INDENT}{' ' * width}  " + style.faint(f"in {function}:")
        yield from _step_lines(first, step, width, style)


def _functions(steps: Sequence[TraceStep]) -> list[str]:
    """The functions of the steps; one without a function, as the initialisation of globals, belongs to the next."""
    found: list[str] = []
    following = next((step.function for step in reversed(steps) if step.function), "")
    for step in reversed(steps):
        following = step.function or following
        found.append(following)
    return found[::-1]


def folded(steps: Sequence[TraceStep]) -> Iterator[tuple[int, int, Sequence[TraceStep]]]:
    """Groups of steps, with the numbers of their first and last step: one shown step, or several hidden ones."""
    shown = _shown(steps)
    start = 0
    for index, step in enumerate(steps):
        if index in shown:
            if start < index:
                yield from _hidden(steps, start, index)
            yield index + 1, index + 1, (step,)
            start = index + 1
    if start < len(steps):
        yield from _hidden(steps, start, len(steps))


def unfolded(steps: Sequence[TraceStep]) -> Iterator[tuple[int, int, Sequence[TraceStep]]]:
    for number, step in enumerate(steps, 1):
        yield number, number, (step,)


def _hidden(steps: Sequence[TraceStep], start: int, end: int) -> Iterator[tuple[int, int, Sequence[TraceStep]]]:
    """A group of hidden steps; a single step is shown, since it takes no more room."""
    if end - start == 1:
        yield end, end, (steps[start],)
    else:
        yield start + 1, end, steps[start:end]


def _shown(steps: Sequence[TraceStep]) -> frozenset[int]:
    important = [index for index, step in enumerate(steps) if step.important or step.choice is not None]
    if not important:
        important = list(range(len(steps)))[-3:]
    elif len(important) > MOST_STEPS:
        important = important[: MOST_STEPS // 4] + important[-3 * MOST_STEPS // 4 :]
    return frozenset((*important, *([len(steps) - 1] if steps else [])))


def _step_lines(number: int, step: TraceStep, width: int, style: Style) -> Iterator[str]:
    notes = "; ".join(step.notes)
    text = f"{INDENT}{style.strong(f'{number:>{width}}')}  {step.span}: {step.text}"
    yield text + (style.note(f"  ({notes})") if notes else "")


def last_heap(run: Run) -> list[str]:
    """The heap at the end of a run, as lines of text."""
    return heap_at_end(run.steps)


def heap_at_end(steps: Sequence[TraceStep]) -> list[str]:
    return next((heap_lines(step.heap) for step in reversed(steps) if step.heap is not None), [])


def origin_lines(violation: Violation, sources: Mapping[str, str], style: Style = PLAIN) -> Iterator[str]:
    """Notes on the object of a violation: where it was allocated and freed, and which variable held it."""
    for span, text in ((violation.allocated, "allocated here"), (violation.freed, "freed here")):
        if span is not None:
            line = (line_of(sources, span) or "").strip()
            yield f"{style.strong(str(span))}: {style.note('note:')} {text}" + (f": {line}" if line else "")
    if violation.holder:
        yield f"{style.note('note:')} held by '{violation.holder}'"


def ending_text(run: Run) -> str:
    """The end of a run in words."""
    match run.ending:
        case Ending.EXIT:
            return "the program ended normally"
        case Ending.VIOLATION:
            return f"stopped: {run.violation.message}" if run.violation else "stopped at a violation"
        case Ending.BLOCKED:
            return "the run is infeasible" + (f": {run.reason}" if run.reason else "")
        case Ending.CUT:
            return "the run was stopped" + (f": {run.reason}" if run.reason else "")
