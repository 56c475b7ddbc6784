"""How a block has ended, for domains that know only that it has: by its storage, and whether the program closes
streams.

A block of the heap was freed, one of static memory was closed, and the scope of one on the stack was left, or it was
closed, too.
"""

from __future__ import annotations

from heapwright.program.checks import CheckKind
from heapwright.program.types import Storage


def access_failures(storage: Storage, closes: bool) -> tuple[CheckKind, ...]:
    """What the access of a block that has ended may fail."""
    if storage is not Storage.STACK:
        return (CheckKind.USE_AFTER_FREE,)
    return (CheckKind.INVALID_DEREF, CheckKind.USE_AFTER_FREE) if closes else (CheckKind.INVALID_DEREF,)


def free_failures(storage: Storage, closes: bool) -> tuple[CheckKind, ...]:
    """What freeing or closing a block that has ended may fail."""
    if storage is Storage.HEAP or (storage is Storage.STATIC and closes):
        return (CheckKind.DOUBLE_FREE,)
    return (CheckKind.INVALID_FREE, CheckKind.DOUBLE_FREE) if closes else (CheckKind.INVALID_FREE,)
