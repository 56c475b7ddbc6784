"""Programs in two files: one that heapwright reads, and one that it does not, with the rest of the world.

The hidden file has the bodies of the functions that the visible one only declares, and in some programs `main`, which
calls the visible entry (a `main` there is called `visible_main` when both are compiled). Both files together are an
ordinary program without inputs; the value that its main returns is a checksum. Hidden code keeps to what is assumed of
it: it frees nothing, and writes only what it reaches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

VISIBLE, HIDDEN = "visible.c", "hidden.c"
RENAMED_MAIN = "visible_main"

_SHARED = """\
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while main NULL size_t
malloc calloc free printf assert memcpy memset strlen offsetof heapwright stdlib stdio
"""  # words of C, and of its library
_KEPT = frozenset(_SHARED.split())


@dataclass(frozen=True, slots=True)
class TwoFiles:
    """`function` is the entry function of the analysis; `leaks`: whether a block that a run of both files loses is lost
    for heapwright, too. Blocks that a hidden function was given never are."""

    visible: str
    hidden: str
    function: str = "main"
    inputs: Literal["separate", "any"] = "separate"
    leaks: bool = False

    @property
    def hidden_main(self) -> bool:
        return "int main(void)" in self.hidden


def file_scope_names(texts: Iterable[str]) -> list[str]:
    """The names that texts in the style of the generators have at file scope, and some harmless others.

    >>> file_scope_names(["static struct node *own;\\nint f(void)\\n{\\n    int x;\\n}\\n"])
    ['f', 'node', 'own']
    """
    lines = (line for text in texts for line in text.splitlines() if line[:1].isalpha() or line[:1] == "_")
    return sorted({word for line in lines for word in re.findall(r"[A-Za-z_]\w*", line)} - _KEPT)
