"""Capabilities and options of the engine `boolheap`."""

from __future__ import annotations

from heapwright.engines.api import Declaration, Option
from heapwright.program.checks import DEREF_KINDS, FREE_KINDS, CheckKind


class BoolHeapDeclaration(Declaration):
    name = "boolheap"
    proves = frozenset((*DEREF_KINDS, *FREE_KINDS, CheckKind.ASSERT, CheckKind.SHAPE, CheckKind.LEAK))
    reads_certificate = "heapwright.engines.boolheap.certificate:Read"
    implementation = "heapwright.engines.boolheap.engine:BoolHeap"
    options = (
        Option(
            "predicate",
            "list",
            (),
            "add this predicate of an object v, such as 'reach(x, v, next)' (may be given several times)",
            "P",
        ),
        Option(
            "refinements",
            "count",
            2,
            "how often alarms may suggest predicates, after which it begins anew (default 2)",
            "N",
        ),
        Option(
            "splitting",
            "word",
            "all",
            "heaps are split wherever a field is read (all, the default), or where alarms ask for it (guided)",
            "S",
            ("all", "guided"),
        ),
    )
