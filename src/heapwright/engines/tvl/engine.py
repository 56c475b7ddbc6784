"""The engine `tvl` on C programs: proves checks that no abstract counterexample violates.

First the program with coalesced variables (encoding/variable_coalescing.py), whose proofs count if nothing at all may
fail; then, if necessary, the whole one. If indices depend on counters with few values, both are tried with those values
first. Checks that adaptive embedding leaves unknown are tried with strict embedding, too. An alarm is `unknown`;
`explore` replays it to find out whether it is spurious.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from heapwright.base.errors import InputError
from heapwright.engines.api import Limits, Progress
from heapwright.engines.kit.abstract_trace import BEGINNING, abstract_trace
from heapwright.engines.kit.conjunction import Conjunction
from heapwright.engines.kit.deadline import NO_LIMIT, Deadline, DeadlineExceeded
from heapwright.engines.kit.outcomes import (
    INCOMPLETE,
    escapes,
    not_supported,
    proved_unless,
    takes_environment_memory,
    unreached,
)
from heapwright.engines.kit.statistics import statistics
from heapwright.engines.tvl.declaration import TvlDeclaration
from heapwright.engines.tvl.encoding.actions.command_transformers import check_of
from heapwright.engines.tvl.encoding.actions.commands import Compiler
from heapwright.engines.tvl.encoding.actions.loads_and_stores import CONFUSED
from heapwright.engines.tvl.encoding.record_trimming import trimmed
from heapwright.engines.tvl.encoding.states.program_pictures import ProgramPictures
from heapwright.engines.tvl.encoding.variable_coalescing import coalesced
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary, Supply
from heapwright.engines.tvl.fixpoint import Options, Report, TvlOutcome, nothing_reached, run
from heapwright.engines.tvl.focus.strategies import RefineKind
from heapwright.engines.tvl.structures.join import JoinKind
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind
from heapwright.logic.actions import Action, NamedStructure
from heapwright.program.checks import Check, Goal
from heapwright.program.commands import AnyPointer, Command
from heapwright.program.graph import Edge, Graph, Location, Program
from heapwright.program.heap_picture import HeapPicture
from heapwright.program.trace import TraceStep
from heapwright.result.outcomes import NO_RUNS, Outcome, Result, Section, States, Verdict, section_of

if TYPE_CHECKING:
    from heapwright.result.explanation import Picture

Drawn = Mapping[int, Sequence[HeapPicture]]  # by location, a picture for each structure

NAME = TvlDeclaration.name
LEAN_SHARE = 0.6  # of the time, for the first attempt
MOST_COUNTED = 5_000  # structures of an analysis with counters
OPTIONS = Options(join="part", differencing=False)  # every action has updates of all predicates that it changes


@dataclass(frozen=True, slots=True)
class CompiledProgram:
    """The control flow with actions; `origins` are the numbers of the program's edges that its edges come from, or
    `BEGINNING`."""

    graph: Graph[Action]
    origins: tuple[int, ...]


class Tvl(TvlDeclaration):
    """The engine."""

    def __init__(
        self,
        join: JoinKind = OPTIONS.join,
        embedding: EmbeddingKind = OPTIONS.embedding,
        focus: RefineKind = OPTIONS.refine,
        predicate_file: Supply | None = None,
    ) -> None:
        self.settings = replace(OPTIONS, join=join, embedding=embedding, refine=focus)
        self.supplied = predicate_file

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        refused = escapes(program) or _mixed_inputs(program)
        if refused:
            return not_supported(Tvl, [check for check in program.checks if goal.includes(check)], refused)
        if self.settings.embedding != "adaptive" or goal.pictures:
            return self._analyzed(program, goal, limits, progress)
        short = replace(limits, deadline=_share(time.monotonic(), limits.deadline))
        result = self._analyzed(program, goal, short, progress)
        if not _open(result, goal):
            return result
        progress.update("once more, with strict embedding")
        strict = Tvl(self.settings.join, "strict", self.settings.refine, self.supplied)
        return _together(result, strict._analyzed(program, goal, limits, progress))

    def _analyzed(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        """With the values of counters, if there are any and that stays small; else without."""
        counting = HeapVocabulary.counting(program, supplied=self.supplied)
        if counting.counted and not goal.pictures:
            deadline = _share(time.monotonic(), limits.deadline)
            short = replace(limits, deadline=deadline, states=min(limits.states, MOST_COUNTED))
            result = self._followed(counting, goal, short, progress)
            if result.complete:
                return result
            progress.update("once more, without the values of counters")
        return self._followed(HeapVocabulary(program, supplied=self.supplied), goal, limits, progress)

    def _followed(self, heap: HeapVocabulary, goal: Goal, limits: Limits, progress: Progress) -> Result:
        richer = replace(heap, all_keys=True)
        program = heap.program
        inputs = any(isinstance(edge.command, AnyPointer) for edge in program.graph.edges)
        plain = self.settings.join == OPTIONS.join
        if plain and not goal.pictures and not goal.audit and not goal.certificate and not inputs:
            proved, failed = self._coalesced(heap, goal, limits, progress)
            if failed and richer.keys != heap.keys:
                proved, _ = self._coalesced(richer, goal, limits, progress)
            if proved is not None:
                return proved
        result = self._whole(heap, goal, limits, progress)
        if (
            not _open(result, goal)
            or not result.complete
            or result.limit == CONFUSED
            or goal.pictures
            or richer.keys == heap.keys
        ):
            return result
        progress.update("once more, with comparisons of keys")
        return _together(result, self._whole(richer, goal, limits, progress))

    def _coalesced(
        self, heap: HeapVocabulary, goal: Goal, limits: Limits, progress: Progress
    ) -> tuple[Result | None, bool]:
        """The program with coalesced variables alone, if nothing at all may fail in it; and whether something may,
        within its share of the time."""
        start = time.monotonic()
        lean = replace(heap, program=trimmed(heap.program))
        slim = replace(lean, program=coalesced(lean), origin=lean)
        try:
            assert slim.vocabulary
        except InputError:
            return None, False  # user predicates refer to variables that were coalesced
        short = replace(limits, deadline=_share(start, limits.deadline))
        _, found = _run(slim, goal, replace(self.settings, until_message=True), progress, short)
        if not found.complete or found.messages:
            return None, bool(found.messages)
        program = heap.program
        outcomes = tuple(proved_unless(Tvl, check, "") for check in program.checks if goal.includes(check))
        stats = _stats(program, found, start)
        proved = Result(
            NAME,
            outcomes,
            dropped=NO_RUNS,
            assumptions=program.assumptions,
            stats=stats,
            unreached=unreached(program, found.reached, ""),
        )
        return proved, False

    def _whole(self, heap: HeapVocabulary, goal: Goal, limits: Limits, progress: Progress) -> Result:
        start = time.monotonic()
        program = heap.program
        asked = [check for check in program.checks if goal.includes(check)]
        settings = replace(self.settings, transitions=goal.pictures)
        code, outcome = _run(heap, goal, settings, progress, limits)
        stats = _stats(program, outcome, start)
        inconclusive = _inconclusive(outcome)
        pictures = ProgramPictures(heap, outcome.signature)
        outcomes = tuple(_outcome(check, outcome, code, inconclusive, pictures) for check in asked)
        drawn = _invariants(pictures, outcome, progress, _share_of_drawing(start, limits)) if goal.pictures else {}
        invariants = {location: tuple(dict.fromkeys(found)) for location, found in drawn.items()}
        if goal.pictures and len(invariants) < len(program.graph.postorder):
            found = f"{len(invariants)} of {len(program.graph.postorder)} locations were drawn"
            inconclusive = f"{inconclusive}; {found}" if inconclusive else f"the time limit was reached: {found}"
        told = goal.audit and outcome.complete and inconclusive != CONFUSED
        return Result(
            NAME,
            outcomes,
            dropped=NO_RUNS,
            assumptions=program.assumptions,
            stats=stats,
            complete=outcome.complete and not (goal.pictures and inconclusive),
            limit=inconclusive,
            invariants=invariants,
            predecessors=_predecessors(outcome, drawn) if goal.pictures else {},
            states=_states(heap, outcome, drawn) if told else None,
            unreached=unreached(program, outcome.reached, inconclusive),
            sections=_sections(heap, outcome, outcomes) if goal.certificate and not inconclusive else (),
        )


def _open(result: Result, goal: Goal) -> bool:
    """Whether a selected check is unknown."""
    return any(one.verdict is Verdict.UNKNOWN and goal.selects(one.check) for one in result.outcomes)


def _states(heap: HeapVocabulary, outcome: TvlOutcome, drawn: Drawn) -> States:
    from heapwright.engines.tvl.encoding.states.drawn_membership import DrawnMembership  # for audits alone

    return DrawnMembership(heap, outcome.signature, outcome.structures, drawn)


def _predecessors(outcome: TvlOutcome, drawn: Drawn) -> Mapping[int, tuple[tuple[Picture, ...], ...]]:
    from heapwright.engines.tvl.encoding.states.picture_flow import predecessors  # for pictures alone

    return predecessors(outcome.transitions, drawn)


def _sections(heap: HeapVocabulary, outcome: TvlOutcome, outcomes: Sequence[Outcome]) -> tuple[Section, ...]:
    from heapwright.engines.tvl.certificate import serialize  # for certificates alone

    return section_of(NAME, outcomes, [serialize(heap, outcome.signature, outcome.structures)])


def _run(
    heap: HeapVocabulary, goal: Goal, options: Options, progress: Progress, limits: Limits
) -> tuple[CompiledProgram, TvlOutcome]:
    """The actions of a program and their fixpoint; neither, if the deadline passes before they are compiled."""
    try:
        code = compiled(heap, goal, Deadline(limits.deadline))
    except DeadlineExceeded:
        code = CompiledProgram(Graph(heap.program.graph.locations, (), heap.program.graph.entry), ())
        return code, nothing_reached(heap.vocabulary, code.graph)
    options = replace(options, added=frozenset(predicate.name for predicate in heap.added))
    outcome = run(heap.vocabulary, heap.constraints, code.graph, [NamedStructure(())], options, progress, limits)
    return code, outcome


def _share(start: float, deadline: float | None) -> float | None:
    """The deadline of the first attempt."""
    return None if deadline is None else start + LEAN_SHARE * (deadline - start)


def _stats(program: Program, outcome: TvlOutcome, start: float) -> dict[str, float | int | str]:
    # Structures between the actions of one command are of no interest to a user.
    at_locations = [len(outcome.structures[location]) for location in program.graph.postorder]
    return statistics(
        program,
        start,
        outcome.iterations,
        structures_in_graph=outcome.structures_in_graph,
        structures_total=outcome.structures_total,
        structures_at_locations=sum(at_locations),
        most_at_a_location=max(at_locations),
    )


def _together(first: Result, second: Result) -> Result:
    """A check is proved if one of two analyses proves it; an alarm of both is that of the second, if it is complete."""
    told = second if second.complete else first
    outcomes = tuple(
        min(pair, key=lambda outcome: outcome.verdict is not Verdict.PROVED)
        for pair in zip(told.outcomes, (first if told is second else second).outcomes, strict=True)
    )
    seconds = sum(float(result.stats["time_s"]) for result in (first, second))
    stats = {**second.stats, "time_s": round(seconds, 3)}
    limit = "" if all(outcome.verdict is Verdict.PROVED for outcome in outcomes) else told.limit
    states = told.states
    if first.states is not None and second.states is not None:
        states = Conjunction((first.states, second.states))
    parts = [part for result in (first, second) for section in result.sections for part in section.parts]
    sections = section_of(NAME, outcomes, parts) if parts else ()
    missed = first.unreached | second.unreached
    return replace(
        told, outcomes=outcomes, stats=stats, limit=limit, states=states, sections=sections, unreached=missed
    )


def compiled(heap: HeapVocabulary, goal: Goal, deadline: Deadline = NO_LIMIT) -> CompiledProgram:
    """The control flow with actions; locations of the program keep their numbers. A message is raised only where the
    precondition of its action holds, so checks stand on edges of their own, to a location without successors."""
    compiler = Compiler(heap, goal, lean=heap.origin is not None)
    locations = list(heap.program.graph.locations)
    failed = len(locations)
    locations.append(Location(failed, locations[0].span, "", ()))
    edges: list[Edge[Action]] = []
    origins: list[int] = []

    known: dict[tuple[int, int], int] = {}  # chains share the actions that they begin with

    def add(chain: list[Action], source: int, end: int, edge: Edge[Command]) -> None:
        here = heap.program.graph.locations[edge.source]
        for index, action in enumerate(chain):
            last = index == len(chain) - 1
            if not last and (source, id(action)) in known:
                source = known[source, id(action)]
                continue
            if not last:
                locations.append(Location(len(locations), edge.span, here.function, here.calls))
                known[source, id(action)] = len(locations) - 1
            target = end if last else len(locations) - 1
            if action.messages:
                edges.append(Edge(source, check_of(action), failed, (), edge.span))
            edges.append(Edge(source, replace(action, messages=()), target, (), edge.span))
            source = target

    for number, edge in enumerate(heap.program.graph.edges):
        deadline.check()
        known.clear()
        chains = compiler.actions(edge)
        for chain in chains:
            add(chain, edge.source, edge.target, edge)
        for chain in compiler.circles(edge):
            add(chain, edge.source, edge.source, edge)
        origins += [number] * (len(edges) - len(origins))
    entry = heap.program.graph.entry
    beginning = compiler.beginning()
    if beginning:
        first = Location(len(locations), locations[entry].span, locations[entry].function, ())
        locations.append(first)
        add(beginning, first.index, entry, heap.program.graph.edges[0])
        origins += [BEGINNING] * (len(edges) - len(origins))
        entry = first.index
    return CompiledProgram(Graph(tuple(locations), tuple(edges), entry), tuple(origins))


def _inconclusive(outcome: TvlOutcome) -> str:
    """The reason why the analysis is inconclusive, or ""."""
    if outcome.breach is not None:
        return "an update violated an integrity constraint; nothing is proved"
    if not outcome.complete:
        return INCOMPLETE
    return CONFUSED if any(report.text == CONFUSED for report in outcome.messages) else ""


def _share_of_drawing(start: float, limits: Limits) -> Limits:
    """The time for drawing: a quarter of that for the analysis, from now on."""
    if limits.deadline is None:
        return limits
    return replace(limits, deadline=time.monotonic() + (limits.deadline - start) / 4)


def _invariants(
    pictures: ProgramPictures, outcome: TvlOutcome, progress: Progress, limits: Limits
) -> dict[int, tuple[HeapPicture, ...]]:
    """The picture of each structure. Some are equal: structures may differ in what is not drawn."""
    found: dict[int, tuple[HeapPicture, ...]] = {}
    for location in reversed(pictures.heap.program.graph.postorder):
        if limits.expired():
            break
        progress.update(f"drawing, {len(found)} locations done")
        found[location] = tuple(pictures.at(location, structure) for structure in outcome.structures[location])
    return found


def _outcome(
    check: Check, outcome: TvlOutcome, code: CompiledProgram, inconclusive: str, pictures: ProgramPictures
) -> Outcome:
    reports = [report for report in outcome.messages if report.text == check.id]
    if not reports:
        return proved_unless(Tvl, check, inconclusive)
    report = max(reports, key=lambda report: report.definite > 0)
    path = _path(code, report)
    trace = _trace(code, report, pictures)
    sure = any(report.definite for report in reports)
    reason = (
        "the check fails in every abstract heap at this location"
        if sure
        else "the check may fail in an abstract heap at this location"
    )
    return Outcome(check, Verdict.UNKNOWN, NAME, reason=inconclusive or reason, path=path, trace=trace)


def _trace(code: CompiledProgram, report: Report, pictures: ProgramPictures) -> tuple[TraceStep, ...]:
    program, edges = pictures.heap.program, [code.origins[edge] for edge in (*report.node.edges(), report.edge)]
    failing = pictures.at(program.graph.edges[edges[-1]].source, report.structure)
    return abstract_trace(program, edges, [node.state for node in report.node.path()], pictures.at, failing)


def _path(code: CompiledProgram, report: Report) -> tuple[int, ...]:
    """The edges of the program on the abstract counterexample of an alarm."""
    numbers = [number for edge in (*report.node.edges(), report.edge) if (number := code.origins[edge]) != BEGINNING]
    return tuple(number for index, number in enumerate(numbers) if index == 0 or numbers[index - 1] != number)


def _mixed_inputs(program: Program) -> str:
    """Memory of the environment is neither freed nor lost, input heaps may be both: the analysis has one or the
    other."""
    owned = any(isinstance(edge.command, AnyPointer) and not edge.command.environment for edge in program.graph.edges)
    return takes_environment_memory(program) if owned else ""
