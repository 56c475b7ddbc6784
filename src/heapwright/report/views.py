"""Abstract heaps per source line.

    for view in views(program, result):
        view.line, view.pictures

The heaps of a line are those at the locations where control enters it from another line. A line with several such
locations, such as the head of a `for`, has one view per column; copies by inlining share a view.
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

ROLE = "role: "  # a fact that begins with it says which objects of a summary node a picture is of


@dataclass(frozen=True, slots=True)
class View:
    """A source position with the text and the alarms of its line, and its abstract heaps, small ones first."""

    file: str
    line: int
    column: int
    function: str
    text: str
    pictures: tuple[HeapPicture, ...]
    alarms: tuple[str, ...] = ()
    complete: bool = True  # no other heap is possible
    locations: tuple[int, ...] = ()  # where control arrives

    @property
    def without_heaps(self) -> str:
        """The text in place of pictures, if there are none."""
        return "unreachable" if self.complete else "none found so far"


@dataclass(frozen=True, slots=True)
class LineSelection:
    """All lines of the files that the user named, or one line of one file."""

    line: int | None = None
    file: str = ""


def views(program: Program, result: Result, wanted: LineSelection | None = None) -> tuple[View, ...]:
    """The views of the selected lines, in source order."""
    wanted = wanted or LineSelection()
    graph = program.graph
    found: dict[tuple[str, int, int], dict[HeapPicture, None]] = {}
    functions: dict[tuple[str, int, int], str] = {}
    locations: dict[tuple[str, int, int], tuple[int, ...]] = {}
    for location in sorted(graph.postorder):
        edges = graph.successors[location]
        if not edges or _is_end(edges[0].command) or not _arrival(graph, location, edges[0]):
            continue
        span = edges[0].span
        key = (span.file, span.line, span.column)
        if span.line and _is_wanted(program, wanted, span.file, span.line):
            functions.setdefault(key, graph.locations[location].function or program.entry.function)
            locations[key] = (*locations.get(key, ()), location)
            found.setdefault(key, {}).update(dict.fromkeys(result.invariants.get(location, ())))
    if not found and wanted.line is not None:
        raise _no_such_line(program, wanted)
    alarms = _alarms(result.outcomes)
    return tuple(
        View(
            *key,
            functions[key],
            _text(program, *key[:2]),
            _sorted(pictures),
            alarms.get(key[:2], ()),
            result.complete,
            locations[key],
        )
        for key, pictures in sorted(found.items())
    )


def _is_end(command: Command) -> bool:
    """Whether a command is the return of a function, whose span is the function's heading."""
    return isinstance(command, Skip) and command.note.endswith(" returns")


def _arrival(graph: Graph[Command], location: int, edge: Edge[Command]) -> bool:
    """Whether control enters the line of an edge here: at the entry, or from another line, except by a return."""
    line, calls = (edge.span.file, edge.span.line), graph.locations[location].calls
    return location == graph.entry or any(
        (before.span.file, before.span.line) != line and len(graph.locations[before.source].calls) <= len(calls)
        for before in graph.predecessors[location]
    )


def _is_wanted(program: Program, wanted: LineSelection, file: str, line: int) -> bool:
    if wanted.line is None:
        return file in program.files
    return line == wanted.line and file == (wanted.file or program.files[0])


def _no_such_line(program: Program, wanted: LineSelection) -> UsageError:
    file = wanted.file or program.files[0]
    lines = sorted({edge.span.line for edge in program.graph.edges if edge.span.file == file and edge.span.line})
    if not lines:
        return UsageError(f"'{file}' has no executable line")
    after = next((line for line in lines if line > (wanted.line or 0)), lines[-1])
    hint = f"the {'next' if after > (wanted.line or 0) else 'last'} such line is {after}"
    return UsageError(f"line {wanted.line} of '{file}' has no executable code", hint=hint)


def _text(program: Program, file: str, line: int) -> str:
    lines = program.sources.get(file, "").splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def _sorted(pictures: dict[HeapPicture, None]) -> tuple[HeapPicture, ...]:
    return tuple(sorted(pictures, key=lambda one: (bool(role_of(one)), len(one.nodes), len(one.arrows))))


def role_of(picture: HeapPicture) -> str:
    """The role that a picture shows of the objects of a summary node; "" if it is the picture of a heap."""
    return next((fact.text for fact in picture.facts if fact.text.startswith(ROLE)), "")


def _alarms(outcomes: Sequence[Outcome]) -> dict[tuple[str, int], tuple[str, ...]]:
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    for outcome in outcomes:
        if outcome.verdict is Verdict.UNKNOWN and outcome.trace:
            key = outcome.check.span.file, outcome.check.span.line
            found[key] = (*found.get(key, ()), f"{message(outcome)} [{outcome.check.kind.value}]")
    return found
