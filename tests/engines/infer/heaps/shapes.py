"""Random heaps, structures that describe them, and steps, for the laws of preconditions."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from heapwright.engines.infer.heaps.membership import ConcreteStructure, concrete_structure, find_embedding
from heapwright.engines.infer.heaps.steps import (
    NOWHERE,
    Copy,
    Create,
    HavocVariable,
    Heap,
    Idle,
    IsNull,
    Load,
    Plain,
    Release,
    Same,
    Write,
    after,
)
from heapwright.engines.infer.heaps.structure import HALF, YES, Node, Structure, Vocabulary

VOCABULARY = Vocabulary(("x", "y", "z"), allocation=True, fields=2)
CYCLIC = Vocabulary(("x", "y"), cyclic=True)
VARIABLES = range(len(VOCABULARY.variables))


@st.composite
def heap(draw: st.DrawFn, most: int = 4) -> Heap:
    """Freed objects lead nowhere, but pointers may lead to them."""
    size = draw(st.integers(1, most))
    alloc = tuple(draw(st.integers(0, 3)) > 0 for _ in range(size))
    first = tuple(draw(st.sampled_from([NOWHERE, *range(i + 1, size)])) if alloc[i] else NOWHERE for i in range(size))
    second = tuple(draw(st.sampled_from([NOWHERE, *range(i)])) if alloc[i] else NOWHERE for i in range(size))
    at = tuple(draw(st.sampled_from([NOWHERE, *range(size)])) for _ in VARIABLES)
    return Heap((first, second), at, alloc)


@st.composite
def ring(draw: st.DrawFn, most: int = 4) -> Heap:
    """A field that may lead in circles."""
    size = draw(st.integers(1, most))
    following = tuple(draw(st.sampled_from([NOWHERE, *range(size)])) for _ in range(size))
    return Heap((following,), tuple(draw(st.sampled_from([NOWHERE, *range(size)])) for _ in CYCLIC.variables))


@st.composite
def describing(draw: st.DrawFn, heap: Heap, vocabulary: Vocabulary = VOCABULARY) -> Structure:
    """A structure that describes a heap: objects grouped at will, values that agree kept or forgotten at will."""
    return draw(_alike((heap,), vocabulary))[0]


def describing_both(
    before: Heap, after: Heap, vocabulary: Vocabulary = VOCABULARY
) -> st.SearchStrategy[list[Structure]]:
    """Structures with the same nodes for the same objects, as before and after a step."""
    return _alike((before, after), vocabulary)


@st.composite
def _alike(draw: st.DrawFn, heaps: tuple[Heap, ...], vocabulary: Vocabulary) -> list[Structure]:
    groups: list[list[int]] = []
    for i in range(heaps[0].size):
        place = draw(st.integers(0, len(groups)))
        groups[place : place + 1] = [[*groups[place], i]] if place < len(groups) else [[i]]
    forgetful = draw(st.integers(0, 3))
    single = [len(group) == 1 and draw(st.booleans()) for group in groups]

    def value(values: set[int]) -> int:
        return values.pop() if len(values) == 1 and draw(st.integers(0, 3)) >= forgetful else HALF

    return [_structure(draw, vocabulary, concrete_structure(vocabulary, heap), groups, single, value) for heap in heaps]


def _structure(  # type: ignore[no-untyped-def]  # a closure
    draw: st.DrawFn,
    vocabulary: Vocabulary,
    known: ConcreteStructure,
    groups: list[list[int]],
    single: list[bool],
    value,
) -> Structure:
    null = tuple(value({one}) for one in known.null)
    nodes = tuple(
        Node(
            tuple(value({known.values[i][c] for i in group}) for c in range(vocabulary.width)),
            single=alone,
            footprint=draw(st.booleans()),
        )
        for group, alone in zip(groups, single, strict=True)
    )
    paths = tuple(
        tuple(
            tuple(YES if a is b and nodes[i].single else value({path[p][q] for p in a for q in b}) for b in groups)
            for i, a in enumerate(groups)
        )
        for path in known.paths
    )
    return Structure(null, nodes, paths, vocabulary.cyclic)


variable = st.sampled_from(list(VARIABLES))
field = st.integers(0, VOCABULARY.fields - 1)
step: st.SearchStrategy[Plain] = st.one_of(
    st.builds(Copy, variable, st.one_of(st.none(), variable)),
    st.builds(HavocVariable, variable),
    st.builds(Create, variable),
    st.builds(Load, st.one_of(st.none(), variable), variable, field),
    st.builds(Write, variable, st.one_of(st.none(), variable), field),
    st.builds(Release, variable),
    st.builds(IsNull, variable, st.booleans()),
    st.builds(Same, variable, variable, st.booleans()),
    st.just(Idle()),
)
pointer = st.sampled_from(range(len(CYCLIC.variables)))
reading_step: st.SearchStrategy[Plain] = st.one_of(
    st.builds(Copy, pointer, st.one_of(st.none(), pointer)),
    st.builds(Load, st.one_of(st.none(), pointer), pointer),
    st.builds(IsNull, pointer, st.booleans()),
    st.builds(Same, pointer, pointer, st.booleans()),
)


@st.composite
def run(draw: st.DrawFn, most: int = 4, *, reads: bool = False) -> tuple[Heap, Plain, Heap]:
    """A heap, a step that writes to it, or reads where asked for, and the heap after it."""
    start = draw(heap(most))
    base, value, along = draw(variable), draw(st.one_of(st.none(), variable)), draw(field)
    alive = [i for i in range(start.size) if start.allocated(i)]
    if not alive:
        start, alive = replace(start, alloc=(True,) * start.size), list(range(start.size))
    at = (*start.at[:base], draw(st.sampled_from(alive)), *start.at[base + 1 :])
    start = replace(start, at=at)
    kinds: list[Plain] = [
        Write(base, value, along),
        Release(base),
        *([Load(draw(variable), base, along)] if reads else []),
    ]
    taken = draw(st.sampled_from(kinds))
    then = after(start, taken)
    if then is None:  # it would make a cycle
        taken = Write(base, None, along)
        then = after(start, taken)
    assert then is not None
    return start, taken, then


def describes(vocabulary: Vocabulary, structure: Structure, heap: Heap) -> bool:
    return find_embedding([(structure, concrete_structure(vocabulary, heap))]) is not None
