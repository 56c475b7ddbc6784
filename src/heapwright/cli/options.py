"""Option groups shared by commands, generated from the table of settings, and their values.

A value is taken from the command line, else from the configuration file, else it is the default:

    add_group(parser, "input", INPUT)
    values = resolve(parser.parse_all(...))
    values.text("std")
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from heapwright.analysis.pipeline import DataModelName, Externals, Input, InputHeaps
from heapwright.base.errors import UsageError
from heapwright.cli.parser import Parser
from heapwright.engines import ENGINES
from heapwright.engines.api import OptionValue
from heapwright.program.graph import Assumption
from heapwright.settings.properties import RESOURCES
from heapwright.settings.table import ENGINE_OPTIONS, SETTINGS, Setting, Value, options_of, parse_text


@dataclass(frozen=True)
class Values:
    """The settings of one command line, by name. `configured` are those from a file that may weaken an answer; `given`
    are the names of those on the command line."""

    table: Mapping[str, Value]
    configured: tuple[Assumption, ...] = ()
    given: frozenset[str] = frozenset()

    def text(self, name: str) -> str:
        return str(self.table[name])

    def maybe(self, name: str) -> str | None:
        value = self.table[name]
        return None if value is None else str(value)

    def flag(self, name: str) -> bool:
        return bool(self.table[name])

    def items(self, name: str) -> tuple[str, ...]:
        value = self.table[name]
        return value if isinstance(value, tuple) else ()

    def count(self, name: str) -> int | None:
        value = self.table[name]
        return value if isinstance(value, int) else None

    def engine_options(self) -> dict[str, OptionValue]:
        """The options of engines that were given."""
        chosen = ((name, self.table[name]) for name in ENGINE_OPTIONS)
        return {name: value for name, value in chosen if value is not None and not isinstance(value, float)}

    def require_options_of(self, engines: Iterable[str]) -> None:
        """Raises UsageError for an option on the command line that none of the engines has, and likewise in a file that
        names the engine itself."""
        names = tuple(dict.fromkeys(engines))
        for option in self.engine_options():
            asked = option in self.given or "engine" not in self.given
            if asked and not any(option in options_of(engine) for engine in names):
                owners = [engine for engine in ENGINES if option in options_of(engine)]
                hint = f"it is an option of {', '.join(owners)}"
                raise UsageError(f"engine '{names[0]}' has no option '{option}'", hint=hint)

    def limit(self, name: str) -> float | None:
        """A limit; None if it is 0."""
        value = self.table[name]
        return float(value) if isinstance(value, int | float) and value > 0 else None


def add_files(parser: Parser, *, several: bool) -> None:
    if several:
        parser.add_argument("files", nargs="+", metavar="FILE.c", help="C files; several link into one program")
    else:
        parser.add_argument("files", nargs=1, metavar="FILE.c", help="C file")


def add_group(parser: Parser, title: str, settings: Mapping[str, Setting]) -> None:
    """A group with one option per setting."""
    group = parser.add_argument_group(title)
    for setting in settings.values():
        add_setting(group, setting)
        if setting.former:
            parser.renamed(f"--{setting.former}", f"--{setting.name}")


def add_setting(group: argparse._ActionsContainer, setting: Setting) -> None:
    flags = setting.flags or (f"--{setting.name}",)
    name = f"set_{setting.name}"
    if setting.kind == "flag":
        group.add_argument(*flags, dest=name, action="store_const", const=True, help=setting.help)
        group.add_argument(f"--no-{setting.name}", dest=name, action="store_const", const=False, help=argparse.SUPPRESS)
        return
    action: Any = "extend" if setting.kind in ("list", "paths") else "store"
    group.add_argument(
        *flags, dest=name, action=action, type=_reader(setting), metavar=setting.metavar, help=setting.help
    )


def add_config(parser: Parser) -> None:
    parser.add_argument(
        "--config", metavar="FILE", help="configuration file (default: the nearest heapwright.toml or pyproject.toml)"
    )


def resolve(arguments: argparse.Namespace) -> Values:
    """The values of all settings for one command line."""
    from heapwright.settings.config_files import assumptions, load, nearest

    path = Path(arguments.config) if arguments.config else nearest(Path(arguments.files[0]))
    configured = load(path) if path else {}
    table: dict[str, Value] = {}
    given: set[str] = set()
    for name, setting in SETTINGS.items():
        value = getattr(arguments, f"set_{name}", None)
        if value is not None:
            given.add(name)
        value = tuple(value) if isinstance(value, list) else value
        table[name] = value if value is not None else configured.get(name, setting.default)
    used = [name for name in configured if name not in given and hasattr(arguments, f"set_{name}")]
    return Values(table, assumptions(path, configured, used) if path else (), frozenset(given))


def print_configured(values: Values) -> None:
    """For commands whose reports have no assumptions: a note for each setting of a file that may weaken an answer."""
    for one in values.configured:
        print(f"{one.span}: note: {one.text}", file=sys.stderr)


def input_of(arguments: argparse.Namespace, values: Values) -> Input:
    return Input(
        files=tuple(arguments.files),
        function=values.maybe("function"),
        include=values.items("include"),
        define=values.items("define"),
        std=values.text("std"),
        system_headers=values.flag("system-headers"),
        compile_commands=values.maybe("compile-commands"),
        data_model=cast(DataModelName, values.text("data-model")),
        models=values.items("model"),
        resources=RESOURCES in values.items("property"),
        malloc_may_fail=values.flag("malloc-may-fail"),
        externals=cast(Externals, values.text("externals")),
        inputs=cast(InputHeaps, values.text("inputs")),
    )


def _reader(setting: Setting) -> Callable[[str], Value]:
    return lambda text: parse_text(setting, text)
