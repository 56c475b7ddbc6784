"""How failures are told: one sentence on standard error, and an exit code.

heapwright: error: no engine is called 'magic' (engines: auto, explore)
list.c:3:1: error: expected ';'
"""

from __future__ import annotations

import os
import sys
import traceback

from heapwright.errors import HeapwrightError, InternalError


def tell(error: Exception, *, verbose: bool = False) -> int:
    """Prints what went wrong and returns the exit code. The traceback of a fault of heapwright itself is for those who
    ask: `-v`, or HEAPWRIGHT_DEBUG=1."""
    if not isinstance(error, HeapwrightError):
        details = "".join(traceback.format_exception(error))
        error = InternalError(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__, details)
    print(sentence(error), file=sys.stderr)
    if isinstance(error, InternalError) and (verbose or os.environ.get("HEAPWRIGHT_DEBUG")):
        print(error.details, file=sys.stderr, end="")
    return error.exit_code


def sentence(error: HeapwrightError) -> str:
    place = str(error.span) if error.span else "heapwright"
    message = " ".join(error.message.split())
    return f"{place}: error: {message}" + (f" ({error.hint})" if error.hint else "")
