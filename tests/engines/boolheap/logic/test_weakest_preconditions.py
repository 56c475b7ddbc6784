"""The weakest precondition evaluated before a command is the predicate evaluated after it, on every small heap."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest
from engines.boolheap.heaps import all_heaps, run

from heapwright.engines.boolheap.concrete.small_heaps import Heap, Signature, evaluator, sample
from heapwright.engines.boolheap.logic.formulas import (
    CHOSEN,
    JUNK,
    NULL,
    Alive,
    Constant,
    Data,
    Formula,
    Marked,
    Number,
    V,
    alive,
    between,
    conj,
    eq,
    field,
    less,
    name,
    negation,
    plus,
    reach,
    same,
)
from heapwright.engines.boolheap.logic.heap_commands import (
    Count,
    Create,
    End,
    HeapCommand,
    Link,
    Mark,
    Point,
    Suppose,
    Write,
)
from heapwright.engines.boolheap.logic.weakest_preconditions import hwp

X, Y = name("x"), name("y")
NEXT_OF_X = field("next", X)

PREDICATES = [
    eq(X, V),
    eq(Y, NULL),
    eq(field("next", V), Y),
    eq(field("next", field("next", V)), Y),
    alive(V),
    alive(NEXT_OF_X),
    reach("next", X, V),
    reach("next", V, NULL),
    reach("next", V, X),
    reach("next", field("next", V), Y),
    between("next", X, V, Y),
    between("next", Y, X, V),
    conj(reach("next", X, V), negation(eq(field("next", X), V))),
]

COMMANDS = {
    "assign": (Point("x", Y),),
    "null": (Point("x", NULL),),
    "junk": (Point("y", JUNK),),
    "load": (Suppose(Alive(Y)), Point("x", field("next", Y))),
    "advance": (Suppose(Alive(X)), Point("x", NEXT_OF_X)),
    "store": (Suppose(Alive(X)), Link(X, "next", Y)),
    "store into itself": (Suppose(Alive(X)), Link(X, "next", X)),
    "store null": (Suppose(Alive(Y)), Link(Y, "next", NULL)),
    "store junk": (Suppose(Alive(Y)), Link(Y, "next", JUNK)),
    "new": (Create("x"),),
    "zeroed": (Create("x"), Link(X, "next", NULL)),
    "new in front": (Create("x"), Link(X, "next", Y), Point("y", X)),
    "free": (Suppose(Alive(X)), Link(X, "next", JUNK), End(X)),
    "assume": (Suppose(negation(eq(X, Y))),),
    "unlink": (Suppose(Alive(X)), Suppose(Alive(NEXT_OF_X)), Link(X, "next", field("next", NEXT_OF_X))),
}


def _same_before_and_after(
    heap: Heap, commands: Sequence[HeapCommand], predicate: Formula, anything: Sequence[int] = ()
) -> None:
    after = run(heap, commands, anything)
    pulled = hwp(commands, predicate)
    supposed, before = evaluator(pulled.supposed), evaluator(pulled.formula)
    for v in heap.everything:
        assert supposed(heap, v) == (after is not None), (heap, commands)
        if after is not None:
            assert before(heap, v) == evaluator(predicate)(after, v), (heap, commands, predicate, v)


@pytest.mark.parametrize("kind", COMMANDS)
def test_every_heap_of_up_to_three_objects(kind: str) -> None:
    signature = Signature(("x", "y"), ("next",))
    pulled = [(p, hwp(COMMANDS[kind], p)) for p in PREDICATES]
    checks = [(evaluator(p), evaluator(w.supposed), evaluator(w.formula), p) for p, w in pulled]
    for size in (1, 2, 3):
        for heap in all_heaps(signature, size):
            after = run(heap, COMMANDS[kind])
            for (predicate, supposed, before, p), v in itertools.product(checks, heap.everything):
                assert supposed(heap, v) == (after is not None)
                if after is not None:
                    assert before(heap, v) == predicate(after, v), (heap, p, v)


@pytest.mark.exhaustive(2)
@pytest.mark.parametrize("kind", COMMANDS)
def test_larger_heaps_chosen_at_random(kind: str) -> None:
    for heap in sample(Signature(("x", "y"), ("next",)), 60, largest=6, seed=7):
        for predicate in PREDICATES:
            _same_before_and_after(heap, COMMANDS[kind], predicate)


def test_a_mark_stays_where_it_was_set() -> None:
    """Set before a list is changed: the precondition is what the formula says before, of the object that is asked."""
    commands = (Mark("m", reach("next", X, V)), Suppose(Alive(X)), Link(X, "next", Y), Point("x", Y))
    predicates = [Marked("m", V), Marked("m", field("next", V)), conj(Marked("m", X), Marked("other", V))]
    for heap in sample(Signature(("x", "y"), ("next",), marks=("m", "other")), 120, largest=6, seed=8):
        for predicate in predicates:
            _same_before_and_after(heap, commands, predicate)


def test_an_input_is_whatever_was_chosen() -> None:
    commands = (Suppose(negation(eq(CHOSEN, JUNK))), Point("x", CHOSEN))
    for heap in sample(Signature(("x", "y", CHOSEN.id), ("next",)), 80, largest=6, seed=9):
        for predicate in PREDICATES:
            _same_before_and_after(heap, commands, predicate)


@pytest.mark.parametrize("cyclic", ["load", "store", "store into itself", "store null", "unlink"])
def test_heaps_with_cycles(cyclic: str) -> None:
    """The update of paths needs no acyclicity: a ring of four objects and a tail that leads into it."""
    chance = random.Random(3)
    base = sample(Signature(("x", "y"), ("next",)), 1, largest=2, seed=3)[0]
    from dataclasses import replace

    for _ in range(40):
        heap = replace(
            base,
            size=6,
            status=("live",) * 5 + ("unborn",),
            variables={"x": chance.randrange(5), "y": chance.randrange(5)},
            fields={"next": (1, 2, 3, 0, chance.randrange(5), 7)},
        )
        for predicate in PREDICATES:
            _same_before_and_after(heap, COMMANDS[cyclic], predicate)


@pytest.mark.parametrize(
    "command",
    [
        (Count("i", plus(Number("i"), 1)),),
        (Count("i", None),),
        (Count("i", Data("d", X)),),
        (Write(X, "d", Number("i")),),
        (Write(X, "d", None),),
        (Suppose(less(Number("i"), Constant(2))), Count("j", Number("i"))),
    ],
)
def test_numbers(command: tuple[HeapCommand, ...]) -> None:
    predicates = [
        same(Number("i"), Constant(0)),
        less(Number("i"), Number("j")),
        less(Data("d", V), Number("i")),
        same(Data("d", field("next", V)), plus(Data("d", V), 1)),
    ]
    for heap in sample(Signature(("x", "y"), ("next",), ("i", "j"), ("d",)), 80, seed=5):
        if heap.variables["x"] >= heap.size:
            continue
        for predicate, value in itertools.product(predicates, (-1, 4)):
            pulled = hwp(command, predicate)
            from dataclasses import replace

            chosen = replace(heap, numbers={**heap.numbers, "?0": value, "?1": value})
            after = run(chosen, command, (value, value))
            for v in range(heap.size):
                assert evaluator(pulled.supposed)(chosen, v) == (after is not None)
                if after is not None:
                    assert evaluator(pulled.formula)(chosen, v) == evaluator(predicate)(after, v)


def test_an_update_for_acyclic_lists_is_wrong_on_a_cycle() -> None:
    """Deleting a link of a ring: what binary reachability alone would say. The test can fail, so it shows something."""
    ring = sample(Signature(("x", "y"), ("next",)), 1, largest=2, seed=3)[0]
    from dataclasses import replace

    heap = replace(
        ring, size=4, status=("live",) * 3 + ("unborn",), variables={"x": 0, "y": 1}, fields={"next": (1, 2, 0, 5)}
    )
    command = (Link(X, "next", NULL),)
    naive = conj(reach("next", Y, V), negation(conj(reach("next", Y, X), reach("next", X, V), negation(eq(X, V)))))
    after = run(heap, command)
    truth = evaluator(reach("next", Y, V))
    assert after is not None
    assert [truth(after, v) for v in (0, 2)] == [True, True]
    assert evaluator(hwp(command, reach("next", Y, V)).formula)(heap, 2)
    assert not evaluator(naive)(heap, 2)
