"""3-valued structures as a domain of the algorithm: section 4 of the paper.

A pair of heaps is described by two structures with the same nodes, one before the step and one after it; they agree on
the columns that the step does not modify. Steps without heap access (`x = y`, a test for null) are transformed exactly;
for the others, the modified columns of the sought half are indefinite, to be sharpened by the prover. Backwards the
sought half is the one before the step, forwards the one after it (`abstract_transformer`).

Focus (4.2) makes the nodes of those variables definite that take part in a step, and of no others: the change of a
field is relative to their nodes, which are materialised and belong to the footprint.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from heapwright.engines.infer.algorithm import Direction
from heapwright.engines.infer.heaps import abstract_transformer as stepping
from heapwright.engines.infer.heaps import steps
from heapwright.engines.infer.heaps import structure as shapes
from heapwright.engines.infer.heaps.abstract_transformer import dereferenced, met
from heapwright.engines.infer.heaps.canonical_abstraction import blur, covers
from heapwright.engines.infer.heaps.pairs import PATHS, Assertion, Pair, touched
from heapwright.engines.infer.heaps.pointer_facts import sharpened
from heapwright.engines.infer.heaps.structure import HALF, NO, YES, Structure, Vocabulary


@dataclass(frozen=True, slots=True)
class Shapes:
    vocabulary: Vocabulary

    # --- extend ----------------------------------------------------------------------------------------------------

    def extend(self, element: Structure, step: steps.Step, direction: Direction) -> list[Pair]:
        taken = steps.plain(step)
        if direction is Direction.FORWARD:
            return self._ahead(element, step)
        if isinstance(taken, steps.Create):
            return self._possible(self._uncreated(element, taken.target), step)
        before = self._before(element, taken)
        pair = None if before is None else self._settled(Pair(before, element), taken)
        return [] if pair is None else self._possible([pair], step)

    def _ahead(self, element: Structure, step: steps.Step) -> list[Pair]:
        """Forward extension: the element before a step, and its post as far as it needs no prover."""
        given = (
            sharpened(step.guards, element, self.vocabulary.ghosts) if isinstance(step, steps.GuardedStep) else element
        )
        taken = steps.plain(step)
        if given is None:
            return []
        if touched(taken, self.vocabulary):
            before = stepping.possible(given, taken)
            open_ = None if before is None else stepping.opened(before, taken, self.vocabulary)
            pair = None if before is None or open_ is None else self._settled(Pair(before, open_, ahead=True), taken)
            return [] if pair is None else [pair]
        found = [shapes.normalise(one) for one in stepping.named(given, taken, self.vocabulary)]
        return [Pair(one, one) for one in found if one is not None]

    def _before(self, after: Structure, step: steps.Plain) -> Structure | None:
        """Pre-image as far as it needs no prover; None if the step cannot lead to the structure."""
        match step:
            case steps.Copy(target, None):
                return None if _never_null(after, target) else shapes.forget(after, target)
            case steps.Copy(target, source) if source is not None:
                return _copied(after, target, source)
            case steps.HavocVariable(target):
                return shapes.forget(after, target)
            case steps.Load(target, base):
                before = after if target is None else shapes.forget(after, target)
                return dereferenced(before, base) if target != base else before
            case steps.Write(base, _, field):
                return dereferenced(shapes.forget_paths(after, field), base)
            case steps.Release(base):
                for field in range(self.vocabulary.fields):
                    after = shapes.forget_paths(after, field)
                return dereferenced(self._undo_release(after), base)
            case steps.IsNull(variable, truth):
                wanted = YES if truth else NO
                return shapes.with_null(after, variable, wanted) if after.null[variable] in (HALF, wanted) else None
            case _:
                return after

    def _uncreated(self, after: Structure, target: int) -> list[Pair]:
        """One case for each node that may hold the new object, which was unreachable before."""
        at, found = self.vocabulary.at(target), list[Pair]()
        for i, node in enumerate(after.nodes):
            if node.values[at] == NO or after.null[target] == YES:
                continue
            drafts = [(after, i)]
            if not node.single:
                drafts.append((shapes.bifurcate(after, i), len(after.nodes)))
            for structure, new in drafts:
                single = shapes.with_marks(structure, new, single=True, footprint=node.footprint)
                created = shapes.normalise(shapes.with_value(single, new, at, YES))
                before = None if created is None else self._without(created, target, new)
                settled = None if before is None else shapes.normalise(before)
                if settled is not None:
                    found.append(Pair(settled, settled))
        return found

    def _without(self, after: Structure, target: int, new: int) -> Structure | None:
        """The structure before the allocation of the object at a node; None if that cannot be a new one."""
        alloc = self.vocabulary.alloc
        if after.nodes[new].values[alloc] == NO:
            return None
        # The target may have pointed to any object but the new one.
        before = shapes.with_value(shapes.forget(after, target), new, alloc, HALF)
        return stepping.alone(before, new, self.vocabulary)

    def _undo_release(self, after: Structure) -> Structure:
        """Allocated objects were allocated before; the others may have been."""
        alloc = self.vocabulary.alloc
        for i, node in enumerate(after.nodes):
            if node.values[alloc] == NO:
                after = shapes.with_value(after, i, alloc, HALF)
        return after

    def exact(self, step: steps.Step) -> bool:
        step = steps.plain(step)
        return not isinstance(step, steps.Load | steps.Write | steps.Release | steps.Same | steps.Shape) or (
            isinstance(step, steps.Load) and step.target is None
        )

    # --- sharpen ---------------------------------------------------------------------------------------------------

    def assertions(self, pair: Pair, step: steps.Step) -> Sequence[Assertion]:
        sought = pair.sought
        found: list[Assertion] = []
        columns = self._columns(pair, steps.plain(step))
        for k, value in enumerate(sought.null):
            if value == HALF and sought.at(k) in columns:
                found += [(0, k, 0, NO), (0, k, 0, YES)]
        for i, node in enumerate(sought.nodes):
            for column in sorted(columns):
                if node.values[column] == HALF:
                    found += [(1, i, column, NO), (1, i, column, YES)]
        for field, path in enumerate(sought.paths):
            for i, row in enumerate(path):
                for j, value in enumerate(row):
                    if value == HALF and i != j:
                        found += [(PATHS + field, i, j, NO), (PATHS + field, i, j, YES)]
        return found

    def _columns(self, pair: Pair, step: steps.Plain) -> set[int]:
        """Columns that may be sharpened: of the variables that take part, and of those with a definite value."""
        variables = set(_participants(step))
        variables |= {k for k in range(len(self.vocabulary.variables)) if _known(pair, k)}
        columns = {column for k in variables for column in pair.before.columns(k)}
        if self.vocabulary.allocation:
            columns.add(self.vocabulary.alloc)
        if self.vocabulary.cyclic:
            columns.add(self.vocabulary.ends)
        return columns

    def impose(self, pair: Pair, assertion: Assertion) -> Pair:
        kind, first, second, value = assertion
        sought = pair.sought
        if kind == 0:
            sought = shapes.with_null(sought, first, value)
        elif kind == 1:
            sought = shapes.with_value(sought, first, second, value)
        else:
            sought = shapes.with_path(sought, first, second, value, kind - PATHS)
        return replace(pair, after=sought) if pair.ahead else replace(pair, before=sought)

    # --- focus -----------------------------------------------------------------------------------------------------

    def focus(self, pair: Pair, step: steps.Step) -> Sequence[Pair]:
        taken = steps.plain(step)
        if pair.ahead:
            settled = self._settled(pair, taken)  # values sharpened after the step may imply values before it
            if settled is None:
                return ()
            pair = settled
        for variable in self._focus_variables(pair, taken):
            cases = self._positions(pair, variable, taken)
            if cases is not None:
                return self._possible(cases, step)
        if pair.ahead and isinstance(taken, steps.Load) and taken.target is not None:
            cases = self._positions(pair, taken.target, taken, ahead=True)
            if cases is not None:
                return cases
        for field in self._written(taken):
            known = pair.before if pair.ahead else pair.after
            cases = self._reaching(pair, taken, field) if _knows_paths(known, field) else None
            if cases is not None:
                return self._possible(cases, step)
        return (pair,)

    def _written(self, step: steps.Plain) -> Sequence[int]:
        """The fields that a step changes."""
        match step:
            case steps.Write(_, _, field):
                return (field,)
            case steps.Release():
                return range(self.vocabulary.fields)
            case _:
                return ()

    def _reaching(self, pair: Pair, step: steps.Plain, field: int) -> list[Pair] | None:
        """Focus on the first indefinite value that the update formula of a write depends on: whether a variable reaches
        the written object, and whether that reached an object of the footprint that is definite in the given half
        only."""
        if not isinstance(step, steps.Write | steps.Release):
            return None
        nodes, at = pair.before.nodes, self.vocabulary.at(step.base)
        here = next((i for i, node in enumerate(nodes) if node.values[at] == YES), None)
        if here is None:
            return None
        leaving = self.vocabulary.reach(step.base, field)
        for column in self.vocabulary.reaching(field):
            for i, (old, new) in enumerate(zip(nodes, pair.after.nodes, strict=True)):
                open_, given = (new, old) if pair.ahead else (old, new)
                if not old.footprint or open_.values[column] != HALF or given.values[column] == HALF:
                    continue
                for index, open_column in ((here, column), *(((i, leaving),) if old.single else ())):
                    if nodes[index].values[open_column] == HALF:
                        cases = [
                            replace(pair, before=shapes.with_value(pair.before, index, open_column, value))
                            for value in (NO, YES)
                        ]
                        return [one for one in (self._settled(case, step) for case in cases) if one is not None]
        return None

    def _focus_variables(self, pair: Pair, step: steps.Plain) -> Sequence[int]:
        """Variables to focus on; none if the values that the step modifies are indefinite."""
        match step:
            case steps.Load(target, base, field) if target is not None and pair.ahead:
                return (base,) if _knows_position(pair.before, base) or _knows_paths(pair.before, field) else ()
            case steps.Load(target, base) if target is not None and shapes.knows(pair.after, target):
                return (base,)
            case steps.Write(base) | steps.Release(base):
                given = pair.before if pair.ahead else pair.after
                return (base,) if any(_knows_paths(given, one) for one in self._written(step)) else ()
            case steps.Same(left, right):
                return (left, right)
            case _:
                return ()

    def _positions(self, pair: Pair, variable: int, step: steps.Plain, *, ahead: bool = False) -> list[Pair] | None:
        """Case split on the node of a variable, before the step or after it; None if it is definite."""
        at = self.vocabulary.at(variable)
        half = pair.after if ahead else pair.before
        if half.null[variable] == YES or any(node.values[at] == YES for node in half.nodes):
            return None
        drafts: list[Pair] = []
        if half.null[variable] == HALF:
            drafts.append(_with_half(pair, shapes.with_null(half, variable, YES), ahead))
        for i, node in enumerate(half.nodes):
            if node.values[at] == NO:
                continue
            drafts.append(_at(pair, i, at, ahead))
            if not node.single:
                split = Pair(shapes.bifurcate(pair.before, i), shapes.bifurcate(pair.after, i), pair.ahead)
                drafts.append(_at(split, len(half.nodes), at, ahead))
        return [case for case in (self._settled(draft, step) for draft in drafts) if case is not None]

    def _possible(self, pairs: Iterable[Pair], step: steps.Step) -> list[Pair]:
        """The pairs that are consistent with the pointer facts before the step, sharpened by them."""
        if not isinstance(step, steps.GuardedStep):
            return list(pairs)
        found = []
        for pair in pairs:
            before = sharpened(step.guards, pair.before, self.vocabulary.ghosts)
            settled = None if before is None else self._settled(replace(pair, before=before), steps.plain(step))
            if settled is not None:
                found.append(settled)
        return found

    def _settled(self, pair: Pair, step: steps.Plain) -> Pair | None:
        """The pair sharpened without the prover; None if it is inconsistent."""
        if pair.ahead:
            both = stepping.agreeing(pair.before, pair.after, touched(step, self.vocabulary))
            return None if both is None else Pair(*both, ahead=True)
        before = shapes.normalise(pair.before)
        if before is None:
            return None
        after = pair.after
        for i, node in enumerate(before.nodes):
            if node.single and not after.nodes[i].single:
                after = shapes.with_marks(after, i, single=True, footprint=node.footprint)
        return Pair(before, after)

    # --- project ---------------------------------------------------------------------------------------------------

    def project(self, pair: Pair, step: steps.Step, direction: Direction) -> Structure:
        witnesses, sought = self.vocabulary.witnesses, pair.sought
        return blur(sought if witnesses is None else shapes.only_between(sought, witnesses))

    def covers(self, bigger: Structure, smaller: Structure) -> bool:
        return covers(bigger, smaller)


def _participants(step: steps.Plain) -> tuple[int, ...]:
    match step:
        case steps.Load(target, base):
            return (base,) if target is None else (base, target)
        case steps.Write(base, value):
            return (base,) if value is None else (base, value)
        case steps.Release(base):
            return (base,)
        case steps.Same(left, right):
            return (left, right)
        case steps.Shape(_, variables):
            return variables
        case steps.Copy() | steps.Create() | steps.HavocVariable() | steps.IsNull() | steps.Idle():
            return ()


def _known(pair: Pair, variable: int) -> bool:
    return shapes.knows(pair.before, variable) or shapes.knows(pair.after, variable)


def _knows_paths(structure: Structure, field: int) -> bool:
    """Whether a value of a field is definite."""
    columns = [structure.reach(k, field) for k in range(len(structure.null))]
    if any(node.values[column] != HALF for node in structure.nodes for column in columns):
        return True
    path = structure.paths[field]
    return any(value != HALF for i, row in enumerate(path) for j, value in enumerate(row) if i != j)


def _knows_position(structure: Structure, variable: int) -> bool:
    """Whether a value of the node of a variable, or of its reachability, is definite."""
    columns = structure.columns(variable)
    return any(node.values[column] != HALF for node in structure.nodes for column in columns)


def _never_null(structure: Structure, variable: int) -> bool:
    """Whether a variable cannot be null: some column of its is true."""
    columns = structure.columns(variable)
    return structure.null[variable] == NO or any(
        node.values[column] == YES for node in structure.nodes for column in columns
    )


def _copied(after: Structure, target: int, source: int) -> Structure | None:
    """Pre-image of `target = source`: the meet of the values of both, as those of the source."""
    if target == source:
        return after
    null = met(after.null[target], after.null[source])
    if null is None:
        return None
    before = shapes.with_null(after, source, null)
    for i, node in enumerate(after.nodes):
        for mine, yours in zip(after.columns(target), after.columns(source), strict=True):
            value = met(node.values[mine], node.values[yours])
            if value is None:
                return None
            before = shapes.with_value(before, i, yours, value)
    return shapes.forget(before, target)


def _with_half(pair: Pair, structure: Structure, ahead: bool) -> Pair:
    return replace(pair, after=structure) if ahead else replace(pair, before=structure)


def _at(pair: Pair, node: int, column: int, ahead: bool) -> Pair:
    """The variable points to this node, which becomes a single node of the footprint."""
    settled = _with_half(pair, shapes.with_value(pair.after if ahead else pair.before, node, column, YES), ahead)
    return Pair(
        shapes.with_marks(settled.before, node, single=True, footprint=True),
        shapes.with_marks(settled.after, node, single=True, footprint=True),
        pair.ahead,
    )
