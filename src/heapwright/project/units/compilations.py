"""The compilations of a source tree: from a compilation database, or guessed from its files.

    tree = find_compilations("project", ParseOptions())
    tree.root, [one.file for one in tree.compilations]

Without a database every C file is compiled with the folders in which the headers are that it names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from heapwright.base.errors import InputError
from heapwright.base.source import printable
from heapwright.c.compile_commands import CompileCommand, commands_of
from heapwright.c.options import HEADERS, ParseOptions
from heapwright.project.units.unit import CLOCK, Compilation

DATABASE = "compile_commands.json"
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)
_BUILT = ("CMakeFiles", "node_modules")  # folders with files that a build made


@dataclass(frozen=True, slots=True)
class SourceTree:
    """`root` is a real path. `database` is that of the compilations, None if they were guessed."""

    root: str
    compilations: tuple[Compilation, ...]
    database: str | None = None


def find_compilations(path: str, base: ParseOptions) -> SourceTree:
    """The compilations of a directory, of a database, or of the directory of a C file."""
    name = printable(path)
    if not os.path.exists(path):
        raise InputError(f"'{name}' does not exist")
    if os.path.isfile(path):
        if not path.endswith(".json"):
            raise InputError(f"'{name}' is no directory and no compilation database", hint="check one file with: check")
        database: str | None = path
    else:
        database = _database_in(path)
    if database is None:
        root = os.path.realpath(path)
        found = _guessed(root, base)
        where = f"'{name}' has no {DATABASE} and no C file"
    else:
        root = os.path.realpath(path) if os.path.isdir(path) else _root_of(database, base)
        found = _distinct(commands_of(database, base))
        where = f"'{printable(database)}' has no C file"
    if not found:
        raise InputError(where)
    return SourceTree(root, tuple(_prepared(found, root)), database)


def _prepared(found: Iterable[Compilation], root: str) -> Iterator[Compilation]:
    """Compilations whose result depends neither on the clock nor on where the tree is: `__FILE__` is relative to the
    root."""
    fixed = (*CLOCK, f"-fmacro-prefix-map={root}{os.sep}=")
    for one in found:
        yield replace(one, options=replace(one.options, extra=(*one.options.extra, *fixed)))


def _distinct(commands: Iterable[CompileCommand]) -> list[Compilation]:
    """One compilation for each file and set of options."""
    outputs: dict[tuple[str, ParseOptions], list[str]] = {}
    for one in commands:
        outputs.setdefault((one.file, one.options), []).extend([one.output] * bool(one.output))
    return [Compilation(file, options, tuple(objects)) for (file, options), objects in outputs.items()]


# --- a database ------------------------------------------------------------------------------------------------------


def _database_in(folder: str) -> str | None:
    """The database of a directory: in it, or in a directory in it, the newest."""
    own = os.path.join(folder, DATABASE)
    if os.path.isfile(own):
        return own
    with os.scandir(folder) as entries:
        beneath = [os.path.join(entry.path, DATABASE) for entry in entries if entry.is_dir()]
    found = sorted(path for path in beneath if os.path.isfile(path))
    return max(found, key=os.path.getmtime, default=None)


def _root_of(database: str, base: ParseOptions) -> str:
    """The root of the tree of a database: the nearest directory above it with a repository, else the directory that has
    all its files."""
    folder = Path(os.path.realpath(database)).parent
    for above in (folder, *folder.parents):
        if (above / ".git").exists():
            return str(above)
    try:
        return os.path.commonpath([os.path.dirname(os.path.realpath(one.file)) for one in commands_of(database, base)])
    except ValueError:
        return str(folder)


# --- a guess ---------------------------------------------------------------------------------------------------------


def _guessed(root: str, base: ParseOptions) -> list[Compilation]:
    sources, headers = _files_of(root)
    by_name: dict[str, list[str]] = {}
    for header in headers:
        by_name.setdefault(os.path.basename(header), []).append(header)
    texts: dict[str, tuple[str, ...]] = {}
    return [Compilation(file, replace(base, include_dirs=_folders(file, base, by_name, texts))) for file in sources]


def _files_of(root: str) -> tuple[list[str], list[str]]:
    """C files and headers, sorted; neither hidden files nor those that a build made."""
    sources, headers = [], []
    for folder, folders, files in os.walk(root):
        hidden = [name for name in folders if name.startswith(".") or name in _BUILT]
        built = [name for name in folders if os.path.isfile(os.path.join(folder, name, "CMakeCache.txt"))]
        folders[:] = sorted(name for name in folders if name not in hidden and name not in built)
        for name in files:
            if not name.startswith("."):
                sources += [os.path.join(folder, name)] * name.endswith(".c")
                headers += [os.path.join(folder, name)] * name.endswith((".h", ".c"))
    return sorted(sources), sorted(headers)


def _folders(
    file: str, base: ParseOptions, by_name: dict[str, list[str]], texts: dict[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """The folders of the headers that a file names, directly or through others; of several the nearest."""
    found: dict[str, None] = dict.fromkeys(base.include_dirs)
    waiting, seen = [file], {file}
    while waiting:
        current = waiting.pop()
        if current not in texts:
            texts[current] = _included(current)
        for name in texts[current]:
            target = os.path.normpath(os.path.join(os.path.dirname(current), name))
            if not os.path.isfile(target):
                known = next((os.path.join(one, name) for one in found if os.path.isfile(os.path.join(one, name))), "")
                ours = (HEADERS / name).is_file()
                target = known or ("" if ours else _nearest(file, name, by_name))
                if target and not known:
                    found[target[: -len(os.path.normpath(name)) - 1]] = None
            if target and target not in seen:
                seen.add(target)
                waiting.append(target)
    return tuple(found)


def _nearest(file: str, name: str, by_name: dict[str, list[str]]) -> str:
    ending = os.sep + os.path.normpath(name)
    candidates = [one for one in by_name.get(os.path.basename(name), ()) if one.endswith(ending)]
    return min(candidates, key=lambda one: (len(os.path.relpath(one, file).split(os.sep)), one), default="")


def _included(file: str) -> tuple[str, ...]:
    try:
        return tuple(os.fsdecode(name) for name in _INCLUDE.findall(Path(file).read_bytes()))
    except OSError:
        return ()
