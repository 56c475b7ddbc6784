"""Which parts of a `for` are there: libclang shows those that are, and does not say which.

The text after the keyword tells, also inside a macro's definition: of `for (; p; )` it is the second part.
"""

from __future__ import annotations

import re

from heapwright.c.syntax import kinds
from heapwright.c.syntax.places import Places
from heapwright.c.syntax.tree import Node

Slots = tuple[Node | None, Node | None, Node | None]

_TOKEN = re.compile(
    rb"""(?P<blank> \s+ | \\\r?\n | //(?:\\\r?\n|[^\n])* | /\*.*?\*/ )
       | (?P<open> [([{] ) | (?P<close> [])}] ) | (?P<semicolon> ; )
       | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | \w+ | .""",
    re.DOTALL | re.VERBOSE,
)
_KEYWORD = re.compile(rb"for\b")


def for_slots(node: Node, places: Places) -> Slots | None:
    """Initialisation, condition and step; None if they cannot be told apart."""
    parts: list[Node | None] = list(node.children[:-1])
    if not parts:
        return None, None, None
    if len(parts) == 3:
        return parts[0], parts[1], parts[2]
    spelled = places.spelled(node.cursor)
    present = _present(spelled[0].data, spelled[1]) if spelled else None
    if present is not None and sum(present) == len(parts):
        init, condition, step = (parts.pop(0) if there else None for there in present)
        return init, condition, step
    if len(parts) == 1 and parts[0] is not None and parts[0].kind == kinds.DECL_STMT:
        return parts[0], None, None
    return None


def _present(data: bytes, offset: int) -> tuple[bool, bool, bool] | None:
    """Which of the three parts of the `for` at this offset have text."""
    keyword = _KEYWORD.match(data, offset)
    if keyword is None:
        return None
    found = [False]
    depth = 0
    for match in _TOKEN.finditer(data, keyword.end()):
        if match["blank"]:
            continue
        if match["close"]:
            depth -= 1
            if depth == 0:
                return (found[0], found[1], found[2]) if len(found) == 3 else None
        if depth == 1 and match["semicolon"]:
            found.append(False)
        elif depth >= 1:
            found[-1] = True
        if match["open"]:
            depth += 1
    return None
