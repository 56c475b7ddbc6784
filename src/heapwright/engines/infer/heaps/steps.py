"""Steps of a function over one struct type with pointer fields, and their concrete semantics.

Variables are numbers of a `Vocabulary`; None is null. A step that dereferences denotes the runs in which its checks
hold: the others end in an obligation, from which they are analysed backwards.

>>> heap = Heap(((1, -1),), (0, -1))           # x points to an object whose field points to another; y is null
>>> after(heap, Load(1, 0))
Heap(next=((1, -1),), at=(0, 1), alloc=(), keys=(), kinds=())
>>> after(heap, Write(1, None)) is None      # y is null
True
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heapwright.engines.infer.heaps.pointer_facts import PointerFacts

NOWHERE = -1  # null, among numbers of objects


@dataclass(frozen=True, slots=True)
class Copy:
    """target = source"""

    target: int
    source: int | None


@dataclass(frozen=True, slots=True)
class HavocVariable:
    """target = anything"""

    target: int


@dataclass(frozen=True, slots=True)
class Load:
    """target = base.field; without a target, base is only dereferenced"""

    target: int | None
    base: int
    field: int = 0


@dataclass(frozen=True, slots=True)
class Write:
    """base.field = value"""

    base: int
    value: int | None
    field: int = 0


@dataclass(frozen=True, slots=True)
class Release:
    """free(base): the object is no longer allocated, and its fields are null."""

    base: int


@dataclass(frozen=True, slots=True)
class Create:
    """target = an object that was never allocated; its fields are null."""

    target: int


@dataclass(frozen=True, slots=True)
class IsNull:
    """assume(variable is null), or that it is not"""

    variable: int
    truth: bool


@dataclass(frozen=True, slots=True)
class Same:
    """assume(left == right), or that they differ"""

    left: int
    right: int
    truth: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """assume(predicate of these variables along a field), or that it is false. `reach`, `disjoint`, `covered` (every
    allocated object is reached from one of them), `ordered` (the first two, in this order, are not both on the list of
    the third), `acyclic` and `cyclic` of fields that may be cyclic (following the field ends; it comes back),
    `tree` of two fields: no object of the first variable is reached twice along one field after the other, and the
    second, if there is one, is null; `dll` of two fields: from each object on the list of the variable that has a
    successor, the other field of that leads back."""

    predicate: str
    variables: tuple[int, ...]
    field: int = 0
    truth: bool = True
    other: int = 0


@dataclass(frozen=True, slots=True)
class Idle:
    """No tracked value changes."""


Plain = Copy | HavocVariable | Load | Write | Release | Create | IsNull | Same | Shape | Idle


@dataclass(frozen=True, slots=True)
class GuardedStep:
    """A step taken only under one of these pointer facts, given field by field."""

    step: Plain
    guards: tuple[tuple[PointerFacts, ...], ...]


Step = Plain | GuardedStep


def plain(step: Step) -> Plain:
    return step.step if isinstance(step, GuardedStep) else step


@dataclass(frozen=True, slots=True)
class Heap:
    """Objects 0, 1, ...; `next` has for each field the successors of objects, `at` the objects of variables. Without
    `alloc` all are allocated, or allocation is not tracked; likewise `keys`. `kinds` are the types of objects, if there
    are several."""

    next: tuple[tuple[int, ...], ...]
    at: tuple[int, ...]
    alloc: tuple[bool, ...] = ()
    keys: tuple[int, ...] = ()
    kinds: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        return len(self.next[0])

    def allocated(self, number: int) -> bool:
        return not self.alloc or self.alloc[number]

    def spare(self) -> int:
        """An object that is not allocated and to which no pointer points."""
        used = {*self.at, *(target for following in self.next for target in following)}
        return next((i for i in range(self.size) if not self.allocated(i) and i not in used), NOWHERE)

    def reached(self, start: int, field: int = 0) -> tuple[int, ...]:
        """The objects reachable from one along a field, in order; each once."""
        found: list[int] = []
        while start != NOWHERE and start not in found:
            found.append(start)
            start = self.next[field][start]
        return tuple(found)

    def linked(self, field: int, source: int, target: int) -> Heap:
        """The heap in which a field of an object points to another."""
        changed = _replaced(self.next[field], source, target)
        return replace(self, next=(*self.next[:field], changed, *self.next[field + 1 :]))


def _replaced(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def after(heap: Heap, step: Step) -> Heap | None:
    """The heap after a step; None if the step is not possible, fails, or makes a cycle. A havoc keeps the value, and
    guards are ignored."""
    match plain(step):
        case Copy(target, source):
            return replace(heap, at=_replaced(heap.at, target, NOWHERE if source is None else heap.at[source]))
        case Load(target, base, field):
            here = heap.at[base]
            if here == NOWHERE or not heap.allocated(here):
                return None
            return heap if target is None else replace(heap, at=_replaced(heap.at, target, heap.next[field][here]))
        case Write(base, value, field):
            here, there = heap.at[base], NOWHERE if value is None else heap.at[value]
            if here == NOWHERE or not heap.allocated(here) or here in heap.reached(there, field):
                return None
            return heap.linked(field, here, there)
        case Release(base):
            here = heap.at[base]
            if here == NOWHERE or not heap.allocated(here):
                return None
            alloc = tuple(heap.allocated(i) and i != here for i in range(heap.size))
            cut = tuple(_replaced(following, here, NOWHERE) for following in heap.next)
            return replace(heap, next=cut, alloc=alloc)
        case Create(target):
            new = heap.spare()
            if new == NOWHERE:
                return None
            alloc = tuple(heap.allocated(i) or i == new for i in range(heap.size))
            return replace(heap, at=_replaced(heap.at, target, new), alloc=alloc)
        case IsNull(variable, truth):
            return heap if (heap.at[variable] == NOWHERE) == truth else None
        case Same(left, right, truth):
            return heap if (heap.at[left] == heap.at[right]) == truth else None
        case Shape() as shape:
            return heap if _shaped(heap, shape) == shape.truth else None
        case HavocVariable() | Idle():
            return heap


def _forked(heap: Heap, start: int, along: int, aside: int) -> bool:
    """Whether what is reached along a field, and then along another, is not reached along the other alone, and does not
    lead along the first to what is reached along it."""
    spine, other = heap.reached(start, along), heap.reached(start, aside)
    for one in spine:
        beyond = heap.reached(one, aside)[1:]
        if one != start and any(far in other for far in beyond):
            return False
        if any(back in spine for far in beyond for back in heap.reached(far, along)):
            return False
    return True


def is_tree(heap: Heap, start: int, left: int, right: int) -> bool:
    """Whether no object is reached twice along two fields."""
    seen: set[int] = set()
    pending = [start]
    while pending:
        one = pending.pop()
        if one in seen:
            return False
        if one != NOWHERE:
            seen.add(one)
            pending += [heap.next[left][one], heap.next[right][one]]
    return True


def is_doubly_linked(heap: Heap, start: int, field: int, back: int) -> bool:
    """Whether along a field each object but the last is that to which another field of its successor leads."""
    pairs = [(one, heap.next[field][one]) for one in heap.reached(start, field)]
    return all(beyond == NOWHERE or heap.next[back][beyond] == one for one, beyond in pairs)


def _ends(heap: Heap, reached: tuple[int, ...], field: int) -> bool:
    """Whether a list ends in null."""
    return not reached or heap.next[field][reached[-1]] == NOWHERE


def _shaped(heap: Heap, shape: Shape) -> bool:
    at = [heap.at[k] for k in shape.variables]
    reached = [heap.reached(one, shape.field) for one in at]
    match shape.predicate:
        case "reach":
            return at[1] in reached[0] or (at[1] == NOWHERE and _ends(heap, reached[0], shape.field))
        case "acyclic":
            return _ends(heap, reached[0], shape.field)
        case "tree":
            sides = ((shape.field, shape.other), (shape.other, shape.field))
            return all(one == NOWHERE for one in at[1:]) and all(_forked(heap, at[0], *side) for side in sides)
        case "dll":
            return is_doubly_linked(heap, at[0], shape.field, shape.other)
        case "cyclic":
            return not reached[0] or heap.next[shape.field][reached[0][-1]] == at[0]
        case "disjoint":
            return not {*reached[0]} & {*reached[1]}
        case "covered":
            return all(any(i in one for one in reached) for i in range(heap.size) if heap.allocated(i))
        case "ordered":
            return at[0] not in reached[2] or at[1] == NOWHERE or at[1] not in reached[0]
    raise ValueError(f"no shape {shape.predicate!r}")
