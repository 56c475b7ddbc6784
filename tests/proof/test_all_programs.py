"""The proofs of all safe programs, by the schedule that users get: none is rejected, and what is not checked up to four
objects is said."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from support.collection import PROGRAMS, name_of, programs
from support.tampering import Document, checked, rejected

from heapwright.analysis.pipeline import Input, build
from heapwright.analysis.schedule import run_schedule, stages_of
from heapwright.cli.commands.verify_proof import input_table
from heapwright.engines.api import Limits, NullProgress
from heapwright.proof.certificate import certificate_of, certificate_text
from heapwright.proof.refutation import SectionCheck
from heapwright.settings.properties import goal_of
from heapwright.testing.expectations import read

EXAMPLES = PROGRAMS.parents[1] / "examples"
SAFE_EXAMPLES = {"embedded_list": None, "list_reverse": None, "queue": None, "tree": None, "remove_last": "remove_last"}
OBJECTS = 4
MANY_SECONDS = 120.0  # of an analysis or a check, where all programs are tried and some take too long
SAFE = [path for path in programs() if read(path).verdict == "safe"]


def certified_by_all(source: Input, properties: tuple[str, ...] = (), seconds: float | None = None) -> Document:
    """The certificate that `check --proof` writes; {} where nothing was proved in time."""
    program = build(source, lambda text: None)
    goal = replace(goal_of(properties), certificate=True)
    limits = Limits(deadline=None if seconds is None else time.monotonic() + seconds)
    result = run_schedule(program, goal, stages_of("auto"), limits, NullProgress())
    certificate = certificate_of(input_table(source), program, goal, result)
    document: Document = json.loads(certificate_text(certificate, "test")) if certificate.sections else {}
    return document


def not_rejected(document: Document, objects: int = OBJECTS, seconds: float | None = None) -> tuple[SectionCheck, ...]:
    """What the check found; whatever is not checked has a reason in the report."""
    found = checked(document, objects, seconds)
    for one in found:
        assert one.refutation is None, one.refutation
        assert one.whole(objects) or one.incomplete or one.timed_out
    return found


def accepted(document: Document) -> None:
    assert all(one.whole(OBJECTS) and not one.undecided_heaps for one in not_rejected(document))


@pytest.mark.parametrize("name", SAFE_EXAMPLES)
def test_proofs_of_examples(name: str) -> None:
    accepted(certified_by_all(Input((str(EXAMPLES / f"{name}.c"),), function=SAFE_EXAMPLES[name])))


def test_a_certificate_of_several_engines() -> None:
    """Each part must hold: with the states of one of them gone at some location, nothing is proved."""
    document = certified_by_all(Input((str(PROGRAMS / "lists" / "unbounded_ok.c"),)))
    accepted(document)
    sections = document["sections"]
    for place, section in enumerate(sections):
        (part,) = section["parts"]
        location = list(part["locations"])[len(part["locations"]) // 2]
        rest = {key: value for key, value in part["locations"].items() if key != location}
        twin = {**section, "parts": [{**part, "locations": rest}]}
        assert rejected({**document, "sections": [*sections[:place], twin, *sections[place + 1 :]]}, 2)


SAMPLE = ["lists/reverse_ok", "dll/walk_ok", "trees/rotate_ok", "circular/ring_ok", "specs/function_ok"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLE)
def test_proofs_of_some_programs(name: str) -> None:
    path = PROGRAMS / f"{name}.c"
    document = certified_by_all(read(path).input(path), read(path).properties)
    assert document
    not_rejected(document, objects=3)


@pytest.mark.long
@pytest.mark.parametrize("path", SAFE, ids=name_of)
def test_proofs_of_all_programs(path: Path) -> None:
    document = certified_by_all(read(path).input(path), read(path).properties, MANY_SECONDS)
    if not document:
        pytest.skip("nothing was proved in time")
    not_rejected(document, seconds=MANY_SECONDS)
