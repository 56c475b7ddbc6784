"""Capabilities and options of the engine `boolheap`."""

from __future__ import annotations

from heapwright.engines.api import Declaration, Option
from heapwright.program.checks import DEREF_KINDS, FREE_KINDS, CheckKind


class BoolHeapDeclaration(Declaration):
    name = "boolheap"
    proves = frozenset((*DEREF_KINDS, *FREE_KINDS, CheckKind.ASSERT, CheckKind.SHAPE, CheckKind.LEAK))
    explains = True
    writes = True
    reads_certificate = "heapwright.engines.boolheap.certificate:BooleanHeapReader"
    implementation = "heapwright.engines.boolheap.engine:BoolHeap"
    options = (
        Option(
            "predicate",
            "list",
            (),
            "add a heap predicate over an object v, such as 'reach(x, v, next)' (repeatable)",
            "P",
        ),
        Option(
            "refinements",
            "count",
            2,
            "maximum number of refinement iterations (default 2)",
            "N",
        ),
        Option(
            "splitting",
            "word",
            "all",
            "split heaps at every field load (all, the default) or only where a spurious alarm needs it (guided)",
            "S",
            ("all", "guided"),
        ),
        Option(
            "post",
            "word",
            "state",
            "abstract post: in the context of the whole heap (state, the default) or per object (cartesian)",
            "POST",
            ("state", "cartesian"),
        ),
    )
