"""One run for people: its steps, its violations, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.program.trace import Run
from heapwright.report.messages import counted
from heapwright.report.terminal.colours import PLAIN, Style
from heapwright.report.terminal.run_steps import INDENT, ending_text, last_heap, origin_lines, run_lines
from heapwright.report.terminal.source_excerpt import excerpt


def render_run(run: Run, sources: Mapping[str, str], style: Style = PLAIN, *, fold: bool = True) -> str:
    """The run as text that ends with a newline."""
    lines = list(run_lines(run, sources, style, fold=fold))
    heap = last_heap(run)
    if heap:
        lines += [style.strong("heap at the end:"), *(INDENT + line for line in heap)]
    for violation, _ in run.failures:
        check = violation.check
        severity = style.error("error:")
        lines.append(
            f"{style.strong(f'{check.span}:')} {severity} {style.strong(violation.message)} [{check.kind.value}]"
        )
        lines += [line for line in excerpt(sources, check.span, style).split("\n") if line]
        lines += origin_lines(violation, sources, style)
    lines.append(f"{counted(len(run.steps), 'step')}, {counted(len(run.choices), 'choice')}; {ending_text(run)}")
    return style.clean("\n".join(lines) + "\n")
