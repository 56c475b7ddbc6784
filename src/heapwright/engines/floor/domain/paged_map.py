"""Maps in pages that copies share: a copy costs the number of pages, a change one page, and where two maps have the
same page they are equal (persistent maps; Driscoll, Sarnak, Sleator, Tarjan 1989, with pages for nodes).

>>> one = PagedMap(lambda key: key // 8)
>>> one[3] = "a"
>>> two = one.copy()
>>> two[100] = "b"
>>> len(one), one.pages[0] is two.pages[0]
(1, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")


class Page(dict[K, V]):
    """Some entries of a map. `leads_to`: what its values refer to, if that has been computed since the last change."""

    __slots__ = ("leads_to",)

    def __init__(self, entries: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        super().__init__(entries)
        self.leads_to: frozenset[int] | None = None


class PagedMap(Generic[K, V]):
    """`page_of` tells which page an entry is in. `own`: the pages that no other map has, which are changed in place."""

    __slots__ = ("own", "page_of", "pages")

    def __init__(self, page_of: Callable[[K], int | None]) -> None:
        self.page_of = page_of
        self.pages: dict[int | None, Page[K, V]] = {}
        self.own: set[int | None] = set()

    def copy(self) -> PagedMap[K, V]:
        twin: PagedMap[K, V] = PagedMap(self.page_of)
        twin.pages = self.pages.copy()
        self.lend()
        return twin

    def lend(self) -> None:
        """Others may have the pages from now on, so that none is changed in place."""
        self.own = set()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PagedMap) and self.pages == other.pages

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __len__(self) -> int:
        return sum(map(len, self.pages.values()))

    def __iter__(self) -> Iterator[K]:
        for page in self.pages.values():
            yield from page

    def items(self) -> Iterator[tuple[K, V]]:
        for page in self.pages.values():
            yield from page.items()

    def __contains__(self, key: K) -> bool:
        page = self.pages.get(self.page_of(key))
        return page is not None and key in page

    @overload
    def get(self, key: K) -> V | None: ...
    @overload
    def get(self, key: K, default: D) -> V | D: ...
    def get(self, key: K, default: D | None = None) -> V | D | None:
        page = self.pages.get(self.page_of(key))
        return default if page is None else page.get(key, default)

    def __getitem__(self, key: K) -> V:
        return self.pages[self.page_of(key)][key]

    def __setitem__(self, key: K, value: V) -> None:
        self.changeable(self.page_of(key))[key] = value

    def changeable(self, number: int | None) -> Page[K, V]:
        """A page of this map alone, which may be changed."""
        if number in self.own:
            page = self.pages[number]
        else:
            page = self.pages[number] = Page(self.pages.get(number, ()))
            self.own.add(number)
        page.leads_to = None
        return page

    def pop(self, key: K, default: D) -> V | D:
        """Removes an entry; no page is left empty, so that equal maps have equal pages."""
        number = self.page_of(key)
        page = self.pages.get(number)
        if page is None or key not in page:
            return default
        page = self.changeable(number)
        found = page.pop(key)
        if not page:
            del self.pages[number]
            self.own.discard(number)
        return found

    def share(self, number: int | None, page: Page[K, V]) -> None:
        """Takes over a page of another map, which lends it."""
        self.own.discard(number)
        if page:
            self.pages[number] = page
