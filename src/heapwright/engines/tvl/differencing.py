"""Finite differencing: update formulas for instrumentation predicates, derived from the updates of what they are
defined by (Reps, Sagiv, Loginov: Finite differencing of logical formulas for static analysis).

For a predicate p defined by f, two formulas are derived: where p becomes true and where it becomes false; then p' is
`p ? !minus : plus`, which keeps the old value, often sharper than f evaluated anew. Rules go by the form of f. The
closure of an acyclic predicate that gains or loses one edge has exact formulas (Dong and Su); any other change of a
closure evaluates it anew. Where an action makes or removes nodes, see `universe`.

>>> from heapwright.logic.formulas import text
>>> vocabulary = Vocabulary((Predicate("x", 1), Predicate("y", 1), Predicate("n", 2),
...     Predicate("r", 1, Exists(("u",), And((Atom("x", ("u",)), Atom("n", ("u", "v"))))), ("v",))))
>>> clear = Action("x = null", updates=(Update("x", ("v",), FALSE),))
>>> [f"{u.predicate}({','.join(u.parameters)}) = {text(u.formula)}" for u in derived_updates(vocabulary, clear)]
['r(v) = (r(v) & (A(u) (!x(u) | !n(u,v)) | E(u) (x(u) & n(u,v) & (!x(u) | !n(u,v)))))']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from heapwright.engines.tvl.constraints import closure_of
from heapwright.engines.tvl.normal_forms import (
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
from heapwright.engines.tvl.universe import ignores_isolated, isolating
from heapwright.errors import InputError
from heapwright.logic.actions import Action, Message, Update
from heapwright.logic.formulas import (
    FALSE,
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Formula,
    Iff,
    IfThenElse,
    Not,
    Or,
    TransitiveClosure,
    Truth,
    free_variables,
)
from heapwright.logic.vocabulary import Predicate, Vocabulary


@dataclass(frozen=True, slots=True)
class Delta:
    """Where a formula becomes true, and where it becomes false."""

    plus: Formula
    minus: Formula


NOTHING = Delta(FALSE, FALSE)


@cache
def predicates_of(formula: Formula) -> frozenset[str]:
    match formula:
        case Truth() | Equal():
            return frozenset()
        case Atom(predicate, _):
            return frozenset((predicate,))
        case Not(operand):
            return predicates_of(operand)
        case And(operands) | Or(operands):
            return frozenset[str]().union(*(predicates_of(operand) for operand in operands))
        case Iff(first, second):
            return predicates_of(first) | predicates_of(second)
        case IfThenElse(condition, then, other):
            return predicates_of(condition) | predicates_of(then) | predicates_of(other)
        case Exists(_, body) | ForAll(_, body):
            return predicates_of(body)
        case TransitiveClosure(_, _, _, _, body):
            return predicates_of(body)


def definition_order(vocabulary: Vocabulary) -> tuple[Predicate, ...]:
    """Instrumentation predicates, each after those that its definition uses."""
    ordered: list[Predicate] = []
    waiting = {p.name: p for p in vocabulary.predicates if p.definition is not None}
    needs = {name: set(predicates_of(p.definition or FALSE)) & waiting.keys() for name, p in waiting.items()}
    while waiting:
        ready = [p for name, p in waiting.items() if not needs[name] & waiting.keys()]
        if not ready:
            first = min(waiting)
            raise InputError(f"the definition of {first} depends on itself", waiting[first].span)
        ordered.extend(ready)
        for predicate in ready:
            del waiting[predicate.name]
    return tuple(ordered)


class Differencing:
    """The derivations for one action: `updates` is what is known of it so far."""

    def __init__(self, vocabulary: Vocabulary, updates: Mapping[str, Update], one_new: bool = False) -> None:
        self.vocabulary = vocabulary
        self.one_new = one_new  # the action makes one node
        self.updates = dict(updates)
        self._deltas: dict[tuple[Formula, bool], Delta] = {}

    def affects(self, formula: Formula) -> bool:
        """Does the action update anything that the formula mentions?"""
        return not self.updates.keys().isdisjoint(predicates_of(formula))

    def learn(self, update: Update) -> None:
        self.updates[update.predicate] = update
        self._deltas.clear()

    # --- updates and futures ---

    def derive(self, predicate: Predicate) -> Formula:
        """The value of an instrumentation predicate after the action, as a formula over the values before it."""
        assert predicate.definition is not None
        atom = Atom(predicate.name, predicate.parameters)
        definition = predicate.definition
        closure = reflexive_closure(definition)
        if closure is not None:
            delta = self._closure(closure, reflexive=True, named=atom)
        elif isinstance(definition, TransitiveClosure):
            delta = self._closure(definition, reflexive=False, named=atom)
        else:
            delta = self.delta(definition, top=True)
        plus, minus = self.matched(atom, delta.plus), self.matched(atom, delta.minus)
        if isinstance(definition, Exists | TransitiveClosure):
            plus = make_and(plus, Not(atom))
        if isinstance(definition, ForAll | TransitiveClosure):
            minus = make_and(minus, atom)
        return make_if(atom, make_not(minus), plus)

    def updated(self, atom: Atom) -> Formula | None:
        update = self.updates.get(atom.predicate)
        if update is None or update.formula is None:
            return None
        return renamed(update.formula, dict(zip(update.parameters, atom.arguments, strict=True)))

    def future(self, formula: Formula) -> Formula:
        if isinstance(formula, Atom):
            update = self.updated(formula)
            return formula if update is None else update
        delta = self.delta(formula)
        return make_if(formula, make_not(delta.minus), delta.plus)

    # --- deltas ---

    def delta(self, formula: Formula, *, top: bool = False) -> Delta:
        """`top`: the formula defines a predicate; the caller brings in the predicate's own old value."""
        key = (formula, top)
        found = self._deltas.get(key)
        if found is None:
            found = self._deltas[key] = self._delta(formula, top) if self.affects(formula) else NOTHING
        return found

    def _delta(self, formula: Formula, top: bool) -> Delta:
        match formula:
            case Truth() | Equal():
                return NOTHING
            case Atom():
                return self._atom(formula)
            case Not(operand):
                inner = self.delta(operand)
                return Delta(inner.minus, inner.plus)
            case And(operands):
                return self._and(operands)
            case Or(operands):
                closure = reflexive_closure(formula)
                if closure is not None:
                    return self._within(self._closure(closure, reflexive=True), formula, top)
                return self._or(operands)
            case Exists(variables, body):
                return self._exists(variables, body, formula, top)
            case ForAll(variables, body):
                return self._all(variables, body, formula, top)
            case TransitiveClosure():
                return self._within(self._closure(formula, reflexive=False), formula, top)
            case Iff(first, second):
                return self.delta(make_and(make_or(make_not(first), second), make_or(make_not(second), first)))
            case IfThenElse(condition, then, other):
                return self.delta(make_or(make_and(condition, then), make_and(make_not(condition), other)))

    @staticmethod
    def _within(delta: Delta, formula: Formula, top: bool) -> Delta:
        """What becomes true was false, and what becomes false was true."""
        if top:
            return delta
        return Delta(make_and(delta.plus, make_not(formula)), make_and(delta.minus, formula))

    def _atom(self, atom: Atom) -> Delta:
        update = self.updated(atom)
        if update is None or update == atom:
            return NOTHING
        plus, minus = update, make_not(update)
        match update:
            case IfThenElse(condition, then, other) if other == atom:
                plus, minus = make_and(condition, then), make_and(condition, make_not(then))
            case IfThenElse(condition, then, other) if condition == atom:
                plus, minus = other, make_not(then)
            case Or(operands) if atom in operands:
                plus, minus = make_or(*(o for o in operands if o != atom)), FALSE
            case And(operands) if atom in operands:
                plus, minus = FALSE, make_not(make_and(*(o for o in operands if o != atom)))
        return Delta(make_and(plus, Not(atom)), make_and(minus, atom))

    def _and(self, operands: tuple[Formula, ...]) -> Delta:
        left, right = make_and(*operands[:-1]), operands[-1]
        if len(operands) == 1:
            return self.delta(right)
        first, second = self.delta(left), self.delta(right)
        minus = make_or(make_and(first.minus, right), make_and(left, second.minus))
        plus = make_or(make_and(first.plus, self.future(right)), make_and(self.future(left), second.plus))
        return Delta(plus, minus)

    def _or(self, operands: tuple[Formula, ...]) -> Delta:
        left, right = make_or(*operands[:-1]), operands[-1]
        if len(operands) == 1:
            return self.delta(right)
        first, second = self.delta(left), self.delta(right)
        plus = make_or(make_and(first.plus, make_not(right)), make_and(make_not(left), second.plus))
        minus = make_or(
            make_and(first.minus, make_not(self.future(right))), make_and(make_not(self.future(left)), second.minus)
        )
        return Delta(plus, minus)

    def _exists(self, variables: tuple[str, ...], body: Formula, formula: Formula, top: bool) -> Delta:
        first, inner = variables[:1], make_exists(variables[1:], body)
        delta = self.delta(inner)
        plus = make_exists(first, delta.plus)
        minus = make_and(make_exists(first, delta.minus), make_not(make_exists(first, self.future(inner))))
        return Delta(plus if top else make_and(plus, make_not(formula)), minus)

    def _all(self, variables: tuple[str, ...], body: Formula, formula: Formula, top: bool) -> Delta:
        first = variables[:1]
        inner = ForAll(variables[1:], body) if len(variables) > 1 else body
        delta = self.delta(inner)
        minus = make_exists(first, delta.minus)
        future = self.future(inner)
        plus = make_and(make_exists(first, delta.plus), ForAll(first, future))
        return Delta(plus, minus if top else make_and(minus, formula))

    # --- transitive closure ---

    def _closure(self, closure: TransitiveClosure, *, reflexive: bool, named: Atom | None = None) -> Delta:
        step = self.delta(closure.body)
        body = closure.body
        if (
            named is not None
            and len(named.arguments) == 2
            and isinstance(body, Atom)
            and len(body.arguments) == 2
            and self.vocabulary[body.predicate].acyclic
        ):
            if self._unit(step.plus, step.minus, body):
                return Delta(edge_added(closure, named, step.plus, reflexive), FALSE)
            if self._unit(step.minus, step.plus, body):
                return Delta(FALSE, edge_removed(closure, named, step.minus, reflexive))
        if step == NOTHING:
            return NOTHING
        ends = (closure.source, closure.target)
        anew = self._anew(closure, reflexive, named, step)
        plus = make_and(make_exists(ends, step.plus), anew)
        minus = make_and(make_exists(ends, step.minus), make_not(anew))
        return Delta(plus, minus)

    def _anew(self, closure: TransitiveClosure, reflexive: bool, named: Atom | None, step: Delta) -> Formula:
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
                    Atom(p, (source, first)),
                    Atom(p, (second, target)),
                    Not(Equal(first, second)),
                ),
            )
            future = make_or(Equal(source, target), future, make_and(Atom(p, (source, target)), make_not(broken)))
        again = make_closure(closure.left, closure.right, source, target, future)
        return make_or(Equal(closure.left, closure.right), again) if reflexive else again

    def _unit(self, change: Formula, opposite: Formula, edge: Atom) -> bool:
        """At most one edge changes, and none the other way."""
        if opposite != FALSE or not set(edge.arguments) <= free_variables(change):
            return False
        return set(edge.arguments) <= self.unique_variables(simplified(change), frozenset())

    def unit_addition(self, edge: Atom, delta: Delta) -> bool:
        return self._unit(delta.plus, delta.minus, edge)

    def unique_variables(self, formula: Formula, known: frozenset[str]) -> frozenset[str]:
        """Variables of which at most one value can satisfy the formula."""
        match formula:
            case Equal(left, right):
                return known | {left, right} if left in known or right in known else known
            case Atom(name, arguments):
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
            case And(operands):
                while True:
                    before = known
                    for operand in operands:
                        known = self.unique_variables(operand, known)
                    if known == before:
                        return known
            case Or(operands):
                return frozenset.intersection(*(self.unique_variables(operand, known) for operand in operands))
            case Exists(variables, body):
                inner = self.unique_variables(body, known - set(variables))
                return (inner - set(variables)) | known
            case IfThenElse(condition, then, other):
                cases = make_or(make_and(condition, then), make_and(make_not(condition), other))
                return self.unique_variables(cases, known) if not isinstance(cases, IfThenElse) else known
            case _:
                return known

    # --- names for formulas ---

    def matched(self, like: Atom, formula: Formula) -> Formula:
        """A formula that defines an instrumentation predicate, by that predicate."""
        if isinstance(formula, Atom | Equal | Truth):
            return formula
        shape = normalized(formula)
        for predicate in self.vocabulary.predicates:
            definition = predicate.definition
            if definition is None or len(free_variables(definition)) != len(free_variables(formula)):
                continue
            if normalized(definition) == shape:
                return Atom(predicate.name, predicate.parameters)
            if predicate.arity == len(like.arguments) > 0:
                names = dict(zip(predicate.parameters, like.arguments, strict=True))
                if normalized(renamed(definition, names)) == shape:
                    return Atom(predicate.name, like.arguments)
        return formula


def edge_added(closure: TransitiveClosure, named: Atom, plus: Formula, reflexive: bool) -> Formula:
    """Pairs that a path over one new edge connects."""
    left, right = named.arguments
    used = all_variables(plus) | {left, right, closure.source, closure.target}
    u = fresh_variable(used)
    v = fresh_variable(used, {u})

    def path(source: str, target: str) -> Formula:
        return Atom(named.predicate, (source, target))

    def edge(source: str, target: str) -> Formula:
        return renamed(plus, {closure.source: source, closure.target: target})

    middle = make_exists((u, v), make_and(path(left, u), edge(u, v), path(v, right)))
    if reflexive:
        return middle
    tail = make_exists((u,), make_and(path(left, u), edge(u, right)))
    head = make_exists((v,), make_and(edge(left, v), path(v, right)))
    return make_or(tail, head, middle, edge(left, right))


def edge_removed(closure: TransitiveClosure, named: Atom, minus: Formula, reflexive: bool) -> Formula:
    """Pairs that lose their last path when one edge goes. Suspicious are those that a path over it connected; the
    others, and the edges that stay, are trusty; at most three trusty pairs in a row connect whatever is connected."""
    left, right = named.arguments
    assert isinstance(closure.body, Atom)
    used = set(all_variables(minus) | {left, right, closure.source, closure.target})
    u, v, w, z = (make_fresh(used) for _ in range(4))

    def path(source: str, target: str) -> Formula:
        return Atom(named.predicate, (source, target))

    ends = {closure.source: left, closure.target: right}
    gone = renamed(minus, {closure.source: w, closure.target: z})
    suspicious = make_exists((w, z), make_and(path(left, w), gone, path(z, right)))
    stays = make_and(renamed(closure.body, ends), make_not(renamed(minus, ends)))
    trusty = make_or(make_and(path(left, right), make_not(suspicious)), stays)

    def trusted(source: str, target: str) -> Formula:
        return renamed(trusty, {left: source, right: target})

    three = make_exists((u, v), make_and(trusted(left, u), trusted(u, v), trusted(v, right)))
    if reflexive:
        return make_not(three)
    two = make_exists((u,), make_and(trusted(left, u), trusted(u, right)))
    return make_not(make_or(trusty, two, three))


def make_fresh(used: set[str]) -> str:
    name = fresh_variable(used)
    used.add(name)
    return name


def derived_updates(vocabulary: Vocabulary, action: Action) -> tuple[Update, ...]:
    """Updates for the instrumentation predicates that the action does not update itself."""
    return difference(vocabulary, action).updates


@dataclass(frozen=True, slots=True)
class Derived:
    """`recomputed` are predicates to evaluate by their definitions after all else, since they notice that nodes came
    or went; `completed` those whose values on new nodes come from their definitions. Both in the order of
    definitions."""

    updates: tuple[Update, ...]
    messages: tuple[Message, ...] = ()  # of cycles that the action may close
    completed: tuple[Predicate, ...] = ()
    recomputed: tuple[Predicate, ...] = ()


def difference(vocabulary: Vocabulary, action: Action) -> Derived:
    supplied = {u.predicate: u for u in action.updates}
    known = {name: u for name, u in supplied.items() if not u.derived}
    changes = action.new is not None or action.retain is not None
    one_new = action.new is not None and action.new.formula is None
    work = Differencing(vocabulary, known, one_new)
    if action.retain is not None:
        for update in isolating(vocabulary, action):
            work.learn(update)
    found: list[Update] = []
    completed: list[Predicate] = []
    recomputed: list[Predicate] = []
    for predicate in definition_order(vocabulary):
        definition = predicate.definition
        if predicate.name in known or definition is None:
            continue
        if changes:
            used = predicates_of(definition)
            if any(p.name in used for p in recomputed) or not ignores_isolated(vocabulary, definition):
                recomputed.append(predicate)
                continue
            completed.append(predicate)
        if not work.affects(definition):
            continue
        formula = work.derive(predicate)
        if formula == Atom(predicate.name, predicate.parameters):
            continue
        update = Update(predicate.name, predicate.parameters, formula)
        work.learn(update)
        found.append(update)
    messages = [m for p in vocabulary.predicates if p.acyclic for m in closed_cycle(work, p, known)]
    if action.new is None:
        completed = []
    return Derived(tuple(found), tuple(messages), tuple(completed), tuple(recomputed))


def closed_cycle(work: Differencing, predicate: Predicate, known: Mapping[str, Update]) -> list[Message]:
    """A warning where an action may close a cycle of a predicate that is said to have none."""
    left, right = predicate.parameters if predicate.definition is not None else ("#1", "#2")
    edge = Atom(predicate.name, (left, right))
    delta = work.delta(predicate.definition if predicate.definition is not None else edge)
    if delta.plus == FALSE:
        return []
    name = closure_of(predicate.name, work.vocabulary)
    back: Formula
    if name:
        back = Atom(name, (right, left))
    else:
        inner = TransitiveClosure(right, left, "#a", "#b", Atom(predicate.name, ("#a", "#b")))
        back = make_or(Equal(right, left), inner)
    if name in known or not work.unit_addition(edge, delta):
        back = work.future(back)
    condition = make_and(delta.plus, back)
    closed = make_exists(tuple(sorted(free_variables(condition))), condition)
    return [Message(closed, f"Closed cycle for acyclic predicate {predicate.name}")]
