"""Capabilities and options of the engine `recency`."""

from __future__ import annotations

from heapwright.engines.api import Declaration, Option
from heapwright.program.checks import CheckKind


class RecencyDeclaration(Declaration):
    name = "recency"
    proves = frozenset(CheckKind) - {CheckKind.RESOURCE_LEAK}
    interprets = True
    options = (
        Option(
            "floor",
            "word",
            "on",
            "whether 'auto' runs it before all others: on (the default) or off",
            "WHEN",
            ("on", "off"),
        ),
    )
    implementation = "heapwright.engines.floor.engine:Recency"
