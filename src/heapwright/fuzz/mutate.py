"""Mutation of C programs: small changes of the kind that people make by mistake.

A mutant is the text with one change: a statement is removed or repeated, two neighbours are exchanged, a
condition is turned around or lost a part, a field, a variable or a comparison is another one. The text is taken line by
line, one statement a line, as the programs of the tests are written; not every mutant compiles, and one that does may
still be right.

>>> sorted({mutant.kind for mutant in mutants("void f(struct n *p)\\n{\\n    p->next = NULL;\\n    free(p);\\n}\\n")})
['delete', 'repeat', 'swap', 'variable']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

STATEMENT = re.compile(r"\s+(?=\S)(?!return\b|break\b|continue\b|goto\b|extern\b)[^/]*;$")
DECLARATION = re.compile(r"\s+(?:struct \w+|int|_Bool|unsigned) ?\*?\w+.*;$")
CONDITION = re.compile(r"^(\s*(?:\} )?(?:else )?(?:if|while) \()(.*)(\)(?: \{|;)?)$")
POINTER_FIELD = re.compile(r"^\s+struct \w+ \*(\w+(?:, \*\w+)*);$")
POINTER_NAME = re.compile(r"struct (\w+) \*+(\w+)(?: = [^,;]*)?((?:, \*\w+(?: = [^,;]*)?)*)")
COMPARISONS = {"<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="), "==": ("!=",), "!=": ("==",)}


@dataclass(frozen=True, slots=True)
class Mutant:
    """`line` is the first one that differs from the original, counted from 1."""

    kind: str
    line: int
    text: str


def mutants(text: str) -> Iterator[Mutant]:
    """Every mutant of a program, in the order of their kinds and lines."""
    lines = text.splitlines()
    body = [number for number in range(len(lines)) if _in_function(lines, number)]
    yield from _statements(lines, body)
    yield from _conditions(lines, body)
    yield from _words(lines, body)


def drawn(texts: Iterable[str], count: int, seed: int) -> list[Mutant]:
    """So many mutants of each program, the same ones for the same seed, every kind as likely as the others."""
    random = Random(seed)
    found: list[Mutant] = []
    for text in texts:
        kinds: dict[str, list[Mutant]] = {}
        for mutant in mutants(text):
            kinds.setdefault(mutant.kind, []).append(mutant)
        for _ in range(count):
            left = sorted(kind for kind in kinds if kinds[kind])
            if left:
                pool = kinds[random.choice(left)]
                found.append(pool.pop(random.randrange(len(pool))))
    return found


def _in_function(lines: list[str], number: int) -> bool:
    """Bodies are indented, and so are the members of structs; a function's brace stands on a line of its own."""
    if not lines[number].startswith("    "):
        return False
    above = next((line for line in reversed(lines[:number]) if line and not line.startswith((" ", "//"))), "")
    return above == "{"


def _changed(kind: str, lines: list[str], start: int, new: list[str], *, end: int | None = None) -> Mutant:
    """The program with the lines from start up to end (by default one line) replaced."""
    after = start + 1 if end is None else end
    return Mutant(kind, start + 1, "\n".join([*lines[:start], *new, *lines[after:]]) + "\n")


def _statements(lines: list[str], body: list[int]) -> Iterator[Mutant]:
    plain = [n for n in body if STATEMENT.fullmatch(lines[n]) and not DECLARATION.fullmatch(lines[n])]
    for number in plain:
        yield _changed("delete", lines, number, [re.sub(r"\S.*", ";", lines[number])])
        if "free(" in lines[number] or "->" in lines[number]:
            yield _changed("repeat", lines, number, _together(lines, number, [lines[number], lines[number]]))
    movable = [n for n in body if STATEMENT.fullmatch(lines[n])]
    for first, second in pairwise(movable):
        alike = _indent(lines[first]) == _indent(lines[second])
        if second == first + 1 and alike and not _is_branch(lines, first):
            yield _changed("swap", lines, first, [lines[second], lines[first]], end=second + 1)


def _together(lines: list[str], number: int, new: list[str]) -> list[str]:
    """Several statements in the place of one: in braces, where only one may stand."""
    if not _is_branch(lines, number):
        return new
    inner = _indent(lines[number]) * " "
    return [f"{inner}{{ {' '.join(line.strip() for line in new)} }}"]


def _is_branch(lines: list[str], number: int) -> bool:
    """Whether the line is what an `if`, a loop or an `else` without braces governs."""
    above = lines[number - 1]
    return _indent(above) < _indent(lines[number]) and not above.endswith("{")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _conditions(lines: list[str], body: list[int]) -> Iterator[Mutant]:
    for number in body:
        match = CONDITION.match(lines[number])
        if match is None:
            continue
        before, condition, after = match.groups()
        if condition != "__VERIFIER_nondet_int()":
            yield _changed("negate", lines, number, [f"{before}!({condition}){after}"])
        for operator in ("&&", "||"):
            parts = condition.split(f" {operator} ")
            if len(parts) == 2 and all(part.count("(") == part.count(")") for part in parts):
                for part in parts:
                    yield _changed("weaken", lines, number, [f"{before}{part}{after}"])
                other = "||" if operator == "&&" else "&&"
                yield _changed("connect", lines, number, [f"{before}{parts[0]} {other} {parts[1]}{after}"])


def _words(lines: list[str], body: list[int]) -> Iterator[Mutant]:
    fields = _fields(lines)
    for number in body:
        line = lines[number]
        for match in re.finditer(r"(?:->|\.)(\w+)", line):
            yield from _instead("field", lines, number, match, fields - {match[1]} if match[1] in fields else ())
        for match in re.finditer(r" ([<>=!]=|[<>]) ", line):
            yield from _instead("compare", lines, number, match, COMPARISONS[match[1]])
        variables = _variables(lines, number)
        for match in re.finditer(r"(?<![\w>.*])(?<!struct )(\w+)\b", line):
            type_ = variables.get(match[1])
            others = [name for name, kind in variables.items() if kind == type_ and name != match[1]] if type_ else []
            if type_ and "*" not in line[: match.start()]:
                read = not re.match(r"->| = ", line[match.end() :])
                yield from _instead("variable", lines, number, match, [*others, "NULL"] if read else others)


def _instead(kind: str, lines: list[str], number: int, match: re.Match[str], words: object) -> Iterator[Mutant]:
    assert isinstance(words, tuple | list | set)
    line = lines[number]
    for word in sorted(words):
        yield _changed(kind, lines, number, [line[: match.start(1)] + word + line[match.end(1) :]])


def _fields(lines: list[str]) -> set[str]:
    """Names of pointer fields, of any struct."""
    found: set[str] = set()
    for number, line in enumerate(lines):
        match = POINTER_FIELD.match(line)
        if match and not _in_function(lines, number):
            found |= {name.strip(" *") for name in match[1].split(",")}
    return found


def _variables(lines: list[str], number: int) -> dict[str, str]:
    """Pointers that are declared above a line in the same function, with their types; inner scopes that have ended
    count too, and the compiler refuses what does not fit."""
    start = max(n for n in range(number) if lines[n] == "{") - 1
    found: dict[str, str] = {}
    for line in lines[start:number]:
        for match in POINTER_NAME.finditer(line):
            names = [match[2], *re.findall(r"\*(\w+)", match[3])]
            found.update(dict.fromkeys(names, match[1]))
        if line.startswith("static"):
            found.pop(line.partition("(")[0].rpartition("*")[2], None)
    return found
