"""Random heaps, structures that describe them, and steps, for the laws of preconditions."""

from __future__ import annotations

from hypothesis import strategies as st

from heapwright.engines.infer.placing import Facts, facts
from heapwright.engines.infer.steps import (
    NOWHERE,
    Copy,
    Create,
    Forget,
    Heap,
    Idle,
    IsNull,
    Plain,
    Read,
    Release,
    Same,
    Write,
)
from heapwright.engines.infer.structure import HALF, YES, Node, Structure, Vocabulary

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
    known = facts(vocabulary, heap)
    size = heap.size
    groups: list[list[int]] = []
    for i in range(size):
        place = draw(st.integers(0, len(groups)))
        groups[place : place + 1] = [[*groups[place], i]] if place < len(groups) else [[i]]
    forgetful = draw(st.integers(0, 3))

    def value(values: set[int]) -> int:
        return values.pop() if len(values) == 1 and draw(st.integers(0, 3)) >= forgetful else HALF

    return _structure(draw, vocabulary, known, groups, value)


def _structure(draw: st.DrawFn, vocabulary: Vocabulary, known: Facts, groups: list[list[int]], value) -> Structure:  # type: ignore[no-untyped-def]  # a closure
    null = tuple(value({one}) for one in known.null)
    nodes = tuple(
        Node(
            tuple(value({known.values[i][c] for i in group}) for c in range(vocabulary.width)),
            single=len(group) == 1 and draw(st.booleans()),
            footprint=draw(st.booleans()),
        )
        for group in groups
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
    st.builds(Forget, variable),
    st.builds(Create, variable),
    st.builds(Read, st.one_of(st.none(), variable), variable, field),
    st.builds(Write, variable, st.one_of(st.none(), variable), field),
    st.builds(Release, variable),
    st.builds(IsNull, variable, st.booleans()),
    st.builds(Same, variable, variable, st.booleans()),
    st.just(Idle()),
)
pointer = st.sampled_from(range(len(CYCLIC.variables)))
reading_step: st.SearchStrategy[Plain] = st.one_of(
    st.builds(Copy, pointer, st.one_of(st.none(), pointer)),
    st.builds(Read, st.one_of(st.none(), pointer), pointer),
    st.builds(IsNull, pointer, st.booleans()),
    st.builds(Same, pointer, pointer, st.booleans()),
)
