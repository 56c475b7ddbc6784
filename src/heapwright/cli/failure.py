"""Error diagnostics: one line on standard error, and an exit code.

heapwright: error: unknown engine 'magic' (engines: auto, explore)
list.c:3:1: error: expected ';'
"""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback

from heapwright.base.errors import Contradiction, HeapwrightError, InputError, InternalError
from heapwright.base.source import printable

UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)  # of standard output


def report_error(error: Exception, *, verbose: bool = False) -> int:
    """Prints an error and returns its exit code. The traceback of an internal error is printed with `-v` or
    HEAPWRIGHT_DEBUG=1."""
    if isinstance(error, OSError) and error.errno in UNWRITABLE:
        error = InputError(f"cannot write the output: {error.strerror}")
    if not isinstance(error, HeapwrightError):
        details = "".join(traceback.format_exception(error))
        error = InternalError(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__, details)
    print(diagnostic(error), file=sys.stderr)
    if isinstance(error, InternalError) and (verbose or os.environ.get("HEAPWRIGHT_DEBUG")):
        print(error.details, file=sys.stderr, end="")
    return error.exit_code


def diagnostic(error: HeapwrightError) -> str:
    where = str(error.span) if error.span else "heapwright"
    message = printable(" ".join(error.message.split()))
    return f"{where}: error: {message}" + (f" ({printable(error.hint)})" if error.hint else "")


def evidence(error: Contradiction, arguments: list[str]) -> str:
    """A reproducer of a contradiction as JSON: sources, command, run."""
    content = {
        "arguments": arguments,
        "check": error.check,
        "proved_by": error.proved_by,
        "violated_by": error.violated_by,
        "choices": list(error.choices),
        "sources": error.sources,
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
