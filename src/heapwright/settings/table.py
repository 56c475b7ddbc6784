"""The table of settings, for the command line and for configuration files.

A setting has one name everywhere: `timeout` is `--timeout` on the command line and `timeout = 20` in `heapwright.toml`.
Its kind determines its values; `parse_text` parses one from the command line, `parse_value` validates one from TOML.

>>> parse_text(SETTINGS["timeout"], "2.5")
2.5
>>> parse_value(SETTINGS["timeout"], "soon")
Traceback (most recent call last):
heapwright.base.errors.UsageError: 'timeout' must be a non-negative number, not 'soon'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from heapwright.base.errors import UsageError
from heapwright.engines import ENGINES, declaration_of

Kind = Literal["word", "path", "number", "count", "flag", "list", "paths"]
Value = str | float | int | bool | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Setting:
    """`flags` are the spellings on the command line; `choices` the values of a `word`."""

    name: str
    kind: Kind
    default: Value
    help: str
    flags: tuple[str, ...] = ()
    metavar: str = ""
    choices: tuple[str, ...] = ()
    former: str = ""  # its former name, which is still accepted
    configurable: bool = True  # allowed in a configuration file; nothing that runs, compiles or writes is
    weakens: bool = False  # in a configuration file it may weaken an answer, so that reports list it


def _settings(*settings: Setting) -> dict[str, Setting]:
    return {setting.name: setting for setting in settings}


INPUT = _settings(
    Setting("include", "paths", (), "directory to search for headers", ("-I",), "DIR"),
    Setting("define", "list", (), "define a preprocessor macro", ("-D",), "NAME[=VALUE]", weakens=True),
    Setting("std", "word", "gnu17", "language standard", ("--std", "-std"), "STD"),
    Setting("system-headers", "flag", False, "use the system's C headers instead of the bundled ones"),
    Setting(
        "compile-commands",
        "path",
        None,
        "take compiler options from this compilation database",
        (),
        "FILE",
        weakens=True,
    ),
    Setting(
        "data-model",
        "word",
        "LP64",
        "sizes of long and of pointers: LP64 or ILP32",
        (),
        "MODEL",
        ("LP64", "ILP32"),
        weakens=True,
    ),
    Setting(
        "model",
        "paths",
        (),
        "C file with models of functions that have no definition, as those of the C library are written",
        (),
        "FILE.c",
        configurable=False,
    ),
    Setting("malloc-may-fail", "flag", False, "allocation functions may return a null pointer"),
    Setting(
        "externals",
        "word",
        "havoc",
        "functions without a body: havoc (they write what they reach; default), pure (they write nothing) or refuse",
        (),
        "MODE",
        ("havoc", "pure", "refuse"),
        weakens=True,
    ),
    Setting(
        "inputs",
        "word",
        "separate",
        "inputs of --function: separate (from globals and one another; default) or any (they may point to globals and "
        "into one another)",
        (),
        "MODE",
        ("separate", "any"),
        weakens=True,
    ),
    Setting(
        "function",
        "word",
        None,
        "analyse function F with arbitrary arguments and globals, instead of main",
        (),
        "F",
        configurable=False,
    ),
)

GOAL = _settings(
    Setting(
        "property",
        "list",
        (),
        "property to check: valid-memsafety, valid-memcleanup, unreach-call, valid-deref, valid-free, valid-memtrack, "
        "assertions or a .prp file (default: every check)",
        metavar="P",
        weakens=True,
    ),
    Setting("engine", "word", "auto", "engine, or 'auto' for a schedule of all engines", metavar="ENGINE"),
)


def options_of(engine: str) -> dict[str, Setting]:
    """The options of an engine as settings; None stands for the engine's default."""
    return _settings(
        *(
            Setting(
                option.name,
                option.kind,
                None,
                f"{engine}: {option.help}",
                metavar=option.metavar,
                choices=option.choices,
                former=option.former,
            )
            for option in declaration_of(engine).options
        )
    )


ENGINE_OPTIONS = {name: setting for engine in ENGINES for name, setting in options_of(engine).items()}

LIMITS = _settings(
    Setting("timeout", "number", 300.0, "time limit in seconds (default 300; 0: none)", metavar="S"),
    Setting("memory", "number", 4000.0, "memory limit in megabytes (default 4000; 0: none)", metavar="MB"),
    Setting("steps", "count", None, "maximum number of steps per run (bounded search)", metavar="N"),
    Setting("objects", "count", None, "maximum number of heap blocks per run (bounded search)", metavar="N"),
    Setting(
        "values", "count", None, "try integer inputs from -N to N, and near constants (bounded search)", metavar="N"
    ),
    Setting("states", "count", None, "maximum number of states (bounded search)", metavar="N"),
)

OUTPUT = _settings(
    Setting("json", "path", None, "write the report as JSON (-: standard output)", metavar="PATH", configurable=False),
    Setting(
        "sarif",
        "path",
        None,
        "write the report as SARIF 2.1.0 (-: standard output)",
        metavar="PATH",
        configurable=False,
    ),
    Setting(
        "html",
        "path",
        None,
        "write the report as one page for a browser, with the film of each violation",
        metavar="FILE",
        configurable=False,
    ),
    Setting(
        "witness",
        "path",
        None,
        "write C tests and SV-COMP witnesses to this directory",
        metavar="DIR",
        configurable=False,
    ),
    Setting(
        "save-input",
        "path",
        None,
        "write the standard input of a violation, on which the compiled program fails likewise, to this file",
        metavar="FILE",
        configurable=False,
    ),
    Setting(
        "proof", "path", None, "write a certificate of the proofs to this file", metavar="FILE", configurable=False
    ),
    Setting(
        "confirm",
        "flag",
        False,
        "compile the C test of each unconfirmed violation with gcc and run it; if the test fails, report the check as "
        "violated",
        configurable=False,
    ),
    Setting(
        "keep-evidence",
        "path",
        None,
        "if engines contradict one another, write the sources, the command and the run to this file",
        metavar="FILE",
        configurable=False,
    ),
    Setting(
        "color", "word", "auto", "colours: auto, always or never", metavar="WHEN", choices=("auto", "always", "never")
    ),
)

SETTINGS: Mapping[str, Setting] = {
    **INPUT,
    **GOAL,
    **ENGINE_OPTIONS,
    **LIMITS,
    **OUTPUT,
    **_settings(Setting("suppress", "flag", True, "apply suppression comments")),
}


def parse_text(setting: Setting, text: str) -> Value:
    """Parses the value of a setting on the command line."""
    if setting.kind in ("number", "count"):
        try:
            number = float(text) if setting.kind == "number" else int(text)
        except ValueError:
            raise UsageError(_must_be(setting, text)) from None
        return parse_value(setting, number)
    if setting.kind == "flag" and text in ("on", "off"):
        return text == "on"
    return parse_value(setting, text)


def parse_value(setting: Setting, value: object) -> Value:
    """Validates the value of a setting in a configuration file."""
    match setting.kind, value:
        case "flag", bool():
            return value
        case "number", int() | float() if not isinstance(value, bool) and 0 <= value < float("inf"):
            return float(value)
        case "count", int() if not isinstance(value, bool) and value >= 0:
            return value
        case "word" | "path", str() if value and (not setting.choices or value in setting.choices):
            return value
        case "list" | "paths", str() if value:
            return (value,)
        case "list" | "paths", list() if all(isinstance(item, str) and item for item in value):
            return tuple(value)
    raise UsageError(_must_be(setting, value))


def _must_be(setting: Setting, value: object) -> str:
    wanted = {
        "flag": "true or false",
        "number": "a non-negative number",
        "count": "a non-negative integer",
        "word": "one of " + ", ".join(setting.choices) if setting.choices else "a word",
        "path": "a path",
        "list": "a list of words",
        "paths": "a list of paths",
    }[setting.kind]
    return f"'{setting.name}' must be {wanted}, not {value!r}"
