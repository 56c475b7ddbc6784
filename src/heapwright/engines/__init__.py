"""Engines by name. An engine registers with one line here and is imported only when it is used.

An engine that can be tuned names its options in `options`; they are keywords of its constructor, and settings of the
same names choose them on the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from heapwright.base.errors import InputError, UsageError

if TYPE_CHECKING:
    from heapwright.engines.api import Engine, ProofStates
    from heapwright.program.graph import Program

ENGINES: dict[str, str] = {
    "boolheap": "heapwright.engines.boolheap.engine:BoolHeap",
    "explore": "heapwright.engines.explore.engine:Explore",
    "fesa": "heapwright.engines.fesa.engine:Fesa",
    "lazy": "heapwright.engines.lazy.engine:Lazy",
    "tvl": "heapwright.engines.tvl.engine:Tvl",
}

# What reads the states of an engine back from a certificate: called with a program and a part of a section.
READERS: dict[str, str] = {
    "boolheap": "heapwright.engines.boolheap.certificate:Read",
    "fesa": "heapwright.engines.fesa.certificate:Read",
    "lazy": "heapwright.engines.lazy.certificate:Read",
    "tvl": "heapwright.engines.tvl.certificate:Read",
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


def load_reader(name: str) -> Callable[[Program, Mapping[str, Any]], ProofStates]:
    if name not in READERS:
        raise InputError(f"the certificate has states of '{name}', which are not known here")
    module, _, attribute = READERS[name].partition(":")
    reader: Callable[[Program, Mapping[str, Any]], ProofStates] = getattr(import_module(module), attribute)
    return reader
