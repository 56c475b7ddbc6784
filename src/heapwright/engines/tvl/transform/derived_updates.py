"""Derived updates: those of instrumentation predicates that an action does not give, and warnings.

If an action adds or removes nodes, predicates that depend on isolated nodes are evaluated by their definitions
(`universe_changes` determines which), and the others get their values on new nodes from them.

>>> from heapwright.logic.formulas import And, Exists, text
>>> vocabulary = Vocabulary((Predicate("x", 1), Predicate("y", 1), Predicate("n", 2),
...     Predicate("r", 1, Exists(("u",), And((Atom("x", ("u",)), Atom("n", ("u", "v"))))), ("v",))))
>>> clear = Action("x = null", updates=(Update("x", ("v",), FALSE),))
>>> [f"{u.predicate}({','.join(u.parameters)}) = {text(u.formula)}" for u in difference(vocabulary, clear).updates]
['r(v) = (r(v) & ((A(u) (!x(u) | !n(u,v))) | (E(u) (x(u) & n(u,v) & (!x(u) | !n(u,v))))))']
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from heapwright.base.immutable import Immutable
from heapwright.engines.tvl.constraints.integrity_constraints import closure_of
from heapwright.engines.tvl.formulas.dependencies import definition_order, predicates_of
from heapwright.engines.tvl.formulas.rewriting import make_and, make_exists, make_or
from heapwright.engines.tvl.transform.finite_differencing import Differencing
from heapwright.engines.tvl.transform.universe_changes import ignores_isolated, isolating
from heapwright.logic.actions import Action, Message, Update
from heapwright.logic.formulas import FALSE, Atom, Equal, Formula, TransitiveClosure, free_variables
from heapwright.logic.vocabulary import Predicate, Vocabulary


class DerivedUpdates(Immutable):
    """`recomputed` are predicates to evaluate by their definitions after all else, since they depend on added
    or removed nodes; `completed` those whose values on new nodes come from their definitions. Both in the order of
    definitions."""

    updates: tuple[Update, ...]
    messages: tuple[Message, ...] = ()  # of cycles that the action may close
    completed: tuple[Predicate, ...] = ()
    recomputed: tuple[Predicate, ...] = ()


def difference(vocabulary: Vocabulary, action: Action) -> DerivedUpdates:
    """Derived updates of the instrumentation predicates that the action does not update itself."""
    supplied = {u.predicate: u for u in action.updates}
    known = {name: u for name, u in supplied.items() if not u.derived}
    changes = action.new is not None or action.retain is not None
    one_new = action.new is not None and action.new.formula is None
    work = Differencing(vocabulary, known, one_new, action.retain is not None)
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
            cloned = action.new is not None and action.new.clone
            if cloned or any(p.name in used for p in recomputed) or not ignores_isolated(vocabulary, definition):
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
    return DerivedUpdates(tuple(found), tuple(messages), tuple(completed), tuple(recomputed))


def defining(vocabulary: Vocabulary, names: Collection[str]) -> Vocabulary:
    """A vocabulary in which only some instrumentation predicates are defined. The others count as core predicates:
    actions give their updates."""
    from dataclasses import replace

    return Vocabulary(
        tuple(
            predicate if predicate.name in names else replace(predicate, definition=None, parameters=())
            for predicate in vocabulary.predicates
        )
    )


def closed_cycle(work: Differencing, predicate: Predicate, known: Mapping[str, Update]) -> list[Message]:
    """A warning if an action may close a cycle of a predicate that is declared acyclic."""
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
