"""Kinds of generators of random programs, each with a size at which engines terminate.

>>> recipe = Recipe("plain", 3)
>>> recipe.text() == recipe.text(), recipe.name
(True, 'plain_3')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from heapwright.fuzz.generators.interior_pointer_programs import generate_parts
from heapwright.fuzz.generators.key_programs import generate_keys
from heapwright.fuzz.generators.pointer_programs import generate, generate_with_predicates
from heapwright.fuzz.generators.structure_programs import generate_shapes


@dataclass(frozen=True)
class Kind:
    write: Callable[[int, int], str]  # from a seed and a size
    size: int
    function: str = "main"
    leaks: bool = True  # whether leak checks are selected


KINDS: Mapping[str, Kind] = {
    "shapes": Kind(generate_shapes, 2),
    "plain": Kind(lambda seed, size: generate(seed, size, plain=True), 7),
    "keys": Kind(generate_keys, 7, leaks=False),
    "parts": Kind(generate_parts, 6),
    "inputs": Kind(lambda seed, size: generate_parts(seed, size, inputs=True), 5, "start"),
    "predicates": Kind(generate_with_predicates, 5, "start"),
    "any": Kind(generate, 8),
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """A program by the kind of its generator and a seed; the size is that of the kind unless it is given."""

    kind: str
    seed: int
    size: int = 0

    @property
    def name(self) -> str:
        return f"{self.kind}_{self.seed}"

    def text(self) -> str:
        kind = KINDS[self.kind]
        return kind.write(self.seed, self.size or kind.size)
