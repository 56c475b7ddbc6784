"""Terms of the solver: sorts and symbols of one context, connectives and quantifiers over them.

Engines encode their formulas by these functions and by the operators of terms (`==`, `<`, `+`), and use nothing else
of z3. Arguments are terms, at least one for each connective: unlike the functions of z3's own Python module, these
neither convert their arguments nor check their types, which takes several times as long as making a term.

>>> symbols = Symbols()
>>> p, x = symbols.boolean("p"), symbols.integer("x")
>>> conj(p, implies(negation(p), x <= 3))
And(p, Implies(Not(p), x <= 3))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3

Term = Any  # z3 has no types that help
Sort = Any


def conj(*parts: Term) -> Term:
    context = parts[0].ctx
    return z3.BoolRef(z3.Z3_mk_and(context.ref(), len(parts), _array(parts)), context)


def disj(*parts: Term) -> Term:
    context = parts[0].ctx
    return z3.BoolRef(z3.Z3_mk_or(context.ref(), len(parts), _array(parts)), context)


def negation(part: Term) -> Term:
    return z3.BoolRef(z3.Z3_mk_not(part.ctx.ref(), part.as_ast()), part.ctx)


def implies(left: Term, right: Term) -> Term:
    return z3.BoolRef(z3.Z3_mk_implies(left.ctx.ref(), left.as_ast(), right.as_ast()), left.ctx)


ite, exists, select, store = z3.If, z3.Exists, z3.Select, z3.Store


def for_all(variables: Sequence[Term], body: Term, *pattern: Term) -> Term:
    """With a pattern, it is instantiated where all terms of the pattern occur."""
    return z3.ForAll(variables, body, patterns=[z3.MultiPattern(*pattern)] if pattern else [])


def _array(parts: Sequence[Term]) -> Any:
    return (z3.Ast * len(parts))(*[part.as_ast() for part in parts])


class Function:
    """An uninterpreted function or relation."""

    __slots__ = ("_context", "_declared", "_made", "name")

    def __init__(self, name: str, *sorts: Sort) -> None:
        self.name = name
        self._declared = z3.Function(name, *sorts)
        self._context = self._declared.ctx
        kinds = {z3.Z3_BOOL_SORT: z3.BoolRef, z3.Z3_INT_SORT: z3.ArithRef}
        self._made = kinds.get(sorts[-1].kind(), z3.ExprRef)

    def __call__(self, *arguments: Term) -> Term:
        context = self._context
        made = z3.Z3_mk_app(context.ref(), self._declared.ast, len(arguments), _array(arguments))
        return self._made(made, context)


class Symbols:
    """Sorts and symbols in a context of their own: terms of two contexts do not mix."""

    def __init__(self) -> None:
        self.context: Any = z3.Context()
        self.booleans: Sort = z3.BoolSort(self.context)
        self.integers: Sort = z3.IntSort(self.context)

    def sort(self, name: str) -> Sort:
        """Objects without structure."""
        return z3.DeclareSort(name, self.context)

    def arrays(self, index: Sort, value: Sort) -> Sort:
        return z3.ArraySort(index, value)

    def truth(self, value: bool) -> Term:
        return z3.BoolVal(value, self.context)

    def number(self, value: int) -> Term:
        return z3.IntVal(value, self.context)

    def constant(self, name: str, sort: Sort) -> Term:
        return z3.Const(name, sort)

    def boolean(self, name: str) -> Term:
        return z3.Const(name, self.booleans)

    def integer(self, name: str) -> Term:
        return z3.Const(name, self.integers)

    def relation(self, name: str, *sorts: Sort) -> Function:
        return Function(name, *sorts, self.booleans)
