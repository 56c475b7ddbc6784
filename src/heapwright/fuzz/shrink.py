"""Test case reduction: lines and blocks are removed as long as the program fails in the same way.

>>> print(shrunk("a\\nb\\nc\\nd\\n", lambda text: "c" in text))
c
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

SIMPLER = ((re.compile(r"\b(?:if|while) \(.*\) \{"), "{"), (re.compile(r"\b\d{2,}\b"), "1"))


def shrunk(text: str, fails: Callable[[str], bool], attempts: int = 1_000) -> str:
    """The smallest text that was found in so many attempts. Functions and blocks go first, then runs of lines, then
    parts of one: each pass until none of its changes fails any more."""
    lines = [line for line in text.splitlines() if line.strip()]
    changed = True
    while changed and attempts > 0:
        changed = False
        for candidate in _candidates(lines):
            if attempts <= 0:
                break
            attempts -= 1
            if fails("\n".join(candidate) + "\n"):
                lines, changed = candidate, True
                break
    return "\n".join(lines)


def _candidates(lines: list[str]) -> Iterator[list[str]]:
    """Smaller texts, the smallest first."""
    blocks = sorted(_blocks(lines), key=lambda block: block[0] - block[1])
    for start, end in blocks:
        yield lines[:start] + lines[end + 1 :]
    for start, end in blocks:
        if not lines[start].startswith("static") and lines[start][:1] == " ":
            yield lines[:start] + lines[start + 1 : end] + lines[end + 1 :]  # without the braces
    length = len(lines) // 4
    while length > 1:
        for start in range(0, len(lines) - length + 1, length):
            yield lines[:start] + lines[start + length :]
        length //= 2
    for index in range(len(lines)):
        yield lines[:index] + lines[index + 1 :]
    for index, line in enumerate(lines):
        for pattern, simpler in SIMPLER:
            new = pattern.sub(simpler, line)
            if new != line and len(new) < len(line):
                yield [*lines[:index], new, *lines[index + 1 :]]


def _blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """First and last lines of what is in braces, with the head of a function."""
    stack: list[int] = []
    for index, line in enumerate(lines):
        opened, closed = line.count("{"), line.count("}")
        if closed > opened and stack:
            start = stack.pop()
            yield (start - 1 if lines[start] == "{" and start else start), index
        if opened > closed:
            stack.append(index)
        if opened == closed and opened and "else" in line and stack:
            start = stack.pop()
            yield start, index - 1
            stack.append(index)
