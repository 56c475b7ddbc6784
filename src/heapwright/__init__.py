"""heapwright: memory safety and shapes of C programs that build linked data structures.

>>> import heapwright
>>> heapwright.__all__
['HeapwrightError', '__version__', 'check', 'infer', 'list_engines', 'lower', 'run', 'show']
"""

__version__ = "0.1.0"

__all__ = ["HeapwrightError", "__version__", "check", "infer", "list_engines", "lower", "run", "show"]

_MODULES = {
    "HeapwrightError": "heapwright.base.errors",
    **dict.fromkeys(("check", "infer", "list_engines", "lower", "run", "show"), "heapwright.api.calls"),
}


def __getattr__(name: str) -> object:
    """A name is imported when it is used, so that a command loads nothing of this interface."""
    if name not in _MODULES:
        raise AttributeError(f"module 'heapwright' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_MODULES[name]), name)
