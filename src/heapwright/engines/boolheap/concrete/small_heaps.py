"""Small concrete heaps, sampled, on which formulas are evaluated.

Objects are numbers; null and junk come after the objects. An object is unborn (never allocated), live or dead. Fields
of objects that are not live are junk, and no pointer leads to an unborn object. The last object is always unborn, so
that there is one to allocate.

>>> from heapwright.engines.boolheap.logic.formulas import V, name, reach
>>> heap = Heap(2, (LIVE, UNBORN), {"x": 0}, {"next": (2, 3)})
>>> [evaluator(reach("next", name("x"), V))(heap, v) for v in heap.everything]
[True, False, True, False]
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from heapwright.engines.boolheap.logic import formulas as f
from heapwright.logic.connectives import And, Not, Or, Truth

T = TypeVar("T")
FAR = 1 << 30  # more steps than there are
UNBORN, LIVE, DEAD = "unborn", "live", "dead"


@dataclass(frozen=True)
class Heap:
    """`fields` have a target for each object, `data` a number; `marks` are sets of objects."""

    size: int
    status: tuple[str, ...]
    variables: Mapping[str, int]
    fields: Mapping[str, tuple[int, ...]]
    numbers: Mapping[str, int] = field(default_factory=dict)
    data: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    marks: Mapping[str, frozenset[int]] = field(default_factory=dict)

    @property
    def null(self) -> int:
        return self.size

    @property
    def junk(self) -> int:
        return self.size + 1

    @property
    def everything(self) -> range:
        return range(self.size + 2)

    @property
    def fresh(self) -> int:
        return self.size - 1

    @cached_property
    def distances(self) -> dict[str, list[dict[int, int]]]:
        """By field and object: the path length to each reachable object."""
        found: dict[str, list[dict[int, int]]] = {}
        for name, targets in self.targets.items():
            found[name] = []
            for start in self.everything:
                steps: dict[int, int] = {}
                at = start
                while at not in steps:
                    steps[at] = len(steps)
                    at = targets[at]
                found[name].append(steps)
        return found

    @cached_property
    def targets(self) -> dict[str, tuple[int, ...]]:
        """Fields of null and junk included."""
        return {name: (*targets, self.size, self.size + 1) for name, targets in self.fields.items()}

    @cached_property
    def is_live(self) -> tuple[bool, ...]:
        return (*(one == LIVE for one in self.status), False, False)


Evaluator = Callable[[Heap, int], bool]


def evaluator(formula: f.Formula) -> Evaluator:
    """The formula compiled to a function of a heap and an object, for speed; names appear in the code as literals
    only."""
    found: Evaluator = eval(f"lambda h, v: {_code(formula)}", {})
    return found


SPECIAL = {f.V: "v", f.NULL: "h.size", f.JUNK: "(h.size + 1)", f.FRESH: "(h.size - 1)"}


def term_code(term: f.Term) -> str:
    if isinstance(term, f.Name):
        return SPECIAL.get(term) or f"h.variables[{term.id!r}]"
    return f"h.targets[{term.field!r}][{term_code(term.base)}]"


def number_code(number: f.Numeric) -> str:
    match number:
        case f.Constant(value):
            return f"({value})"
        case f.Number(id):
            return f"h.numbers[{id!r}]"
        case f.Data(name, base):
            return f"h.data[{name!r}][{term_code(base)}]"
        case f.Sum(inner, constant):
            return f"({number_code(inner)} + ({constant}))"


def _code(formula: f.Formula) -> str:
    match formula:
        case Truth(value):
            return str(value)
        case Not(body):
            return f"(not {_code(body)})"
        case And(parts):
            return f"({' and '.join(map(_code, parts))})"
        case Or(parts):
            return f"({' or '.join(map(_code, parts))})"
        case f.Less(left, right):
            return f"({number_code(left)} < {number_code(right)})"
        case f.Same(left, right):
            return f"({number_code(left)} == {number_code(right)})"
        case f.Equal(first, second):
            return f"({term_code(first)} == {term_code(second)})"
        case f.Alive(object):
            return f"h.is_live[{term_code(object)}]"
        case f.Marked(mark, object):
            return f"({term_code(object)} in h.marks[{mark!r}])"
        case f.Between(name, start, middle, end):
            steps = f"h.distances[{name!r}][{term_code(start)}]"
            if middle == end:
                return f"({term_code(end)} in {steps})"
            index = f"{steps}.get({term_code(middle)}, {FAR})"
            return f"({index} <= {steps}.get({term_code(end)}, -1))"


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :]) if index < len(values) else values


# --- some of them ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Signature:
    """The names of variables, fields, integers and ghost predicates of heaps."""

    variables: tuple[str, ...]
    fields: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


def signature_of(formulas: Iterable[f.Formula]) -> Signature:
    """The names that formulas mention."""
    variables, links, numbers, data, marks = (set[str]() for _ in range(5))
    for atom in (atom for formula in formulas for atom in f.atoms(formula)):
        for term in f.terms_of(atom):
            links |= f.fields_of(term)
            variables.add(f.root(term).id)
        match atom:
            case f.Between(name):
                links.add(name)
            case f.Marked(mark):
                marks.add(mark)
            case f.Less(left, right) | f.Same(left, right):
                for side in map(f.bare, (left, right)):
                    if isinstance(side, f.Number):
                        numbers.add(side.id)
                    elif isinstance(side, f.Data):
                        data.add(side.field)
    variables = {one for one in variables if not one.startswith("%")}
    return Signature(*(tuple(sorted(one)) for one in (variables, links, numbers, data, marks)))


def random_heap(signature: Signature, size: int, chance: random.Random) -> Heap:
    """A random heap; most objects are live and in lists, so that long paths are common."""
    status = [chance.choices((UNBORN, LIVE, DEAD), (1, 6, 2))[0] for _ in range(size - 1)] + [UNBORN]
    allocated = [number for number, one in enumerate(status) if one != UNBORN]
    ends = [size, size + 1]

    def pick(orderly: int) -> int:
        if allocated and chance.random() < 0.75:
            later = [one for one in allocated if one > orderly]
            return later[0] if later and chance.random() < 0.6 else chance.choice(allocated)
        return ends[chance.random() < 0.3]

    fields = {}
    for name in signature.fields:
        orderly = chance.random() < 0.8
        targets = []
        for one in range(size):
            target = pick(one)
            if orderly and target <= one:
                target = size
            if status[one] != LIVE:
                target = size + 1
            targets.append(target)
        fields[name] = tuple(targets)
    heap = Heap(
        size,
        tuple(status),
        {name: pick(-1) if chance.random() < 0.3 else pick(size) for name in signature.variables},
        fields,
        {name: chance.randint(-2, 3) for name in signature.numbers},
        {name: tuple(chance.randint(-2, 3) for _ in range(size + 2)) for name in signature.data},
    )
    return replace(heap, marks={name: _some_marked(heap, chance) for name in signature.marks})


def sample(signature: Signature, count: int, largest: int = 6, seed: int = 1) -> tuple[Heap, ...]:
    chance = random.Random(seed)
    return tuple(random_heap(signature, chance.randint(2, largest), chance) for _ in range(count))


def completion(heap: Heap, signature: Signature, chance: random.Random) -> Heap:
    """The heap completed to a signature: missing variables point anywhere, missing fields do not lead further."""
    ends = [one for one in heap.everything if one >= heap.size or heap.status[one] != UNBORN]
    size = heap.size
    blank = {
        name: tuple(size if one == LIVE and chance.random() < 0.7 else size + 1 for one in heap.status[:-1])
        for name in signature.fields
    }
    return Heap(
        size,
        heap.status,
        {name: heap.variables.get(name, chance.choice(ends)) for name in signature.variables},
        {name: heap.fields.get(name, (*targets, size + 1)) for name, targets in blank.items()},
        {name: heap.numbers.get(name, chance.randint(-2, 3)) for name in signature.numbers},
        {name: heap.data.get(name, tuple(chance.randint(-2, 3) for _ in range(size + 2))) for name in signature.data},
        {name: heap.marks[name] if name in heap.marks else _some_marked(heap, chance) for name in signature.marks},
    )


def _some_marked(heap: Heap, chance: random.Random) -> frozenset[int]:
    """Random values of the ghost predicates; reachable sets are common."""
    if not heap.fields or chance.random() < 0.3:
        share = chance.choice((0.0, 0.5, 1.0))
        return frozenset(one for one in heap.everything if chance.random() < share)
    start = chance.choice([*heap.variables.values(), *heap.everything])
    return frozenset(heap.distances[chance.choice(sorted(heap.fields))][start])


def changed(heap: Heap, signature: Signature, chance: random.Random) -> Heap:
    """A random mutation: the target of a variable or field, an integer, a ghost predicate of an object, or whether an
    object is alive. The number of objects stays."""
    born = [one for one in range(heap.size - 1) if heap.status[one] != UNBORN]
    ends = [*born, heap.null, heap.junk]
    live = [one for one in born if heap.status[one] == LIVE]
    kind = chance.random()
    if signature.numbers and kind < 0.3:
        return replace(heap, numbers={**heap.numbers, chance.choice(signature.numbers): chance.randint(-2, 3)})
    if signature.variables and kind < 0.5:
        return replace(heap, variables={**heap.variables, chance.choice(signature.variables): chance.choice(ends)})
    if signature.fields and live and kind < 0.9:
        name = chance.choice(signature.fields)
        targets = _put(heap.fields[name], chance.choice(live), chance.choice(ends))
        return replace(heap, fields={**heap.fields, name: targets})
    if signature.marks and chance.random() < 0.7:
        mark = chance.choice(signature.marks)
        return replace(heap, marks={**heap.marks, mark: heap.marks[mark] ^ {chance.choice(heap.everything)}})
    if not born:
        return heap
    one = chance.choice(born)
    status = _put(heap.status, one, DEAD if heap.status[one] == LIVE else LIVE)
    return replace(
        heap,
        status=status,
        fields={name: _put(targets, one, heap.junk) for name, targets in heap.fields.items()},
    )
