"""Capabilities and options of the engine `fesa`."""

from __future__ import annotations

from heapwright.engines.api import Declaration, Option
from heapwright.program.checks import CheckKind


class FesaDeclaration(Declaration):
    name = "fesa"
    proves = frozenset(CheckKind) - {CheckKind.LEAK, CheckKind.SHAPE}
    draws = True
    reads_certificate = "heapwright.engines.fesa.certificate:Read"
    implementation = "heapwright.engines.fesa.engine:Fesa"
    options = (
        Option(
            "numeric",
            "word",
            "bdd",
            "Boolean functions as decision diagrams (bdd), clauses (sat), or implications between two flags (pairs)",
            "N",
            ("bdd", "sat", "pairs"),
        ),
        Option("instrumentation", "flag", True, "count the edges of nodes (--no-instrumentation: do not)"),
    )
