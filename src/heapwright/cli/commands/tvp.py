"""`heapwright tvp PROG.tvp INIT.tvs`: run a TVLA specification.

| exit code | meaning |
|---|---|
| 0 | no message can be raised |
| 1 | a message is definite in some structure |
| 2 | the specification or the structures are bad input |
| 3 | messages are possible, or the analysis was cut short or contradicted itself |
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from heapwright import __version__
from heapwright.analysis.limits.process import Send
from heapwright.base.errors import InputError
from heapwright.base.immutable import Immutable
from heapwright.cli.output_files import write_to
from heapwright.cli.parser import Parser
from heapwright.cli.worker_process import AnalysisProgress, work
from heapwright.engines.api import Limits
from heapwright.engines.kit.statistics import peak_mb
from heapwright.engines.tvl.fixpoint import Options, TvlOutcome, run
from heapwright.engines.tvl.focus.strategies import REFINEMENTS, RefineKind
from heapwright.engines.tvl.structures import structure
from heapwright.engines.tvl.structures.join import JoinKind
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind
from heapwright.logic.formulas import text

if TYPE_CHECKING:
    from heapwright.report.views import View
    from heapwright.tvp.specification import Specification

JOINS: tuple[JoinKind, ...] = ("part", "rel", "part_embedding")
EMBEDDINGS: tuple[EmbeddingKind, ...] = ("strict", "loose")


def add_arguments(parser: Parser) -> None:
    parser.add_argument("program", metavar="PROG.tvp", help="the specification; '.tvp' may be left out")
    parser.add_argument("structures", metavar="INIT.tvs", help="the initial structures; '.tvs' may be left out")
    parser.add_argument("-D", dest="define", action="append", default=[], metavar="NAME(VALUE)", help="define a macro")
    parser.add_argument("-I", "--path", action="append", default=[], metavar="DIR", help="look for included files here")
    parser.add_argument("--props", action="append", default=[], metavar="FILE", help="read a properties file")
    parser.add_argument(
        "--join", choices=JOINS, help="how structures are merged (default: as the properties say, part)"
    )
    parser.add_argument(
        "--embedding",
        choices=EMBEDDINGS,
        default="strict",
        help="a summary node stands for one individual or more (strict, the default), or possibly for none (loose)",
    )
    parser.add_argument(
        "--refine",
        choices=REFINEMENTS,
        default="formula",
        help="make structures definite by focus and coerce, or by meet with sets of structures (default formula)",
    )
    parser.add_argument("--timeout", type=float, default=300, metavar="S", help="stop after S seconds (default 300)")
    parser.add_argument("--memory", type=float, default=4000, metavar="MB", help="stop at MB megabytes (default 4000)")
    parser.add_argument("--json", metavar="PATH", help="write the result as JSON (-: standard output)")
    parser.add_argument("-o", "--output", metavar="FILE.tvs", help="write the structures of every location")
    parser.add_argument("--pictures", metavar="DIR", help="draw them there as .svg and .dot, with an index.html")
    parser.add_argument("-v", "--verbose", action="store_true", help="say how many structures each location has")


class RaisedMessage(Immutable):
    label: str
    action: str
    text: str
    times: int
    definite: int


class Drawings(Immutable):
    """The pictures of each label, and what stands beside them: a line for each label with the actions that follow."""

    views: tuple[View, ...]
    text: str


class Answer(Immutable):
    """What a run found, ready to be told."""

    file: str
    messages: tuple[RaisedMessage, ...]
    counts: Mapping[str, int]  # structures by label
    stats: Mapping[str, float | int]
    complete: bool
    breach: str
    remarks: tuple[str, ...]
    tvs: str = ""
    drawings: Drawings | None = None

    @property
    def verdict(self) -> str:
        if any(message.definite for message in self.messages):
            return "violated"
        return "unknown" if self.messages or self.breach or not self.complete else "proved"

    @property
    def exit_code(self) -> int:
        return {"proved": 0, "violated": 1, "unknown": 3}[self.verdict]


class _Task(Immutable):
    program: str
    structures: str
    defines: tuple[str, ...]
    search: tuple[str, ...]
    properties: tuple[str, ...]
    join: JoinKind | None
    embedding: EmbeddingKind
    refine: RefineKind
    seconds: float | None
    pictures: bool = False
    writes: bool = False  # the structures as TVS

    def __call__(self, send: Send) -> Answer:
        from heapwright.tvp.reader import read_program, read_structures

        start = time.monotonic()
        send(f"reading {self.program}")
        specification = read_program(self.program, defines=self.defines, search=self.search, properties=self.properties)
        initial = read_structures(self.structures, specification, defines=self.defines, search=self.search)
        if not initial:
            raise InputError(f"{self.structures}: there is no structure in it")
        send("analysing")
        options = _options(specification.options, self.join, self.embedding, self.refine)
        deadline = None if self.seconds is None else start + 0.95 * self.seconds
        outcome = run(
            specification.vocabulary_with(initial),
            specification.constraints,
            specification.graph,
            initial,
            options,
            AnalysisProgress(send),
            Limits(deadline=deadline),
        )
        graph, labels = specification.graph, specification.labels
        messages = tuple(
            RaisedMessage(labels[r.location], graph.edges[r.edge].command.title, r.text, r.times, r.definite)
            for r in outcome.messages
        )
        breach = ""
        if outcome.breach is not None:
            edge, rule = graph.edges[outcome.breach.edge], outcome.breach.constraint
            where = f"{labels[edge.source]}: '{edge.command.title}'"
            breach = f"{where} leads to a structure that breaks {text(rule.body)} ==> {text(rule.head)}"
        counts = {label: len(found) for label, found in zip(labels, outcome.structures, strict=False)}
        stats = {
            "structures_in_graph": outcome.structures_in_graph,
            "structures_total": outcome.structures_total,
            "most_structures": outcome.most_structures,
            "messages": outcome.message_count,
            "locations": len(labels),
            "iterations": outcome.iterations,
            "time_s": round(time.monotonic() - start, 3),
            "peak_mb": peak_mb(),
        }
        remarks = tuple(str(remark) for remark in specification.remarks)
        drawings = _drawings(self.program, specification, outcome) if self.pictures else None
        tvs = _tvs(specification, outcome) if self.writes else ""
        return Answer(self.program, messages, counts, stats, outcome.complete, breach, remarks, tvs, drawings)


def _tvs(specification: Specification, outcome: TvlOutcome) -> str:
    """The structures of the locations to print, in TVLA's notation."""
    from heapwright.engines.tvl.structure_conversion import write_structure
    from heapwright.tvp.syntax.structure_parser import Located
    from heapwright.tvp.writer import locations_text

    located = [
        Located(label, tuple(write_structure(outcome.signature, s) for s in found))
        for label, found in zip(specification.labels, outcome.structures, strict=False)
        if not specification.printed or label in specification.printed
    ]
    return locations_text(located)


def _drawings(file: str, specification: Specification, outcome: TvlOutcome) -> Drawings:
    from heapwright.engines.tvl.structure_pictures import captions_of, drawn
    from heapwright.report.views import View

    captions = captions_of(outcome.signature)
    views: list[View] = []
    lines: list[str] = []
    for location, label in enumerate(specification.labels):
        actions = (edge.command.title or "-" for edge in specification.graph.successors[location])
        lines.append(f"{label}: {' | '.join(dict.fromkeys(actions))}".rstrip(": "))
        pictures = tuple(drawn(structure, captions) for structure in outcome.structures[location])
        views.append(View(file, location + 1, 1, "", lines[-1], pictures))
    return Drawings(tuple(views), "\n".join(lines))


def _options(
    properties: Mapping[str, str], join: JoinKind | None, embedding: EmbeddingKind, refine: RefineKind
) -> Options:
    """What the properties say, and the command line, which counts more."""
    kinds: dict[str, JoinKind] = {kind: kind for kind in JOINS}
    return Options(
        join=join or kinds.get(properties.get("tvla.joinType", ""), "part"),
        automatic=properties.get("tvla.generateAutomaticConstraints", "true") == "true",
        differencing=properties.get("tvla.differencing.difference", "true") == "true",
        embedding=embedding,
        refine=refine,
        outdated=True,
    )


def execute(arguments: argparse.Namespace) -> int:
    timeout = arguments.timeout if arguments.timeout > 0 else None
    task = _Task(
        _with_suffix(arguments.program, ".tvp"),
        _with_suffix(arguments.structures, ".tvs"),
        tuple(arguments.define),
        tuple(arguments.path),
        tuple(arguments.props),
        arguments.join,
        arguments.embedding,
        arguments.refine,
        timeout,
        arguments.pictures is not None,
        arguments.output is not None,
    )
    if arguments.pictures is not None:
        from heapwright.cli.picture_files import directory_for, write_pictures

        directory = directory_for(arguments.pictures)
    answer = work(task, timeout=timeout, memory_mb=arguments.memory if arguments.memory > 0 else None)
    console = sys.stderr if arguments.json == "-" else sys.stdout
    console.write(rendered(answer, verbose=arguments.verbose))
    if arguments.json is not None:
        import json

        write_to(arguments.json, json.dumps(as_object(answer), indent=2, ensure_ascii=False) + "\n")
    if arguments.output is not None:
        write_to(arguments.output, answer.tvs)
    if answer.drawings is not None:
        sources = {answer.file: answer.drawings.text}
        print(write_pictures(answer.drawings.views, sources, directory, answer.file), file=console)
    return answer.exit_code


def _with_suffix(path: str, suffix: str) -> str:
    return path if os.path.exists(path) or path.endswith(suffix) else path + suffix


def rendered(answer: Answer, *, verbose: bool) -> str:
    lines = [f"warning: {remark}" for remark in answer.remarks]
    for message in answer.messages:
        kind = "error" if message.definite else "warning"
        certainty = "definite" if message.definite else "possible"
        lines.append(f"{message.label}: {kind}: {message.text} [{certainty}, {message.times} times]")
        lines.append(f"    at {message.action}")
    if answer.breach:
        lines.append(f"error: {answer.breach}")
    if verbose:
        lines += [f"  {label}: {count} structures" for label, count in answer.counts.items()]
    stats = answer.stats
    found = f"{stats['structures_in_graph']} structures ({stats['structures_total']} in all)"
    end = "" if answer.complete or answer.breach else ", cut short by the time limit"
    lines.append(f"{answer.file}: {answer.verdict}: {stats['messages']} messages, {found}, {stats['time_s']} s{end}")
    return "\n".join(lines) + "\n"


def as_object(answer: Answer) -> dict[str, object]:
    return {
        "tool": "heapwright",
        "version": __version__,
        "file": answer.file,
        "verdict": answer.verdict,
        "messages": [
            {"label": m.label, "action": m.action, "text": m.text, "times": m.times, "definite": m.definite}
            for m in answer.messages
        ],
        "kernel": "plain" if structure.__file__.endswith(".py") else "compiled",
        "breach": answer.breach,
        "complete": answer.complete,
        "locations": dict(answer.counts),
        "stats": dict(answer.stats),
    }
