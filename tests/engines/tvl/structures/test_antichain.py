"""Antichains against the plain definition: each structure compared with all kept ones by `embeds`."""

from __future__ import annotations

import random

import pytest
from engines.tvl.reference import SIGNATURE, random_draft

from heapwright.engines.tvl.structures.antichain import Antichain, Profiles
from heapwright.engines.tvl.structures.canonical_abstraction import blur
from heapwright.engines.tvl.structures.embedding import embeds
from heapwright.engines.tvl.structures.join import Maximal
from heapwright.engines.tvl.structures.loose_embedding import loosened
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Structure

NAMES = [SIGNATURE.number[name] for name in "bxy"]
KINDS = ["definite", "vague", "absent", "loose"]


def drawn(source: random.Random, kind: str) -> Structure:
    """A bounded structure. `definite`: as to names, and every node is there; `vague`: names may be 1/2; `absent`: nodes
    may be absent; `loose`: loosened."""
    draft: Draft = random_draft(source, SIGNATURE, source.randint(0, 4))
    if kind in ("definite", "loose") or source.random() < 0.5:
        for p in NAMES:
            draft.must[p] = draft.may[p]
    if kind == "definite":
        draft.must[ACTIVE] = draft.may[ACTIVE]
    for p in SIGNATURE.binary:  # vague enough for some to embed in others
        draft.may[p] |= source.getrandbits(draft.n * draft.n or 1) & (1 << draft.n * draft.n) - 1
        draft.must[p] &= source.getrandbits(draft.n * draft.n or 1)
    structure = blur(SIGNATURE, draft)
    return loosened(SIGNATURE, structure) if kind == "loose" else structure


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(15))
def test_it_says_what_comparing_with_all_says(seed: int, kind: str) -> None:
    source = random.Random(seed)
    antichain = Antichain(Profiles(SIGNATURE))
    kept: list[Structure] = []
    for _ in range(60):
        structure = drawn(source, kind)
        assert antichain.covers(structure) == any(embeds(SIGNATURE, structure, other) for other in kept)
        below = [other for other in kept if embeds(SIGNATURE, other, structure)]
        assert set(antichain.covered(structure)) == set(below)
        if structure not in kept:
            kept.append(structure)
            antichain.insert(structure)
        if source.random() < 0.2:
            gone = kept.pop(source.randrange(len(kept)))
            antichain.remove(gone)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(10))
def test_maximal_keeps_what_comparing_with_all_keeps(seed: int, kind: str) -> None:
    source = random.Random(seed)
    store = Maximal(Profiles(SIGNATURE))
    kept: list[Structure] = []
    for _ in range(80):
        structure = drawn(source, kind)
        covered = any(embeds(SIGNATURE, structure, other) for other in kept)
        assert store.add(structure) == (None if covered else structure)
        if not covered:
            kept = [other for other in kept if not embeds(SIGNATURE, other, structure)] + [structure]
        assert list(store) == kept


def test_a_name_that_is_missing_counts_where_it_must_be_met() -> None:
    """x, and a summary beside it: x alone embeds in it only where the summary may be nothing."""
    draft = Draft.empty(SIGNATURE, 2)
    x = SIGNATURE.number["x"]
    draft.may[x] = draft.must[x] = 0b10
    draft.may[SUMMARY] = 0b01
    alone = Draft.empty(SIGNATURE, 1)
    alone.may[x] = alone.must[x] = 1
    for structure, covers in ((draft.freeze(), False), (loosened(SIGNATURE, draft), True)):
        antichain = Antichain(Profiles(SIGNATURE))
        antichain.insert(structure)
        assert antichain.covers(alone.freeze()) == covers
