"""Forward analysis of pointer facts, for arbitrary inputs (section 3.2.2), without a prover.

The abstract states are a few sets of pointer facts at each location, partitioned by the nullness of variables. The
backward analysis uses them as invariants: a structure that is inconsistent with them is not reachable and is dropped.

    known = location_facts(arcs, start=0, variables=3)  # the arcs of the backward analysis
    known[location]                                     # the states of this location

As in the backward analysis, a run ends where it would fail or make a cycle: the obligation is propagated from before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heapwright.engines.infer.algorithm import Arc
from heapwright.engines.infer.heaps import steps
from heapwright.engines.infer.heaps.pointer_facts import (
    ALONE,
    APART,
    AWAY,
    DIFFERENT,
    NEXT,
    NULL,
    PATH,
    SAME,
    Fact,
    PointerFacts,
    closed,
    joined,
)
from heapwright.engines.infer.heaps.structure import HALF, NO, YES

MOST = 48  # states at a location; beyond that they are joined

LocationFacts = dict[int, tuple[tuple[PointerFacts, ...], ...]]
Equalities = dict[int, frozenset[Fact]]
Key = tuple[int, ...]
ALL: Key = ()  # the key of the join of all states of a location


def location_facts(arcs: Sequence[Arc[steps.Step]], start: int, variables: int, fields: int = 1) -> LocationFacts:
    """For each location its pointer facts, field by field. The arcs lead backwards; locations without an entry are
    unreachable. Only the analysis of a field knows that two pointers read from it are equal, or that one differs from
    what it leads to; the others are repeated with that."""
    equal: Equalities = {}
    while True:
        along = [_along(arcs, start, variables, field, equal) for field in range(fields)]
        reached = set.intersection(*(set(known) for known in along))
        found = {location: tuple(known[location] for known in along) for location in sorted(reached)}
        new = {location: _equalities(here) | equal.get(location, frozenset()) for location, here in found.items()}
        if fields == 1 or all(new[location] == equal.get(location, frozenset()) for location in new):
            return found
        equal = new


def _equalities(along: Iterable[Sequence[PointerFacts]]) -> frozenset[Fact]:
    """The equalities and inequalities that hold at a location, as they do in all states of one of the fields."""
    common = [frozenset[Fact].intersection(*(state.facts for state in states)) for states in along]
    return frozenset(fact for facts in common for fact in facts if fact[0] in (SAME, DIFFERENT))


def _along(
    arcs: Sequence[Arc[steps.Step]], start: int, variables: int, field: int, equal: Equalities
) -> dict[int, tuple[PointerFacts, ...]]:
    """The states of each location; `equal` are equalities and inequalities that are known to hold there."""
    leaving: dict[int, list[Arc[steps.Step]]] = {}
    for arc in arcs:
        leaving.setdefault(arc.target, []).append(arc)
    anything = closed((HALF,) * variables, (), field)
    assert anything is not None, "no facts are consistent"
    known: dict[int, dict[Key, PointerFacts]] = {start: {anything.null: anything}}
    pending: list[tuple[int, Key]] = [(start, anything.null)]
    while pending:
        location, key = pending.pop()
        state = known[location].get(key)
        if state is None:
            continue  # it has been joined with the others in the meantime
        for arc in leaving.get(location, ()):
            for found in after(state, steps.plain(arc.step), equal.get(arc.source, frozenset())):
                entered = _entered(known.setdefault(arc.source, {}), found)
                if entered is not None and (arc.source, entered) not in pending:
                    pending.append((arc.source, entered))
    return {location: tuple(here.values()) for location, here in known.items()}


def _entered(here: dict[Key, PointerFacts], found: PointerFacts) -> Key | None:
    """Joins a state with those of a location; its key there, None if it is covered."""
    key = ALL if ALL in here else found.null
    old = here.get(key)
    new = found if old is None else joined(old, found)
    if new == old:
        return None
    here[key] = new
    if len(here) > MOST:
        for other in tuple(here.values()):
            new = joined(new, other)
        here.clear()
        key = ALL
        here[key] = new
    return key


# --- steps -----------------------------------------------------------------------------------------------------------


def after(state: PointerFacts, step: steps.Plain, equal: frozenset[Fact] = frozenset()) -> Iterator[PointerFacts]:
    """Post of a step, after which these facts hold; empty if it is not possible."""
    for null, facts in _after(state, step):
        found = closed(null, [*facts, *equal], state.field)
        if found is not None:
            yield found


Draft = tuple[Sequence[int], Iterable[Fact]]


def _with(null: Sequence[int], variable: int, value: int) -> tuple[int, ...]:
    return (*null[:variable], value, *null[variable + 1 :])


def _after(state: PointerFacts, step: steps.Plain) -> Iterator[Draft]:
    null, facts = state.null, state.facts
    match step:
        case steps.Copy(target, None):
            yield _with(null, target, YES), state.without(target)
        case steps.Copy(target, source) if source is not None:
            if target == source:
                yield null, facts
            else:
                yield _with(null, target, null[source]), [*state.without(target), (SAME, target, source)]
        case steps.HavocVariable(target):
            yield _with(null, target, HALF), state.without(target)
        case steps.IsNull(variable, truth):
            if null[variable] != (NO if truth else YES):
                yield _with(null, variable, YES if truth else NO), facts
        case steps.Same(left, right, truth):
            if left != right:
                yield null, [*facts, (SAME if truth else DIFFERENT, left, right)]
            elif truth:
                yield null, facts
        case steps.Load() | steps.Write() | steps.Release():
            if null[step.base] != YES:
                yield from _dereferenced(state, step)
        case steps.Create(target):
            others = [k for k in range(len(null)) if k != target]
            new = [fact for k in others for fact in ((DIFFERENT, target, k), (AWAY, k, target))]
            ends = [(NEXT, target, NULL), (ALONE, target, NULL)]
            yield _with(null, target, NO), [*state.without(target), *new, *ends]
        case steps.Shape() as shape:
            yield null, [*facts, *_assumed(state, shape)]
        case steps.Idle():
            yield null, facts


def _assumed(state: PointerFacts, shape: steps.Shape) -> list[Fact]:
    if shape.field != state.field:
        return []
    match shape.predicate, shape.truth:
        case "disjoint", True:
            return [(APART, shape.variables[0], shape.variables[1])]
        case "reach", truth if state.null[shape.variables[1]] == NO:
            return [(PATH if truth else AWAY, shape.variables[0], shape.variables[1])]
    return []


def _dereferenced(state: PointerFacts, step: steps.Load | steps.Write | steps.Release) -> Iterator[Draft]:
    """After an access to an object whose pointer is not null."""
    null, facts = _with(state.null, step.base, NO), state.facts
    match step:
        case steps.Load(target, base, field):
            if target is None or field == state.field:
                yield from _read(state, target, base)
            else:
                yield _with(null, target, HALF), [*state.without(target), *_unlike_new(state, target)]
        case steps.Write(base, value, field) if field == state.field:
            yield from _written(state, base, value)
        case steps.Write(_, value):
            yield null, [fact for fact in facts if fact[0] is not ALONE or _stays(fact, value, facts)]
        case steps.Release(base):
            yield from _written(state, base, None)


def _unlike_new(state: PointerFacts, target: int) -> list[Fact]:
    """The value of a field is no object to which no field points."""
    return [(DIFFERENT, target, one) for kind, one, _ in state.facts if kind is ALONE and one != target]


def _stays(alone: Fact, value: int | None, facts: frozenset[Fact]) -> bool:
    """Whether still no field points to an object after a field was set to a value."""
    return value is None or (DIFFERENT, value, alone[1]) in facts


def _read(state: PointerFacts, target: int | None, base: int) -> Iterator[Draft]:
    null, facts = _with(state.null, base, NO), state.facts
    if target is None:
        yield null, facts
        return
    ends = [other for kind, one, other in facts if kind is NEXT and one == base]
    if ends:
        copy = steps.Copy(target, None if NULL in ends else min(ends))
        yield from _after(PointerFacts(null, facts, state.field), copy)
        return
    kept = state.without(target)
    holders = {base, *(one for kind, one, other in facts if kind is SAME and other == base)} - {target}
    yield _with(null, target, YES), [*kept, *((NEXT, one, NULL) for one in holders)]
    found: list[Fact] = [(NEXT, one, target) for one in holders]
    for kind, one, other in {*facts, (PATH, base, base)}:
        if kind is PATH and other == base and one != target:
            found += [(PATH, one, target), (DIFFERENT, one, target)]
        elif kind is PATH and one == base and (DIFFERENT, base, other) in facts and other != target:
            found.append((PATH, target, other))
        elif kind in (AWAY, APART) and one == base and other != target:
            found.append((kind, target, other))
    yield _with(null, target, NO), [*kept, *found, *_unlike_new(state, target)]


def _written(state: PointerFacts, base: int, value: int | None) -> Iterator[Draft]:
    """Post of a write in the runs that continue: the value does not reach the written object."""
    no_cycle: list[Fact] = [] if value is None else [(AWAY, value, base)]
    before = closed(_with(state.null, base, NO), [*state.facts, *no_cycle])
    if before is None or base == value:
        return
    size = range(len(before.null))
    away = {(one, other) for kind, one, other in before.facts if kind is AWAY}
    apart = {(one, other) for kind, one, other in before.facts if kind is APART}
    ends = value is None or before.null[value] == YES
    free = {k for k in size if k != base and (k, base) in away}  # variables that do not reach the written object

    def off(k: int) -> bool:
        """No object is reachable from both the new successor and k."""
        return ends or (value, k) in apart

    kept: list[Fact] = [(NEXT, base, NULL if value is None else value)]
    for fact in before.facts:
        kind, one, other = fact
        match kind.name:
            case "SAME" | "DIFFERENT":
                kept.append(fact)
            case "ALONE":
                kept += [fact] if _stays(fact, value, before.facts) else []
            case "NEXT":
                kept += [fact] if (DIFFERENT, one, base) in before.facts else []
            case "PATH":
                kept += [fact] if one in free or other == base or (PATH, other, base) in before.facts else []
            case "AWAY":
                kept += [fact] if one in free or ends or (value, other) in away else []
            case _:
                safe = one in free and other in free
                half = (one in free and off(one)) or (other in free and off(other))
                kept += [fact] if safe or ends or half else []
    for k in free:
        kept += [(APART, base, k)] if off(k) else []
    for k in size:
        if (DIFFERENT, base, k) in before.facts and (ends or (value, k) in away):
            kept.append((AWAY, base, k))
    yield before.null, kept
