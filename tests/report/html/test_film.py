"""Films: valid, exact at every step, and with objects that stay where they are."""

from __future__ import annotations

import json
import random
from itertools import combinations
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from heapwright.base.source import Span
from heapwright.program.runs.recording import Call, Frame, Recording
from heapwright.program.runs.seen_memory import STATE, TYPE, Change, Origin, Target, Value
from heapwright.report.html import staging
from heapwright.report.html.film import KEYFRAME, film_object
from heapwright.report.html.staging import Cells, Scene, applied, scenes_of
from heapwright.report.json_report import SCHEMA

FILM_SCHEMA = json.loads((SCHEMA.parent / "film.json").read_text(encoding="utf-8"))


def random_recording(seed: int, steps: int = 40, most: int = 8) -> Recording:
    """A run that allocates, links and frees nodes at random."""
    source = random.Random(seed)
    cells: Cells = {}
    frames: list[Frame] = []
    allocated = 0
    fields = ("next", "prev", "left", "right")[: source.randrange(1, 5)]
    for step in range(steps):
        old = {number: dict(contents) for number, contents in cells.items()}
        live = [number for number, contents in cells.items() if number and contents[STATE] == "live"]
        if len(live) < most and source.random() < 0.5:
            new = allocated = allocated + 1
            cells[new] = {STATE: "live", TYPE: "node", "value": str(source.randrange(10 ** source.randrange(1, 9)))}
            cells.setdefault(0, {})[f"main:{source.choice('pqr')}"] = Target(new)
        elif live and source.random() < 0.2:
            cells[source.choice(live)] = {STATE: "freed", TYPE: "node"}
        elif live:
            values: tuple[Value, ...] = ("null", *(Target(number) for number in cells if number))
            cells[source.choice(live)][source.choice(fields)] = source.choice(values)
        for number in [number for number, contents in cells.items() if contents.get(STATE) == "freed"][:-5]:
            del cells[number]
            for contents in cells.values():
                contents |= {field: "null" for field, value in contents.items() if value == Target(number)}
        changes = []
        for number in {**old, **cells}:
            before, after = old.get(number, {}), cells.get(number, {})
            for field in {**before, **after}:
                if before.get(field) != after.get(field):
                    changes.append(Change(number, field, before.get(field), after.get(field)))
        stack, span = (Call("main", None),), Span("a.c", step + 1, 1)
        frames.append(Frame(span, stack, f"step {step}", (), False, False, tuple(changes)))
    origins = {number: Origin(None, "heap") for number in range(1, allocated + 1)}
    return Recording(tuple(frames), origins, None, 0, 0)


def decoded(film: dict[str, Any], cells: dict[int, int]) -> Cells:
    found: Cells = {}
    for cell, value in cells.items():
        number, field = film["cells"][cell]
        row = film["values"][value]
        found.setdefault(number, {})[film["strings"][field]] = (
            Target(*row) if isinstance(row, list) else film["strings"][row]
        )
    return found


@pytest.mark.parametrize("seed", range(2))
def test_keyframes_and_deltas_agree_with_the_run(seed: int) -> None:
    recording = random_recording(seed, steps=2 * KEYFRAME + 17)
    film = film_object(recording)
    jsonschema.validate(film, FILM_SCHEMA)
    assert [frame["step"] for frame in film["keyframes"]] == [0, KEYFRAME, 2 * KEYFRAME]
    truth: Cells = {}
    cells: dict[int, int] = {}
    for step, frame in enumerate(recording.frames):
        applied(truth, frame.changes)
        delta = film["deltas"][step]
        for cell, old, new in zip(delta[::3], delta[1::3], delta[2::3], strict=True):
            assert cells.get(cell, -1) == old
            cells.pop(cell, None)
            if new >= 0:
                cells[cell] = new
        assert decoded(film, cells) == {number: fields for number, fields in truth.items() if fields}
        if step % KEYFRAME == 0:
            flat = film["keyframes"][step // KEYFRAME]["cells"]
            assert decoded(film, dict(zip(flat[::2], flat[1::2], strict=True))) == decoded(film, cells)


def boxes(scene: Scene) -> list[tuple[float, float, float, float]]:
    return [(node.x - node.a, node.y - node.b, node.x + node.a, node.y + node.b) for node in scene.nodes]


@pytest.mark.exhaustive(10)
@pytest.mark.parametrize("seed", range(500))
def test_a_small_run_is_one_scene_in_which_nothing_meets(seed: int) -> None:
    recording = random_recording(seed, steps=20, most=6)
    (scene,) = scenes_of(recording.frames)
    everything = boxes(scene)
    everything += [
        (link.x - 6.1 * longest / 2, link.y - 6, link.x + 6.1 * longest / 2, link.y + 6)
        for link, longest in zip(scene.links, label_lengths(recording, scene), strict=True)
    ]
    for one, other in combinations(everything, 2):
        assert one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]
    for left, top, right, bottom in everything:
        assert 0 <= left <= right <= scene.width
        assert 0 <= top <= bottom <= scene.height


def label_lengths(recording: Recording, scene: Scene) -> list[int]:
    """The longest label that a link ever has."""
    cells: Cells = {}
    longest = {(link.source, link.target): 0 for link in scene.links}
    for frame in recording.frames:
        applied(cells, frame.changes)
        for source, target in longest:
            labels = [f for f, value in cells.get(source, {}).items() if value == Target(target)]
            longest[source, target] = max(longest[source, target], len(", ".join(labels)))
    return [longest[link.source, link.target] for link in scene.links]


def test_scenes_cover_all_steps_and_what_they_show_has_its_place() -> None:
    recording = random_recording(7, steps=300, most=100)
    scenes = list(scenes_of(recording.frames))
    assert len(scenes) > 1
    assert [scene.first for scene in scenes] == [0, *(scene.last + 1 for scene in scenes[:-1])]
    assert scenes[-1].last == len(recording.frames) - 1
    for scene in scenes:
        assert len(scene.nodes) <= staging.MOST_NODES
    cells: Cells = {}
    for step, frame in enumerate(recording.frames):
        applied(cells, frame.changes)
        scene = next(one for one in scenes if one.first <= step <= one.last)
        placed = {node.id: node for node in scene.nodes}
        for change in frame.changes:  # what changed is drawn, with a row for each field
            if change.object and change.new is not None:
                assert change.field in (STATE, TYPE, *placed[change.object].rows)


def test_the_schema_ships_with_the_package() -> None:
    assert Path(SCHEMA.parent / "film.json").is_file()
