"""The abstract heaps per source line as one JSON object, described by `schemas/views.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heapwright import __version__
from heapwright.report.json_report import heap_object
from heapwright.report.views import View

SCHEMA = Path(__file__).parent / "schemas" / "views.json"


def views_object(
    views: Sequence[View],
    files: Sequence[str],
    *,
    function: str,
    engine: str,
    complete: bool,
    reason: str,
    stats: Mapping[str, float | int | str],
) -> dict[str, Any]:
    """`complete`: the pictures cover all reachable heaps; otherwise `reason` says why not."""
    return {
        "tool": "heapwright",
        "version": __version__,
        "file": files[0],
        "files": list(files),
        "function": function,
        "engine": engine,
        "complete": complete,
        "reason": reason,
        "views": [
            {
                "file": view.file,
                "line": view.line,
                "column": view.column,
                "function": view.function,
                "text": view.text,
                "alarms": list(view.alarms),
                "heaps": [heap_object(picture) for picture in view.pictures],
            }
            for view in views
        ],
        "stats": dict(stats),
    }
