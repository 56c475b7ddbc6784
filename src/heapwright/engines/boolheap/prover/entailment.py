"""Entailment between heap formulas, by z3.

Objects are a sort without structure. A pointer field is a function that is applied to ground terms only (`v`, `fresh`
and the variables are constants), and paths are a ternary relation under the axioms of Lahiri and Qadeer, which hold on
every finite heap, cycles or not. Axioms quantify over objects and use no function, and what links a field and its paths
is stated for the terms that occur: so only finitely many instances matter. z3 instantiates them by patterns and does
not look for models of quantifiers; a query that it does not refute counts as not entailed.

>>> from heapwright.engines.boolheap.logic.formulas import V, alive, eq, name, negation, reach
>>> x, y = name("x"), name("y")
>>> Prover().entails([reach("next", x, y), alive(x), reach("next", y, V)], reach("next", x, V))
(0, 2)
>>> Prover().entails([reach("next", x, y)], reach("next", y, x)) is None
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heapwright.engines.boolheap.concrete.small_heaps import Heap
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.prover.countermodels import Candidate, candidate
from heapwright.engines.boolheap.prover.implicants import Search
from heapwright.smt import terms as smt
from heapwright.smt.encoder import Encoder
from heapwright.smt.session import SECOND, Answer, Session

UNITS = 2 * SECOND  # of one query
Z3 = smt.Term


class Prover(Encoder[f.Formula]):
    """`interrupted`: the last query hit its limit, so that its answer must not be cached."""

    def __init__(self, units: int = UNITS) -> None:
        super().__init__()
        self.interrupted = False
        self.candidate: Candidate | None = None
        self.objects = self.symbols.sort("Object")
        # Models of quantifiers take long, and heaps are found faster without them.
        self._session = Session(self.symbols, units, mbqi=False)
        self.statistics = self._session.statistics
        self._functions: dict[str, smt.Function] = {}
        self._axioms: dict[str, list[Z3]] = {}
        self._terms: dict[f.Term, Z3] = {}
        self._assumptions: dict[f.Formula, tuple[Z3, Z3]] = {}
        self._of_terms: dict[tuple[f.Term, tuple[str, ...]], list[Z3]] = {}

    def entails(self, assumptions: Sequence[f.Formula], goal: f.Formula) -> tuple[int, ...] | None:
        """The indices of assumptions that entail the goal (an unsat core); None if the entailment is not proved."""
        formulas = [*assumptions, f.negation(goal)]
        marked = [self._assumed(formula) for formula in assumptions]
        query = self._session.check(
            (*self._background(formulas), self.formula(formulas[-1]), *(assumed for _, assumed in marked)),
            [mark for mark, _ in marked],
        )
        self.interrupted, self.candidate = query.interrupted, None
        if query.answer is Answer.UNSAT:
            return tuple(query.core())
        if not self.interrupted:
            self.candidate = candidate(self, query.model(complete=True), formulas)
        return None

    def counterexample(self, assumptions: Sequence[f.Formula], goal: f.Formula, search: Search) -> Heap | None:
        """A countermodel of the last query, if the search finds one."""
        return search(self.candidate)

    def _assumed(self, formula: f.Formula) -> tuple[Z3, Z3]:
        """A name for an assumption, and that it follows from its name."""
        found = self._assumptions.get(formula)
        if found is None:
            found = self._assumptions[formula] = self.marked(f"assumption {len(self._assumptions)}", formula)
        return found

    # --- formulas ----------------------------------------------------------------------------------------------------

    def atom(self, atom: f.Atom) -> Z3:
        match atom:
            case f.Equal(left, right):
                return self.term(left) == self.term(right)
            case f.Alive(object):
                return self.alive(self.term(object))
            case f.Marked(mark, object):
                return self.mark(mark, self.term(object))
            case f.Between(name, start, middle, end):
                return self.path(name)(self.term(start), self.term(middle), self.term(end))
            case f.Less(left, right):
                return self.number(left) < self.number(right)
            case f.Same(left, right):
                return self.number(left) == self.number(right)

    def term(self, term: f.Term) -> Z3:
        found = self._terms.get(term)
        if found is None:
            if isinstance(term, f.Name):
                found = self.symbols.constant(f"object {term.id}", self.objects)
            else:
                found = self.link(term.field, self.term(term.base))
            self._terms[term] = found
        return found

    def link(self, name: str, base: Z3) -> Z3:
        return self._function(f"field {name}", self.objects)(base)

    def data(self, name: str, base: Z3) -> Z3:
        return self._function(f"data {name}", self.symbols.integers)(base)

    def mark(self, name: str, object: Z3) -> Z3:
        return self._function(f"mark {name}", self.symbols.booleans)(object)

    def number(self, number: f.Numeric) -> Z3:
        match number:
            case f.Constant(value):
                return self.symbols.number(value)
            case f.Number(id):
                return self.symbols.integer(f"number {id}")
            case f.Data(name, base):
                return self.data(name, self.term(base))
            case f.Sum(inner, constant):
                return self.number(inner) + constant

    def alive(self, object: Z3) -> Z3:
        return self._function("alive", self.symbols.booleans)(object)

    def path(self, name: str) -> smt.Function:
        return self._function(f"path {name}", self.symbols.booleans, 3)

    def _function(self, name: str, value: smt.Sort, arity: int = 1) -> smt.Function:
        """A function of objects, with values of a sort."""
        found = self._functions.get(name)
        if found is None:
            found = self._functions[name] = smt.Function(name, *[self.objects] * arity, value)
        return found

    # --- what holds of every heap ------------------------------------------------------------------------------------

    def _background(self, formulas: Sequence[f.Formula]) -> Iterator[Z3]:
        null, junk, fresh = map(self.term, (f.NULL, f.JUNK, f.FRESH))
        yield smt.conj(null != junk, smt.negation(self.alive(null)), smt.negation(self.alive(junk)))
        yield smt.conj(fresh != null, fresh != junk, smt.negation(self.alive(fresh)))
        found = [atom for formula in formulas for atom in f.atoms(formula)]
        paths = tuple(sorted({atom.field for atom in found if isinstance(atom, f.Between)}))
        for name in paths:
            yield from self._path_axioms(name)
        for term in f.subterms(found):
            key = (term, paths)
            if key not in self._of_terms:
                self._of_terms[key] = list(self._term_axioms(term, paths))
            yield from self._of_terms[key]

    def _term_axioms(self, term: f.Term, paths: tuple[str, ...]) -> Iterator[Z3]:
        """Axioms of one term, for these path relations."""
        here = self.term(term)
        for name in paths:
            yield self.path(name)(here, here, here)
        if term not in (f.V, f.NULL, f.JUNK, f.FRESH):
            yield here != self.term(f.FRESH)
        if isinstance(term, f.Field):
            yield from self._field_axioms(term, term.field in paths)

    def _field_axioms(self, term: f.Field, has_paths: bool) -> Iterator[Z3]:
        """Axioms of the field of one term."""
        here, base = self.term(term), self.term(term.base)
        null, junk = map(self.term, (f.NULL, f.JUNK))
        yield smt.conj(
            smt.implies(base == null, here == null),
            smt.implies(smt.conj(base != null, smt.negation(self.alive(base))), here == junk),
        )
        if not has_paths:
            return
        path = self.path(term.field)
        u = self.symbols.constant("u", self.objects)
        yield path(base, here, here)
        step = smt.implies(path(base, u, u), smt.disj(u == base, path(base, here, u)))
        yield smt.for_all([u], step, path(base, u, u))
        yield smt.for_all([u], smt.implies(smt.conj(here == base, path(base, u, u)), u == base), path(base, u, u))

    def _path_axioms(self, name: str) -> list[Z3]:
        if name not in self._axioms:
            self._axioms[name] = list(self._all_paths(name))
        return self._axioms[name]

    def _all_paths(self, name: str) -> Iterator[Z3]:
        """Each axiom with the terms that must be there for it to be used; reflexivity is stated of terms."""
        b = self.path(name)
        x, y, z, u = (self.symbols.constant(id, self.objects) for id in "xyzu")
        null, junk, fresh = map(self.term, (f.NULL, f.JUNK, f.FRESH))
        reaches = smt.conj(b(x, y, y), b(y, z, z))
        yield smt.for_all([x, y], smt.implies(b(x, y, x), x == y), b(x, y, x))
        branches = smt.disj(b(x, y, z), b(x, z, y))
        yield smt.for_all([x, y, z], smt.implies(smt.conj(b(x, y, y), b(x, z, z)), branches), b(x, y, y), b(x, z, z))
        yield smt.for_all([x, y, z], smt.implies(b(x, y, z), smt.conj(reaches, b(x, z, z))), b(x, y, z))
        yield smt.for_all([x, y, z], smt.implies(reaches, b(x, z, z)), b(x, y, y), b(y, z, z))
        inner = smt.implies(smt.conj(b(x, y, z), b(y, u, z)), smt.conj(b(x, y, u), b(x, u, z)))
        yield smt.for_all([x, y, z, u], inner, b(x, y, z), b(y, u, z))
        outer = smt.implies(smt.conj(b(x, y, z), b(x, u, y)), smt.conj(b(x, u, z), b(u, y, z)))
        yield smt.for_all([x, y, z, u], outer, b(x, y, z), b(x, u, y))
        for sink in (null, junk):
            yield smt.for_all([x], smt.implies(b(sink, x, x), x == sink), b(sink, x, x))
        yield smt.for_all([x], smt.implies(b(x, fresh, fresh), x == fresh), b(x, fresh, fresh))
        ends = smt.implies(b(x, y, y), smt.disj(self.alive(x), x == y, y == junk))
        yield smt.for_all([x, y], ends, b(x, y, y))
        yield b(fresh, junk, junk)
