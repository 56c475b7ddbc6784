"""Answers of the solver, kept in a file for later analyses. What the solver did not find out is not kept."""

from __future__ import annotations

from pathlib import Path

from heapwright.kept import Kept, kept_path

ENCODING = "reachability-5"  # to be changed with the axioms, and with what steps mean


def default_path() -> Path | None:
    return kept_path("infer")


class Cache(Kept):
    def __init__(self, path: Path | None) -> None:
        super().__init__(path, ENCODING)
