"""Link steps that a build of CMake left behind: which object files and libraries a program consists of.

A compilation database has no link step. CMake writes one into `link.txt` (Makefiles), and describes targets in the
replies of its File API if somebody asked for them. Both are read if they exist; CMake is never run.

    links = link_steps("build")
    links.programs                      # each a group of files, objects or sources, that may be linked together
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_ENDINGS = (".o", ".obj")


@dataclass(slots=True)
class LinkSteps:
    """For each program the files that are linked into it: object files of `link.txt`, or sources of the File API, as
    absolute paths."""

    programs: list[frozenset[str]] = field(default_factory=list)


def link_steps(folder: str) -> LinkSteps:
    """The link steps in a build directory; without any, no program is known."""
    return LinkSteps(list(_replies(folder)) or list(_link_files(folder)))


# --- the File API ----------------------------------------------------------------------------------------------------


def _replies(folder: str) -> Iterator[frozenset[str]]:
    reply = os.path.join(folder, ".cmake", "api", "v1", "reply")
    models = sorted(Path(reply).glob("codemodel-v2-*.json")) if os.path.isdir(reply) else []
    model = _read(models[-1]) if models else None
    if not isinstance(model, dict):
        return
    source_root = str(model.get("paths", {}).get("source", folder))
    for configuration in model.get("configurations", [])[:1]:
        targets = {}
        for entry in configuration.get("targets", []):
            target = _read(Path(reply) / os.path.basename(str(entry.get("jsonFile", ""))))
            if isinstance(target, dict):
                targets[str(entry.get("id", ""))] = target
        for identity, target in targets.items():
            if target.get("type") == "EXECUTABLE":
                yield frozenset(_sources(identity, targets, source_root, set()))


def _sources(identity: str, targets: dict[str, Any], root: str, seen: set[str]) -> Iterator[str]:
    """The sources of a target and of the libraries that it depends on."""
    if identity in seen or identity not in targets:
        return
    seen.add(identity)
    target = targets[identity]
    for source in target.get("sources", []):
        yield os.path.normpath(os.path.join(root, str(source.get("path", ""))))
    for dependency in target.get("dependencies", []):
        other = str(dependency.get("id", ""))
        if targets.get(other, {}).get("type") != "EXECUTABLE":
            yield from _sources(other, targets, root, seen)


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


# --- link.txt --------------------------------------------------------------------------------------------------------


def _link_files(folder: str) -> Iterator[frozenset[str]]:
    made: dict[str, tuple[set[str], set[str]]] = {}  # by its path: the objects and libraries that a step puts together
    programs = []
    for path in sorted(Path(folder).glob("**/CMakeFiles/*.dir/link.txt")):
        output, objects, libraries, is_program = _step(path)
        if output:
            made[output] = (objects, libraries)
            programs += [output] * is_program
    for program in programs:
        yield frozenset(_objects(program, made, set()))


def _step(path: Path) -> tuple[str, set[str], set[str], bool]:
    """Output, objects and libraries of the first command of a file, and whether it makes a program."""
    folder = str(path.parent.parent.parent)
    try:
        words = shlex.split(path.read_text(encoding="utf-8", errors="replace").splitlines()[0])
    except (OSError, ValueError, IndexError):
        return "", set(), set(), False

    def whole(word: str) -> str:
        return os.path.normpath(os.path.join(folder, word))

    objects = {whole(word) for word in words if word.endswith(_ENDINGS)}
    libraries = [whole(word) for word in words[1:] if not word.startswith("-") and _is_library(word)]
    if "-o" in words[:-1]:
        output = whole(words[words.index("-o") + 1])
        return output, objects, {one for one in libraries if one != output}, "-shared" not in words
    return (libraries[0], objects, set(libraries[1:]), False) if libraries else ("", set(), set(), False)


def _is_library(word: str) -> bool:
    name = os.path.basename(word)
    return name.endswith((".a", ".so", ".dylib", ".lib")) or ".so." in name


def _objects(output: str, made: dict[str, tuple[set[str], set[str]]], seen: set[str]) -> Iterator[str]:
    if output in seen:
        return
    seen.add(output)
    known = output if output in made else next((one for one in made if one.startswith(output + ".")), "")
    objects, libraries = made.get(known, (set(), set()))
    yield from objects
    for library in sorted(libraries):
        yield from _objects(library, made, seen)
