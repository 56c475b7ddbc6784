"""Random predicates of a user, for the engines that take some, as comments at the head of a program.

    // boolheap predicate: v.next = null | alive(v.other)
    // tvl predicate: %i u0(v) = E(w) node.next(v, w) & p0(w)

A comment is a part of the program, so that what is found with a predicate is kept and shrunk together with it; the
trial reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def predicate_comments(random: Random, fields: Sequence[str], variables: Sequence[str], struct: str) -> str:
    """Comments with some predicates over fields of a struct and variables that point to it."""
    heaps = _HeapFormulas(random, fields, variables)
    logic = _LogicalFormulas(random, [f"{struct}.{one}" for one in fields], variables)
    lines = [f"// boolheap predicate: {heaps.formula()}" for _ in range(random.randint(1, 3))]
    lines += [f"// tvl predicate: %i u{number}(v) = {logic.formula()}" for number in range(random.randint(0, 2))]
    return "".join(f"{line}\n" for line in lines)


class _HeapFormulas:
    """Formulas of `boolheap` over an object v."""

    def __init__(self, random: Random, fields: Sequence[str], variables: Sequence[str]) -> None:
        self.random, self.fields, self.variables = random, fields, variables

    def formula(self) -> str:
        count = self.random.choice((1, 2, 2, 3))
        return self.random.choice((" | ", " | ", " & ")).join(self._literal() for _ in range(count))

    def _literal(self) -> str:
        field = self.random.choice(self.fields)
        atom = self.random.choice(
            (
                f"alive({self._term()})",
                f"alive(v.{field})",
                f"v.{field} = null",
                f"{self._term()} = {self._end()}",
                f"reach({self._term()}, {self._end()}, {field})",
            )
        )
        return atom if self.random.random() < 0.8 else f"!({atom})"

    def _term(self) -> str:
        term = "v" if self.random.random() < 0.8 else self.random.choice(self.variables)
        while self.random.random() < 0.5:
            term += f".{self.random.choice(self.fields)}"
        return term

    def _end(self) -> str:
        return "null" if self.random.random() < 0.5 else self._term()


class _LogicalFormulas:
    """Formulas of `tvl` over a node v."""

    def __init__(self, random: Random, fields: Sequence[str], variables: Sequence[str]) -> None:
        self.random, self.fields, self.variables = random, fields, variables

    def formula(self) -> str:
        parts = [self._literal() for _ in range(self.random.choice((1, 2)))]
        return self.random.choice((" & ", " | ")).join(parts)

    def _literal(self) -> str:
        first, second = self.random.choice(self.fields), self.random.choice(self.fields)
        variable = self.random.choice(self.variables)
        atom = self.random.choice(
            (
                f"{variable}(v)",
                f"(E(w) {first}(v, w))",
                f"(E(w) {first}(w, v))",
                f"(E(w) {first}(v, w) & {variable}(w))",
                f"(E(w) {variable}(w) & {first}*(w, v))",
                f"(E(w, u) {first}(v, w) & {second}(w, u))",
                f"(E(w) {first}(v, w) & {second}(v, w))",
            )
        )
        return atom if self.random.random() < 0.7 else f"!{atom}"
