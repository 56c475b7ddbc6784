"""Engines by name. An engine registers with one line here and is imported only when it is used.

A line names the declaration of the engine (`api.Declaration`): its capabilities and options, in a module that is cheap
to import. The engine itself and its certificate reader are imported on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from heapwright.base.errors import InputError, UsageError

if TYPE_CHECKING:
    from heapwright.engines.api import Declaration, Engine, ProofStates
    from heapwright.program.graph import Program

ENGINES: dict[str, str] = {
    "boolheap": "heapwright.engines.boolheap.declaration:BoolHeapDeclaration",
    "explore": "heapwright.engines.explore.declaration:ExploreDeclaration",
    "fesa": "heapwright.engines.fesa.declaration:FesaDeclaration",
    "lazy": "heapwright.engines.lazy.declaration:LazyDeclaration",
    "recency": "heapwright.engines.floor.declaration:RecencyDeclaration",
    "tvl": "heapwright.engines.tvl.declaration:TvlDeclaration",
}


def unknown_engine(name: str, schedules: Iterable[str] = ()) -> UsageError:
    if name == "infer":
        return UsageError("'infer' infers preconditions and checks no program", hint="heapwright infer FILE.c -f NAME")
    return UsageError(f"unknown engine '{name}'", hint="engines: " + ", ".join((*schedules, *ENGINES)))


def declaration_of(name: str) -> type[Declaration]:
    """The declaration of an engine, without importing its analysis.

    >>> [option.name for option in declaration_of("lazy").options]
    ['shapes', 'paths']
    """
    if name not in ENGINES:
        raise unknown_engine(name)
    declaration: type[Declaration] = _imported(ENGINES[name])
    return declaration


def load_engine(name: str, options: Mapping[str, object] | None = None) -> Engine:
    """An engine, with those of the options that it declares.

    >>> load_engine("explore").name
    'explore'
    """
    declaration = declaration_of(name)
    given = options or {}
    chosen = {option: given[option.name] for option in declaration.options if option.name in given}
    for option, value in chosen.items():
        if not option.accepts(value):
            raise TypeError(f"the option '{option.name}' is a {option.kind}, not {value!r}")
    keywords = {option.keyword: value for option, value in chosen.items()}
    engine: Engine = _imported(declaration.implementation or ENGINES[name])(**keywords)
    return engine


def load_reader(name: str) -> Callable[[Program, Mapping[str, Any]], ProofStates]:
    """The certificate reader of an engine, without importing its analysis."""
    path = declaration_of(name).reads_certificate if name in ENGINES else None
    if path is None:
        raise InputError(f"no certificate reader for a section of '{name}'")
    reader: Callable[[Program, Mapping[str, Any]], ProofStates] = _imported(path)
    return reader


def _imported(path: str) -> Any:
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)
