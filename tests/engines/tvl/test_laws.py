"""Laws of structures: embedding, blur, meet and join against their definitions on small universes."""

from __future__ import annotations

import itertools
import random

import pytest
from engines.tvl.reference import SIGNATURE, random_draft

from heapwright.engines.tvl.canonical import blur
from heapwright.engines.tvl.embedding import embeds, maximal
from heapwright.engines.tvl.join import Partial, names, pointwise
from heapwright.engines.tvl.meet import meet, meet_sets
from heapwright.engines.tvl.normal_form import normal_form, renumbered
from heapwright.engines.tvl.structure import ACTIVE, SUMMARY, Draft, Signature, Structure
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


def stands_for(structure: Structure, heap: Structure) -> bool:
    """Embedding of a concrete structure, by trying every map."""
    n, m = heap.n, structure.n
    for image in itertools.product(range(m), repeat=n):
        met = [image.count(u) for u in range(m)]
        if any(c > 1 and not structure.may[SUMMARY] >> u & 1 for u, c in enumerate(met)):
            continue
        if any(c == 0 and structure.must[ACTIVE] >> u & 1 for u, c in enumerate(met)):
            continue

        def fits(predicate: int, cell: int, target: int) -> bool:
            value = heap.may[predicate] >> cell & 1
            return bool(
                structure.may[predicate] >> target & 1 if value else not structure.must[predicate] >> target & 1
            )

        if (
            fits(4, 0, 0)
            and all(fits(5, u, image[u]) for u in range(n))
            and all(fits(6, u * n + v, image[u] * m + image[v]) for u in range(n) for v in range(n))
        ):
            return True
    return False


def some(seed: int, n: int) -> Structure:
    return random_draft(random.Random(seed), SMALL, n).freeze()


@pytest.mark.parametrize("seed", range(60))
def test_embedding_of_heaps_is_as_defined(seed: int) -> None:
    structure = some(seed, seed % 4)
    for heap in HEAPS:
        assert embeds(SMALL, heap, structure) == stands_for(structure, heap)


@pytest.mark.parametrize("seed", range(150))
def test_embedding_is_a_preorder_that_respects_meaning(seed: int) -> None:
    source = random.Random(seed)
    first = random_draft(source, SMALL, source.randint(0, 3)).freeze()
    second, third = blur(SMALL, loosened(source, first)), None
    third = blur(SMALL, loosened(source, second))
    assert embeds(SMALL, first, first)
    assert embeds(SMALL, first, second)
    assert embeds(SMALL, second, third)
    assert embeds(SMALL, first, third)


def loosened(source: random.Random, structure: Structure) -> Draft:
    """Some definite values made 1/2."""
    draft = structure.draft()
    for predicate in range(4, SMALL.size):
        cells = structure.n ** SMALL.arity[predicate]
        if cells:
            draft.may[predicate] |= source.getrandbits(cells) & source.getrandbits(cells)
            draft.must[predicate] &= source.getrandbits(cells) | source.getrandbits(cells)
    return draft


@pytest.mark.parametrize("seed", range(200))
def test_blur_is_above_its_argument_and_idempotent(seed: int) -> None:
    source = random.Random(seed)
    draft = random_draft(source, SIGNATURE, source.randint(0, 5))
    blurred = blur(SIGNATURE, draft)
    assert embeds(SIGNATURE, draft, blurred)
    assert blur(SIGNATURE, blurred.draft()) == blurred


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


@pytest.mark.parametrize("seed", range(60))
def test_meet_stands_for_what_both_stand_for(seed: int) -> None:
    source = random.Random(seed)
    left, right = (random_draft(source, SMALL, source.randint(0, 3)).freeze() for _ in range(2))
    found = meet(SMALL, left, right)
    for structure in found:
        assert embeds(SMALL, structure, left)
        assert embeds(SMALL, structure, right)
    for heap in HEAPS:
        both = embeds(SMALL, heap, left) and embeds(SMALL, heap, right)
        assert both == any(embeds(SMALL, heap, structure) for structure in found)


@pytest.mark.parametrize("seed", range(10))
def test_meet_of_sets_is_the_meet_of_pairs(seed: int) -> None:
    left, right = ([some(seed * 20 + side + i, i) for i in range(3)] for side in (0, 10))
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


@pytest.mark.parametrize("seed", range(40))
def test_only_structures_below_others_are_dropped(seed: int) -> None:
    structures = [some(seed * 10 + i, i % 3) for i in range(8)]
    kept = maximal(SMALL, structures)
    for structure in structures:
        assert any(embeds(SMALL, structure, other) for other in kept)
    for one, other in itertools.permutations(kept, 2):
        assert not embeds(SMALL, one, other)
