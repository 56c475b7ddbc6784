"""Manifests: what a scan found in a C file, for as long as all that it read is unchanged.

A manifest lists the digests of the files that clang read, and the places where an #include would have found a file had
there been one: a new header that shadows another one invalidates it. Checking one costs a few milliseconds, no parse.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from dataclasses import asdict

from heapwright.c.options import HEADERS
from heapwright.c.translation_unit_facts import TranslationUnitFacts
from heapwright.project.store.digests import FileDigests, digest_of
from heapwright.project.store.key import Tool
from heapwright.project.units.unit import Compilation

# Names that an #include, __has_include or a macro in one of them may mean.
_NAMES = re.compile(
    rb'^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*[<"]([^">\n]+)[">]'
    rb'|__has_include(?:_next)?[ \t]*\([ \t]*[<"]([^">\n]+)[">]'
    rb'|^[ \t]*#[ \t]*define[ \t]+\w+[ \t]+[<"]([^">\n]+)[">]',
    re.MULTILINE,
)
_FOLDERS = ("-I", "-isystem", "-iquote", "-idirafter")


def manifest_id(compilation: Compilation, tool: Tool) -> str:
    return digest_of([compilation.file, list(compilation.options.arguments()), tool.package, dict(tool.libraries)])


def manifest_text(compilation: Compilation, facts: TranslationUnitFacts, digests: FileDigests) -> str | None:
    """The manifest of a scan; None if a file that it read cannot be read any more."""
    found = {file: digests.of(file) for file in own_files(facts)}
    if None in found.values():
        return None
    absent = absent_candidates(compilation, found, digests)
    return json.dumps({"files": found, "absent": absent, "facts": asdict(facts)})


def read_manifest(text: str, digests: FileDigests) -> tuple[TranslationUnitFacts, frozenset[str]] | None:
    """The facts of a manifest and its absent candidates, if it is still valid."""
    content = json.loads(text)
    if any(digests.of(file) != digest for file, digest in content["files"].items()):
        return None
    if any(digests.exists(path) for path in content["absent"]):
        return None
    facts = content["facts"]
    files, functions, defines, uses = (tuple(facts[name]) for name in ("files", "functions", "defines", "uses"))
    return TranslationUnitFacts(files, functions, defines, uses, facts["error"]), frozenset(content["absent"])


def own_files(facts: TranslationUnitFacts) -> list[str]:
    """The files of a translation unit without the headers of the package."""
    return [file for file in facts.files if not file.startswith(f"{HEADERS}{os.sep}")]


def absent_candidates(compilation: Compilation, files: Iterable[str], digests: FileDigests) -> list[str]:
    """The paths at which an #include of these files would look for a file, and where there is none."""
    folders = _search_folders(compilation.options.arguments())
    found: dict[str, None] = {}
    for file in files:
        for name in _names_in(file):
            if os.path.isabs(name):
                candidates = [name]
            else:
                candidates = [os.path.join(folder, name) for folder in (os.path.dirname(file), *folders)]
            for path in candidates:
                if not digests.exists(path):
                    found[path] = None
    return list(found)


def _names_in(file: str) -> list[str]:
    try:
        with open(file, "rb") as source:
            data = source.read()
    except OSError:
        return []
    names = (next(filter(None, groups)) for groups in _NAMES.findall(data.replace(b"\\\n", b"")))
    return list(dict.fromkeys(os.fsdecode(name) for name in names))


def _search_folders(arguments: tuple[str, ...]) -> list[str]:
    found = []
    for word, following in zip(arguments, (*arguments[1:], ""), strict=True):
        if word in _FOLDERS:
            found.append(following)
        elif word.startswith(_FOLDERS):
            found.append(next(word[len(one) :] for one in _FOLDERS if word.startswith(one)))
    return [folder for folder in found if not folder.startswith(str(HEADERS))]
