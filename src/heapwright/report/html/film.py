"""A recorded run as data for a player, described by `schemas/film.json`.

Texts, values, cells and call stacks are interned. The cells at every 200th step are written as a keyframe, and for each
step what it changes: triples of cell, old and new value (-1: no such cell). A player goes to the nearest keyframe and
applies the changes from there, forwards or backwards, and both directions are exact.

    film_object(record(program, goal, choices))["steps"]
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from heapwright.base.source import NOWHERE, Span
from heapwright.program.runs.recording import Frame, Recording
from heapwright.program.runs.seen_memory import STATE, Change, Target, Value
from heapwright.report.html.staging import Cells, Scene, applied, scenes_of

FORMAT, VERSION = "heapwright-film", 1
KEYFRAME = 200  # steps from one keyframe to the next
IMPORTANT, MODEL = 1, 2  # flags of a step

Json = dict[str, Any]


class _Table:
    """Values that are written once, and referred to by their index."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self._indices: dict[Hashable, int] = {}

    def index(self, key: Hashable, row: Any = None) -> int:
        found = self._indices.get(key)
        if found is None:
            found = self._indices[key] = len(self.rows)
            self.rows.append(key if row is None else row)
        return found


class _Encoder:
    def __init__(self) -> None:
        self.strings, self.values, self.cells, self.stacks = _Table(), _Table(), _Table(), _Table()

    def text(self, text: str) -> int:
        return self.strings.index(text)

    def value(self, value: Value | None) -> int:
        """A number is a text, a pair is an object and an index in it."""
        if value is None:
            return -1
        row = [value.object, value.position] if isinstance(value, Target) else self.text(value)
        return self.values.index((isinstance(value, Target), value), row)

    def cell(self, number: int, field: str) -> int:
        return self.cells.index((number, field), [number, self.text(field)])

    def span(self, span: Span | None) -> list[int]:
        span = span or NOWHERE
        return [self.text(span.file), span.line, span.column, span.end_line, span.end_column]

    def step(self, frame: Frame) -> list[Any]:
        stack = [[self.text(call.function), *self.span(call.site)[:2], call.record] for call in frame.stack]
        index = self.stacks.index(frame.stack, stack)
        flags = IMPORTANT * frame.important + MODEL * frame.model
        return [self.span(frame.span), self.text(frame.text), [self.text(note) for note in frame.notes], flags, index]

    def delta(self, changes: tuple[Change, ...]) -> list[int]:
        return [
            number
            for change in changes
            for number in (
                self.cell(change.object, change.field),
                self.value(change.old),
                self.value(change.new),
            )
        ]

    def keyframe(self, cells: Cells) -> list[int]:
        return [
            number
            for object, fields in cells.items()
            for field, value in fields.items()
            for number in (self.cell(object, field), self.value(value))
        ]

    def scene(self, scene: Scene) -> Json:
        return {
            "first": scene.first,
            "last": scene.last,
            "tree": scene.tree,
            "width": scene.width,
            "height": scene.height,
            "nodes": [
                {"id": node.id, "box": [node.x, node.y, node.a, node.b], "rows": [self.text(row) for row in node.rows]}
                for node in scene.nodes
            ]
            + [
                {
                    "id": run.id,
                    "box": [run.x, run.y, run.a, run.b],
                    "rows": [],
                    "run": [run.source, self.text(run.field)],
                }
                for run in scene.runs
            ],
            "links": [
                {"ends": [link.source, link.target], "line": link.line, "label": [link.x, link.y]}
                for link in scene.links
            ],
        }


def film_object(recording: Recording) -> Json:
    """The film of a recording."""
    encoder = _Encoder()
    steps = [encoder.step(frame) for frame in recording.frames]
    deltas = [encoder.delta(frame.changes) for frame in recording.frames]
    keyframes: list[Json] = []
    cells: Cells = {}
    for number, frame in enumerate(recording.frames):
        applied(cells, frame.changes)
        if number % KEYFRAME == 0:
            keyframes.append({"step": number, "cells": encoder.keyframe(cells)})
    scenes = [encoder.scene(scene) for scene in scenes_of(recording.frames, recording.subject)]
    ends = _ends(recording.frames)
    objects = [
        {
            "id": number,
            "storage": encoder.text(origin.storage),
            "allocated": encoder.span(origin.allocated),
            "steps": list(ends.get(number, (-1, -1))),
        }
        for number, origin in sorted(recording.origins.items())
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "omitted": recording.omitted,
        "subject": recording.subject,
        "objects": objects,
        "steps": steps,
        "deltas": deltas,
        "keyframes": keyframes,
        "scenes": scenes,
        "stacks": encoder.stacks.rows,
        "cells": encoder.cells.rows,
        "values": encoder.values.rows,
        "strings": encoder.strings.rows,
    }


def _ends(frames: tuple[Frame, ...]) -> dict[int, tuple[int, int]]:
    """The steps at which objects appear and end, -1 if they do not."""
    found: dict[int, tuple[int, int]] = {}
    for step, frame in enumerate(frames):
        for change in frame.changes:
            if change.field == STATE and change.object:
                first, last = found.get(change.object, (step, -1))
                found[change.object] = first, step if change.new in ("freed", "ended") and last < 0 else last
    return found
