"""Rooms of the source: packages with their lines of code, their purpose, and which of them import which.

Lines of code are lines that are neither blank nor comment nor docstring.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Packages whose sub-packages have edges in the map: the whole, and the engines.
HOUSES = ("", "engines")


@dataclass(frozen=True, slots=True)
class Room:
    """A package: its name below the root package, lines of code, purpose, and the rooms that it imports."""

    name: str
    lines: int
    purpose: str
    imports: tuple[str, ...]

    @property
    def house(self) -> str:
        return house_of(self.name)


def house_of(package: str) -> str:
    """
    >>> house_of("engines.tvl"), house_of("engines")
    ('engines', '')
    """
    return package.rpartition(".")[0]


def code_lines(text: str) -> int:
    """Lines that are neither blank nor comment nor docstring.

    >>> code_lines("'''A docstring.'''\\n\\n# a comment\\nx = 1  # code")
    1
    """
    docstrings: set[int] = set()
    strings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                docstrings.update(_extent(node.body[0]))
        elif isinstance(node, ast.Constant | ast.JoinedStr):
            strings.update(_extent(node))
    return sum(
        1
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and number not in docstrings and (number in strings or not line.lstrip().startswith("#"))
    )


def _extent(node: ast.stmt | ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def rounded(lines: int) -> int:
    """To two significant digits.

    >>> rounded(1249), rounded(86), rounded(7)
    (1200, 86, 7)
    """
    scale: int = 10 ** max(0, len(str(lines)) - 2)
    return (lines + scale // 2) // scale * scale


def lines_by_package(source: Path) -> dict[str, int]:
    """Exact lines of code of every package, those of its sub-packages included; the whole has the name ''."""
    lines: dict[str, int] = {}
    for path in sorted(source.rglob("*.py")):
        count = code_lines(path.read_text(encoding="utf-8"))
        parts = path.relative_to(source).parent.parts
        for depth in range(len(parts) + 1):
            package = ".".join(parts[:depth])
            lines[package] = lines.get(package, 0) + count
    return lines


def layers(configuration: Path) -> list[list[str]]:
    """The layers of the import contract "Rooms" in a pyproject.toml, from top to bottom."""
    tools = tomllib.loads(configuration.read_text(encoding="utf-8"))["tool"]
    (contract,) = [contract for contract in tools["importlinter"]["contracts"] if contract["name"] == "Rooms"]
    return [re.findall(r"\w+", layer) for layer in contract["layers"]]


@dataclass(frozen=True, slots=True)
class Imports:
    """Imports between packages: direct ones, and those by way of any modules."""

    direct: dict[str, set[str]]
    indirect: dict[str, set[str]]

    @classmethod
    def read(cls, source: Path, packages: set[str]) -> Imports:
        import grimp

        sys.path.insert(0, str(source.parent))
        graph = grimp.build_graph(source.name, cache_dir=None)
        direct: dict[str, set[str]] = {package: set() for package in packages}
        for importer in graph.modules:
            for imported in graph.find_modules_directly_imported_by(importer):
                for package in _packages_of(importer, packages):
                    direct[package] |= _packages_of(imported, packages) - _packages_of(importer, packages)
        indirect = {}
        for package in packages:
            modules = graph.find_upstream_modules(f"{source.name}.{package}", as_package=True)
            indirect[package] = set().union(*(_packages_of(module, packages) for module in modules))
        return cls(direct, indirect)


def _packages_of(module: str, packages: set[str]) -> set[str]:
    """The packages around a module, and itself if it is one."""
    parts = module.split(".")[1:]
    return {".".join(parts[:end]) for end in range(1, len(parts) + 1)} & packages


def read_rooms(source: Path, layers: list[list[str]]) -> list[Room]:
    """Every package of the source: houses before their rooms, importers before what they import."""
    lines = lines_by_package(source)
    packages = set(lines) - {""}
    imports = Imports.read(source, packages)
    rank = {room: number for number, layer in enumerate(layers) for room in layer}

    def siblings(package: str, imported: set[str]) -> set[str]:
        return {one for one in imported if one != package and house_of(one) == house_of(package)}

    def position(package: str) -> tuple[int, int, str]:
        return rank.get(package, len(rank)), -len(siblings(package, imports.indirect[package])), package

    def room(package: str) -> Room:
        edges: set[str] = set()
        if house_of(package) in HOUSES:
            tops = {one for one in imports.direct[package] if not house_of(one)}
            edges = tops | siblings(package, imports.direct[package])
        return Room(package, rounded(lines[package]), _purpose(source, package), tuple(sorted(edges)))

    def below(house: str) -> Iterator[Room]:
        for package in sorted((one for one in packages if house_of(one) == house), key=position):
            yield room(package)
            yield from below(package)

    return list(below(""))


def _purpose(source: Path, package: str) -> str:
    """The first paragraph of the package's docstring."""
    text = (source.joinpath(*package.split(".")) / "__init__.py").read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(text)) or ""
    return " ".join(docstring.partition("\n\n")[0].split()).replace("|", "\\|")
