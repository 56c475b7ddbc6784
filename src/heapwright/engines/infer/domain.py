"""3-valued structures as a domain of the algorithm: section 4 of the paper.

A pair of heaps is described by two structures with the same nodes, one before the step and one after it. What a step
does not touch is the same in both. Steps that only name things (`x = y`, a test for null) are followed exactly; for the
others, what they touch is left open before them, for the prover to fill in.

Focus (4.2) places the variables that take part in a step, and no others: without their place in the heap there is
nothing that the field's change could be related to. The nodes where they are get a footprint.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from heapwright.engines.infer import structure as shapes
from heapwright.engines.infer.algorithm import Direction
from heapwright.engines.infer.situation import told
from heapwright.engines.infer.steps import (
    Copy,
    Create,
    Forget,
    Idle,
    IsNull,
    Known,
    Plain,
    Read,
    Release,
    Same,
    Step,
    Write,
    plain,
)
from heapwright.engines.infer.structure import HALF, NO, YES, Structure, Vocabulary

Assertion = tuple[int, int, int, int]
"""Of the heap before. (0, variable, -, value): it is null; (1, node, column, value); (2 + field, node, node, value):
paths of a field."""


PATHS = 2  # the kind of assertions about paths of the first field


def paths_of(field: int) -> int:
    """What stands for the paths of a field among columns."""
    return -1 - field


@dataclass(frozen=True, slots=True)
class Pair:
    """`after` counts in the columns that the step touches, see `touched`; its nodes are single where those before it
    are, for they stand for the same objects."""

    before: Structure
    after: Structure


def touched(step: Step, vocabulary: Vocabulary) -> frozenset[int]:
    """The columns whose meaning differs before and after a step that is not followed exactly; negative numbers stand
    for the paths of fields, see `paths_of`."""
    match plain(step):
        case Read(target, _) if target is not None:
            return frozenset(range(vocabulary.at(target), vocabulary.at(target + 1)))
        case Write(_, _, field):
            return frozenset((paths_of(field), *vocabulary.reaching(field)))
        case Release():
            fields = range(vocabulary.fields)
            reached = [column for field in fields for column in (paths_of(field), *vocabulary.reaching(field))]
            return frozenset((vocabulary.alloc, *reached))
        case _:
            return frozenset()


@dataclass(frozen=True, slots=True)
class Shapes:
    vocabulary: Vocabulary

    # --- extend ----------------------------------------------------------------------------------------------------

    def extend(self, element: Structure, step: Step, direction: Direction) -> list[Pair]:
        if direction is not Direction.BACKWARD:
            raise ValueError("structures are followed backwards only")
        taken = plain(step)
        if isinstance(taken, Create):
            return _possible(self._uncreated(element, taken.target), step)
        before = self._before(element, taken)
        pair = None if before is None else _settled(Pair(before, element))
        return [] if pair is None else _possible([pair], step)

    def _before(self, after: Structure, step: Plain) -> Structure | None:
        """What is known before a step without a proof; None if the step does not lead to the structure."""
        match step:
            case Copy(target, None):
                return None if _never_null(after, target) else shapes.forget(after, target)
            case Copy(target, source) if source is not None:
                return _copied(after, target, source)
            case Forget(target):
                return shapes.forget(after, target)
            case Read(target, base):
                before = after if target is None else shapes.forget(after, target)
                return _dereferenced(before, base) if target != base else before
            case Write(base, _, field):
                return _dereferenced(shapes.forget_paths(after, field), base)
            case Release(base):
                for field in range(self.vocabulary.fields):
                    after = shapes.forget_paths(after, field)
                return _dereferenced(self._undo_release(after), base)
            case IsNull(variable, truth):
                wanted = YES if truth else NO
                return shapes.with_null(after, variable, wanted) if after.null[variable] in (HALF, wanted) else None
            case _:
                return after

    def _uncreated(self, after: Structure, target: int) -> list[Pair]:
        """One case for each node that the new object may be of; before, nothing led to it."""
        at, found = self.vocabulary.at(target), list[Pair]()
        for i, node in enumerate(after.nodes):
            if node.values[at] == NO or after.null[target] == YES:
                continue
            places = [(after, i)]
            if not node.single:
                places.append((shapes.bifurcate(after, i), len(after.nodes)))
            for structure, new in places:
                single = shapes.with_marks(structure, new, single=True, footprint=node.footprint)
                created = shapes.normalise(shapes.with_value(single, new, at, YES))
                before = None if created is None else self._without(created, target, new)
                settled = None if before is None else shapes.normalise(before)
                if settled is not None:
                    found.append(Pair(settled, settled))
        return found

    def _without(self, after: Structure, target: int, new: int) -> Structure | None:
        """The structure before the object at a node was created; None if it cannot be a new one."""
        alloc = self.vocabulary.alloc
        before = shapes.forget(after, target)
        if before.nodes[new].values[alloc] == NO:
            return None
        before = shapes.with_value(before, new, alloc, NO)
        for column in range(alloc):
            if before.nodes[new].values[column] == YES:
                return None
            before = shapes.with_value(before, new, column, NO)
        for other in range(len(before.nodes)):
            for field, path in enumerate(before.paths) if other != new else ():
                if YES in (path[new][other], path[other][new]):
                    return None
                before = shapes.with_path(before, new, other, NO, field)
                before = shapes.with_path(before, other, new, NO, field)
        # Of the target nothing is known again: it may have been anywhere but at what did not exist.
        return before

    def _undo_release(self, after: Structure) -> Structure:
        """What is allocated after it was so before; what is not may have been."""
        alloc = self.vocabulary.alloc
        for i, node in enumerate(after.nodes):
            if node.values[alloc] == NO:
                after = shapes.with_value(after, i, alloc, HALF)
        return after

    def exact(self, step: Step) -> bool:
        step = plain(step)
        return not isinstance(step, Read | Write | Release | Same) or (isinstance(step, Read) and step.target is None)

    # --- sharpen ---------------------------------------------------------------------------------------------------

    def assertions(self, pair: Pair, step: Step) -> Sequence[Assertion]:
        before = pair.before
        found: list[Assertion] = []
        columns = self._columns(pair, plain(step))
        for k, value in enumerate(before.null):
            if value == HALF and before.at(k) in columns:
                found += [(0, k, 0, NO), (0, k, 0, YES)]
        for i, node in enumerate(before.nodes):
            for column in sorted(columns):
                if node.values[column] == HALF:
                    found += [(1, i, column, NO), (1, i, column, YES)]
        for field, path in enumerate(before.paths):
            for i, row in enumerate(path):
                for j, value in enumerate(row):
                    if value == HALF and i != j:
                        found += [(PATHS + field, i, j, NO), (PATHS + field, i, j, YES)]
        return found

    def _columns(self, pair: Pair, step: Plain) -> set[int]:
        """Those that may become known: of the variables that take part and of those that something is known of."""
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
        before = pair.before
        if kind == 0:
            before = shapes.with_null(before, first, value)
        elif kind == 1:
            before = shapes.with_value(before, first, second, value)
        else:
            before = shapes.with_path(before, first, second, value, kind - PATHS)
        return replace(pair, before=before)

    # --- focus -----------------------------------------------------------------------------------------------------

    def focus(self, pair: Pair, step: Step) -> Sequence[Pair]:
        taken = plain(step)
        for variable in self._placed(pair, taken):
            cases = self._places(pair, variable)
            if cases is not None:
                return _possible(cases, step)
        for field in self._written(taken):
            cases = self._reaching(pair, taken, field) if _knows_paths(pair.after, field) else None
            if cases is not None:
                return _possible(cases, step)
        return (pair,)

    def _written(self, step: Plain) -> Sequence[int]:
        """The fields that a step changes."""
        match step:
            case Write(_, _, field):
                return (field,)
            case Release():
                return range(self.vocabulary.fields)
            case _:
                return ()

    def _reaching(self, pair: Pair, step: Plain, field: int) -> list[Pair] | None:
        """What a change of a field does to what a variable reaches depends on whether it reaches the object that is
        changed, and on which objects that one reached before. Where something is known of an object of the footprint
        after the step and nothing before it, two cases are told apart, for the first such question that is open."""
        if not isinstance(step, Write | Release):
            return None
        nodes, at = pair.before.nodes, self.vocabulary.at(step.base)
        here = next((i for i, node in enumerate(nodes) if node.values[at] == YES), None)
        if here is None:
            return None
        leaving = self.vocabulary.reach(step.base, field)
        for column in self.vocabulary.reaching(field):
            for i, (old, new) in enumerate(zip(nodes, pair.after.nodes, strict=True)):
                if not old.footprint or old.values[column] != HALF or new.values[column] == HALF:
                    continue
                for place, asked in ((here, column), *(((i, leaving),) if old.single else ())):
                    if nodes[place].values[asked] == HALF:
                        cases = (Pair(shapes.with_value(pair.before, place, asked, v), pair.after) for v in (NO, YES))
                        return [case for case in map(_settled, cases) if case is not None]
        return None

    def _placed(self, pair: Pair, step: Plain) -> Sequence[int]:
        """The variables that have to be placed. A step whose effect nothing is known of needs none."""
        match step:
            case Read(target, base) if target is not None and shapes.knows(pair.after, target):
                return (base,)
            case Write(base) | Release(base) if any(_knows_paths(pair.after, one) for one in self._written(step)):
                return (base,)
            case Same(left, right):
                return (left, right)
            case _:
                return ()

    def _places(self, pair: Pair, variable: int) -> list[Pair] | None:
        """One case for each place where a variable may be; None if its place is known."""
        at = self.vocabulary.at(variable)
        before = pair.before
        if before.null[variable] == YES or any(node.values[at] == YES for node in before.nodes):
            return None
        drafts: list[Pair | None] = []
        if before.null[variable] == HALF:
            drafts.append(_settled(Pair(shapes.with_null(before, variable, YES), pair.after)))
        for i, node in enumerate(before.nodes):
            if node.values[at] == NO:
                continue
            drafts.append(_settled(_at(pair, i, at)))
            if not node.single:
                split = Pair(shapes.bifurcate(before, i), shapes.bifurcate(pair.after, i))
                drafts.append(_settled(_at(split, len(before.nodes), at)))
        return [case for case in drafts if case is not None]

    # --- project ---------------------------------------------------------------------------------------------------

    def project(self, pair: Pair, step: Step, direction: Direction) -> Structure:
        witnesses = self.vocabulary.witnesses
        return shapes.blur(pair.before if witnesses is None else shapes.only_between(pair.before, witnesses))

    def covers(self, bigger: Structure, smaller: Structure) -> bool:
        return shapes.covers(bigger, smaller)


def _participants(step: Plain) -> tuple[int, ...]:
    match step:
        case Read(target, base):
            return (base,) if target is None else (base, target)
        case Write(base, value):
            return (base,) if value is None else (base, value)
        case Release(base):
            return (base,)
        case Same(left, right):
            return (left, right)
        case Copy() | Create() | Forget() | IsNull() | Idle():
            return ()


def _known(pair: Pair, variable: int) -> bool:
    return shapes.knows(pair.before, variable) or shapes.knows(pair.after, variable)


def _knows_paths(structure: Structure, field: int) -> bool:
    """Whether anything is known of a field."""
    columns = [structure.reach(k, field) for k in range(len(structure.null))]
    if any(node.values[column] != HALF for node in structure.nodes for column in columns):
        return True
    path = structure.paths[field]
    return any(value != HALF for i, row in enumerate(path) for j, value in enumerate(row) if i != j)


def _never_null(structure: Structure, variable: int) -> bool:
    """Whether a variable cannot be null: some column of its is true."""
    columns = structure.columns(variable)
    return structure.null[variable] == NO or any(
        node.values[column] == YES for node in structure.nodes for column in columns
    )


def _copied(after: Structure, target: int, source: int) -> Structure | None:
    """What is known of the target after `target = source` is known of the source before."""
    if target == source:
        return after
    null = _met(after.null[target], after.null[source])
    if null is None:
        return None
    before = shapes.with_null(after, source, null)
    for i, node in enumerate(after.nodes):
        for mine, yours in zip(after.columns(target), after.columns(source), strict=True):
            value = _met(node.values[mine], node.values[yours])
            if value is None:
                return None
            before = shapes.with_value(before, i, yours, value)
    return shapes.forget(before, target)


def _met(one: int, other: int) -> int | None:
    if one in (HALF, other):
        return other
    return one if other == HALF else None


def _dereferenced(structure: Structure, base: int) -> Structure | None:
    return None if structure.null[base] == YES else shapes.with_null(structure, base, NO)


def _at(pair: Pair, node: int, column: int) -> Pair:
    """The variable is at this node, which is one object that the program looks at."""
    before = shapes.with_value(pair.before, node, column, YES)
    return Pair(
        shapes.with_marks(before, node, single=True, footprint=True),
        shapes.with_marks(pair.after, node, single=True, footprint=True),
    )


def _possible(pairs: Iterable[Pair], step: Step) -> list[Pair]:
    """The pairs that fit a situation in which the step is taken, with what is known there."""
    if not isinstance(step, Known):
        return list(pairs)
    found = []
    for pair in pairs:
        before = told(step.situations, pair.before)
        settled = None if before is None else _settled(replace(pair, before=before))
        if settled is not None:
            found.append(settled)
    return found


def _settled(pair: Pair) -> Pair | None:
    """The pair with what follows at once before the step."""
    before = shapes.normalise(pair.before)
    if before is None:
        return None
    after = pair.after
    for i, node in enumerate(before.nodes):
        if node.single and not after.nodes[i].single:
            after = shapes.with_marks(after, i, single=True, footprint=node.footprint)
    return Pair(before, after)
