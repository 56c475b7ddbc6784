"""Fused constraints: one compiled function for all of them, for an analysis that calls `coerce` often.

A constraint takes a fraction of a microsecond, and calling its function and choosing the next one takes as long. So
after some thousand calls all of them are written into one function, one after another, each with a test whether it is
to run. They are grouped in blocks, so that a block in which nothing is to run is skipped at once. Compiling that takes
a tenth of a second, which short analyses avoid.

    def coerce(may, must, layout, pending):
        full = layout.full
        while pending:
            if pending & 0xff:                  # a block
                if pending & 1:                 # a constraint: x(v) ==> !y(v)
                    pending ^= 1
                    b = must[4]
                    if b:
                        if b & must[5]:
                            return 0            # the number of a violated constraint
                        if b & may[5]:
                            may[5] &= ~b
                            pending |= 0x18     # those that read what has changed
        return -1
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from heapwright.base.immutable import Immutable
from heapwright.engines.tvl.formulas.code_generation import LOCALS, WORD

BLOCK = 8
SLOT = re.compile(r"\bP(\d+)\b")
OUTCOME = re.compile(r"return -?1\b")
INDENT = "    "

Fused = Callable[[list[int], list[int], object, int], int]  # (may, must, layout, pending) -> violated, or -1


class Piece(Immutable):
    """The text of one constraint: the predicates without which it has no effect, how the set b of assignments for which
    its body must hold is computed, and the code for b. Predicates are the names P0, P1, ... of `numbers`. Returns of 1
    and -1 are a change and a violation."""

    needed: tuple[str, ...]
    lines: tuple[str, ...]
    last: tuple[str, ...]
    numbers: tuple[int, ...] = ()

    def alone(self) -> tuple[list[str], list[str]]:
        """The body of a separate function: the test and the rest."""
        test = [f"if not ({' and '.join(self.needed)}):", "    return 0"] if self.needed else []
        return test, [*self.lines, "if not b:", "    return 0", *self.last, "return 0"]

    def among(self, index: int, following: int) -> list[str]:
        """As part of the function of all constraints."""
        inner = [*self.lines, "if b:", *(INDENT + line for line in self.last or ("pass",))]
        if self.needed:
            inner = [f"if {' and '.join(self.needed)}:", *(INDENT + line for line in inner)]
        outcomes = {"return -1": f"return {index}", "return 1": f"pending |= {following:#x}"}
        inner = [OUTCOME.sub(lambda outcome: outcomes[outcome[0]], line) for line in inner]
        return [SLOT.sub(lambda slot: str(self.numbers[int(slot[1])]), line) for line in inner]


def fused(pieces: Sequence[Piece], following: Sequence[int]) -> Fused:
    lines: list[str] = []
    for first in range(0, len(pieces), BLOCK):
        block = range(first, min(first + BLOCK, len(pieces)))
        lines.append(f"if pending & {sum(1 << i for i in block):#x}:")
        for i in block:
            lines += [f"    if pending & {1 << i:#x}:", f"        pending ^= {1 << i:#x}"]
            lines += [INDENT * 2 + line for line in pieces[i].among(i, following[i])]
    words = set(WORD.findall("\n".join(lines)))
    head = [f"{local} = {source}" for local, source in LOCALS.items() if local in words]
    text = ["def coerce(may, must, layout, pending):", *(INDENT + line for line in head)]
    text += ["    while pending:", *(INDENT * 2 + line for line in lines or ["break"]), "    return -1"]
    namespace: dict[str, Fused] = {}
    exec(compile("\n".join(text), "<constraints>", "exec"), namespace)  # the text comes from this package alone
    return namespace["coerce"]
