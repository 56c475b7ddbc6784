"""Inline assembler without instructions: barriers for the compiler, which change nothing that a program sees.

>>> Assembler.of('asm volatile("" ::: "memory")').is_barrier
True
>>> Assembler.of('asm("bswap %0" : "+r" (x))').is_barrier
False
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PIECES = re.compile(r'"((?:\\.|[^"\\])*)"|([()\[\]])|([:,])|.', re.DOTALL)
_HARMLESS = frozenset(("", "nop", "pause", "rep; nop", "rep;nop", "yield", "mfence", "lfence", "sfence"))


@dataclass(frozen=True, slots=True)
class Assembler:
    """The template of an `asm` and the constraints of its operands."""

    template: str
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Assembler:
        """From the text of a statement."""
        sections: list[list[str]] = [[]]
        depth = 0
        for string, bracket, sign in _PIECES.findall(text[text.find("(") :]):
            if bracket:
                depth += 1 if bracket in "([" else -1
            elif depth == 1 and sign == ":":
                sections.append([])
            elif depth == 1 and not sign and text and string is not None:
                sections[-1].append(string)
        strings = [[one for one in section if one.strip()] for section in sections] + [[], []]
        template = "".join(strings[0]).replace("\\n", " ").replace("\\t", " ")
        return cls(template.strip(" ;"), tuple(strings[1]), tuple(strings[2]))

    @property
    def is_barrier(self) -> bool:
        """Whether every operand stays as it is."""
        if self.template:
            return self.template in _HARMLESS and not self.outputs
        return all(constraint.startswith("+") for constraint in self.outputs)

    @property
    def is_copy(self) -> bool:
        """Whether its only output gets the value of its only input: `asm("" : "=r" (x) : "0" (y))`."""
        return not self.template and len(self.outputs) == 1 and self.inputs == ("0",)
