"""Abstract arrays and steps as formulas of linear integer arithmetic without quantifiers.

The unknowns are the first positions and sizes of nodes, the values of variables, and for each node a sample: one of its
positions, and its element. Constraints on all elements of a node are stated for the sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from heapwright.engines.infer.arrays import abstract_arrays as segments
from heapwright.engines.infer.arrays import stores as s
from heapwright.engines.infer.arrays.domain import Assertion, Never, NodeSize, Pair
from heapwright.program.types import IntType
from heapwright.smt.terms import Symbols, conj, disj, implies, ite, negation


@dataclass(frozen=True)
class Names:
    """The unknowns of one query. `samples` are of all nodes but the last: a position and its element."""

    length: Any
    null: Any
    starts: tuple[Any, ...]
    sizes: tuple[Any, ...]  # of all nodes but the last
    samples: tuple[tuple[Any, Any], ...]
    spots: tuple[Any, ...]
    data: tuple[Any, ...]  # data terms


class Encoding:
    def __init__(self, vocabulary: s.Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.symbols = Symbols()

    def names(self, element: segments.Element, prefix: str = "") -> Names:
        """Unknowns of an element; those of its nodes have the prefix."""
        symbols, sizes, samples = self.symbols, list[Any](), list[tuple[Any, Any]]()
        starts = [symbols.number(0)]
        for k in range(element.end):
            one = element.sizes[k] == segments.ONE
            sizes.append(symbols.number(1) if one else symbols.integer(f"{prefix}size {k}"))
            samples.append(
                (starts[-1] if one else symbols.integer(f"{prefix}place {k}"), symbols.integer(f"{prefix}element {k}"))
            )
            starts.append(starts[-1] + sizes[-1])
        vocabulary = self.vocabulary
        data = [symbols.integer(f"data {d}") for d in range(len(vocabulary.data))]
        data += [symbols.number(constant) for constant in vocabulary.constants]
        spots = [symbols.integer(f"spot {v}") for v in range(len(vocabulary.spots))]
        null = symbols.boolean("null")
        return Names(starts[-1], null, tuple(starts), tuple(sizes), tuple(samples), tuple(spots), tuple(data))

    def describe(self, element: segments.Element, names: Names) -> list[Any]:
        """Formulas of an element, with the axioms of all stores."""
        found = [names.length <= self.vocabulary.longest, implies(names.null, names.length == 0)]
        if element.null != segments.HALF:
            found.append(names.null if element.null == segments.YES else negation(names.null))
        for k, (position, _) in enumerate(names.samples):
            if element.sizes[k] != segments.ONE:
                start, size = names.starts[k], names.sizes[k]
                found.append(size >= (1 if element.sizes[k] == segments.SOME else 0))
                found.append(implies(size >= 1, conj(start <= position, position < start + size)))
        if self.vocabulary.constants:
            cell = self.vocabulary.cell
            found += [bound for _, value in names.samples for bound in between(value, cell)]
        for value, position, (_, type_) in zip(names.spots, element.where, self.vocabulary.spots, strict=True):
            if position != segments.ANYWHERE:
                found += between(value, type_)
        return [*found, *self._where(element, names, names.spots), *self._compared(element, names, {})]

    def one_of(self, elements: Sequence[segments.Element], names: Names) -> Any:
        """Membership of the store in the concretisation of one of these elements, with nodes of its own, whose
        constraints on elements are stated for the samples of `names`."""
        found = []
        for number, element in enumerate(elements):
            own = self.names(element, f"{number}: ")
            both = replace(own, null=names.null, spots=names.spots, data=names.data)
            described = [own.length == names.length, *self.describe(element, both)]
            for k, (start, size) in enumerate(zip(own.starts, own.sizes, strict=False)):
                row = element.rel[element.terms + k]
                for (position, value), there in zip(names.samples, names.sizes, strict=True):
                    here = conj(there >= 1, start <= position, position < start + size)
                    claims = [
                        masked(row[t], value, term) for t, term in enumerate(names.data) if row[t] != segments.ANY
                    ]
                    described += [implies(here, conj(*claims))] if claims else []
            found.append(conj(*described))
        return disj(self.symbols.truth(False), *found)

    def _where(self, element: segments.Element, names: Names, spots: Sequence[Any]) -> Iterator[Any]:
        for value, position in zip(spots, element.where, strict=True):
            if position == segments.BELOW:
                yield value < 0
            elif position == segments.ABOVE:
                yield value > names.length
            elif position != segments.ANYWHERE:
                yield value == names.starts[position]

    def terms(self, names: Names) -> list[Any]:
        """The value of every term."""
        return [*names.data, *(value for _, value in names.samples)]

    def _there(self, element: segments.Element, names: Names, *terms: int) -> list[Any]:
        """The nodes of these terms are not empty."""
        nodes = dict.fromkeys(term - element.terms for term in terms if term >= element.terms)
        return [names.sizes[node] >= 1 for node in nodes if element.sizes[node] == segments.FREE]

    def _compared(self, element: segments.Element, names: Names, changed: dict[int, Any]) -> Iterator[Any]:
        """The masks of an element, with the new values of changed terms."""
        terms = self.terms(names)
        for term, value in changed.items():
            terms[term] = value
        for i, left in enumerate(terms):
            for j in range(i + 1, len(terms)):
                mask = element.rel[i][j]
                if mask != segments.ANY:
                    there = self._there(element, names, i, j)
                    claim = masked(mask, left, terms[j])
                    yield implies(conj(*there), claim) if there else claim

    def spot(self, spot: s.Spot, names: Names) -> Any:
        base = names.length if spot.base == s.LENGTH else 0 if spot.base == s.ZERO else names.spots[spot.base]
        value = self.symbols.number(spot.offset) + base
        if spot.offset == 0 and spot.base != s.LENGTH:
            return value
        type_, modulus = spot.type, 1 << spot.type.bits
        return ite(value > type_.maximum, value - modulus, ite(value < type_.minimum, value + modulus, value))

    def step(self, pair: Pair, step: s.Step, names: Names) -> list[Any]:
        """Formulas of a step, and of the half after it."""
        spots, changed, found = list(names.spots), dict[int, Any](), list[Any]()
        for base in (spot.base for spot in s.spots_of(step) if spot.base >= 0):
            found += between(names.spots[base], self.vocabulary.spots[base][1])
        match step:
            case s.Move(target, spot):
                spots[target] = self.spot(spot, names)
            case s.Order(op, left, right):
                found.append(_ordered(op, self.spot(left, names), self.spot(right, names)))
            case s.Load(target, spot):
                found += self._inside(spot, names)
                node = self._node(pair.before, spot)
                if target is not None and node is not None:
                    changed[target] = names.samples[node][1]
                elif target is not None:
                    changed[target] = self.symbols.integer("loaded")
                    found.append(self._some_cell(self.spot(spot, names), changed[target], names))
            case s.Put(spot, value):
                found += self._inside(spot, names)
                node = self._node(pair.before, spot)
                if node is not None:
                    written = self.symbols.integer("written") if value is None else names.data[value]
                    changed[len(names.data) + node] = written
                else:
                    return [*found, *self._where(pair.after, names, spots)]  # a weak update
            case s.Outside(spot):
                at = self.spot(spot, names)
                found += [negation(names.null), disj(at < 0, at >= names.length)]
            case _:
                pass
        return [*found, *self._where(pair.after, names, spots), *self._compared(pair.after, names, changed)]

    def _some_cell(self, at: Any, element: Any, names: Names) -> Any:
        """The element at a position."""
        cells = [
            conj(size >= 1, at == position, element == value)
            for (position, value), size in zip(names.samples, names.sizes, strict=True)
        ]
        return disj(self.symbols.truth(False), *cells)

    def _inside(self, spot: s.Spot, names: Names) -> list[Any]:
        at = self.spot(spot, names)
        return [negation(names.null), at >= 0, at < names.length]

    def _node(self, element: segments.Element, spot: s.Spot) -> int | None:
        """The single node of a spot, if the position of its variable is definite."""
        if spot.base < 0 or spot.offset:
            return None
        position = element.where[spot.base]
        return position if 0 <= position < element.end else None

    def violated(self, pair: Pair, assertion: Assertion, names: Names) -> Any:
        match assertion:
            case NodeSize(node, size):
                here = names.sizes[node]
                return here != 1 if size == segments.ONE else here < 1 if size == segments.SOME else here > 0
            case Never(one, two, bit):
                terms, there = self.terms(names), self._there(pair.before, names, one, two)
                return conj(*there, masked(bit, terms[one], terms[two]))


def between(value: Any, type_: IntType) -> list[Any]:
    return [value >= type_.minimum, value <= type_.maximum]


def masked(mask: int, left: Any, right: Any) -> Any:
    match mask:
        case 1:
            return left < right
        case 2:
            return left == right
        case 3:
            return left <= right
        case 4:
            return left > right
        case 5:
            return left != right
        case 6:
            return left >= right
    return left == left


assert (segments.LESS, segments.EQUAL, segments.GREATER) == (1, 2, 4)


def _ordered(op: str, left: Any, right: Any) -> Any:
    match op:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case "==":
            return left == right
    return left != right
