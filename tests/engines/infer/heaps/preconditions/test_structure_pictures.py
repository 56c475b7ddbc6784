"""Pictures of abstract inputs: what they show as certain holds in every small heap of the structure."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines.infer.heaps.test_inference import APPEND, HEAD

from heapwright.analysis.pipeline import Input, build
from heapwright.engines.infer.api import Options, inferred
from heapwright.engines.infer.heaps.inference import infer
from heapwright.engines.infer.heaps.membership import concrete_structure, find_embedding
from heapwright.engines.infer.heaps.preconditions.small_heaps import embedded, heaps
from heapwright.engines.infer.heaps.preconditions.structure_pictures import structure_picture
from heapwright.engines.infer.heaps.program_translation import translate
from heapwright.program.graph import Program
from heapwright.program.heap_picture import HeapPicture
from heapwright.report.html.precondition_page import precondition_page
from heapwright.report.precondition import PreconditionReport, precondition_object, precondition_text

TREE = "struct t { struct t *l, *r; }; struct t *f(struct t *x) { return x->l->r->l; }"


def built(tmp_path: Path, text: str, function: str) -> Program:
    file = tmp_path / "a.c"
    file.write_text(HEAD + text)
    return build(Input((str(file),), function=function), phase=lambda text: None)


def _certain(picture: HeapPicture) -> list[tuple[object, str, object]]:
    return [(arrow.source, arrow.label, arrow.target) for arrow in picture.arrows if arrow.certain]


@pytest.mark.parametrize(("text", "function"), [(APPEND.replace("REACHABLE", ""), "append"), (TREE, "f")])
def test_certain_arrows_are_there_and_others_may_be(tmp_path: Path, text: str, function: str) -> None:
    task = translate(built(tmp_path, text, function))
    seen = 0
    structures = [one for result in infer(task).results for one in result.failing]
    for heap in heaps(len(task.inputs), 3, fields=len(task.fields)):
        whole = embedded(task, heap)
        for structure in structures:
            nodes = find_embedding([(structure, concrete_structure(task.vocabulary, whole))])
            if nodes is None:
                continue
            seen += 1
            arrows = structure_picture(task, structure).arrows
            for name, field in enumerate(task.fields):
                actual = {(nodes[i] + 1, nodes[j] + 1 if j >= 0 else "null") for i, j in enumerate(whole.next[name])}
                shown = {(arrow.source, arrow.target): arrow.certain for arrow in arrows if arrow.label == field}
                assert actual <= set(shown)
                certain = {(source, target) for (source, target), known in shown.items() if known}
                sources = {source for source, _ in certain}
                assert {one for one in actual if one[0] in sources} == certain
                for arrow in arrows:
                    if arrow.label == f"{field}*":
                        targets = [j for j, node in enumerate(nodes) if node + 1 == arrow.target]
                        starts = [i for i, node in enumerate(nodes) if node + 1 == arrow.source]
                        assert all(j in whole.reached(i, name) for i in starts for j in targets)
    assert seen > 10


def test_the_structures_of_append_are_in_every_report(tmp_path: Path) -> None:
    """A list whose head and last object are known, with others between, and y somewhere on it: figure 3 (b)."""
    program = built(tmp_path, APPEND.replace("REACHABLE", ""), "append")
    found = inferred(program, Options()).judged(2)
    pictures = [picture for one in found.requirements for picture in one.abstract]
    assert len(pictures) == sum(one.structures for one in found.requirements) >= 4
    between = [picture for picture in pictures if len(picture.nodes) == 3 and picture.nodes[1].summary]
    assert any({(3, "n*", 2), (2, "n*", 1), (1, "n", "null")} <= set(_certain(picture)) for picture in between)
    report = PreconditionReport(("a.c",), "append", found)
    assert "#2+ node" in precondition_text(report, verbose=True)
    assert "#2+" not in precondition_text(report)
    assert "#2+ node" in str(precondition_object(report)["demands"])
    assert "abstract input 1" in str(precondition_page(report)["topics"])
