"""Sessions with z3: formulas asserted and checked under a limit, models, unsatisfiable cores, statistics.

A limit is a count of z3's resource units, so that the answer does not depend on how busy the machine is. Behind it is a
timeout, for the phases of z3 that count few units.

>>> from heapwright.smt.terms import Symbols
>>> symbols = Symbols()
>>> x = symbols.integer("x")
>>> session = Session(symbols, units=SECOND)
>>> session.check([x >= 3, x <= 3]).model().number(x)
3
>>> session.check([x > 3, x < 4]).answer, session.statistics.queries
(<Answer.UNSAT: 'unsat'>, 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

import z3

from heapwright.smt.statistics import Statistics
from heapwright.smt.terms import Sort, Symbols, Term

SECOND = 2_000_000  # resource units of about a second of quantified queries on an idle machine; of others of several
TIMEOUT = 60_000  # milliseconds of one query, whatever its limit


class Answer(Enum):
    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class Session:
    """Queries over the symbols of one context.

    `check` puts each to a fresh solver: with quantifiers, solvers that are used again lose answers and time.
    `answer` keeps one solver and takes back what a query asserted. `simple` solvers are z3's kernel alone,
    others choose a tactic; `options` are those of z3's solvers."""

    def __init__(
        self,
        symbols: Symbols,
        units: int,
        *,
        simple: bool = True,
        statistics: Statistics | None = None,
        **options: bool | int,
    ) -> None:
        self.symbols = symbols
        self.statistics = statistics or Statistics()
        self._units = units
        self._make = z3.SimpleSolver if simple else z3.Solver
        self._options = options
        self._incremental: Any = None

    def check(self, formulas: Iterable[Term], assumptions: Sequence[Term] = (), units: int | None = None) -> Query:
        """Whether all formulas can hold under the assumptions, which are Boolean constants."""
        return Query(self, self._solver(units or self._units), formulas, assumptions)

    def answer(self, formulas: Iterable[Term]) -> Answer:
        """Whether all formulas can hold, by one incremental solver; it has no model and no core afterwards."""
        if self._incremental is None:
            self._incremental = self._solver(self._units)
        self._incremental.push()
        try:
            return Query(self, self._incremental, formulas).answer
        finally:
            self._incremental.pop()

    def _solver(self, units: int) -> Any:
        solver = self._make(ctx=self.symbols.context)
        solver.set(rlimit=units, timeout=TIMEOUT, **self._options)
        return solver


class Query:
    """A query and its answer."""

    def __init__(
        self, session: Session, solver: Any, formulas: Iterable[Term], assumptions: Sequence[Term] = ()
    ) -> None:
        self._session, self._solver, self._assumptions = session, solver, assumptions
        self.answer = self._checked(formulas)

    def _checked(self, formulas: Iterable[Term]) -> Answer:
        context, solver = self._session.symbols.context.ref(), self._solver.solver
        for formula in formulas:
            z3.Z3_solver_assert(context, solver, formula.as_ast())  # `Solver.add` would check the types of each
        assumed = {one.get_id(): one for one in self._assumptions}
        with self._session.statistics.query():
            return Answer(repr(self._solver.check(*assumed.values())))

    def restrict(self, *formulas: Term) -> Answer:
        """The answer with more formulas; it counts as the same query."""
        self._session.statistics.queries -= 1
        self.answer = self._checked(formulas)
        return self.answer

    @property
    def interrupted(self) -> bool:
        """Whether the limit was the reason for `UNKNOWN`: with another one the answer may be another one."""
        return self.answer is Answer.UNKNOWN and self._solver.reason_unknown() in ("timeout", "canceled")

    def core(self) -> list[int]:
        """The indices of assumptions that suffice for `UNSAT`."""
        found = {one.get_id() for one in self._solver.unsat_core()}
        return [index for index, one in enumerate(self._assumptions) if one.get_id() in found]

    def model(self, *, complete: bool = False) -> Model:
        """A model of the formulas; for `UNKNOWN`, the last candidate of the solver. A complete model has a row for
        every decided argument, others omit rows that equal the default."""
        if not complete:
            return Model(self._solver.model())
        # This is a parameter of the process alone, and read when a model is made.
        z3.Z3_global_param_set("model.compact", "false")
        try:
            return Model(self._solver.model())
        finally:
            z3.Z3_global_param_set("model.compact", "true")

    def smtlib(self) -> str:
        return str(self._solver.to_smt2())


class Model:
    def __init__(self, found: Any) -> None:
        self._found = found
        self._context = found.ctx.ref()

    def value(self, term: Term) -> Term:
        return self._found.eval(term, model_completion=True)

    def number(self, term: Term) -> int:
        return int(self.value(term).as_long())

    def holds(self, formula: Term) -> bool:
        """The truth of a closed formula in the model; as `value`, but without an object for the result."""
        found = (z3.Ast * 1)()
        known = z3.Z3_model_eval(self._context, self._found.model, formula.as_ast(), True, found)
        return bool(known and z3.Z3_get_bool_value(self._context, found[0]) == z3.Z3_L_TRUE)

    def universe(self, sort: Sort) -> list[Term]:
        """The objects of a sort without structure."""
        return list(self._found.get_universe(sort) or ())

    def relations(self) -> dict[str, dict[tuple[int, ...], bool]]:
        """The rows of functions by the numbers of their arguments, as far as the model decides them; its values for
        other arguments are arbitrary."""
        return {one.name(): self._rows(self._found[one]) for one in self._found.decls() if one.arity()}

    def _rows(self, found: Any) -> dict[tuple[int, ...], bool]:
        return {
            tuple(entry.arg_value(i).get_id() for i in range(entry.num_args())): z3.is_true(entry.value())
            for entry in map(found.entry, range(found.num_entries()))
        }
