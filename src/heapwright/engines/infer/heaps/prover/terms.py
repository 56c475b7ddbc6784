"""Access paths from inputs, of which claims speak: `x`, `x->n`, `x->n->n`.

A term is the name of a variable, followed by the numbers of the fields that are read one after the other. Its value is
null where an object on the way is missing. A ghost variable is named by its term.

>>> extended("x", (0, 0)), parent("x>0>0"), split("x>0>0")
('x>0>0', 'x>0', ('x', (0, 0)))
>>> shown("x>0>1", ["l", "r"]), [shown(one, ["n"]) for one in prefixes("x>0>0")]
('x->l->r', ['x', 'x->n'])
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from heapwright.engines.infer.heaps.prover.assumed_shapes import forked
from heapwright.engines.infer.heaps.prover.encoding import Encoding
from heapwright.engines.infer.heaps.steps import NOWHERE, Heap
from heapwright.engines.infer.heaps.structure import READ, Vocabulary
from heapwright.smt.terms import conj, implies, ite, negation


def split(term: str) -> tuple[str, tuple[int, ...]]:
    name, *path = term.split(READ)
    return name, tuple(int(part) for part in path if part)


def extended(name: str, path: Sequence[int]) -> str:
    return READ.join((name, *map(str, path)))


def parent(term: str) -> str:
    return term.rpartition(READ)[0]


def depth(term: str) -> int:
    return term.count(READ)


def prefixes(term: str) -> list[str]:
    """The terms whose objects are read on the way, shortest first."""
    name, path = split(term)
    return [extended(name, path[:i]) for i in range(len(path))]


def shown(term: str, fields: Sequence[str]) -> str:
    name, path = split(term)
    return "->".join((name, *(fields[i] for i in path)))


def paths(fields: int, most: int) -> Iterator[tuple[int, ...]]:
    """Sequences of fields, short ones first."""
    for size in range(1, most + 1):
        yield from itertools.product(range(fields), repeat=size)


@dataclass
class HeapTerms:
    """Values of terms in one heap over the whole vocabulary."""

    vocabulary: Vocabulary
    heap: Heap
    _at: dict[str, int] = field(default_factory=dict)
    _reached: dict[tuple[int, int], frozenset[int]] = field(default_factory=dict)

    def at(self, term: str) -> int:
        found = self._at.get(term)
        if found is None:
            if READ in term:
                before = self.at(parent(term))
                found = NOWHERE if before == NOWHERE else self.heap.next[int(term.rpartition(READ)[2])][before]
            else:
                found = self.heap.at[self.vocabulary.variables.index(term)]
            self._at[term] = found
        return found

    def exists(self, term: str) -> bool:
        """Whether the objects on the way exist."""
        return READ not in term or self.at(parent(term)) != NOWHERE

    def reached(self, start: int, along: int) -> frozenset[int]:
        found = self._reached.get((start, along))
        if found is None:
            found = self._reached[start, along] = frozenset(self.heap.reached(start, along))
        return found


@dataclass(frozen=True)
class Place:
    """A term as formulas: that it is not null, and its object."""

    there: Any
    where: Any


@dataclass
class EncodedTerms:
    """Terms as constants of an encoding, whose `definitions` belong to every query that mentions them."""

    encoding: Encoding
    definitions: list[Any] = field(default_factory=list)
    _places: dict[str, Place] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for ghost in sorted(self.encoding.vocabulary.ghosts):
            self.place(self.encoding.vocabulary.variables[ghost])
        for tree in self.encoding.vocabulary.trees:
            root, mark = self.place(tree.term), self.place(tree.name)
            apart = forked(self.encoding, root.where, tree.left, tree.right)
            self.definitions.append(
                ite(mark.there, conj(root.there, mark.where == root.where), implies(root.there, apart))
            )

    def place(self, term: str) -> Place:
        encoding, view = self.encoding, self.encoding.view
        if READ not in term:
            k = encoding.vocabulary.variables.index(term)
            return Place(view.there[k], view.where[k])
        if term not in self._places:
            before = self.place(parent(term))
            place = self._constants(term)
            leads = encoding.successor(before.where, place.there, place.where, int(term.rpartition(READ)[2]))
            self.definitions.append(ite(before.there, leads, negation(place.there)))
            self._places[term] = place
        return self._places[term]

    def _constants(self, term: str) -> Place:
        encoding, variables = self.encoding, self.encoding.vocabulary.variables
        if term in variables:
            k = variables.index(term)
            return Place(encoding.view.there[k], encoding.view.where[k])
        return Place(encoding.symbols.boolean(f"{term} is there"), encoding.object(f"where {term} is"))

    def reach(self, term: str, x: Any, along: int) -> Any:
        place = self.place(term)
        return conj(place.there, self.encoding.view.paths[along](place.where, x))

    def exists(self, term: str) -> Any:
        return self.encoding.symbols.truth(True) if READ not in term else self.place(parent(term)).there
