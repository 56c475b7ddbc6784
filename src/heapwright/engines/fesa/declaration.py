"""Capabilities and options of the engine `fesa`."""

from __future__ import annotations

from heapwright.engines.api import Declaration, Option
from heapwright.program.checks import CheckKind


class FesaDeclaration(Declaration):
    name = "fesa"
    proves = frozenset(CheckKind) - {CheckKind.RESOURCE_LEAK}
    draws = True
    reads_certificate = "heapwright.engines.fesa.certificate:AbstractHeapReader"
    implementation = "heapwright.engines.fesa.engine:Fesa"
    options = (
        Option(
            "numeric",
            "word",
            "bdd",
            "numeric domain over flags: decision diagrams (bdd, the default), clauses (sat) or two-literal clauses "
            "(pairs)",
            "N",
            ("bdd", "sat", "pairs"),
        ),
        Option(
            "instrumentation", "flag", True, "count the incoming edges of nodes (disable with --no-instrumentation)"
        ),
    )
