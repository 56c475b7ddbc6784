"""Finite differencing: update formulas for instrumentation predicates, derived from the updates of the
predicates in their definitions (Reps, Sagiv, Loginov: Finite differencing of logical formulas for static analysis).

For a predicate p defined by f, two formulas are derived: where p becomes true and where it becomes false; then p' is `p
? !minus : plus`, which keeps the old value, often sharper than a re-evaluation of f. Rules go by the form of f. The
closure of an acyclic predicate that gains or loses one edge has exact formulas (Dong and Su); after any other change
the closure is re-evaluated. See derived_updates.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.base.immutable import Immutable
from heapwright.engines.tvl.formulas.dependencies import predicates_of
from heapwright.engines.tvl.formulas.rewriting import (
    all_variables,
    fresh_variable,
    make_and,
    make_closure,
    make_exists,
    make_if,
    make_not,
    make_or,
    normalized,
    reflexive_closure,
    renamed,
    simplified,
)
from heapwright.engines.tvl.transform.closure_updates import edge_added, edge_removed
from heapwright.logic import formulas as f
from heapwright.logic.actions import Update
from heapwright.logic.vocabulary import Predicate, Vocabulary


class Delta(Immutable):
    """The nodes at which a formula becomes true, and those at which it becomes false."""

    plus: f.Formula
    minus: f.Formula


NOTHING = Delta(f.FALSE, f.FALSE)


class Differencing:
    """The derivations for one action: `updates` is what is known of it so far."""

    def __init__(
        self, vocabulary: Vocabulary, updates: Mapping[str, Update], one_new: bool = False, removes: bool = False
    ) -> None:
        self.vocabulary = vocabulary
        self.one_new = one_new  # the action makes one node
        self.removes = removes  # the action takes nodes away
        self.updates = dict(updates)
        self._deltas: dict[tuple[f.Formula, bool], Delta] = {}

    def affects(self, formula: f.Formula) -> bool:
        """Does the action update anything that the formula mentions?"""
        return not self.updates.keys().isdisjoint(predicates_of(formula))

    def learn(self, update: Update) -> None:
        self.updates[update.predicate] = update
        self._deltas.clear()

    # --- updates and futures ---

    def derive(self, predicate: Predicate) -> f.Formula:
        """The value of an instrumentation predicate after the action, as a formula over the values before it."""
        assert predicate.definition is not None
        atom = f.Atom(predicate.name, predicate.parameters)
        definition = predicate.definition
        closure = reflexive_closure(definition)
        if closure is not None:
            delta = self._closure(closure, reflexive=True, named=atom)
        elif isinstance(definition, f.TransitiveClosure):
            delta = self._closure(definition, reflexive=False, named=atom)
        else:
            delta = self.delta(definition, top=True)
        plus, minus = self.matched(atom, delta.plus), self.matched(atom, delta.minus)
        if isinstance(definition, f.Exists | f.TransitiveClosure):
            plus = make_and(plus, f.Not(atom))
        if isinstance(definition, f.ForAll | f.TransitiveClosure):
            minus = make_and(minus, atom)
        return make_if(atom, make_not(minus), plus)

    def updated(self, atom: f.Atom) -> f.Formula | None:
        update = self.updates.get(atom.predicate)
        if update is None or update.formula is None:
            return None
        return renamed(update.formula, dict(zip(update.parameters, atom.arguments, strict=True)))

    def future(self, formula: f.Formula) -> f.Formula:
        if isinstance(formula, f.Atom):
            update = self.updated(formula)
            return formula if update is None else update
        delta = self.delta(formula)
        return make_if(formula, make_not(delta.minus), delta.plus)

    # --- deltas ---

    def delta(self, formula: f.Formula, *, top: bool = False) -> Delta:
        """`top`: the formula defines a predicate; the caller brings in the predicate's own old value."""
        key = (formula, top)
        found = self._deltas.get(key)
        if found is None:
            found = self._deltas[key] = self._delta(formula, top) if self.affects(formula) else NOTHING
        return found

    def _delta(self, formula: f.Formula, top: bool) -> Delta:
        match formula:
            case f.Truth() | f.Equal():
                return NOTHING
            case f.Atom():
                return self._atom(formula)
            case f.Not(operand):
                inner = self.delta(operand)
                return Delta(inner.minus, inner.plus)
            case f.And(operands):
                return self._and(operands)
            case f.Or(operands):
                closure = reflexive_closure(formula)
                if closure is not None:
                    return self._within(self._closure(closure, reflexive=True), formula, top)
                return self._or(operands)
            case f.Exists(variables, body):
                return self._exists(variables, body, formula, top)
            case f.ForAll(variables, body):
                return self._all(variables, body, formula, top)
            case f.TransitiveClosure():
                return self._within(self._closure(formula, reflexive=False), formula, top)
            case f.Iff(first, second):
                return self.delta(make_and(make_or(make_not(first), second), make_or(make_not(second), first)))
            case f.IfThenElse(condition, then, other):
                return self.delta(make_or(make_and(condition, then), make_and(make_not(condition), other)))

    @staticmethod
    def _within(delta: Delta, formula: f.Formula, top: bool) -> Delta:
        """Values that become true were false, and values that become false were true."""
        if top:
            return delta
        return Delta(make_and(delta.plus, make_not(formula)), make_and(delta.minus, formula))

    def _atom(self, atom: f.Atom) -> Delta:
        update = self.updated(atom)
        if update is None or update == atom:
            return NOTHING
        plus, minus = update, make_not(update)
        match update:
            case f.IfThenElse(condition, then, other) if other == atom:
                plus, minus = make_and(condition, then), make_and(condition, make_not(then))
            case f.IfThenElse(condition, then, other) if condition == atom:
                plus, minus = other, make_not(then)
            case f.Or(operands) if atom in operands:
                plus, minus = make_or(*(o for o in operands if o != atom)), f.FALSE
            case f.And(operands) if atom in operands:
                plus, minus = f.FALSE, make_not(make_and(*(o for o in operands if o != atom)))
        return Delta(make_and(plus, f.Not(atom)), make_and(minus, atom))

    def _and(self, operands: tuple[f.Formula, ...]) -> Delta:
        left, right = make_and(*operands[:-1]), operands[-1]
        if len(operands) == 1:
            return self.delta(right)
        first, second = self.delta(left), self.delta(right)
        minus = make_or(make_and(first.minus, right), make_and(left, second.minus))
        plus = make_or(make_and(first.plus, self.future(right)), make_and(self.future(left), second.plus))
        return Delta(plus, minus)

    def _or(self, operands: tuple[f.Formula, ...]) -> Delta:
        left, right = make_or(*operands[:-1]), operands[-1]
        if len(operands) == 1:
            return self.delta(right)
        first, second = self.delta(left), self.delta(right)
        plus = make_or(make_and(first.plus, make_not(right)), make_and(make_not(left), second.plus))
        minus = make_or(
            make_and(first.minus, make_not(self.future(right))), make_and(make_not(self.future(left)), second.minus)
        )
        return Delta(plus, minus)

    def _exists(self, variables: tuple[str, ...], body: f.Formula, formula: f.Formula, top: bool) -> Delta:
        first, inner = variables[:1], make_exists(variables[1:], body)
        delta = self.delta(inner)
        plus = make_exists(first, delta.plus)
        minus = make_and(make_exists(first, delta.minus), make_not(make_exists(first, self.future(inner))))
        return Delta(plus if top else make_and(plus, make_not(formula)), minus)

    def _all(self, variables: tuple[str, ...], body: f.Formula, formula: f.Formula, top: bool) -> Delta:
        first = variables[:1]
        inner = f.ForAll(variables[1:], body) if len(variables) > 1 else body
        delta = self.delta(inner)
        minus = make_exists(first, delta.minus)
        future = self.future(inner)
        plus = make_and(make_exists(first, delta.plus), f.ForAll(first, future))
        return Delta(plus, minus if top else make_and(minus, formula))

    # --- transitive closure ---

    def _closure(self, closure: f.TransitiveClosure, *, reflexive: bool, named: f.Atom | None = None) -> Delta:
        step = self.delta(closure.body)
        body = closure.body
        if (
            named is not None
            and len(named.arguments) == 2
            and isinstance(body, f.Atom)
            and len(body.arguments) == 2
            and self.vocabulary[body.predicate].acyclic
        ):
            if self._unit(step.plus, step.minus, body):
                return Delta(edge_added(closure, named, step.plus, reflexive), f.FALSE)
            if self._unit(step.minus, step.plus, body):
                return Delta(f.FALSE, edge_removed(closure, named, step.minus, reflexive))
        if step == NOTHING:
            return NOTHING
        ends = (closure.source, closure.target)
        anew = self._anew(closure, reflexive, named, step)
        plus = make_and(make_exists(ends, step.plus), anew)
        lost = self._broken(closure, step) if self.removes else make_exists(ends, step.minus)
        return Delta(plus, make_and(lost, make_not(anew)))

    def _broken(self, closure: f.TransitiveClosure, step: Delta) -> f.Formula:
        """A path may use an edge that goes: the nodes that an action removes are often at its end."""
        source, target, body = closure.source, closure.target, closure.body
        used = all_variables(step.minus) | all_variables(body) | {source, target, closure.left, closure.right}
        first = fresh_variable(used)
        second = fresh_variable(used, {first})

        def path(left: str, right: str) -> f.Formula:
            return make_or(f.Equal(left, right), make_closure(left, right, source, target, body))

        gone = renamed(step.minus, {source: first, target: second})
        return make_exists((first, second), make_and(gone, path(closure.left, first), path(second, closure.right)))

    def _anew(self, closure: f.TransitiveClosure, reflexive: bool, named: f.Atom | None, step: Delta) -> f.Formula:
        """The closure of the future edges. Old paths that use no removed edge help, where they have a name."""
        source, target = closure.source, closure.target
        future = self.future(closure.body)
        if reflexive and named is not None and len(named.arguments) == 2:
            used = all_variables(step.minus) | all_variables(future) | {source, target, closure.left, closure.right}
            first = fresh_variable(used)
            second = fresh_variable(used, {first})
            p = named.predicate
            broken = make_exists(
                (first, second),
                make_and(
                    renamed(step.minus, {source: first, target: second}),
                    f.Atom(p, (source, first)),
                    f.Atom(p, (second, target)),
                    f.Not(f.Equal(first, second)),
                ),
            )
            future = make_or(f.Equal(source, target), future, make_and(f.Atom(p, (source, target)), make_not(broken)))
        again = make_closure(closure.left, closure.right, source, target, future)
        return make_or(f.Equal(closure.left, closure.right), again) if reflexive else again

    def _unit(self, change: f.Formula, opposite: f.Formula, edge: f.Atom) -> bool:
        """At most one edge changes, and none the other way."""
        if opposite != f.FALSE or not set(edge.arguments) <= f.free_variables(change):
            return False
        return set(edge.arguments) <= self.unique_variables(simplified(change), frozenset())

    def unit_addition(self, edge: f.Atom, delta: Delta) -> bool:
        return self._unit(delta.plus, delta.minus, edge)

    def unique_variables(self, formula: f.Formula, known: frozenset[str]) -> frozenset[str]:
        """Variables of which at most one value can satisfy the formula."""
        match formula:
            case f.Equal(left, right):
                return known | {left, right} if left in known or right in known else known
            case f.Atom(name, arguments):
                predicate = self.vocabulary.by_name.get(name)
                if predicate is None:
                    return known | set(arguments) if name == "isNew" and self.one_new else known
                if predicate.arity == 1 and predicate.unique:
                    return known | set(arguments)
                if predicate.arity == 2:
                    left, right = arguments
                    if predicate.function and left in known:
                        return known | {right}
                    if predicate.invfunction and right in known:
                        return known | {left}
                return known
            case f.And(operands):
                while True:
                    before = known
                    for operand in operands:
                        known = self.unique_variables(operand, known)
                    if known == before:
                        return known
            case f.Or(operands):
                return frozenset.intersection(*(self.unique_variables(operand, known) for operand in operands))
            case f.Exists(variables, body):
                inner = self.unique_variables(body, known - set(variables))
                return (inner - set(variables)) | known
            case f.IfThenElse(condition, then, other):
                cases = make_or(make_and(condition, then), make_and(make_not(condition), other))
                return self.unique_variables(cases, known) if not isinstance(cases, f.IfThenElse) else known
            case _:
                return known

    # --- names for formulas ---

    def matched(self, like: f.Atom, formula: f.Formula) -> f.Formula:
        """A formula that defines an instrumentation predicate, by that predicate."""
        if isinstance(formula, f.Atom | f.Equal | f.Truth):
            return formula
        used: frozenset[str] | None = None
        for predicate in self.vocabulary.predicates:
            definition = predicate.definition
            if definition is None or type(definition) is not type(formula):
                continue
            if used is None:
                used = predicates_of(formula)
            if used != predicates_of(definition) or len(f.free_variables(definition)) != len(f.free_variables(formula)):
                continue
            shape = normalized(formula)
            if normalized(definition) == shape:
                return f.Atom(predicate.name, predicate.parameters)
            if predicate.arity == len(like.arguments) > 0:
                names = dict(zip(predicate.parameters, like.arguments, strict=True))
                if normalized(renamed(definition, names)) == shape:
                    return f.Atom(predicate.name, like.arguments)
        return formula
