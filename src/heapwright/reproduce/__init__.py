"""Reproductions: the tables of papers, measured again, next to the published figures.

A paper is a line in `PAPERS` and a module with a function `reproduce`, which is imported on demand.

    outcome = load("arnold")(lambda text: None, Bounds())
    outcome.held
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from heapwright.base.errors import UsageError

if TYPE_CHECKING:
    from heapwright.reproduce.reproduction import Reproduce

PAPERS: dict[str, tuple[str, str]] = {
    "arnold": (
        "heapwright.reproduce.arnold.table",
        "Arnold 2006, Lightweight Specialized 3-Valued Logic Shape Analyzer: Table 2, strict and loose embedding",
    ),
    "backward": (
        "heapwright.reproduce.backward.table",
        "Lev-Ami, Sagiv, Reps and Gulwani 2007, Backward Analysis for Inferring Quantified Preconditions: the lists",
    ),
    "boolheaps": (
        "heapwright.reproduce.boolheaps.table",
        "Podelski and Wies 2005, Boolean Heaps: Figures 1 and 2, and a table of list and tree programs",
    ),
    "fesa": (
        "heapwright.reproduce.fesa.table",
        "Siegel and Simon 2012, FESA: Fold- and Expand-based Shape Analysis: Tables 1 and 2, Figures 1, 6 and 7",
    ),
    "lazy": (
        "heapwright.reproduce.lazy.table",
        "Beyer, Henzinger and Théoduloz 2005, Lazy Shape Analysis: Table 1, predicates, shapes, and both",
    ),
}


def load(paper: str) -> Reproduce:
    """The function that reproduces a paper.

    >>> load("arnold").__name__
    'reproduce'
    """
    if paper not in PAPERS:
        raise UsageError(f"unknown paper '{paper}'", hint="papers: " + ", ".join(PAPERS))
    found: Reproduce = import_module(PAPERS[paper][0]).reproduce
    return found
