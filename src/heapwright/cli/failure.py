"""Error diagnostics: one line on standard error, and an exit code.

heapwright: error: unknown engine 'magic' (engines: auto, explore)
list.c:3:1: error: expected ';'
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from pathlib import Path

from heapwright.base.errors import Contradiction, HeapwrightError, InternalError

REPRODUCER = "heapwright-contradiction.json"


def report_error(error: Exception, *, verbose: bool = False) -> int:
    """Prints an error and returns its exit code. The traceback of an internal error is printed with `-v` or
    HEAPWRIGHT_DEBUG=1."""
    if not isinstance(error, HeapwrightError):
        details = "".join(traceback.format_exception(error))
        error = InternalError(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__, details)
    print(diagnostic(error), file=sys.stderr)
    if isinstance(error, Contradiction):
        path = save_reproducer(error, sys.argv[1:])
        print(f"heapwright: a reproducer was written to {path}; no verdict is given", file=sys.stderr)
    if isinstance(error, InternalError) and (verbose or os.environ.get("HEAPWRIGHT_DEBUG")):
        print(error.details, file=sys.stderr, end="")
    return error.exit_code


def diagnostic(error: HeapwrightError) -> str:
    where = str(error.span) if error.span else "heapwright"
    message = " ".join(error.message.split())
    return f"{where}: error: {message}" + (f" ({error.hint})" if error.hint else "")


def save_reproducer(error: Contradiction, arguments: list[str]) -> Path:
    """Writes a reproducer of a contradiction (sources, command, run) to the current directory, or to the directory of
    temporary files if that is not writable."""
    content = {
        "arguments": arguments,
        "check": error.check,
        "proved_by": error.proved_by,
        "violated_by": error.violated_by,
        "choices": list(error.choices),
        "sources": error.sources,
    }
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    for folder in (Path(), Path(tempfile.gettempdir())):
        try:
            (folder / REPRODUCER).write_text(text, encoding="utf-8")
        except OSError:
            continue
        return folder / REPRODUCER
    return Path(os.devnull)
