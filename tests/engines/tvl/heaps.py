"""All heaps with a few nodes over the vocabulary of lists, one of each up to isomorphism."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from heapwright.engines.tvl.formulas.dependencies import definition_order
from heapwright.engines.tvl.formulas.evaluation import readings
from heapwright.engines.tvl.structures.structure import Draft, Structure
from heapwright.engines.tvl.transform.transformer import Kernel


def list_heaps(kernel: Kernel, most: int, variables: str = "xy") -> list[Structure]:
    """With the instrumentation of its definitions; those only that keep the constraints."""
    found = []
    number = kernel.signature.number
    definitions = [
        (number[p.name], kernel.compiler.function(readings(p.definition, p.parameters)))
        for p in definition_order(kernel.vocabulary)
        if p.definition is not None
    ]
    for n in range(most + 1):
        for shape in shapes(n, len(variables)):
            for b in range(2):
                draft = Draft.empty(kernel.signature, n)
                for z, node in zip(variables, shape, strict=False):
                    draft.may[number[z]] = draft.must[number[z]] = 0 if node == n else 1 << node
                edges = sum(1 << u * n + v for u, v in enumerate(shape[len(variables) :]) if v < n)
                draft.may[number["n"]] = draft.must[number["n"]] = edges
                draft.may[number["b"]] = draft.must[number["b"]] = b
                for p, definition in definitions:
                    draft.may[p], draft.must[p] = definition(draft.may, draft.must, kernel.layouts.of(n))
                if kernel.coercer.coerce_all(draft.copy()):
                    found.append(draft.freeze())
    return found


def shapes(n: int, variables: int) -> Iterator[tuple[int, ...]]:
    """Where each variable and the successor of each node leads, n for nowhere; the smallest of those that differ only
    in the order of nodes."""
    for targets in itertools.product(range(n + 1), repeat=variables + n):
        if all(targets <= moved(targets, order, variables) for order in itertools.permutations(range(n))):
            yield targets


def moved(targets: tuple[int, ...], order: tuple[int, ...], variables: int) -> tuple[int, ...]:
    n = len(order)
    place = {old: new for new, old in enumerate(order)} | {n: n}
    roots = tuple(place[v] for v in targets[:variables])
    return roots + tuple(place[targets[variables + old]] for old in order)
