"""Query cache of the provers: stores models and "unsat", never "unknown".

answers = ProverAnswers(Cache(path), counts.cache)
answers.find_model(key, text=..., read=..., ask=..., write=...)
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from heapwright.engines.infer.algorithm import ProverResult
from heapwright.smt.query_cache import Answers, Q, QueryCache, cache_path

ENCODING = "reachability-5"  # to be changed with the axioms and the semantics of steps
UNSAT = "none"  # the stored text of an unsatisfiable query
M = TypeVar("M")


def default_path() -> Path | None:
    return cache_path("infer")


class Cache(QueryCache):
    def __init__(self, path: Path | None) -> None:
        super().__init__(path, ENCODING)


class ProverAnswers(Answers[Q, M | ProverResult]):
    def find_model(
        self,
        key: Q,
        *,
        text: Callable[[], str],
        read: Callable[[str], M],
        ask: Callable[[], M | ProverResult],
        write: Callable[[M], str],
    ) -> M | ProverResult:
        """`Answers.find`, where `read` and `write` are those of models."""

        def written(found: M | ProverResult) -> str | None:
            if isinstance(found, ProverResult):
                return UNSAT if found is ProverResult.UNSAT else None
            return write(found)

        return self.find(
            key,
            text=text,
            read=lambda text: ProverResult.UNSAT if text == UNSAT else read(text),
            ask=ask,
            write=written,
        )
