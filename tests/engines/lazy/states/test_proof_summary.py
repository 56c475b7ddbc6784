"""The proof to look at: refinements, what is known at locations, and what C can say of it."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
import yaml
from engines.lazy.programs import HEAD, WITHOUT_LEAKS, analysed, compiled, published

from heapwright.cli import main
from heapwright.engines.lazy.art.search_options import Options
from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import snapshots
from heapwright.report.json_report import SCHEMA

COUNTED = """int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    if (n < 0) return 0;
    while (i < n)
        i++;
    assert(i == n);
    return 0;
}"""


def test_what_is_known_at_the_loop(tmp_path: Path) -> None:
    proof = analysed(compiled(tmp_path, COUNTED)).proof
    assert proof is not None
    (head,) = [known for known in proof.invariants if known.loop_head]
    assert head.span.line == 8
    assert "i" in head.expression
    assert "n" in head.expression
    assert all(step.added and step.lines for step in proof.refinements)


def test_expressions_hold_in_runs(tmp_path: Path) -> None:
    """Of integers, C and Python read them alike."""
    program = compiled(tmp_path, COUNTED)
    proof = analysed(program).proof
    assert proof is not None
    said = {known.location: known.expression for known in proof.invariants if known.expression}
    looked = 0
    machine = Machine(program, Goal())
    for seed in range(20):
        for location, heap in snapshots(machine, RandomChoices(seed), max_steps=60):
            numbers = {name: value for name, value in heap.data.items() if value is not None}
            if location in said and {"i", "n"} <= numbers.keys():
                text = said[location].replace("&&", " and ").replace("||", " or ")
                assert eval(text, {}, numbers), (location, text, numbers)  # what the engine wrote itself
                looked += 1
    assert looked > 20


def test_no_proof_of_what_is_not_proved() -> None:
    assert analysed(published("simple"), options=Options("never", refinements=2)).proof is None


def test_tracked_components_are_told() -> None:
    proof = analysed(published("simple")).proof
    assert proof is not None
    (tracked,) = proof.shape_precision
    assert "of nodes: node.h == 1" in tracked


def test_reports_and_witness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, report, folder = tmp_path / "counted.c", tmp_path / "report.json", tmp_path / "witness"
    file.write_text(HEAD + COUNTED, encoding="utf-8")
    options = ["--engine", "lazy", "--shapes", "lazy", "-v", "--json", str(report), "--witness", str(folder)]
    assert main(["check", str(file), *options]) == 0
    told = capsys.readouterr()
    assert "refinement 1: " in told.err
    shown = told.out
    assert "refinements:" in shown
    assert "invariants:" in shown
    written = json.loads(report.read_text(encoding="utf-8"))
    jsonschema.validate(written, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert written["proof"]["refinements"]
    (entry,) = yaml.safe_load((folder / "counted-proof.yml").read_text(encoding="utf-8"))
    assert entry["entry_type"] == "invariant_set"
    (invariant,) = [one["invariant"] for one in entry["content"]]
    assert invariant["type"] == "loop_invariant"
    assert invariant["location"]["line"] == 8
    assert invariant["format"] == "c_expression"


def test_pictures_of_one_list(capsys: pytest.CaptureFixture[str]) -> None:
    path = files("heapwright.reproduce.lazy") / "programs" / "simple_backw.c"
    assert main(["show", "--engine", "lazy", str(path), "--line", "21"]) == 0
    shown = capsys.readouterr().out
    assert "a ──> null" in shown
    assert "{node.h == 1, r[a]}" in shown
    assert main(["show", "--engine", "lazy", str(path), "--line", "20"]) == 0
    assert "unreachable" not in capsys.readouterr().out


TWO = """int main(void) {
    struct node *a = malloc(sizeof *a), *b = NULL;
    int n = __VERIFIER_nondet_int();
    a->n = NULL;
    if (n > 3) {
        b = malloc(sizeof *b);
        b->n = NULL;
    }
    if (n > 3) assert(b != NULL);
    return 0;
}"""


def test_pictures_of_two_lists_side_by_side(tmp_path: Path) -> None:
    """Each variable is drawn once, and the predicates with the heaps in which they hold."""
    program = compiled(tmp_path, TWO)
    result = analysed(program, Goal(WITHOUT_LEAKS.kinds, pictures=True))
    before = next(edge.source for edge in program.graph.edges if edge.span.line == 13)
    pictures = set(result.invariants[before])
    assert {len(picture.nodes) for picture in pictures} == {1, 2}
    for picture in pictures:
        ends = {arrow.source: arrow.target for arrow in picture.arrows if arrow.source in ("a", "b")}
        assert len([arrow for arrow in picture.arrows if arrow.source in ("a", "b")]) == 2
        assert (ends["b"] == "null") == (len(picture.nodes) == 1)
        assert ends["a"] != ends["b"]
    assert any("n" in fact.text for picture in pictures for fact in picture.facts)


def test_no_pictures_where_a_part_of_the_heap_is_not_tracked(tmp_path: Path) -> None:
    program = compiled(tmp_path, TWO)
    result = analysed(program, Goal(WITHOUT_LEAKS.kinds, pictures=True), Options("never"))
    assert not result.invariants
