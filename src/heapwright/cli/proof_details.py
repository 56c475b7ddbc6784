"""Texts beside a page of abstract heaps: the meaning of predicates, and heaps of runs.

meanings_of(program, "tvl")["r[x]"]
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heapwright.program.checks import Goal
from heapwright.program.explanation.failed_checks import Names
from heapwright.program.explanation.state_pictures import picture
from heapwright.program.graph import Assumption, Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.sample_runs import SMALL, small_steps
from heapwright.program.runs.snapshot import snapshot
from heapwright.report.html.proofs import proof_page
from heapwright.report.html.refinements import proof_topics
from heapwright.report.view_links import Examples, Links, view_links
from heapwright.report.views import View
from heapwright.result.explanation import DrawnStates, Topic
from heapwright.result.outcomes import Result

Key = tuple[str, int, int]

MOST_STATES = 1_500  # of runs that are tried
MOST_EXAMPLES = 4  # of a line
TYPE = re.compile(r"\b\w+\.(?=\w)")  # before a field, as `node.` in node.next
FIELDS = re.compile(r",[^\]]*")  # of r[x,node.next], which is r[x] where there is one field


@dataclass(frozen=True)
class ProofDetails:
    """What a page of abstract heaps shows beside them."""

    meanings: Mapping[str, str]
    examples: Mapping[Key, Examples]
    links: Links
    topics: tuple[Topic, ...]
    assumptions: tuple[Assumption, ...]
    sound: bool
    globals: frozenset[str]


def details_of(program: Program, engine: str, views: Sequence[View], result: Result) -> ProofDetails:
    return ProofDetails(
        meanings_of(program, engine),
        examples_of(program, views, result),
        view_links(views, result),
        (*proof_topics(result.proof), *result.topics),
        tuple(dict.fromkeys((*program.assumptions, *result.assumptions))),
        result.sound,
        _globals(program),
    )


def _globals(program: Program) -> frozenset[str]:
    """The names that mean a global variable in every function."""
    local = {one.source_name for one in program.variables.values() if one.function}
    return frozenset(one.source_name for one in program.variables.values() if not one.function) - local


def details_page(
    views: Sequence[View], sources: Mapping[str, str], details: ProofDetails, **given: Any
) -> dict[str, object]:
    """The data of the page; what is given is as in `proof_page`."""
    return proof_page(
        views,
        sources,
        meanings=details.meanings,
        examples=details.examples,
        links=details.links,
        topics=details.topics,
        assumptions=details.assumptions,
        globals=details.globals,
        **given,
    )


def meanings_of(program: Program, engine: str) -> Mapping[str, str]:
    """The meaning of the predicates of `tvl`, by the names that pictures give them."""
    if engine != "tvl":
        return {}
    from heapwright.engines.tvl.api import HeapVocabulary, meaning

    heap = HeapVocabulary(program)
    found: dict[str, str] = {}
    for predicate in heap.vocabulary.predicates:
        told, name = meaning(heap, predicate), predicate.name.replace("$", "")
        for shown in (name, TYPE.sub("", name), FIELDS.sub("", name)):
            if told:
                found.setdefault(shown, told.replace("$", ""))
    return found


def examples_of(program: Program, views: Sequence[View], result: Result) -> Mapping[Key, Examples]:
    """Heaps of small runs where control arrives at views, by file, line and column."""
    view_at = {location: view for view in views if view.pictures for location in view.locations}
    found: dict[Key, Examples] = {}
    states = result.states if isinstance(result.states, DrawnStates) else None
    machine = Machine(program, Goal(), SMALL)
    for _, state, fault in small_steps(machine, MOST_STATES):
        view = view_at.get(state.location)
        if fault is not None or view is None:
            continue
        here = found.setdefault((view.file, view.line, view.column), Examples())
        number = None if states is None else states.picture_of(state.location, snapshot(program, state))
        shown = None if number is None else view.pictures.index(result.invariants[state.location][number])
        if (shown is not None and shown not in here.of) or len(here.heaps) < MOST_EXAMPLES:
            function = program.graph.locations[state.location].function
            heap = picture(program, state, Names(program), function)
            example = here.heaps.setdefault(heap, len(here.heaps))
            if shown is not None:
                here.of.setdefault(shown, example)
    return found
