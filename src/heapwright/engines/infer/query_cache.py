"""Answers of provers, kept in a file for later analyses, and remembered within one. What a prover did not find out is
not kept.

    answers = Answers(Cache(path), counts)
    answers.find(key, text=..., read=..., ask=..., write=...)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Generic, TypeVar

from heapwright.engines.infer.algorithm import Verdict
from heapwright.engines.infer.obligation_analysis import Counts
from heapwright.smt.query_cache import Kept, kept_path

ENCODING = "reachability-5"  # to be changed with the axioms, and with what steps mean
NONE = "none"  # the text of the answer that there is no model
M = TypeVar("M")
Q = TypeVar("Q", bound=Hashable)


def default_path() -> Path | None:
    return kept_path("infer")


class Cache(Kept):
    def __init__(self, path: Path | None) -> None:
        super().__init__(path, ENCODING)


class Answers(Generic[Q, M]):
    """The answers that one prover has given, in front of those of earlier analyses."""

    def __init__(self, cache: Cache | None, counts: Counts) -> None:
        self.cache = cache or Cache(None)
        self.counts = counts
        self.given: dict[Q, M | Verdict] = {}

    def find(
        self,
        key: Q,
        *,
        text: Callable[[], str],
        read: Callable[[str], M | None],
        ask: Callable[[], M | Verdict],
        write: Callable[[M], str],
    ) -> M | Verdict:
        """The answer to a question. `text` is the question for the file; `read` gives None for what is no answer to it,
        and then the question is asked anew."""
        found = self.given.get(key)
        if found is None:
            found = self.given[key] = self._looked_up(text(), read, ask, write)
        return found

    def _looked_up(
        self, question: str, read: Callable[[str], M | None], ask: Callable[[], M | Verdict], write: Callable[[M], str]
    ) -> M | Verdict:
        kept = self.cache.get(question)
        known = None if kept is None else Verdict.NONE if kept == NONE else read(kept)
        if known is not None:
            self.counts.kept += 1
            return known
        found = ask()
        if found is not Verdict.UNKNOWN:
            self.cache.put(question, NONE if isinstance(found, Verdict) else write(found))
        return found
