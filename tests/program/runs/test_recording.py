"""A recording says what the explanation of the run says, and what memory holds at each step."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, build
from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.heap_picture import HeapPicture, presented
from heapwright.program.runs.interpreter import replay, run
from heapwright.program.runs.recording import Recording, record
from heapwright.program.runs.seen_memory import NAME, STATE, TYPE, Change, Target, Value

LISTS = """\
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    return node;
}
static void drop(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}
int main(void) {
    struct node *list = 0, *kept;
    char text[4] = "ab";
    int sum = (int)strlen(text);
    for (int i = 0; i < 3; i++)
        list = push(list, i + sum);
    kept = list->next;
    drop(list);
    return kept->value;
}
"""

TREES = """\
#include <stdlib.h>
struct tree { struct tree *left, *right; int key; };
static struct tree *build(int depth) {
    if (!depth)
        return 0;
    struct tree *made = malloc(sizeof *made);
    made->key = depth;
    made->left = build(depth - 1);
    made->right = build(depth - 1);
    return made;
}
int main(void) {
    struct tree *tree = build(3);
    free(tree);
    return tree->key;
}
"""

Cells = dict[int, dict[str, Value]]


def lowered(folder: Path, text: str) -> Program:
    (folder / "a.c").write_text(text, encoding="utf-8")
    return build(Input((str(folder / "a.c"),)), lambda text: None)


def recorded(program: Program) -> Recording:
    return record(program, Goal(), run(program, Goal(), RandomChoices(1)).choices)


def apply(cells: Cells, change: Change, old: Value | None, new: Value | None) -> None:
    fields = cells.setdefault(change.object, {})
    assert fields.get(change.field) == old
    if new is None:
        del fields[change.field]
    else:
        fields[change.field] = new
    if not fields:
        del cells[change.object]


def agrees(cells: Cells, heap: HeapPicture) -> None:
    """What a picture of the heap shows is in the cells."""
    heap = presented(heap)
    for node in heap.nodes:
        assert cells[node.id][STATE] == node.state
        assert cells[node.id][TYPE] == node.type
        assert set(node.data) <= set(cells[node.id].items()) or node.state != "live"
    words = {"junk": "uninitialised", "anything": "any value"}
    for arrow in heap.arrows:
        if isinstance(arrow.source, int) and next(n for n in heap.nodes if n.id == arrow.source).state == "live":
            found = cells[arrow.source][arrow.label.partition("[")[0] or arrow.label]
            target = arrow.target
            assert found == (Target(target) if isinstance(target, int) else words.get(target, target))


@pytest.mark.parametrize("text", [LISTS, TREES], ids=["lists", "trees"])
def test_it_agrees_with_the_explained_run(tmp_path: Path, text: str) -> None:
    program = lowered(tmp_path, text)
    ended = run(program, Goal(), RandomChoices(1))
    steps, recording = replay(program, Goal(), ended.choices).steps, record(program, Goal(), ended.choices)
    assert [frame.text for frame in recording.frames] == [step.text for step in steps]
    assert [frame.important for frame in recording.frames] == [step.important for step in steps]
    cells: Cells = {}
    compared = 0
    for frame, step in zip(recording.frames, steps, strict=True):
        for change in frame.changes:
            apply(cells, change, change.old, change.new)
        if step.heap is not None:
            agrees(cells, step.heap)
            compared += 1
    assert compared > 5
    assert recording.violation is not None
    assert cells[recording.subject][STATE] == "freed"


@pytest.mark.parametrize("text", [LISTS, TREES], ids=["lists", "trees"])
def test_backwards_is_exact(tmp_path: Path, text: str) -> None:
    recording = recorded(lowered(tmp_path, text))
    cells: Cells = {}
    for frame in recording.frames:
        for change in frame.changes:
            apply(cells, change, change.old, change.new)
    for frame in reversed(recording.frames):
        for change in reversed(frame.changes):
            apply(cells, change, change.new, change.old)
    assert cells == {}


def test_calls_that_are_not_inlined_are_on_the_stack(tmp_path: Path) -> None:
    recording = recorded(lowered(tmp_path, TREES))
    deepest = max((frame.stack for frame in recording.frames), key=len)
    assert [call.function for call in deepest] == ["main", "build", "build", "build", "build"]
    assert [bool(call.record) for call in deepest] == [False, True, True, True, False]


def test_inlined_calls_are_on_the_stack_with_their_variables(tmp_path: Path) -> None:
    recording = recorded(lowered(tmp_path, LISTS))
    inside = [frame for frame in recording.frames if frame.stack[-1].function == "push"]
    assert inside
    assert {call.function for frame in inside for call in frame.stack} == {"main", "push"}
    last: Cells = {}
    for frame in recording.frames:
        for change in frame.changes:
            apply(last, change, change.old, change.new)
        functions = {call.function for call in frame.stack}
        assert {name.partition(":")[0] for name in last.get(0, {})} <= functions


def test_library_models_are_one_step(tmp_path: Path) -> None:
    recording = recorded(lowered(tmp_path, LISTS))
    assert len([frame for frame in recording.frames if frame.text == "strlen(text)"]) == 1


def test_values_are_as_people_write_them(tmp_path: Path) -> None:
    recording = recorded(lowered(tmp_path, LISTS))
    values = {change.new for frame in recording.frames for change in frame.changes}
    assert '"ab"' in values
    named = {change.new for frame in recording.frames for change in frame.changes if change.field == NAME}
    assert named == {"text"}


def test_a_long_run_is_cut_at_its_beginning(tmp_path: Path) -> None:
    program = lowered(tmp_path, LISTS)
    ended = run(program, Goal(), RandomChoices(1))
    whole, cut = record(program, Goal(), ended.choices), record(program, Goal(), ended.choices, most=30)
    assert whole.omitted == 0
    assert cut.omitted > 0
    assert [frame.text for frame in cut.frames] == [frame.text for frame in whole.frames][-len(cut.frames) :]
