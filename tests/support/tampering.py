"""Certificates, and ways to tamper with them that leave no proof: each gives a name and a changed document."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import InputError
from heapwright.cli.commands.verify_proof import input_from, input_table
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.proof.certificate import certificate_of, certificate_text, read_certificate, require_match
from heapwright.proof.refutation import SectionCheck
from heapwright.proof.verify import verify

Document = dict[str, Any]


def certified(
    path: Path, engine: str, options: Mapping[str, object] | None = None, source: Input | None = None
) -> Document:
    """The certificate of an engine for a program, as it would be in a file; {} if there is none."""
    source = source or Input((str(path),))
    program = build(source, lambda text: None)
    goal = Goal(certificate=True)
    result = run_engine(load_engine(engine, options), program, goal, Limits(), NullProgress())
    certificate = certificate_of(input_table(source), program, goal, result)
    document: Document = json.loads(certificate_text(certificate, "test")) if certificate.sections else {}
    return document


def checked(document: Document, objects: int, seconds: float | None = None) -> tuple[SectionCheck, ...]:
    """What the check of a document finds, within some time; refuses it where `verify-proof` would."""
    certificate = read_certificate(json.dumps(document))
    program = build(input_from(certificate), lambda text: None)
    require_match(certificate, program)
    deadline = None if seconds is None else time.monotonic() + seconds
    return verify(program, certificate.goal, certificate.sections, objects=objects, deadline=deadline)


def rejected(document: Document, objects: int) -> bool:
    try:
        return any(one.refutation is not None for one in checked(document, objects))
    except InputError:
        return True


def program_of(document: Document) -> Program:
    return build(input_from(read_certificate(json.dumps(document))), lambda text: None)


# --- tampering -------------------------------------------------------------------------------------------------------


def tampered(document: Document) -> Iterator[tuple[str, Document]]:
    """Changes after which the certificate proves nothing."""
    yield from _frame(document)
    for place, section in enumerate(document["sections"]):
        for number, part in enumerate(section["parts"]):
            ways = WAYS[section["engine"]]
            # Neighbours in a tree may hold the same heaps, written in different ways.
            around = _locations(part, exchanged=section["engine"] != "lazy")
            for name, changed in (*around, *ways(part)):
                twin = copy.deepcopy(document)
                twin["sections"][place]["parts"][number] = changed
                yield f"{section['engine']}: {name}", twin


def _frame(document: Document) -> Iterator[tuple[str, Document]]:
    """What stands around the states."""
    for name in ("format", "version", "input", "sources", "program", "goal", "sections"):
        yield f"no {name}", {key: value for key, value in document.items() if key != name}
    (file,) = document["sources"]
    outside: dict[str, object] = {"sources": {file: "0" * 64}, "program": "0" * 64, "version": 2, "sections": []}
    for name, other in outside.items():
        yield f"another {name}", {**document, name: other}
    inside: dict[str, object] = {"malloc_may_fail": True, "data_model": "ILP32", "files": ["none.c"], "std": 7}
    for option, other in inside.items():
        yield f"another {option}", {**document, "input": {**document["input"], option: other}}
    first = document["sections"][0]
    for claims in (["nowhere.c:1:1:leak"], [*first["claims"], "nowhere.c:1:1:leak"]):
        yield "a claim of nothing", {**document, "sections": [{**first, "claims": claims}]}
    for engine in ("magic", "tvp"):
        yield f"states of {engine}", {**document, "sections": [{**first, "engine": engine}]}


def _locations(part: Document, *, exchanged: bool) -> Iterator[tuple[str, Document]]:
    """A location without states, and two that are exchanged."""
    known = part["locations"]
    for location in known:
        yield f"nothing at {location}", {**part, "locations": {k: v for k, v in known.items() if k != location}}
    places = list(known) if exchanged else []
    for one, other in zip(places[::3], places[1::3], strict=False):
        if known[one] != known[other]:
            turned = {**known, one: known[other], other: known[one]}
            yield f"{one} and {other} exchanged", {**part, "locations": turned}


def _at(part: Document, location: str, value: Any) -> Document:
    return {**part, "locations": {**part["locations"], location: value}}


def _structures(part: Document) -> Iterator[tuple[str, Document]]:
    """Structures that are dropped, and values that are flipped."""
    for location, structures in part["locations"].items():
        for place, structure in enumerate(structures):
            rest = [*structures[:place], *structures[place + 1 :]]
            if rest:
                yield f"a structure dropped at {location}", _at(part, location, rest)
            for name, tuples in structure["true"].items():
                if name in ("heap", "ac"):
                    without = {key: value for key, value in structure["true"].items() if key != name}
                    changed = {**structure, "true": without}
                    yield f"{name}{tuples} false at {location}", _at(part, location, [*rest, changed])


def _heaps(part: Document) -> Iterator[tuple[str, Document]]:
    """Functions without vectors, and nodes that are no summaries any more."""
    for location, heap in part["locations"].items():
        yield f"no vector at {location}", _at(part, location, {**heap, "diagram": [], "root": 0})


def _forms(part: Document) -> Iterator[tuple[str, Document]]:
    for location, keys in part["locations"].items():
        for key in keys:
            yield f"{key} dropped at {location}", _at(part, location, [other for other in keys if other != key])


def _vectors(part: Document) -> Iterator[tuple[str, Document]]:
    for location, heaps in part["locations"].items():
        for place in range(len(heaps)):
            rest = [*heaps[:place], *heaps[place + 1 :]]
            if rest:
                yield f"a heap dropped at {location}", _at(part, location, rest)


def _nodes(part: Document) -> Iterator[tuple[str, Document]]:
    """Nodes of a tree that are dropped, literals that are turned, and structures that are dropped or changed."""
    for location, nodes in part["locations"].items():
        for place, node in enumerate(nodes):
            rest = [*nodes[:place], *nodes[place + 1 :]]
            if rest:
                yield f"a node dropped at {location}", _at(part, location, rest)
            for number, literal in enumerate(node["cube"]):
                turned = {"==": "!=", "!=": "=="}.get(literal[0])
                if turned is not None:
                    cube = [*node["cube"][:number], [turned, *literal[1:]], *node["cube"][number + 1 :]]
                    yield f"a literal turned at {location}", _at(part, location, [*rest, {**node, "cube": cube}])
            for component, shape in node["shapes"].items():
                for name, structures in _changed(shape["structures"] if shape else []):
                    shapes = {**node["shapes"], component: {**shape, "structures": structures}}
                    yield f"{name} at {location}", _at(part, location, [*rest, {**node, "shapes": shapes}])


def _changed(structures: list[Document]) -> Iterator[tuple[str, list[Document]]]:
    for place, structure in enumerate(structures):
        rest = [*structures[:place], *structures[place + 1 :]]
        yield "a structure dropped", rest
        if "heap" in structure["true"]:
            without = {key: value for key, value in structure["true"].items() if key != "heap"}
            yield "nothing on the heap", [*rest, {**structure, "true": without}]


WAYS = {"tvl": _structures, "fesa": _heaps, "explore": _forms, "boolheap": _vectors, "lazy": _nodes}
