"""Maps in pages behave as dictionaries, and copies do not see one another's changes."""

from __future__ import annotations

import random

from heapwright.engines.floor.domain.paged_map import PagedMap
from heapwright.engines.floor.domain.pointers import Pointer, recent
from heapwright.engines.floor.domain.state import State, blocks_into, pointers_into


def page(key: int) -> int:
    return key // 4


def test_copies_change_apart_as_dictionaries_do() -> None:
    chance = random.Random(1)
    pairs: list[tuple[PagedMap[int, int], dict[int, int]]] = [(PagedMap(page), {})]
    for _ in range(3000):
        mine, plain = chance.choice(pairs)
        key = chance.randrange(20)
        match chance.randrange(4):
            case 0 if len(pairs) < 8:
                pairs.append((mine.copy(), plain.copy()))
            case 1:
                assert mine.pop(key, -1) == plain.pop(key, -1)
            case _:
                mine[key] = plain[key] = chance.randrange(3)
        assert (mine.get(key), key in mine, len(mine)) == (plain.get(key), key in plain, len(plain))
    for mine, plain in pairs:
        assert dict(mine.items()) == plain
        assert all((mine == other) == (plain == twin) for other, twin in pairs)


def test_a_page_without_entries_is_not_kept() -> None:
    one: PagedMap[int, int] = PagedMap(page)
    one[1] = 1
    one.pop(1, None)
    assert one == PagedMap(page)


def test_a_copy_shares_the_pages_that_do_not_change() -> None:
    one: PagedMap[int, int] = PagedMap(page)
    one[0] = one[9] = 1
    two = one.copy()
    two[1] = 2
    assert two.pages[2] is one.pages[2]
    assert two.pages[0] is not one.pages[0]
    one[0] = 5
    assert two[0] == 1


def test_pages_are_found_by_what_they_lead_to_after_each_change() -> None:
    state = State({"p": 0, "q": 1})
    first, second = recent(3), recent(4)
    state.pointers["p"] = Pointer(0, {(first, ()): ((0, 0), (0, 0))})
    assert [name for name, _ in pointers_into(state.pointers, first)] == ["p"]
    state.pointers["p"] = state.pointers["q"] = Pointer(0, {(second, ()): ((0, 0), (0, 0))})
    assert pointers_into(state.pointers, first) == []
    state.rename(second, first)
    assert [name for name, _ in pointers_into(state.pointers, first)] == ["p", "q"]
    assert blocks_into(state.blocks, first) == []
