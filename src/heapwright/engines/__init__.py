"""Engines by name. An engine registers with one line here and is imported only when it is used.

An engine that can be tuned names its options in `options`; they are keywords of its constructor, and settings of the
same names choose them on the command line.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from heapwright.errors import UsageError

if TYPE_CHECKING:
    from heapwright.engines.api import Engine

ENGINES: dict[str, str] = {
    "boolheap": "heapwright.engines.boolheap.engine:BoolHeap",
    "explore": "heapwright.engines.explore:Explore",
    "fesa": "heapwright.engines.fesa.engine:Fesa",
    "lazy": "heapwright.engines.lazy.engine:Lazy",
    "tvl": "heapwright.engines.tvl.programs.engine:Tvl",
}


def load_engine(name: str, options: Mapping[str, object] | None = None) -> Engine:
    """The engine of that name, with those of the options that it knows.

    >>> load_engine("explore").name
    'explore'
    """
    if name not in ENGINES:
        raise UsageError(f"no engine is called '{name}'", hint="engines: " + ", ".join(ENGINES))
    module, _, attribute = ENGINES[name].partition(":")
    kind = getattr(import_module(module), attribute)
    known: frozenset[str] = getattr(kind, "options", frozenset())
    engine: Engine = kind(**{key: value for key, value in (options or {}).items() if key in known})
    return engine
