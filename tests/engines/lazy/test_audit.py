"""Heaps of real runs are among those that finished trees describe, and predicates at locations hold of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from engines.lazy.programs import WITHOUT_LEAKS, analysed, compiled, published
from engines.lazy.test_engine import COUNTER, NODE_AND_SCALAR
from support.bounds import bounded
from support.judging import heaps_described
from support.random_runs import random_program

from heapwright.program.checks import CheckKind
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import NULL_ADDRESS, Snapshot, snapshots
from heapwright.result.outcomes import Result

AUDITED = replace(WITHOUT_LEAKS, audit=True)


def held(program: Program, result: Result, runs: int) -> int:
    """How many heaps were held against the result."""
    return heaps_described(program, result, AUDITED, runs=runs, steps=200, decided=True)


@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("simple_backw", "alternating_buggy")),
        *(pytest.param(name, marks=pytest.mark.long) for name in ("simple", "list_flag", "alternating")),
    ],
)
def test_programs_of_the_paper(name: str) -> None:
    program = published(name)
    assert held(program, analysed(program, AUDITED), 25) > 100


@pytest.mark.exhaustive(2)
@pytest.mark.parametrize("text", [COUNTER, NODE_AND_SCALAR.replace("CHANGE", "")])
@pytest.mark.slow
def test_integers(text: str, tmp_path: Path) -> None:
    program = compiled(tmp_path, text)
    assert held(program, analysed(program, AUDITED), 25) > 100


@pytest.mark.parametrize("seed", range(4))
def test_random_programs(seed: int, tmp_path: Path) -> None:
    program = random_program(seed, tmp_path, size=7, kind="plain")
    result = analysed(program, AUDITED, limits=bounded("lazy"))
    if result.complete:
        assert held(program, result, 20) > 20


def changed(heap: Snapshot, number: int, **fields: object) -> Snapshot:
    """The same heap with something else in one object."""
    item = replace(heap.objects[number], **fields)  # type: ignore[arg-type]  # they are fields of objects
    return replace(heap, objects={**heap.objects, number: item})


def test_structures_are_asked() -> None:
    """Where a list of 1s is read: none holds a 2, or has a node that was freed; it may end in itself."""
    program = published("simple_backw")
    result = analysed(program, AUDITED)
    wrong: dict[str, set[bool | None]] = {"data": set(), "cycle": set(), "freed": set()}
    machine = Machine(program, AUDITED)
    asserted = {check.span.line for check in program.checks if check.kind is CheckKind.ASSERT}
    for seed in range(3):
        for location, heap in snapshots(machine, RandomChoices(seed), max_steps=80):
            line = program.graph.locations[location].span.line
            if line not in asserted or len(heap.objects) < 2 or heap.pointers["p"] == NULL_ADDRESS:
                continue
            assert result.contains(location, heap)
            for number, item in heap.objects.items():
                if item.pointers["n"] == NULL_ADDRESS:
                    wrong["cycle"].add(
                        result.contains(location, changed(heap, number, pointers={"n": heap.pointers["a"]}))
                    )
                    wrong["data"].add(result.contains(location, changed(heap, number, data={"h": 2})))
                    wrong["freed"].add(result.contains(location, changed(heap, number, status="freed")))
    assert wrong == {"data": {False}, "cycle": {True}, "freed": {False}}  # fields alone say nothing of cycles


@pytest.mark.slow
def test_a_heap_that_is_not_described() -> None:
    """With the predicates of another location, heaps do not fit."""
    program = published("alternating")
    result = analysed(program, AUDITED)
    found = [
        result.contains(other, heap)
        for location, heap in snapshots(Machine(program, AUDITED), RandomChoices(1), max_steps=40)
        for other in range(len(program.graph.locations))
        if other != location
    ]
    assert not all(found)
