"""Names that a module offers and imports only when they are used (PEP 562).

The `api` of an engine lists its public names. To import a vocabulary must not load a transformer, so each name is
imported from its module at its first use:

    if TYPE_CHECKING:
        from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
    else:
        __getattr__ = deferred(__name__, {"encoding.vocabulary": ("HeapVocabulary",)})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def deferred(module: str, names: Mapping[str, tuple[str, ...]]) -> Callable[[str], object]:
    """The `__getattr__` of a module. `names` are by the modules that define them, as seen from the package of `module`.

    >>> deferred("heapwright.engines.kit.deferred_names", {"iteration_order": ("loops_first",)})("nonsense")
    Traceback (most recent call last):
    AttributeError: module 'heapwright.engines.kit.deferred_names' has no attribute 'nonsense'
    """
    package = module.rpartition(".")[0]
    homes = {name: f"{package}.{home}" for home, known in names.items() for name in known}

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return load
