"""Malformed certificates are refused in words: wrong types, missing keys, huge numbers, deep nesting."""

from __future__ import annotations

import copy
import json
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from support.paths import ROOT
from support.tampering import Document, certified, program_of

from heapwright.base.errors import InputError, UsageError
from heapwright.cli.commands.verify_proof import input_from
from heapwright.proof.certificate import read_certificate, require_match
from heapwright.proof.verify import verify

SMALL = ROOT / "tests" / "programs" / "lists" / "build_free_ok.c"
ODD: list[Any] = [None, True, 0, -1, 10**30, 1e308, 3.5, "", "x", "\ud800", [], {}, [[]], {"a": 1}, [None], {"": None}]
Path = tuple[str | int, ...]


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from paths(value[key], (*path, key))


def damaged(document: Document, path: Path, rng: random.Random) -> Document:
    """The document without the value at a path, or with an odd one in its place or beside it."""
    made: Any = copy.deepcopy(document)
    holder = made
    for key in path[:-1]:
        holder = holder[key]
    last: Any = path[-1]
    match rng.randrange(4):
        case 0:
            del holder[last]
        case 1 if isinstance(holder, list):
            holder.insert(last, copy.deepcopy(rng.choice(ODD)))
        case 2 if isinstance(holder[last], int):
            holder[last] += rng.choice([-1, 1, 1000, -(10**6)])
        case _:
            holder[last] = copy.deepcopy(rng.choice(ODD))
    return made  # type: ignore[no-any-return]  # of a document


@pytest.mark.parametrize("engine", ["tvl", "fesa", "boolheap", "explore"])
def test_damage_is_told_in_words_or_checked(engine: str) -> None:
    """No exception but one with a sentence for users, whatever a certificate holds."""
    document = certified(SMALL, engine)
    program = program_of(document)
    places = [path for path in paths(document) if path[0] != "program"]
    rng = random.Random(7)
    refused = 0
    for _ in range(150):
        text = json.dumps(damaged(document, rng.choice(places), rng))
        try:
            certificate = read_certificate(text)
            input_from(certificate)
            require_match(certificate, program)
            verify(program, certificate.goal, certificate.sections, objects=1, deadline=time.monotonic() + 0.5)
        except (InputError, UsageError):
            refused += 1
    assert refused > 30


@pytest.mark.parametrize(
    "text",
    ["", "[", "3", "null", '"heapwright-certificate"', "[]", "{}", "[" * 100_000, '{"format": []}', '{"a": ' * 50_000],
    ids=lambda text: text[:8],
)
def test_what_is_no_certificate(text: str) -> None:
    with pytest.raises(InputError, match="not a certificate"):
        read_certificate(text)


def test_deep_nesting_inside_a_certificate() -> None:
    document = certified(SMALL, "tvl")
    text = json.dumps({**document, "sections": "HERE"}).replace('"HERE"', "[" * 100_000 + "]" * 100_000)
    with pytest.raises(InputError):
        read_certificate(text)


@pytest.mark.parametrize(
    ("option", "value"), [("define", 0), ("define", "A"), ("compile_commands", {}), ("std", None), ("function", [])]
)
def test_an_input_option_of_another_type_is_refused(option: str, value: Any) -> None:
    document = certified(SMALL, "explore")
    document["input"][option] = value
    with pytest.raises(InputError, match=f"invalid input option '{option}'"):
        input_from(read_certificate(json.dumps(document)))
