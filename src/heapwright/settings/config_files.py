"""Configuration files: `heapwright.toml`, or `[tool.heapwright]` in `pyproject.toml`.

The nearest one applies, searching upwards from the first analysed file. Paths in it are relative to it. The command
line takes precedence. Nothing in a file makes heapwright run, compile or write anything: such settings are refused
(`Setting.configurable`). Settings that may weaken an answer become assumptions of every report (`Setting.weakens`).

    # heapwright.toml
    timeout = 20
    include = ["include"]
    property = "valid-memsafety"
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

from heapwright.base.errors import InputError, UsageError
from heapwright.base.source import Span
from heapwright.program.graph import Assumption
from heapwright.settings.table import SETTINGS, Value, parse_value

FILE_NAME = "heapwright.toml"


def load(path: Path) -> dict[str, Value]:
    """The settings in one file, validated."""
    return _checked(_table(path) or {}, path)


def nearest(start: Path) -> Path | None:
    """The configuration file for `start`: the nearest one upwards, `heapwright.toml` before `pyproject.toml`."""
    directory = start.resolve().parent
    for folder in (directory, *directory.parents):
        own = folder / FILE_NAME
        if own.is_file():
            return own
        shared = folder / "pyproject.toml"
        if shared.is_file() and _table(shared) is not None:
            return shared
    return None


def assumptions(path: Path, values: Mapping[str, Value], used: Iterable[str]) -> tuple[Assumption, ...]:
    """The settings of a file that may weaken an answer, among those that are used; with their spans in the file."""
    return tuple(
        Assumption(f"configured: {name} = {_shown(values[name])}", _span(path, name))
        for name in used
        if SETTINGS[name].weakens and values[name] != SETTINGS[name].default
    )


def _shown(value: Value) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _span(path: Path, name: str) -> Span:
    """The line of a setting in a file; the TOML reader has no positions."""
    names = "|".join(re.escape(one) for one in (name, SETTINGS[name].former) if one) if name in SETTINGS else name
    assigned = re.compile(rf"""(?:[\w"'-]+\s*\.\s*)*["']?(?:{names})["']?\s*=""")
    lines = path.read_text(encoding="utf-8").splitlines()
    line = next((number for number, text in enumerate(lines, 1) if assigned.match(text.strip())), 1)
    return Span(str(path), line, 1)


def _table(path: Path) -> Mapping[str, object] | None:
    """The table of settings in a file; None for a pyproject.toml without `[tool.heapwright]`."""
    try:
        with path.open("rb") as file:
            content = tomllib.load(file)
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"'{path}' is not valid TOML: {error}") from None
    if path.name != "pyproject.toml":
        return content
    tool = content.get("tool", {})
    table = tool.get("heapwright") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"'tool.heapwright' in '{path}' must be a table")
    return table


def _checked(table: Mapping[str, object], path: Path) -> dict[str, Value]:
    known = {name: setting for name, setting in SETTINGS.items() if setting.configurable}
    values: dict[str, Value] = {}
    former = {setting.former: name for name, setting in known.items() if setting.former}
    refused = SETTINGS.keys() - known.keys()
    for given, value in table.items():
        name = former.get(given, given)
        if name != given:
            print(f"heapwright: note: '{given}' in '{path}' is now called '{name}'", file=sys.stderr)
        if name in refused:
            span = _span(path, name)
            raise UsageError(f"'{name}' cannot be set in a file, only on the command line", span, "delete this line")
        if name not in known:
            close = get_close_matches(name, known, 1)
            hint = f"did you mean '{close[0]}'?" if close else "settings: " + ", ".join(sorted(known))
            raise UsageError(f"'{path}': unknown setting '{name}'", hint=hint)
        try:
            values[name] = _relative_to(path.parent, known[name].kind, parse_value(known[name], value))
        except UsageError as error:
            raise UsageError(f"in '{path}': {error.message}") from None
    return values


def _relative_to(folder: Path, kind: str, value: Value) -> Value:
    if kind == "path" and isinstance(value, str):
        return str(folder / value)
    if kind == "paths" and isinstance(value, tuple):
        return tuple(str(folder / item) for item in value)
    return value
