"""The script of pages: bundles the modules in report/html/script to one classic script, because browsers load no
modules from a disk.

    make bundle

A module imports names by `import {name, other} from "./module.js";` and exports declarations by `export`. The bundle
has each module once, after those that it imports, in one scope; so no two modules may declare the same name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

HTML = Path(__file__).parents[1] / "src" / "heapwright" / "report" / "html"
MODULES, BUNDLE = HTML / "script", HTML / "assets" / "page.js"
IMPORT = re.compile(r'^import \{([\w, ]+)\} from "\./(\w+)\.js";\n', re.MULTILINE)
DECLARATION = re.compile(r"^(export )?(?:async function|function|class|const|let) (.*)$", re.MULTILINE)
NAME = re.compile(r"(?:^|, )(\w+) = |^(\w+)")
HEAD = """/* The script of pages, bundled from the modules beside it by `make bundle`. */
(function () {
"use strict";
"""


class BundleError(Exception):
    """A module cannot be bundled."""


def bundle(folder: Path, main: str = "main") -> str:
    """The text of the bundle."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.js"))}
    declared: dict[str, str] = {}
    exported: set[tuple[str, str]] = set()
    for module, text in texts.items():
        for name, is_exported in _declarations(text):
            if name in declared:
                raise BundleError(f"{module}.js and {declared[name]}.js both declare {name}")
            declared[name] = module
            if is_exported:
                exported.add((module, name))
    order = list(_order(main, texts, []))
    if unused := sorted(set(texts) - set(order)):
        raise BundleError(f"{unused[0]}.js is imported by no module")
    for module in order:
        for names, source in IMPORT.findall(texts[module]):
            for name in names.split(", "):
                if (source, name) not in exported:
                    raise BundleError(f"{module}.js imports {name}, which {source}.js does not export")
    parts = [re.sub(r"^export ", "", IMPORT.sub("", texts[module]), flags=re.MULTILINE) for module in order]
    return HEAD + "".join(f"\n{part.strip()}\n" for part in parts) + "})();\n"


def _declarations(text: str) -> Iterator[tuple[str, bool]]:
    """The names that a module declares at the left margin, and whether they are exported."""
    for exported, rest in DECLARATION.findall(text):
        names = [
            first or second for first, second in NAME.findall(re.sub(r"\{.*?\}|\[.*?\]|\(.*?\)|\".*?\"", "()", rest))
        ]
        for name in dict.fromkeys(names):
            yield name, bool(exported)


def _order(module: str, texts: dict[str, str], path: list[str]) -> Iterator[str]:
    """The modules that a module needs, and itself, each once."""
    found: dict[str, None] = {}
    if module not in texts:
        raise BundleError(f"there is no {module}.js")
    if module in path:
        raise BundleError(f"modules import each other: {', '.join([*path, module])}")
    for _, source in IMPORT.findall(texts[module]):
        found |= dict.fromkeys(_order(source, texts, [*path, module]))
    yield from found
    yield module


if __name__ == "__main__":
    BUNDLE.write_text(bundle(MODULES), encoding="utf-8")
