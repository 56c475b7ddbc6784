"""Formulas as terms of the solver: connectives here, atoms by the encoder of each engine.

    class Propositions(Encoder[Formula]):
        def atom(self, atom: Formula) -> Term:
            return self.symbols.boolean(atom.name)

Each formula is encoded once: those of one analysis have most in common.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from heapwright.logic.connectives import And, Not, Or, Truth
from heapwright.smt.terms import Symbols, Term, conj, disj, implies, negation

F = TypeVar("F")


class Encoder(Generic[F]):
    def __init__(self) -> None:
        self.symbols = Symbols()
        self._formulas: dict[F, Term] = {}

    def atom(self, atom: Any) -> Term:
        """The term of an atom."""
        raise NotImplementedError

    def formula(self, formula: F) -> Term:
        found = self._formulas.get(formula)
        if found is None:
            found = self._formulas[formula] = self._encoded(formula)
        return found

    def _encoded(self, formula: Any) -> Term:
        match formula:
            case Truth(value):
                return self.symbols.truth(value)
            case Not(operand):
                return negation(self.formula(operand))
            case And(operands):
                return conj(*map(self.formula, operands))
            case Or(operands):
                return disj(*map(self.formula, operands))
        return self.atom(formula)

    def marked(self, name: str, formula: F) -> tuple[Term, Term]:
        """A Boolean constant, and the implication of the formula by it: unsatisfiable cores consist of such
        constants."""
        mark = self.symbols.boolean(name)
        return mark, implies(mark, self.formula(formula))
