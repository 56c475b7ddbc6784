"""Analysis of a TVLA specification: from its files to messages and structures.

result = analyze_specification(SpecificationTask("reverse.tvp", "list.tvs"), phase=print, progress=NullProgress())
result.verdict
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from heapwright.base.errors import InputError
from heapwright.base.immutable import Immutable
from heapwright.engines.api import Limits, Progress
from heapwright.engines.kit.statistics import peak_mb
from heapwright.logic.formulas import text

if TYPE_CHECKING:
    from heapwright.engines.tvl.api import EmbeddingKind, JoinKind, Options, RefineKind, TvlOutcome
    from heapwright.program.heap_picture import HeapPicture
    from heapwright.tvp.specification import Specification

JOINS: tuple[JoinKind, ...] = ("part", "rel", "part_embedding")
EMBEDDINGS: tuple[EmbeddingKind, ...] = ("strict", "loose", "adaptive")


class RaisedMessage(Immutable):
    """A message of an action, with the number of structures that raise it."""

    label: str
    action: str
    text: str
    times: int
    definite: int


class Drawing(Immutable):
    """The structures of one label; `line` has the label and its actions."""

    line: str
    pictures: tuple[HeapPicture, ...]


class SpecificationResult(Immutable):
    file: str
    messages: tuple[RaisedMessage, ...]
    counts: Mapping[str, int]  # structures by label
    stats: Mapping[str, float | int]
    complete: bool
    breach: str
    remarks: tuple[str, ...]
    kernel: str  # plain or compiled
    ignored: bool = False  # something of the specification had no effect
    tvs: str = ""
    drawings: tuple[Drawing, ...] | None = None
    links: tuple[tuple[tuple[tuple[int, int], ...], ...], ...] = ()  # the structures before each one: label and number

    @property
    def verdict(self) -> str:
        if any(message.definite for message in self.messages):
            return "violated"
        return "unknown" if self.messages or self.breach or self.ignored or not self.complete else "proved"


class SpecificationTask(Immutable):
    """A specification and its initial structures. `pictures`: draw the structures; `writes`: serialise them as TVS."""

    program: str
    structures: str
    defines: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    join: JoinKind | None = None  # None: tvla.joinType of the properties
    embedding: EmbeddingKind = "strict"
    refine: RefineKind = "formula"
    seconds: float | None = None
    pictures: bool = False
    writes: bool = False


def analyze_specification(
    task: SpecificationTask, phase: Callable[[str], None], progress: Progress
) -> SpecificationResult:
    from heapwright.engines.tvl.api import kernel_kind, run
    from heapwright.tvp.reader import read_program, read_structures

    start = time.monotonic()
    phase(f"reading {task.program}")
    specification = read_program(task.program, defines=task.defines, search=task.search, properties=task.properties)
    initial = read_structures(task.structures, specification, defines=task.defines, search=task.search)
    if not initial:
        raise InputError(f"'{task.structures}' contains no structure")
    phase("analysing")
    outcome = run(
        specification.vocabulary_with(initial),
        specification.constraints,
        specification.graph,
        initial,
        _options(specification.options, task),
        progress,
        Limits(deadline=None if task.seconds is None else start + 0.95 * task.seconds),
    )
    return SpecificationResult(
        task.program,
        _messages(specification, outcome),
        {label: len(found) for label, found in zip(specification.labels, outcome.structures, strict=False)},
        _stats(specification, outcome, start),
        outcome.complete,
        _breach(specification, outcome),
        tuple(str(remark) for remark in specification.remarks),
        kernel_kind(),
        any(remark.ignored for remark in specification.remarks),
        _tvs(specification, outcome) if task.writes else "",
        _drawings(specification, outcome) if task.pictures else None,
        _links(outcome) if task.pictures else (),
    )


def _options(properties: Mapping[str, str], task: SpecificationTask) -> Options:
    """Options from properties files, and from the task, which takes precedence."""
    from heapwright.engines.tvl.api import Options

    kinds: dict[str, JoinKind] = {kind: kind for kind in JOINS}
    return Options(
        join=task.join or kinds.get(properties.get("tvla.joinType", ""), "part"),
        automatic=properties.get("tvla.generateAutomaticConstraints", "true") == "true",
        differencing=properties.get("tvla.differencing.difference", "true") == "true",
        embedding=task.embedding,
        refine=task.refine,
        outdated=True,
        transitions=task.pictures,
    )


def _messages(specification: Specification, outcome: TvlOutcome) -> tuple[RaisedMessage, ...]:
    graph, labels = specification.graph, specification.labels
    return tuple(
        RaisedMessage(labels[one.location], graph.edges[one.edge].command.title, one.text, one.times, one.definite)
        for one in outcome.messages
    )


def _breach(specification: Specification, outcome: TvlOutcome) -> str:
    if outcome.breach is None:
        return ""
    edge, rule = specification.graph.edges[outcome.breach.edge], outcome.breach.constraint
    where = f"{specification.labels[edge.source]}: '{edge.command.title}'"
    return f"{where}: integrity constraint violated after the update: {text(rule.body)} ==> {text(rule.head)}"


def _stats(specification: Specification, outcome: TvlOutcome, start: float) -> dict[str, float | int]:
    return {
        "structures_in_graph": outcome.structures_in_graph,
        "structures_total": outcome.structures_total,
        "most_structures": outcome.most_structures,
        "messages": outcome.message_count,
        "locations": len(specification.labels),
        "iterations": outcome.iterations,
        "time_s": round(time.monotonic() - start, 3),
        "peak_mb": peak_mb(),
    }


def _tvs(specification: Specification, outcome: TvlOutcome) -> str:
    """The structures of the printed locations, in TVS syntax."""
    from heapwright.engines.tvl.api import write_structure
    from heapwright.tvp.syntax.structure_parser import LocationStructures
    from heapwright.tvp.writer import locations_text

    located = [
        LocationStructures(label, tuple(write_structure(outcome.signature, s) for s in found))
        for label, found in zip(specification.labels, outcome.structures, strict=False)
        if not specification.printed or label in specification.printed
    ]
    return locations_text(located)


def _drawings(specification: Specification, outcome: TvlOutcome) -> tuple[Drawing, ...]:
    from heapwright.engines.tvl.api import captions_of, drawn

    captions = captions_of(outcome.signature)
    found: list[Drawing] = []
    for location, label in enumerate(specification.labels):
        actions = (edge.command.title or "-" for edge in specification.graph.successors[location])
        line = f"{label}: {' | '.join(dict.fromkeys(actions))}".rstrip(": ")
        found.append(Drawing(line, tuple(drawn(structure, captions) for structure in outcome.structures[location])))
    return tuple(found)


def _links(outcome: TvlOutcome) -> tuple[tuple[tuple[tuple[int, int], ...], ...], ...]:
    if not outcome.transitions:
        return ()
    before: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for one in outcome.transitions:
        before.setdefault((one.target, one.after), set()).add((one.source, one.before))
    return tuple(
        tuple(tuple(sorted(before.get((location, number), ()))) for number in range(len(found)))
        for location, found in enumerate(outcome.structures)
    )
