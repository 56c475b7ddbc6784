"""Options of a file from a `compile_commands.json`, as CMake, Bear and others write it.

It keeps include folders, macros, the dialect, the data model and options that change the meaning of types; the rest of
a compiler's command line (outputs, warnings, optimisation) is ignored.

    options_for("src/list.c", "build/compile_commands.json", ParseOptions())
"""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from heapwright.base.errors import InputError
from heapwright.c.options import ParseOptions

_WITH_ARGUMENT = ("-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-D", "-U")
_MODELS: dict[str, Literal["LP64", "ILP32"]] = {"-m32": "ILP32", "-m64": "LP64"}
_MEANING = (
    *("-fshort-enums", "-fno-short-enums", "-funsigned-char", "-fsigned-char", "-fno-signed-char"),
    *("-fno-unsigned-char", "-fpack-struct", "-fshort-wchar", "-fms-extensions", "-fplan9-extensions"),
    *("-fgnu89-inline", "-trigraphs", "-ffreestanding", "-fno-builtin", "-pthread", "-mms-bitfields"),
)


def options_for(file: str, database_path: str, base: ParseOptions) -> ParseOptions:
    """`base` with the options of the file in the database; the user's own folders and macros come first and last, so
    that they win. A file that is not in the database is an InputError."""
    entry = _entry(file, database_path)
    return _translate(_words(entry, database_path), str(entry["directory"]), base)


@dataclass(frozen=True, slots=True)
class CompileCommand:
    """An entry of a database. `output` is the object file, an absolute path, or "" where the entry does not say."""

    file: str
    options: ParseOptions
    output: str


def commands_of(database_path: str, base: ParseOptions) -> list[CompileCommand]:
    """All entries of a database for C files, in order, with absolute paths. An entry whose command cannot be read is an
    InputError."""
    found = []
    for folder, entry in _entries(database_path):
        file = os.path.normpath(os.path.join(folder, str(entry.get("file", ""))))
        words = _words(entry, database_path)
        if not _is_c(file, words):
            continue
        output = str(entry.get("output", "")) or _after("-o", words)
        command = CompileCommand(
            file, _translate(words, folder, base), os.path.normpath(os.path.join(folder, output)) if output else ""
        )
        found.append(command)
    return found


def _is_c(file: str, words: list[str]) -> bool:
    language = _after("-x", words)
    return language == "c" or (not language and file.endswith(".c"))


def _after(option: str, words: list[str]) -> str:
    return next((value for word, value in pairwise(words) if word == option), "")


def _entry(file: str, database_path: str) -> dict[str, Any]:
    """The last entry of the file, with an absolute folder."""
    wanted = os.path.realpath(file)
    for folder, entry in reversed(_entries(database_path)):
        if os.path.realpath(os.path.join(folder, str(entry.get("file", "")))) == wanted:
            return {**entry, "directory": folder}
    raise InputError(f"{_database_file(database_path)} has no entry for {file}")


def _database_file(database_path: str) -> Path:
    """A folder stands for the database in it."""
    path = Path(database_path)
    return path / "compile_commands.json" if path.is_dir() else path


def _entries(database_path: str) -> list[tuple[str, dict[str, Any]]]:
    """The entries of a database, each with its folder as an absolute path."""
    path = _database_file(database_path)
    try:
        database = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from None
    if not isinstance(database, list) or not all(isinstance(entry, dict) for entry in database):
        raise InputError(f"{path} is not a list of compile commands")
    root = os.path.dirname(os.path.abspath(path))
    return [(os.path.join(root, str(entry.get("directory", ""))), entry) for entry in database]


def _words(entry: dict[str, Any], database_path: str) -> list[str]:
    """The command line without its compiler."""
    arguments = entry.get("arguments")
    if isinstance(arguments, list):
        return [str(word) for word in arguments[1:]]
    try:
        return shlex.split(str(entry.get("command", "")))[1:]
    except ValueError as error:
        raise InputError(f"{database_path} has a command that cannot be read: {error}") from None


def _translate(words: list[str], folder: str, base: ParseOptions) -> ParseOptions:
    includes: list[str] = []
    defines: list[str] = []
    extra: list[str] = []
    std: str = base.std
    model: Literal["LP64", "ILP32"] = base.model
    rest = list(words)
    while rest:
        word = rest.pop(0)
        option = next((one for one in _WITH_ARGUMENT if word.startswith(one) and not word.startswith("-include-")), "")
        if option:
            value = word[len(option) :] or (rest.pop(0) if rest else "")
            if option == "-D":
                defines.append(value)
            elif option == "-I":
                includes.append(os.path.join(folder, value))
            elif option == "-U":
                extra.append(f"-U{value}")
            else:
                extra += [option, _resolved(option, value, folder)]
        elif word.startswith(("-std=", "--std=")):
            std = word.partition("=")[2]
        elif word == "-ansi":
            std = "c89"
        elif word in _MODELS:
            model = _MODELS[word]
        elif word in _MEANING or word.startswith("-fpack-struct="):
            extra.append(word)
    return replace(
        base,
        std=std if base.std == ParseOptions.std else base.std,
        model=model,
        include_dirs=(*base.include_dirs, *includes),
        defines=(*defines, *base.defines),
        extra=(*extra, *base.extra),
    )


def _resolved(option: str, value: str, folder: str) -> str:
    """A path relative to the folder of the compilation; a forced include that does not exist there is searched like a
    header."""
    path = os.path.join(folder, value)
    return path if option not in ("-include", "-imacros") or os.path.exists(path) else value
