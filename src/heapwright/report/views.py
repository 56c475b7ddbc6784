"""What is known at each source line: the heaps that may be there when a run comes to it.

    for view in views(program, result):
        view.line, view.pictures

A line is looked at where a run comes to it from another one. A line such as the head of a `for` has several such
places, told apart by their columns; inlined copies of a place are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.base.errors import UsageError
from heapwright.program.commands import Command, Skip
from heapwright.program.graph import Edge, Graph, Program
from heapwright.program.heap_picture import HeapPicture
from heapwright.report.messages import message
from heapwright.result.outcomes import Outcome, Result, Verdict


@dataclass(frozen=True, slots=True)
class View:
    """A place in the source, its line's text, the heaps there (small ones first), and what may fail in that line."""

    file: str
    line: int
    column: int
    function: str
    text: str
    pictures: tuple[HeapPicture, ...]
    alarms: tuple[str, ...] = ()
    complete: bool = True  # there are no other heaps

    @property
    def nothing(self) -> str:
        """What it means that there is no picture."""
        return "never reached" if self.complete else "none found so far"


@dataclass(frozen=True, slots=True)
class LineSelection:
    """Which lines are wanted: all of the files that the user named, or one."""

    line: int | None = None
    file: str = ""


def views(program: Program, result: Result, wanted: LineSelection | None = None) -> tuple[View, ...]:
    """The places of the wanted lines, in the order of the source."""
    wanted = wanted or LineSelection()
    graph = program.graph
    found: dict[tuple[str, int, int], dict[HeapPicture, None]] = {}
    functions: dict[tuple[str, int, int], str] = {}
    for location in sorted(graph.postorder):
        edges = graph.successors[location]
        if not edges or _is_end(edges[0].command) or not _arrival(graph, location, edges[0]):
            continue
        span = edges[0].span
        key = (span.file, span.line, span.column)
        if span.line and _is_wanted(program, wanted, span.file, span.line):
            functions.setdefault(key, graph.locations[edges[0].target].function)
            found.setdefault(key, {}).update(dict.fromkeys(result.invariants.get(location, ())))
    if not found and wanted.line is not None:
        raise _nothing_there(program, wanted)
    alarms = _alarms(result.outcomes)
    return tuple(
        View(
            *key, functions[key], _text(program, *key[:2]), _sorted(pictures), alarms.get(key[:2], ()), result.complete
        )
        for key, pictures in sorted(found.items())
    )


def _is_end(command: Command) -> bool:
    """The end of a function is a step that stands at its head, where nobody would look for it."""
    return isinstance(command, Skip) and command.note.endswith(" returns")


def _arrival(graph: Graph[Command], location: int, edge: Edge[Command]) -> bool:
    """Whether a run comes here from another line, or begins here; to come back from a call is to go on in a line."""
    place, calls = (edge.span.file, edge.span.line), graph.locations[location].calls
    return location == graph.entry or any(
        (before.span.file, before.span.line) != place and len(graph.locations[before.source].calls) <= len(calls)
        for before in graph.predecessors[location]
    )


def _is_wanted(program: Program, wanted: LineSelection, file: str, line: int) -> bool:
    if wanted.line is None:
        return file in program.files
    return line == wanted.line and file == (wanted.file or program.files[0])


def _nothing_there(program: Program, wanted: LineSelection) -> UsageError:
    file = wanted.file or program.files[0]
    lines = sorted({edge.span.line for edge in program.graph.edges if edge.span.file == file and edge.span.line})
    if not lines:
        return UsageError(f"no command of the program is in '{file}'")
    after = next((line for line in lines if line > (wanted.line or 0)), lines[-1])
    return UsageError(f"nothing happens at line {wanted.line} of '{file}'", hint=f"at line {after} something does")


def _text(program: Program, file: str, line: int) -> str:
    lines = program.sources.get(file, "").splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def _sorted(pictures: dict[HeapPicture, None]) -> tuple[HeapPicture, ...]:
    return tuple(sorted(pictures, key=lambda picture: (len(picture.nodes), len(picture.arrows))))


def _alarms(outcomes: Sequence[Outcome]) -> dict[tuple[str, int], tuple[str, ...]]:
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    for outcome in outcomes:
        if outcome.verdict is Verdict.UNKNOWN and outcome.trace:
            key = outcome.check.span.file, outcome.check.span.line
            found[key] = (*found.get(key, ()), f"{message(outcome)} [{outcome.check.kind.value}]")
    return found
