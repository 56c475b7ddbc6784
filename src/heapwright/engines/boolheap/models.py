"""Heaps from what z3 calls a model: why something is not entailed.

Of a path z3 knows the order of what is on it; the field is the step to the first of them. Objects that the query says
nothing of are as they come, so a heap counts only if it shows what it should.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heapwright.engines.boolheap.formulas import (
    FRESH,
    JUNK,
    NULL,
    RESERVED,
    V,
    Between,
    Data,
    Field,
    Formula,
    Less,
    Marked,
    Number,
    Same,
    Sum,
    Term,
    atoms,
    root,
    terms_of,
)
from heapwright.engines.boolheap.heaps import DEAD, LIVE, UNBORN, Heap

LARGEST = 24  # objects of a model that is worth a heap


class ModelReader:
    """`encode` is the prover: it knows how things are called in z3."""

    def __init__(self, encode: Any, model: Any, formulas: Sequence[Formula]) -> None:
        self.encode = encode
        self.model = model
        self.found = [atom for formula in formulas for atom in atoms(formula)]

    def heap(self) -> tuple[Heap, int] | None:
        """The heap, and the object that `v` is."""
        universe = self.model.get_universe(self.encode.objects) or []
        special = [self._value(self.encode.term(one)) for one in (FRESH, NULL, JUNK)]
        if len(universe) > LARGEST or len({str(one) for one in special}) < 3:
            return None
        ordinary = [one for one in universe if not any(one.eq(other) for other in special)]
        self.elements = [*ordinary, *special]
        self.places = {str(one): place for place, one in enumerate(self.elements)}
        size = len(ordinary) + 1
        links, paths, data, marks = self._symbols()
        status = tuple(LIVE if self._true(self.encode.alive(one)) else DEAD for one in ordinary)
        heap = Heap(
            size,
            (*status, UNBORN),
            self._variables(),
            {one: self._field(one, one in paths, size) for one in links | paths},
            self._numbers(),
            {one: tuple(self._integer(self.encode.data(one, e)) for e in self.elements) for one in data},
            {
                one: frozenset(place for place, e in enumerate(self.elements) if self._true(self.encode.mark(one, e)))
                for one in marks
            },
        )
        return heap, self.places.get(str(self._value(self.encode.term(V))), 0)

    def _symbols(self) -> tuple[set[str], set[str], set[str], set[str]]:
        links: set[str] = set()
        paths, data, marks = set[str](), set[str](), set[str]()
        for atom in self.found:
            for term in terms_of(atom):
                while isinstance(term, Field):
                    links.add(term.field)
                    term = term.base
            if isinstance(atom, Between):
                paths.add(atom.field)
            elif isinstance(atom, Marked):
                marks.add(atom.mark)
            elif isinstance(atom, Less | Same):
                sides = (side.number if isinstance(side, Sum) else side for side in (atom.left, atom.right))
                data.update(side.field for side in sides if isinstance(side, Data))
        return links, paths, data, marks

    def _value(self, expression: Any) -> Any:
        return self.model.eval(expression, model_completion=True)

    def _true(self, expression: Any) -> bool:
        return str(self._value(expression)) == "True"

    def _integer(self, expression: Any) -> int:
        return int(str(self._value(expression)))

    def _variables(self) -> dict[str, int]:
        names = {root(term) for atom in self.found for term in terms_of(atom)} - set(RESERVED.values())
        return {one.id: self._place(one) for one in names}

    def _place(self, term: Term) -> int:
        return self.places.get(str(self._value(self.encode.term(term))), 0)

    def _numbers(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for atom in self.found:
            if isinstance(atom, Less | Same):
                for side in (atom.left, atom.right):
                    bare = side.number if isinstance(side, Sum) else side
                    if isinstance(bare, Number):
                        found[bare.id] = self._integer(self.encode.number(bare))
        return found

    def _field(self, name: str, has_paths: bool, size: int) -> tuple[int, ...]:
        targets = []
        for one in self.elements[: size - 1]:
            if not self._true(self.encode.alive(one)):
                targets.append(size + 1)
            elif has_paths:
                targets.append(self._step(name, one))
            else:
                targets.append(self.places.get(str(self._value(self.encode.link(name, one))), size + 1))
        return (*targets, size + 1)

    def _step(self, name: str, start: Any) -> int:
        """The first object on the path from one; itself if there is no other."""
        path = self.encode.path(name)
        after = [e for e in self.elements if not e.eq(start) and self._true(path(start, e, e))]
        for one in after:
            if all(self._true(path(start, one, other)) for other in after):
                return self.places[str(one)]
        return self.places[str(start)]
