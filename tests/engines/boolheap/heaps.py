"""References for the tests: every small heap, and commands executed on one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from heapwright.engines.boolheap.concrete.small_heaps import (
    DEAD,
    LIVE,
    UNBORN,
    Heap,
    Signature,
    evaluator,
    number_code,
    term_code,
)
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic import heap_commands as h

T = TypeVar("T")


def term_evaluator(term: f.Term) -> Callable[[Heap, int], int]:
    found: Callable[[Heap, int], int] = eval(f"lambda h, v: {term_code(term)}", {})
    return found


def number_evaluator(number: f.Numeric) -> Callable[[Heap, int], int]:
    found: Callable[[Heap, int], int] = eval(f"lambda h, v: {number_code(number)}", {})
    return found


def run(heap: Heap, commands: Sequence[h.HeapCommand], anything: Sequence[int] = ()) -> Heap | None:
    """The heap after the commands; None if an assumption of theirs fails. The last object is the one allocated;
    `anything` has the integers that are chosen, by the index of the command."""
    for place, command in enumerate(commands):
        match command:
            case h.Suppose(formula):
                if not evaluator(formula)(heap, 0):
                    return None
            case h.Point(variable, value):
                heap = replace(heap, variables={**heap.variables, variable: term_evaluator(value)(heap, 0)})
            case h.Create(variable):
                status = (*heap.status[:-1], LIVE)
                heap = replace(heap, variables={**heap.variables, variable: heap.fresh}, status=status)
            case h.End(object):
                heap = replace(heap, status=_put(heap.status, term_evaluator(object)(heap, 0), DEAD))
            case h.Link(base, name, value):
                targets = _put(heap.fields[name], term_evaluator(base)(heap, 0), term_evaluator(value)(heap, 0))
                heap = replace(heap, fields={**heap.fields, name: targets})
            case h.Count(variable, number):
                result = anything[place] if number is None else number_evaluator(number)(heap, 0)
                heap = replace(heap, numbers={**heap.numbers, variable: result})
            case h.Write(base, name, number):
                result = anything[place] if number is None else number_evaluator(number)(heap, 0)
                numbers = _put(heap.data[name], term_evaluator(base)(heap, 0), result)
                heap = replace(heap, data={**heap.data, name: numbers})
            case h.Mark(mark, formula):
                holds = evaluator(formula)
                objects = frozenset(one for one in heap.everything if holds(heap, one))
                heap = replace(heap, marks={**heap.marks, mark: objects})
    return heap


def _put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :]) if place < len(values) else values


def all_heaps(signature: Signature, size: int, values: Sequence[int] = (0, 1)) -> Iterator[Heap]:
    """Every heap of so many objects, the last of them unborn; data are none."""
    for status in itertools.product((UNBORN, LIVE, DEAD), repeat=size - 1):
        allocated = [number for number, one in enumerate(status) if one != UNBORN]
        targets = [*allocated, size, size + 1]
        choices = [targets if one == LIVE else [size + 1] for one in (*status, UNBORN)]
        for variables in itertools.product(targets, repeat=len(signature.variables)):
            for fields in itertools.product(itertools.product(*choices), repeat=len(signature.fields)):
                for numbers in itertools.product(values, repeat=len(signature.numbers)):
                    yield Heap(
                        size,
                        (*status, UNBORN),
                        dict(zip(signature.variables, variables, strict=True)),
                        dict(zip(signature.fields, fields, strict=True)),
                        dict(zip(signature.numbers, numbers, strict=True)),
                    )
