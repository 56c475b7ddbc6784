"""Prover and model finder of abstract arrays, by z3.

A query is in linear integer arithmetic without quantifiers or functions, hence decidable (`encoding`). The sample
element of a node may be any of its elements, so that a violation is always one of the samples and "unsat" is sound. A
model is a store; it is executed by the concrete semantics of the step before it is used.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from heapwright.engines.infer.algorithm import ProverResult
from heapwright.engines.infer.arrays.abstract_arrays import ONE, SOME, Element, relation
from heapwright.engines.infer.arrays.domain import Assertion, Never, NodeSize, Pair
from heapwright.engines.infer.arrays.encoding import Encoding, Names
from heapwright.engines.infer.arrays.inclusion import covers
from heapwright.engines.infer.arrays.membership import Described, are_starts, find_starts
from heapwright.engines.infer.arrays.stores import ArrayStore, Step, Vocabulary, after
from heapwright.engines.infer.prover import BaseProver
from heapwright.engines.infer.query_cache import Cache
from heapwright.smt import session as smt
from heapwright.smt.terms import disj

LONGEST_MODEL = 40  # cells
ENCODING = "arrays-1"  # part of the query, to be changed with the formulas

ProverQuery = tuple[Pair, Step, tuple[Assertion, ...]]


@dataclass(frozen=True, slots=True)
class Model:
    """A store before a step and one after it, and the first positions of nodes."""

    before: ArrayStore
    after: ArrayStore
    starts: tuple[int, ...]


class ArrayProver(BaseProver[Element, ProverQuery, Model]):
    def __init__(self, vocabulary: Vocabulary, *, cache: Cache | None = None) -> None:
        self.vocabulary = vocabulary
        self.encoding = Encoding(vocabulary)
        super().__init__(self.encoding.symbols, cache)
        self._last: tuple[Pair, Step, Names, list[Any]] | None = None

    # --- as a prover -----------------------------------------------------------------------------------------------

    def find(self, pair: Pair, step: Step, violated: Sequence[Assertion]) -> Model | ProverResult:
        return self._answers.find_model(
            (pair, step, tuple(violated)),
            text=lambda: repr((ENCODING, self.vocabulary, pair, step, tuple(violated))),
            read=lambda text: self._read(text, pair, step),
            ask=lambda: self._find(pair, step, violated),
            write=lambda model: json.dumps(_plain(model)),
        )

    def _read(self, text: str, pair: Pair, step: Step) -> Model:
        """A model from the query cache; raises an exception if it is malformed or of another query."""
        (null, cells, spots, data), starts = json.loads(text)
        store = ArrayStore(bool(null), tuple(cells), tuple(spots), tuple(data))
        model = self._checked(store, tuple(starts), pair, step)
        if model is None:
            raise ValueError("a model of another query")
        return model

    def refutes(self, model: Model, assertion: Assertion) -> bool:
        ends = (*model.starts[1:], len(model.before.cells) + 1)
        match assertion:
            case NodeSize(node, size):
                return not _sized(size, ends[node] - model.starts[node])
            case Never(one, two, bit):
                left, right = (self._values(model, ends, term) for term in (one, two))
                return any(relation(x, y) == bit for x in left for y in right)

    def _values(self, model: Model, ends: Sequence[int], term: int) -> tuple[int, ...]:
        values = self.vocabulary.values(model.before)
        if term < len(values):
            return (values[term],)
        node = term - len(values)
        return model.before.cells[model.starts[node] : ends[node]]

    def fit(self, model: Model, case: Pair) -> Model | None:
        starts = find_starts(self._described(case, model.before, model.after))
        return None if starts is None else Model(model.before, model.after, starts)

    def possible(self, element: Element, condition: Any = None) -> ArrayStore | ProverResult:
        """A store in the concretisation of an element that satisfies a condition over `names`."""
        names = self.encoding.names(element)
        formulas = [*self.encoding.describe(element, names), *([] if condition is None else condition(names))]
        found = self._ask(formulas, names)
        return found if isinstance(found, ProverResult) else self._store(found, element, names)[0]

    def _covers(self, bigger: Element, smaller: Element) -> bool:
        return covers(bigger, smaller)

    def _overlap(self, element: Element, others: Sequence[Element]) -> bool:
        return self.possible(element, lambda names: [self.encoding.one_of(others, names)]) is not ProverResult.UNSAT

    # --- queries ---------------------------------------------------------------------------------------------------

    def _find(self, pair: Pair, step: Step, violated: Sequence[Assertion]) -> Model | ProverResult:
        names, formulas = self._encoded(pair, step)
        if violated:
            formulas = [*formulas, disj(*(self.encoding.violated(pair, one, names) for one in violated))]
        found = self._ask(formulas, names)
        if isinstance(found, ProverResult):
            return found
        model = self._checked(*self._store(found, pair.before, names), pair, step)
        return self._unknown() if model is None else model

    def _encoded(self, pair: Pair, step: Step) -> tuple[Names, list[Any]]:
        """Formulas of a pair and a step. Queries about one pair are consecutive, so that the last ones are kept."""
        if self._last is None or self._last[:2] != (pair, step):
            names = self.encoding.names(pair.before)
            formulas = [*self.encoding.describe(pair.before, names), *self.encoding.step(pair, step, names)]
            self._last = (pair, step, names, formulas)
        return self._last[2], self._last[3]

    def _ask(self, formulas: Sequence[Any], names: Names) -> smt.Model | ProverResult:
        """Stores of models are enumerated, so that their length is restricted."""
        query = self._session.check(formulas)
        too_long = query.answer is smt.Answer.SAT and query.model().number(names.length) > LONGEST_MODEL
        if too_long and query.restrict(names.length <= LONGEST_MODEL) is smt.Answer.UNSAT:
            return self._unknown()  # all its models are long
        return self._answered(query)

    def _store(self, model: smt.Model, element: Element, names: Names) -> tuple[ArrayStore, tuple[int, ...]]:
        """A model as a store, and the first positions of nodes."""
        number, cells = model.number, list[int]()
        starts = tuple(number(start) for start in names.starts)
        for (_, value), size in zip(names.samples, names.sizes, strict=True):
            cells += [number(value)] * number(size)
        data = tuple(number(value) for value in names.data[: len(self.vocabulary.data)])
        return ArrayStore(model.holds(names.null), tuple(cells), tuple(map(number, names.spots)), data), starts

    def _checked(self, store: ArrayStore, starts: tuple[int, ...], pair: Pair, step: Step) -> Model | None:
        """A store as a model of a pair; None if it is not one."""
        then = after(store, step, self.vocabulary)
        if then is None or not are_starts(self._described(pair, store, then), starts):
            return None
        return Model(store, then, starts)

    def _described(self, pair: Pair, before: ArrayStore, then: ArrayStore) -> list[Described]:
        values = self.vocabulary.values
        return [(pair.before, before, values(before)), (pair.after, then, values(then))]


def _plain(model: Model) -> tuple[object, ...]:
    store = model.before
    return (store.null, store.cells, store.spots, store.data), model.starts


def _sized(size: int, positions: int) -> bool:
    return positions == 1 if size == ONE else positions >= 1 if size == SOME else positions == 0
