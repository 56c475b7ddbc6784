"""Prover and model finder of structures, by z3.

Every query has a fresh solver (with quantifiers, incremental solvers are slower and leave more queries unknown), and
answers are stored in the query cache. A model is a heap and an embedding of its objects into the nodes; it is executed
by the concrete semantics of the step before it is used, so that spurious models have no effect.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from heapwright.engines.infer.algorithm import ProverResult
from heapwright.engines.infer.closure_modes import Closure
from heapwright.engines.infer.external_prover import ExternalProver
from heapwright.engines.infer.heaps.canonical_abstraction import covers
from heapwright.engines.infer.heaps.membership import (
    ConcreteStructure,
    concrete_structure,
    find_embedding,
    is_embedding,
)
from heapwright.engines.infer.heaps.pairs import PATHS, Assertion, Pair, touched
from heapwright.engines.infer.heaps.pointer_facts import NEXT, NULL, PointerFacts, agreed
from heapwright.engines.infer.heaps.prover.edge_axioms import EdgeEncoding
from heapwright.engines.infer.heaps.prover.encoding import Encoding
from heapwright.engines.infer.heaps.prover.reachability_updates import ExactUpdate, RegionUpdate
from heapwright.engines.infer.heaps.steps import NOWHERE, GuardedStep, Heap, Load, Plain, Step, after, plain
from heapwright.engines.infer.heaps.structure import Structure, Vocabulary
from heapwright.engines.infer.prover import UNITS, BaseProver
from heapwright.engines.infer.query_cache import Cache
from heapwright.smt import session as smt
from heapwright.smt.terms import Function, disj, negation

Taken = tuple[Plain, tuple[PointerFacts, ...]]  # a step, and the pointer facts before it
ProverQuery = tuple[Pair, Taken, tuple[Assertion, ...]]  # assertions of which one is to be violated
MOST_RUNS = 48  # earlier models that are tried before a query
AT_A_TIME = smt.SECOND // 2  # of one stage of axioms: satisfiable queries are often unknown


@dataclass(frozen=True, slots=True)
class Model:
    """A heap before a step and one after it, and the node of each object. Without a `run` between them it is a model of
    the formulas of one query only, and has no heap after the step. `ahead` is that of the pair."""

    before: ConcreteStructure
    after: ConcreteStructure
    nodes: tuple[int, ...]
    run: bool = True
    ahead: bool = False

    @property
    def sought(self) -> ConcreteStructure:
        return self.after if self.ahead else self.before


def _plain(model: Model) -> tuple[object, ...]:
    return (*((one.null, one.values, one.paths) for one in (model.before, model.after)), model.nodes, model.run)


def _concrete_structure(plain: Sequence[Sequence[Any]]) -> ConcreteStructure:
    null, values, paths = plain
    return ConcreteStructure(tuple(null), tuple(map(tuple, values)), tuple(tuple(map(tuple, path)) for path in paths))


def _encoding(vocabulary: Vocabulary, closure: Closure, dangling: bool) -> Encoding:
    if closure is Closure.AXIOMS:
        return EdgeEncoding(vocabulary, dangling=dangling)
    update = ExactUpdate() if closure is Closure.UPDATES else RegionUpdate()
    return Encoding(vocabulary, dangling=dangling, update=update)


class Solver(BaseProver[Structure, ProverQuery, Model]):
    """`dangling`: pointers may point to deallocated objects. `order`: queries involve keys. `external`: prover for
    queries that z3 leaves unknown. `closure`: the encoding of reachability."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        dangling: bool = False,
        order: bool = False,
        cache: Cache | None = None,
        external: ExternalProver | None = None,
        closure: Closure = Closure.UPDATES,
    ) -> None:
        self.vocabulary = vocabulary
        self.external = external
        kind: tuple[object, ...] = (len(vocabulary.variables), vocabulary.fields, vocabulary.cyclic)
        kind = (*kind, vocabulary.allocation, dangling, vocabulary.kinds, vocabulary.edges)
        self._kind = kind if closure is Closure.UPDATES else (*kind, str(closure))
        self.encoding = _encoding(vocabulary, closure, dangling)
        super().__init__(self.encoding.symbols, cache)
        self._axioms = [*self.encoding.axioms(), *(self.encoding.order() if order else ())]
        self._encoded: tuple[Pair, Taken, tuple[Any, ...]] | None = None
        self._runs: dict[Taken, dict[Model, None]] = {}
        self._terms: dict[tuple[str, int, int], Any] = {}

    # --- as a prover -----------------------------------------------------------------------------------------------

    def find(self, pair: Pair, step: Step, violated: Sequence[Assertion]) -> Model | ProverResult:
        here = agreed(step.guards, pair.before) if isinstance(step, GuardedStep) else ()
        if here is None:
            return ProverResult.UNSAT
        taken = (plain(step), here)
        posed = (pair, taken, tuple(violated))
        found = self._answers.find_model(
            posed,
            text=lambda: self._text(posed),
            read=lambda text: self._read(text, pair, plain(step)),
            ask=lambda: self._from_runs(posed) or self.decide(posed),
            write=lambda model: json.dumps(_plain(model)),
        )
        if isinstance(found, Model) and found.run:
            self._runs.setdefault(taken, {})[replace(found, nodes=(), ahead=False)] = None
        return found

    @property
    def queries(self) -> Mapping[ProverQuery, Model | ProverResult]:
        """The queries so far and their answers."""
        return self._answers.known

    def _from_runs(self, posed: ProverQuery) -> Model | None:
        """The model of an earlier query about the same step, if it is one of this query; the latest first."""
        pair, taken, violated = posed
        for run in islice(reversed(self._runs.get(taken, {})), MOST_RUNS):
            nodes = find_embedding(self._described(pair, taken[0], run))
            model = None if nodes is None else replace(run, nodes=nodes, ahead=pair.ahead)
            if model is not None and (not violated or any(self.refutes(model, one) for one in violated)):
                return model
        return None

    def _text(self, posed: ProverQuery) -> str:
        pair, (step, here), violated = posed
        facts = [(state.null, sorted(state.facts)) for state in here]
        return repr((self._kind, pair, step, facts, violated))

    def _read(self, text: str, pair: Pair, step: Plain) -> Model:
        """A model from the query cache; raises an exception if it is malformed or of another query."""
        before, later, nodes, run = json.loads(text)
        model = Model(_concrete_structure(before), _concrete_structure(later), tuple(nodes), run is True, pair.ahead)
        if not is_embedding(self._described(pair, step, model), model.nodes):
            raise ValueError("a model of another query")
        return model

    def _described(self, pair: Pair, step: Plain, model: Model) -> list[tuple[Structure, ConcreteStructure]]:
        """Structures and the concrete ones that must embed into them."""
        both = [(pair.before, model.before)]
        return [*both, (pair.after, model.after)] if model.run and touched(step, self.vocabulary) else both

    @property
    def learns(self) -> bool:
        """Whether sharpening may make more assertions provable: regions depend on definite values."""
        return not self.encoding.update.exact

    def refutes(self, model: Model, assertion: Assertion) -> bool:
        kind, first, second, value = assertion
        known = model.sought
        if kind == 0:
            return known.null[first] != value
        if kind == 1:
            return any(node == first and known.values[i][second] != value for i, node in enumerate(model.nodes))
        return any(
            one == first and two == second and known.paths[kind - PATHS][i][j] != value
            for i, one in enumerate(model.nodes)
            for j, two in enumerate(model.nodes)
        )

    def fit(self, model: Model, case: Pair) -> Model | None:
        if not model.run:
            return None
        nodes = find_embedding([(case.before, model.before), (case.after, model.after)])
        return None if nodes is None else replace(model, nodes=nodes)

    def possible(self, structure: Structure | None, conditions: Sequence[Any] = ()) -> Heap | ProverResult:
        """A heap that satisfies the conditions, formulas of `encoding`, in the concretisation of a structure if one is
        given."""
        formulas = list(conditions)
        if structure is not None:
            formulas += self.encoding.partition(structure)
            formulas += self.encoding.describe(structure, self.encoding.view)
        model = self._ask(formulas)
        return model if isinstance(model, ProverResult) else self._heap(model)[0]

    def _covers(self, bigger: Structure, smaller: Structure) -> bool:
        return covers(bigger, smaller)

    def _overlap(self, element: Structure, others: Sequence[Structure]) -> bool:
        return self.possible(element, [self.encoding.one_of(others)]) is not ProverResult.UNSAT

    def holds(self, premises: Sequence[Any], conclusion: Any) -> bool:
        """Whether formulas entail another one in all heaps."""
        return self._ask([*premises, negation(conclusion)]) is ProverResult.UNSAT

    # --- queries ---------------------------------------------------------------------------------------------------

    def decide(self, posed: ProverQuery) -> Model | ProverResult:
        """The answer of the prover, without the cache."""
        pair, taken, violated = posed
        formulas = self._formulas(pair, taken)
        if violated:
            view = self.encoding.step(taken[0], pair.before, pair.after)[1] if pair.ahead else self.encoding.view
            formulas.append(disj(*(self.encoding.violated(pair.sought, one, view) for one in violated)))
        found: Model | ProverResult = ProverResult.UNKNOWN
        stages = self.encoding.stages(taken[0])
        for index, given in enumerate(stages):
            answer = self._ask([*formulas, *given], UNITS if len(stages) == 1 else AT_A_TIME)
            if answer is ProverResult.UNSAT:
                self._proved(index)
                return ProverResult.UNSAT
            found = answer if isinstance(answer, ProverResult) else self._model(answer, posed)
            if isinstance(found, Model) and found.run:
                return found
        return found

    def _proved(self, index: int) -> None:
        counted = [*self.counts.proved, *[0] * (index + 1 - len(self.counts.proved))]
        counted[index] += 1
        self.counts.proved = tuple(counted)

    def _formulas(self, pair: Pair, taken: Taken) -> list[Any]:
        """Formulas of a pair and a step. Queries about one pair are consecutive, so that the last ones are kept."""
        if self._encoded is not None and self._encoded[:2] == (pair, taken):
            return list(self._encoded[2])
        encoding, (step, here) = self.encoding, taken
        conditions, view = encoding.step(step, pair.before, pair.after)
        formulas = [*encoding.partition(pair.before), *encoding.describe(pair.before, encoding.view), *conditions]
        formulas += [formula for state in here for formula in encoding.pointer_facts(state)]
        columns = set(touched(step, self.vocabulary))
        if columns:
            same = all(a.single == b.single for a, b in zip(pair.before.nodes, pair.after.nodes, strict=True))
            assert same, "nodes before and after a step denote the same objects"
            formulas += encoding.describe(pair.after, view, columns)
        self._encoded = (pair, taken, tuple(formulas))
        return formulas

    def _ask(self, formulas: Sequence[Any], units: int = UNITS) -> smt.Model | ProverResult:
        query = self._session.check((*self._axioms, *formulas), units=units)
        unknown = query.answer is smt.Answer.UNKNOWN
        if unknown and self.external is not None and self.external.refutes(query.smtlib()):
            return ProverResult.UNSAT
        return self._answered(query)

    def _model(self, found: smt.Model, posed: ProverQuery) -> Model | ProverResult:
        """The model as a heap of the concrete semantics; unknown if it is not a model of the query."""
        pair, (step, here), violated = posed
        heap, universe = self._heap(found, step)
        kinds = [self.encoding.of_node(pair.before, i) for i in range(len(pair.before.nodes))]
        nodes = tuple(
            next((i for i, kind in enumerate(kinds) if found.holds(kind(one))), len(kinds)) for one in universe
        )
        before, then = concrete_structure(self.vocabulary, heap), after(heap, step)
        drafts: list[Model] = []
        if then is not None and _ends(heap, here):
            drafts.append(Model(before, concrete_structure(self.vocabulary, then), nodes, ahead=pair.ahead))
        if not self.encoding.update.exact and not pair.ahead:
            drafts.append(Model(before, before, nodes, run=False))
        for model in drafts:
            violates = not violated or any(self.refutes(model, one) for one in violated)
            if violates and is_embedding(self._described(pair, step, model), nodes):
                return model
        return self._unknown()

    def _heap(self, model: smt.Model, step: Plain | None = None) -> tuple[Heap, list[Any]]:
        """A model as a heap, and its objects. Those on a cycle are in any order in which the loaded object is next."""
        encoding = self.encoding
        universe = model.universe(encoding.sort)
        numbers = {one.get_id(): i for i, one in enumerate(universe)}

        def number(term: Any) -> int:
            found = model.value(term)
            if found.get_id() not in numbers:
                numbers[found.get_id()] = len(universe)
                universe.append(found)
            return numbers[found.get_id()]

        at = tuple(
            number(where) if model.holds(there) else NOWHERE
            for there, where in zip(encoding.view.there, encoding.view.where, strict=True)
        )
        read = (at[step.base], number(encoding.loaded)) if isinstance(step, Load) and self.vocabulary.cyclic else None
        size = range(len(universe))
        following: list[tuple[int, ...]] = []
        for along in encoding.paths:
            path = self._table(model, along, universe)
            if self.vocabulary.cyclic:
                ends = [model.holds(encoding.ends(one)) for one in universe]
                following.append(tuple(_circular(path, ends, i, read) for i in size))
            else:
                following.append(tuple(_nearest(path, i) for i in size))
        alloc = tuple(model.holds(encoding.alloc(one)) for one in universe) if self.vocabulary.allocation else ()
        return Heap(tuple(following), at, alloc), universe

    def _table(self, model: smt.Model, along: Function, universe: list[Any]) -> list[list[bool]]:
        """A relation in a model. Objects have the same names in all models, so that terms are shared."""
        numbers = [one.get_id() for one in universe]
        table: list[list[bool]] = []
        for one, first in zip(universe, numbers, strict=True):
            row: list[bool] = []
            for other, second in zip(universe, numbers, strict=True):
                key = (along.name, first, second)
                if key not in self._terms:
                    self._terms[key] = along(one, other)
                row.append(model.holds(self._terms[key]))
            table.append(row)
        return table


def _ends(heap: Heap, here: Sequence[PointerFacts]) -> bool:
    """Whether fields that are null by pointer facts are null in the heap, which formulas may not imply."""
    return not any(
        kind is NEXT and other == NULL and heap.at[one] != NOWHERE and heap.next[known.field][heap.at[one]] != NOWHERE
        for known in here
        for kind, one, other in known.facts
    )


def _nearest(path: list[list[bool]], start: int) -> int:
    """The successor: the reached object that reaches all others."""
    beyond = [j for j in range(len(path)) if path[start][j] and j != start]
    return next((j for j in beyond if all(path[j][k] for k in beyond)), NOWHERE)


def _circular(path: list[list[bool]], ends: list[bool], start: int, read: tuple[int, int] | None) -> int:
    """The successor of an object of a cyclic field: on a cycle the next in the order of numbers, except that the second
    object of `read` follows its first."""
    if ends[start]:
        return NOWHERE
    cycle = [j for j in range(len(path)) if path[start][j] and path[j][start]]
    beyond = [j for j in range(len(path)) if path[start][j] and j not in cycle]
    if beyond:
        return next((j for j in beyond if all(path[j][k] for k in beyond)), NOWHERE)
    if read is not None and read[0] in cycle and read[1] in cycle:
        cycle = [*dict.fromkeys((*read, *cycle))]
    return cycle[(cycle.index(start) + 1) % len(cycle)]
