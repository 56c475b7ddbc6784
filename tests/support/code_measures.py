"""Measures of source code: lengths, cyclomatic complexity, names that differ by an ending, repeated code."""

from __future__ import annotations

import ast
import keyword
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, combinations
from pathlib import Path
from typing import NamedTuple

ENDINGS = ("", "s", "e", "es", "ed", "er", "ers", "or", "ors", "ing", "ings", "al", "ion", "ions")
SHORTEST_STEM = 3

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Place(NamedTuple):
    """Lines of a file."""

    file: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.file}:{self.first}-{self.last}"


def functions(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, Function]]:
    """All functions with their qualified names, nested ones after those that contain them."""
    for node in ast.iter_child_nodes(tree):
        name = f"{outer}{node.name}" if isinstance(node, Function | ast.ClassDef) else outer.removesuffix(".")
        if isinstance(node, Function):
            yield name, node
        yield from functions(node, f"{name}." if name else "")


def length(function: Function) -> int:
    """Lines from `def` to the end."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def complexity(function: Function) -> int:
    """Cyclomatic complexity (McCabe 1976): one more than there are decisions. Those of nested functions count."""
    return 1 + sum(map(_decisions, ast.walk(function)))


def _decisions(node: ast.AST) -> int:
    match node:
        case ast.If() | ast.For() | ast.AsyncFor() | ast.While() | ast.ExceptHandler() | ast.comprehension():
            return 1
        case ast.match_case(pattern=ast.MatchAs(pattern=None), guard=None):
            return 0
        case ast.match_case():
            return 1
    return 0


def stems(name: str) -> set[str]:
    """A name without each of the endings that it may have; a consonant may have been doubled before it.

    >>> sorted(stems("splitting")), sorted(stems("split"))
    (['split', 'splitt', 'splitting'], ['split'])
    """
    found = {name.removesuffix(ending) for ending in ENDINGS}
    found |= {stem[:-1] for stem in found if stem != name and stem[-2:-1] == stem[-1:]}
    return {stem for stem in found if len(stem) >= SHORTEST_STEM}


def alike(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of names that differ by an ending only."""
    return [(one, other) for one, other in combinations(sorted(names), 2) if stems(one) & stems(other)]


class CodeLine(NamedTuple):
    """A statement, or the head of a compound one; `height` is the number of lines that it takes."""

    number: int
    height: int
    text: str


def code_lines(tree: ast.Module | Function, source: Sequence[str]) -> list[CodeLine]:
    """The code of a tree, given the lines of its file, which are formatted: without docstrings and imports."""
    return [line for node in tree.body for line in _lines(node, source)]


def _lines(node: ast.stmt | ast.ExceptHandler | ast.match_case, source: Sequence[str]) -> Iterator[CodeLine]:
    if isinstance(node, ast.Import | ast.ImportFrom) or _is_text(node):
        return
    number = _line(node)
    inner = [one for _, block in ast.iter_fields(node) if isinstance(block, list) for one in block]
    blocks = [one for one in inner if isinstance(one, ast.stmt | ast.ExceptHandler | ast.match_case)]
    last = max(number, _line(blocks[0]) - 1) if blocks else getattr(node, "end_lineno", number)
    texts = [text.strip() for text in source[number - 1 : last]]
    yield CodeLine(number, len(texts), "\n".join(text for text in texts if text and not text.startswith("#")))
    for one in blocks:
        yield from _lines(one, source)


def _line(node: ast.stmt | ast.ExceptHandler | ast.match_case) -> int:
    return node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


NAMES = re.compile(
    r"""("[^"]*"|'[^']*')|\b(?!(?:KEYWORDS)\b)[A-Za-z_]\w*""".replace("KEYWORDS", "|".join(keyword.kwlist))
)


def without_names(lines: Iterable[CodeLine]) -> list[CodeLine]:
    """The same lines, in which nothing has a name.

    >>> without_names([CodeLine(1, 1, "y = g(x.first) + 1 if z else 'text'")])[0].text
    "_ = _(_._) + 1 if _ else 'text'"
    """
    return [line._replace(text=NAMES.sub(lambda found: found[1] or "_", line.text)) for line in lines]


def repetitions(code: Mapping[str, Sequence[CodeLine]], least: int) -> list[tuple[Place, Place]]:
    """Pairs of places with the same code of at least so many lines. `code` is by file, or by file and function; a place
    is reported once, where the repetition begins."""
    seen: dict[tuple[str, ...], list[tuple[str, int, int]]] = defaultdict(list)
    for name, lines in code.items():
        ends = list(accumulate((line.height for line in lines), initial=0))
        end = 0
        for start in range(len(lines)):
            while end < len(lines) and ends[end] - ends[start] < least:
                end += 1
            if ends[end] - ends[start] >= least:
                seen[tuple(line.text for line in lines[start:end])].append((name, start, end))
    found: list[tuple[Place, Place]] = []
    for places in seen.values():
        for (one, start, end), (other, again, last) in combinations(places, 2):
            if one == other and again < end:
                continue
            before = start and again and code[one][start - 1].text == code[other][again - 1].text
            if not before:
                found.append((_place(one, code[one][start:end]), _place(other, code[other][again:last])))
    return found


def _place(name: str, lines: Sequence[CodeLine]) -> Place:
    return Place(name, lines[0].number, lines[-1].number + lines[-1].height - 1)


def sources(root: Path) -> dict[str, str]:
    """The text of each module below a folder."""
    return {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.py"))}
