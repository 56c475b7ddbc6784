"""Entailment between heap formulas, by z3; nothing but this and `countermodels` knows of z3.

Objects are a sort without structure. A pointer field is a function that is applied to ground terms only (`v`, `fresh`
and the variables are constants), and paths are a ternary relation under the axioms of Lahiri and Qadeer, which hold on
every finite heap, cycles or not. Axioms quantify over objects and use no function, and what links a field and its paths
is stated for the terms that occur: so only finitely many instances matter. z3 instantiates them by patterns and does
not look for models of quantifiers; what it does not refute is not entailed.

>>> from heapwright.engines.boolheap.logic.formulas import V, alive, eq, name, negation, reach
>>> x, y = name("x"), name("y")
>>> Prover().entails([reach("next", x, y), alive(x), reach("next", y, V)], reach("next", x, V))
(0, 2)
>>> Prover().entails([reach("next", x, y)], reach("next", y, x)) is None
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import z3

from heapwright.engines.boolheap.concrete.small_heaps import Heap
from heapwright.engines.boolheap.logic.formulas import (
    FRESH,
    JUNK,
    NULL,
    Alive,
    And,
    Between,
    Constant,
    Data,
    Equal,
    Field,
    Formula,
    Less,
    Marked,
    Name,
    Not,
    Number,
    Numeric,
    Or,
    Same,
    Sum,
    Term,
    Truth,
    V,
    atoms,
    negation,
    subterms,
)
from heapwright.engines.boolheap.prover.countermodels import COMPLETE_TABLES, Candidate, candidate
from heapwright.engines.boolheap.prover.implicants import Search

MILLISECONDS = 2_000  # of one query
Z3 = Any  # z3 has no types that help


class Prover:
    """`calls` counts the queries; `interrupted` says that the last one was cut short, so that another time it may have
    another answer."""

    def __init__(self, milliseconds: int = MILLISECONDS) -> None:
        self.calls = 0
        self.interrupted = False
        self.candidate: Candidate | None = None
        self.milliseconds = milliseconds
        z3.set_param(*COMPLETE_TABLES)
        self.context = z3.Context()
        self.objects = z3.DeclareSort("Object", self.context)
        self._axioms: dict[str, list[Z3]] = {}
        self._formulas: dict[Formula, Z3] = {}
        self._terms: dict[Term, Z3] = {}
        self._assumptions: dict[Formula, tuple[Z3, Z3]] = {}
        self._of_terms: dict[tuple[Term, tuple[str, ...]], list[Z3]] = {}

    def entails(self, assumptions: Sequence[Formula], goal: Formula) -> tuple[int, ...] | None:
        """The places of those assumptions that suffice for the goal; None if it does not follow."""
        self.calls += 1
        formulas = [*assumptions, negation(goal)]
        solver = z3.SimpleSolver(ctx=self.context)
        solver.set("timeout", self.milliseconds)
        solver.set("mbqi", False)  # models of quantifiers take long, and heaps are found faster without them
        marked = [self._assumed(formula) for formula in assumptions]
        for one in (*self._background(formulas), self._formula(formulas[-1]), *(assumed for _, assumed in marked)):
            z3.Z3_solver_assert(self.context.ref(), solver.solver, one.as_ast())  # `add` would look at each type again
        answer = solver.check(*dict.fromkeys(mark for mark, _ in marked))
        self.interrupted = answer == z3.unknown and solver.reason_unknown() in ("timeout", "canceled")
        self.candidate = None
        if answer != z3.unsat:
            if not self.interrupted:
                self.candidate = candidate(self, solver.model(), formulas)
            return None
        core = {mark.get_id() for mark in solver.unsat_core()}
        return tuple(place for place, (mark, _) in enumerate(marked) if mark.get_id() in core)

    def counterexample(self, assumptions: Sequence[Formula], goal: Formula, search: Search) -> Heap | None:
        """A heap that shows why the last question is not entailed, as far as the search finds one."""
        return search(self.candidate)

    def _assumed(self, formula: Formula) -> tuple[Z3, Z3]:
        """A name for an assumption, and that it follows from its name."""
        found = self._assumptions.get(formula)
        if found is None:
            mark = z3.Bool(f"assumption {len(self._assumptions)}", self.context)
            found = self._assumptions[formula] = (mark, z3.Implies(mark, self._formula(formula)))
        return found

    # --- formulas ----------------------------------------------------------------------------------------------------

    def _formula(self, formula: Formula) -> Z3:
        found = self._formulas.get(formula)
        if found is None:
            found = self._formulas[formula] = self._encoded(formula)
        return found

    def _encoded(self, formula: Formula) -> Z3:
        match formula:
            case Truth(value):
                return z3.BoolVal(value, self.context)
            case Not(body):
                return z3.Not(self._formula(body))
            case And(parts):
                return z3.And(*map(self._formula, parts))
            case Or(parts):
                return z3.Or(*map(self._formula, parts))
            case Equal(left, right):
                return self.term(left) == self.term(right)
            case Alive(object):
                return self.alive(self.term(object))
            case Marked(mark, object):
                return self.mark(mark, self.term(object))
            case Between(name, start, middle, end):
                return self.path(name)(self.term(start), self.term(middle), self.term(end))
            case Less(left, right):
                return self.number(left) < self.number(right)
            case Same(left, right):
                return self.number(left) == self.number(right)

    def term(self, term: Term) -> Z3:
        found = self._terms.get(term)
        if found is None:
            if isinstance(term, Name):
                found = z3.Const(f"object {term.id}", self.objects)
            else:
                found = self.link(term.field, self.term(term.base))
            self._terms[term] = found
        return found

    def link(self, name: str, base: Z3) -> Z3:
        return z3.Function(f"field {name}", self.objects, self.objects)(base)

    def data(self, name: str, base: Z3) -> Z3:
        return z3.Function(f"data {name}", self.objects, z3.IntSort(self.context))(base)

    def mark(self, name: str, object: Z3) -> Z3:
        return z3.Function(f"mark {name}", self.objects, z3.BoolSort(self.context))(object)

    def number(self, number: Numeric) -> Z3:
        match number:
            case Constant(value):
                return z3.IntVal(value, self.context)
            case Number(id):
                return z3.Int(f"number {id}", self.context)
            case Data(name, base):
                return self.data(name, self.term(base))
            case Sum(inner, constant):
                return self.number(inner) + constant

    def alive(self, object: Z3) -> Z3:
        return z3.Function("alive", self.objects, z3.BoolSort(self.context))(object)

    def path(self, name: str) -> Z3:
        return z3.Function(f"path {name}", self.objects, self.objects, self.objects, z3.BoolSort(self.context))

    # --- what holds of every heap ------------------------------------------------------------------------------------

    def _background(self, formulas: Sequence[Formula]) -> Iterator[Z3]:
        null, junk, fresh = map(self.term, (NULL, JUNK, FRESH))
        yield z3.And(null != junk, z3.Not(self.alive(null)), z3.Not(self.alive(junk)))
        yield z3.And(fresh != null, fresh != junk, z3.Not(self.alive(fresh)))
        found = [atom for formula in formulas for atom in atoms(formula)]
        paths = tuple(sorted({atom.field for atom in found if isinstance(atom, Between)}))
        for name in paths:
            yield from self._path_axioms(name)
        for term in subterms(found):
            key = (term, paths)
            if key not in self._of_terms:
                self._of_terms[key] = list(self._term_axioms(term, paths))
            yield from self._of_terms[key]

    def _term_axioms(self, term: Term, paths: tuple[str, ...]) -> Iterator[Z3]:
        """What is known of one term, where there are these paths."""
        here = self.term(term)
        for name in paths:
            yield self.path(name)(here, here, here)
        if term not in (V, NULL, JUNK, FRESH):
            yield here != self.term(FRESH)
        if isinstance(term, Field):
            yield from self._field_axioms(term, term.field in paths)

    def _field_axioms(self, term: Field, has_paths: bool) -> Iterator[Z3]:
        """What is known of the field of one term."""
        here, base = self.term(term), self.term(term.base)
        null, junk = map(self.term, (NULL, JUNK))
        yield z3.And(
            z3.Implies(base == null, here == null),
            z3.Implies(z3.And(base != null, z3.Not(self.alive(base))), here == junk),
        )
        if not has_paths:
            return
        path = self.path(term.field)
        u = z3.Const("u", self.objects)
        yield path(base, here, here)
        step = z3.Implies(path(base, u, u), z3.Or(u == base, path(base, here, u)))
        yield _all([u], step, path(base, u, u))
        yield _all([u], z3.Implies(z3.And(here == base, path(base, u, u)), u == base), path(base, u, u))

    def _path_axioms(self, name: str) -> list[Z3]:
        if name not in self._axioms:
            self._axioms[name] = list(self._all_paths(name))
        return self._axioms[name]

    def _all_paths(self, name: str) -> Iterator[Z3]:
        """Each axiom with the terms that must be there for it to be used; reflexivity is stated of terms."""
        b = self.path(name)
        x, y, z, u = (z3.Const(id, self.objects) for id in "xyzu")
        null, junk, fresh = map(self.term, (NULL, JUNK, FRESH))
        reaches = z3.And(b(x, y, y), b(y, z, z))
        yield _all([x, y], z3.Implies(b(x, y, x), x == y), b(x, y, x))
        branches = z3.Or(b(x, y, z), b(x, z, y))
        yield _all([x, y, z], z3.Implies(z3.And(b(x, y, y), b(x, z, z)), branches), b(x, y, y), b(x, z, z))
        yield _all([x, y, z], z3.Implies(b(x, y, z), z3.And(reaches, b(x, z, z))), b(x, y, z))
        yield _all([x, y, z], z3.Implies(reaches, b(x, z, z)), b(x, y, y), b(y, z, z))
        inner = z3.Implies(z3.And(b(x, y, z), b(y, u, z)), z3.And(b(x, y, u), b(x, u, z)))
        yield _all([x, y, z, u], inner, b(x, y, z), b(y, u, z))
        outer = z3.Implies(z3.And(b(x, y, z), b(x, u, y)), z3.And(b(x, u, z), b(u, y, z)))
        yield _all([x, y, z, u], outer, b(x, y, z), b(x, u, y))
        for sink in (null, junk):
            yield _all([x], z3.Implies(b(sink, x, x), x == sink), b(sink, x, x))
        yield _all([x], z3.Implies(b(x, fresh, fresh), x == fresh), b(x, fresh, fresh))
        ends = z3.Implies(b(x, y, y), z3.Or(self.alive(x), x == y, y == junk))
        yield _all([x, y], ends, b(x, y, y))
        yield b(fresh, junk, junk)


def _all(variables: list[Z3], body: Z3, *pattern: Z3) -> Z3:
    return z3.ForAll(variables, body, patterns=[z3.MultiPattern(*pattern)])
