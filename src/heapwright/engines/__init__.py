"""Engines by name. An engine registers with one line here and is imported only when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from heapwright.errors import UsageError

if TYPE_CHECKING:
    from heapwright.engines.api import Engine

ENGINES: dict[str, str] = {
    "explore": "heapwright.engines.explore:Explore",
    "tvl": "heapwright.engines.tvl.programs.engine:Tvl",
}


def load_engine(name: str) -> Engine:
    """The engine of that name.

    >>> load_engine("explore").name
    'explore'
    """
    if name not in ENGINES:
        raise UsageError(f"no engine is called '{name}'", hint="engines: " + ", ".join(ENGINES))
    module, _, attribute = ENGINES[name].partition(":")
    engine: Engine = getattr(import_module(module), attribute)()
    return engine
