"""Layout of a recorded run: one layout of its objects for many steps.

A scene is a range of steps with one layout. It is the layered drawing of the union of what these steps show: every
object that is there in one of them has one position in all of them, as large as it ever gets, and every link has its
line and the position of its label. So nothing moves from step to step inside of a scene, and labels never meet. A run
with few objects is one scene. In a large heap a scene shows the neighbourhood of what changes and of what the variables
of the innermost call point to; what hangs on it is folded: a `Run` has the position of the objects behind a field that
are not drawn at a step, whichever these are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from heapwright.program.heap_picture import HeapArrow, HeapNode, HeapPicture
from heapwright.program.runs.recording import Frame
from heapwright.program.runs.seen_memory import NAME, STATE, TYPE, Change, Target, Value
from heapwright.program.types import RECORD
from heapwright.report.drawing.glyphs import FONT, text_width
from heapwright.report.drawing.scene import SceneEdge, scene_of
from heapwright.report.drawing.svg import edge_line

MOST_NODES = 60  # of a step that shows all of them
MOST_TOGETHER = 40  # objects and runs of a scene that has neighbourhoods
MOST_LINKS = 80  # of such a scene
NEAR = 20  # nodes of a neighbourhood
MOST_RUNS = 8  # of a step
MOST_ROWS = 10  # of an object
SPECIAL = (STATE, TYPE, NAME)
TIMES = "\N{MULTIPLICATION SIGN}"
RUN_END = "→ #00000"  # at least as wide as the text of any end of a run
SHORT = {"uninitialised": "?", "any value": "*"}  # values as they stand in boxes

Cells = dict[int, dict[str, Value]]  # by object and field; object 0 has the variables


@dataclass(frozen=True, slots=True)
class Node:
    """An object at a position: the middle of its box, half its width and height, and the fields it has rows for."""

    id: int
    x: float
    y: float
    a: float
    b: float
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """The place of the objects behind a field, if they are folded; its number is negative."""

    id: int
    x: float
    y: float
    a: float
    b: float
    source: int
    field: str


@dataclass(frozen=True, slots=True)
class Link:
    """A line from one object to another or to a run, as the data of an SVG path, and the middle of its label."""

    source: int
    target: int
    line: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Scene:
    """The steps from `first` to `last` with one layout, to the right, or downwards as a `tree`."""

    first: int
    last: int
    tree: bool
    width: float
    height: float
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    runs: tuple[Run, ...] = ()


def applied(cells: Cells, changes: Sequence[Change]) -> None:
    """Makes changes in cells."""
    for change in changes:
        fields = cells.setdefault(change.object, {})
        if change.new is None:
            fields.pop(change.field, None)
            if not fields and change.object:
                del cells[change.object]
        else:
            fields[change.field] = change.new


def scenes_of(frames: Sequence[Frame], subject: int = 0) -> Iterator[Scene]:
    """The scenes of a run, in their order. The last step is about the object `subject` (0: about none)."""
    cells: Cells = {}
    union, first = _Union(frames[-1] if frames else None, subject), 0
    for step, frame in enumerate(frames):
        applied(cells, frame.changes)
        union.add(cells, frame, whole=step == first)
        if union.full and step > first:
            yield union.scene(first, step - 1)
            union, first = _Union(frames[-1], subject), step
            union.add(cells, frame, whole=True)
        union.accept()
    if frames:
        yield union.scene(first, len(frames) - 1)


def title(number: int, fields: dict[str, Value]) -> str:
    """The first line of an object: `#1 node`, `queue #2`."""
    name, type = fields.get(NAME), fields.get(TYPE, "")
    state = fields.get(STATE, "")
    told = f"{name} #{number}" if name else f"#{number} {type}".rstrip()
    return told if state == "live" else f"{told} ({state})"


def is_record(fields: dict[str, Value]) -> bool:
    """Whether an object is an activation record, which is shown as a call."""
    return str(fields.get(TYPE, "")).startswith(RECORD)


@dataclass
class _Largest:
    """The widest texts of an object in any step."""

    type: str
    title: str = ""
    rows: dict[str, str] = field(default_factory=dict)
    names: str = ""


class _Union:
    """The union of several steps, in one picture."""

    def __init__(self, last: Frame | None, subject: int) -> None:
        self._last, self._subject = last, subject
        self._nodes: dict[int, _Largest] = {}
        self._links: dict[tuple[int, int, str], None] = {}
        self._runs: dict[tuple[int, str], str] = {}  # object and field: the text of the run behind it
        self._new_nodes: dict[int, _Largest] = {}
        self._new_links: dict[tuple[int, int, str], None] = {}
        self._new_runs: dict[tuple[int, str], str] = {}
        self._partial = False  # whether a step shows a neighbourhood

    @property
    def full(self) -> bool:
        """Whether what was added does not fit."""
        nodes, links = len({**self._nodes, **self._new_nodes}), len({**self._links, **self._new_links})
        runs = len({**self._runs, **self._new_runs})
        if self._partial:
            return nodes + runs > MOST_TOGETHER or links + runs > MOST_LINKS
        return nodes > MOST_NODES or links > 2 * MOST_NODES

    def accept(self) -> None:
        self._nodes |= self._new_nodes
        self._links |= self._new_links
        self._runs |= self._new_runs

    def add(self, cells: Cells, frame: Frame, *, whole: bool) -> None:
        """Adds a step. Not the whole of it, if the step before has been added."""
        self._new_nodes, self._new_links, self._new_runs = {}, {}, {}
        changed = {change.object for change in frame.changes}
        shown, all_shown = _shown(cells, frame, self._subject if frame is self._last else 0)
        self._partial |= not all_shown
        for number in shown:
            fields = cells[number]
            if whole or number in changed or number not in self._nodes:
                largest = self._new_nodes[number] = _Largest(str(fields.get(TYPE, "")))
                known = self._nodes.get(number, largest)
                largest.title = _wider(known.title, title(number, fields))
                largest.names = known.names
                largest.rows = dict(known.rows)
                for name, value in fields.items():
                    if name not in SPECIAL:
                        text = f"#{value.object}" if isinstance(value, Target) else SHORT.get(value, value)
                        largest.rows[name] = _wider(largest.rows.get(name, ""), text)
                        if isinstance(value, Target) and value.object != number:
                            self._new_links[number, value.object, name] = None
        self._new_runs = {} if all_shown else dict(_runs(cells, shown))
        if whole or 0 in changed:
            for number, names in tags_of(cells).items():
                if number in self._new_nodes or number in self._nodes:
                    largest = self._new_nodes.setdefault(number, self._nodes.get(number) or _Largest(""))
                    largest.names = _wider(largest.names, ", ".join(names))

    def scene(self, first: int, last: int) -> Scene:
        nodes = tuple(HeapNode(number, largest.type) for number, largest in self._nodes.items())
        arrows = [HeapArrow(largest.names, "", number) for number, largest in self._nodes.items() if largest.names]
        arrows += [HeapArrow(u, label, v) for u, v, label in self._links if v in self._nodes]
        lines = {number: (largest.title, *_rows(largest)) for number, largest in self._nodes.items()}
        runs = {-number: key for number, key in enumerate(self._runs, 1) if key[0] in self._nodes}
        nodes += tuple(HeapNode(number, "") for number in runs)
        arrows += [HeapArrow(source, name, number) for number, (source, name) in runs.items()]
        lines |= {number: (self._runs[key], RUN_END) for number, key in runs.items()}
        drawn = scene_of(HeapPicture(nodes, tuple(arrows)), lines)
        return Scene(
            first,
            last,
            drawn.tree,
            round(drawn.width, 1),
            round(drawn.height, 1),
            tuple(
                Node(
                    node.glyph.node.id,
                    round(node.x, 1),
                    round(node.y, 1),
                    round(node.glyph.a, 1),
                    round(node.glyph.b, 1),
                    tuple(self._nodes[node.glyph.node.id].rows)[:MOST_ROWS],
                )
                for node in drawn.nodes
                if node.glyph.node.id > 0
            ),
            tuple(
                _link(drawn.nodes[e.source].glyph.node.id, drawn.nodes[e.target].glyph.node.id, edge_line(drawn, e), e)
                for e in drawn.edges
            ),
            tuple(
                Run(
                    node.glyph.node.id,
                    round(node.x, 1),
                    round(node.y, 1),
                    round(node.glyph.a, 1),
                    round(node.glyph.b, 1),
                    *runs[node.glyph.node.id],
                )
                for node in drawn.nodes
                if node.glyph.node.id < 0
            ),
        )


def _link(source: int, target: int, line: str, edge: SceneEdge) -> Link:
    return Link(source, target, line, round(edge.text[0], 1), round(edge.text[1], 1))


def _rows(largest: _Largest) -> Iterator[str]:
    for name, text in list(largest.rows.items())[:MOST_ROWS]:
        yield f"{name}: {text}" if name else text
    if len(largest.rows) > MOST_ROWS:
        yield "…"


def tags_of(cells: Cells) -> dict[int, list[str]]:
    """The variables that point to each object, by their names; the address of an object that is a variable is none."""
    found: dict[int, list[str]] = {}
    for name, value in cells.get(0, {}).items():
        short = name.rpartition(":")[2]
        if isinstance(value, Target) and not short.startswith("&"):
            tags = found.setdefault(value.object, [])
            text = f"{short} [{value.position}]" if value.position else short
            if text not in tags:
                tags.append(text)
    return found


def _shown(cells: Cells, frame: Frame, subject: int) -> tuple[list[int], bool]:
    """The objects of a step: all of them (true), or the neighbourhood of what matters."""
    everything = [number for number, fields in cells.items() if number and not is_record(fields)]
    if len(everything) <= MOST_NODES:
        return everything, True
    waiting = [subject, *(change.object for change in frame.changes)]
    waiting += [v.object for c in frame.changes for v in (c.old, c.new) if isinstance(v, Target)]
    inner = f"{frame.stack[-1].function}:" if frame.stack else ""
    waiting += [v.object for name, v in cells.get(0, {}).items() if isinstance(v, Target) and name.startswith(inner)]
    found: dict[int, None] = {}
    for number in waiting:  # grows during the iteration
        if len(found) >= NEAR:
            break
        fields = cells.get(number, {}) if number else {}
        if fields and number not in found and not is_record(fields):
            found[number] = None
            waiting += [value.object for value in fields.values() if isinstance(value, Target)]
    return list(found), False


def _runs(cells: Cells, shown: list[int]) -> Iterator[tuple[tuple[int, str], str]]:
    """Objects and fields behind which there are objects that are not drawn, and a text as wide as that of
    these."""
    drawn, count = set(shown), 0
    for number in shown:
        for name, value in cells[number].items():
            if (
                isinstance(value, Target)
                and value.object not in drawn
                and not is_record(cells.get(value.object, {TYPE: RECORD}))
            ):
                yield (number, name), f"{len(cells)} {TIMES} {cells[value.object].get(TYPE, '')}"
                count += 1
                if count == MOST_RUNS:
                    return


def _wider(one: str, other: str) -> str:
    return other if text_width(other, FONT) > text_width(one, FONT) else one
