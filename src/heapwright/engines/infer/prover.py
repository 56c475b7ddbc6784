"""Base class of the provers of both domains: a session with its limit, answers that are counted and cached, overlap."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic

from heapwright.engines.infer.algorithm import E, ProverResult
from heapwright.engines.infer.obligation_analysis import Counts
from heapwright.engines.infer.query_cache import Cache, M, ProverAnswers
from heapwright.smt import session as smt
from heapwright.smt.query_cache import Q
from heapwright.smt.terms import Symbols

UNITS = 3 * smt.SECOND  # of one query


class BaseProver(ABC, Generic[E, Q, M]):
    """Of elements E, queries Q and models M."""

    def __init__(self, symbols: Symbols, cache: Cache | None) -> None:
        self.counts = Counts()
        self._session = smt.Session(symbols, UNITS, statistics=self.counts.solver)
        self._answers: ProverAnswers[Q, M] = ProverAnswers(cache or Cache(None), self.counts.cache)
        self._met: dict[tuple[E, frozenset[E]], bool] = {}

    @abstractmethod
    def _covers(self, bigger: E, smaller: E) -> bool: ...

    @abstractmethod
    def _overlap(self, element: E, others: Sequence[E]) -> bool:
        """`meets`, by a query."""

    def meets(self, element: E, others: Sequence[E]) -> bool:
        """Whether the concretisations of an element and of one of the others may overlap."""
        if any(self._covers(other, element) or self._covers(element, other) for other in others):
            return True
        key = (element, frozenset(others))
        if key not in self._met:
            self._met[key] = self._overlap(element, others)
        return self._met[key]

    def _answered(self, query: smt.Query) -> smt.Model | ProverResult:
        """The model of a query that has one."""
        if query.answer is smt.Answer.UNSAT:
            return ProverResult.UNSAT
        if query.answer is smt.Answer.UNKNOWN:
            return self._unknown()
        self.counts.models += 1
        return query.model()

    def _unknown(self) -> ProverResult:
        self.counts.unknown += 1
        return ProverResult.UNKNOWN
