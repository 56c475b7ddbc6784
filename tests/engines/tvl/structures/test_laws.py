"""Laws of structures: embedding, blur, meet and join against their definitions on small universes."""

from __future__ import annotations

import itertools
import random

import pytest
from engines.tvl.reference import SIGNATURE, random_draft
from engines.tvl.structures.concretisation import contains, embeds_loosely
from engines.tvl.structures.meet import meet, meet_sets

from heapwright.engines.tvl.structures.abstraction_cache import Abstraction
from heapwright.engines.tvl.structures.canonical_abstraction import blur
from heapwright.engines.tvl.structures.embedding import Values, embeds, maximal
from heapwright.engines.tvl.structures.isomorphism import normal_form, renumbered
from heapwright.engines.tvl.structures.join import JOINS, JoinKind, Partial, make_structure_set, names, pointwise
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind, loosened
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature, Structure
from heapwright.logic.vocabulary import Predicate, Vocabulary

SMALL = Signature(Vocabulary((Predicate("b", 0), Predicate("x", 1), Predicate("n", 2))))


def concrete(n: int) -> list[Structure]:
    """Every 2-valued structure of n nodes."""
    found = []
    for b, x, edges in itertools.product(range(2), range(1 << n), range(1 << n * n)):
        draft = Draft.empty(SMALL, n)
        for predicate, value in ((4, b), (5, x), (6, edges)):
            draft.may[predicate] = draft.must[predicate] = value
        found.append(draft.freeze())
    return found


HEAPS = [heap for n in range(3) for heap in concrete(n)]


def edge(structure: Structure, u: int, v: int, embedding: EmbeddingKind) -> tuple[bool, bool]:
    """May n hold of a pair of nodes, must it? Loosely, it may if a path leads over summary nodes."""
    m, may = structure.n, structure.may[6]
    reached = {w for w in range(m) if may >> u * m + w & 1}
    waiting = [w for w in reached if embedding == "loose"]
    while waiting:
        w = waiting.pop()
        if structure.may[SUMMARY] >> w & 1:
            more = {z for z in range(m) if may >> w * m + z & 1} - reached
            reached |= more
            waiting += more
    return v in reached, bool(structure.must[6] >> u * m + v & 1)


def stands_for(structure: Structure, heap: Structure, embedding: EmbeddingKind) -> bool:
    """Embedding of a concrete structure, by trying every map."""
    n, m = heap.n, structure.n
    needed = structure.must[ACTIVE] & ~(structure.may[SUMMARY] if embedding == "loose" else 0)

    def fits(value: int, may: bool | int, must: bool | int) -> bool:
        return bool(may) if value else not must

    def fits_at(predicate: int, cell: int, target: int) -> bool:
        may, must = structure.may[predicate] >> target & 1, structure.must[predicate] >> target & 1
        return fits(heap.may[predicate] >> cell & 1, may, must)

    for image in itertools.product(range(m), repeat=n):
        met = [image.count(u) for u in range(m)]
        if any(c > 1 and not structure.may[SUMMARY] >> u & 1 for u, c in enumerate(met)):
            continue
        if any(c == 0 and needed >> u & 1 for u, c in enumerate(met)):
            continue
        if (
            fits_at(4, 0, 0)
            and all(fits_at(5, u, image[u]) for u in range(n))
            and all(
                fits(heap.may[6] >> u * n + v & 1, *edge(structure, image[u], image[v], embedding))
                for u in range(n)
                for v in range(n)
            )
        ):
            return True
    return False


def some(seed: int, n: int) -> Structure:
    return random_draft(random.Random(seed), SMALL, n).freeze()


def below(small: Values, big: Values, embedding: EmbeddingKind, signature: Signature = SMALL) -> bool:
    return (embeds_loosely if embedding == "loose" else embeds)(signature, small, big)


def read(structure: Values, embedding: EmbeddingKind) -> Values:
    return loosened(SMALL, structure) if embedding == "loose" else structure


both_kinds = pytest.mark.parametrize("embedding", ["strict", "loose"])


@both_kinds
@pytest.mark.parametrize("seed", range(60))
def test_a_structure_contains_the_heaps_that_the_definition_says(seed: int, embedding: EmbeddingKind) -> None:
    structure = some(seed, seed % 4)
    for heap in HEAPS:
        expected = stands_for(structure, heap, embedding)
        assert contains(SMALL, structure, heap, embedding) == expected
        assert below(heap, structure, embedding) == expected


@both_kinds
@pytest.mark.parametrize("seed", range(150))
def test_embedding_is_a_preorder(seed: int, embedding: EmbeddingKind) -> None:
    source = random.Random(seed)
    first = random_draft(source, SMALL, source.randint(0, 3)).freeze()
    second = blur(SMALL, vaguer(source, first))
    third = blur(SMALL, vaguer(source, second))
    assert below(first, first, embedding)
    assert below(first, second, embedding)
    assert below(second, third, embedding)
    assert below(first, third, embedding)


@both_kinds
@pytest.mark.parametrize("seed", range(12))
def test_embedding_is_transitive_and_respects_meaning(seed: int, embedding: EmbeddingKind) -> None:
    structures = [sparse(seed * 12 + i, i % 4) for i in range(12)]
    order = {
        (i, j) for i, j in itertools.product(range(12), repeat=2) if below(structures[i], structures[j], embedding)
    }
    meaning = [{k for k, heap in enumerate(HEAPS) if stands_for(s, heap, embedding)} for s in structures]
    for i, j in order:
        assert meaning[i] <= meaning[j]
        assert all((i, k) in order for k in range(12) if (j, k) in order)


def sparse(seed: int, n: int) -> Structure:
    """A structure with few definite values, so that others embed in it."""
    source = random.Random(seed)
    return vaguer(source, vaguer(source, some(seed, n)).freeze()).freeze()


@both_kinds
@pytest.mark.parametrize("seed", range(60))
def test_embedding_is_an_order_where_names_are_definite(seed: int, embedding: EmbeddingKind) -> None:
    source = random.Random(seed)
    structures = []
    for _ in range(8):
        draft = random_draft(source, SMALL, source.randint(0, 2))
        draft.must[4], draft.must[5] = draft.may[4], draft.may[5]
        structures.append(read(blur(SMALL, draft), embedding))
    for one, other in itertools.combinations(structures, 2):
        if below(one, other, embedding) and below(other, one, embedding):
            assert one == other


def vaguer(source: random.Random, structure: Structure) -> Draft:
    """Some definite values made 1/2."""
    draft = structure.draft()
    for predicate in range(4, SMALL.size):
        cells = structure.n ** SMALL.arity[predicate]
        if cells:
            draft.may[predicate] |= source.getrandbits(cells) & source.getrandbits(cells)
            draft.must[predicate] &= source.getrandbits(cells) | source.getrandbits(cells)
    return draft


@both_kinds
@pytest.mark.parametrize("seed", range(200))
def test_blur_is_above_its_argument_and_idempotent(seed: int, embedding: EmbeddingKind) -> None:
    source = random.Random(seed)
    draft = random_draft(source, SIGNATURE, source.randint(0, 5))
    blurred = blur(SIGNATURE, draft)
    if embedding == "loose":
        blurred = loosened(SIGNATURE, blurred)
        assert embeds(SIGNATURE, loosened(SIGNATURE, draft), blurred)
        assert loosened(SIGNATURE, blurred) == blurred
    assert below(draft, blurred, embedding, SIGNATURE)
    assert blur(SIGNATURE, blurred.draft()) == blurred


def test_blur_with_what_was_found_before_is_blur() -> None:
    abstraction = Abstraction(SIGNATURE)
    source = random.Random(7)
    drafts = [random_draft(source, SIGNATURE, source.randint(0, 4)) for _ in range(500)]
    for draft in drafts + drafts:
        assert abstraction.blur(draft) == blur(SIGNATURE, draft)


@pytest.mark.parametrize("seed", range(100))
def test_blurred_structures_do_not_depend_on_the_order_of_nodes(seed: int) -> None:
    source = random.Random(seed)
    draft = random_draft(source, SIGNATURE, 4)
    order = list(range(4))
    source.shuffle(order)
    other = renumbered(SIGNATURE, draft.freeze(), order)
    assert blur(SIGNATURE, other.draft()) == blur(SIGNATURE, draft)
    assert normal_form(SIGNATURE, other) == normal_form(SIGNATURE, draft.freeze())


@pytest.mark.parametrize("seed", range(30))
def test_normal_forms_of_nodes_that_tie(seed: int) -> None:
    source = random.Random(seed)
    draft = Draft.empty(SMALL, 5)
    draft.may[6] = draft.must[6] = source.getrandbits(25) & source.getrandbits(25)
    order = list(range(5))
    source.shuffle(order)
    structure = draft.freeze()
    form = normal_form(SMALL, structure)
    assert normal_form(SMALL, renumbered(SMALL, structure, order)) == form
    assert embeds(SMALL, form, structure)
    assert embeds(SMALL, structure, form)


@both_kinds
@pytest.mark.parametrize("seed", range(60))
def test_meet_stands_for_what_both_stand_for(seed: int, embedding: EmbeddingKind) -> None:
    source = random.Random(seed)
    left, right = (read(random_draft(source, SMALL, source.randint(0, 3)), embedding) for _ in range(2))
    found = meet(SMALL, left, right)
    for structure in found:
        assert embeds(SMALL, structure, left)
        assert embeds(SMALL, structure, right)
        assert read(structure, embedding) == structure
    for heap in HEAPS:
        both = contains(SMALL, left, heap, embedding) and contains(SMALL, right, heap, embedding)
        assert both == any(contains(SMALL, structure, heap, embedding) for structure in found)


@both_kinds
@pytest.mark.parametrize("seed", range(10))
def test_meet_of_sets_is_the_meet_of_pairs(seed: int, embedding: EmbeddingKind) -> None:
    left, right = ([read(some(seed * 20 + side + i, i), embedding) for i in range(3)] for side in (0, 10))
    found = meet_sets(SMALL, left, right)
    for heap in HEAPS:
        both = any(embeds(SMALL, heap, one) for one in left) and any(embeds(SMALL, heap, one) for one in right)
        assert both == any(embeds(SMALL, heap, structure) for structure in found)


@pytest.mark.parametrize("seed", range(60))
def test_joins_are_above_both(seed: int) -> None:
    source = random.Random(seed)
    drafts = [random_draft(source, SMALL, 3) for _ in range(12)]
    blurred = [blur(SMALL, draft) for draft in drafts]
    store = Partial(SMALL)
    for structure in blurred:
        store.add(structure)
    kept = {names(SMALL, structure): structure for structure in store}
    for structure in blurred:
        above = kept[names(SMALL, structure)]
        assert embeds(SMALL, structure, above)
        assert pointwise(structure, above) == above
        assert store.add(structure) is None


X = Predicate("x", 1, unique=True)
Y = Predicate("y", 1, unique=True)
BELOW = Predicate("below", 1, abstraction=False, separates=(("x",),))
SEPARATED = Signature(Vocabulary((X, Y, BELOW, Predicate("n", 2, separates=(("x", "y"),)))))


def pointed(source: random.Random) -> Structure:
    """A structure with one node for x, one for y, and one or two others."""
    draft = random_draft(source, SEPARATED, source.randint(3, 4))
    for p, node in ((4, 0), (5, 1)):
        draft.may[p] = draft.must[p] = 1 << node
    draft.may[SUMMARY] &= ~0b11
    draft.must[ACTIVE] |= 0b11
    return blur(SEPARATED, draft)


def told(structure: Structure) -> tuple[str, ...]:
    """The values that separate structures."""
    x, y = (structure.must[p].bit_length() - 1 for p in (4, 5))
    return structure.value(6, x).value, structure.value(7, x, y).value


@both_kinds
@pytest.mark.parametrize("seed", range(60))
def test_what_separates_structures_is_not_joined(seed: int, embedding: EmbeddingKind) -> None:
    source = random.Random(seed)
    store = make_structure_set("part", SEPARATED, embedding=embedding)
    added = []
    for _ in range(40):
        structure = pointed(source)
        added.append(loosened(SEPARATED, structure) if embedding == "loose" else structure)
        new = store.add(added[-1])
        assert new is None or (new in set(store) and not store.outdated(new) and embeds(SEPARATED, added[-1], new))
    kept = list(store)
    assert len(kept) < len(set(added))
    for structure in added:
        above = [other for other in kept if embeds(SEPARATED, structure, other)]
        assert any(told(structure) == told(other) for other in above) or (embedding == "loose" and above)


@both_kinds
@pytest.mark.parametrize("kind", JOINS)
@pytest.mark.parametrize("seed", range(20))
def test_a_store_stands_for_all_that_was_added(seed: int, kind: JoinKind, embedding: EmbeddingKind) -> None:
    source = random.Random(seed)
    store = make_structure_set(kind, SMALL, embedding=embedding)
    added: list[Structure] = []
    for _ in range(12):
        draft = vaguer(source, random_draft(source, SMALL, source.randint(0, 3)).freeze())
        structure = blur(SMALL, draft)
        added.append(loosened(SMALL, structure) if embedding == "loose" else structure)
        new = store.add(added[-1])
        assert new is None or (new in set(store) and not store.outdated(new) and embeds(SMALL, added[-1], new))
    kept = list(store)
    assert len(store) == len(kept)
    for structure in added:
        assert store.add(structure) is None
        assert any(embeds(SMALL, structure, other) for other in kept)
        assert embedding != "loose" or store.outdated(structure) == (structure not in kept)
    if embedding == "loose" or kind == "maximal":
        for one, other in itertools.permutations(kept, 2):
            assert not embeds(SMALL, one, other)
    if embedding == "loose":
        assert all(loosened(SMALL, structure) == structure for structure in kept)


@pytest.mark.parametrize("seed", range(40))
def test_only_structures_below_others_are_dropped(seed: int) -> None:
    structures = [some(seed * 10 + i, i % 3) for i in range(8)]
    kept = maximal(SMALL, structures)
    for structure in structures:
        assert any(embeds(SMALL, structure, other) for other in kept)
    for one, other in itertools.permutations(kept, 2):
        assert not embeds(SMALL, one, other)
