"""The extended path formula in one of two forms, a constraint for each step of a path: `arrays` (one array for the
cells of a name, `path_formula`), or `lvalues` (lvalue constants, Figure 6 of the paper, `lvalue_path_formula`). They
agree on feasibility. Where aliases are coarse there are no points-to sets for lvalue constants, and arrays are used.

    constraints(path, path.steps(), "lvalues")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from heapwright.engines.lazy.logic.terms import Formula, text
from heapwright.engines.lazy.paths.lvalue_path_formula import LvalueFormula
from heapwright.engines.lazy.paths.path_formula import Path, PathFormula, PathStep
from heapwright.logic.connectives import TRUE

PathKind = Literal["arrays", "lvalues"]


def constraints(path: Path, steps: Sequence[PathStep], kind: PathKind) -> list[Formula]:
    if kind == "lvalues" and not path.semantics.aliases.coarse:
        return LvalueFormula(path, steps).formulas
    return PathFormula(steps).formulas


def as_lines(path: Path, kind: PathKind) -> Iterator[str]:
    """The constraints for people, with the line of the program that each is of."""
    edges = path.semantics.program.graph.edges
    steps = path.steps()
    for step, formula in zip(steps, constraints(path, steps, kind), strict=True):
        if formula != TRUE and step.position >= 0:
            inside = step.position < len(path.edges)
            where = f"line {edges[path.edges[step.position]].span.line}" if inside else "failure"
            yield f"{where}: {text(formula)}"
