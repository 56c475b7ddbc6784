"""What is stable is recorded in `stable.json`: nothing of it may go; what is new is recorded at a release.
`UPDATE_SNAPSHOTS=1 pytest` rewrites the record; only lines that are new may differ."""

from __future__ import annotations

import importlib
import inspect
import json
import os
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import heapwright
from heapwright.api import results
from heapwright.cli import COMMANDS
from heapwright.engines import ENGINES
from heapwright.program.checks import CheckKind
from heapwright.report.json_report import SCHEMA
from heapwright.settings.table import ENGINE_OPTIONS, GOAL, INPUT, LIMITS, OUTPUT

RECORD = Path(__file__).with_name("stable.json")


def surface() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"names": sorted(heapwright.__all__)}
    for name in found["names"]:
        value = getattr(heapwright, name)
        if inspect.isfunction(value):
            found[f"parameters of {name}"] = sorted(inspect.signature(value).parameters)
    for name, value in vars(results).items():
        if inspect.isclass(value) and is_dataclass(value) and not name.startswith("_"):
            methods = [one for one, _ in inspect.getmembers(value, inspect.isfunction) if not one.startswith("_")]
            found[f"attributes of {name}"] = sorted({*(field.name for field in fields(value)), *methods})
    found["commands"] = sorted(COMMANDS)
    for name in found["commands"]:
        exits = getattr(importlib.import_module(f"heapwright.cli.commands.{name.replace('-', '_')}"), "EXITS", {})
        found[f"exit codes of {name}"] = sorted(map(str, exits))
    found["engines"] = sorted(ENGINES)
    found["kinds of checks"] = sorted(kind.value for kind in CheckKind)
    found["settings"] = sorted({*GOAL, *INPUT, *LIMITS, *OUTPUT, *ENGINE_OPTIONS})
    for path in sorted(SCHEMA.parent.glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        found[f"schema {path.stem}"] = sorted(set(_properties(schema)))
    return found


def _properties(schema: Any, prefix: str = "") -> list[str]:
    """The paths of all properties of a schema."""
    if isinstance(schema, list):
        return [path for one in schema for path in _properties(one, prefix)]
    if not isinstance(schema, dict):
        return []
    own = schema.get("properties", {})
    found = [f"{prefix}{name}" for name in own] if isinstance(own, dict) else []
    for name, value in schema.items():
        if name == "properties":
            found += [path for one, inner in value.items() for path in _properties(inner, f"{prefix}{one}.")]
        elif name in ("$defs", "definitions"):
            found += [path for one, inner in value.items() for path in _properties(inner, f"{one}:")]
        elif name not in ("required", "enum", "const"):
            found += _properties(value, prefix)
    return found


def test_nothing_that_is_stable_is_gone() -> None:
    now = surface()
    if os.environ.get("UPDATE_SNAPSHOTS"):
        RECORD.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    recorded: dict[str, list[str]] = json.loads(RECORD.read_text(encoding="utf-8"))
    gone = {part: sorted(set(names) - set(now.get(part, ()))) for part, names in recorded.items()}
    assert {part: names for part, names in gone.items() if names} == {}
