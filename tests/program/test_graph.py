"""What leads where in a graph."""

from __future__ import annotations

from support.collection import PROGRAMS

from heapwright.analysis.pipeline import Input, build
from heapwright.program.commands import Free


def test_what_comes_after() -> None:
    graph = build(Input((str(PROGRAMS / "lists" / "build_free_ok.c"),)), lambda phase: None).graph
    assert graph.after([graph.entry]) == set(graph.postorder)
    assert graph.after([]) == frozenset()
    assert all(
        (one in graph.after([other])) == (other in graph.before([one])) for one in range(5) for other in range(5)
    )
    freed = graph.after(edge.target for edge in graph.edges if isinstance(edge.command, Free))
    assert freed
    assert graph.entry not in freed  # the list is built before
    assert all(edge.target in freed for edge in graph.edges if edge.source in freed)
