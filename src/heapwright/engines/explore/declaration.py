"""Capabilities of the engine `explore`."""

from __future__ import annotations

from heapwright.engines.api import Declaration
from heapwright.program.checks import CheckKind


class ExploreDeclaration(Declaration):
    name = "explore"
    proves = frozenset(CheckKind)
    interprets = True
    implementation = "heapwright.engines.explore.engine:Explore"
